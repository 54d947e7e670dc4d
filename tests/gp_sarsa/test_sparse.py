"""The dictionary form is Engel's recursion, and the exact posterior where nothing is left out."""
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa.kernels import ProductKernel, gaussian
from gp_sarsa.layout import ActionLayout
from gp_sarsa.points import Points, returns_to_go
from gp_sarsa.posterior import KernelPosterior
from gp_sarsa.sparse import choose_novel
from tests.gp_sarsa.cases import FORMS, KERNELS, N_BELIEF, after, moments, random_dialogues, says, seeds

ONE_ACTION = ActionLayout(0, 0, 1)
GAMMA, NOISE = 0.9, 1.5


def kernel_vector(kernel, dictionary, belief):
    """k̃(x) for a list of beliefs, all with the only action."""
    x = Points(belief[None], np.zeros(1, int))
    return kernel.gram(Points(np.array(dictionary), np.zeros(len(dictionary), int)), x)[:, 0]


def explained_by(kernel, dictionary, belief):
    """(a, k̃, novelty): coefficients on the dictionary, covariances with it, what is left of the variance."""
    if not dictionary:
        return np.zeros(0), np.zeros(0), kernel_vector(kernel, [belief], belief)[0]
    k = kernel_vector(kernel, dictionary, belief)
    a = np.linalg.solve(np.array([kernel_vector(kernel, dictionary, d) for d in dictionary]), k)
    return a, k, kernel_vector(kernel, [belief], belief)[0] - k @ a


def engel(kernel, dialogues, threshold):
    """Engel's recursion for GP-SARSA with correlated noise: temporal differences, one reward at a time."""
    dictionary, alpha, C = [], np.zeros(0), np.zeros((0, 0))
    for beliefs, rewards in dialogues:
        a, k, novelty = explained_by(kernel, dictionary, beliefs[0])
        if novelty > threshold:
            k, a = np.append(k, kernel_vector(kernel, [beliefs[0]], beliefs[0])), np.append(np.zeros(len(a)), 1.0)
            dictionary, alpha, C = dictionary + [beliefs[0]], np.append(alpha, 0.0), np.pad(C, (0, 1))
        d, c, f, s = 0.0, np.zeros(len(alpha)), 0.0, 1.0
        for t, reward in enumerate(rewards):
            last = t + 1 == len(rewards)
            if last:
                grow, h, dk, q, noise = False, a, k, a @ k, NOISE ** 2
            else:
                a2, k2, novelty = explained_by(kernel, dictionary, beliefs[t + 1])
                grow, dk, noise = novelty > threshold, k - GAMMA * k2, NOISE ** 2 * (1 + GAMMA ** 2)
                prior = kernel_vector(kernel, [beliefs[t + 1]], beliefs[t + 1])[0]
                h = np.append(a, -GAMMA) if grow else a - GAMMA * a2
                q = a @ (k - 2 * GAMMA * k2) + GAMMA ** 2 * prior if grow else h @ dk
            d = reward + f * d - dk @ alpha
            if grow:        # the new element is uncorrelated with all data so far: zero rows and columns
                s = noise + q - dk @ C @ dk + f * (2 * c @ dk - GAMMA * NOISE ** 2)
                c = h + np.append(f * c - C @ dk, 0.0)
                alpha, C, dictionary = np.append(alpha, 0.0), np.pad(C, (0, 1)), dictionary + [beliefs[t + 1]]
                a, k = np.append(np.zeros(len(a2)), 1.0), np.append(k2, prior)
            else:
                s = noise + q - dk @ C @ dk + f * (2 * c @ dk - GAMMA * NOISE ** 2)
                c = h + f * c - C @ dk
                if not last:
                    a, k = a2, k2
            alpha, C, f = alpha + c * d / s, C + np.outer(c, c) / s, GAMMA * NOISE ** 2 / s
    return dictionary, alpha, C


@given(seed=seeds, threshold=st.floats(0.02, 0.6))
def test_the_dictionary_form_is_the_textbook_recursion(seed, threshold):
    rng, kernel = np.random.default_rng(seed), ProductKernel(gaussian(0.6), ONE_ACTION)
    dialogues = [(rng.random((T, 2)), rng.normal(0, 3, T)) for T in rng.integers(1, 6, size=5)]
    posterior = KernelPosterior(kernel, 2, NOISE, threshold)
    for beliefs, rewards in dialogues:
        posterior.update(beliefs, np.zeros(len(rewards), int), returns_to_go(rewards, GAMMA))
    dictionary, alpha, C = engel(kernel, dialogues, threshold)
    assert len(posterior.blocks[0].actions) == len(dictionary)
    query = rng.random((7, 2))
    k = np.array([kernel_vector(kernel, dictionary, belief) for belief in query])
    mean, variance = posterior.predict(query, np.zeros(7, int))
    assert_allclose(mean, k @ alpha, atol=1e-9)
    assert_allclose(variance, 1.0 - np.einsum("id,de,ie->i", k, C, k), atol=1e-9)


@settings(max_examples=20)
@given(seeds)
def test_exact_sparse_and_weight_space_forms_agree(seed):
    rng = np.random.default_rng(seed)
    dialogues = random_dialogues(rng, 8)
    exact, sparse, weights = (moments(after(FORMS[form](NOISE), dialogues))
                              for form in ("exact", "sparse", "weight space"))
    assert_allclose(exact, weights, atol=1e-10)
    assert_allclose(sparse, weights, atol=1e-6)


def test_a_threshold_above_every_variance_learns_nothing():
    new = KernelPosterior(KERNELS["gaussian"], N_BELIEF, NOISE, 1.0)
    prior = moments(new)
    assert_array_equal(moments(after(new, random_dialogues(np.random.default_rng(0), 4))), prior)


def test_novel_points_are_chosen_by_hand():
    # Unit variances; point 1 repeats 0 up to a novelty of 1 - 0.8² = 0.36; point 2 has 0 with 0 and 0.3 with 1.
    covariance = np.array([[1.0, 0.8, 0.0], [0.8, 1.0, 0.3], [0.0, 0.3, 1.0]])
    picks, features = choose_novel(covariance, 0.4)
    assert picks == [0, 2]
    assert_allclose(features, [[1, 0], [0.8, 0], [0, 1]], atol=1e-15)      # 1 came before 2: nothing on it
    picks, features = choose_novel(covariance, 0.3)
    assert picks == [0, 1, 2]
    assert_allclose(features, [[1, 0, 0], [0.8, 0.6, 0], [0, 0.5, np.sqrt(0.75)]], atol=1e-15)
    assert choose_novel(covariance, 1.0)[0] == []                            # novelty must exceed the threshold


@pytest.mark.parametrize("threshold", [0.0, -1.0, np.nan, np.inf])
def test_a_threshold_outside_its_range_is_refused(threshold):
    with says(f"novelty_threshold is {threshold}, expected a positive finite number"):
        KernelPosterior(KERNELS["linear"], N_BELIEF, NOISE, threshold)
