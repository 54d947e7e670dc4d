"""eNAC: the regression against its primal form, the update against features by central differences, and its metric."""
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.adam import Learner
from acer_np.enac import ENACConfig, compatible_regression, dialogue_sums, discounts, enac_update, natural_step
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.network import Network
from acer_np.replay import Batch
from tests.strategies import either_heads, far_from_kinks, frozen, random_learner, seeds, wide_entropy, wide_log_policy

lengths_lists = st.lists(st.integers(1, 5), min_size=1, max_size=5)


def actor(seed, heads, n_dialogues=4, dtype=np.float64):
    """A network without a critic, after seven updates."""
    return random_learner(seed, heads, critic_width=0, dtype=dtype, n_dialogues=n_dialogues, steps=7)


def one_turn_each(network, actions, returns):
    """Dialogues of one turn in the same situation."""
    n = len(actions)
    return Batch(*frozen(np.ones((n, network.n_belief)), np.ones((n, network.heads.n_actions), bool), np.array(actions),
                         np.array(returns, float), np.full((n, network.heads.n_actions), 1 / network.heads.n_actions),
                         np.zeros((n, 0)), np.ones(n, int)))


def log_pi_of(network, params, batch):
    return wide_log_policy(network.heads, network.forward(params, batch.beliefs).logits, batch.masks)


def features(network, params, batch, gamma):
    """(E, P) φ by central differences of Σ_t γ^{t-1} log π(a_t|b_t)."""
    starts = [sum(batch.lengths[:e]) for e in range(len(batch.lengths))]

    def weighted(params):
        log_pi = log_pi_of(network, params, batch)
        return np.array([sum(gamma ** t * log_pi[start + t, batch.actions[start + t]] for t in range(length))
                         for start, length in zip(starts, batch.lengths)])

    return np.stack([(weighted(params + h) - weighted(params - h)) / 2e-6 for h in 1e-6 * np.eye(len(params))], axis=1)


def primal_regression(phi, returns, ridge):
    """w and J by ordinary least squares on the features themselves, the penalty as further rows."""
    n, p = phi.shape
    penalty = np.sqrt(ridge * np.mean((phi ** 2).sum(axis=1))) * np.eye(p)
    rows = np.vstack([np.column_stack([phi, np.ones(n)]), np.column_stack([penalty, np.zeros(p)])])
    solution = np.linalg.lstsq(rows, np.append(returns, np.zeros(p)), rcond=None)[0]
    return solution[:p], solution[p]


# ---- sums over dialogues

def test_discounts_and_sums_by_hand():
    lengths = np.array([3, 1, 2])
    assert_array_equal(discounts(lengths, 0.5), [1, 0.5, 0.25, 1, 1, 0.5])
    assert_array_equal(discounts(lengths, 0.0), [1, 0, 0, 1, 1, 0])
    assert_array_equal(discounts(lengths, 1.0), np.ones(6))
    assert_array_equal(dialogue_sums(np.array([1.0, 2, 4, 8, 16, 32]), lengths), [7, 8, 48])


@given(seeds, lengths_lists)
def test_sums_along_both_axes_are_the_sums_of_the_blocks(seed, lengths):
    n, edges = sum(lengths), np.append(0, np.cumsum(lengths))
    turns = frozen(np.random.default_rng(seed).normal(size=(n, n)))
    found = dialogue_sums(dialogue_sums(turns, np.array(lengths)), np.array(lengths), axis=1)
    for i in range(len(lengths)):
        for j in range(len(lengths)):
            assert_allclose(found[i, j], turns[edges[i]:edges[i + 1], edges[j]:edges[j + 1]].sum(), atol=1e-13)


# ---- the regression

def test_two_dialogues_by_hand():
    # G = 1: without a ridge α + J = (3, 1) and Σ α = 0, so J = 2 and α = (1, -1). The trace is 2, so a ridge of 1
    # doubles the diagonal: 2 α + J = (3, 1), α = (1/2, -1/2).
    for ridge, alpha in ((0.0, 1.0), (1.0, 0.5)):
        found, baseline = compatible_regression(np.eye(2), np.array([3.0, 1.0]), ridge)
        assert_allclose(found, [alpha, -alpha], rtol=1e-14)
        assert_allclose(baseline, 2.0, rtol=1e-14)


