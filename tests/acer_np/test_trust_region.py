"""The projection that bounds the linearised KL divergence."""
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize

from acer_np.trust_region import project
from tests.strategies import frozen, seeds

limits = st.floats(0, 10, allow_subnormal=False)


def random_vectors(seed, *shape):
    rng = np.random.default_rng(seed)
    return frozen(3 * rng.normal(size=shape), rng.normal(size=shape))


def test_a_binding_constraint_by_hand():
    # k·g = 3·2 + 4·1 = 10, ‖k‖² = 25, limit 5: λ = 1/5, z = (2, 1) - (3, 4)/5 = (1.4, 0.2) and k·z = 5.
    assert_allclose(project(np.array([2.0, 1.0]), np.array([3.0, 4.0]), 5.0), [1.4, 0.2], rtol=1e-15)


def test_the_maximum_is_around_the_scalar():
    # k·g = -1·(-3) + 2·1 = 5, ‖k‖² = 5, limit 0: λ = 1, z = (-3, 1) - (-1, 2) = (-2, -1): both entries move.
    assert_allclose(project(np.array([-3.0, 1.0]), np.array([-1.0, 2.0]), 0.0), [-2.0, -1.0], rtol=1e-15)


@given(seeds, limits)
def test_the_solution_is_scipys(seed, limit):
    g, k = random_vectors(seed, 4)
    z = minimize(lambda z: 0.5 * ((g - z) ** 2).sum(), np.zeros(4), jac=lambda z: z - g, method="SLSQP",
                 constraints={"type": "ineq", "fun": lambda z: limit - k @ z, "jac": lambda z: -k},
                 options={"ftol": 1e-14, "maxiter": 200}).x
    assert_allclose(project(g, k, limit), z, atol=1e-6)


@given(seeds, limits)
def test_the_solution_is_feasible_and_nearer_than_any_other(seed, limit):
    g, k = random_vectors(seed, 6)
    z = project(g, k, limit)
    assert k @ z <= limit + 1e-9 * (1 + np.linalg.norm(k) * np.linalg.norm(g))
    assert np.linalg.norm(z) <= np.linalg.norm(g) * (1 + 1e-12)
    others = z + 0.01 * np.random.default_rng(seed).normal(size=(50, 6))
    feasible = others[others @ k <= limit]
    assert (np.linalg.norm(feasible - g, axis=1) >= np.linalg.norm(z - g) - 1e-12).all()


@given(seeds, limits)
def test_a_step_within_the_limit_is_left_alone_and_another_ends_on_it(seed, limit):
    g, k = random_vectors(seed, 6)
    z = project(g, k, limit)
    if k @ g <= limit - 1e-9:
        assert_array_equal(z, g)
    elif k @ g >= limit + 1e-9:
        assert_allclose(k @ z, limit, atol=1e-9)
        multiplier = (g - z) @ k / (k @ k)
        assert multiplier > 0
        assert_allclose(g - z, multiplier * k, atol=1e-12)
    assert_allclose(project(z, k, limit), z, atol=1e-9)


@given(seeds, limits, st.floats(0.01, 100), st.floats(0.01, 100))
def test_scaling_both_vectors_scales_the_limit(seed, limit, s, s_k):
    g, k = random_vectors(seed, 5)
    assert_allclose(project(s * g, s_k * k, limit), s * project(g, k, limit / (s * s_k)), rtol=1e-9, atol=1e-9 * s)


@given(seeds)
def test_no_limit_or_no_divergence_means_no_change(seed):
    g, k = random_vectors(seed, 5)
    with np.errstate(all="raise"):
        assert_array_equal(project(g, k, np.inf), g)
        assert_array_equal(project(g, np.zeros(5), 1.0), g)
        assert_array_equal(project(g, np.zeros(5), 0.0), g)
        assert_array_equal(project(g, np.zeros(5), np.inf), g)


@pytest.mark.parametrize("size", [1e-300, 1e-160, 0.01, 1e160, 1e300])
@pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
def test_sizes_whose_squares_leave_the_floats_do_no_harm(size, signs):
    g, k = np.array([2.0, 1.0]) * signs, np.array([3.0, 4.0]) * signs
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        assert_allclose(project(g, size * k, 5.0 * size), [1.4, 0.2] * np.array(signs), rtol=1e-12)
        assert_array_equal(project(g, 1e-310 * k, 1.0), g)
        # One entry of k far beyond the other: z gives up that component alone.
        assert_array_equal(project(g, np.array([1e200, 1e-200]) * signs, 0.0), g * [0, 1])
        assert_array_equal(project(g, np.array([1e-200, 1e200]) * signs, 0.0), g * [1, 0])


@given(seeds, limits)
def test_rows_are_projected_one_by_one(seed, limit):
    g, k = random_vectors(seed, 4, 5)
    k = k.copy()
    k[2] = 0.0
    together = project(g, k, limit)
    for t in range(4):
        assert_allclose(together[t], project(g[t], k[t], limit), rtol=1e-13, atol=1e-13)


def test_single_precision_stays_single():
    assert project(np.ones(3, np.float32), np.ones(3, np.float32), 1.0).dtype == np.float32
