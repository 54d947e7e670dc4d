"""The simulated user, rule by rule: how it greets, answers, confirms and hangs up. Offers: test_user_offers."""
import numpy as np
import pytest

from tests.simulator.strategies import AGENDA, GOAL, A, agenda, make_user, reply
from tests.simulator.written import parse_act as act


def test_the_agenda_starts_with_the_type_and_the_constraints_in_goal_order_and_ends_with_bye():
    assert agenda(make_user()) == AGENDA
    assert agenda(make_user({"area": "dontcare", "food": "thai"}))[1:3] == ["inform(area=dontcare)",
                                                                            "inform(food=thai)"]


@pytest.mark.parametrize("again", ["select(food=thai, food=indian)", "select(food=indian, food=thai)"])
def test_hearing_the_same_again_in_whatever_order_costs_patience(again):
    user = make_user()
    reply(user, "select(food=thai, food=indian)")
    assert user.patience == 5
    reply(user, again)
    assert user.patience == 4


def test_patience_never_recovers_and_only_the_act_before_counts():
    user = make_user()
    for text in ("request(food)", "request(food)", "request(area)", "request(food)", "confirm(area=centre)"):
        reply(user, text)
    assert user.patience == 4


def test_null_costs_patience_and_is_answered_by_the_last_act_again():
    user = make_user()
    assert reply(user, "request(area)") == "inform(area=centre)"
    assert reply(user, "null()") == "inform(area=centre)" and user.patience == 4


def test_with_patience_4_the_fifth_identical_act_ends_the_dialogue():
    user = make_user()
    user.p = user.p._replace(patience=4)
    user.patience = 4
    assert [reply(user, "request(food)") for _ in range(5)] == ["inform(food=chinese)"] * 4 + ["bye()"]


# ---- hello, request, confirm, select, reqmore, bye

def test_hello_is_answered_by_hello_or_by_the_top_of_the_agenda():
    assert reply(make_user(greeting=1), "hello()") == "hello()"
    user = make_user()
    assert reply(user, "hello()") == "inform(type=restaurant)" and agenda(user) == AGENDA[1:]


def test_a_question_moves_the_pending_inform_to_the_top():
    user = make_user()
    assert reply(user, "request(area)") == "inform(area=centre)"
    assert agenda(user) == [AGENDA[0], AGENDA[1], *AGENDA[3:]]


def test_the_topmost_pending_inform_is_moved():
    user = make_user(agenda=["inform(area=north)", "inform(area=south)", "bye()"])
    assert reply(user, "request(area)") == "inform(area=north)"


def test_a_question_about_a_constraint_that_was_said_before_is_answered_from_the_goal():
    user = make_user({**GOAL, "area": "dontcare"}, agenda=["inform(food=chinese)", "bye()"])
    assert reply(user, "request(area)") == "inform(area=dontcare)"
    assert agenda(user) == ["inform(food=chinese)", "bye()"]


def test_a_stale_inform_is_said_although_the_goal_has_changed():
    user = make_user(agenda=["inform(food=chinese)", "inform(area=centre)", "bye()"])
    user.goal.constraints["area"] = "north"
    assert reply(user, "request(area)") == "inform(area=centre)"


def test_a_user_with_an_offer_and_open_questions_asks_them_instead_of_answering():
    user = make_user(requests=("name", "phone", "addr"), answers={"name": A})
    assert user.respond(act("request(area)")) == act(f"request(phone, name={A})")


def test_a_user_whose_questions_are_all_answered_answers():
    user = make_user(requests=("name", "phone"), answers={"name": A, "phone": "1"})
    assert reply(user, "request(area)") == "inform(area=centre)"


def test_a_question_about_something_that_only_the_user_can_ask_is_denied():
    assert reply(make_user(), "request(phone)") == "negate()"


UNCONSTRAINED = {"food": "chinese", "area": "centre"}     # as in domains with more slots than a goal constrains


@pytest.mark.parametrize("probabilities, answers", [
    ({"other_constraint": 1}, {"inform(food=chinese)", "inform(area=centre)"}),
    ({"bare_dontcare": 1}, {"inform(=dontcare)"}),
    ({}, {"inform(pricerange=dontcare)"})])
