"""The masked softmax, its logit gradients, and truncation with bias correction."""
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np import gradients
from acer_np.gradients import correction_weights, importance_weights, masked_softmax
from tests.strategies import central_differences, frozen, random_masks, random_mu, seeds, truncations

A = 6


def random_policies(seed, n=3, scale=2.0):
    """Logits, masks and two policies under the same masks."""
    rng = np.random.default_rng(seed)
    logits, masks, others = frozen(scale * rng.normal(size=(n, A)), random_masks(rng, n, A), rng.normal(size=(n, A)))
    policy, average = masked_softmax(logits, masks), masked_softmax(others, masks)
    frozen(*policy, *average)
    return rng, logits, masks, policy, average


def all_gradients(rng, policy, average):
    weights = rng.normal(size=policy.pi.shape) * (policy.pi > 0)
    return [gradients.log_gradient(policy.pi, weights), gradients.entropy_gradient(policy),
            gradients.kl_gradient(average, policy), gradients.expectation_gradient(policy.pi, weights)]


def test_softmax_by_hand():
    # exp(0) : exp(ln 3) = 1 : 3, and the third action is not allowed however large its logit.
    policy = masked_softmax(np.array([[0.0, np.log(3.0), 9.0]]), np.array([[True, True, False]]))
    assert_allclose(policy.pi, [[0.25, 0.75, 0.0]], rtol=1e-15)
    assert_allclose(policy.log_pi, [[np.log(0.25), np.log(0.75), 0.0]], rtol=1e-15)


def test_without_a_mask_every_action_is_allowed():
    logits = frozen(np.array([[0.0, np.log(3.0), np.log(4.0)]]))
    assert_allclose(masked_softmax(logits).pi, [[1 / 8, 3 / 8, 4 / 8]], rtol=1e-15)
    assert_array_equal(masked_softmax(logits).pi, masked_softmax(logits, np.ones((1, 3), bool)).pi)


@given(seeds, st.floats(-300, 300))
def test_probabilities_sum_to_one_and_ignore_masked_logits_and_constant_shifts(seed, shift):
    rng, logits, masks, policy, _ = random_policies(seed)
    assert_allclose(policy.pi.sum(axis=1), 1.0, atol=1e-14)
    assert (policy.pi[masks] > 0).all() and (policy.pi[~masks] == 0).all() and (policy.log_pi[~masks] == 0).all()
    assert_allclose(np.exp(policy.log_pi)[masks], policy.pi[masks], rtol=1e-13)
    assert_allclose(masked_softmax(logits + shift, masks).pi, policy.pi, atol=1e-12)
    for noise in (1e3, -np.inf, np.nan):
        assert_array_equal(masked_softmax(np.where(masks, logits, noise), masks).log_pi, policy.log_pi)


@given(seeds)
def test_a_batch_is_its_rows(seed):
    _, logits, masks, policy, _ = random_policies(seed)
    for t in range(len(logits)):
        assert_array_equal(masked_softmax(logits[t], masks[t]).pi, policy.pi[t])


@given(seeds, st.sampled_from([np.int8, np.uint8, int]))
def test_masks_of_zeros_and_ones_mean_what_masks_of_bools_mean(seed, dtype):
    _, logits, masks, policy, _ = random_policies(seed)
    for found, expected in zip(masked_softmax(logits, masks.astype(dtype)), policy):
        assert_array_equal(found, expected)


def test_nothing_overflows_at_extreme_logits():
    masks = np.array([[True, True, True, False]])
    for logits in ([1e4, -1e4, 0.0, 1e5], [-1e300, 1e300, 0.0, 0.0]):
        policy = masked_softmax(np.array([logits]), masks)
        other = masked_softmax(-np.array([logits]), masks)
        with np.errstate(all="raise", under="ignore"):
            assert_allclose(gradients.entropy(policy), 0.0, atol=1e-12)
            assert gradients.kl_divergence(other, policy) > 1e3
            rng = np.random.default_rng(0)
            assert all(np.isfinite(d).all() for d in all_gradients(rng, policy, other))


def test_a_single_allowed_action_has_no_entropy_and_no_gradient():
    masks = np.array([[False, True, False]])
    policy, average = masked_softmax(np.array([[1.0, 2.0, 3.0]]), masks), masked_softmax(np.zeros((1, 3)), masks)
    assert_array_equal(policy.pi, [[0.0, 1.0, 0.0]])
    assert gradients.entropy(policy) == 0 and gradients.kl_divergence(average, policy) == 0
    for d in all_gradients(np.random.default_rng(0), policy, average):
        assert_array_equal(d, np.zeros((1, 3)))


