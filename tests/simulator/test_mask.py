"""The mask: when each action may be taken."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.actions import Actions
from simulator.belief import FocusTracker
from tests.simulator.strategies import MASTER, OFFER, SUMMARY, WISHES, A, B, after, allowed, small_domain

REQUESTS = {"request_area", "request_food", "request_pricerange"}
FOODS = {"confirm_food"}
ALL = {"confirm_area", "confirm_food", "confirm_pricerange"}
START = ("hello()", WISHES)


@pytest.mark.parametrize("turns, expected", [
    ([("hello()", "hello()")], set()),
    ([("hello()", "inform(type=restaurant)")], set()),
    ([("hello()", "reqalts()")], set()),                                                 # nothing was offered before
    ([("hello()", "bye()")], set()),                                                     # 1/2 is not more than 1/2
    ([("hello()", "inform(food=indian)")], FOODS),
    ([("hello()", ("inform(food=indian)", 0.6), ("inform(food=thai)", 0.4))], FOODS | {"select_food"}),
    ([("hello()", "inform(food=thai)")], FOODS),                                         # the two differ in area
    ([("hello()", "inform(food=thai, area=dontcare)")], FOODS | {"confirm_area", "inform"}),
    ([("hello()", "inform(food=chinese, area=centre)")], FOODS | {"confirm_area"}),
    ([("hello()", "inform(food=korean)")], FOODS | {"inform"}),
    ([("hello()", "inform(food=swiss)")], FOODS | {"inform"}),                           # to say that there is none
    ([("hello()", "inform(food=dontcare, area=dontcare, pricerange=dontcare)")], ALL | {"inform"}),
    ([START], ALL | {"inform"}),
    ([START, (OFFER, "thankyou()")], ALL | {"inform", "reqmore"}),                       # the method is sticky
    ([START, (OFFER, "request(phone)")], ALL | {"inform_byname", "inform_requested", "reqmore"}),
    ([START, (OFFER, "reqalts()")], ALL | {"inform_alternatives", "reqmore"}),
    ([START, (OFFER, "bye()")], ALL | {"reqmore", "bye"}),
    ([("hello()", f"inform(name={A})")], {"inform_byname"}),
    ([("hello()", (f"inform(name={A})", 0.4), ("hello()", 0.6))], set()),                # by name, but by which?
    ([("hello()", "inform(food=swiss)"), ("inform(name=none, food=swiss)", "reqalts(food=thai)")], FOODS)])
def test_what_is_allowed_beside_requests(turns, expected):
    assert allowed(after(*turns)) == REQUESTS | expected


def test_four_accepted_slots_are_enough_even_if_a_question_could_split_the_venues():
    values = {letter: "xy" for letter in "abcde"}
    domain = small_domain(tuple(values), values, ["xxxxx", "xxxxy"])
    tracker = FocusTracker(domain)
    actions = Actions(domain, tracker, "summary", np.random.default_rng(0))
    three = after(("hello()", "inform(a=x, b=x, c=x)"), tracker=tracker)
    four = after(("hello()", "inform(a=x, b=x, c=x, d=x)"), tracker=tracker)
    assert three.match.discriminable and four.match.discriminable
    assert not actions.mask(three)[0] and actions.mask(four)[0]


@given(st.integers(0, 2 ** 32), st.integers(1, 3))
def test_the_master_mask_repeats_the_summary_mask_for_every_payload(seed, n):
    rng = np.random.default_rng(seed)
    said = ["hello()", WISHES, "reqalts()", "request(phone)", f"inform(name={B})", "bye()", "thankyou()"]
    belief = after(*[(str(rng.choice(["reqmore()", OFFER])), str(rng.choice(said))) for _ in range(n)])
    summary, master = SUMMARY.mask(belief), MASTER.mask(belief)
    assert master.shape == (1035,) and master.dtype == summary.dtype == bool and summary.any()
    assert (master[:1024].reshape(4, 256) == summary[:4, None]).all() and (master[1024:] == summary[4:]).all()
