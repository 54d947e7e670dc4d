"""The simulated user, rule by rule: how its agenda becomes speech."""
import numpy as np
import pytest

from simulator.user import User
from tests.simulator.strategies import AGENDA, DOMAIN, A, act, agenda, make_user


def spoken(system_act, *pending, **settings):
    """What a user with this agenda says after this act, and what is left."""
    user = make_user(agenda=pending, **settings)
    return str(user.speak(act(system_act))), agenda(user)


def test_an_empty_agenda_yields_bye():
    assert spoken("hello()") == ("bye()", [])


def test_what_was_said_is_dropped_from_the_agenda_but_deny_and_reqalts_leave_it_alone():
    pending = ["confirm(food=chinese)", "affirm(food=chinese)", "inform(food=thai)", "inform(area=centre)",
               "request(food)", "bye()"]
    for kind in ("inform", "confirm", "affirm", "negate"):
        top = f"{kind}(food=chinese)"
        assert spoken("request(food)", top, *pending) == (top, ["inform(area=centre)", "request(food)", "bye()"])
    for top in ("deny(food=thai, food=chinese)", "reqalts(food=chinese)"):
        assert spoken("request(food)", top, *pending) == (top, pending)


@pytest.mark.parametrize("top", ["thankyou()", "ack()", "deny(food=thai, food=chinese)", "confirm(food=chinese)",
                                 "reqalts()", "bye()"])
def test_some_acts_are_said_as_they_are(top):
    assert spoken("request(food)", top, "inform(area=centre)", "bye()", inform_combination=1)[0] == top


@pytest.mark.parametrize("top, said", [
    ("inform(food=chinese)", "inform(food=chinese, area=centre, pricerange=cheap)"),
    ("negate(food=chinese)", "negate(food=chinese, area=centre, pricerange=cheap)"),
    ("affirm()", "affirm(area=centre, pricerange=cheap)"), ("hello()", "hello(area=centre, pricerange=cheap)")])
def test_the_next_informs_may_be_attached(top, said):
    assert spoken("hello()", top, *AGENDA[2:], inform_combination=1) == (said, ["bye()"])
    assert spoken("hello()", top, *AGENDA[2:])[0] == top


def test_attaching_stops_at_the_first_act_that_is_no_inform():
    pending = ["inform(food=chinese)", "request(phone)", "inform(area=centre)", "bye()"]
    assert spoken("hello()", *pending, inform_combination=1)[0] == "inform(food=chinese)"


@pytest.mark.parametrize("question, said", [
    ("request(area)", "inform(=dontcare)"), ("select(area=north, area=south)", "inform(=dontcare)"),
    ("confirm(area=north)", "inform(area=dontcare)")])
def test_a_dontcare_in_answer_to_a_question_may_lose_its_slot(question, said):
    pending = ["inform(area=dontcare)", "inform(food=thai)", "bye()"]
    assert spoken(question, *pending, no_slot_with_dontcare=1)[0] == said
    assert spoken(question, *pending)[0] == "inform(area=dontcare)"
    assert spoken(question, *pending[1:], no_slot_with_dontcare=1)[0] == "inform(food=thai)"
    followed = spoken(question, *pending, no_slot_with_dontcare=1, inform_combination=1)[0]
    assert followed == said.replace(")", ", food=thai)")             # by the next wish


@pytest.mark.parametrize("pending, offered, said", [
    ("request(phone)", True, f"request(phone, name={A})"), ("request(phone)", False, "request(phone)"),
    ("request(phone, addr)", True, "request(phone, addr)")])
def test_a_request_for_one_slot_may_name_the_venue(pending, offered, said):
    answers = {"name": A} if offered else {}
    for probability, expected in ((1, said), (0, pending)):
        assert spoken("ack()", pending, "bye()", answers=answers, add_name_to_request=probability)[0] == expected


def test_the_first_utterance_has_the_probabilities_of_two_chained_choices():
    """Greeting with g, then each further inform with c: hello alone has g (1 - c), E[g] = 0.5, E[c] = 0.45."""
    user, first = User(DOMAIN, np.random.default_rng(5), np.random.default_rng(6)), []
    for _ in range(4000):
        user.reset()
        first.append(user.respond(act("hello()")))
    # E[(1 - c)] = 0.55 and, with c uniform in (0.2, 0.7), E[c (1 - c)] = 0.45 - 0.2233 = 0.2267
    for kind, n_items, expected in (("hello", 0, 0.5 * 0.55), ("hello", 1, 0.5 * 0.2267), ("inform", 1, 0.5 * 0.55)):
        share = np.mean([a.type == kind and len(a.items) == n_items for a in first])
        assert share == pytest.approx(expected, abs=4 * (expected * (1 - expected) / 4000) ** 0.5)