@given(seeds, st.integers(1, 6), st.integers(1, 9), st.sampled_from([1e-3, 0.1, 1.0, 30.0]))
def test_the_dual_is_the_primal_ridge_regression(seed, n, p, ridge):
    rng = np.random.default_rng(seed)
    phi, returns = frozen(rng.normal(size=(n, p)), rng.normal(size=n))
    alpha, baseline = compatible_regression(frozen(phi @ phi.T), returns, ridge)
    w, expected = primal_regression(phi, returns, ridge)
    assert_allclose(phi.T @ alpha, w, atol=1e-9)
    assert_allclose(baseline, expected, atol=1e-9)


@given(seeds, st.integers(2, 6))
def test_without_a_ridge_it_is_the_pseudo_inverse_of_the_centred_features(seed, n):
    rng = np.random.default_rng(seed)
    phi, returns = rng.normal(size=(n, 9)), rng.normal(size=n)
    alpha, baseline = compatible_regression(phi @ phi.T, returns, 0.0)
    assert_allclose(phi.T @ alpha, np.linalg.pinv(phi - phi.mean(axis=0)) @ (returns - returns.mean()), atol=1e-10)
    assert_allclose(phi @ phi.T @ alpha + baseline, returns, atol=1e-10)       # all is explained, noise and all


@given(seeds, st.integers(1, 6), st.floats(-50, 50), st.sampled_from([0.0, 0.1, 5.0]))
def test_a_constant_on_all_returns_moves_the_baseline_alone(seed, n, constant, ridge):
    rng = np.random.default_rng(seed)
    phi, returns = rng.normal(size=(n, 9)), rng.normal(size=n)
    alpha, baseline = compatible_regression(phi @ phi.T, returns, ridge)
    moved, moved_baseline = compatible_regression(phi @ phi.T, returns + constant, ridge)
    assert_allclose(moved, alpha, atol=1e-10)
    assert_allclose(moved_baseline, baseline + constant, atol=1e-10)
    assert_allclose(alpha.sum(), 0.0, atol=1e-12)


@given(seeds, st.integers(1, 6), st.sampled_from([0.0, 1e-3, 0.2]), st.integers(-200, 200), st.integers(-100, 100))
def test_neither_the_size_of_the_features_nor_that_of_the_returns_matters(seed, n, ridge, power, returns_power):
    """α ∝ R / G and J ∝ R, over hundreds of orders of magnitude: what is explained stays as it is."""
    rng, size, unit = np.random.default_rng(seed), 10.0 ** power, 10.0 ** returns_power
    phi, returns = rng.normal(size=(n, 9)), rng.normal(size=n)
    alpha, baseline = compatible_regression(phi @ phi.T, returns, ridge)
    scaled, same = compatible_regression(size * (phi @ phi.T), unit * returns, ridge)
    assert_allclose(scaled * size / unit, alpha, rtol=1e-8, atol=1e-10)
    assert_allclose(same / unit, baseline, atol=1e-10)


def test_features_that_vanish_or_repeat_explain_what_they_can():
    alpha, baseline = compatible_regression(np.zeros((3, 3)), np.array([1.0, 2.0, 6.0]), 0.1)
    assert np.isfinite(alpha).all()                             # of no account, for w = Σ α φ = 0
    assert_allclose(baseline, 3.0, rtol=1e-14)
    # φ = (1, 1, -1), without a ridge: J + w = mean of 1 and 2, J - w = 6, so J = 3.75 and w = -2.25.
    phi = np.array([[1.0], [1.0], [-1.0]])
    alpha, baseline = compatible_regression(phi @ phi.T, np.array([1.0, 2.0, 6.0]), 0.0)
    assert_allclose([phi[:, 0] @ alpha, baseline], [-2.25, 3.75], rtol=1e-12)


# ---- the step

