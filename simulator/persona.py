"""What a simulated user is like: the probabilities of its choices, and its patience.

persona.csv has for every choice its fixed probability, the lowest and the highest that is drawn for a sampled user, and
the same for an unfriendly one, who greets and tells less, and changes its mind less kindly.
"""
import csv
from collections import namedtuple
from pathlib import Path

import numpy as np

PATIENCE = (4, 5)                # how many repetitions end the dialogue; a user who is not drawn has the last
USERS = ("sampled", "unfriendly", "fixed")

with open(Path(__file__).with_suffix(".csv"), encoding="utf-8", newline="") as _file:
    _CHOICES = {row.pop("choice"): row for row in csv.DictReader(_file)}
_RANGES = {kind: np.array([[float(row[f"{kind} {end}"]) for row in _CHOICES.values()] for end in ("lowest", "highest")])
           for kind in ("sampled", "unfriendly")}      # (2, choices)

Persona = namedtuple("Persona", (*_CHOICES, "patience"))
FIXED = Persona(*(float(row["fixed"]) for row in _CHOICES.values()), PATIENCE[-1])


def draw_persona(kind: str, rng: np.random.Generator) -> Persona:
    """A new person: every probability uniform in its range, every patience equally likely; "fixed" is always one."""
    if kind == "fixed":
        return FIXED
    low, high = _RANGES[kind]
    *draws, patience = rng.random(len(low) + 1)
    return Persona(*(low + (high - low) * draws).tolist(), PATIENCE[int(patience * len(PATIENCE))])
