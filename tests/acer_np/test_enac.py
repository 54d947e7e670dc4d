"""eNAC: sums over dialogues, the regression against its primal form, and the length of the step."""
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.enac import compatible_regression, dialogue_sums, discounts, natural_step
from tests.strategies import frozen, seeds

lengths_lists = st.lists(st.integers(1, 5), min_size=1, max_size=5)


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