def test_steps_by_hand():
    # Mean of (φ·w)² is (9 + 1)/2 = 5, so √(2 · 0.1 / 5) = 0.2.
    explained = frozen(np.array([3.0, -1.0]))
    assert natural_step(explained, 0.1, 1.0) == pytest.approx(0.2, rel=1e-15)
    assert natural_step(explained, 0.1, 0.15) == 0.15
    assert natural_step(explained, 0.0, 1.0) == 0.0
    with np.errstate(all="raise"):
        assert natural_step(np.zeros(2), 0.1, 0.7) == natural_step(np.zeros(2), 0.0, 0.7) == 0.7
    assert isinstance(natural_step(explained, 0.1, 1.0), float)


# ---- the update

@settings(max_examples=25)
@given(seeds, either_heads, st.sampled_from([0.0, 0.6, 1.0]), st.sampled_from([0.01, 0.3]),
       st.sampled_from([1e-4, 1e4]))
def test_the_step_is_along_the_regressions_weights(seed, heads, gamma, ridge, kl_limit):
    """Features by central differences, the regression on them in primal form, and the step spelled out."""
    network, learner, batch = actor(seed, heads)
    assume(far_from_kinks(network, learner.params, batch.beliefs))
    phi = features(network, learner.params, batch, gamma)
    assume(np.abs(phi).max() > 0.01)
    edges = np.append(0, np.cumsum(batch.lengths))
    returns = np.array([sum(gamma ** t * r for t, r in enumerate(batch.rewards[start:end]))
                        for start, end in zip(edges, edges[1:])])
    w, baseline = primal_regression(phi, returns, ridge)
    longest = 0.7 / (1 + 7 / 14)                # after seven updates
    step = min(longest, np.sqrt(2 * kl_limit / np.mean((phi @ w) ** 2)))
    config = ENACConfig(gamma=gamma, ridge=ridge, kl_limit=kl_limit, learning_rate=0.7, halving=14)
    updated, watch = enac_update(network, learner, batch, config)
    assert_allclose(updated.params - learner.params, step * w, atol=2e-6 * (1 + np.abs(w).max()))
    assert_allclose(watch, [wide_entropy(log_pi_of(network, learner.params, batch)).mean(), baseline,
                            np.mean((returns - baseline - phi @ w) ** 2), step, step == longest], atol=2e-5)
    assert updated.average is learner.average and updated.adam.step == 8
    assert updated.adam.mean is learner.adam.mean and updated.adam.square is learner.adam.square
    assert watch._fields == ("entropy", "baseline", "regression_error", "step", "capped")
    assert all(isinstance(value, float) for value in watch)


def test_with_every_action_as_often_as_the_policy_takes_it_the_fisher_matrix_turns_w_into_the_gradient():
    # π = (1/2, 1/4, 1/4): four dialogues of one turn are the exact expectation. J(ω) = Σ_a π(a) R(a).
    rng, returns = np.random.default_rng(0), np.array([1.0, -2.0, 5.0])
    network = Network(2, SummaryHeads(3), hidden=(4,), critic_width=0)
    params = 0.5 * rng.normal(size=network.size)
    p = network.views(params)
    p["b_policy"][:] = np.log([2, 1, 1]) - np.maximum(np.ones(2) @ p["W1"] + p["b1"], 0) @ p["W_policy"]
    batch = one_turn_each(network, [0, 0, 1, 2], returns[[0, 0, 1, 2]])
    config = ENACConfig(ridge=0.0, kl_limit=np.inf, learning_rate=1.0)
    updated, watch = enac_update(network, Learner.start(params, network.n_policy), batch, config)

    def value(params):
        return np.exp(log_pi_of(network, params, batch)[0]) @ returns

    gradient = np.array([(value(params + h) - value(params - h)) / 2e-6 for h in 1e-6 * np.eye(len(params))])
    phi = features(network, params, batch, gamma=1.0)
    assert_allclose(phi.T @ phi / 4 @ (updated.params - params), gradient, atol=1e-8)
    assert watch.baseline == pytest.approx(0.5 - 0.5 + 1.25, abs=1e-10)
    assert watch.regression_error == pytest.approx(0.0, abs=1e-20)


