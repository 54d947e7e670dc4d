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
from tests.gp_sarsa.cases import FORMS, KERNELS, LAYOUT, N_BELIEF, after, random_dialogues, seeds


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
    dialogues, query = random_dialogues(rng, 5), (rng.random((9, N_BELIEF)), rng.integers(LAYOUT.n_actions, size=9))
    points, lengths, rewards = stacked(dialogues)
    expected = posterior_by_definition(kernel, points, lengths, rewards, Points(*query), gamma, noise_std)
    posterior = after(KernelPosterior(kernel, N_BELIEF, noise_std), dialogues, gamma)
    assert_allclose(posterior.predict(*query), expected, atol=1e-9)
    found = [(posterior.mean(belief)[action], posterior.variance(belief)[action]) for belief, action in zip(*query)]
    assert_allclose(np.transpose(found), expected, atol=1e-9)


def test_negative_variances_are_set_to_zero():
    class TooSure(ProductKernel):
        def gram(self, x, y):
            return super().gram(x, y) - np.diag([1.01, 0.0, 1.01])

    posterior = KernelPosterior(TooSure(linear, LAYOUT), N_BELIEF, 1.0)
    assert_array_equal(posterior.predict(np.full((3, N_BELIEF), 0.5), np.array([8, 8, 8]))[1], [0, 1, 0])
