"""The simulated user, rule by rule: how they take an offer and check it against their goal."""
import pytest

from tests.simulator.strategies import AGENDA, GOAL, OFFER, A, B, act, agenda, content, make_user, replies, reply

FOUR = ("name", "phone", "addr", "postcode")
PENDING = {"agenda": AGENDA[2:], "requests": ("name", "phone")}


# ---- a good offer

@pytest.mark.parametrize("make, settings, said", [
    (content, {}, "bye()"),
    (content, dict(requests=FOUR), "request(phone)"),
    (content, dict(requests=FOUR, add_slot_to_request=1), "request(phone, addr, postcode)"),
    (content, dict(requests=FOUR, thankyou=1), "thankyou()"), (content, dict(requests=FOUR, ack=1), "ack()"),
    (content, dict(requests=FOUR, deal_with_pending=1), "request(phone)"),       # bye is not pending
    (make_user, dict(deal_with_pending=1, **PENDING), AGENDA[2]),
    (make_user, dict(deal_with_pending=1, **PENDING | {"agenda": AGENDA[3:]}), AGENDA[3]),
    (make_user, PENDING, "request(phone)"),
    (make_user, dict(agenda=AGENDA[2:]), AGENDA[2])])
def test_what_is_said_to_a_good_offer(make, settings, said):
    user = make(**settings)
    assert reply(user, OFFER) == said
    assert user.goal.constraints == {**GOAL, "name": A} and user.goal.requests["name"] == A and not user.first_offer


def test_each_further_question_and_each_thanks_has_its_probability():
    said, _ = replies(OFFER, n=400, requests=FOUR, add_slot_to_request=0.5)
    assert 160 < said["request(phone)"] < 240 and 70 < said["request(phone, addr)"] < 130        # 1/2, 1/4, 1/4
    assert replies(OFFER, requests=FOUR, thankyou=0.5, ack=0.5)[0].keys() == {"thankyou()", "ack()"}


def test_all_requested_slots_that_are_mentioned_are_answered_whatever_the_text():
    user = content(("name", "phone", "signature", "addr"))
    user.respond(act(f'inform(name={A}, phone=not available, signature="", postcode=cb1)'))
    assert user.goal.requests == {"name": A, "phone": "not available", "signature": "", "addr": None}


def test_pending_informs_may_become_questions_but_not_a_dontcare():
    user = make_user(agenda=[AGENDA[0], "inform(food=dontcare)", AGENDA[2], "bye()"], inform_to_confirm=1)
    assert reply(user, OFFER) == "confirm(type=restaurant)"
    assert agenda(user) == ["inform(food=dontcare)", "confirm(area=centre)", "bye()"]


def test_another_fitting_venue_blanks_the_answers_and_details_of_the_same_keep_them():
    user = content(("name", "phone"), accepted=A, answers={"phone": "1"})
    assert reply(user, OFFER.replace(A, B)) == "request(phone)"
    assert user.goal.requests == {"name": B, "phone": None} and user.goal.constraints["name"] == B
    user = content(("name", "phone", "addr"), accepted=A, answers={"phone": "1"})
    assert reply(user, f"inform(name={A}, addr=mill row)") == "bye()"
    assert user.goal.requests == {"name": A, "phone": "1", "addr": "mill row"}


# ---- the first offer

def test_the_first_offer_may_make_the_user_want_another_venue():
    user = content(other_venue=1)
    assert reply(user, OFFER) == "reqalts()"
    assert user.goal.excluded == [A] and "name" not in user.goal.constraints and user.goal.requests == {"name": None}
    assert reply(user, OFFER.replace(A, B)) == "bye()" and user.goal.excluded == [A]      # only the first offer


def test_the_first_offer_may_change_the_goal():
    user = content(change_goal=1, relax=1, tell_change=1)
    said = user.respond(act(OFFER))
    assert said.type == "reqalts" and user.goal.constraints == {**GOAL, said.items[0].slot: "dontcare"}
    assert user.goal.requests == {"name": None} and not user.first_offer


def test_the_two_reactions_to_a_first_offer_share_one_draw():
    said, _ = replies(OFFER, other_venue=0.5, change_goal=0.5, relax=1, tell_change=1)
    assert 75 < said["reqalts()"] < 125 and not said["bye()"]


# ---- checking what the system says

@pytest.mark.parametrize("probabilities, said", [
    ({"correct_by_negate": 1}, "negate(food=chinese)"), ({"correct_by_deny": 1}, "deny(food=thai, food=chinese)"),
    ({}, "inform(food=chinese)")])
def test_a_wrong_value_is_corrected_in_three_ways_and_blanks_all_answers(probabilities, said):
    user = content(("name", "phone"), accepted=A, answers={"phone": "1"}, **probabilities)
    assert reply(user, f"inform(name={A}, food=thai)") == said
    assert user.goal.requests == {"name": None, "phone": None}


