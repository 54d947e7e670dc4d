"""From act to action: the one that says it, or the nearest that is allowed."""
import numpy as np
import pytest

from simulator.actions import Actions
from simulator.acts import parse_act as act
from tests.simulator.strategies import DOMAIN, MASTER, OFFER, SUMMARY, TRACKER, WISHES, B, after

BELIEFS = [after(), after(("hello()", WISHES)), after(("hello()", WISHES), (OFFER, "request(phone)")),
           after(("hello()", WISHES), (OFFER, "reqalts()")), after(("hello()", "inform(food=swiss)")),
           after(("hello()", ("inform(food=thai)", 0.5), ("inform(food=indian)", 0.4)))]


@pytest.mark.parametrize("belief", BELIEFS)
@pytest.mark.parametrize("actions", [SUMMARY, MASTER])
def test_the_action_that_says_what_an_action_says_says_the_same(actions, belief):
    every = np.ones(actions.n, bool)
    for action in range(0, actions.n, 1 if actions is SUMMARY else 37):
        said = actions.without_luck().to_act(action, belief)
        found = actions.saying(said, belief, every)
        assert actions.without_luck().to_act(found, belief) == said


def test_acts_without_a_venue_are_said_by_their_type_and_slot():
    for text, name in (("request(food)", "request_food"), ("confirm(area=north)", "confirm_area"),
                       ("select(area=north, area=south)", "select_area"), ("reqmore()", "reqmore"), ("bye()", "bye")):
        for actions in (SUMMARY, MASTER):
            assert actions.name(actions.saying(act(text), after(), np.ones(actions.n, bool))) == name


def test_informs_are_said_by_their_venue_and_what_they_tell():
    offered = after(("hello()", WISHES), (OFFER, "request(phone)"))
    other = after(("hello()", WISHES), (OFFER, "reqalts()"))
    everything = np.ones(SUMMARY.n, bool)
    assert SUMMARY.name(SUMMARY.saying(act(OFFER), after(("hello()", WISHES)), everything)) == "inform"
    told = SUMMARY.without_luck().inform("inform_requested", None, offered)
    assert told.value("phone") and SUMMARY.name(SUMMARY.saying(told, offered, everything)) == "inform_byname"
    next_venue = act(f"inform(name={B}, area=centre, food=chinese, pricerange=cheap)")
    assert SUMMARY.name(SUMMARY.saying(next_venue, other, everything)) == "inform_alternatives"


def test_in_the_master_space_an_inform_tells_the_slots_of_the_act():
    found = MASTER.saying(act(OFFER), after(("hello()", WISHES)), np.ones(MASTER.n, bool))
    assert MASTER.name(found) == "inform(area, food, pricerange)"
    nothing = act("inform(name=none, food=swiss)")
    found = MASTER.saying(nothing, after(("hello()", "inform(food=swiss)")), np.ones(MASTER.n, bool))
    assert MASTER.name(found) == "inform(food)"


def test_where_the_mask_forbids_it_the_nearest_allowed_action_is_taken():
    belief, mask = after(("hello()", WISHES), (OFFER, "request(phone)")), np.ones(SUMMARY.n, bool)
    told = SUMMARY.without_luck().inform("inform_byname", None, belief)
    for forbidden, name in (("inform_byname", "inform_requested"), ("inform_requested", "inform")):
        mask[SUMMARY.index(forbidden)] = False
        assert SUMMARY.name(SUMMARY.saying(told, belief, mask)) == name
    only = np.arange(SUMMARY.n) == SUMMARY.index("bye")
    assert SUMMARY.saying(told, belief, only) == SUMMARY.index("bye")


def test_looking_for_an_action_draws_no_lots():
    actions = Actions(DOMAIN, TRACKER, "summary", np.random.default_rng(7))
    before = actions.rng.bit_generator.state
    actions.saying(act("inform(name=x, phone=1)"), after(), np.ones(actions.n, bool))
    assert actions.rng.bit_generator.state == before and actions.without_luck().rng is not actions.rng
