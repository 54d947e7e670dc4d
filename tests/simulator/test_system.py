"""The system's side on its own: what it observes, says, hears and forgets, whoever answers."""
import numpy as np
import pytest

from simulator.system import System
from tests.simulator.strategies import DOMAIN, OFFER, VECTOR, WISHES, A, B, act, after


def system(space="summary", mask="all", *turns):
    """A system after some turns, each (what it said, what it heard)."""
    made = System(DOMAIN, space, mask, np.random.default_rng(0))
    for said, heard in turns:
        made.say(act(said))
        made.hear([(act(heard), 1.0)])
    return made


def test_it_hears_the_answer_to_what_it_said_last_and_a_reset_forgets_all():
    made = system()
    assert made.say(act("request(area)")) == made.said == act("request(area)")
    made.hear([(act("inform(=dontcare)"), 1.0)])
    assert made.belief == after(("request(area)", "inform(=dontcare)"))
    made.reset()
    assert (made.said, made.action, made.belief) == (act("hello()"), "", made.tracker.initial())


@pytest.mark.parametrize("mask, allowed", [("all", [4, 7, 8, 10]), ("bye", range(14)), ("none", range(15))])
def test_it_observes_its_belief_as_a_vector_and_what_is_allowed(mask, allowed):
    made = system("summary", mask, ("hello()", "inform(food=thai)"))
    vector, seen = made.observe()
    np.testing.assert_array_equal(vector, VECTOR.encode(made.belief))
    assert np.flatnonzero(seen).tolist() == list(allowed) and seen.dtype == bool


def test_the_mask_is_computed_once_a_turn_and_what_is_done_to_a_copy_changes_nothing(monkeypatch):
    made = system("summary", "all", ("hello()", WISHES))
    beliefs, mask = [], made.actions.mask
    monkeypatch.setattr(made.actions, "mask", lambda belief: beliefs.append(belief) or mask(belief))
    for said in ("request_area", "confirm_food", "inform"):
        _, seen = made.observe()
        seen[:] = True
        made.say(made.actions.index(said))
        with pytest.raises(ValueError, match="expected one that the mask allows now"):
            made.say(made.actions.index("bye"))
        made.hear([(act("hello()"), 1.0)])
    assert len(beliefs) == 3


def test_an_action_is_said_as_its_act_and_remembered_by_name():
    made = system("summary", "all", ("hello()", WISHES))
    assert made.say(made.actions.index("inform")) == act(OFFER) and made.action == "inform"
    made.say(act("reqmore()"))
    assert made.action == ""


@pytest.mark.parametrize("space, payload, said", [
    ("summary", None, OFFER.replace(A, B)), ("master", ("area",), f"inform(name={B}, area=centre)")])
def test_another_venue_is_due_until_the_action_that_gives_one_has_been_heard(space, payload, said):
    made = system(space, "all", ("hello()", WISHES), (OFFER, "reqalts()"))
    alternatives = made.actions.index("inform_alternatives", payload)
    made.say(act("request(area)"))
    made.hear([(act("hello()"), 1.0)])
    assert made.belief.alternatives_due and made.mask()[alternatives]
    assert made.say(alternatives) == act(said)
    made.hear([(act("inform(area=centre)"), 1.0)])
    assert not made.belief.alternatives_due and not made.mask()[alternatives]


def test_an_action_that_was_not_said_after_all_gives_nothing():
    made = system("summary", "all", ("hello()", WISHES), (OFFER, "reqalts()"))
    made.say(made.actions.index("inform_alternatives"))
    made.say(made.actions.index("request_area"))                 # a second thought
    made.hear([(act("hello()"), 1.0)])
    assert made.belief.alternatives_due


def test_a_value_is_forgotten_and_the_others_stay():
    made = system()
    made.hear([(act("inform(food=thai, area=north)"), 0.6), (act("inform(food=greek)"), 0.4)])
    before = made.belief
    made.forget("food", "thai")
    assert made.belief.goal == {"food": {"greek": 0.4}, "area": {"north": 0.6}}
    assert before.goal["food"] == {"thai": 0.6, "greek": 0.4}    # an older belief is left alone
    for slot, value in (("food", "french"), ("pricerange", "cheap"), (None, "dontcare")):
        made.forget(slot, value)
    assert made.belief.goal == {"food": {"greek": 0.4}, "area": {"north": 0.6}}
