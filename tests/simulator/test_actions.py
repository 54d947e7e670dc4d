"""System actions: their indices and names, and the mask: when each may be taken."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.actions import INFORMS, MAX_PAYLOAD_SLOTS
from tests.simulator.strategies import MASTER, OFFER, SUMMARY, WISHES, A, B, actions_of, after, small_domain

NAMES = ("inform", "inform_byname", "inform_requested", "inform_alternatives", "request_area", "confirm_area",
         "select_area", "request_food", "confirm_food", "select_food", "request_pricerange", "confirm_pricerange",
         "select_pricerange", "reqmore", "bye")
PAYLOAD = ("addr", "area", "food", "phone", "pricerange", "postcode", "signature", "description")


def test_the_actions_and_their_order():
    assert INFORMS == NAMES[:4] and SUMMARY.n == 15 and [SUMMARY.name(i) for i in range(15)] == list(NAMES)
    assert MASTER.n == 4 * 256 + 11 and [MASTER.name(1024 + i) for i in range(11)] == list(NAMES[4:])
    assert MASTER.name(0) == "inform()" and MASTER.name(255) == f"inform({', '.join(PAYLOAD)})"
    assert MASTER.name(256) == "inform_byname()" and MASTER.name(3 * 256 + 0b1001) == "inform_alternatives(addr, phone)"


@pytest.mark.parametrize("actions, with_payload", [(SUMMARY, ()), (MASTER, INFORMS)])
def test_index_undoes_parts(actions, with_payload):
    for action in range(actions.n):
        name, payload = actions.parts(np.int64(action))
        assert actions.index(name, payload) == action and (payload is not None) == (name in with_payload)


@given(st.sampled_from(INFORMS), st.lists(st.sampled_from(PAYLOAD)))
def test_a_payload_is_a_set_whatever_its_order_and_repetitions(inform, payload):
    assert MASTER.parts(MASTER.index(inform, tuple(payload))) == (inform, tuple(s for s in PAYLOAD if s in payload))


@pytest.mark.parametrize("call, message", [
    (lambda: SUMMARY.parts(15), "action is 15, expected a whole number from 0 to 14"),
    (lambda: SUMMARY.parts(-1), "action is -1"), (lambda: SUMMARY.parts(1.0), "action is 1.0"),
    (lambda: MASTER.parts(1035), "from 0 to 1034"),
    (lambda: SUMMARY.index("inform_nothing"), "action is 'inform_nothing', expected one of inform, "),
    (lambda: SUMMARY.index("inform", ("food",)), "payload of inform is"),
    (lambda: MASTER.index("inform"), "payload of inform is None"),
    (lambda: MASTER.index("bye", ()), "payload of bye is"),
    (lambda: MASTER.index("inform", ("name",)), r"payload of inform is \('name',\), expected any of \('addr', 'area'")])
def test_what_is_no_action_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_master_space_that_is_too_large_is_refused_and_its_summary_space_works():
    large, largest = (small_domain(dict.fromkeys((f"s{i:02}" for i in range(n)), "xy"), ["x" * n] * 2)
                      for n in (20, MAX_PAYLOAD_SLOTS))
    with pytest.raises(ValueError, match=r"expected 'summary' in small, with 20 payload slots: .* 4 x 2\^20 \+ 62 act"):
        actions_of(large, "master")
    assert actions_of(large).n == 4 + 3 * 20 + 2 and actions_of(largest, "master").n == 4 * 2 ** 12 + 3 * 12 + 2


# ---- the mask

REQUESTS, FOODS = {"request_area", "request_food", "request_pricerange"}, {"confirm_food"}
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
    assert {NAMES[i] for i in np.flatnonzero(SUMMARY.mask(after(*turns)))} == REQUESTS | expected


def test_four_accepted_slots_are_enough_even_if_a_question_could_split_the_venues():
    actions = actions_of(small_domain(dict.fromkeys("abcde", "xy"), ["xxxxx", "xxxxy"]))
    three, four = (after(("hello()", f"inform({wishes})"), tracker=actions.tracker)
                   for wishes in ("a=x, b=x, c=x", "a=x, b=x, c=x, d=x"))
    assert four.match.discriminable and not actions.mask(three)[0] and actions.mask(four)[0]


@given(st.integers(0, 2 ** 32), st.integers(1, 3))
def test_the_master_mask_repeats_the_summary_mask_for_every_payload(seed, n):
    rng = np.random.default_rng(seed)
    said = ["hello()", WISHES, "reqalts()", "request(phone)", f"inform(name={B})", "bye()", "thankyou()"]
    belief = after(*[(str(rng.choice(["reqmore()", OFFER])), str(rng.choice(said))) for _ in range(n)])
    summary, master = SUMMARY.mask(belief), MASTER.mask(belief)
    assert master.shape == (1035,) and master.dtype == summary.dtype == bool and summary.any()
    assert (master[:1024].reshape(4, 256) == summary[:4, None]).all() and (master[1024:] == summary[4:]).all()
