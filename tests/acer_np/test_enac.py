"""eNAC: sums over dialogues, the regression, and the length of the step."""
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.enac import compatible_regression, dialogue_sums, discounts, natural_step
from tests.strategies import frozen, seeds


# ---- sums over dialogues

def test_discounts_and_sums_by_hand():
    lengths = np.array([3, 1, 2])
    assert_array_equal(discounts(lengths, 0.5), [1, 0.5, 0.25, 1, 1, 0.5])
    assert_array_equal(discounts(lengths, 0.0), [1, 0, 0, 1, 1, 0])
    assert_array_equal(discounts(lengths, 1.0), np.ones(6))
    turns = frozen(np.array([1.0, 2, 4, 8, 16, 32]))
    assert_array_equal(dialogue_sums(turns, lengths), [7, 8, 48])
    assert_array_equal(dialogue_sums(np.stack([turns, -turns]), lengths, axis=1), [[7, 8, 48], [-7, -8, -48]])


# ---- the regression

def test_two_dialogues_by_hand():
    # G = 1: without a ridge α + J = (3, 1) and Σ α = 0, so J = 2 and α = (1, -1). The trace is 2, so a ridge of 1
    # doubles the diagonal: 2 α + J = (3, 1), α = (1/2, -1/2).
    for ridge, alpha in ((0.0, 1.0), (1.0, 0.5)):
        found, baseline = compatible_regression(np.eye(2), np.array([3.0, 1.0]), ridge)
        assert_allclose(found, [alpha, -alpha], rtol=1e-14)
        assert_allclose(baseline, 2.0, rtol=1e-14)


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
