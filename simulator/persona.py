"""What simulated users are like: the probabilities of their choices, and their patience.

persona.csv has a row for every choice: the probability of the fixed user, then the lowest and the highest that sampled
users can have, then those of unfriendly users. Unfriendly users greet and tell less, and give up fewer wishes.
"""
import csv
from collections import namedtuple
from pathlib import Path

import numpy as np

PATIENCE = (4, 5)                # repetitions that end the dialogue; the fixed user has the last
USERS = ("sampled", "unfriendly", "fixed")

with open(Path(__file__).with_suffix(".csv"), encoding="utf-8", newline="") as _file:
    _CHOICES = {row.pop("choice"): row for row in csv.DictReader(_file)}
_RANGES = {kind: np.array([[float(row[f"{kind} {end}"]) for row in _CHOICES.values()] for end in ("lowest", "highest")])
           for kind in ("sampled", "unfriendly")}      # (2, choices)

Persona = namedtuple("Persona", (*_CHOICES, "patience"))
FIXED = Persona(*(float(row["fixed"]) for row in _CHOICES.values()), PATIENCE[-1])


def draw_persona(kind: str, rng: np.random.Generator) -> Persona:
    """A new person: probabilities uniform in their ranges, both patiences equally likely; "fixed" never changes."""
    if kind == "fixed":
        return FIXED
    low, high = _RANGES[kind]
    *draws, patience = rng.random(len(low) + 1)
    return Persona(*(low + (high - low) * draws).tolist(), PATIENCE[int(patience * len(PATIENCE))])