def test_a_question_about_a_slot_without_constraint(probabilities, answers):
    users = [make_user(UNCONSTRAINED, agenda=["bye()"], **probabilities) for _ in range(30)]
    for seed, user in enumerate(users):
        user.rng = np.random.default_rng(seed)
    assert {reply(user, "request(pricerange)") for user in users} == answers
    learnt = {} if probabilities else {"pricerange": "dontcare"}
    assert all(user.goal.constraints == UNCONSTRAINED | learnt for user in users)


def test_the_two_evasive_answers_share_one_draw():
    user = make_user(UNCONSTRAINED, agenda=["bye()"], other_constraint=0.5, bare_dontcare=0.5)
    for _ in range(50):                                   # together they are certain
        user.agenda = [act("bye()")]
        reply(user, "request(pricerange)")
        user.patience = 5
    assert "pricerange" not in user.goal.constraints


def test_a_right_value_is_affirmed_and_a_dontcare_accepts_any():
    assert reply(make_user(agenda=["bye()"]), "confirm(food=chinese)") == "affirm()"
    assert reply(make_user({**GOAL, "food": "dontcare"}, agenda=["bye()"]), "confirm(food=thai)") == "affirm()"


def test_an_affirm_may_take_the_next_inform_along():
    user = make_user(agenda=AGENDA[2:], affirm_combination=1)
    assert reply(user, "confirm(food=chinese)") == "affirm(area=centre)" and agenda(user) == AGENDA[3:]
    assert reply(make_user(agenda=AGENDA[2:]), "confirm(food=chinese)") == "affirm()"
    assert reply(make_user(agenda=["request(phone)", "bye()"], affirm_combination=1),
                 "confirm(food=chinese)") == "affirm()"


def test_a_wrong_value_is_corrected():
    assert reply(make_user(correct_by_negate=1), "confirm(food=thai)") == "negate(food=chinese)"


def test_confirming_a_slot_without_constraint_is_negated():
    assert reply(make_user(UNCONSTRAINED), "confirm(pricerange=cheap)") == "negate(pricerange=dontcare)"


def test_a_confirm_is_never_answered_by_asking_back():
    assert reply(make_user(agenda=["bye()"], ask_back=1), "confirm(food=chinese)") == "affirm()"


def test_select_is_answered_by_the_goal_whatever_the_options():
    assert reply(make_user(), "select(food=thai, food=indian)") == "inform(food=chinese)"
    options = "select(pricerange=cheap, pricerange=expensive)"
    assert reply(make_user(UNCONSTRAINED), options) == "inform(pricerange=dontcare)"


def test_reqmore_with_something_pending_says_it():
    user = make_user(agenda=AGENDA[1:], inform_combination=1)
    assert reply(user, "reqmore()") == "inform(food=chinese)" and agenda(user) == AGENDA[2:]     # and nothing more


def test_reqmore_may_turn_the_pending_inform_into_an_affirm_but_not_the_type():
    assert reply(make_user(agenda=AGENDA[1:], affirm_with_pending=1), "reqmore()") == "affirm(food=chinese)"
    assert reply(make_user(affirm_with_pending=1), "reqmore()") == "inform(type=restaurant)"
    assert reply(make_user(agenda=["request(phone)", "bye()"], affirm_with_pending=1), "reqmore()") == "request(phone)"


def test_reqmore_when_all_is_answered_gives_no_or_bye():
    assert reply(make_user(agenda=["bye()"], answers={"name": A}, no_after_reqmore=1), "reqmore()") == "negate()"
    assert reply(make_user(agenda=["bye()"], answers={"name": A}), "reqmore()") == "bye()"


def test_reqmore_with_open_questions_asks_the_last_one_and_keeps_the_others():
    user = make_user(agenda=["bye()"], requests=("name", "phone", "addr"), answers={"name": A}, add_name_to_request=1)
    assert reply(user, "reqmore()") == "request(addr)" and agenda(user) == ["request(phone)", "bye()"]


def test_reqmore_before_any_offer_gives_yes_or_all_wishes():
    assert reply(make_user(agenda=["bye()"], yes_after_reqmore=1), "reqmore()") == "affirm()"
    user = make_user({**GOAL, "area": "dontcare"}, agenda=["bye()"])
    assert user.respond(act("reqmore()")) == act("inform(type=restaurant, food=chinese, pricerange=cheap)")


def test_reqmore_with_an_excluded_venue_asks_for_another():
    user = make_user(agenda=["bye()"])
    user.goal.excluded.append(A)
    assert reply(user, "reqmore()") == "reqalts()"
