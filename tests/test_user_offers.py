"""The simulated user, rule by rule: how it takes an offer, checks it against its goal, and changes its mind."""
from collections import Counter

import numpy as np
import pytest

from simulator.acts import parse_act as act
from simulator.goal import Goal
from tests.test_user import AGENDA, DOMAIN, GOAL, A, B, C, agenda, make_user, reply

OFFER = f"inform(name={A}, food=chinese, area=centre, pricerange=cheap)"
NOTHING = "inform(name=none, food=chinese, area=centre, pricerange=cheap)"


def content(requests=("name",), accepted=None, **more):
    """A user with nothing but bye on its agenda, perhaps with an accepted venue."""
    user = make_user(requests=requests, agenda=["bye()"], **more)
    if accepted:
        user.goal.constraints["name"], user.goal.requests["name"], user.first_offer = accepted, accepted, False
    return user


def replies(text, n=200, **more):
    """What differently disposed copies of one user say to the same act."""
    said = Counter()
    for seed in range(n):
        user = content(**more)
        user.rng = np.random.default_rng(seed)
        said[reply(user, text)] += 1
    return said


# ---- a good offer

def test_a_fitting_offer_is_accepted_and_answers_the_request_for_a_name():
    user = content()
    assert reply(user, OFFER) == "bye()"
    assert user.goal.constraints == {**GOAL, "name": A} and user.goal.requests == {"name": A} and not user.first_offer


def test_all_requested_slots_that_are_mentioned_are_answered_whatever_the_text():
    user = content(("name", "phone", "signature", "addr"))
    user.respond(act(f'inform(name={A}, phone=not available, signature="", postcode=cb1)'))
    assert user.goal.requests == {"name": A, "phone": "not available", "signature": "", "addr": None}


def test_the_next_question_asks_for_the_first_open_slot():
    assert reply(content(("name", "phone", "addr")), OFFER) == "request(phone)"


def test_more_open_slots_may_be_asked_for_in_the_same_breath():
    user = content(("name", "phone", "addr", "postcode"), add_slot_to_request=1)
    assert reply(user, OFFER) == "request(phone, addr, postcode)"


def test_asking_for_more_stops_at_the_first_failure():
    said = replies(OFFER, n=400, requests=("name", "phone", "addr", "postcode"), add_slot_to_request=0.5)
    assert 160 < said["request(phone)"] < 240 and 70 < said["request(phone, addr)"] < 130        # 1/2, 1/4, 1/4


def test_thanks_come_even_while_questions_are_open():
    assert reply(content(("name", "phone"), thankyou=1), OFFER) == "thankyou()"
    assert reply(content(("name", "phone"), ack=1), OFFER) == "ack()"
    assert replies(OFFER, requests=("name", "phone"), thankyou=0.5, ack=0.5).keys() == {"thankyou()", "ack()"}


def test_pending_wishes_may_come_before_questions():
    pending = {"agenda": AGENDA[2:], "requests": ("name", "phone")}
    assert reply(make_user(**pending, deal_with_pending=1), OFFER) == AGENDA[2]
    assert reply(make_user(**pending | {"agenda": AGENDA[3:]}, deal_with_pending=1), OFFER) == AGENDA[3]
    assert reply(make_user(**pending), OFFER) == "request(phone)"
    assert reply(content(("name", "phone"), deal_with_pending=1),
                 OFFER) == "request(phone)"       # bye alone is not pending


def test_without_open_questions_the_agenda_goes_on():
    assert reply(make_user(agenda=AGENDA[2:]), OFFER) == AGENDA[2]


def test_pending_informs_may_become_questions_but_not_a_dontcare():
    user = make_user(agenda=[AGENDA[0], "inform(food=dontcare)", AGENDA[2], "bye()"], inform_to_confirm=1)
    assert reply(user, OFFER) == "confirm(type=restaurant)"
    assert agenda(user) == ["inform(food=dontcare)", "confirm(area=centre)", "bye()"]


def test_a_later_fitting_offer_replaces_the_accepted_venue_and_blanks_the_answers():
    user = content(("name", "phone"), accepted=A, answers={"phone": "1"})
    assert reply(user, OFFER.replace(A, B)) == "request(phone)"
    assert user.goal.requests == {"name": B, "phone": None} and user.goal.constraints["name"] == B


