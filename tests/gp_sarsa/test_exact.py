"""GP-SARSA by definition = regression on returns = the incremental form."""
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa.exact import posterior_by_definition, temporal_difference_matrix
from gp_sarsa.kernels import ProductKernel, linear
from gp_sarsa.points import Points, returns_to_go
from gp_sarsa.posterior import KernelPosterior
from tests.gp_sarsa.cases import KERNELS, LAYOUT, N_BELIEF, BasisVectors, query_points, random_dialogues, seeds
from tests.gp_sarsa.cases import kernel_posterior_after as posterior_after

gammas = st.floats(0.0, 1.0)
noises = st.floats(0.3, 6.0)


def stacked(dialogues):
    beliefs, actions, rewards = (np.concatenate(parts) for parts in zip(*dialogues))
    return Points(beliefs, actions), [len(d[1]) for d in dialogues], rewards


# ---------------------------------------------------------------------------------------------- returns

def test_returns_of_three_turns_by_hand():
    # 20; -1 + 0.5 · 20 = 9; -1 + 0.5 · 9 = 3.5
    rewards = np.array([-1.0, -1.0, 20.0])
    assert_array_equal(returns_to_go(rewards, 0.5), [3.5, 9.0, 20.0])
    assert_array_equal(rewards, [-1, -1, 20])


def test_returns_without_discount_are_what_is_left_and_with_full_discount_the_rewards():
    assert_array_equal(returns_to_go([1.0, 2.0, 4.0], 1.0), [7, 6, 4])
    assert_array_equal(returns_to_go([1.0, 2.0, 4.0], 0.0), [1, 2, 4])
    assert_array_equal(returns_to_go([5], 0.3), [5.0])


# ---------------------------------------------------------------------------------------------- the definition

def test_the_matrix_of_two_dialogues_by_hand():
    assert_array_equal(temporal_difference_matrix([2, 3], 0.5), [[1, -0.5, 0, 0, 0],
                                                                 [0, 1, 0, 0, 0],
                                                                 [0, 0, 1, -0.5, 0],
                                                                 [0, 0, 0, 1, -0.5],
                                                                 [0, 0, 0, 0, 1]])


@given(seeds, gammas)
def test_the_inverse_of_the_matrix_turns_rewards_into_returns(seed, gamma):
    rng = np.random.default_rng(seed)
    lengths = list(rng.integers(1, 6, size=3))
    rewards = [rng.normal(size=T) for T in lengths]
    returns = np.linalg.solve(temporal_difference_matrix(lengths, gamma), np.concatenate(rewards))
    assert_allclose(returns, np.concatenate([returns_to_go(r, gamma) for r in rewards]), atol=1e-12)


def test_one_observed_turn_by_hand():
    # k = ⟨b, b⟩ = 4, σ² = 1, r = 5: mean 4/5 · 5 = 4, variance 4 - 16/5 = 0.8; at half the belief k* = 2, k** = 1:
    # mean 2/5 · 5 = 2, variance 1 - 4/5 = 0.2. Another action has learned nothing.
    b = np.array([[2.0, 0, 0, 0]])
    query = Points(np.array([b[0], b[0] / 2, b[0]]), np.array([8, 8, 9]))
    kernel, action, reward = KERNELS["linear"], np.array([8]), np.array([5.0])
    for mean, variance in (posterior_by_definition(kernel, Points(b, action), [1], reward, query, 0.9, 1.0),
                           posterior_after([(b, action, reward)], kernel, noise_std=1.0).predict(*query)):
        assert_allclose(mean, [4, 2, 0], atol=1e-14)
        assert_allclose(variance, [0.8, 0.2, 4], atol=1e-14)


