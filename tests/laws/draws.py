"""Small cases with simple numbers, which can be checked with a pencil, and a second tier of large ones.

Every generator builds its case from one primitive, pick(options). A case is made simpler by picking earlier options.
"""
from itertools import product

import numpy as np

NUMBERS = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 0.25, -0.75, 1.5)
WIDE_NUMBERS = (0.0, 1.0, -1.0, 3.0, -0.5, 0.25, 100.0, -40.0)
RATIOS = (1.0, 0.5, 2.0, 0.0, 0.25, 4.0, 10.0)
WIDE_RATIOS = (1.0, 0.5, 2.0, 0.0, 30.0, 1.25, 1000.0, 0.001)
DISCOUNTS = (1.0, 0.5, 0.9)
DECAYS = (1.0, 0.5, 0.0)
TRUNCATIONS = (1.0, 0.5, 2.0, 0.25, 5.0, 1.25)
ALLOWED = (True, False)
FEW = (1, 2, 3)


class Pick:
    """Chooses among options: as in `choices`, after those at random, without a generator the first.

    `made` keeps the choices. `only` replaces tuples of options; `shape` fixes turns and actions.
    """

    def __init__(self, large=False, choices=(), rng=None, only=None, shape=None):
        self.large, self.choices, self.rng, self.only, self.shape, self.made = large, choices, rng, only, shape, []

    def __call__(self, options):
        if self.only:
            options = self.only.get(options, options)
        i = len(self.made)
        if i < len(self.choices):
            choice = min(self.choices[i], len(options) - 1)
        else:
            choice = int(self.rng.random() * len(options)) if self.rng else 0
        self.made.append(choice)
        return options[choice]


def n_turns(pick) -> int:
    return pick.shape[0] if pick.shape else pick((5, 6, 9, 30) if pick.large else (1, 2, 3, 4))


def n_rows(pick) -> int:
    return pick.shape[0] if pick.shape else pick((1, 4, 12) if pick.large else FEW)


def n_actions(pick, most: int = 4) -> int:
    return pick.shape[1] if pick.shape else pick((5, 20) if pick.large else tuple(range(2, most + 1)))


def lengths(pick) -> np.ndarray:
    """Of one to three dialogues."""
    if pick.shape:
        return np.array([pick.shape[0]] * 2)
    return np.array([pick((4, 9, 20) if pick.large else FEW) for _ in range(pick(FEW))])


def numbers(pick, *shape) -> np.ndarray:
    options = WIDE_NUMBERS if pick.large else NUMBERS
    return np.array([pick(options) for _ in range(int(np.prod(shape)))]).reshape(shape)


def ratios(pick, n: int) -> np.ndarray:
    return np.array([pick(WIDE_RATIOS if pick.large else RATIOS) for _ in range(n)])


def compositions(n: int, smallest: int) -> tuple:
    """All distributions over n actions in tenths, none below `smallest` tenths; the even ones first."""
    tenths = [p for p in product(range(smallest, 11), repeat=n) if sum(p) == 10]
    return tuple(sorted(tenths, key=lambda p: (max(p) - min(p), p)))


SIMPLEX = {(n, smallest): compositions(n, smallest) for n in (2, 3, 4) for smallest in (0, 1)}


def policies(pick, n: int, n_actions: int, smallest: int = 0) -> np.ndarray:
    """(n, A) probabilities, in tenths or down to 10⁻⁶; some are 0 unless `smallest` is 1."""
    if (n_actions, smallest) in SIMPLEX and not pick.large:
        return np.array([pick(SIMPLEX[n_actions, smallest]) for _ in range(n)]) / 10
    options = (1.0, 0.1, 1e-2, 1e-4, 1e-6) + (0.0,) * (1 - smallest)
    weights = np.array([[1.0] + [pick(options) for _ in range(n_actions - 1)] for _ in range(n)])
    return weights / weights.sum(axis=1, keepdims=True)


def masks(pick, n: int, n_actions: int) -> np.ndarray:
    """(n, A) bool, at least one action allowed in each row."""
    allowed = np.array([[pick(ALLOWED) for _ in range(n_actions)] for _ in range(n)])
    allowed[~allowed.any(axis=1), -1] = True
    return allowed


def under(pick, masks: np.ndarray) -> np.ndarray:
    """(n, A) a policy under these masks."""
    weights = np.array([[pick((1, 2, 3)) * allowed for allowed in row] for row in masks])
    return weights / weights.sum(axis=1, keepdims=True)
