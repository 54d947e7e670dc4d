"""The mask: when each action may be taken."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.actions import Actions
from simulator.belief import FocusTracker
from tests.simulator.strategies import MASTER, OFFER, SUMMARY, WISHES, A, B, after, allowed, small_domain

REQUESTS = {"request_area", "request_food", "request_pricerange"}


def test_before_anything_is_known_only_questions_are_allowed():
    assert allowed(after(("hello()", "hello()"))) == REQUESTS


def test_a_value_can_be_confirmed_and_two_be_selected():
    assert allowed(after(("hello()", "inform(food=indian)"))) == REQUESTS | {"confirm_food"}
    two = after(("hello()", ("inform(food=indian)", 0.6), ("inform(food=thai)", 0.4)))
    assert allowed(two) == REQUESTS | {"confirm_food", "select_food"}


@pytest.mark.parametrize("heard, open_now", [
    (WISHES, True), ("inform(food=chinese, area=centre)", False), ("inform(food=thai)", False),
    # the two differ in area
    ("inform(food=thai, area=dontcare)", True), ("inform(food=korean)", True), ("inform(food=swiss)", True),
    ("inform(food=dontcare, area=dontcare, pricerange=dontcare)", True), ("inform(type=restaurant)", False)])
def test_inform_is_allowed_once_no_question_can_split_the_venues(heard, open_now):
    assert ("inform" in allowed(after(("hello()", heard)))) == open_now


def test_inform_needs_a_search_by_constraints():
    assert "inform" in allowed(after(("hello()", WISHES)))
    assert "inform" not in allowed(after(("hello()", WISHES), (OFFER, "request(phone)")))
    assert "inform" not in allowed(after(("hello()", WISHES), (OFFER, "reqalts()")))
    assert "inform" in allowed(after(("hello()", WISHES), (OFFER,
                                                           "thankyou()")))                # the method is sticky


def test_four_accepted_slots_are_enough_even_if_a_question_could_split_the_venues():
    values = {letter: "xy" for letter in "abcde"}
    domain = small_domain(tuple(values), values, ["xxxxx", "xxxxy"])
    tracker = FocusTracker(domain)
    actions = Actions(domain, tracker, "summary", np.random.default_rng(0))
    three = after(("hello()", "inform(a=x, b=x, c=x)"), tracker=tracker)
    four = after(("hello()", "inform(a=x, b=x, c=x, d=x)"), tracker=tracker)
    assert three.match.discriminable and four.match.discriminable
    assert not actions.mask(three)[0] and actions.mask(four)[0]


def test_the_informs_about_a_venue_need_a_question_and_a_venue():
    both = {"inform_byname", "inform_requested"}
    assert both <= allowed(after(("hello()", WISHES), (OFFER, "request(phone)")))
    assert not both & allowed(after(("hello()", WISHES), (OFFER, "thankyou()")))
    named = after(("hello()", f"inform(name={A})"))
    assert both & allowed(named) == {"inform_byname"}
    unsure = after(("hello()", (f"inform(name={A})", 0.4), ("hello()", 0.6)))
    assert unsure.top_method == "byname" and not both & allowed(unsure)


def test_alternatives_need_an_offer_and_a_wish_for_another():
    assert "inform_alternatives" in allowed(after(("hello()", WISHES), (OFFER, "reqalts()")))
    assert "inform_alternatives" not in allowed(after(("hello()", "reqalts()")))
    assert "inform_alternatives" not in allowed(after(("hello()", WISHES), (OFFER, "request(phone)")))
    none_at_once = after(("hello()", "inform(food=swiss)"), ("inform(name=none, food=swiss)", "reqalts(food=thai)"))
    assert not {name for name in allowed(none_at_once) if name.startswith("inform")}


def test_reqmore_needs_an_offer_and_bye_a_goodbye():
    assert "reqmore" not in allowed(after(("hello()", WISHES)))
    assert "reqmore" in allowed(after(("hello()", WISHES), (OFFER, "thankyou()"), ("reqmore()", "negate()")))
    goodbye = after(("hello()", WISHES), (OFFER, "bye()"))
    assert "bye" in allowed(goodbye) and "bye" not in allowed(after(("hello()", WISHES), (OFFER, "thankyou()")))
    assert "bye" not in allowed(after(("hello()", "bye()")))               # 1/2 is not more than 1/2


@given(st.integers(0, 2 ** 32), st.integers(1, 3))
def test_the_master_mask_repeats_the_summary_mask_for_every_payload(seed, n):
    rng = np.random.default_rng(seed)
    said = ["hello()", WISHES, "reqalts()", "request(phone)", f"inform(name={B})", "bye()", "thankyou()"]
    belief = after(*[(str(rng.choice(["reqmore()", OFFER])), str(rng.choice(said))) for _ in range(n)])
    summary, master = SUMMARY.mask(belief), MASTER.mask(belief)
    assert master.shape == (1035,) and master.dtype == summary.dtype == bool and summary.any()
    assert (master[:1024].reshape(4, 256) == summary[:4, None]).all() and (master[1024:] == summary[4:]).all()
