"""Adam by hand and its refusals, where a learner starts, the running average, and schedules."""
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from acer_np import A2CConfig, ACERConfig, SummaryHeads
from acer_np.a2c import a2c_update
from acer_np.acer import acer_update
from acer_np.learner import AdamState, Learner, adam_ascent, linear, progress, soft_average
from tests.strategies import direction_of, frozen, random_learner


# ---- Adam

def test_two_steps_by_hand():
    # d = 2: m = 0.2, v = 0.004; corrected 2 and 4: the step is 0.1·2/2 = 0.1.
    # d = -1: m = 0.18 - 0.1 = 0.08, v = 0.003996 + 0.001 = 0.004996; corrected by 0.19 and 0.001999:
    # 0.421053 and 2.499250: the step is 0.1·0.421053/1.580902 = 0.026634.
    start = frozen(np.zeros(1))
    first, state = adam_ascent(start, frozen(np.array([2.0])), AdamState(0, *frozen(np.zeros(1), np.zeros(1))), 0.1)
    second, state = adam_ascent(frozen(first), np.array([-1.0]), AdamState(1, *frozen(state.mean, state.square)), 0.1)
    assert_allclose([first[0], second[0]], [0.1, 0.126634], atol=5e-7)
    assert (state.step, *map(float, (*state.mean, *state.square))) == (2, *map(pytest.approx, (0.08, 0.004996)))


def test_the_floor_stops_the_division_by_zero():
    # With d = 1e-8 both corrected moments give 1e-8 / (1e-8 + 1e-8) = 1/2.
    params, _ = adam_ascent(np.array([0.0, 3.0]), np.array([1e-8, 0.0]), AdamState.start(np.zeros(2)), 1.0)
    assert_allclose(params, [0.5, 3.0], rtol=1e-12)


@pytest.mark.parametrize("dtype, fine, too_large", [(np.float32, 1e18, 1e25), (np.float64, 1e150, 1e200)])
def test_a_gradient_whose_square_is_infinite_is_refused_and_one_just_below_is_not(dtype, fine, too_large):
    params, state = np.zeros(3, dtype), AdamState.start(np.zeros(3, dtype))
    moved, state_after = adam_ascent(params, np.array([0, fine, 0], dtype), state, 0.1)
    assert np.isfinite(state_after.square).all() and moved.dtype == dtype
    for bad in (too_large, -too_large, np.inf, np.nan):
        message = f"the gradient has an entry of {np.abs(dtype(bad))}, expected numbers whose squares are finite"
        with pytest.raises(ValueError, match=message.replace("+", r"\+")), np.errstate(all="raise"):
            adam_ascent(params, np.array([0, bad, 0], dtype), state, 0.1)


@pytest.mark.parametrize("dtype, rate", [(np.float32, 1e39), (np.float64, np.inf)])
def test_a_step_that_would_leave_infinite_parameters_is_refused(dtype, rate):
    state = AdamState.start(np.zeros(2, dtype))
    with pytest.raises(ValueError, match="learning_rate is .*, expected one that leaves the parameters finite"):
        adam_ascent(np.zeros(2, dtype), np.ones(2, dtype), state, rate)


def test_a_learner_starts_at_rest_with_the_policy_as_its_average():
    params = np.arange(5, dtype=np.float32)
    learner = Learner.start(params, 3)
    assert_array_equal(learner.average, [0, 1, 2])
    assert not np.shares_memory(learner.average, params) and learner.params is params
    assert learner.adam.step == 0 and not learner.adam.mean.any() and not learner.adam.square.any()
    moved, adam = adam_ascent(params, np.ones(5, np.float32), learner.adam, 1e-3)
    assert moved.dtype == adam.mean.dtype == adam.square.dtype == learner.adam.mean.dtype == np.float32


# ---- the average

def test_the_average_by_hand():
    found = soft_average(*frozen(np.array([1.0, 0.0], np.float32), np.array([2.0, 10.0], np.float32)), 0.75)
    assert_array_equal(found, [1.25, 2.5])
    assert found.dtype == np.float32


# ---- schedules

def test_a_line_and_progress_by_hand():
    assert_allclose([linear(0.9, 0.1, x) for x in (0, 0.25, 0.5, 1, 1.25, 100)], [0.9, 0.7, 0.5, 0.1, 0.1, 0.1])
    # 30 updates, 2 per dialogue, are 15 dialogues of 60.
    assert progress(SimpleNamespace(updates_per_dialogue=2, horizon=60), 30) == 0.25


@pytest.mark.parametrize("update, config, width", [(acer_update, ACERConfig, None), (a2c_update, A2CConfig, 1)])
def test_the_updates_of_a_dialogue_share_its_step(update, config, width):
    # The first step of Adam is α sign(d), and four updates share α = 0.8.
    network, learner, batch = random_learner(0, SummaryHeads(5), critic_width=width)
    updated, _ = update(network, learner, batch, config(learning_rate=0.8, updates_per_dialogue=4))
    assert np.abs(updated.params - learner.params).max() == pytest.approx(0.2, rel=1e-3)


@pytest.mark.parametrize("update, config, width", [(acer_update, ACERConfig, None), (a2c_update, A2CConfig, 1)])
@pytest.mark.parametrize("n_updates, now", [(0, 0.8), (5, 0.6), (10, 0.4), (20, 0.0), (30, 0.0)])
def test_the_weight_of_the_entropy_falls_linearly_and_stays(update, config, width, n_updates, now):
    network, learner, batch = random_learner(0, SummaryHeads(5), critic_width=width, steps=n_updates)
    falling, constant = (config(entropy_weight=start, final_entropy_weight=end, updates_per_dialogue=2, horizon=10)
                         for start, end in ((0.8, 0.0), (now, now)))
    found, expected = (direction_of(learner, update(network, learner, batch, c)[0]) for c in (falling, constant))
    assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
