"""From act to action: the one that says it, or the nearest that is allowed; the handcrafted policy by its actions."""
from collections import Counter

import numpy as np
import pytest

from demos.demonstrations import handcrafted_action, saying, without_luck
from simulator.env import DialogueEnv
from simulator.policies import handcrafted
from tests.simulator.strategies import MASTER, OFFER, SUMMARY, WISHES, B, after
from tests.simulator.written import parse_act as act

BELIEFS = [after(), after(("hello()", WISHES)), after(("hello()", WISHES), (OFFER, "request(phone)")),
           after(("hello()", WISHES), (OFFER, "reqalts()")), after(("hello()", "inform(food=swiss)")),
           after(("hello()", ("inform(food=thai)", 0.5), ("inform(food=indian)", 0.4)))]


def named(said, belief, actions=SUMMARY, forbidden=()):
    """The name of the action that says it."""
    mask = np.ones(actions.n, bool)
    mask[[actions.index(name) for name in forbidden]] = False
    return actions.name(saying(actions, said, belief, mask))


@pytest.mark.parametrize("belief", BELIEFS)
@pytest.mark.parametrize("actions", [SUMMARY, MASTER])
def test_the_action_that_says_what_an_action_says_says_the_same(actions, belief):
    lots = actions.rng.bit_generator.state
    for action in range(0, actions.n, 1 if actions is SUMMARY else 37):
        said = without_luck(actions).act(*actions.parts(action), belief)
        found = saying(actions, said, belief, np.ones(actions.n, bool))
        assert without_luck(actions).act(*actions.parts(found), belief) == said
    assert actions.rng.bit_generator.state == lots


@pytest.mark.parametrize("text, name", [
    ("request(food)", "request_food"), ("confirm(area=north)", "confirm_area"),
    ("select(area=north, area=south)", "select_area"), ("reqmore()", "reqmore"), ("bye()", "bye")])
def test_acts_without_a_venue_are_said_by_their_type_and_slot(text, name):
    assert named(act(text), after()) == named(act(text), after(), MASTER) == name


def test_informs_are_said_by_their_venue_and_what_they_tell():
    offered = after(("hello()", WISHES), (OFFER, "request(phone)"))
    assert named(act(OFFER), after(("hello()", WISHES))) == "inform"
    told = without_luck(SUMMARY).inform("inform_requested", None, offered)
    assert told.value("phone") and named(told, offered) == "inform_byname"
    assert named(told, offered, forbidden=["inform_byname"]) == "inform_requested"
    assert named(told, offered, forbidden=["inform_byname", "inform_requested"]) == "inform"
    assert named(told, offered, forbidden=SUMMARY.summary[:-1]) == "bye"
    next_venue = act(f"inform(name={B}, area=centre, food=chinese, pricerange=cheap)")
    assert named(next_venue, after(("hello()", WISHES), (OFFER, "reqalts()"))) == "inform_alternatives"


def test_in_the_master_space_an_inform_tells_the_slots_of_the_act():
    assert named(act(OFFER), after(("hello()", WISHES)), MASTER) == "inform(area, food, pricerange)"
    nothing, belief = act("inform(name=none, food=swiss)"), after(("hello()", "inform(food=swiss)"))
    assert named(nothing, belief, MASTER) == "inform(food)"


@pytest.mark.parametrize("settings", [{"mask": "none"}, {"mask": "none", "action_space": "master"}, {}])
def test_by_actions_the_handcrafted_policy_says_what_it_would_say_where_it_may(settings):
    env, kinds = DialogueEnv(error_rate=0.2, nbest=3, seed=0, **settings), Counter()
    for i in range(12):
        _, info = env.reset(seed=[5, i])
        while not env.over:
            rng, mask = env.system.actions.rng, info["action_mask"]
            lots, action = rng.bit_generator.state, handcrafted_action(env.system, info["action_mask"])
            assert mask[action] and action == handcrafted_action(env.system, mask)
            assert rng.bit_generator.state == lots                        # its choice follows from the belief
            meant, rng.bit_generator.state = handcrafted(env.system), lots
            said = without_luck(env.system.actions).act(*env.system.actions.parts(action), env.system.belief)
            kinds[meant.type] += 1
            assert mask.sum() < mask.size or said.type == meant.type and (said.type == "inform" or said == meant)
            *_, info = env.step(action)
    assert set(kinds) >= {"request", "confirm", "inform"}
