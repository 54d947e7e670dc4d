"""What each action says: questions, offers, details, alternatives, and that there is nothing."""
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.actions import INFORMS
from tests.simulator.strategies import (DOMAIN, MASTER, OFFER, SUMMARY, WISHES, A, B, act, actions_of, after,
                                        small_domain)

PAYLOAD = DOMAIN.payload_slots
START, AFGHAN = ("hello()", WISHES), ("hello()", "inform(food=afghan)")
THREE = ("hello()", ("inform(food=indian)", 0.3), ("inform(food=thai)", 0.5), ("inform(food=french)", 0.2))
SEEN_B = (OFFER.replace(A, B), "thankyou()")
NONE_FITS = ("hello()", "inform(food=swiss, area=dontcare, pricerange=cheap)")


def says(belief, method, payload=None, actions=None):
    actions = actions or (SUMMARY if payload is None else MASTER)
    return actions.act(method, payload, belief)

@pytest.mark.parametrize("turns, name, text", [
    ([START], "request_food", "request(food)"), ([START], "reqmore", "reqmore()"), ([START], "bye", "bye()"),
    ([THREE], "confirm_food", "confirm(food=thai)"), ([THREE], "select_food", "select(food=thai, food=indian)"),
    ([AFGHAN], "select_food", "select(food=afghan, food=african)"),       # the first of the ontology fill up
    ([AFGHAN], "confirm_area", "confirm(area=centre)"),
    ([AFGHAN], "select_pricerange", "select(pricerange=cheap, pricerange=moderate)"),
    ([START], "inform", OFFER),
    ([("hello()", "inform(food=chinese, area=dontcare, pricerange=cheap)")], "inform", OFFER),     # its own area
    ([START, SEEN_B], "inform", OFFER.replace(A, B)),                     # it sticks to the last one while it fits
    ([START, (OFFER.replace(A, B), "inform(food=korean, pricerange=expensive)")], "inform",
     "inform(name=the hanok, area=centre, food=korean, pricerange=expensive)"),
    ([NONE_FITS], "inform", "inform(name=none, food=swiss, pricerange=cheap)"),
    ([NONE_FITS], "inform_alternatives", "inform(name=none, food=swiss, pricerange=cheap)"),
    ([START, (OFFER, "reqalts()")], "inform_alternatives", OFFER.replace(A, B)),
    ([START, (OFFER.replace(A, B), "reqalts()")], "inform_alternatives", OFFER),
    ([START, (OFFER, "reqalts()"), ("inform(name=none, food=swiss)", "reqalts()")], "inform_alternatives", OFFER)])
def test_what_an_action_says(turns, name, text):
    assert str(says(after(*turns), name)) == text
    assert name.startswith("inform") or says(after(*turns), name, actions=MASTER) == says(after(*turns), name)


def test_the_last_resort_of_a_select_is_not_to_care():
    actions = actions_of(small_domain({"x": "a"}, "aa"))
    assert str(says(actions.tracker.initial(), "select_x", actions=actions)) == "select(x=a, x=dontcare)"


def test_an_offer_without_any_wish_is_a_random_venue():
    for wishes, slots in (("hello()", 0), ("inform(food=dontcare)", 1)):
        belief = after(("hello()", wishes))
        offers = [says(belief, "inform") for _ in range(300)]
        assert len({offer.value("name") for offer in offers}) > 80
        assert {len(offer.items) for offer in offers} == {1 + slots}


def test_an_offer_leaves_out_what_the_table_lacks_and_says_five_slots_at_most():
    values = dict.fromkeys("abcdefg", "xy")
    actions = actions_of(small_domain(values, ["xxxxxxx"]))
    venue, tracker = actions.domain.venues[0], actions.tracker
    venue.update(a="", b="not available")
    missing = after(("hello()", "inform(a=dontcare, b=dontcare, c=x)"), tracker=tracker)
    assert says(missing, "inform", actions=actions) == act("inform(name=v0, c=x)")
    venue.update(a="x", b="x")
    seven = after(("hello()", f"inform({', '.join(f'{slot}=dontcare' for slot in values)})"), tracker=tracker)
    said = Counter(item.slot for _ in range(70) for item in says(seven, "inform", actions=actions).items)
    assert said.pop("name") == 70 and sum(said.values()) == 350 and said.keys() == set(values)


def test_when_all_matches_were_offered_they_are_listed_with_what_is_believed():
    wishes = ("hello()", "inform(food=chinese, area=dontcare, pricerange=cheap)")
    names = [venue["name"] for venue in after(wishes).match.venues]
    belief = after(wishes, *[(f"inform(name={name})", "reqalts()") for name in names])
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
                 ("reqmore()", ("request(addr)", 0.1), ("null()", 0.9)))
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


def test_byname_follows_the_name_that_was_likely_said_else_and_requested_always_the_last_offer():
    for heard, told in (([f"request(phone, name={A})"], A),
                        ([("request(phone)", 0.7), (f"inform(name={A})", 0.3)], B)):
        belief = after(("hello()", WISHES), (OFFER.replace(A, B), *heard))
        assert said(says(belief, "inform_byname")) == details(told, "phone")
        assert said(says(belief, "inform_requested")) == details(B, "phone")


def test_byname_about_a_venue_that_does_not_exist_says_none():
    for name in ("nowhere to be found", "dontcare", "seven bridges"):
        assert says(after(("hello()", f"inform(name={name})")), "inform_byname") == act("inform(name=none)")


def test_without_mask_and_without_any_venue_a_random_one_is_told_about():
    belief = after(("hello()", "hello()"))
    for method in ("inform_byname", "inform_requested"):
        assert len({says(belief, method).value("name") for _ in range(200)}) > 60


@given(st.sampled_from(INFORMS), st.sets(st.sampled_from(PAYLOAD)))
def test_a_master_inform_tells_exactly_the_payload_of_the_venue_of_the_summary_action(inform, payload):
    belief, payload = after(("hello()", WISHES), (OFFER, "request(phone)")), tuple(sorted(payload))
    told = says(belief, inform, payload)
    assert [item.slot for item in told.items] == ["name", *payload]
    assert said(told) == details(says(belief, inform).value("name"), *payload)


def test_where_there_is_no_venue_the_payload_is_ignored():
    belief = after(("hello()", "inform(food=swiss)"))
    assert says(belief, "inform", ("phone",)) == says(belief, "inform") == act("inform(name=none, food=swiss)")
