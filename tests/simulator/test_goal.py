"""Goals: how they are drawn, what clashes with them, and when they are met."""
from collections import Counter
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from simulator.acts import DONTCARE, Item
from simulator.goal import Goal, GoalGenerator, feasible_constraints
from tests.simulator.strategies import DOMAIN, GOAL, A, B, act, small_domain

GENERATOR = GoalGenerator(DOMAIN)


def test_every_goal_order_and_request_has_its_share():
    rng, n = np.random.default_rng(1), 6000
    goals = [GENERATOR.draw(rng) for _ in range(n)]
    for goal in goals[:200]:
        assert len(DOMAIN.match(goal.constraints.items()).venues) in (2, 3) and not goal.excluded
        assert list(goal.requests)[0] == "name" and not any(goal.requests.values())
        assert goal.used == {slot: {value} for slot, value in goal.constraints.items()}
    wishes = Counter(frozenset(goal.constraints.items()) for goal in goals)
    assert len(wishes) == 56 and max(wishes.values()) < 2 * n / 56 and min(wishes.values()) > n / 56 / 2
    orders = Counter(tuple(goal.constraints) for goal in goals)
    assert orders.keys() == set(permutations(DOMAIN.system_requestable)) and min(orders.values()) > 0.85 * n / 6
    # 0, 1 or 2 of six slots, of which name is one: 1 slot with 1/3 + 1/3 * 1/6 = 7/18, 3 slots with 1/3 * 4/6 = 4/18
    sizes = Counter(len(goal.requests) for goal in goals)
    for size, share in ((1, 7 / 18), (2, 7 / 18), (3, 4 / 18)):
        assert sizes[size] / n == pytest.approx(share, abs=0.025)
    extra = Counter(slot for goal in goals for slot in goal.requests if slot != "name")
    assert extra.keys() == {"addr", "phone", "postcode", "signature", "description"}
    assert max(extra.values()) < 1.2 * min(extra.values())
    assert len({tuple(goal.requests) for goal in goals if len(goal.requests) == 3}) == 20      # any order of any two


def test_a_goal_consumes_the_same_number_of_random_numbers_whatever_it_is():
    drawn, skipped = np.random.default_rng(4), np.random.default_rng(4)
    for _ in range(20):
        GENERATOR.draw(drawn), skipped.random(2 + 3 + 6)
    assert drawn.random() == skipped.random()


def test_feasible_constraints_by_hand():
    # Four venues over x in {a, b} and y in {c, d}: ac ac ad bd. Two or three venues meet ac, a*, *c, *d; (**) meets 4.
    domain = small_domain({"x": "ab", "y": "cd"}, ("ac", "ac", "ad", "bd"))
    pairs = {tuple(value for _, value in sorted(goal)) for goal in feasible_constraints(domain)}
    assert pairs == {("a", "c"), ("a", DONTCARE), (DONTCARE, "c"), (DONTCARE, "d")}


def test_a_value_that_the_ontology_does_not_list_is_never_wanted():
    domain = small_domain({"x": "ab", "y": "cd"}, ("zc", "zc", "ac"))
    assert all(dict(goal)["x"] != "z" for goal in feasible_constraints(domain))
    assert (("x", DONTCARE), ("y", "c")) in feasible_constraints(domain)


def test_goals_are_drawn_as_if_constraints_were_drawn_again_and_again_until_two_or_three_venues_meet_them():
    """With more slots than a goal constrains, a combination of slots with many values is hit less often."""
    values = {"a": "pq", "b": "rs", "c": "tuvwx", "d": "yz"}
    rows = ("prty", "prtz", "psuy", "psvy", "qrwy", "qrxz", "qsty")
    domain = small_domain(values, rows)
    generator, rng = GoalGenerator(domain), np.random.default_rng(0)
    ours = Counter(tuple(sorted(generator.draw(rng).constraints.items())) for _ in range(2500))
    theirs = Counter()
    while sum(theirs.values()) < 2500:
        slots = rng.permutation(list(values))[:3].tolist()
        drawn = [(slot, str(rng.choice([*values[slot], DONTCARE]))) for slot in slots]
        if len(domain.match(drawn).venues) in (2, 3):
            theirs[tuple(sorted(drawn))] += 1
    assert ours.keys() == theirs.keys()
    for goal in ours:
        assert abs(ours[goal] - theirs[goal]) < 4.5 * (ours[goal] + theirs[goal]) ** 0.5


