"""Small cases with simple numbers, that can be checked with a pencil.

Every generator builds its case from one primitive, pick(options). Hypothesis picks in the tests, and shrinks towards
the first option; a seeded NumPy generator picks in the gallery.
"""
from itertools import product

import numpy as np

NUMBERS = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 0.25, -0.75, 1.5)
RATIOS = (1.0, 0.5, 2.0, 0.0, 0.25, 4.0, 10.0)
DISCOUNTS = (1.0, 0.5, 0.9)
DECAYS = (1.0, 0.5, 0.0)
TRUNCATIONS = (1.0, 0.5, 2.0, 0.25, 5.0, 1.25)
FEW = (1, 2, 3)


def compositions(n: int, smallest: int) -> tuple:
    """All distributions over n actions in tenths, none below `smallest` tenths; the even ones first."""
    tenths = [p for p in product(range(smallest, 11), repeat=n) if sum(p) == 10]
    return tuple(sorted(tenths, key=lambda p: (max(p) - min(p), p)))


SIMPLEX = {(n, smallest): compositions(n, smallest) for n in (2, 3, 4) for smallest in (0, 1)}


def numbers(pick, *shape) -> np.ndarray:
    return np.array([pick(NUMBERS) for _ in range(int(np.prod(shape)))]).reshape(shape)


def policies(pick, n: int, n_actions: int, smallest: int = 0) -> np.ndarray:
    """(n, A) probabilities in tenths."""
    return np.array([pick(SIMPLEX[n_actions, smallest]) for _ in range(n)]) / 10


def masks(pick, n: int, n_actions: int) -> np.ndarray:
    """(n, A) bool, at least one action allowed in each row."""
    options = [m for m in product((True, False), repeat=n_actions) if any(m)]
    return np.array([pick(options) for _ in range(n)])
