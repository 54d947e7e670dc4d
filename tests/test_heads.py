"""Both kinds of heads against arrays as wide as the action space, and at their limits."""
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.behaviour import epsilon_greedy, mu_of_all
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from tests.strategies import (central_differences, either_heads, frozen, marginals, random_actions, random_masks, seeds,
                              spelled_out, truncations, wide_entropy, wide_kl, wide_log_policy, wide_mu, wide_q)

spaces = st.sampled_from(["actions", "summary"])


def random_outputs(seed, heads, n=3, scale=1.5):
    """Logits of two policies, Q outputs and masks for n turns."""
    rng = np.random.default_rng(seed)
    logits, others, q = frozen(*(scale * rng.normal(size=(n, heads.width)) for _ in range(3)))
    return rng, logits, others, q, frozen(random_masks(rng, n, len(heads.sizes)))


@given(seeds, either_heads)
def test_values_are_those_of_the_wide_arrays(seed, heads):
    _, logits, others, q, masks = random_outputs(seed, heads)
    policy, average = heads.policy(logits, masks), heads.policy(others, masks)
    log_pi, log_average, q_all = (wide_log_policy(heads, logits, masks), wide_log_policy(heads, others, masks),
                                  wide_q(heads, q))
    pi = np.exp(log_pi)
    assert_allclose(pi.sum(axis=1), 1.0, atol=1e-13)
    for a in range(heads.n_actions):
        actions = np.full(len(masks), a)
        assert_allclose(heads.pi_of(policy, actions), pi[:, a], atol=1e-14)
        assert_allclose(heads.q_of(q, actions), q_all[:, a], atol=1e-14)
    assert_allclose(heads.value(policy, q), (pi * q_all).sum(axis=1), atol=1e-12)
    assert_allclose(heads.entropy(policy), wide_entropy(log_pi), atol=1e-12)
    assert_allclose(heads.kl_divergence(average, policy), wide_kl(log_average, log_pi), atol=1e-12)
    assert_array_equal(heads.kl_divergence(policy, policy), 0.0)


@given(seeds, either_heads, st.sampled_from([0.5, 5.0]))
def test_the_greedy_action_is_the_most_probable_summary_action_with_the_most_probable_payload(seed, heads, scale):
    _, logits, _, _, masks = random_outputs(seed, heads, n=6, scale=scale)
    pi, where = np.exp(wide_log_policy(heads, logits, masks)), spelled_out(heads)
    for row, a in zip(pi, heads.greedy(heads.policy(logits, masks))):
        total = np.bincount([summary for summary, _ in where], row)          # each summary action, whatever its payload
        assert where[a][0] == total.argmax()
        assert row[a] == max(p for p, (summary, _) in zip(row, where) if summary == where[a][0])


def test_ties_go_to_the_lowest_index():
    heads = SummaryHeads(4)
    assert heads.greedy(heads.policy(np.zeros((1, 4)), np.array([[False, True, True, True]])))[0] == 1
    heads = MasterHeads(2, 2, 2)
    for mask, action in (([True] * 4, 0), ([False, True, False, False], 4), ([False, False, False, True], 9)):
        assert heads.greedy(heads.policy(np.zeros((1, heads.width)), np.array([mask])))[0] == action
    # Informing leads, 0.6 to 0.4, although each of its four payloads is less probable than the other action.
    heads = MasterHeads(1, 2, 1)
    assert heads.greedy(heads.policy(np.log([[6.0, 4.0, 1.0, 1.0, 1.0, 1.0]]), np.ones((1, 2), bool)))[0] == 0
    # A payload that is certain makes no inform of the other action, which leads.
    assert heads.greedy(heads.policy(np.array([[0.0, 1.0, 0.0, 1e3, 0.0, 0.0]]), np.ones((1, 2), bool)))[0] == 4


