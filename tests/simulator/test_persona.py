"""What users are like: the range of every choice, their patience, and how they differ."""
import csv
import hashlib
from pathlib import Path

import numpy as np
import pytest

import simulator
from simulator.persona import FIXED, PATIENCE, draw_persona
from simulator.user import User
from tests.simulator.strategies import DOMAIN

TEXT = Path(simulator.__file__).with_name("persona.csv").read_text(encoding="utf-8")
CHOICES = list(csv.DictReader(TEXT.splitlines()))


def test_the_probabilities_are_the_original_ones():
    """Nothing here can compute them again, so they are pinned."""
    numbers = [[value for name, value in row.items() if name != "meaning"] for row in CHOICES]
    assert len(numbers) == 23 and hashlib.sha256(repr(numbers).encode()).hexdigest()[:16] == "8421107aeeb3cc0b"


@pytest.mark.parametrize("kind", ["sampled", "unfriendly"])
def test_every_probability_of_a_person_who_is_drawn_fills_its_range(kind):
    rng = np.random.default_rng(3)
    people = np.array([draw_persona(kind, rng)[:-1] for _ in range(3000)])
    low, high = np.array([[float(row[f"{kind} lowest"]), float(row[f"{kind} highest"])] for row in CHOICES]).T
    assert (people >= low).all() and (people <= high).all()
    near = 0.005 * (high - low)
    assert (people.min(axis=0) < low + near).all() and (people.max(axis=0) > high - near).all()
    np.testing.assert_allclose(people.mean(axis=0), (low + high) / 2, atol=0.012)     # 4 standard errors of the widest
    np.testing.assert_allclose(people.std(axis=0), (high - low) / 12 ** 0.5, rtol=0.06)


def test_the_fixed_person_has_the_fixed_values():
    fixed = {row["choice"]: float(row["fixed"]) for row in CHOICES} | {"patience": 5}
    assert draw_persona("fixed", np.random.default_rng(0))._asdict() == FIXED._asdict() == fixed


@pytest.mark.parametrize("kind", ["sampled", "unfriendly"])
def test_users_who_are_drawn_have_patience_4_or_5_and_the_fixed_one_5(kind):
    drawn, fixed = (User(DOMAIN, np.random.default_rng(0), np.random.default_rng(1), k) for k in (kind, "fixed"))
    seen = []
    for _ in range(400):
        drawn.reset(), fixed.reset()
        seen.append(drawn.patience)
        assert drawn.patience == drawn.p.patience and fixed.patience == 5 and fixed.p == FIXED != drawn.p
    assert PATIENCE == (4, 5) and 160 < seen.count(4) < 240 and seen.count(4) + seen.count(5) == 400
