"""System actions: their indices and names, and what each says."""
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.actions import INFORMS, MAX_PAYLOAD_SLOTS, Actions
from simulator.acts import DONTCARE
from simulator.acts import parse_act as act
from simulator.belief import FocusTracker
from tests.simulator.strategies import DOMAIN, MASTER, OFFER, SUMMARY, TRACKER, WISHES, A, B, after, small_domain

NAMES = ("inform", "inform_byname", "inform_requested", "inform_alternatives", "request_area", "confirm_area",
         "select_area",
         "request_food", "confirm_food", "select_food", "request_pricerange", "confirm_pricerange", "select_pricerange",
         "reqmore", "bye")
PAYLOAD = ("addr", "area", "food", "phone", "pricerange", "postcode", "signature", "description")


def says(belief, method, payload=None, actions=None):
    actions = actions or (SUMMARY if payload is None else MASTER)
    return actions.to_act(actions.index(method, payload), belief)


# ---- indices and names

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


# ---- from action to act

def test_requests_reqmore_and_bye_say_themselves():
    belief = after(("hello()", WISHES))
    for name, text in (("request_food", "request(food)"), ("reqmore", "reqmore()"), ("bye", "bye()")):
        assert says(belief, name) == act(text) and MASTER.to_act(MASTER.index(name), belief) == act(text)


def test_confirm_and_select_take_the_likeliest_values():
    belief = after(("hello()", ("inform(food=indian)", 0.3), ("inform(food=thai)", 0.5), ("inform(food=french)", 0.2)))
    assert says(belief, "confirm_food") == act("confirm(food=thai)")
    assert str(says(belief, "select_food")) == "select(food=thai, food=indian)"


def test_without_belief_the_first_values_of_the_ontology_are_taken():
    belief = after(("hello()", "inform(food=afghan)"))
    assert str(says(belief, "select_food")) == "select(food=afghan, food=african)"
    assert says(belief, "confirm_area") == act("confirm(area=centre)")
    assert str(says(belief, "select_pricerange")) == "select(pricerange=cheap, pricerange=moderate)"
    narrow = small_domain(("x",), {"x": "a"}, ["a", "a"])
    actions = Actions(narrow, FocusTracker(narrow), "summary", np.random.default_rng(0))
    assert str(says(FocusTracker(narrow).initial(), "select_x", actions=actions)) == "select(x=a, x=dontcare)"


def test_inform_offers_the_first_match_with_what_is_accepted():
    assert str(says(after(("hello()", WISHES)), "inform")) == OFFER


def test_inform_tells_the_venues_own_value_where_the_user_does_not_care():
    offer = says(after(("hello()", "inform(food=chinese, area=dontcare, pricerange=cheap)")), "inform")
    assert str(offer) == OFFER and DONTCARE not in str(offer)


def test_inform_sticks_to_the_last_venue_while_it_fits():
    offer_b = OFFER.replace(A, B)
    assert str(says(after(("hello()", WISHES), (offer_b, "thankyou()")), "inform")) == offer_b
    misfit = after(("hello()", WISHES), (offer_b, "inform(food=korean, pricerange=expensive)"))
    assert says(misfit, "inform").value("name") == "the hanok"
    assert str(SUMMARY.inform("inform", None, after(("hello()", WISHES), (offer_b, "thankyou()")),
                              stick=False)) == OFFER


def test_inform_says_none_with_the_wishes_that_matter():
    belief = after(("hello()", "inform(food=swiss, area=dontcare, pricerange=cheap)"))
    assert says(belief, "inform") == act("inform(name=none, food=swiss, pricerange=cheap)")
    assert says(belief, "inform_alternatives") == act("inform(name=none, food=swiss, pricerange=cheap)")


def test_an_offer_without_any_wish_is_a_random_venue():
    for wishes, slots in (("hello()", 0), ("inform(food=dontcare)", 1)):
        belief = after(("hello()", wishes))
        offers = [says(belief, "inform") for _ in range(300)]
        assert len({offer.value("name") for offer in offers}) > 80
        assert {len(offer.items) for offer in offers} == {1 + slots}


def test_an_offer_leaves_out_what_the_table_lacks_and_says_five_slots_at_most():
    values = {letter: "xy" for letter in "abcdefg"}
    domain = small_domain(tuple(values), values, ["xxxxxxx"])
    domain.venues[0].update(a="", b="not available")
    tracker = FocusTracker(domain)
    actions = Actions(domain, tracker, "summary", np.random.default_rng(0))
    missing = after(("hello()", "inform(a=dontcare, b=dontcare, c=x)"), tracker=tracker)
    assert says(missing, "inform", actions=actions) == act("inform(name=v0, c=x)")
    domain.venues[0].update(a="x", b="x")
    seven = after(("hello()", f"inform({', '.join(f'{slot}=dontcare' for slot in values)})"), tracker=tracker)
    said = Counter(item.slot for _ in range(70) for item in says(seven, "inform", actions=actions).items)
    assert said.pop("name") == 70 and sum(said.values()) == 350 and said.keys() == set(values)


def test_alternatives_offer_the_first_venue_that_was_not_offered():
    belief = after(("hello()", WISHES), (OFFER, "reqalts()"))
    assert str(says(belief, "inform_alternatives")) == OFFER.replace(A, B)
    belief = after(("hello()", WISHES), (OFFER.replace(A, B), "reqalts()"))
    assert str(says(belief, "inform_alternatives")) == OFFER


