"""Factors that gain rows, how little noise is too little, kernels that are none. Refused data: test_refusals."""
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa import ActionLayout, KernelPosterior, ProductKernel, WeightSpacePosterior, linear
from gp_sarsa.cholesky import bordered, draw, given as conditioned, solve
from gp_sarsa.points import Points, check_noise
from tests.gp_sarsa.cases import FORMS, KERNELS, N_BELIEF, every_form, every_linear_form, says, seeds


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


def test_a_negative_eigenvalue_of_a_covariance_moves_nothing():
    assert_array_equal(draw(np.zeros(2), np.diag([-1.0, 0.0]), 1.0, np.random.default_rng(0)), 0)


@every_form
@pytest.mark.parametrize("scale", [np.nan, np.inf, -1.0])
def test_a_scale_that_is_no_factor_is_refused(form, scale):
    with says(f"scale is {scale}, expected a finite number of at least 0"):
        FORMS[form](1.0).sample(np.ones(N_BELIEF), scale, np.random.default_rng(0))


# ---------------------------------------------------------------------------------------------- how little noise

@every_form
@pytest.mark.parametrize("noise_std", [1e-9, 0.99e-4])
def test_noise_that_rounding_would_swallow_is_refused_and_says_how_much_is_needed(form, noise_std):
    """24 equal points with k = 1 at σ = 1e-7 would give a mean of -0.079 instead of -0.114, silently."""
    posterior = FORMS[form](noise_std)
    with says(f"noise_std is {noise_std:g}, expected at least 0.0001, 1e-4 of Q's prior deviation"):
        posterior.update(np.tile([0.6, 0.8, 0, 0], (24, 1)), np.full(24, 8), np.ones(24))
    assert_array_equal(posterior.mean(np.ones(N_BELIEF)), 0)


@every_linear_form
@pytest.mark.parametrize("scale", [1e-3, 1e3])
@settings(max_examples=10)
@given(seed=seeds)
def test_the_least_noise_still_gives_the_right_answer(form, scale, seed):
    # n equal points: mean n k / (n k + σ²) R̄, variance k σ² / (n k + σ²), here with σ² = 1.1e-8 k.
    returns, belief = np.random.default_rng(seed).normal(size=24), scale * np.array([0.6, 0.8, 0, 0])
    posterior, k = FORMS[form](np.sqrt(1.1e-8) * scale), scale ** 2
    for part in np.split(np.arange(24), 6):
        posterior.update(np.tile(belief, (4, 1)), np.full(4, 8), returns[part])
    assert_allclose(posterior.mean(belief)[8], returns.mean() / (1 + 1.1e-8 / 24), atol=1e-6)
    assert_allclose(posterior.variance(belief)[8], k * 1.1e-8 / (24 + 1.1e-8), rtol=1e-4)


@every_linear_form
def test_beliefs_so_large_that_the_usual_noise_is_lost_are_refused(form):
    posterior = FORMS[form](5.0)
    for size in (1e8, 1e160):
        with says("noise_std is 5, expected at least"), np.errstate(over="ignore", invalid="ignore"):
            posterior.update(np.full((2, N_BELIEF), size), np.array([8, 9]), np.ones(2))
    assert_allclose(posterior.variance(np.ones(N_BELIEF)), 4.0)


@settings(max_examples=20)
@given(seeds)
def test_a_novelty_that_may_be_a_rounding_error_is_none(seed):
    """With a threshold of next to nothing the dictionary stops about at the rank."""
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


@pytest.mark.parametrize("noise_std", [0.0, -1.0, np.inf, np.nan, 1e200])
def test_noise_outside_its_range_is_refused(noise_std):
    for form in FORMS.values():
        with says(f"noise_std is {noise_std}, expected a positive number below 1e150"):
            form(noise_std)


def test_noise_is_measured_against_the_prior_deviation():
    check_noise(1.0, 1e8)
    for variance in (1.01e8, np.inf, np.nan):
        with says("noise_std is 1, expected at least"):
            check_noise(1.0, variance)


# ---------------------------------------------------------------------------------------------- kernels that are none

@dataclass(frozen=True)
class Indefinite:
    """Not a covariance: the second belief entry counts negatively; two groups, even and odd actions."""
    layout: ActionLayout = ActionLayout(0, 0, 2)

    def gram(self, x, y):
        return (x.beliefs * [1.0, -1.0]) @ y.beliefs.T * (x.actions[:, None] % 2 == y.actions % 2)

    def groups(self, x):
        return x.actions % 2


def test_an_indefinite_kernel_is_blamed_where_a_factor_fails_and_nothing_is_learned():
    posterior, good = KernelPosterior(Indefinite(), 2, 0.1), np.array([[1.0, 0.5]])
    posterior.update(good, np.array([0]), np.array([1.0]))
    before = posterior.predict(np.tile(good, (2, 1)), np.array([0, 1]))
    for actions in ([0, 1], [1, 1]):
        with says("kernel gives no covariance, expected one that is positive semi-definite"):
            posterior.update(np.array([[1.0, 0.5], [0.2, 0.5]]), np.array(actions), np.ones(2))
        assert_array_equal(posterior.predict(np.tile(good, (2, 1)), np.array([0, 1])), before)
