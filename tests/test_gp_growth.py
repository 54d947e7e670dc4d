"""The factor that grows with the data, and refusals that leave the posterior as it was."""
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa.cholesky import GramFactor, reserve, reserve_square
from gp_sarsa.exact import ExactBlock, check_semidefinite, factor_covariance
from gp_sarsa.kernels import Points, ProductKernel, linear
from gp_sarsa.posterior import KernelPosterior
from gp_sarsa.sparse import SparseBlock
from tests.test_gp_exact import KERNELS, LAYOUT, N_BELIEF, posterior_after, query_points, random_dialogues


# ---------------------------------------------------------------------------------------------- the growing factor

def test_the_factor_times_its_transpose_is_the_gram_matrix_after_many_appends():
    rng, kernel = np.random.default_rng(0), KERNELS["gaussian"]
    factor, everything = GramFactor(kernel, N_BELIEF), Points(rng.random((90, N_BELIEF)), np.full(90, 8))
    start = 0
    for k in (1, 1, 7, 3, 30, 2, 46):
        points = Points(everything.beliefs[start:start + k], everything.actions[start:start + k])
        B = factor.solve(points)
        factor.append(points, B, np.linalg.cholesky(kernel.gram(points, points) + np.eye(k) - B.T @ B))
        start += k
        assert factor.n == start
    L = np.linalg.cholesky(kernel.gram(everything, everything) + np.eye(90))
    query = Points(rng.random((5, N_BELIEF)), np.full(5, 8))
    assert_allclose(factor.solve(query), np.linalg.solve(L, kernel.gram(everything, query)), atol=1e-12)


def test_room_is_made_only_when_it_is_needed_and_then_a_quarter_more():
    rows, square = np.arange(1.0, 9.0).reshape(4, 2), np.arange(1.0, 17.0).reshape(4, 4)
    assert reserve(rows, 1, 4) is rows and reserve_square(square, 1, 4) is square
    assert_array_equal(reserve(rows, 2, 5), [[1, 2], [3, 4], [0, 0], [0, 0], [0, 0], [0, 0]])
    assert_array_equal(reserve_square(square, 2, 5), [[1, 2, 0, 0, 0, 0], [5, 6, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0],
                                                      [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]])
    assert reserve(np.array([7, 8]), 2, 9).dtype == int and len(reserve(np.array([7, 8]), 2, 9)) == 11


def test_capacity_grows_by_factors_so_that_copies_are_rare():
    posterior, copies, array = KernelPosterior(KERNELS["linear"], N_BELIEF, 0.9, 1.0), 0, None
    for _ in range(300):
        posterior.add_dialogue(np.ones((1, N_BELIEF)), np.array([8]), np.ones(1))
        copies += array is not posterior.blocks[2].factor._L
        array = posterior.blocks[2].factor._L
    assert copies <= 24 and len(array) <= 380


# ---------------------------------------------------------------------------------------------- trouble

def test_a_rank_deficient_gram_matrix_with_hardly_any_noise_still_interpolates():
    rng = np.random.default_rng(1)
    w, beliefs = rng.normal(size=N_BELIEF), rng.random((40, N_BELIEF))      # 40 points of rank 4
    posterior = KernelPosterior(KERNELS["linear"], N_BELIEF, 0.0, 1e-9)
    for chunk in np.split(np.arange(40), 8):
        posterior.add_dialogue(beliefs[chunk], np.full(5, 8), beliefs[chunk] @ w)
    query = rng.random((6, N_BELIEF))
    mean, variance = posterior.predict(query, np.full(6, 8))
    assert_allclose(mean, query @ w, atol=1e-4)
    assert np.all(variance < 1e-8)


def test_the_least_jitter_that_works_is_added():
    singular = np.ones((3, 3))
    L = factor_covariance(singular, 1e-12, scale=1.0)
    added = np.diag(L @ L.T - singular)
    assert_allclose(L @ L.T - np.diag(added), singular, atol=1e-15)
    assert 0 < added.max() <= 1.2e-14
    assert_allclose(factor_covariance(np.eye(2), 0.5, scale=1.0), np.sqrt(1.25) * np.eye(2), rtol=1e-15)
    big = factor_covariance(4e6 * np.ones((3, 3)), 1e-12, scale=4e6)           # jitter follows the scale
    assert 1e-9 < np.diag(big @ big.T - 4e6).max() < 1e-6


@pytest.mark.parametrize("scale", [1.0, 1e4])
@pytest.mark.parametrize("lowest, jitter", [(-5e-15, 1e-14), (-5e-13, 1e-12), (-5e-11, 1e-10)])
def test_jitter_climbs_a_ladder_relative_to_the_scale(scale, lowest, jitter):
    L = factor_covariance(scale * np.diag([1.0, lowest]), 1e-20, scale)
    assert_allclose(L[1, 1] ** 2, scale * (jitter + lowest), rtol=1e-6)


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_rounding_errors_are_forgiven_and_true_negative_eigenvalues_are_not(scale):
    check_semidefinite(scale * np.diag([1.0, -0.8e-8]), scale)
    for bad in (np.diag([1.0, -1.2e-8]), np.array([[0.0, 1e-3], [1e-3, 0.0]])):
        with pytest.raises(ValueError, match="has the eigenvalue -"):
            check_semidefinite(scale * bad, scale)
    with pytest.raises(ValueError, match="has the eigenvalue nan"):
        check_semidefinite(np.array([[1.0, np.nan], [np.nan, 1.0]]), scale)


