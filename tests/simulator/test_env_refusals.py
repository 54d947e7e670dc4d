"""What the environment refuses, before anything happens."""
from copy import deepcopy

import pytest

from simulator.env import DialogueEnv
from tests.simulator.strategies import OFFER, A, opened
from tests.simulator.written import parse_act as act


def test_a_masked_action_is_refused_and_nothing_happens():
    env = DialogueEnv(seed=0)
    env.reset()
    before, log = deepcopy(env.user.goal), list(env.log)
    with pytest.raises(ValueError, match=r"action is 14 \(bye\), expected one that the mask allows now: 0, 4, 5, 7"):
        env.step(14)
    assert env.user.goal == before and env.log == log and env.turns == 1
    env.step(4)


@pytest.mark.parametrize("action, message", [
    ("4", "action is '4', expected a whole number from 0 to 14"),
    (act("repeat()"), r"system act is repeat\(\), expected one of request, confirm"),
    (act("thankyou()"), "system act is thankyou"),
    (act("request()"), "system act is request.*the first three with a slot"),
    (act("confirm()"), "the first three with a slot"), (act("select()"), "the first three with a slot"),
    (act("inform(food=thai)"), "inform with the name of a venue or name=none")])
def test_what_cannot_be_done_is_refused_and_nothing_happens(action, message):
    env = DialogueEnv(seed=0)
    env.reset()
    log = list(env.log)
    with pytest.raises(ValueError, match=message):
        env.step(action)
    assert env.log == log and env.turns == 1 and env.user.patience == env.user.p.patience


@pytest.mark.parametrize("said", ["request(phone)", "request(colour)", "confirm(phone=1)", "confirm(colour=red)",
                                  "select(colour=red)", f"inform(name={A}, colour=red)"])
def test_a_slot_that_users_cannot_constrain_is_answered_without_being_believed(said):
    for answer in ("affirm()", "inform(=dontcare)", "negate(colour=red)"):
        env = DialogueEnv(error_rate=1.0, nbest=3, seed=0)
        env.reset()
        env.step(act(said))
        env.system.hear([(act(answer), 1.0)])
        assert env.system.belief.goal.keys() <= env.domain.informable.keys() and env.system.observe()[0].shape == (268,)


def test_stepping_outside_a_dialogue_is_refused():
    env = DialogueEnv(seed=0)
    with pytest.raises(ValueError, match="dialogue is over, expected reset before step"):
        env.step(4)
    with pytest.raises(ValueError, match="dialogue is empty, expected reset"):
        env.transcript()
    env = opened()
    env.step(act(OFFER))
    with pytest.raises(ValueError, match="dialogue is over, expected reset before step"):
        env.step(4)


@pytest.mark.parametrize("settings, message", [
    ({"error_rate": 2}, "error_rate is 2"), ({"nbest": 0}, "nbest is 0"), ({"max_turns": 0}, "max_turns is 0"),
    ({"max_turns": 2.5}, "max_turns is 2.5, expected a whole number"),
    ({"action_space": "flat"}, "action_space is 'flat'"),
    ({"channel": "x"}, "channel is 'x'"),
    ({"user": "x"}, "user is 'x'"), ({"domain": "Laptops11"}, "domain is 'Laptops11', expected a Domain"),
    ({"seed": -1}, "seed is -1, expected a whole number of at least 0, or several"), ({"seed": "x"}, "seed is 'x'"),
    ({"mask": "x"}, "mask is 'x', expected one of all, bye, none")])
def test_settings_outside_their_range_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        DialogueEnv(**settings)
