"""The focus tracker: the measured turns, each reading of an act, and what holds for all inputs."""
import numpy as np
import pytest

from simulator.acts import DONTCARE
from simulator.belief import FocusTracker, Reading, focus_goal, focus_method, focus_requested, top_method
from simulator.belief_vector import BeliefVector
from tests.simulator.strategies import DOMAIN, TRACKER, VECTOR, act, after, groups, small_domain

X = "the banyan"                                # an indian, moderate, in the east
BROAD, FOUR_LEFT = [0, 0, 0, 1, 1], [0, 0, 1, 0, 0]


def shown(belief):
    """The non-zero entries of the vector by name, without inform_info and without slots that were never mentioned."""
    vector = VECTOR.encode(belief)
    assert vector.shape == (VECTOR.size,) and vector.dtype == np.float64
    return {name: pytest.approx(value) for name, value in zip(VECTOR.names, vector)
            if value and not name.startswith("inform_info") and not (name.endswith("=NONE") and value == 1)}


OPENING = (("hello()", ("inform(type=restaurant, food=indian)", 1.0)),
           ("request(area)", ("inform(=dontcare)", 1.0)),
           ("confirm(pricerange=cheap)", ("negate(pricerange=moderate)", 0.6), ("inform(food=chinese)", 0.4)),
           ("select(pricerange=moderate, pricerange=cheap)", ("inform(=dontcare)", 1.0)),
           ("confirm(food=indian)", ("affirm()", 0.7), ("deny(food=indian, food=thai)", 0.3)))
ENDING = ((f"inform(name={X}, food=indian, pricerange=moderate)", ("request(phone)", 1.0)),
          (f"inform(name={X}, phone=1)", ("confirm(pricerange=moderate)", 1.0)),
          (f"inform(name={X}, pricerange=moderate)", ("reqalts(area=north)", 1.0)),
          ("inform(name=none, food=indian)", ("thankyou()", 1.0)),
          ("reqmore()", ("negate()", 1.0)),
          ("reqmore()", ("bye()", 1.0)))


PRICE = {"pricerange=moderate": 0.6, "pricerange=NONE": 0.4}
KNOWN = {"food=indian": 0.7, "food=thai": 0.3, "area=dontcare": 1, **PRICE}
NORTH = {"food=indian": 0.7, "food=thai": 0.3, "area=north": 1, **PRICE}


def test_the_measured_dialogue_until_an_offer():
    """The method none keeps 1 / (k + 1) after k turns with a real method."""
    assert shown(after()) == {"method=none": 1} and groups(after()) == [BROAD] * 5
    unsure = {"food=indian": 0.6, "food=chinese": 0.4, "area=dontcare": 1, **PRICE}
    for n, known in enumerate(({"food=indian": 1}, {"food=indian": 1, "area=dontcare": 1}, unsure, unsure, KNOWN), 1):
        method = {"method=none": 1 / (n + 1), "method=byconstraints": n / (n + 1), "discourse=none": 1}
        assert shown(after(*OPENING[:n])) == known | method
    assert groups(after(*OPENING[:3])) == [BROAD, BROAD, FOUR_LEFT, FOUR_LEFT, FOUR_LEFT]


def test_the_measured_dialogue_from_an_offer_to_the_end():
    quiet, offer = {"discourse=none": 1}, {"discourse=none": 1, "offer_happened": 1}
    for n, (known, method, turns, more) in enumerate((
            (KNOWN, "byname", 6, offer | {"requested=phone": 1}),
            (KNOWN, "byname", 7, offer | {"requested=pricerange": 1}), (NORTH, "byalternatives", 8, offer),
            (NORTH, "byalternatives", 8, {"last_action_inform_none": 1, "discourse=thankyou": 1}),
            (NORTH, "byalternatives", 8, quiet), (NORTH, "finished", 9, {})), 1):
        belief = after(*OPENING, *ENDING[:n])
        assert shown(belief) == known | more | {"method=none": 1 / (turns + 1), f"method={method}": turns / (turns + 1)}
        assert belief.venue == X and belief.offered == ((X,) * n if n < 4 else ())
    assert belief.discourse == {"bye": 1.0} and belief.top_method == "finished"


# ---- the three kinds of accumulation

def reading(informs=None, requests=(), method="none"):
    return Reading(informs or {}, list(requests), method, "none")