@given(seeds, either_heads)
def test_the_payload_policy_is_the_policys_payload_part(seed, heads):
    _, logits, _, _, masks = random_outputs(seed, heads)
    found = heads.payload_policy(frozen(logits[:, masks.shape[1]:].copy()))
    if isinstance(heads, SummaryHeads):
        assert_array_equal(found, np.ones((len(logits), 1)))
    else:
        assert_array_equal(found, heads.policy(logits, masks).payload.pi)


@given(seeds, either_heads)
def test_gradients_are_central_differences_of_the_wide_arrays(seed, heads):
    rng, logits, others, _, masks = random_outputs(seed, heads, n=2, scale=1.0)
    policy, average = heads.policy(logits, masks), heads.policy(others, masks)
    log_average = wide_log_policy(heads, others, masks)
    allowed = log_average > -np.inf
    weights = rng.normal(size=allowed.shape) * allowed

    def weighted_log(x):
        return (weights * np.where(allowed, wide_log_policy(heads, x, masks), 0.0)).sum()

    def entropy(x):
        return wide_entropy(wide_log_policy(heads, x, masks)).sum()

    def divergence(x):
        return wide_kl(log_average, wide_log_policy(heads, x, masks)).sum()

    found = {"log": (heads.log_gradient(policy, marginals(heads, weights)), weighted_log),
             "entropy": (heads.entropy_gradient(policy), entropy),
             "kl": (heads.kl_gradient(average, policy), divergence)}
    for name, (gradient, function) in found.items():
        assert_allclose(gradient, central_differences(function, logits, 1e-5), atol=1e-7, err_msg=name)
        summary_part = gradient[:, :masks.shape[1]]
        assert_allclose(summary_part.sum(axis=1), 0.0, atol=1e-13)
        assert (summary_part[~masks] == 0).all()
        if getattr(heads, "payload_outputs", "") == "payloads":        # one softmax, which a constant does not change
            assert_allclose(gradient[:, masks.shape[1]:].sum(axis=1), 0.0, atol=1e-13)


@given(seeds, either_heads)
def test_a_value_at_an_action_has_the_marginals_of_a_spike_there(seed, heads):
    rng, _, _, q, masks = random_outputs(seed, heads)
    actions, values = frozen(random_actions(rng, heads, masks), rng.normal(size=len(masks)))
    spikes = values[:, None] * np.eye(heads.n_actions)[actions]
    found = heads.at_actions(actions, values)
    assert_allclose(found, marginals(heads, spikes), atol=1e-15)
    # It is also the gradient of value · Q(a_t) with respect to the critic's outputs.
    assert_allclose(found, central_differences(lambda x: (values * heads.q_of(x, actions)).sum(), q), atol=1e-8)


@given(seeds, either_heads, truncations, spaces, st.sampled_from([0.0, 1e-3, 0.3, 1.0]))
def test_the_bias_correction_is_the_papers_sum_over_all_actions(seed, heads, rho_max, over, epsilon):
    rng, logits, _, q, masks = random_outputs(seed, heads, n=4, scale=2.5)
    policy = heads.policy(logits, masks)
    epsilons, payloads = np.full(4, epsilon), rng.normal(size=(4, heads.width - masks.shape[1]))
    for greedy in (heads.greedy(policy), random_actions(rng, heads, masks)):
        mu = wide_mu(heads, masks, epsilons, greedy, over, payloads)
        pi, q_all = np.exp(wide_log_policy(heads, logits, masks)), wide_q(heads, q)
        v, expected = (pi * q_all).sum(axis=1), np.zeros_like(pi)
        for t, a in np.ndindex(*pi.shape):
            if mu[t, a] == 0:
                expected[t, a] = pi[t, a] * (q_all[t, a] - v[t])
            elif pi[t, a] > rho_max * mu[t, a]:
                expected[t, a] = pi[t, a] * (1 - rho_max * mu[t, a] / pi[t, a]) * (q_all[t, a] - v[t])
        with np.errstate(all="raise", under="ignore"):
            behaviour = epsilon_greedy(masks, epsilons, greedy, heads.sizes, over, heads.payload_policy(payloads))
            found = heads.bias_correction(policy, q, heads.value(policy, q), behaviour, rho_max)
        assert_allclose(found, marginals(heads, expected), atol=1e-12)