def test_entropy_and_divergence_by_hand():
    # π = (1/4, 3/4), π_a = (1/2, 1/2): H = 1/4 ln 4 + 3/4 ln(4/3) = 2 ln 2 - 3/4 ln 3;
    # KL = 1/2 ln(1/2 / 1/4) + 1/2 ln(1/2 / 3/4) = ln 2 - 1/2 ln 3.
    policy, average = masked_softmax(np.array([0.0, np.log(3.0)])), masked_softmax(np.zeros(2))
    assert_allclose(gradients.entropy(policy), 2 * np.log(2) - 0.75 * np.log(3), rtol=1e-14)
    assert_allclose(gradients.kl_divergence(average, policy), np.log(2) - 0.5 * np.log(3), rtol=1e-14)
    assert_allclose(gradients.entropy(average), np.log(2), rtol=1e-15)


def test_gradients_by_hand():
    # π = (1/4, 3/4), G = (2, 0): G - 2π = (3/2, -3/2). f = (4, 0): mean 1, π(f - 1) = (3/4, -3/4).
    policy, average = masked_softmax(np.array([0.0, np.log(3.0)])), masked_softmax(np.zeros(2))
    assert_allclose(gradients.log_gradient(policy.pi, np.array([2.0, 0.0])), [1.5, -1.5], rtol=1e-15)
    assert_allclose(gradients.expectation_gradient(policy.pi, np.array([4.0, 0.0])), [0.75, -0.75], rtol=1e-15)
    assert_allclose(gradients.kl_gradient(average, policy), [-0.25, 0.25], rtol=1e-15)
    # H = 1/4 ln 4 + 3/4 ln(4/3); -1/4 (-ln 4 + H) = 1/4 · 3/4 (ln 4 - ln 4/3) = 3/16 ln 3.
    assert_allclose(gradients.entropy_gradient(policy), [3 / 16 * np.log(3), -3 / 16 * np.log(3)], rtol=1e-14)


@given(seeds)
def test_entropy_and_divergence_keep_their_bounds(seed):
    _, _, masks, policy, average = random_policies(seed)
    h, kl = gradients.entropy(policy), gradients.kl_divergence(average, policy)
    assert (h >= 0).all() and (h <= np.log(masks.sum(axis=1)) + 1e-12).all()
    assert (gradients.kl_divergence(policy, policy) == 0).all()
    total_variation = np.abs(policy.pi - average.pi).sum(axis=1) / 2
    assert (kl >= 2 * total_variation ** 2 - 1e-12).all()
    assert (np.linalg.norm(gradients.kl_gradient(average, policy), axis=1) <= np.sqrt(2) + 1e-12).all()


@given(seeds)
def test_every_gradient_sums_to_zero_and_is_zero_where_masked(seed):
    rng, _, masks, policy, average = random_policies(seed)
    for d in all_gradients(rng, policy, average):
        assert_allclose(d.sum(axis=1), 0.0, atol=1e-13)
        assert (d[~masks] == 0).all()


@given(seeds)
def test_the_expected_score_is_zero(seed):
    policy = random_policies(seed)[3]
    scores = [gradients.log_gradient(policy.pi, np.broadcast_to(onehot, policy.pi.shape)) for onehot in np.eye(A)]
    assert_allclose(sum(policy.pi[:, [a]] * score for a, score in enumerate(scores)), 0.0, atol=1e-14)


@given(seeds)
def test_gradients_are_central_differences(seed):
    rng, logits, masks, policy, average = random_policies(seed, n=1, scale=1.0)
    weights = rng.normal(size=(1, A)) * masks
    functions = [lambda l: (weights * masked_softmax(l, masks).log_pi).sum(),
                 lambda l: gradients.entropy(masked_softmax(l, masks)).sum(),
                 lambda l: gradients.kl_divergence(average, masked_softmax(l, masks)).sum(),
                 lambda l: (weights * masked_softmax(l, masks).pi).sum()]
    found = [gradients.log_gradient(policy.pi, weights), gradients.entropy_gradient(policy),
             gradients.kl_gradient(average, policy), gradients.expectation_gradient(policy.pi, weights)]
    for function, gradient in zip(functions, found):
        assert_allclose(gradient, central_differences(function, logits, 1e-5), atol=1e-7)