def test_goal_beliefs_by_hand():
    # u(thai) = 0.3, u(indian) = 0.2, so half of the old belief stays: thai 0.5 * 0.6 + 0.3, french 0.5 * 0.2.
    old = {"food": {"thai": 0.6, "french": 0.2}, "area": {"north": 1.0}}
    new = focus_goal(old, [(reading({"food": "thai"}), 0.3), (reading({"food": "indian"}), 0.2), (reading(), 0.5)])
    assert new == {"food": {"thai": pytest.approx(0.6), "french": pytest.approx(0.1), "indian": pytest.approx(0.2)},
                   "area": {"north": 1.0}}
    assert old == {"food": {"thai": 0.6, "french": 0.2}, "area": {"north": 1.0}}


def test_certain_news_replace_the_old_belief_and_no_news_keep_it():
    old = {"food": {"thai": 0.6, "french": 0.2}}
    assert focus_goal(old, [(reading({"food": "indian"}), 1.0)]) == {"food": {"indian": 1.0}}
    assert focus_goal(old, [(reading(), 1.0)]) == old
    tenths = focus_goal(old, [(reading({"food": "indian"}), 0.1)] * 10)          # 0.1 + ... + 0.1 is not quite 1
    assert tenths == {"food": {"indian": pytest.approx(1.0)}} and sum(tenths["food"].values()) <= 1
    assert focus_goal({}, [(reading({"food": "indian"}), 1.2)]) == {"food": {"indian": 1.0}}


def test_requests_add_up_until_the_slot_is_mentioned():
    old = {"phone": 0.4, "addr": 1.0, "name": 0.5}
    heard = [(reading(requests=["phone", "phone"]), 0.3), (reading(requests=["phone", "area"]), 0.2), (reading(), 0.5)]
    new = focus_requested(old, act("inform(name=a, addr=b)"), heard)
    assert new == {"phone": pytest.approx(0.9), "area": pytest.approx(0.2)}
    assert focus_requested({"phone": 0.9}, None, heard)["phone"] == 1.0
    assert focus_requested(old, None, [(reading(), 1.0)]) == old == {"phone": 0.4, "addr": 1.0, "name": 0.5}


def test_methods_by_hand():
    # Mass 0.5 on none keeps half of the old methods; 1/2 on none stays, so the sum is 0.5 + 0.25 + 0.5 = 1.25.
    old = {"none": 0.5, "byconstraints": 0.5, "byname": 0.0}
    new = focus_method(old, [(reading(method="byname"), 0.5), (reading(), 0.5)])
    assert new == {"none": pytest.approx(0.4), "byconstraints": pytest.approx(0.2), "byname": pytest.approx(0.4)}
    assert focus_method(old, [(reading(), 1.0)]) == old
    assert focus_method({"none": 0.2, "byname": 0.3}, [(reading(), 1.0)]) == {"none": 0.2, "byname": 0.3}


@pytest.mark.parametrize("masses, top", [
    ({}, "byconstraints"), ({"byname": 0.1}, "byname"), ({"byname": 0.3, "byalternatives": 0.3}, "byname"),
    ({"byconstraints": 0.3, "byname": 0.3}, "byconstraints"),
    ({"byalternatives": 0.4, "byname": 0.3}, "byalternatives"),
    ({"finished": 0.5}, "byconstraints"), ({"finished": 0.51}, "finished"),
    ({"finished": 0.4, "byname": 0.3}, "byconstraints"),
    ({"restart": 0.9}, "byconstraints")])
def test_the_top_method_ignores_none(masses, top):
    assert top_method(dict.fromkeys(DOMAIN.methods, 0.0) | {"none": 0.9} | masses) == top


# ---- what follows from the beliefs

def accepted(**goal):
    return {slot: value for slot, value, _ in TRACKER.accepted(goal)}


def test_a_slot_is_accepted_above_a_blind_guess_and_above_nothing_said():
    assert accepted(food={"thai": 0.5}) == {"food": "thai"} and accepted(food={"thai": 0.49}) == {}
    assert accepted(food={"thai": 0.012, "indian": 0.011, "french": 0.97}) == {"food": "french"}
    thin = dict.fromkeys(DOMAIN.informable["food"], 1 / 91)
    assert accepted(food=thin) == {}                                        # 1/91 < 1/90.9
    assert accepted(pricerange={"cheap": 0.34, "moderate": 0.33, "expensive": 0.33}) == {}        # 1/2.9 = 0.345
    assert accepted(pricerange={"cheap": 0.35, "moderate": 0.33, "expensive": 0.32}) == {"pricerange": "cheap"}
    assert accepted(area={"north": 0.21, "south": 0.2, "east": 0.2, "west": 0.2, "centre": 0.19}) == {"area": "north"}
    assert accepted(area={"north": 0.204, "south": 0.199, "east": 0.199, "west": 0.199, "centre": 0.199}) == {}
    single = FocusTracker(small_domain({"a": "x"}, "xx"))                                 # as if there were two
    assert [bool(single.accepted({"a": {"x": mass}})) for mass in (0.52, 0.53, 1.0)] == [False, True, True]    # 1/1.9
    assert accepted(name={"sitara": 1.0}) == {} and accepted(area={DONTCARE: 1.0}) == {"area": DONTCARE}


