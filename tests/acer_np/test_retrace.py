"""Retrace and the λ-return by hand and in single precision; their properties are laws."""
import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.retrace import lambda_returns, retrace_targets, traces
from tests.strategies import frozen


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


def test_single_precision_stays_single():
    arrays = [np.ones((3, 2), np.float32)] * 4
    assert retrace_targets(*arrays, 0.9).dtype == np.float32
    assert lambda_returns(*arrays[:3], 0.9, 0.5).dtype == traces(arrays[0], 0.5).dtype == np.float32
