"""What users are like: the range of every choice, their patience, and how they differ."""
import numpy as np
import pytest

from simulator.persona import FIXED, PATIENCE, Persona, draw_persona
from simulator.user import User
from tests.simulator.strategies import DOMAIN

RANGES = {   # the fixed value, the lowest and the highest that is drawn
    "greeting": (0.5, 0.3, 0.7), "inform_combination": (0.6, 0.2, 0.7), "affirm_combination": (1.0, 0.2, 0.7),
    "no_slot_with_dontcare": (0.8, 0.7, 0.9), "add_slot_to_request": (0.333, 0.2, 0.4),
    "add_name_to_request": (0.05, 0.01, 0.2), "other_venue": (0.143, 0.01, 0.3), "change_goal": (0.143, 0.01, 0.3),
    "relax": (0.667, 0.5, 0.8), "tell_change": (0.5, 0.4, 0.6), "thankyou": (0.1, 0.01, 0.2), "ack": (0.1, 0.01, 0.2),
    "deal_with_pending": (0.5, 0.4, 0.6), "inform_to_confirm": (0.05, 0.01, 0.2), "ask_back": (0.1, 0.01, 0.3),
    "ask_instead_of_correct": (0.1, 0.01, 0.2), "correct_by_negate": (0.45, 0.3, 0.5),
    "correct_by_deny": (0.4, 0.3, 0.5), "no_after_reqmore": (0.7, 0.8, 0.9), "yes_after_reqmore": (0.25, 0.2, 0.3),
    "affirm_with_pending": (0.05, 0.01, 0.2), "other_constraint": (0.2, 0.1, 0.4), "bare_dontcare": (0.2, 0.1, 0.4)}


def ranges(**changes):
    return {name: drawn for name, (_, *drawn) in RANGES.items()} | changes


UNFRIENDLY = ranges(inform_combination=(0.0, 0.4), affirm_combination=(0.0, 0.4), greeting=(0.1, 0.4), relax=(0.2, 0.5),
                    tell_change=(0.2, 0.4))


@pytest.mark.parametrize("kind, expected", [("sampled", ranges()), ("unfriendly", UNFRIENDLY)])
def test_every_probability_of_a_person_who_is_drawn_fills_its_range(kind, expected):
    rng = np.random.default_rng(3)
    people = np.array([draw_persona(kind, rng)[:-1] for _ in range(3000)])
    low, high = np.array([expected[name] for name in Persona._fields[:-1]]).T
    assert (people >= low).all() and (people <= high).all()
    near = 0.005 * (high - low)
    assert (people.min(axis=0) < low + near).all() and (people.max(axis=0) > high - near).all()
    np.testing.assert_allclose(people.mean(axis=0), (low + high) / 2, atol=0.012)     # 4 standard errors of the widest
    np.testing.assert_allclose(people.std(axis=0), (high - low) / 12 ** 0.5, rtol=0.06)


def test_the_fixed_person_has_the_fixed_values():
    fixed = {name: values[0] for name, values in RANGES.items()} | {"patience": 5}
    assert draw_persona("fixed", np.random.default_rng(0))._asdict() == FIXED._asdict() == fixed


def test_whoever_is_drawn_differs_from_the_next_and_is_told_by_the_seed():
    first, second = (draw_persona("sampled", rng) for rng in [np.random.default_rng(3)] for _ in range(2))
    assert first != second and first == draw_persona("sampled", np.random.default_rng(3))


@pytest.mark.parametrize("kind", ["sampled", "unfriendly"])
def test_users_who_are_drawn_have_patience_4_or_5_and_the_fixed_one_5(kind):
    drawn, fixed = (User(DOMAIN, np.random.default_rng(0), np.random.default_rng(1), k) for k in (kind, "fixed"))
    seen = []
    for _ in range(400):
        drawn.reset(), fixed.reset()
        seen.append(drawn.patience)
        assert drawn.patience == drawn.p.patience and fixed.patience == 5 and fixed.p == FIXED != drawn.p
    assert PATIENCE == (4, 5) and 160 < seen.count(4) < 240 and seen.count(4) + seen.count(5) == 400


def test_another_kind_of_user_is_refused():
    with pytest.raises(ValueError, match="user is 'kind', expected one of sampled, unfriendly, fixed"):
        User(DOMAIN, np.random.default_rng(0), np.random.default_rng(0), "kind")
