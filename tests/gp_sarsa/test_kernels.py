"""Action layouts and kernels: sizes, values worked by hand, refusals."""
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa.kernels import ProductKernel, gaussian, linear, payload_cosine, summary_delta
from gp_sarsa.layout import ActionLayout
from gp_sarsa.points import Points
from tests.gp_sarsa.cases import quadratic, says, seeds

CAMBRIDGE = ActionLayout(n_methods=4, n_payload_slots=8, n_others=11)
SMALL = ActionLayout(n_methods=2, n_payload_slots=3, n_others=2)
BELIEF_KERNELS = {"linear": linear, "quadratic": quadratic, "gaussian": gaussian(0.7)}


def random_points(rng, layout, n, n_belief=5):
    beliefs = rng.random((n, n_belief)) * (rng.random((n, n_belief)) < 0.7)
    beliefs[n // 2:] = beliefs[:n - n // 2]                 # repeated beliefs, often with another action
    return Points(beliefs, rng.integers(layout.n_actions, size=n))


# ---------------------------------------------------------------------------------------------- layout

def test_indices_split_by_hand():
    summary, payload = CAMBRIDGE.split([0, 255, 256, 1023, 1024, 1034])
    assert_array_equal(summary, [0, 0, 1, 3, 4, 14])
    assert_array_equal(payload, [0, 255, 0, 255, 0, 0])
    assert [len(part) for part in SMALL.split(np.zeros(0, int))] == [0, 0]


@pytest.mark.parametrize("n, told", [
    ((-1, 0, 3), "n_methods is -1, expected an int"), ((1, -1, 1), "n_payload_slots is -1, expected an int"),
    ((1, 1, -1), "n_others is -1, expected"), ((0, 3, 0), "n_methods + n_others is 0, expected at least 1"),
    ((2.0, 1, 1), "n_methods is 2.0, expected"), ((1, 13, 0), "n_payload_slots is 13, expected at most 12"),
    ((1, True, 1), "n_payload_slots is True, expected")])
def test_impossible_layouts_are_refused(n, told):
    with says(told):
        ActionLayout(*n)


def test_the_largest_layout_is_allowed_and_so_are_only_informs_or_none():
    assert ActionLayout(1, 12, 0).n_actions == 4096 and SMALL.n_actions == 18 and SMALL.n_summary == 4
    assert ActionLayout(0, 3, 2).n_actions == 2


@pytest.mark.parametrize("actions", [[-1], [18], [0, -1, 3], [0, 18, 3], [0.0], [True]])
def test_indices_that_are_no_actions_are_refused(actions):
    with says("expected whole numbers from 0 to 17"):
        SMALL.split(actions)


def test_payload_features_of_two_slots_by_hand():
    # empty: its own coordinate; slot 0; slot 1; both: 1/√2 each.
    half = 2 ** -0.5
    features = ActionLayout(1, 2, 0).payload_features
    assert_allclose(features, [[0, 0, 1], [1, 0, 0], [0, 1, 0], [half, half, 0]], rtol=1e-15)
    assert_array_equal(ActionLayout(1, 0, 0).payload_features, [[1.0]])
    with pytest.raises(ValueError):
        features[0, 0] = 1.0                                # shared by all who ask


# ---------------------------------------------------------------------------------------------- kernels

def test_action_kernels_by_hand():
    # inform(slot 0), inform(slots 0, 1), inform_byname(slot 0), the two other actions
    actions, root = np.array([1, 3, 9, 16, 17]), 0.5 ** 0.5
    same = [[1, 1, 0], [1, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]]
    assert_array_equal(summary_delta(SMALL, actions, actions[:3]), same)
    assert_allclose(payload_cosine(SMALL, actions[:2], actions), [[1, root, 1, 0, 0], [root, 1, root, 0, 0]])
    points = Points(np.ones((5, 1)), actions)
    assert_allclose(ProductKernel(linear, SMALL).gram(points, points),
                    [[1, root, 0, 0, 0], [root, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]])


def test_belief_kernels_by_hand():
    # b = (1, 2), b' = (3, 1): b·b' = 5, b·b = 5, b'·b' = 10, ‖b - b'‖² = 5
    points = Points(np.array([[1.0, 2.0]]), np.array([16])), Points(np.array([[3.0, 1.0]]), np.array([16]))
    for kernel, value in ((linear, 5), (gaussian(0.5), np.exp(-10)), (lambda dot, xx, yy: dot + 2 * xx + 3 * yy, 45)):
        assert_allclose(ProductKernel(kernel, SMALL).gram(*points), [[value]])


@given(seeds)
def test_the_gaussian_of_equal_beliefs_is_never_above_one(seed):
    """Rounding makes b·b + b·b - 2 b·b slightly negative; a short length would blow that up."""
    x = Points(100 * np.random.default_rng(seed).random((20, 30)), np.zeros(20, int))
    assert ProductKernel(gaussian(1e-8), SMALL).gram(x, x).max() <= 1.0


@pytest.mark.parametrize("length", [0.0, -1.0, np.inf, np.nan])
def test_a_length_that_does_not_give_a_kernel_is_refused(length):
    with says(f"length is {length}, expected a positive finite number"):
        gaussian(length)


def test_a_belief_kernel_of_two_beliefs_is_refused_at_once():
    with says("2 positional arguments but 3 were given, expected a function of b·b', b·b and b'·b'"):
        ProductKernel(lambda b, other: 1.0, SMALL)


@pytest.mark.parametrize("name", BELIEF_KERNELS)
@given(seed=seeds)
def test_gram_matrices_are_covariances_in_blocks(name, seed):
    kernel, x = ProductKernel(BELIEF_KERNELS[name], SMALL), random_points(np.random.default_rng(seed), SMALL, 16)
    x.actions[:6] = [0, 0, 7, 7, 16, 16]                    # empty, full and no payload, each twice
    K, groups = kernel.gram(x, x), kernel.groups(x)
    assert_allclose(K, K.T, rtol=0, atol=1e-14 * K.max())
    assert np.linalg.eigvalsh(K)[0] >= -1e-12 * K.max()
    assert_array_equal(groups, SMALL.split(x.actions)[0])
    assert np.all(K[groups[:, None] != groups] == 0)
    assert_allclose(kernel.gram(Points(x.beliefs[:5], x.actions[:5]), x), K[:5], atol=1e-13)
