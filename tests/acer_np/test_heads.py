"""Both kinds of heads against arrays as wide as the action space, and at their limits."""
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from tests.strategies import (either_heads, frozen, n_summary, random_masks, random_mu, seeds, spelled_out,
                              wide_entropy, wide_kl, wide_log_policy, wide_mask, wide_mu, wide_q)


def random_outputs(seed, heads, n=3, scale=1.5):
    """Logits of two policies, Q outputs and masks for n turns."""
    rng = np.random.default_rng(seed)
    logits, others, q = frozen(*(scale * rng.normal(size=(n, heads.width)) for _ in range(3)))
    return rng, logits, others, q, frozen(random_masks(rng, n, n_summary(heads)))


def random_behaviour(rng, heads, masks):
    """μ as the batch has it, and as the heads make it."""
    mu, payload_logits = random_mu(rng, masks), rng.normal(size=(len(masks), heads.width - masks.shape[1]))
    return *frozen(mu, payload_logits), heads.behaviour(mu, payload_logits)


@settings(max_examples=40)
@given(seeds, either_heads)
def test_values_are_those_of_the_wide_arrays(seed, heads):
    rng, logits, others, q, masks = random_outputs(seed, heads)
    policy, average = heads.policy(logits, masks), heads.policy(others, masks)
    mu, payload_logits, behaviour = random_behaviour(rng, heads, masks)
    where, mu_all = spelled_out(heads), wide_mu(heads, mu, payload_logits)
    log_pi, log_average, q_all = (wide_log_policy(heads, logits, masks), wide_log_policy(heads, others, masks),
                                  wide_q(heads, q))
    pi = np.exp(log_pi)
    assert_allclose(pi.sum(axis=1), 1.0, atol=1e-13)
    for a in range(heads.n_actions):
        actions = np.full(len(masks), a)
        assert_allclose(heads.pi_of(policy, actions), pi[:, a], atol=1e-14)
        assert_allclose(heads.pi_of(behaviour, actions), mu_all[:, a], atol=1e-14)
        assert_allclose(heads.q_of(q, actions), q_all[:, a], atol=1e-14)
    assert_allclose(heads.value(policy, q), (pi * q_all).sum(axis=1), atol=1e-12)
    assert_allclose(heads.entropy(policy), wide_entropy(log_pi), atol=1e-12)
    assert_allclose(heads.kl_divergence(average, policy), wide_kl(log_average, log_pi), atol=1e-12)
    sums = [np.bincount([summary for summary, _ in where], row) for row in pi]
    assert_allclose(heads.summary(policy), sums, atol=1e-13)
    assert_array_equal(heads.summary_of(np.arange(heads.n_actions)), [summary for summary, _ in where])
    assert_array_equal(heads.summary_masks(np.array([wide_mask(heads, mask) for mask in masks])), masks)


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
    heads = MasterHeads(2, 2, 2, "payloads")
    for mask, action in (([True] * 4, 0), ([False, True, False, False], 4), ([False, False, False, True], 9)):
        assert heads.greedy(heads.policy(np.zeros((1, heads.width)), np.array([mask])))[0] == action
    # Informing leads, 0.6 to 0.4, although each of its four payloads is less probable than the other action.
    heads = MasterHeads(1, 2, 1, "payloads")
    assert heads.greedy(heads.policy(np.log([[6.0, 4.0, 1.0, 1.0, 1.0, 1.0]]), np.ones((1, 2), bool)))[0] == 0
    # A payload that is certain makes no inform of the other action, which leads.
    assert heads.greedy(heads.policy(np.array([[0.0, 1.0, 0.0, 1e3, 0.0, 0.0]]), np.ones((1, 2), bool)))[0] == 4


@pytest.mark.parametrize("heads", [SummaryHeads(5), MasterHeads(2, 2, 3), MasterHeads(2, 2, 3, "payloads")])
def test_single_precision_stays_single(heads):
    masks, q = np.ones((2, 5), bool), np.ones((2, heads.width), np.float32)
    policy = heads.policy(q, masks)
    actions = heads.greedy(policy)
    mu = heads.behaviour(np.full((2, 5), 0.2, np.float32), q[:, 5:])
    for array in (heads.pi_of(policy, actions), heads.q_of(q, actions), heads.value(policy, q), heads.entropy(policy),
                  heads.entropy_gradient(policy), heads.kl_gradient(policy, policy), heads.log_gradient(policy, q),
                  heads.onehot(actions, q[:, 0]), heads.bias_correction(policy, mu, q, q[:, 0], np.inf, 1.0)):
        assert array.dtype == np.float32


def test_the_built_in_spaces_have_their_widths():
    for heads, sizes in ((SummaryHeads(15), (15, 15, 15)), (MasterHeads(4, 8, 11), (15, 23, 1035)),
                         (MasterHeads(4, 8, 11, "payloads"), (15, 271, 1035))):
        assert (heads.n_summary, heads.width, heads.n_actions) == sizes
