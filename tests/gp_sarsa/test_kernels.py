"""Action layouts and kernels: sizes, hand-worked values, positive semi-definiteness, refusals."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa.kernels import ProductKernel, gaussian, linear, payload_cosine, summary_delta
from gp_sarsa.layout import ActionLayout
from gp_sarsa.points import Points
from tests.gp_sarsa.cases import quadratic, seeds

CAMBRIDGE = ActionLayout(n_methods=4, n_payload_slots=8, n_others=11)
SMALL = ActionLayout(n_methods=2, n_payload_slots=3, n_others=2)
BELIEF_KERNELS = {"linear": linear, "quadratic": quadratic, "gaussian": gaussian(0.7)}

layouts = st.builds(ActionLayout, st.integers(1, 4), st.integers(0, 4), st.integers(0, 3))


def random_points(rng, layout, n, n_belief=5):
    beliefs = rng.random((n, n_belief)) * (rng.random((n, n_belief)) < 0.7)
    beliefs[n // 2:] = beliefs[:n - n // 2]                 # repeated beliefs, often with another action
    return Points(beliefs, rng.integers(layout.n_actions, size=n))


def unit(dot, xx, yy):
    """A belief kernel that is 1 everywhere, so that only the actions matter."""
    return np.ones(np.broadcast_shapes(np.shape(xx), np.shape(yy)))


# ---------------------------------------------------------------------------------------------- layout

def test_the_master_space_has_1035_actions_and_the_summary_space_15():
    for layout, sizes in ((CAMBRIDGE, (1035, 15, 256, 9)), (ActionLayout(4, 0, 11), (15, 15, 1, 1))):
        assert (layout.n_actions, layout.n_summary, layout.n_payloads, layout.n_payload_features) == sizes


def test_indices_split_by_hand():
    summary, payload = CAMBRIDGE.split(np.array([0, 255, 256, 1023, 1024, 1034]))
    assert_array_equal(summary, [0, 0, 1, 3, 4, 14])
    assert_array_equal(payload, [0, 255, 0, 255, 0, 0])


@given(layouts)
def test_every_method_and_payload_has_its_index(layout):
    pairs = [(m, p) for m in range(layout.n_methods) for p in range(2 ** layout.n_payload_slots)]
    pairs += [(layout.n_methods + j, 0) for j in range(layout.n_others)]
    assert layout.n_actions == len(pairs)
    assert list(zip(*layout.split(np.arange(len(pairs))))) == pairs


@pytest.mark.parametrize("n, told", [
    ((-1, 0, 3), "n_methods is -1, expected an int"), ((1, -1, 1), "n_payload_slots is -1, expected an int"),
    ((1, 1, -1), "n_others is -1, expected"), ((0, 3, 0), "n_methods . n_others is 0, expected at least 1"),
    ((2.0, 1, 1), "n_methods is 2.0, expected"), ((1, 13, 0), "n_payload_slots is 13, expected at most 12"),
    ((1, True, 1), "n_payload_slots is True, expected")])
def test_impossible_layouts_are_refused(n, told):
    with pytest.raises(ValueError, match=told):
        ActionLayout(*n)


def test_the_largest_layout_is_allowed_and_so_are_informs_or_others_alone():
    assert ActionLayout(1, 12, 0).n_actions == 4096
    assert ActionLayout(0, 3, 2).n_actions == 2


@pytest.mark.parametrize("actions", [[-1], [18], [0, -1, 3], [0, 18, 3], [0.0], [True]])
def test_indices_that_are_no_actions_are_refused(actions):
    with pytest.raises(ValueError, match="from 0 to 17"):
        SMALL.split(np.array(actions))


def test_no_actions_split_into_nothing_and_lists_are_fine():
    assert [len(part) for part in SMALL.split(np.zeros(0, int))] == [0, 0]
    assert_array_equal(SMALL.split([9, 17]), [[1, 3], [1, 0]])
    with pytest.raises(ValueError, match="from 0 to 17"):
        SMALL.split([18])


def test_a_layout_and_its_features_cannot_be_changed():
    with pytest.raises(AttributeError):
        SMALL.n_methods = 3
    with pytest.raises(ValueError):
        SMALL.payload_features[0, 0] = 1.0


def test_payload_features_of_two_slots_by_hand():
    # empty: its own coordinate; slot 0; slot 1; both: 1/√2 each.
    half = 2 ** -0.5
    expected = [[0, 0, 1], [1, 0, 0], [0, 1, 0], [half, half, 0]]
    assert_allclose(ActionLayout(1, 2, 0).payload_features, expected, rtol=1e-15)


def test_without_payload_slots_the_only_feature_is_one():
    assert_array_equal(ActionLayout(1, 0, 0).payload_features, [[1.0]])


# ---------------------------------------------------------------------------------------------- action kernels

@given(st.integers(1, 5))
def test_payload_cosine_is_the_overlap_over_the_geometric_mean_of_the_sizes(n_slots):
    layout = ActionLayout(1, n_slots, 0)
    sets = [{i for i in range(n_slots) if payload >> i & 1} for payload in range(2 ** n_slots)]
    expected = [[len(x & y) / np.sqrt(len(x) * len(y)) if x and y else float(x == y) for y in sets] for x in sets]
    actions = np.arange(layout.n_actions)
    assert_allclose(payload_cosine(layout, actions, actions), expected, atol=1e-15)


def test_action_kernels_by_hand():
    # inform(slot 0), inform(slots 0, 1), inform_byname(slot 0), the two other actions
    actions = np.array([1, 3, 9, 16, 17])
    same = summary_delta(SMALL, actions, actions[:3])
    assert_array_equal(same, [[1, 1, 0], [1, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]])
    assert same.dtype == float
    root = 0.5 ** 0.5
    assert_allclose(payload_cosine(SMALL, actions[:2], actions), [[1, root, 1, 0, 0], [root, 1, root, 0, 0]])
    gram = ProductKernel(unit, SMALL).gram(Points(np.zeros((5, 1)), actions), Points(np.zeros((5, 1)), actions))
    assert_allclose(gram, [[1, root, 0, 0, 0], [root, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]])


# ---------------------------------------------------------------------------------------------- belief kernels

def test_belief_kernels_by_hand():
    # b = (1, 2), b' = (3, 1): b·b' = 5, b·b = 5, b'·b' = 10, ‖b - b'‖² = 5
    dot, xx, yy = np.array(5.0), np.array(5.0), np.array(10.0)
    assert linear(dot, xx, yy) == 5
    assert_allclose(gaussian(0.5)(dot, xx, yy), np.exp(-10))        # 5 / (2 · 0.25)


@given(seeds)
def test_the_gaussian_of_equal_beliefs_is_never_above_one(seed):
    """Rounding makes b·b + b·b - 2 b·b slightly negative; a short length would blow that up."""
    beliefs = 100 * np.random.default_rng(seed).random((20, 30))
    x = Points(beliefs, np.zeros(20, int))
    gram = ProductKernel(gaussian(1e-8), SMALL).gram(x, x)
    assert gram.max() <= 1.0


@pytest.mark.parametrize("length", [0.0, -1.0, np.inf, np.nan])
def test_a_length_that_does_not_give_a_kernel_is_refused(length):
    with pytest.raises(ValueError, match=f"length is {length}, expected a positive finite number"):
        gaussian(length)


# ---------------------------------------------------------------------------------------------- products

@pytest.mark.parametrize("name", BELIEF_KERNELS)
@given(seed=seeds)
def test_gram_matrices_are_positive_semi_definite(name, seed):
    rng = np.random.default_rng(seed)
    x = random_points(rng, SMALL, 16)
    x.actions[:6] = [0, 0, 7, 7, 16, 16]                # empty, full and no payload, each twice
    K = ProductKernel(BELIEF_KERNELS[name], SMALL).gram(x, x)
    assert_allclose(K, K.T, rtol=0, atol=1e-14 * K.max())
    assert np.linalg.eigvalsh(K)[0] >= -1e-12 * K.max()


@pytest.mark.parametrize("name", BELIEF_KERNELS)
@given(seed=seeds)
def test_gram_of_two_sets_is_part_of_the_gram_of_their_union(name, seed):
    kernel, rng = ProductKernel(BELIEF_KERNELS[name], SMALL), np.random.default_rng(seed)
    both = random_points(rng, SMALL, 9)
    x, y = Points(both.beliefs[:4], both.actions[:4]), Points(both.beliefs[4:], both.actions[4:])
    whole = kernel.gram(both, both)
    assert_allclose(kernel.gram(x, y), whole[:4, 4:], atol=1e-13)


@given(seeds)
def test_every_master_action_starts_with_the_variance_of_its_belief(seed):
    belief = np.random.default_rng(seed).random(6)
    everything = Points(np.tile(belief, (CAMBRIDGE.n_actions, 1)), np.arange(CAMBRIDGE.n_actions))
    kernel = ProductKernel(linear, CAMBRIDGE)
    some = Points(everything.beliefs[::50], everything.actions[::50])
    assert_allclose(np.diag(kernel.gram(some, some)), belief @ belief, rtol=4e-14)


@given(seeds)
def test_points_of_different_groups_do_not_covary(seed):
    kernel = ProductKernel(gaussian(1.0), SMALL)
    x = random_points(np.random.default_rng(seed), SMALL, 12)
    groups = kernel.groups(x)
    assert_array_equal(groups, SMALL.split(x.actions)[0])
    assert np.all(kernel.gram(x, x)[groups[:, None] != groups[None, :]] == 0)


def test_kernels_leave_their_inputs_alone():
    x = random_points(np.random.default_rng(0), SMALL, 6)
    copy = Points(x.beliefs.copy(), x.actions.copy())
    for kernel in BELIEF_KERNELS.values():
        ProductKernel(kernel, SMALL).gram(x, x)[:] = 7.0
    assert_array_equal(x.beliefs, copy.beliefs)
    assert_array_equal(x.actions, copy.actions)
