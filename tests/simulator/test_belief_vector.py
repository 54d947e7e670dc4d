"""The belief as a vector: where every number stands."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.env import DialogueEnv
from simulator.policies import uniform_random
from tests.simulator.strategies import VECTOR, after


def test_the_blocks_of_the_built_in_domain():
    starts = {"food": 0, "pricerange": 93, "name": 98, "area": 213, "method": 220, "discourse": 226, "requested": 232,
              "last_action_inform_none": 241, "offer_happened": 242, "inform_info": 243}
    assert {block: at.start for block, at in VECTOR.slices.items()} == starts
    assert VECTOR.size == len(VECTOR.names) == 268
    assert VECTOR.names[213:220] == [f"area={v}" for v in ("centre", "north", "west", "south", "east", "NONE",
                                                           "dontcare")]
    assert VECTOR.names[91:98] == ["food=NONE", "food=dontcare", "pricerange=cheap", "pricerange=moderate",
                                   "pricerange=expensive", "pricerange=NONE", "pricerange=dontcare"]
    assert VECTOR.names[241:244] == ["last_action_inform_none", "offer_happened", "inform_info=top 1: no venue"]


def test_what_the_ontology_does_not_list_is_left_out_of_the_vector():
    vector = VECTOR.encode(after(("hello()", ("inform(food=stones)", 0.5), ("inform(food=thai)", 0.5))))
    assert vector[VECTOR.slices["food"]].sum() == 0.5


@given(st.integers(0, 2 ** 32), st.floats(0, 1), st.integers(1, 6), st.sampled_from(["sampled", "uniform", "dstc2"]))
def test_along_any_dialogue_beliefs_are_distributions_and_the_past_is_left_alone(seed, error_rate, nbest, channel):
    env = DialogueEnv(error_rate=error_rate, nbest=nbest, channel=channel, seed=seed, mask="none", max_turns=8)
    rng, seen, done = np.random.default_rng(seed), [], False
    vector, info = env.reset()
    while not done:
        seen.append((env.system.belief, repr(env.system.belief)))
        for block in ("food", "pricerange", "name", "area", "method"):
            assert vector[VECTOR.slices[block]].sum() == pytest.approx(1.0)
        assert ((vector >= 0) & (vector <= 1 + 1e-12)).all()
        assert sum(env.system.belief.discourse.values()) == pytest.approx(1.0)
        assert all(mass > 0 for values in env.system.belief.goal.values() for mass in values.values())
        groups = vector[VECTOR.slices["inform_info"]].reshape(5, 5)
        assert (groups[:, :4].sum(axis=1) == 1).all() and (groups[2:] == groups[4]).all()
        vector, _, done, _, info = env.step(uniform_random(info["action_mask"], rng))
    assert all(repr(belief) == text for belief, text in seen) and not vector.any()