def test_a_domain_with_fewer_slots_than_a_goal_constrains_uses_all_of_them():
    domain = small_domain({"x": "abc"}, ("a", "a", "b", "c"))
    assert GoalGenerator(domain).draw(np.random.default_rng(0)).constraints == {"x": "a"}


# ---- what clashes: (goal, item of the system, does it clash)

@pytest.mark.parametrize("wanted, item, clash", [
    ("thai", Item("food", "thai"), False), ("thai", Item("food", "indian"), True),
    ("thai", Item("food", DONTCARE), True),
    (DONTCARE, Item("food", "thai"), False), (DONTCARE, Item("food", DONTCARE), False),
    (None, Item("food", "thai"), False)])
def test_a_wish_clashes_with_every_other_value(wanted, item, clash):
    goal = Goal({"food": wanted} if wanted else {}, {"name": None})
    for text in (f"inform(name={A}, {item})", f"inform(name=none, {item})", f"confirm({item})"):
        assert list(goal.compare(act(text), DOMAIN)) == [(item, clash)]


@pytest.mark.parametrize("accepted, excluded, text, compared", [
    (A, [], f"inform(name={B})", []),                                             # a new venue is worth a thought
    (A, [], f"inform(name={B}, phone=1)", [(Item("name", B), True)]),
    (A, [], f"inform(name={A}, phone=1)", [(Item("name", A), False)]),
    (None, [B], f"inform(name={B})", [(Item("name", B), True)]),
    (None, [B], f"inform(name={A})", []),
    (None, [B], f"inform(name={A}, phone=1)", [(Item("name", A), False)]),
    (None, [], f"inform(name={A}, phone=1)", []),
    (A, [B], f"inform(name=none, name!={A}, name!={B})", []),
    (A, [B], "inform(name=none, phone=1)", [])])
def test_when_a_name_is_compared(accepted, excluded, text, compared):
    goal = Goal({"name": accepted} if accepted else {}, {"name": None}, list(excluded))
    assert list(goal.compare(act(text), DOMAIN)) == compared


# ---- success

def test_a_goal_is_achieved_by_a_fitting_venue_and_answers_to_everything():
    assert Goal(dict(GOAL), {"name": A, "phone": ""}).achieved(DOMAIN)
    assert Goal({**GOAL, "name": A}, {"name": A}).achieved(DOMAIN)
    assert Goal({"food": DONTCARE, "area": "centre", "pricerange": DONTCARE}, {"name": A}).achieved(DOMAIN)


@pytest.mark.parametrize("goal", [
    Goal(dict(GOAL), {"name": None}), Goal(dict(GOAL), {"name": A, "phone": None}),
    Goal({**GOAL, "food": "thai"}, {"name": A}), Goal({**GOAL, "pricerange": "expensive"}, {"name": A}),
    Goal({**GOAL, "name": B}, {"name": A}), Goal(dict(GOAL), {"name": A}, excluded=[A]),
    Goal(dict(GOAL), {"name": "no such place"})])
def test_anything_else_is_a_failure(goal):
    assert not goal.achieved(DOMAIN)


def test_one_of_two_venues_with_the_same_name_is_enough():
    domain = small_domain({"x": "ab"}, ("a", "b"))
    twins = replace(domain, venues=tuple(venue | {"name": "v0"} for venue in domain.venues))
    assert Goal({"x": "b"}, {"name": "v0"}).achieved(twins)
