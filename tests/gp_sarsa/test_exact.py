"""GP-SARSA by definition = regression on returns = the incremental form, where the laws do not reach."""
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa.exact import posterior_by_definition, temporal_difference_matrix
from gp_sarsa.kernels import ProductKernel, linear
from gp_sarsa.points import Points, returns_to_go
from gp_sarsa.posterior import KernelPosterior
from tests.gp_sarsa.cases import FORMS, KERNELS, LAYOUT, N_BELIEF, BasisVectors, after, query_points, random_dialogues
from tests.gp_sarsa.cases import every_linear_form, seeds


def stacked(dialogues):
    beliefs, actions, rewards = (np.concatenate(parts) for parts in zip(*dialogues))
    return Points(beliefs, actions), [len(d[1]) for d in dialogues], rewards


def test_returns_of_three_turns_by_hand():
    # γ = 0.5: 20; -1 + 0.5 · 20 = 9; -1 + 0.5 · 9 = 3.5. γ = 1: 20, 19, 18. γ = 0: the rewards.
    rewards = np.array([-1.0, -1.0, 20.0])
    for gamma, returns in ((0.5, [3.5, 9.0, 20.0]), (1.0, [18, 19, 20]), (0.0, rewards)):
        assert_array_equal(returns_to_go(rewards, gamma), returns)
    assert_array_equal(rewards, [-1, -1, 20])
    assert_array_equal(returns_to_go([5], 0.3), [5.0])


def test_the_matrix_of_two_dialogues_by_hand():
    assert_array_equal(temporal_difference_matrix([2, 3], 0.5), [[1, -0.5, 0, 0, 0],
                                                                 [0, 1, 0, 0, 0],
                                                                 [0, 0, 1, -0.5, 0],
                                                                 [0, 0, 0, 1, -0.5],
                                                                 [0, 0, 0, 0, 1]])


def test_two_turns_with_one_action_by_hand():
    # K + σ²I = [[2, 1], [1, 3]] of determinant 5; returns 9 and 20; weights (27 - 20)/5 and (40 - 9)/5;
    # means 1.4 + 6.2 and 1.4 + 2 · 6.2; variances 1 - (3 - 2 + 2)/5 and 2 - (3 - 4 + 8)/5.
    beliefs, actions = np.array([[1.0, 0, 0, 0], [1.0, 1.0, 0, 0]]), np.array([8, 8])
    points, rewards = Points(beliefs, actions), np.array([-1.0, 20.0])
    for mean, variance in (posterior_by_definition(KERNELS["linear"], points, [2], rewards, points, 0.5, 1.0),
                           after(FORMS["exact"](1.0), [(*points, rewards)], 0.5).predict(*points)):
        assert_allclose(mean, [7.6, 13.8], atol=1e-13)
        assert_allclose(variance, [0.4, 0.6], atol=1e-14)


@pytest.mark.parametrize("name", ["quadratic", "gaussian"])
@settings(max_examples=30)
@given(seed=seeds, gamma=st.floats(0.0, 1.0), noise_std=st.floats(0.3, 6.0))
def test_gp_sarsa_is_regression_on_returns_with_kernels_of_your_own(name, seed, gamma, noise_std):
    rng, kernel = np.random.default_rng(seed), KERNELS[name]
    dialogues, query = random_dialogues(rng, 5), query_points(rng)
    points, lengths, rewards = stacked(dialogues)
    expected = posterior_by_definition(kernel, points, lengths, rewards, Points(*query), gamma, noise_std)
    posterior = after(KernelPosterior(kernel, N_BELIEF, noise_std), dialogues, gamma)
    assert_allclose(posterior.predict(*query), expected, atol=1e-9)
    for i, (belief, action) in enumerate(zip(*query)):
        assert_allclose((posterior.mean(belief)[action], posterior.variance(belief)[action]),
                        (expected[0][i], expected[1][i]), atol=1e-9)


@every_linear_form
def test_the_same_turn_four_hundred_times(form):
    # n equal points with k = 1, σ = 2: mean n / (n + 4) R̄, variance 4 / (n + 4).
    belief, posterior = np.array([0.6, 0.8, 0, 0]), FORMS[form](2.0)
    for n in range(1, 401):
        posterior.update(belief[None], np.array([9]), np.array([3.0 + (-1) ** n]))
    assert_allclose(posterior.mean(belief)[9], 3 * 400 / 404, atol=1e-10)
    assert_allclose(posterior.variance(belief)[9], 4 / 404, rtol=1e-10)


def test_negative_variances_are_set_to_zero():
    class TooSure(ProductKernel):
        def gram(self, x, y):
            return super().gram(x, y) - np.diag([1.01, 0.0, 1.01])

    posterior = KernelPosterior(TooSure(linear, LAYOUT), N_BELIEF, 1.0)
    assert_array_equal(posterior.predict(np.full((3, N_BELIEF), 0.5), np.array([8, 8, 8]))[1], [0, 1, 0])


@pytest.mark.parametrize("threshold", [None, 1e-9])
@settings(max_examples=20)
@given(seed=seeds, scale=st.floats(0.1, 4.0))
def test_a_joint_draw_has_the_covariance_of_regression_on_all_points(threshold, seed, scale):
    """A draw is linear in its normal numbers: at the basis vectors it gives the columns of a root of the covariance."""
    rng, kernel = np.random.default_rng(seed), KERNELS["gaussian"]
    dialogues, belief, n = random_dialogues(rng, 4), rng.random(N_BELIEF), LAYOUT.n_actions
    points, query = stacked(dialogues)[0], Points(np.tile(belief, (n, 1)), np.arange(n))
    cross, K = kernel.gram(points, query), kernel.gram(points, points)
    expected = kernel.gram(query, query) - cross.T @ np.linalg.inv(K + 1.5 ** 2 * np.eye(len(K))) @ cross
    posterior = after(KernelPosterior(kernel, N_BELIEF, 1.5, threshold), dialogues)
    columns = np.array([posterior.sample(belief, scale, BasisVectors(i)) - posterior.mean(belief) for i in range(n)]).T
    assert_allclose(columns @ columns.T, scale ** 2 * expected, atol=1e-6)
