"""Factors that gain rows, how little noise is too little, kernels that are none. Refused data: test_refusals."""
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa import ActionLayout, KernelPosterior, ProductKernel, WeightSpacePosterior, linear
from gp_sarsa.cholesky import bordered, draw, given as conditioned, solve
from gp_sarsa.points import Points, check_covariance, check_noise
from tests.gp_sarsa.cases import FORMS, KERNELS, LAYOUT, N_BELIEF, every_form, says, seeds


# ---------------------------------------------------------------------------------------------- factors

def test_the_factor_times_its_transpose_is_the_gram_matrix_after_many_rows():
    rng, kernel, L, start = np.random.default_rng(0), KERNELS["gaussian"], np.zeros((0, 0)), 0
    everything = Points(rng.random((90, N_BELIEF)), np.full(90, 8))
    for k in (1, 1, 7, 3, 30, 2, 46):
        known, new = (Points(everything.beliefs[part], everything.actions[part])
                      for part in (slice(start), slice(start, start + k)))
        B, covariance, largest = conditioned(kernel, known, L, new, 1.0)
        L, start = bordered(L, B, np.linalg.cholesky(covariance + np.eye(k))), start + k
        assert largest == 1 and B.shape == (start - k, k)
    assert_allclose(L, np.linalg.cholesky(kernel.gram(everything, everything) + np.eye(90)), atol=1e-12)
    query = Points(rng.random((5, N_BELIEF)), np.full(5, 8))
    assert_allclose(solve(kernel, everything, L, query), np.linalg.solve(L, kernel.gram(everything, query)), atol=1e-12)


def test_a_border_by_hand():
    assert_array_equal(bordered(np.array([[2.0]]), np.array([[3.0, 4.0]]), np.array([[5.0, 0.0], [6.0, 7.0]])),
                       [[2, 0, 0], [3, 5, 0], [4, 6, 7]])


def test_nothing_known_explains_nothing():
    query = Points(np.ones((3, N_BELIEF)), np.full(3, 8))
    nothing = Points(np.zeros((0, N_BELIEF)), np.zeros(0, int))
    assert solve(KERNELS["linear"], nothing, np.zeros((0, 0)), query).shape == (0, 3)


@given(seeds, st.floats(0, 3))
def test_a_draw_moves_from_the_mean_by_a_root_of_the_covariance_even_if_that_is_singular(seed, scale):
    rng = np.random.default_rng(seed)
    root, mean = rng.normal(size=(2, 4, 3)), rng.normal(size=(2, 4))

    class Columns:                                     # both draws see the i-th unit vector at once
        def standard_normal(self, size):
            return np.tile(np.eye(4)[self.i], (2, 1)).reshape(size)
    columns, rng = [], Columns()
    for rng.i in range(4):
        columns.append(draw(mean, root @ root.transpose(0, 2, 1), scale, rng) - mean)
    columns = np.stack(columns, axis=-1)
    assert_allclose(columns @ columns.transpose(0, 2, 1), scale ** 2 * root @ root.transpose(0, 2, 1), atol=1e-10)


# ---------------------------------------------------------------------------------------------- how little noise

@every_form
@pytest.mark.parametrize("noise_std", [1e-9, 1e-7, 0.99e-4])
def test_noise_that_rounding_would_swallow_is_refused_and_says_how_much_is_needed(form, noise_std):
    """24 equal points with k = 1 at σ = 1e-7 used to give a mean of -0.079 instead of -0.114, silently."""
    posterior = FORMS[form](noise_std)
    with says(f"noise_std is {noise_std:g}, expected at least 0.0001, 1e-4 of Q's prior deviation"):
        posterior.update(np.tile([0.6, 0.8, 0, 0], (24, 1)), np.full(24, 8), np.ones(24))
    assert_array_equal(posterior.mean(np.ones(N_BELIEF)), 0)


@every_form
@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e3])
@settings(max_examples=20)
@given(seed=seeds)
def test_the_least_noise_still_gives_the_right_answer(form, scale, seed):
    # n equal points: mean n k / (n k + σ²) R̄, variance k σ² / (n k + σ²), here with σ² = 1.1e-8 k.
    returns, belief = np.random.default_rng(seed).normal(size=24), scale * np.array([0.6, 0.8, 0, 0])
    posterior, k = FORMS[form](np.sqrt(1.1e-8) * scale), scale ** 2
    for part in np.split(np.arange(24), 6):
        posterior.update(np.tile(belief, (4, 1)), np.full(4, 8), returns[part])
    assert_allclose(posterior.mean(belief)[8], returns.mean() / (1 + 1.1e-8 / 24), atol=1e-6)
    assert_allclose(posterior.variance(belief)[8], k * 1.1e-8 / (24 + 1.1e-8), rtol=1e-4)


@every_form
def test_beliefs_so_large_that_the_usual_noise_is_lost_are_refused(form):
    posterior = FORMS[form](5.0)
    for size in (1e8, 1e160):
        with says("noise_std is 5, expected at least"), np.errstate(over="ignore", invalid="ignore"):
            posterior.update(np.full((2, N_BELIEF), size), np.array([8, 9]), np.ones(2))
    assert_allclose(posterior.variance(np.ones(N_BELIEF)), 4.0)


