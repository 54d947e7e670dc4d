"""What falls linearly to the horizon: the weight of the entropy, in ACER and in A2C."""
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose

from acer_np.a2c import A2CConfig, a2c_update
from acer_np.acer import ACERConfig, acer_update
from acer_np.learner import progress
from tests.strategies import direction_of, either_heads, random_learner, seeds


def test_progress_by_hand():
    # 30 updates, 2 per dialogue, are 15 dialogues of 60.
    assert progress(ACERConfig(updates_per_dialogue=2, horizon=60), 30) == 0.25


@pytest.mark.parametrize("update, config, width", [(acer_update, ACERConfig, None), (a2c_update, A2CConfig, 1)])
@given(seeds, either_heads, st.sampled_from([(0, 0.8), (5, 0.6), (10, 0.4), (20, 0.0), (30, 0.0)]))
def test_the_weight_of_the_entropy_falls_linearly_and_stays(update, config, width, seed, heads, moment):
    steps, now = moment
    network, learner, batch = random_learner(seed, heads, critic_width=width, steps=steps)
    falling = config(entropy_weight=0.8, final_entropy_weight=0.0, updates_per_dialogue=2, horizon=10)
    constant = config(entropy_weight=now, final_entropy_weight=now, updates_per_dialogue=2, horizon=10)
    found, expected = (direction_of(learner, update(network, learner, batch, c)[0]) for c in (falling, constant))
    assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