def test_jitter_that_does_not_help_ends_in_an_error_that_says_what_to_change():
    covariance = np.diag([1.0, -5e-9])
    with pytest.raises(ValueError, match="raise noise_std, now 1e-09, to 0.0001"):
        factor_covariance(covariance, 1e-9, scale=1.0)
    assert np.isfinite(factor_covariance(covariance, 1e-4, scale=1.0)).all()


class Indefinite:
    """Not a covariance: the second belief entry counts negatively; two groups, even and odd actions."""

    def gram(self, x, y):
        return (x.beliefs * [1.0, -1.0]) @ y.beliefs.T * (x.actions[:, None] % 2 == y.actions % 2)

    def diagonal(self, x):
        return np.sum(x.beliefs ** 2 * [1.0, -1.0], axis=1)

    def groups(self, x):
        return x.actions % 2


@pytest.mark.parametrize("threshold", [None, 1e-3])
def test_a_kernel_that_is_not_positive_semi_definite_is_refused_and_nothing_is_learned(threshold):
    posterior = KernelPosterior(Indefinite(), 2, 0.9, 5.0, threshold)
    good = np.array([[1.0, 0.5]])
    posterior.add_dialogue(good, np.array([0]), np.array([1.0]))
    before = posterior.predict(np.tile(good, (2, 1)), np.array([0, 1]))
    for bad, actions in (([[0.0, 1.0]], [1]), ([[1.0, 0.5], [0.2, 0.5]], [0, 1]), ([[1.0, 0.9], [0.9, 1.0]], [1, 1])):
        with pytest.raises(ValueError, match="not positive semi-definite.*eigenvalue -"):
            posterior.add_dialogue(np.array(bad), np.array(actions), np.ones(len(actions)))
        assert_array_equal(posterior.predict(np.tile(good, (2, 1)), np.array([0, 1])), before)
        assert list(posterior.blocks) == [0]


def test_a_kernel_that_fails_only_across_dialogues_is_refused():
    """Each dialogue alone looks valid; together their correlation would exceed 1."""
    class TooClose(ProductKernel):
        def gram(self, x, y):
            return 1.0 + np.not_equal(x.beliefs[:, :1], y.beliefs[:, 0])

    posterior = KernelPosterior(TooClose(linear, LAYOUT), N_BELIEF, 0.9, 0.5)
    posterior.add_dialogue(np.zeros((1, N_BELIEF)), np.array([8]), np.ones(1))
    with pytest.raises(ValueError, match="not positive semi-definite"):
        posterior.add_dialogue(np.ones((1, N_BELIEF)), np.array([8]), np.ones(1))


@pytest.mark.parametrize("threshold", [None, 1e-3])
@pytest.mark.parametrize("beliefs, actions, rewards", [
    ([[np.nan] * N_BELIEF], [8], [1.0]), ([[1.0] * N_BELIEF], [8], [np.inf]), ([[1.0] * N_BELIEF], [10], [1.0]),
    ([[1.0] * N_BELIEF], [8, 9], [1.0, 2.0]), ([[1.0] * 3], [8], [1.0]), ([[1e200] * N_BELIEF], [8], [1.0])])
def test_bad_dialogues_are_refused_and_nothing_is_learned(threshold, beliefs, actions, rewards):
    rng = np.random.default_rng(5)
    query = query_points(rng)
    posterior = posterior_after(random_dialogues(rng, 3), KERNELS["linear"], novelty_threshold=threshold)
    before = posterior.predict(*query)
    with pytest.raises(ValueError), np.errstate(over="ignore", invalid="ignore"):
        posterior.add_dialogue(np.array(beliefs), np.array(actions), np.array(rewards))
    assert_array_equal(posterior.predict(*query), before)


def test_a_query_that_makes_no_sense_is_refused():
    posterior = KernelPosterior(KERNELS["linear"], N_BELIEF, 0.9, 1.0)
    for beliefs, actions in ((np.full((1, 4), np.nan), [0]), (np.ones((2, 4)), [0]), (np.ones((1, 3)), [0])):
        with pytest.raises(ValueError):
            posterior.predict(beliefs, np.array(actions))


@pytest.mark.parametrize("block", [ExactBlock(KERNELS["linear"], 1.0, N_BELIEF),
                                   SparseBlock(KERNELS["linear"], 1.0, N_BELIEF, 1e-3)])
def test_a_block_leaves_points_and_returns_alone(block):
    points, returns = Points(np.eye(N_BELIEF)[:2], np.array([8, 8])), np.array([1.0, 2.0])
    for _ in range(2):
        block.accept(*block.prepare(points, returns))
    assert_array_equal(points.beliefs, np.eye(N_BELIEF)[:2])
    assert_array_equal(points.actions, [8, 8])
    assert_array_equal(returns, [1, 2])
    assert_allclose(block.predict(points)[0], [2 / 3, 4 / 3], rtol=1e-12)       # n k / (n k + σ²) = 2/3 of each


def test_dialogues_are_left_as_they_were_and_may_be_changed_afterwards():
    rng = np.random.default_rng(6)
    dialogues, query = random_dialogues(rng, 3), query_points(rng)
    copies = [tuple(part.copy() for part in dialogue) for dialogue in dialogues]
    posterior = posterior_after(dialogues, KERNELS["linear"])
    before = posterior.predict(*query)
    for dialogue, copy in zip(dialogues, copies):
        for part, same in zip(dialogue, copy):
            assert_array_equal(part, same)
            part[:] = 0
    assert_array_equal(posterior.predict(*query), before)