def test_equal_beliefs_stand_in_the_order_of_the_ontology_with_dontcare_last():
    goal = {"area": {DONTCARE: 0.25, "east": 0.25, "atlantis": 0.25, "north": 0.25}}
    assert [value for value, _ in TRACKER.best(goal, "area")] == ["north", "east", DONTCARE, "atlantis"]
    assert TRACKER.best({}, "area") == [] and TRACKER.likeliest({}, "area") == (None, 0.0)
    assert TRACKER.best({"area": {"east": 0.3, "north": 0.6}}, "area") == [("north", 0.6), ("east", 0.3)]
    assert TRACKER.likeliest({"area": {"east": 0.3, "north": 0.3}}, "area") == (None, 0.0)
    assert TRACKER.likeliest({"area": {"east": 0.5}}, "area") == ("east", 0.5)
    assert TRACKER.likeliest({"area": {"north": 0.1, "east": 0.5}}, "area") == ("east", 0.5)


def test_the_database_is_asked_about_what_is_accepted():
    belief = after(("hello()", "inform(food=indian, area=dontcare)"))
    assert belief.accepted == (("area", DONTCARE, 1.0), ("food", "indian", 1.0))
    assert belief.match is DOMAIN.match((("area", DONTCARE), ("food", "indian")))


def test_the_groups_look_at_the_surest_slots_first_and_ties_go_by_name():
    # Surest: pricerange (1), then food (0.9), then area: 22 cheap venues, 4 cheap and indian, 1 of these in the north.
    belief = after(("hello()", ("inform(pricerange=cheap, food=indian, area=north)", 0.8),
                    ("inform(pricerange=cheap, food=indian)", 0.1),
                    ("inform(pricerange=cheap)", 0.1)))
    assert groups(belief) == [BROAD, [0, 0, 1, 0, 1], [0, 1, 0, 0, 0], [0, 1, 0, 0, 0], [0, 1, 0, 0, 0]]
    belief = after(("hello()", "inform(pricerange=cheap, food=indian, area=north)"))         # area, food, pricerange
    assert groups(belief)[:2] == [BROAD, [0, 0, 1, 0, 1]] and groups(belief)[2] == [0, 1, 0, 0, 0]
    assert groups(after(("hello()", "inform(food=swiss)"))) == [[1, 0, 0, 0, 0]] * 5


def test_beyond_five_accepted_slots_only_the_five_surest_count():
    domain = small_domain(dict.fromkeys("abcdef", "xy"), ["xxxxxx"] * 2 + ["xxxxxy"])
    belief = after(("hello()", ("inform(a=x, b=x, c=x, d=x, e=x, f=y)", 0.9), ("inform(a=x, b=x, c=x, d=x, e=x)", 0.1)),
                   tracker=FocusTracker(domain))
    info = np.reshape(BeliefVector(domain).inform_info(belief), (5, 5))
    assert len(belief.accepted) == 6 and info[4].tolist() == [0, 0, 1, 0, 1] and len(belief.match.venues) == 1


def test_that_nothing_matches_is_no_answer():
    belief = after(("hello()", "request(phone)"), ("inform(name=none, phone=1)", "ack()"))
    assert belief.requested == {"phone": 1.0} and belief.said_none and not belief.offer_happened


@pytest.mark.parametrize("heard, due", [
    ([("reqalts()", 1.0)], True), ([("inform(food=thai)", 1.0)], False),
    ([("reqalts()", 0.4), ("thankyou()", 0.6)], False), ([("reqalts()", 0.4), ("ack()", 0.6)], False),
    ([("reqalts()", 0.5), ("thankyou()", 0.5)], True),
    ([("reqalts()", 0.4), ("thankyou()", 0.3), ("ack()", 0.3)], True)])
def test_alternatives_are_due_after_reqalts_unless_the_user_is_just_polite(heard, due):
    assert after(("hello()", *heard)).alternatives_due == due
