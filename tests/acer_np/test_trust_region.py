"""The projection by hand, where nothing binds, at sizes whose squares leave the floats; its properties are laws."""
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.trust_region import project
from tests.strategies import frozen


def test_a_binding_constraint_by_hand():
    # k·g = 3·2 + 4·1 = 10, ‖k‖² = 25, limit 5: λ = 1/5, z = (2, 1) - (3, 4)/5 = (1.4, 0.2) and k·z = 5.
    assert_allclose(project(*frozen(np.array([2.0, 1.0]), np.array([3.0, 4.0])), 5.0), [1.4, 0.2], rtol=1e-15)


def test_the_maximum_is_around_the_scalar():
    # k·g = -1·(-3) + 2·1 = 5, ‖k‖² = 5, limit 0: λ = 1, z = (-3, 1) - (-1, 2) = (-2, -1): both entries move.
    assert_allclose(project(np.array([-3.0, 1.0]), np.array([-1.0, 2.0]), 0.0), [-2.0, -1.0], rtol=1e-15)


def test_no_limit_no_divergence_or_room_enough_mean_no_change():
    g, k = frozen(*np.random.default_rng(0).normal(size=(2, 5)))
    with np.errstate(all="raise"):
        for direction, limit in ((k, np.inf), (k, abs(k @ g)), (0 * k, 1.0), (0 * k, 0.0), (0 * k, np.inf)):
            assert_array_equal(project(g, direction, limit), g)


@pytest.mark.parametrize("size", [1e-300, 1e-160, 0.01, 1e160, 1e300])
@pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, -1)])
def test_sizes_whose_squares_leave_the_floats_do_no_harm(size, signs):
    g, k = np.array([2.0, 1.0]) * signs, np.array([3.0, 4.0]) * signs
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        assert_allclose(project(g, size * k, 5.0 * size), [1.4, 0.2] * np.array(signs), rtol=1e-12)
        assert_array_equal(project(g, 1e-310 * k, 1.0), g)
        # One entry of k far beyond the other: z gives up just that component.
        assert_array_equal(project(g, np.array([1e200, 1e-200]) * signs, 0.0), g * [0, 1])
        assert_array_equal(project(g, np.array([1e-200, 1e200]) * signs, 0.0), g * [1, 0])


def test_single_precision_stays_single():
    assert project(np.ones(3, np.float32), np.ones(3, np.float32), 1.0).dtype == np.float32