def test_details_of_the_accepted_venue_keep_the_other_answers():
    user = content(("name", "phone", "addr"), accepted=A, answers={"phone": "1"})
    assert reply(user, f"inform(name={A}, addr=mill row)") == "bye()"
    assert user.goal.requests == {"name": A, "phone": "1", "addr": "mill row"}


def test_an_accepted_name_does_not_clear_excluded_ones():
    user = content()
    user.goal.excluded, user.first_offer = [B], False
    reply(user, OFFER)
    assert user.goal.excluded == [B] and user.goal.constraints["name"] == A


# ---- the first offer

def test_the_first_offer_may_make_the_user_want_another_venue():
    user = content(other_venue=1)
    assert reply(user, OFFER) == "reqalts()"
    assert user.goal.excluded == [A] and "name" not in user.goal.constraints and user.goal.requests == {"name": None}
    assert reply(user, OFFER.replace(A, B)) == "bye()" and user.goal.excluded == [A]      # only the first offer


def test_the_first_offer_may_change_the_goal():
    user = content(change_goal=1, relax=1, tell_change=1)
    said = user.respond(act(OFFER))
    slot = said.items[0].slot
    assert said.type == "reqalts" and slot in GOAL and user.goal.constraints == {**GOAL, slot: "dontcare"}
    assert user.goal.requests == {"name": None} and not user.first_offer


def test_the_two_reactions_to_a_first_offer_share_one_draw():
    said = replies(OFFER, other_venue=0.5, change_goal=0.5, relax=1, tell_change=1)
    assert 75 < said["reqalts()"] < 125 and sum(said.values()) - said["bye()"] == 200


# ---- checking what the system says

@pytest.mark.parametrize("probabilities, said", [
    ({"correct_by_negate": 1}, "negate(food=chinese)"), ({"correct_by_deny": 1}, "deny(food=thai, food=chinese)"),
    ({}, "inform(food=chinese)")])
def test_a_wrong_value_is_corrected_in_three_ways_and_blanks_all_answers(probabilities, said):
    user = content(("name", "phone"), accepted=A, answers={"phone": "1"}, **probabilities)
    assert reply(user, f"inform(name={A}, food=thai)") == said
    assert user.goal.requests == {"name": None, "phone": None}


def test_the_ways_to_correct_share_one_draw():
    said = replies(f"inform(name={A}, food=thai)", correct_by_negate=0.5, correct_by_deny=0.5)
    assert said.keys() == {"negate(food=chinese)", "deny(food=thai, food=chinese)"}
    assert 75 < said["negate(food=chinese)"] < 125


def test_the_first_wrong_item_is_corrected():
    assert reply(content(), f"inform(name={A}, pricerange=cheap, area=north, food=thai)") == "inform(area=centre)"


def test_a_dontcare_is_wrong_where_the_user_cares_and_any_value_right_where_not():
    assert reply(content(), f"inform(name=none, name!={A}, food=dontcare)") == "inform(food=chinese)"
    user = content()
    user.goal.constraints["food"] = "dontcare"
    assert reply(user, f"inform(name={A}, food=thai)") == "bye()"


def test_a_venue_is_accepted_although_it_is_wrong_in_what_the_system_does_not_say():
    assert reply(content(), "inform(name=sakura steps)") == "bye()"


def test_an_excluded_venue_is_refused_by_asking_for_another():
    user = content(("name", "phone"), answers={"phone": "1"})
    user.goal.excluded = [A]
    assert reply(user, OFFER) == "reqalts()" and user.goal.excluded == [A] and user.goal.requests["phone"] is None
    assert reply(user, OFFER.replace(A, B)) == "request(phone)"


def test_a_new_venue_is_welcome_but_details_of_another_one_are_corrected():
    assert reply(content(accepted=A), OFFER.replace(A, B)) == "bye()"
    assert reply(content(accepted=A), f"inform(name={B}, area=centre)") == "bye()"
    assert reply(content(accepted=A), f"inform(name={B}, phone=1)") == f"inform(name={A})"
    assert reply(content(accepted=A, correct_by_deny=1), f"inform(name={B}, phone=1)") == f"deny(name={B}, name={A})"
    assert reply(content(), f"inform(name={B}, phone=1)") == "bye()"                      # nothing accepted yet