def test_after_nothing_was_found_all_venues_are_new_again():
    belief = after(("hello()", WISHES), (OFFER, "reqalts()"), ("inform(name=none, food=swiss)", "reqalts()"))
    assert says(belief, "inform_alternatives").value("name") == A


def test_when_all_matches_were_offered_they_are_listed_with_what_is_believed():
    wishes = ("hello()", "inform(food=chinese, area=dontcare, pricerange=cheap)")
    first = says(after(wishes), "inform_alternatives")
    names = [venue["name"] for venue in after(wishes).match.venues]
    belief = after(wishes, *[(str(first).replace(first.value("name"), name), "reqalts()") for name in names])
    listed = ", ".join(f"name!={name}" for name in names)
    assert str(says(belief, "inform_alternatives")) == (
        f"inform(name=none, {listed}, area=dontcare, food=chinese, pricerange=cheap)")


def test_alternatives_without_any_wish_are_random_but_new():
    belief = after(("hello()", "hello()"), (f"inform(name={A})", "reqalts()"))
    names = {says(belief, "inform_alternatives").value("name") for _ in range(300)}
    assert len(names) > 80 and A not in names


def details(name, *slots):
    venue = DOMAIN.by_name[name]
    return [name, *(venue[slot] or "not available" for slot in slots)]


def said(inform):
    return [item.value for item in inform.items]


def test_the_informs_about_a_venue_give_what_is_requested():
    belief = after(("hello()", WISHES), (OFFER, "request(phone, addr)"))
    for method in ("inform_byname", "inform_requested"):
        assert said(says(belief, method)) == details(A, "addr", "phone")


def test_a_request_counts_from_more_than_one_half():
    half = after(("hello()", WISHES), (OFFER, ("request(phone)", 0.5), ("request(addr)", 0.5)),
                 ("reqmore()", ("request(addr)", 0.1),
                                                                                                ("null()", 0.9)))
    assert said(says(half, "inform_requested")) == details(A, "addr")


def test_missing_details_are_said_to_be_not_available():
    nameless = next(venue["name"] for venue in DOMAIN.venues if venue["description"] == "")
    belief = after(("hello()", WISHES), (f"inform(name={nameless})", "request(description, signature)"))
    assert says(belief, "inform_requested").value("description") == "not available"
    assert said(says(belief, "inform_requested", ("description",))) == [nameless, "not available"]


def test_without_a_request_one_random_detail_is_given_and_a_request_for_the_name_is_none():
    for heard in ("hello()", f"confirm(name={A})"):
        belief = after(("hello()", WISHES), (OFFER, heard))
        given_ = Counter(says(belief, "inform_requested").items[1].slot for _ in range(400))
        assert given_.keys() == set(PAYLOAD) and max(given_.values()) < 2.5 * min(given_.values())
        assert all(len(says(belief, "inform_byname").items) == 2 for _ in range(20))


def test_five_requested_slots_at_most_are_given():
    belief = after(("hello()", WISHES), (OFFER, f"request({', '.join(PAYLOAD)})"))
    informs = [says(belief, "inform_requested") for _ in range(40)]
    assert {len(inform.items) for inform in informs} == {6} and len({frozenset(i.items) for i in informs}) > 10


def test_byname_follows_the_name_that_the_user_said_and_requested_the_last_offer():
    belief = after(("hello()", WISHES), (OFFER.replace(A, B), f"request(phone, name={A})"))
    assert said(says(belief, "inform_byname")) == details(A, "phone")
    assert said(says(belief, "inform_requested")) == details(B, "phone")


def test_byname_talks_of_the_last_offer_where_no_name_was_likely_said():
    belief = after(("hello()", WISHES), (OFFER, ("request(phone)", 0.7), (f"inform(name={B})", 0.3)))
    assert said(says(belief, "inform_byname")) == details(A, "phone")


@pytest.mark.parametrize("name", ["nowhere to be found", DONTCARE, "seven bridges"])
def test_byname_about_a_venue_that_does_not_exist_says_none(name):
    belief = after(("hello()", f"inform(name={name})"))
    assert says(belief, "inform_byname") == act("inform(name=none)")


def test_without_mask_and_without_any_venue_a_random_one_is_told_about():
    belief = after(("hello()", "hello()"))
    for method in ("inform_byname", "inform_requested"):
        assert len({says(belief, method).value("name") for _ in range(200)}) > 60


@given(st.sampled_from(INFORMS), st.sets(st.sampled_from(PAYLOAD)))
def test_a_master_inform_says_the_name_and_exactly_the_payload_of_the_venue_that_the_summary_action_takes(method,
                                                                                                          payload):
    payload = tuple(slot for slot in PAYLOAD if slot in payload)
    belief = after(("hello()", WISHES), (OFFER, "request(phone)"))
    told = says(belief, method, payload)
    assert [item.slot for item in told.items] == ["name", *payload]
    assert said(told) == details(says(belief, method).value("name"), *payload)


def test_where_there_is_no_venue_the_payload_is_ignored():
    belief = after(("hello()", "inform(food=swiss)"))
    assert says(belief, "inform", ("phone",)) == says(belief, "inform") == act("inform(name=none, food=swiss)")


# ---- from act to action

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