def test_the_ways_to_correct_share_one_draw():
    said, _ = replies(f"inform(name={A}, food=thai)", correct_by_negate=0.5, correct_by_deny=0.5)
    assert said.keys() == {"negate(food=chinese)", "deny(food=thai, food=chinese)"}
    assert 75 < said["negate(food=chinese)"] < 125


@pytest.mark.parametrize("settings, heard, said", [
    ({}, f"inform(name={A}, pricerange=cheap, area=north, food=thai)", "inform(area=centre)"),     # the first one
    ({}, f"inform(name=none, name!={A}, food=dontcare)", "inform(food=chinese)"),
    (dict(constraints={**GOAL, "food": "dontcare"}), f"inform(name={A}, food=thai)", "bye()"),
    ({}, "inform(name=sakura steps)", "bye()"),            # wrong in what the system does not say
    (dict(accepted=A), OFFER.replace(A, B), "bye()"),      # a new venue is welcome, but no details of it
    (dict(accepted=A), f"inform(name={B}, area=centre)", "bye()"),
    (dict(accepted=A), f"inform(name={B}, phone=1)", f"inform(name={A})"),
    (dict(accepted=A, correct_by_deny=1), f"inform(name={B}, phone=1)", f"deny(name={B}, name={A})"),
    ({}, f"inform(name={B}, phone=1)", "bye()"),           # nothing accepted yet
    (dict(ask_back=1), OFFER, "bye()"), (dict(ask_back=1), f"inform(name={A}, phone=1)", "bye()"),
    (dict(ask_back=1, constraints={**GOAL, "area": "dontcare"}), f"inform(name={A}, food=chinese, pricerange=cheap)",
     "bye()"),
    (dict(ask_back=1, relax=1), "inform(name=none, food=chinese)", "reqalts(food=dontcare)")])
def test_what_is_wrong_is_corrected_and_what_fits_is_not(settings, heard, said):
    assert reply(content(**settings), heard) == said


def test_an_excluded_venue_is_refused_by_asking_for_another_and_stays_excluded():
    user = content(("name", "phone"), answers={"phone": "1"}, excluded=[A])
    assert reply(user, OFFER) == "reqalts()" and user.goal.excluded == [A] and user.goal.requests["phone"] is None
    assert reply(user, OFFER.replace(A, B)) == "request(phone)" and user.goal.excluded == [A]


def test_the_user_may_ask_back_instead_of_correcting():
    user = content(ask_instead_of_correct=1)
    assert reply(user, f"inform(name={A}, food=chinese, area=north, pricerange=cheap)") == "confirm(area=centre)"
    assert user.goal.requests == {"name": None}
    assert replies("confirm(food=thai)", ask_instead_of_correct=1)[0].keys() == {
        "confirm(food=chinese)", "confirm(area=centre)", "confirm(pricerange=cheap)"}
    assert reply(content(ask_instead_of_correct=1), "inform(name=none, food=thai)") == "inform(food=chinese)"


def test_the_user_may_ask_back_about_what_the_system_did_not_mention():
    user = content(("name", "phone"), ask_back=1)
    assert reply(user, f"inform(name={A}, food=chinese, pricerange=cheap, postcode=cb1)") == "confirm(area=centre)"
    # What was said is stored at once, and grows the list of requests.
    assert user.goal.requests == {"name": A, "phone": None, "food": "chinese", "pricerange": "cheap", "postcode": "cb1"}
    assert user.first_offer and "name" not in user.goal.constraints


def test_the_accepted_name_can_be_asked_back():
    said, _ = replies(f"inform(name={B}, food=chinese, area=centre, pricerange=cheap)", accepted=A, ask_back=1)
    assert said.keys() == {f"confirm(name={A})"}
    user = content(accepted=B, ask_back=1)                                      # once, though two items are compared
    assert reply(user, f"inform(name={A}, food=chinese, pricerange=cheap)").startswith("confirm(")
    assert agenda(user) == ["bye()"]


def test_the_chance_of_asking_back_is_drawn_for_every_compared_item():
    # Two items are compared, each time with probability 1/2: 3/4 ask back.
    said, _ = replies(f"inform(name={A}, food=chinese, pricerange=cheap)", n=400, ask_back=0.5)
    assert 265 < said["confirm(area=centre)"] < 335


def test_a_question_stays_below_a_correction_of_the_same_act():
    said, users = replies(f"inform(name={A}, food=chinese, area=north)", 30, ask_back=1)
    assert said.keys() == {"inform(area=centre)"} and ["confirm(pricerange=cheap)", "bye()"] in map(agenda, users)


def test_a_user_who_lost_patience_may_give_up_at_a_mistake():
    # (1 - patience / max)² = (1 - 1/5)² = 0.64
    said, users = replies(f"inform(name={A}, food=thai)", 400, accepted=A, patience=1)
    assert 216 < said["bye()"] < 296 and said["bye()"] + said["inform(food=chinese)"] == 400
    assert all(user.goal.requests["name"] == (None if user.agenda else A) for user in users)   # who gives up keeps them
    assert replies(f"inform(name={A}, food=thai)")[0].keys() == {"inform(food=chinese)"}      # never with full patience