@given(seeds, either_heads, truncations, spaces, st.sampled_from([0.0, 0.4, 1.0]))
def test_truncation_and_correction_are_unbiased(seed, heads, rho_max, over, epsilon):
    """Averaged over μ with the critic's own advantage, the gradient is that of Σ_a π(a) Q(a) with Q held constant."""
    rng, logits, _, q, masks = random_outputs(seed, heads, n=2)
    policy, payloads = heads.policy(logits, masks), rng.normal(size=(2, heads.width - masks.shape[1]))
    mu = epsilon_greedy(masks, np.full(2, epsilon), heads.greedy(policy), heads.sizes, over,
                        heads.payload_policy(payloads))
    v = heads.value(policy, q)
    expected = heads.log_gradient(policy, heads.bias_correction(policy, q, v, mu, rho_max))
    for a, mu_a in enumerate(mu_of_all(mu, heads.sizes).T):
        actions, possible = np.full(2, a), mu_a > 0
        rho = heads.pi_of(policy, actions) / np.where(possible, mu_a, 1.0)
        weight = np.minimum(rho_max, rho) * (heads.q_of(q, actions) - v)
        expected += (mu_a * possible)[:, None] * heads.log_gradient(policy, heads.at_actions(actions, weight))
    q_all = wide_q(heads, q)
    objective = lambda x: (np.exp(wide_log_policy(heads, x, masks)) * q_all).sum()    # noqa: E731
    assert_allclose(expected, central_differences(objective, logits, 1e-5), atol=1e-7)


def test_one_allowed_action_leaves_no_gradient_at_all():
    for heads, mask in ((SummaryHeads(3), [False, True, False]), (MasterHeads(1, 2, 2), [False, True, False])):
        masks = np.array([mask])
        policy = heads.policy(np.ones((1, heads.width)), masks)
        actions = heads.greedy(policy)
        mu = epsilon_greedy(masks, np.zeros(1), actions, heads.sizes)
        assert heads.pi_of(policy, actions)[0] == 1 and heads.entropy(policy)[0] == 0
        q = np.arange(float(heads.width))[None]
        for d in (heads.entropy_gradient(policy), heads.kl_gradient(policy, policy),
                  heads.log_gradient(policy, heads.at_actions(actions, np.ones(1))),
                  heads.bias_correction(policy, q, heads.value(policy, q), mu, 5.0)):
            assert_array_equal(d, np.zeros((1, heads.width)))


@pytest.mark.parametrize("heads", [SummaryHeads(5), MasterHeads(2, 2, 3)])
def test_single_precision_stays_single(heads):
    masks, q = np.ones((2, 5), bool), np.ones((2, heads.width), np.float32)
    policy = heads.policy(q, masks)
    actions = heads.greedy(policy)
    mu = epsilon_greedy(masks, np.full(2, 0.5, np.float32), actions, heads.sizes)
    for array in (heads.pi_of(policy, actions), heads.q_of(q, actions), heads.value(policy, q), heads.entropy(policy),
                  heads.entropy_gradient(policy), heads.kl_gradient(policy, policy), heads.log_gradient(policy, q),
                  heads.at_actions(actions, q[:, 0]), heads.bias_correction(policy, q, q[:, 0], mu, np.inf)):
        assert array.dtype == np.float32


def test_the_built_in_spaces_have_their_widths():
    assert SummaryHeads(15).width == 15 and len(SummaryHeads(15).sizes) == 15
    master = MasterHeads(4, 8, 11)
    assert master.width == 15 + 256 and master.n_actions == 1035 and len(master.sizes) == 15
    for heads in (SummaryHeads(15), master):
        assert type(heads.n_actions) is type(heads.width) is int
        with pytest.raises(FrozenInstanceError):
            heads.n_actions = 3