def test_two_turns_with_unrelated_actions_by_hand():
    # Returns with γ = 0.5: 2 and 1 + 0.5 · 2 = 2; k = 1, σ² = 1: each mean is half of its return.
    beliefs, actions = np.eye(N_BELIEF)[:2], np.array([8, 9])
    mean, variance = posterior_by_definition(KERNELS["linear"], Points(beliefs, actions), [2], np.array([1.0, 2.0]),
                                             Points(beliefs, actions), 0.5, 1.0)
    assert_allclose(mean, [1, 1], atol=1e-14)
    assert_allclose(variance, [0.5, 0.5], atol=1e-14)


# ---------------------------------------------------------------------------------------------- the theorem

@pytest.mark.parametrize("name", KERNELS)
@given(seed=seeds, gamma=gammas, noise_std=noises)
def test_gp_sarsa_is_regression_on_returns_one_dialogue_at_a_time(name, seed, gamma, noise_std):
    rng = np.random.default_rng(seed)
    dialogues, query = random_dialogues(rng, 5), query_points(rng)
    points, lengths, rewards = stacked(dialogues)
    expected = posterior_by_definition(KERNELS[name], points, lengths, rewards, Points(*query), gamma, noise_std)
    mean, variance = posterior_after(dialogues, KERNELS[name], gamma, noise_std).predict(*query)
    assert_allclose(mean, expected[0], atol=1e-9)
    assert_allclose(variance, expected[1], atol=1e-9)


def test_with_independent_reward_noise_the_theorem_would_be_false():
    """A check of the check: the older noise model σ² I gives another posterior."""
    dialogues = random_dialogues(np.random.default_rng(3), 4)
    points, lengths, rewards = stacked(dialogues)
    kernel, H = KERNELS["linear"], temporal_difference_matrix(lengths, 0.9)
    other = H @ kernel.gram(points, points) @ H.T + 1.5 ** 2 * np.eye(len(H))
    mean = kernel.gram(points, points).T @ H.T @ np.linalg.solve(other, rewards)
    assert np.abs(mean - posterior_after(dialogues, kernel).predict(*points)[0]).max() > 0.05


@given(seeds)
def test_the_order_of_dialogues_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    dialogues, query = random_dialogues(rng, 6), query_points(rng)
    shuffled = [dialogues[i] for i in rng.permutation(6)]
    for one, other in zip(posterior_after(dialogues, KERNELS["gaussian"]).predict(*query),
                          posterior_after(shuffled, KERNELS["gaussian"]).predict(*query)):
        assert_allclose(one, other, atol=1e-10)


@given(seeds, st.floats(-3, 3))
def test_the_mean_is_linear_in_the_rewards_and_the_variance_ignores_them(seed, factor):
    rng = np.random.default_rng(seed)
    dialogues, query = random_dialogues(rng, 4), query_points(rng)
    others = [(b, a, rng.normal(size=len(a))) for b, a, _ in dialogues]
    mixed = [(b, a, r + factor * s) for (b, a, r), (_, _, s) in zip(dialogues, others)]
    (m1, v1), (m2, v2), (m3, v3) = (posterior_after(d, KERNELS["quadratic"]).predict(*query)
                                    for d in (dialogues, others, mixed))
    assert_allclose(m3, m1 + factor * m2, atol=1e-9)
    assert_allclose([v1, v2], [v3, v3], atol=1e-12)


# ---------------------------------------------------------------------------------------------- variance

@pytest.mark.parametrize("name", KERNELS)
@given(seed=seeds)
def test_variance_never_grows_and_never_goes_negative(name, seed):
    rng = np.random.default_rng(seed)
    query, kernel = query_points(rng), KERNELS[name]
    posterior = KernelPosterior(kernel, N_BELIEF, 1.5)
    before = posterior.predict(*query)[1]
    assert_allclose(before, np.diag(kernel.gram(Points(*query), Points(*query))))
    for dialogue in random_dialogues(rng, 5):
        posterior.update(*dialogue)
        after = posterior.predict(*query)[1]
        assert np.all(after <= before + 1e-12) and np.all(after > 0)
        prior = np.diag(kernel.gram(Points(*dialogue[:2]), Points(*dialogue[:2])))
        assert np.all(posterior.predict(*dialogue[:2])[1] <= 1.5 ** 2 * prior / (1.5 ** 2 + prior) + 1e-12)
        before = after