def test_importance_weights_by_hand():
    pi_a, mu_a = frozen(np.array([0.5, 0.25]), np.array([0.25, 0.5]))
    assert_array_equal(importance_weights(pi_a, mu_a), [2.0, 0.5])


def test_a_vanishing_behaviour_probability_gives_an_infinite_weight_without_a_warning():
    with np.errstate(all="raise"):
        assert importance_weights(np.array([1.0]), np.array([1e-320]))[0] == np.inf


def test_correction_by_hand():
    # c = 2: 0.5 - 2·0.1 = 0.3;  0.5 - 2·0.9 < 0. In the paper's form 0.5 [1 - 2/5]_+ = 0.3.
    assert_allclose(correction_weights(np.array([0.5, 0.5]), np.array([0.1, 0.9]), 2.0), [0.3, 0.0], rtol=1e-15)


@given(seeds, truncations)
def test_the_subtraction_is_the_papers_quotient_and_completes_the_truncated_weight(seed, rho_max):
    rng, _, masks, policy, _ = random_policies(seed)
    mu = frozen(random_mu(rng, masks, missing=0))
    weights, rho = correction_weights(policy.pi, mu, rho_max), policy.pi[masks] / mu[masks]
    assert_allclose(weights[masks], policy.pi[masks] * np.maximum(1 - rho_max / rho, 0), atol=1e-14)
    assert (weights[~masks] == 0).all() and (weights >= 0).all() and (weights <= policy.pi).all()
    assert_allclose(np.minimum(rho_max * mu[masks], policy.pi[masks]) + weights[masks], policy.pi[masks], atol=4e-16)


@given(seeds, truncations, st.booleans())
def test_truncation_and_correction_are_unbiased_for_every_truncation_and_behaviour(seed, rho_max, incomplete):
    """Averaged over μ, the two terms are the policy gradient π (Q - V), even where μ never goes."""
    rng, _, masks, policy, _ = random_policies(seed)
    mu, q = random_mu(rng, masks, missing=float(incomplete)), rng.normal(size=masks.shape)
    v = (policy.pi * q).sum(axis=1, keepdims=True)
    for baseline in (v, v + 3.0):
        expected = gradients.log_gradient(policy.pi, correction_weights(policy.pi, mu, rho_max) * (q - baseline))
        for a in range(A):
            taken = mu[:, a] > 0
            rho = np.where(taken, policy.pi[:, a] / np.where(taken, mu[:, a], 1.0), 0.0)
            weight = np.zeros_like(q)
            weight[:, a] = np.minimum(rho_max, rho) * (q - baseline)[:, a]
            expected += mu[:, [a]] * gradients.log_gradient(policy.pi, weight)
        assert_allclose(expected, policy.pi * (q - v), atol=1e-12)


@given(seeds)
def test_on_policy_nothing_needs_correction(seed):
    policy = random_policies(seed)[3]
    for rho_max in (1.0, 5.0, np.inf):
        assert (correction_weights(policy.pi, policy.pi, rho_max) == 0).all()


def test_where_the_behaviour_never_goes_the_correction_is_the_policy():
    pi, mu = np.array([[0.3, 0.7]]), np.array([[0.0, 1.0]])
    for dtype in (np.float64, np.float32):
        for rho_max in (1.0, 5.0, np.inf):
            with np.errstate(all="raise"):
                found = correction_weights(pi.astype(dtype), mu.astype(dtype), rho_max)
            assert found.dtype == dtype
            assert_array_equal(found, [[dtype(0.3), 0.0]])


def test_single_precision_stays_single():
    policy = masked_softmax(np.zeros((2, 3), np.float32), np.ones((2, 3), bool))
    for array in (*policy, gradients.entropy(policy), gradients.entropy_gradient(policy),
                  gradients.expectation_gradient(policy.pi, policy.pi), gradients.log_gradient(policy.pi, policy.pi)):
        assert array.dtype == np.float32


def test_bad_arguments_are_refused():
    for dtype in (bool, np.int8):
        with pytest.raises(ValueError, match="masks allows 0 actions in row 1, expected at least 1"):
            masked_softmax(np.zeros((2, 2)), np.array([[1, 0], [0, 0]], dtype))
    for bad in (0.0, -0.5, np.nan):
        with pytest.raises(ValueError,
                           match=rf"mu_a is {bad} for the action taken at turn 1, expected a positive number"):
            importance_weights(np.array([0.5, 0.5]), np.array([0.1, bad]))
