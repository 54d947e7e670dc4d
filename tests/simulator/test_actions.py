"""System actions: their indices and names."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.actions import INFORMS, MAX_PAYLOAD_SLOTS, Actions
from simulator.belief import FocusTracker
from tests.simulator.strategies import DOMAIN, MASTER, SUMMARY, TRACKER, small_domain

NAMES = ("inform", "inform_byname", "inform_requested", "inform_alternatives", "request_area", "confirm_area",
         "select_area",
         "request_food", "confirm_food", "select_food", "request_pricerange", "confirm_pricerange", "select_pricerange",
         "reqmore", "bye")
PAYLOAD = ("addr", "area", "food", "phone", "pricerange", "postcode", "signature", "description")


def test_the_summary_actions_and_their_order():
    assert SUMMARY.summary == NAMES and SUMMARY.n == 15 and [SUMMARY.name(i) for i in range(15)] == list(NAMES)
    assert INFORMS == NAMES[:4]


def test_the_master_actions_and_their_order():
    assert MASTER.n == 4 * 256 + 11 and MASTER.n_payloads == 256
    assert MASTER.name(0) == "inform()" and MASTER.name(255) == f"inform({', '.join(PAYLOAD)})"
    assert MASTER.name(256) == "inform_byname()" and MASTER.name(3 * 256 + 0b1001) == "inform_alternatives(addr, phone)"
    assert [MASTER.name(1024 + j) for j in range(11)] == list(NAMES[4:])


@given(st.integers(0, MASTER.n - 1))
def test_index_undoes_parts_in_the_master_space(action):
    method, payload = MASTER.parts(action)
    assert MASTER.index(method, payload) == action and MASTER.parts(np.int64(action)) == (method, payload)
    assert (payload is None) == (method not in INFORMS)


def test_index_undoes_parts_in_the_summary_space():
    assert [SUMMARY.index(*SUMMARY.parts(i)) for i in range(15)] == list(range(15))
    assert all(SUMMARY.parts(i) == (NAMES[i], None) for i in range(15))


@given(st.sampled_from(INFORMS), st.lists(st.sampled_from(PAYLOAD)))
def test_a_payload_is_a_set_whatever_its_order_and_repetitions(method, payload):
    name, slots = MASTER.parts(MASTER.index(method, tuple(payload)))
    assert name == method and set(slots) == set(payload) and list(slots) == [s for s in PAYLOAD if s in payload]


@pytest.mark.parametrize("call, message", [
    (lambda: SUMMARY.parts(15), "action is 15, expected a whole number from 0 to 14"),
    (lambda: SUMMARY.parts(-1), "action is -1"), (lambda: SUMMARY.parts(1.0), "action is 1.0"),
    (lambda: MASTER.parts(1035), "from 0 to 1034"),
    (lambda: SUMMARY.index("inform_nothing"), "action is 'inform_nothing', expected one of inform, "),
    (lambda: SUMMARY.index("inform", ("food",)), "payload of inform is"),
    (lambda: MASTER.index("inform"), "payload of inform is None"),
    (lambda: MASTER.index("bye", ()), "payload of bye is"),
    (lambda: MASTER.index("inform", ("name",)), r"payload of inform is \('name',\), expected any of \('addr', 'area'"),
    (lambda: Actions(DOMAIN, TRACKER, "medium", np.random.default_rng(0)),
     "action_space is 'medium', expected 'summary' or")])
def test_what_is_no_action_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_master_space_that_is_too_large_is_refused_and_its_summary_space_works():
    values = {f"s{i}": "xy" for i in range(20)}
    domain = small_domain(tuple(values)[:11], values, ["x" * 20] * 2)
    message = r"expected 'summary' in small, with 20 payload slots: .* 4 x 2\^20 \+ 35 actions are too many"
    with pytest.raises(ValueError, match=message):
        Actions(domain, FocusTracker(domain), "master", np.random.default_rng(0))
    assert Actions(domain, FocusTracker(domain), "summary", np.random.default_rng(0)).n == 39
    values = {f"s{i:02}": "xy" for i in range(MAX_PAYLOAD_SLOTS)}
    domain = small_domain(tuple(values)[:1], values, ["x" * MAX_PAYLOAD_SLOTS] * 2)
    assert Actions(domain, FocusTracker(domain), "master", np.random.default_rng(0)).n == 4 * 2 ** 12 + 5