def test_the_same_turn_four_hundred_times():
    # n equal points with k = 1, σ = 2: mean n / (n + 4) R̄, variance 4 / (n + 4).
    belief, action = np.array([[0.6, 0.8, 0, 0]]), np.array([9])
    posterior = KernelPosterior(KERNELS["linear"], N_BELIEF, 2.0)
    for n in range(1, 401):
        posterior.update(belief, action, np.array([3.0 + (-1) ** n]))
        if n % 200 == 0:
            mean, variance = posterior.predict(belief, action)
            assert_allclose(mean, [3 * n / (n + 4)], atol=1e-10)
            assert_allclose(variance, [4 / (n + 4)], rtol=1e-10)


def test_negative_variances_are_set_to_zero():
    class TooSure(ProductKernel):
        def gram(self, x, y):
            return super().gram(x, y) - np.diag([1.01, 0.0, 1.01])

    posterior = KernelPosterior(TooSure(linear, LAYOUT), N_BELIEF, 1.0)
    assert_array_equal(posterior.predict(np.full((3, N_BELIEF), 0.5), np.array([8, 8, 8]))[1], [0, 1, 0])


# ---------------------------------------------------------------------------------------------- all actions at a belief

@pytest.mark.parametrize("threshold", [None, 0.05])
@pytest.mark.parametrize("name", KERNELS)
@settings(max_examples=20)
@given(seed=seeds, scale=st.floats(0.1, 4.0))
def test_mean_variance_and_a_joint_draw_at_a_belief(name, threshold, seed, scale):
    """A draw is linear in its normal numbers: at the basis vectors it gives the columns of a root of the covariance."""
    rng, kernel = np.random.default_rng(seed), KERNELS[name]
    posterior = posterior_after(random_dialogues(rng, 4), kernel, novelty_threshold=threshold)
    belief, n = rng.random(N_BELIEF), LAYOUT.n_actions
    everything = np.tile(belief, (n, 1)), np.arange(n)
    mean, variance = posterior.predict(*everything)
    assert_array_equal(posterior.mean(belief), mean)
    assert_array_equal(posterior.variance(belief), variance)
    columns = np.array([posterior.sample(belief, scale, BasisVectors(i)) - mean for i in range(n)]).T
    assert_allclose(np.diag(columns @ columns.T), scale ** 2 * variance, atol=1e-10)
    method = np.arange(4)                       # the payloads of one method err together
    block = posterior.blocks.get(0, posterior.prior)
    _, together = block.predict(Points(everything[0][method], method), kernel)
    assert_allclose((columns @ columns.T)[:4, :4], scale ** 2 * together, atol=1e-10)
    assert_allclose((columns @ columns.T)[:4, 4:], 0, atol=1e-10)


@pytest.mark.parametrize("threshold", [None, 1e-9])
@given(seed=seeds)
def test_the_covariance_of_payloads_is_that_of_regression_on_all_points(threshold, seed):
    rng, kernel = np.random.default_rng(seed), KERNELS["gaussian"]
    dialogues = random_dialogues(rng, 4)
    points, _, _ = stacked(dialogues)
    query = Points(rng.random((5, N_BELIEF)), rng.integers(4, size=5))
    cross, K = kernel.gram(points, query), kernel.gram(points, points)
    expected = kernel.gram(query, query) - cross.T @ np.linalg.inv(K + 1.5 ** 2 * np.eye(len(K))) @ cross
    posterior = posterior_after(dialogues, kernel, novelty_threshold=threshold)
    assert_allclose(posterior.blocks.get(0, posterior.prior).predict(query, kernel)[1], expected, atol=1e-6)
