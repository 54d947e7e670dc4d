"""Factors that gain rows, how little noise is too little, and refusals that leave every form as it was."""
import re
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa import ActionLayout, KernelPosterior, ProductKernel, WeightSpacePosterior, linear
from gp_sarsa.cholesky import bordered, draw, given as conditioned, solve
from gp_sarsa.points import Points, check_arrays, check_belief, check_covariance, check_mask, check_noise, check_points
from tests.gp_sarsa.cases import KERNELS, LAYOUT, N_BELIEF, query_points, random_dialogues, seeds

FORMS = {"exact": lambda noise_std: KernelPosterior(KERNELS["linear"], N_BELIEF, noise_std),
         "sparse": lambda noise_std: KernelPosterior(KERNELS["linear"], N_BELIEF, noise_std, 1e-8),
         "weight space": lambda noise_std: WeightSpacePosterior(N_BELIEF, LAYOUT, noise_std)}
every_form = pytest.mark.parametrize("form", FORMS)


def moments(posterior, rng=None):
    beliefs = (rng or np.random.default_rng(8)).random((3, N_BELIEF))
    return np.array([(posterior.mean(belief), posterior.variance(belief)) for belief in beliefs])


def says(text):
    return pytest.raises(ValueError, match=re.escape(text))


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


# ---------------------------------------------------------------------------------------------- all or nothing

@every_form
@pytest.mark.parametrize("beliefs, actions, returns, told", [
    ([[np.nan] * 4], [8], [1.0], "beliefs is nan somewhere, expected finite numbers"),
    ([[1.0] * 4], [8], [-np.inf], "returns is -inf somewhere, expected finite numbers"),
    ([[1.0] * 4, [1.0] * 4], [0, 10], [1.0, 1.0], "actions is [ 0 10], expected whole numbers from 0 to 9"),
    ([[1.0] * 4], [8, 9], [1.0, 2.0], "(beliefs, actions, returns) is ((1, 4), (2,), (2,)), expected (2, 4)"),
    ([[1.0] * 3], [8], [1.0], "is ((1, 3), (1,), (1,)), expected (1, 4)")])
def test_bad_dialogues_are_refused_and_nothing_is_learned(form, beliefs, actions, returns, told):
    posterior = FORMS[form](1.5)
    for dialogue in random_dialogues(np.random.default_rng(5), 3):
        posterior.update(*dialogue)
    before = moments(posterior)
    with says(told):
        posterior.update(np.array(beliefs), np.array(actions), np.array(returns))
    assert_array_equal(moments(posterior), before)


@every_form
def test_an_update_that_fails_half_way_has_changed_nothing(form, monkeypatch):
    """The Cholesky factorisation of the second group fails, when the first has been worked out."""
    posterior, cholesky, calls = FORMS[form](1.5), np.linalg.cholesky, []
    for dialogue in random_dialogues(np.random.default_rng(5), 3):
        posterior.update(*dialogue)
    before = moments(posterior)

    def fails_later(matrix):
        calls.append(matrix)
        if len(calls) == 2:
            raise np.linalg.LinAlgError("not today")
        return cholesky(matrix)

    monkeypatch.setattr(np.linalg, "cholesky", fails_later)
    with pytest.raises(np.linalg.LinAlgError):
        posterior.update(np.ones((3, N_BELIEF)), np.array([0, 8, 9]), np.ones(3))
    assert len(calls) == 2
    assert_array_equal(moments(posterior), before)


@every_form
@pytest.mark.parametrize("belief", [np.ones(3), np.ones(5), np.array([1, 1, 1, np.nan]), np.ones((1, 4))])
def test_a_belief_of_another_size_or_that_is_not_finite_is_refused_wherever_it_is_asked_about(form, belief):
    posterior = FORMS[form](1.5)
    for ask in (posterior.mean, posterior.variance, lambda b: posterior.sample(b, 1.0, np.random.default_rng(0))):
        with says(f"belief is {belief.shape} {belief}, expected (4,) finite numbers"):
            ask(belief)


def test_a_query_that_makes_no_sense_is_refused():
    posterior = KernelPosterior(KERNELS["linear"], N_BELIEF, 1.0)
    for beliefs, actions in ((np.full((1, 4), np.nan), [0]), (np.ones((2, 4)), [0]), (np.ones((1, 3)), [0])):
        with pytest.raises(ValueError, match="expected"):
            posterior.predict(beliefs, np.array(actions))


@every_form
def test_dialogues_are_left_as_they_were_and_may_be_changed_afterwards(form):
    dialogues, posterior = random_dialogues(np.random.default_rng(6), 3), FORMS[form](1.5)
    copies = [tuple(part.copy() for part in dialogue) for dialogue in dialogues]
    for dialogue in dialogues:
        posterior.update(*dialogue)
    before = moments(posterior)
    for dialogue, copy in zip(dialogues, copies):
        for part, same in zip(dialogue, copy):
            assert_array_equal(part, same)
            part[:] = 0
    assert_array_equal(moments(posterior), before)


@every_form
def test_learning_from_no_points_changes_nothing(form):
    posterior = FORMS[form](1.5)
    posterior.update(np.zeros((0, N_BELIEF)), np.zeros(0, int), np.zeros(0))
    assert_array_equal(moments(posterior), moments(FORMS[form](1.5)))


# ---------------------------------------------------------------------------------------------- the checks themselves

def test_beliefs_may_be_lists_or_whole_numbers():
    assert check_belief([1, 0], 2).dtype == float
    check_points([[1, 0]], [0], [3], 2)


@pytest.mark.parametrize("mask", [[True, False, True], np.array([1, 0, 1], np.int8), np.array([1, 0, 1], np.uint64)])
def test_masks_of_bool_and_of_zeros_and_ones_are_the_same(mask):
    checked = check_mask(mask, 3)
    assert checked.dtype == bool and checked.tolist() == [True, False, True]


@pytest.mark.parametrize("mask", [np.ones(3), np.ones(2, bool), np.zeros(3, bool), np.zeros(3, int), [0, 1, 2],
                                  [0, 1, -1], np.ones((1, 3), bool), np.array(["a", "b", "c"]), None])
def test_other_masks_are_refused_by_name(mask):
    with pytest.raises(ValueError, match="mask is .*, expected 3 bool, or whole numbers 0 and 1, not all 0"):
        check_mask(mask, 3)


def test_arrays_of_a_state_are_compared_by_name_type_and_shape():
    like = {"m": np.zeros(2), "n": np.zeros(1, int)}
    good = {"m": np.ones(2), "n": np.ones(1, int)}
    check_arrays(good | {"more": np.zeros(9)}, like)
    for name, bad, told in (("m", np.ones(3), "m is float64 (3,), expected finite float64 (2,)"),
                            ("m", np.ones(2, np.float32), "m is float32 (2,)"), ("n", np.ones(1), "n is float64 (1,)"),
                            ("m", np.array([1, np.nan]), "m is float64 (2,), expected finite"),
                            ("n", None, "n is object (), expected finite int64 (1,)")):
        with says(told):
            check_arrays(good | {name: bad}, like)


def test_a_query_of_the_kernel_form_by_pairs():
    rng = np.random.default_rng(0)
    posterior, query = FORMS["exact"](1.5), query_points(rng)
    for dialogue in random_dialogues(rng, 3):
        posterior.update(*dialogue)
    mean, variance = posterior.predict(*query)
    for i, (belief, action) in enumerate(zip(*query)):
        assert_allclose(posterior.mean(belief)[action], mean[i], rtol=1e-12, atol=1e-14)
        assert_allclose(posterior.variance(belief)[action], variance[i], rtol=1e-12)
