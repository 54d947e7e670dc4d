"""The simulated user, rule by rule: how it takes an offer and checks it against its goal."""
from collections import Counter

import numpy as np
import pytest

from tests.simulator.strategies import AGENDA, GOAL, OFFER, A, B, agenda, content, make_user, reply
from tests.simulator.written import parse_act as act


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
