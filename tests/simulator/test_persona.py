"""What users are like: the range of every choice, their patience, and how they differ."""
import csv
import hashlib
from pathlib import Path

import numpy as np
import pytest

import simulator
from simulator.persona import PATIENCE, draw_persona
from simulator.user import User
from tests.simulator.strategies import DOMAIN

TEXT = Path(simulator.__file__).with_name("persona.csv").read_text(encoding="utf-8")
CHOICES = list(csv.DictReader(TEXT.splitlines()))


def test_the_probabilities_are_the_original_ones():
    """Nothing here can compute them again, so they are pinned."""
    numbers = [[value for name, value in row.items() if name != "meaning"] for row in CHOICES]
    assert len(numbers) == 23 and hashlib.sha256(repr(numbers).encode()).hexdigest()[:16] == "8421107aeeb3cc0b"


@pytest.mark.parametrize("kind", ["sampled", "unfriendly"])
def test_every_probability_of_a_person_who_is_drawn_fills_its_range_and_patience_is_4_or_5(kind):
    rng = np.random.default_rng(3)
    *people, patience = np.array([draw_persona(kind, rng) for _ in range(3000)]).T
    for row, draws in zip(CHOICES, people):
        low, high = float(row[f"{kind} lowest"]), float(row[f"{kind} highest"])
        near = 0.005 * (high - low)
        assert low <= draws.min() < low + near and high - near < draws.max() <= high
        assert draws.mean() == pytest.approx((low + high) / 2, abs=0.012)              # 4 standard errors of the widest
        assert draws.std() == pytest.approx((high - low) / 12 ** 0.5, rel=0.06)
    assert PATIENCE == (4, 5) and set(patience) == {4, 5} and abs((patience == 4).mean() - 0.5) < 0.04


def test_the_fixed_person_has_the_fixed_values():
    fixed = {row["choice"]: float(row["fixed"]) for row in CHOICES} | {"patience": 5}
    assert draw_persona("fixed", np.random.default_rng(0))._asdict() == fixed


@pytest.mark.parametrize("kind, n", [("sampled", 20), ("unfriendly", 20), ("fixed", 1)])
def test_a_user_is_a_new_person_of_their_kind_in_every_dialogue(kind, n):
    user, people = User(DOMAIN, np.random.default_rng(0), np.random.default_rng(1), kind), set()
    for _ in range(20):
        user.reset()
        people.add(user.p)
        assert user.patience == user.p.patience and (user.p.greeting < 0.4 or kind != "unfriendly")
    assert len(people) == n