def test_the_user_may_ask_back_instead_of_correcting():
    user = content(ask_instead_of_correct=1)
    assert reply(user, f"inform(name={A}, food=chinese, area=north, pricerange=cheap)") == "confirm(area=centre)"
    assert user.goal.requests == {"name": None}
    assert replies("confirm(food=thai)", ask_instead_of_correct=1).keys() == {
        "confirm(food=chinese)", "confirm(area=centre)", "confirm(pricerange=cheap)"}
    assert reply(content(ask_instead_of_correct=1), "inform(name=none, food=thai)") == "inform(food=chinese)"


def test_the_user_may_ask_back_about_what_the_system_did_not_mention():
    user = content(("name", "phone"), ask_back=1)
    assert reply(user, f"inform(name={A}, food=chinese, pricerange=cheap, postcode=cb1)") == "confirm(area=centre)"
    # What was said is stored at once, and grows the list of requests.
    assert user.goal.requests == {"name": A, "phone": None, "food": "chinese", "pricerange": "cheap", "postcode": "cb1"}
    assert user.first_offer and "name" not in user.goal.constraints


def test_asking_back_needs_something_unmentioned_and_something_checked():
    assert reply(content(ask_back=1), OFFER) == "bye()"
    user = content(ask_back=1)
    user.goal.constraints["area"] = "dontcare"
    assert reply(user, f"inform(name={A}, food=chinese, pricerange=cheap)") == "bye()"
    assert reply(content(ask_back=1), f"inform(name={A}, phone=1)") == "bye()"            # no item is compared
    assert reply(content(ask_back=1, relax=1), "inform(name=none, food=chinese)") == "reqalts(food=dontcare)"


def test_the_accepted_name_can_be_asked_back():
    said = replies(f"inform(name={B}, food=chinese, area=centre, pricerange=cheap)", accepted=A, ask_back=1)
    assert said.keys() == {f"confirm(name={A})"}


def test_one_act_is_asked_back_about_once():
    for seed in range(20):
        user = content(accepted=B, ask_back=1)
        user.rng = np.random.default_rng(seed)
        assert reply(user, f"inform(name={A}, food=chinese, pricerange=cheap)") in ("confirm(area=centre)",
                                                                                    f"confirm(name={B})")
        assert agenda(user) == ["bye()"]


def test_the_chance_of_asking_back_is_drawn_for_every_compared_item():
    # Two items are compared, each time with probability 1/2: 3/4 ask back.
    said = replies(f"inform(name={A}, food=chinese, pricerange=cheap)", n=400, ask_back=0.5)
    assert 265 < said["confirm(area=centre)"] < 335


def test_a_question_stays_below_a_correction_of_the_same_act():
    user = content(ask_back=1)
    assert reply(user, f"inform(name={A}, food=chinese, area=north)") == "inform(area=centre)"
    assert agenda(user)[0] in ("confirm(pricerange=cheap)", "confirm(area=centre)", "bye()")
    seen = set()
    for seed in range(30):
        user = content(ask_back=1)
        user.rng = np.random.default_rng(seed)
        reply(user, f"inform(name={A}, food=chinese, area=north)")
        seen.add(tuple(agenda(user)))
    assert ("confirm(pricerange=cheap)", "bye()") in seen


def test_a_user_who_lost_patience_may_give_up_at_a_mistake():
    # (1 - patience / max)² = (1 - 1/5)² = 0.64
    said = Counter()
    for seed in range(400):
        user = content(accepted=A)
        user.rng, user.patience = np.random.default_rng(seed), 1
        said[reply(user, f"inform(name={A}, food=thai)")] += 1
        assert user.goal.requests["name"] == (A if user.agenda == [] else None)      # giving up forgets nothing
    assert 216 < said["bye()"] < 296 and said["bye()"] + said["inform(food=chinese)"] == 400
    assert replies(f"inform(name={A}, food=thai)").keys() == {"inform(food=chinese)"}         # never with full patience


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
