"""Softmax, gradients and correction by hand, at extremes, in single precision; their properties are laws."""
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from acer_np import gradients
from acer_np.gradients import correction_weights, importance_weights, masked_softmax
from tests.strategies import frozen


def all_gradients(policy, average):
    return [gradients.log_gradient(policy.pi, policy.pi), gradients.entropy_gradient(policy),
            gradients.kl_gradient(average, policy), gradients.expectation_gradient(policy.pi, policy.pi)]


def test_softmax_by_hand():
    # exp(0) : exp(ln 3) = 1 : 3, and the third action is not allowed whatever its logit.
    for logit in (9.0, 1e5, -np.inf, np.nan):
        for mask in (np.array([[True, True, False]]), np.array([[1, 1, 0]], np.int8)):
            policy = masked_softmax(*frozen(np.array([[0.0, np.log(3.0), logit]]), mask))
            assert_allclose(policy.pi, [[0.25, 0.75, 0.0]], rtol=1e-15)
            assert_allclose(policy.log_pi, [[np.log(0.25), np.log(0.75), 0.0]], rtol=1e-15)
    # Without a mask 1 : 3 : 4, beside a row with far larger logits, too.
    rows = np.log([1.0, 3.0, 4.0]) + np.array([[0.0], [2.0 ** 10]])
    assert_allclose(masked_softmax(rows).pi, [[1 / 8, 3 / 8, 4 / 8]] * 2, rtol=1e-12)


def test_nothing_overflows_at_extreme_logits():
    masks = np.array([[True, True, True, False]])
    for logits in ([1e4, -1e4, 0.0, 1e5], [-1e300, 1e300, 0.0, 0.0]):
        policy, other = (masked_softmax(sign * np.array([logits]), masks) for sign in (1, -1))
        with np.errstate(all="raise", under="ignore"):
            assert_allclose(gradients.entropy(policy), 0.0, atol=1e-12)
            assert gradients.kl_divergence(other, policy) > 1e3
            assert all(np.isfinite(d).all() for d in all_gradients(policy, other))


def test_a_single_allowed_action_has_no_entropy_and_no_gradient():
    masks = np.array([[False, True, False]])
    policy, average = masked_softmax(np.array([[1.0, 2.0, 3.0]]), masks), masked_softmax(np.zeros((1, 3)), masks)
    assert_array_equal(policy.pi, [[0.0, 1.0, 0.0]])
    assert gradients.entropy(policy) == 0 and gradients.kl_divergence(average, policy) == 0
    for d in all_gradients(policy, average):
        assert_array_equal(d, np.zeros((1, 3)))


def test_entropy_divergence_and_gradients_by_hand():
    # π = (1/4, 3/4), π̄ = (1/2, 1/2): H = 1/4 ln 4 + 3/4 ln(4/3) = 2 ln 2 - 3/4 ln 3;
    # KL = 1/2 ln(1/2 / 1/4) + 1/2 ln(1/2 / 3/4) = ln 2 - 1/2 ln 3.
    policy, average = masked_softmax(np.log([1.0, 3.0])), masked_softmax(np.zeros(2))
    assert_allclose(gradients.entropy(policy), 2 * np.log(2) - 0.75 * np.log(3), rtol=1e-14)
    assert_allclose(gradients.kl_divergence(average, policy), np.log(2) - 0.5 * np.log(3), rtol=1e-14)
    assert_allclose(gradients.kl_gradient(average, policy), [-0.25, 0.25], rtol=1e-15)
    # ∂H/∂l: -1/4 (-ln 4 + H) = 1/4 · 3/4 (ln 4 - ln 4/3) = 3/16 ln 3.
    assert_allclose(gradients.entropy_gradient(policy), [3 / 16 * np.log(3), -3 / 16 * np.log(3)], rtol=1e-14)
    # f = (4, 0): mean 1, π(f - 1) = (3/4, -3/4). G = (2, 0) and (0, 1), turn by turn: G - 2π and G - π.
    assert_allclose(gradients.expectation_gradient(policy.pi, np.array([4.0, 0.0])), [0.75, -0.75], rtol=1e-15)
    found = gradients.log_gradient(policy.pi[None].repeat(2, axis=0), np.array([[2.0, 0.0], [0.0, 1.0]]))
    assert_allclose(found, [[1.5, -1.5], [-0.25, 0.25]], rtol=1e-15)


def test_importance_weights_by_hand():
    assert_array_equal(importance_weights(*frozen(np.array([0.5, 0.25]), np.array([0.25, 0.5]))), [2.0, 0.5])
    with np.errstate(all="raise"):
        assert importance_weights(np.array([1.0]), np.array([1e-320]))[0] == np.inf


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_corrections_by_hand(dtype):
    # c = 2: 0.5 - 2·0.125 = 0.25; 0.5 - 2·0.875 < 0. In the paper's form 0.5 [1 - 2/4]_+ = 0.25.
    pi, mu = np.array([0.5, 0.5], dtype), np.array([0.125, 0.875], dtype)
    assert_array_equal(correction_weights(*frozen(pi, mu), 2.0), [0.25, 0.0])
    # Where μ never goes the correction is π, for c = ∞ too; where μ goes, however rarely, c = ∞ leaves nothing.
    for c, rare in ((1.0, dtype(0.5) - dtype(1e-25)), (np.inf, 0.0)):
        with np.errstate(all="raise"):
            found = correction_weights(pi, np.array([0.0, 1e-25], dtype), c)
        assert found.dtype == dtype
        assert_array_equal(found, [0.5, rare])
    assert_array_equal(correction_weights(pi, np.array([1e-40, 1.0], dtype), np.inf), [0.0, 0.0])


def test_single_precision_stays_single():
    policy = masked_softmax(np.zeros((2, 3), np.float32), np.ones((2, 3), bool))
    for array in (*policy, gradients.entropy(policy), *all_gradients(policy, policy)):
        assert array.dtype == np.float32


def test_bad_arguments_are_refused():
    for dtype in (bool, np.int8):
        with pytest.raises(ValueError, match="masks allows 0 actions in row 1, expected at least 1"):
            masked_softmax(np.zeros((2, 2)), np.array([[1, 0], [0, 0]], dtype))
    for bad in (0.0, -0.5, np.nan):
        with pytest.raises(ValueError, match=f"mu_a is {bad} for the action taken at turn 1, expected a positive"):
            importance_weights(np.array([0.5, 0.5]), np.array([0.1, bad]))
