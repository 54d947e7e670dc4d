"""Adam as ascent, its step size, where a learner starts, and the running average of parameters."""
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.learner import AdamState, Learner, adam_ascent, soft_average, step_size
from tests.strategies import decays, frozen, seeds


def walk(directions, learning_rate=1e-3):
    params = np.zeros_like(directions[0])
    state, path = AdamState.start(params), [params]
    for direction in directions:
        params, state = adam_ascent(params, direction, state, learning_rate)
        path.append(params)
    return np.array(path), state


def test_two_steps_by_hand():
    # d = 2: m = 0.2, v = 0.004; corrected 2 and 4: the step is 0.1·2/2 = 0.1.
    # d = -1: m = 0.18 - 0.1 = 0.08, v = 0.003996 + 0.001 = 0.004996; corrected by 0.19 and 0.001999:
    # 0.421053 and 2.499250: the step is 0.1·0.421053/1.580902 = 0.026634.
    path, state = walk(np.array([[2.0], [-1.0]]), 0.1)
    assert_allclose(path[:, 0], [0.0, 0.1, 0.126634], atol=5e-7)
    assert state.step == 2
    assert_allclose(state.mean, 0.08, rtol=1e-14)
    assert_allclose(state.square, 0.004996, rtol=1e-14)


def test_the_floor_stops_the_division_by_zero():
    # With d = 1e-8 both corrected moments give 1e-8 / (1e-8 + 1e-8) = 1/2.
    params, _ = adam_ascent(np.array([0.0, 3.0]), np.array([1e-8, 0.0]), AdamState.start(np.zeros(2)), 1.0)
    assert_allclose(params, [0.5, 3.0], rtol=1e-12)


@given(seeds)
def test_the_first_step_is_the_sign_of_the_gradient(seed):
    rng = np.random.default_rng(seed)
    direction = rng.choice([-1, 1], 8) * rng.uniform(1e-4, 10, 8)
    path, _ = walk([direction])
    assert_allclose(path[1], 1e-3 * np.sign(direction), rtol=2e-4)


@given(seeds, st.floats(0.1, 1000))
def test_the_scale_of_all_gradients_does_not_matter(seed, factor):
    directions = np.random.default_rng(seed).normal(size=(10, 8))
    assert_allclose(walk(factor * directions)[0], walk(directions)[0], atol=1e-6)


@given(seeds)
def test_no_step_moves_a_coordinate_beyond_the_bound(seed):
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(40, 4)) * 10.0 ** rng.integers(-3, 4, (40, 1))
    steps = np.abs(np.diff(walk(directions)[0], axis=0))
    assert (steps <= 1e-3 * (1 - 0.9) / np.sqrt(1 - 0.999) * (1 + 1e-12)).all()


@given(seeds)
def test_after_many_steps_the_moments_are_the_weighted_sums_of_the_definition(seed):
    directions = np.random.default_rng(seed).normal(size=(7, 3))
    path, state = walk(directions, 0.01)
    ages = np.arange(6, -1, -1)[:, None]
    mean, square = (0.1 * 0.9 ** ages * directions).sum(axis=0), (0.001 * 0.999 ** ages * directions ** 2).sum(axis=0)
    assert_allclose(state.mean, mean, rtol=1e-12, atol=1e-15)
    assert_allclose(state.square, square, rtol=1e-12)
    last = 0.01 * (mean / (1 - 0.9 ** 7)) / (np.sqrt(square / (1 - 0.999 ** 7)) + 1e-8)
    assert_allclose(path[-1] - path[-2], last, rtol=1e-9, atol=1e-15)


def test_an_ascent_step_raises_a_linear_function_and_changes_no_input():
    params, direction, mean, square = frozen(np.ones(3), np.array([1.0, -2.0, 0.5]), np.zeros(3), np.zeros(3))
    moved, state = adam_ascent(params, direction, AdamState(0, mean, square), 0.1)
    assert direction @ moved > direction @ params
    again, _ = adam_ascent(params, direction, AdamState(0, mean, square), 0.1)
    assert_array_equal(moved, again)
    assert state.step == 1


def test_the_start_is_at_rest():
    state = AdamState.start(np.ones(3, np.float32))
    assert state.step == 0 and state.mean.dtype == state.square.dtype == np.float32
    assert_array_equal(state.mean, np.zeros(3))
    assert_array_equal(state.square, np.zeros(3))
    params, state = adam_ascent(np.ones(3, np.float32), np.ones(3, np.float32), state, 1e-3)
    assert params.dtype == state.mean.dtype == state.square.dtype == np.float32


@pytest.mark.parametrize("dtype, fine, too_large", [(np.float32, 1e18, 1e25), (np.float64, 1e150, 1e200)])
def test_a_gradient_that_adam_would_never_forget_is_refused_and_one_just_below_is_not(dtype, fine, too_large):
    params, state = np.zeros(3, dtype), AdamState.start(np.zeros(3, dtype))
    assert np.isfinite(adam_ascent(params, np.array([0, fine, 0], dtype), state, 0.1)[1].square).all()
    for bad in (too_large, -too_large, np.inf, np.nan):
        message = f"the gradient has an entry of {np.abs(dtype(bad))}, expected numbers whose squares are finite"
        with pytest.raises(ValueError, match=message.replace("+", r"\+")):
            adam_ascent(params, np.array([0, bad, 0], dtype), state, 0.1)


def test_a_learner_starts_at_rest_with_the_policy_as_its_average():
    params = np.arange(5.0)
    learner = Learner.start(params, 3)
    assert_array_equal(learner.average, [0, 1, 2])
    assert not np.shares_memory(learner.average, params)
    assert learner.params is params and learner.adam.step == 0 and not learner.adam.mean.any()


@pytest.mark.parametrize("n", [1, 4])
def test_the_step_size_falls_on_a_line_of_dialogues_whose_updates_share_it(n):
    # From 0.8 to 0.2 over 10 dialogues: 0.5 after 5 dialogues, which are 5 n updates; n updates share each.
    config = SimpleNamespace(learning_rate=0.8, final_learning_rate=0.2, horizon=10, updates_per_dialogue=n)
    found = [n * step_size(config, n_updates * n) for n_updates in (0, 5, 10, 11, 1000)]
    assert_allclose(found, [0.8, 0.5, 0.2, 0.2, 0.2], rtol=1e-14)


def test_the_average_by_hand():
    assert_allclose(soft_average(np.array([1.0, 0.0]), np.array([2.0, 10.0]), 0.75), [1.25, 2.5], rtol=1e-15)


@given(seeds, decays)
def test_the_average_stays_between_old_and_new(seed, decay):
    average, params = frozen(*np.random.default_rng(seed).normal(size=(2, 6)).copy())
    found = soft_average(average, params, decay)
    assert (found >= np.minimum(average, params) - 1e-15).all() and (found <= np.maximum(average, params) + 1e-15).all()
    assert_array_equal(soft_average(average, params, 1.0), average)
    assert_array_equal(soft_average(average, params, 0.0), params)
    assert soft_average(average.astype(np.float32), params.astype(np.float32), decay).dtype == np.float32