@pytest.mark.parametrize("kl_limit", [1e-4, 1e-6])
def test_a_short_step_has_the_divergence_that_was_asked_for(kl_limit):
    network = Network(2, SummaryHeads(2), hidden=(4,), critic_width=0)
    params = np.zeros(network.size)                       # π = (1/2, 1/2)
    network.views(params)["W1"][:] = 1.0
    batch = one_turn_each(network, [0, 1], [1.0, -1.0])
    config = ENACConfig(kl_limit=kl_limit, learning_rate=9.0)
    updated, _ = enac_update(network, Learner.start(params, network.n_policy), batch, config)
    old, new = (log_pi_of(network, vector, batch)[0] for vector in (params, updated.params))
    assert np.exp(old) @ (old - new) == pytest.approx(kl_limit, rel=0.02)
    assert new[0] > old[0]


def test_the_longest_step_is_half_as_long_after_as_many_updates_as_it_says():
    network, learner, batch = actor(6, SummaryHeads(5))
    config = ENACConfig(kl_limit=np.inf, learning_rate=0.3, halving=4)
    for n_updates, longest in ((0, 0.3), (4, 0.15), (12, 0.075)):
        learner = learner._replace(adam=learner.adam._replace(step=n_updates))
        watch = enac_update(network, learner, batch, config)[1]
        assert watch.step == pytest.approx(longest, rel=1e-15) and watch.capped == 1.0


@given(seeds, either_heads, st.floats(-5, 5))
def test_a_constant_on_every_dialogue_changes_no_parameter(seed, heads, constant):
    network, learner, batch = actor(seed, heads)
    rewards = batch.rewards.copy()
    rewards[np.cumsum(batch.lengths) - batch.lengths] += constant
    one, _ = enac_update(network, learner, batch, ENACConfig())
    other, _ = enac_update(network, learner, batch._replace(rewards=rewards), ENACConfig())
    assert_allclose(other.params, one.params, atol=1e-10)


@given(seeds, either_heads)
def test_the_behaviour_that_is_on_record_plays_no_part(seed, heads):
    network, learner, batch = actor(seed, heads)
    other = batch._replace(mu=np.ones_like(batch.mu), payload_logits=batch.payload_logits + 1)
    assert_array_equal(enac_update(network, learner, batch, ENACConfig())[0].params,
                       enac_update(network, learner, other, ENACConfig())[0].params)


def test_one_dialogue_alone_or_turns_without_a_choice_teach_nothing():
    network, learner, batch = actor(0, SummaryHeads(5), n_dialogues=1)
    updated, watch = enac_update(network, learner, batch, ENACConfig())
    assert_allclose(updated.params, learner.params, atol=1e-14)
    assert watch.regression_error == pytest.approx(0.0, abs=1e-20)
    network, learner, batch = actor(1, SummaryHeads(5))
    forced = batch._replace(masks=np.eye(5, dtype=bool)[batch.actions])
    with np.errstate(all="raise"):
        updated, watch = enac_update(network, learner, forced, ENACConfig())
    assert_array_equal(updated.params, learner.params)
    assert watch.capped == 1.0


@pytest.mark.parametrize("heads", [SummaryHeads(5), MasterHeads(2, 2, 3)])
def test_single_precision_stays_single_and_agrees_with_double(heads):
    network, learner, batch = actor(4, heads, dtype=np.float32)
    updated, _ = enac_update(network, learner, batch, ENACConfig())
    assert updated.params.dtype == np.float32
    double = replace(network, dtype=np.float64)
    expected, _ = enac_update(double, learner._replace(params=learner.params.astype(float)), batch, ENACConfig())
    assert_allclose(updated.params, expected.params, atol=1e-5)


def test_an_endless_step_is_refused():
    network, learner, batch = actor(5, SummaryHeads(5))
    message = "returns is .* to .*, expected a finite natural gradient"
    with pytest.raises(ValueError, match=message), np.errstate(all="ignore"):
        enac_update(network, learner, batch, ENACConfig(learning_rate=np.inf, kl_limit=np.inf))


def test_its_agent_draws_from_the_policy_without_further_exploration():
    config = ENACConfig()
    assert config.behaviour == "draw" and config.epsilon == config.final_epsilon == 0
