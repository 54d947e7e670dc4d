"""The simulated user, rule by rule: greetings, answers, patience."""
import pytest

from tests.simulator.strategies import AGENDA, GOAL, A, agenda, make_user, replies, reply

TWO = {"food": "chinese", "area": "centre"}               # as in domains with more slots than a goal constrains
BARE = ["bye()"]
CARELESS = {**GOAL, "food": "dontcare"}
ASKING = dict(requests=("name", "phone", "addr"), answers={"name": A})


@pytest.mark.parametrize("heard, user, said", [
    ("hello()", dict(greeting=1), "hello()"),
    ("hello()", {}, "inform(type=restaurant)"),
    ("request(area)", {}, "inform(area=centre)"),
    ("request(area)", dict(agenda=["inform(area=north)", "inform(area=south)", "bye()"]), "inform(area=north)"),
    ("request(area)", dict(constraints={**GOAL, "area": "dontcare"}, agenda=BARE), "inform(area=dontcare)"),
    ("request(area)", ASKING, f"request(phone, name={A})"),               # with an offer they ask their own question,
    ("request(area)", dict(answers={"name": A}), "inform(area=centre)"),                       # if it is still open
    ("request(phone)", {}, "negate()"),                                   # only the user can ask for it
    ("confirm(food=chinese)", dict(agenda=BARE), "affirm()"),
    ("confirm(food=thai)", dict(constraints=CARELESS, agenda=BARE), "affirm()"),
    ("confirm(food=chinese)", dict(agenda=AGENDA[2:]), "affirm()"),
    ("confirm(food=chinese)", dict(agenda=AGENDA[2:], affirm_combination=1), "affirm(area=centre)"),
    ("confirm(food=chinese)", dict(agenda=["request(phone)", "bye()"], affirm_combination=1), "affirm()"),
    ("confirm(food=chinese)", dict(agenda=BARE, ask_back=1), "affirm()"),
    ("confirm(food=thai)", dict(correct_by_negate=1), "negate(food=chinese)"),
    ("confirm(pricerange=cheap)", dict(constraints=TWO), "negate(pricerange=dontcare)"),
    ("select(food=thai, food=indian)", {}, "inform(food=chinese)"),
    ("select(pricerange=cheap, pricerange=moderate)", dict(constraints=TWO), "inform(pricerange=dontcare)"),
    ("reqmore()", dict(agenda=AGENDA[1:], inform_combination=1), "inform(food=chinese)"),      # and nothing more
    ("reqmore()", dict(agenda=AGENDA[1:], affirm_with_pending=1), "affirm(food=chinese)"),
    ("reqmore()", dict(affirm_with_pending=1), "inform(type=restaurant)"),
    ("reqmore()", dict(agenda=["request(phone)", "bye()"], affirm_with_pending=1), "request(phone)"),
    ("reqmore()", dict(agenda=BARE, answers={"name": A}, no_after_reqmore=1), "negate()"),
    ("reqmore()", dict(agenda=BARE, answers={"name": A}), "bye()"),
    ("reqmore()", dict(agenda=BARE, add_name_to_request=1, **ASKING), "request(addr)"),
    ("reqmore()", dict(agenda=BARE, excluded=[A]), "reqalts()"),
    ("reqmore()", dict(agenda=BARE, yes_after_reqmore=1), "affirm()"),
    ("reqmore()", dict(constraints={"area": "dontcare", "food": "thai"}, agenda=BARE),
     "inform(type=restaurant, food=thai)")])
def test_what_users_say_to_what_they_hear(heard, user, said):
    assert reply(make_user(**user), heard) == said


def test_the_agenda_starts_with_the_type_and_the_constraints_in_goal_order_and_ends_with_bye():
    assert agenda(make_user()) == AGENDA
    assert agenda(make_user({"area": "dontcare", "food": "thai"}))[1:3] == ["inform(area=dontcare)",
                                                                            "inform(food=thai)"]


def test_the_agenda_keeps_what_was_not_said():
    for heard, settings, left in (
            ("hello()", {}, AGENDA[1:]), ("request(area)", {}, [AGENDA[0], AGENDA[1], *AGENDA[3:]]),
            ("confirm(food=chinese)", dict(agenda=AGENDA[2:], affirm_combination=1), AGENDA[3:]),
            ("reqmore()", dict(agenda=AGENDA[1:], inform_combination=1), AGENDA[2:]),
            ("reqmore()", dict(agenda=BARE, **ASKING), ["request(phone)", "bye()"])):
        user = make_user(**settings)
        reply(user, heard)
        assert agenda(user) == left


def test_a_stale_inform_is_said_although_the_goal_has_changed():
    user = make_user(agenda=["inform(food=chinese)", "inform(area=centre)", "bye()"])
    user.goal.constraints["area"] = "north"
    assert reply(user, "request(area)") == "inform(area=centre)"


@pytest.mark.parametrize("probabilities, answers", [
    ({"other_constraint": 1}, {"inform(food=chinese)", "inform(area=centre)"}),
    ({"bare_dontcare": 1}, {"inform(=dontcare)"}), ({}, {"inform(pricerange=dontcare)"}),
    ({"other_constraint": 0.5, "bare_dontcare": 0.5},                       # they share one draw: together certain
     {"inform(food=chinese)", "inform(area=centre)", "inform(=dontcare)"})])
def test_a_question_about_a_slot_without_constraint(probabilities, answers):
    said, users = replies("request(pricerange)", 40, constraints=TWO, **probabilities)
    assert said.keys() == answers
    learnt = {} if probabilities else {"pricerange": "dontcare"}
    assert all(user.goal.constraints == TWO | learnt for user in users)


# ---- patience

def test_hearing_the_act_before_again_costs_patience_for_good():
    user, patience = make_user(), []
    for text in ("select(food=thai, food=indian)", "select(food=indian, food=thai)", "request(area)", "request(area)",
                 "request(food)", "request(area)", "null()"):
        reply(user, text)
        patience.append(user.patience)
    assert patience == [5, 4, 4, 3, 3, 3, 2]


def test_null_is_answered_by_the_last_act_again():
    user = make_user()
    assert reply(user, "request(area)") == reply(user, "null()") == "inform(area=centre)"


def test_with_patience_4_the_fifth_identical_act_ends_the_dialogue():
    user = make_user(patience=4)
    assert [reply(user, "request(food)") for _ in range(5)] == ["inform(food=chinese)"] * 4 + ["bye()"]
