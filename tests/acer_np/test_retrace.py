"""Retrace and the λ-return by hand, over many turns and in single precision; their properties are laws."""
import numpy as np
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import solve

from acer_np.retrace import lambda_returns, retrace_targets, traces
from tests.strategies import decays, frozen, seeds


def test_three_turns_by_hand():
    # Last: 8. Middle: 1 + ½ (6 + ½ (8 - 2)) = 5.5. First: -1 + ½ (3 + 1 (5.5 - 4)) = 1.25. The first trace is not used.
    r, q, v, trace = frozen(*np.array([[-1.0, 1.0, 8.0], [7.0, 4.0, 2.0], [5.0, 3.0, 6.0], [9.0, 1.0, 0.5]]))
    assert_allclose(retrace_targets(r, q, v, trace, 0.5), [1.25, 5.5, 8.0], rtol=1e-15)
    # Cut there, with 4 to come: 8 + ½ 4 = 10, then 1 + ½ (6 + ½ (10 - 2)) = 6 and -1 + ½ (3 + 1 (6 - 4)) = 1.5.
    assert_allclose(retrace_targets(r, q, v, trace, 0.5, bootstrap=4.0), [1.5, 6.0, 10.0], rtol=1e-15)


def test_traces_by_hand():
    rho = frozen(np.array([0.25, 1.0, 3.0, np.inf]))
    assert_array_equal(traces(rho, 1.0), [0.25, 1.0, 1.0, 1.0])
    assert_array_equal(traces(rho, 0.5), [0.125, 0.5, 0.5, 0.5])


def test_lambda_return_by_hand():
    # λ = ½, γ = ½. Last: 8. Middle: 1 + ½·½·6 + ½·½·2·8 = 6.5. First: -1 + ½·½·3 + ½·½·½·6.5 = 0.5625.
    found = lambda_returns(*frozen(*np.array([[-1.0, 1.0, 8.0], [5.0, 3.0, 6.0], [9.0, 0.5, 2.0]])), 0.5, 0.5)
    assert_allclose(found, [0.5625, 6.5, 8.0], rtol=1e-15)


@given(seeds, decays, st.integers(1, 30))
def test_dialogues_of_many_turns_side_by_side_solve_their_linear_systems(seed, gamma, length):
    """(I - γ superdiag(c_2..c_T)) (Qret - Q) = r + γ V_next - Q for one of 30 turns beside one padded with zeros."""
    r, q, v, trace = np.random.default_rng(seed).uniform(-1, 1, (4, 30, 2))
    trace = np.abs(trace)
    for x in (r, q, v, trace):
        x[length:, 1] = 0
    found = retrace_targets(r, q, v, trace, gamma)
    for column in range(2):
        errors = r[:, column] + gamma * np.append(v[1:, column], 0) - q[:, column]
        system = np.eye(30) - gamma * np.diag(trace[1:, column], 1)
        assert_allclose(found[:, column], q[:, column] + solve(system, errors), atol=1e-12)
    assert_array_equal(found[length:, 1], 0.0)


def test_single_precision_stays_single():
    arrays = [np.ones((3, 2), np.float32)] * 4
    assert retrace_targets(*arrays, 0.9).dtype == np.float32
    assert lambda_returns(*arrays[:3], 0.9, 0.5).dtype == traces(arrays[0], 0.5).dtype == np.float32
