"""The simulated user, rule by rule: how it changes its mind when nothing fits."""
from collections import Counter

import numpy as np

from simulator.goal import Goal
from tests.simulator.strategies import (AGENDA, DOMAIN, GOAL, NOTHING, OFFER, A, B, C, agenda, content, make_user,
                                        reply)
from tests.simulator.written import parse_act as act


# ---- nothing found, or nothing but venues that were offered before

def test_nothing_found_changes_the_goal_aloud():
    user = content(relax=1)
    said = user.respond(act(NOTHING))
    slot = said.items[0].slot
    assert said == act(f"reqalts({slot}=dontcare)") and user.goal.constraints[slot] == "dontcare"
    assert user.first_offer                                                   # it was no offer


def test_nothing_found_with_a_misheard_wish_is_corrected():
    assert reply(content(relax=1), "inform(name=none, food=thai)") == "inform(food=chinese)"


def test_nothing_found_keeps_the_answers_until_then():
    user = content(("name", "phone"), accepted=A, answers={"phone": "1"}, relax=1)
    reply(user, NOTHING)
    assert user.goal.requests == {"name": A, "phone": "1"} and "name" not in user.goal.constraints


def test_from_a_list_of_known_venues_the_user_takes_one_that_it_has_not_excluded():
    listed = f"inform(name=none, name!={A}, name!={B}, food=chinese, area=centre, pricerange=cheap)"
    user = content(("name", "phone"))
    user.goal.excluded = [A]
    assert user.respond(act(listed)) == act(f"request(phone, name={B})")
    assert user.goal.constraints["name"] == B and user.goal.requests["name"] == B and user.goal.excluded == [A]
    assert not user.first_offer


def test_from_a_list_the_accepted_venue_is_taken_again_and_any_if_all_are_refused():
    listed = f"inform(name=none, name!={A}, name!={B}, food=chinese, area=centre, pricerange=cheap)"
    taken = Counter()
    for seed in range(100):
        user = content(accepted=B)
        user.rng = np.random.default_rng(seed)
        reply(user, listed)
        assert user.goal.requests["name"] == B
        user = content()
        user.goal.excluded, user.rng = [A, B, C], np.random.default_rng(seed)
        reply(user, listed)
        taken[user.goal.requests["name"]] += 1
        assert user.goal.excluded == []
    assert taken.keys() == {A, B} and 30 < taken[A] < 70


def test_taking_a_listed_venue_gives_up_what_the_system_did_not_mention():
    user = make_user(agenda=[AGENDA[1], AGENDA[2], "confirm(area=centre)", "bye()"], deal_with_pending=1)
    assert reply(user, f"inform(name=none, name!={A}, food=chinese)") == "inform(food=chinese)"
    assert user.goal.constraints == {"food": "chinese", "area": "dontcare", "pricerange": "dontcare", "name": A}
    assert agenda(user) == ["confirm(area=centre)", "bye()"]                              # only its informs are dropped


# ---- goal changes

def changed(text=NOTHING, n=300, constraints=GOAL, **more):
    users = []
    for seed in range(n):
        user = make_user(constraints, agenda=["bye()"], **more)
        user.rng = np.random.default_rng(seed)
        user.respond(act(text))
        users.append(user)
    return users


def slots_changed(users):
    return Counter(slot for user in users for slot in GOAL if user.goal.constraints[slot] != GOAL[slot])


def test_a_mentioned_slot_is_changed_each_as_often():
    counts = slots_changed(changed(relax=1))
    assert sum(counts.values()) == 300 and min(counts.values()) > 70
    assert slots_changed(changed("inform(name=none, area=centre)", relax=1)).keys() == {"area"}


def test_without_a_mentioned_slot_any_wish_may_change_but_never_the_name():
    counts = slots_changed(changed(f"inform(name={A}, phone=1)", change_goal=1, relax=1, tell_change=1))
    assert sum(counts.values()) == 300 and min(counts.values()) > 70
    user = content(accepted=A, relax=1)
    for _ in range(20):
        reply(user, "inform(name=none)")
        user.patience = 5
    assert "name" not in user.goal.constraints


def test_a_slot_that_is_already_dontcare_can_change_too():
    user = content(change_goal=1, tell_change=1)
    user.goal.constraints["food"] = "dontcare"
    reply(user, f"inform(name={A}, food=thai)")
    assert user.goal.constraints["food"] not in ("dontcare", "thai", None)


def test_a_change_forgets_accepted_and_excluded_names():
    user = content(accepted=A, relax=1)
    user.goal.excluded = [B]
    reply(user, NOTHING)
    assert user.goal.excluded == [] and "name" not in user.goal.constraints


def test_a_new_value_was_never_wanted_before_and_dontcare_comes_when_none_is_left():
    user, wanted = content(), ["cheap"]
    for _ in range(3):
        said = user.respond(act(f"inform(name=none, pricerange={wanted[-1]})"))
        wanted.append(user.goal.constraints["pricerange"])
        assert said == act(f"reqalts(pricerange={wanted[-1]})")
    assert sorted(wanted[:3]) == ["cheap", "expensive", "moderate"] and wanted[3] == "dontcare"


def test_a_new_value_may_match_nothing_and_any_value_may_come():
    foods = {user.goal.constraints["food"] for user in changed("inform(name=none, food=chinese)")}
    assert len(foods) > 75 and foods <= set(DOMAIN.informable["food"]) - {"chinese"}


def test_relaxing_has_its_probability():
    n = sum(user.goal.constraints["food"] == "dontcare" for user in changed("inform(name=none, food=chinese)",
                                                                            relax=0.5))
    assert 115 < n < 185


def test_a_silent_change_to_dontcare_excludes_the_offered_venue():
    user = content(change_goal=1, relax=1)
    assert reply(user, OFFER) == "reqalts()"
    assert user.goal.excluded == [A] and "dontcare" in user.goal.constraints.values()
    assert user.goal.requests == {"name": None}


def test_a_silent_change_to_a_value_makes_the_user_ask_for_that_slot():
    user = content(change_goal=1)
    assert reply(user, f"inform(name={A}, area=centre)") == "reqalts()"
    assert user.goal.excluded == [] and user.goal.requests == {"name": None, "area": None}


def test_a_change_leaves_pending_informs_of_the_old_value():
    user = make_user(agenda=AGENDA[1:], relax=1)
    assert reply(user, "inform(name=none, food=chinese)") == "reqalts(food=dontcare)" and agenda(user) == AGENDA[1:]


def test_the_unmentioned_excluded_names_count_as_unstated_unless_another_venue_is_named():
    goal = Goal(dict(GOAL), {"name": None}, excluded=[A])
    assert [str(item) for item in goal.unstated(act("confirm(food=chinese)"))] == [
        "area=centre", "pricerange=cheap", f"name!={A}"]
    assert [str(item) for item in goal.unstated(act(OFFER.replace(A, B)))] == []
    assert [str(item) for item in goal.unstated(act(OFFER))] == [f"name!={A}"]
