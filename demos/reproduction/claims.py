"""The paper's claims, each as a quantity of a figure's lines and the range in which the claim is true."""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from demos.figures import SCALE, Curves
from demos.intervals import Interval

INF = np.inf


def last(values: np.ndarray) -> np.ndarray:
    """(n_seeds, n_tests) -> (n_seeds,): in the last test."""
    return values[:, -1]


def early(values: np.ndarray) -> np.ndarray:
    """In the first quarter of training."""
    return values[:, :max(1, values.shape[1] // 4)].mean(axis=1)


def mean(values: np.ndarray) -> np.ndarray:
    """In all tests."""
    return values.mean(axis=1)


def unrest(values: np.ndarray) -> np.ndarray:
    """From one test to the next, in the second half of training."""
    return np.abs(np.diff(values[:, values.shape[1] // 2:], axis=1)).mean(axis=1)


def peak(values: np.ndarray) -> np.ndarray:
    """At 10 or 20 % error, whichever is better, above that at 0 %."""
    return values[:, 1:3].max(axis=1) - values[:, 0]


class Claim(NamedTuple):
    """A statement about a quantity of a figure's first line, or about its distance from the best of other lines."""

    figure: str
    claimed: str
    quantity: Callable[[np.ndarray], np.ndarray]
    metric: str
    lines: tuple[str, ...]
    holds: tuple[float, float]                  # between which values the claim is true
    why: str = ""                               # ours differs, with the seeds of the plan


CLAIMS = (
    Claim("3", "ACER learns about as fast as GP", early, "success", ("ACER", "GP"), (-5, 5)),
    Claim("3", "ACER ends 1-2 points below GP", last, "success", ("ACER", "GP"), (-2.5, -0.5),
          "both end between 99 and 100 %, which leaves no room"),
    Claim("3", "ACER is far ahead of A2C", mean, "success", ("ACER", "A2C"), (5, INF),
          "ours weights its critic by ρ and computes V anew for every update; PyDial's does neither"),
    Claim("3", "ACER is far ahead of eNAC", mean, "success", ("ACER", "eNAC"), (5, INF),
          "ours is behind by less: it regresses on the whole return, PyDial's on that of the last turn"),
    Claim("4", "ACER's reward is slightly higher than GP's", last, "reward", ("ACER", "GP"), (0, 2)),
    Claim("5", "ACER needs fewer turns than GP", last, "turns", ("ACER", "GP"), (-INF, 0)),
    Claim("6", "Without the mask GP is faster at first", early, "success", ("GP", "ACER"), (0, INF)),
    Claim("6", "Without the mask ACER is steadier", unrest, "success", ("ACER", "GP"), (-INF, 0),
          "our GP stops exploring after 1000 dialogues and is then steady"),
    Claim("7", "c = 5 learns fastest", early, "success", ("c = 5", "c = 1", "c = 10", "c = 20"), (0, INF),
          "it does here, too, but 10 seeds cannot tell it from c = 10"),
    Claim("7", "c = 1 ends at the same level", last, "success", ("c = 1", "c = 5"), (-3, 3)),
    Claim("7", "c = 20 ends at the same level", last, "success", ("c = 20", "c = 5"), (-3, 3)),
    Claim("8", "δ = 0.5 is as good as 1", last, "success", ("δ = 0.5", "δ = 1"), (-3, 3)),
    Claim("8", "δ = 10 is erratic", unrest, "success", ("δ = 10", "δ = 1"), (0, INF),
          "even without any trust region ACER learns well, see the ablation"),
    Claim("8", "δ = 50 is erratic", unrest, "success", ("δ = 50", "δ = 1"), (0, INF), "as for 10"),
    Claim("9", "β = 0.9 does not converge well", last, "success", ("β = 0.9", "β = 0.99"), (-INF, -1),
          "a slow average holds our policy back without making it safer"),
    Claim("9", "β = 0.95 is faster than 0.99", early, "success", ("β = 0.95", "β = 0.99"), (0, INF)),
    Claim("10", "n = 10 is poor throughout", mean, "success", ("n = 10", "n = 1"), (-INF, -5)),
    Claim("10", "n = 30 diverges", last, "success", ("n = 30",), (0, 50),
          "it is slow, but rises to the end"),
    Claim("10", "n = 50 diverges", last, "success", ("n = 50",), (0, 50), "as for 30"),
    Claim("11", "The master space is slower", early, "success", ("ACER, master", "ACER"), (-INF, 0)),
    Claim("11", "The master space ends at the same level", last, "success", ("ACER, master", "ACER"), (-2, 2)),
    Claim("12", "ACER ends near 97 %", last, "success", ("ACER",), (95.5, 98.5),
          "ours ends higher; with the paper's values it does end there, see the ablation"),
    Claim("12", "ACER ends near 97 % in the master space", last, "success", ("ACER, master",), (95.5, 98.5),
          "ours ends higher; it has values of its own in the master space, see below"),
    Claim("12", "GP ends near 97 % in the master space", last, "success", ("GP, master",), (95.5, 98.5),
          "ours ends higher; it is exact where PyDial's is sparse"),
    Claim("12", "GP ends at 98-99 % in the summary space", last, "success", ("GP",), (97.5, 99.5)),
    Claim("12", "GP needs fewer dialogues", early, "success", ("GP", "ACER"), (0, INF)),
    Claim("12", "... in the master space, too", early, "success", ("GP, master", "ACER, master"), (0, INF)),
    Claim("13", "ACER has no peak at the error rate of training", peak, "success", ("ACER",), (-INF, 1)),
    Claim("13", "GP has no peak at the error rate of training", peak, "success", ("GP",), (-INF, 1)),
    Claim("13", "eNAC is far behind ACER", mean, "success", ("eNAC", "ACER"), (-INF, -5),
          "as in figure 3"),
    Claim("13", "GP is above ACER", mean, "success", ("GP", "ACER"), (0, INF)),
    Claim("14", "ACER is better in the master space", mean, "reward", ("ACER, master", "ACER"), (0, INF)),
    Claim("14", "GP is better in the master space", mean, "reward", ("GP, master", "GP"), (0, INF)))


def measured(claim: Claim, curves: Curves) -> np.ndarray:
    """(n_seeds,) success in points, reward or turns; seeds that share their users are compared with one another."""
    first, *others = (claim.quantity(SCALE[claim.metric] * curves[label].scores[claim.metric]) for label in claim.lines)
    return first - max(others, key=np.mean) if others else first


def verdict(ours: Interval, low: float, high: float) -> str:
    """Reproduced or different where the whole interval says so; in between we could not reproduce it."""
    if low <= ours.low and ours.high <= high:
        return "reproduced"
    return "different" if ours.high < low or high < ours.low else "not reproduced"