@every_form
def test_a_rank_deficient_gram_matrix_with_hardly_any_noise_interpolates(form):
    rng = np.random.default_rng(1)
    w, beliefs = rng.normal(size=N_BELIEF), rng.random((40, N_BELIEF))      # 40 points of rank 4
    posterior = FORMS[form](3e-4)
    for chunk in np.split(np.arange(40), 8):
        posterior.update(beliefs[chunk], np.full(5, 8), beliefs[chunk] @ w)
    query = rng.random(N_BELIEF)
    assert_allclose(posterior.mean(query)[8], query @ w, atol=1e-3)
    assert 0 <= posterior.variance(query)[8] < 1e-2


@given(seeds)
def test_a_novelty_that_may_be_a_rounding_error_is_none(seed):
    """With a threshold of next to nothing the dictionary stops about at the rank, and the kernel is not blamed."""
    rng, kernel = np.random.default_rng(seed), ProductKernel(linear, ActionLayout(0, 0, 1))
    sparse, weights = KernelPosterior(kernel, 4, 0.1, 1e-300), WeightSpacePosterior(4, kernel.layout, 0.1)
    for _ in range(12):
        beliefs, returns = 10 * rng.random((5, 4)), rng.normal(size=5)
        for posterior in (sparse, weights):
            posterior.update(beliefs, np.zeros(5, int), returns)
    assert 4 <= len(sparse.blocks[0].actions) <= 6
    query = rng.random(4)
    assert_allclose(sparse.mean(query), weights.mean(query), atol=1e-6)
    assert_allclose(sparse.variance(query), weights.variance(query), atol=1e-8)


@pytest.mark.parametrize("noise_std", [0.0, -1.0, np.inf, np.nan])
def test_noise_outside_its_range_is_refused(noise_std):
    for form in FORMS.values():
        with says(f"noise_std is {noise_std}, expected a positive finite number"):
            form(noise_std)


def test_noise_is_measured_against_the_prior_deviation():
    check_noise(1.0, 1e8)
    check_noise(1e-300)
    for variance in (1.01e8, np.inf, np.nan):
        with says("noise_std is 1, expected at least"):
            check_noise(1.0, variance)


# ---------------------------------------------------------------------------------------------- kernels that are none

@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_rounding_errors_are_forgiven_and_true_negative_eigenvalues_are_not(scale):
    check_covariance(scale * np.diag([1.0, -0.8e-7]), scale)
    for bad in (np.diag([1.0, -1.2e-7]), np.array([[0.0, 1e-3], [1e-3, 0.0]])):
        with pytest.raises(ValueError, match="an eigenvalue of the kernel is -.*, expected a positive semi-definite"):
            check_covariance(scale * bad, scale)
    with says("an eigenvalue of the kernel is nan"):
        check_covariance(np.array([[1.0, np.nan], [np.nan, 1.0]]), scale)


@dataclass(frozen=True)
class Indefinite:
    """Not a covariance: the second belief entry counts negatively; two groups, even and odd actions."""
    layout: ActionLayout = ActionLayout(0, 0, 2)

    def gram(self, x, y):
        return (x.beliefs * [1.0, -1.0]) @ y.beliefs.T * (x.actions[:, None] % 2 == y.actions % 2)

    def groups(self, x):
        return x.actions % 2


@pytest.mark.parametrize("threshold", [None, 1e-3])
def test_a_kernel_that_is_not_positive_semi_definite_is_refused_and_nothing_is_learned(threshold):
    posterior = KernelPosterior(Indefinite(), 2, 5.0, threshold)
    good = np.array([[1.0, 0.5]])
    posterior.update(good, np.array([0]), np.array([1.0]))
    before = posterior.predict(np.tile(good, (2, 1)), np.array([0, 1]))
    for bad, actions in (([[1.0, 0.5], [0.2, 0.5]], [0, 1]), ([[1.0, 0.9], [0.9, 1.0]], [1, 1])):
        with pytest.raises(ValueError, match="expected a positive semi-definite kernel"):
            posterior.update(np.array(bad), np.array(actions), np.ones(len(actions)))
        assert_array_equal(posterior.predict(np.tile(good, (2, 1)), np.array([0, 1])), before)
        assert list(posterior.blocks) == [0]


def test_a_kernel_that_fails_only_across_dialogues_is_refused():
    """Each dialogue alone looks valid; together their correlation would exceed 1."""
    class TooClose(ProductKernel):
        def gram(self, x, y):
            return 1.0 + np.not_equal(x.beliefs[:, :1], y.beliefs[:, 0])

    posterior = KernelPosterior(TooClose(linear, LAYOUT), N_BELIEF, 0.5)
    posterior.update(np.zeros((1, N_BELIEF)), np.array([8]), np.ones(1))
    with pytest.raises(ValueError, match="positive semi-definite"):
        posterior.update(np.ones((1, N_BELIEF)), np.array([8]), np.ones(1))
