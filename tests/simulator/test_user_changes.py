"""The simulated user, rule by rule: how they change their mind when nothing fits."""
from collections import Counter

import pytest

from simulator.goal import Goal
from tests.simulator.strategies import (AGENDA, DOMAIN, GOAL, NOTHING, OFFER, A, B, C, act, agenda, content,
                                        make_user, replies, reply)

LISTED = f"inform(name=none, name!={A}, name!={B}, food=chinese, area=centre, pricerange=cheap)"


# ---- nothing found, or nothing but venues that were offered before

def test_nothing_found_changes_the_goal_aloud_and_keeps_the_answers():
    user = content(("name", "phone"), accepted=A, answers={"phone": "1"}, excluded=[B], relax=1)
    said = user.respond(act(NOTHING))
    slot = said.items[0].slot
    assert said == act(f"reqalts({slot}=dontcare)") and user.goal.constraints == {**GOAL, slot: "dontcare"}
    assert user.goal.requests == {"name": A, "phone": "1"} and user.goal.excluded == []      # names are forgotten
    user = content(relax=1)
    assert reply(user, NOTHING).startswith("reqalts(") and user.first_offer                  # it was no offer


def test_nothing_found_with_a_misheard_wish_is_corrected():
    assert reply(content(relax=1), "inform(name=none, food=thai)") == "inform(food=chinese)"


def test_from_a_list_of_known_venues_the_user_takes_one_that_they_have_not_excluded():
    user = content(("name", "phone"), excluded=[A])
    assert reply(user, LISTED) == f"request(phone, name={B})"
    assert user.goal.constraints["name"] == B and user.goal.requests["name"] == B and user.goal.excluded == [A]
    assert not user.first_offer


def test_from_a_list_the_accepted_venue_is_taken_again_and_any_if_all_are_refused():
    assert {user.goal.requests["name"] for user in replies(LISTED, 40, accepted=B)[1]} == {B}
    refusing = replies(LISTED, 100, excluded=[A, B, C])[1]
    taken = Counter(user.goal.requests["name"] for user in refusing)
    assert taken.keys() == {A, B} and 30 < taken[A] < 70 and not any(user.goal.excluded for user in refusing)


def test_taking_a_listed_venue_gives_up_what_the_system_did_not_mention():
    user = make_user(agenda=[AGENDA[1], AGENDA[2], "confirm(area=centre)", "bye()"], deal_with_pending=1)
    assert reply(user, f"inform(name=none, name!={A}, food=chinese)") == "inform(food=chinese)"
    assert user.goal.constraints == {"food": "chinese", "area": "dontcare", "pricerange": "dontcare", "name": A}
    assert agenda(user) == ["confirm(area=centre)", "bye()"]                            # only informs are dropped


# ---- goal changes

@pytest.mark.parametrize("text, slots", [
    (NOTHING, GOAL), ("inform(name=none, area=centre)", {"area"}),         # what was mentioned, each as often ...
    (f"inform(name={A}, phone=1)", GOAL), ("inform(name=none)", GOAL)])    # ... else any wish
def test_one_of_the_mentioned_slots_is_changed_but_never_the_name(text, slots):
    accepted = A if text == NOTHING else None
    _, users = replies(text, 300, accepted=accepted, change_goal=1, relax=1, tell_change=1)
    counts = Counter(slot for user in users for slot in GOAL if user.goal.constraints[slot] != GOAL[slot])
    assert counts.keys() == set(slots) and sum(counts.values()) == 300 and min(counts.values()) > 70
    assert not any("name" in user.goal.constraints for user in users)


def test_a_slot_that_is_already_dontcare_can_change_too():
    user = content(constraints={**GOAL, "food": "dontcare"}, change_goal=1, tell_change=1)
    reply(user, f"inform(name={A}, food=thai)")
    assert user.goal.constraints["food"] not in ("dontcare", "thai", None)


def test_a_new_value_was_never_wanted_before_and_dontcare_comes_when_none_is_left():
    user, wanted = content(), ["cheap"]
    for _ in range(3):
        said = reply(user, f"inform(name=none, pricerange={wanted[-1]})")
        wanted.append(user.goal.constraints["pricerange"])
        assert said == f"reqalts(pricerange={wanted[-1]})"
    assert sorted(wanted[:3]) == ["cheap", "expensive", "moderate"] and wanted[3] == "dontcare"


def test_a_new_value_may_match_nothing_and_relaxing_has_its_probability():
    foods = {user.goal.constraints["food"] for user in replies("inform(name=none, food=chinese)", 300)[1]}
    assert len(foods) > 75 and foods <= set(DOMAIN.informable["food"]) - {"chinese"}
    said, _ = replies("inform(name=none, food=chinese)", 300, relax=0.5)
    assert 115 < said["reqalts(food=dontcare)"] < 185


def test_a_silent_change_to_dontcare_excludes_the_offer_and_one_to_a_value_makes_the_user_ask_for_it():
    user = content(change_goal=1, relax=1)
    assert reply(user, OFFER) == "reqalts()" and "dontcare" in user.goal.constraints.values()
    assert user.goal.excluded == [A] and user.goal.requests == {"name": None}
    user = content(change_goal=1)
    assert reply(user, f"inform(name={A}, area=centre)") == "reqalts()" and user.goal.constraints["area"] != "centre"
    assert user.goal.excluded == [] and user.goal.requests == {"name": None, "area": None}


def test_a_change_leaves_pending_informs_of_the_old_value():
    user = make_user(agenda=AGENDA[1:], relax=1)
    assert reply(user, "inform(name=none, food=chinese)") == "reqalts(food=dontcare)" and agenda(user) == AGENDA[1:]


def test_the_unmentioned_excluded_names_count_as_unstated_unless_another_venue_is_named():
    goal = Goal(dict(GOAL), {"name": None}, excluded=[A])
    for text, unstated in (("confirm(food=chinese)", ["area=centre", "pricerange=cheap", f"name!={A}"]),
                           (OFFER.replace(A, B), []), (OFFER, [f"name!={A}"])):
        assert list(map(str, goal.unstated(act(text)))) == unstated
