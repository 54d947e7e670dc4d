"""The paper's claims, each as a quantity of a figure's lines and the range in which the claim is true."""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from demos.reproduction.intervals import Interval
from demos.reproduction.results import Curve

Curves = dict[str, Curve]                    # by label
SCALE = {"success": 100.0, "reward": 1.0, "turns": 1.0}
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


def jump(values: np.ndarray) -> np.ndarray:
    """From one test to the next, in the second half of training; 0 where there is one test."""
    steps = np.abs(np.diff(values[:, values.shape[1] // 2:], axis=1))
    return steps.mean(axis=1) if steps.size else np.zeros(len(values))


def peak(values: np.ndarray) -> np.ndarray:
    """At 10 or 20 % error, whichever is better, above that at 0 %."""
    return values[:, 1:3].max(axis=1) - values[:, 0]


class Claim(NamedTuple):
    """A statement about a quantity of a figure's first line, or about its distance from the best of other lines.

    "ACER" and the values of a sweep stand for the paper's ACER or for ours: a claim has a verdict for each.
    """

    figure: str
    claimed: str
    quantity: Callable[[np.ndarray], np.ndarray]
    metric: str
    lines: tuple[str, ...]
    holds: tuple[float, float]               # between which values the claim is true
    instead: tuple[str, ...] = ()            # lines of an intervention after which it might be true
    see: str = ""                            # the experiment that shows why


CLAIMS = (
    Claim("3", "ACER learns about as fast as GP", early, "success", ("ACER", "GP, draws"), (-5, 5), see="departures"),
    Claim("3", "ACER ends 1-2 points below GP", last, "success", ("ACER", "GP, draws"), (-2.5, -0.5), see="benchmark"),
    Claim("3", "ACER is far ahead of A2C", mean, "success", ("ACER", "A2C"), (5, INF),
          ("ACER", "A2C as PyDial has it"), "causes"),
    Claim("3", "ACER is far ahead of eNAC", mean, "success", ("ACER", "eNAC"), (5, INF),
          ("ACER", "eNAC as PyDial has it"), "causes"),
    Claim("4", "ACER's reward is slightly higher than GP's", last, "reward", ("ACER", "GP, draws"), (0, 2)),
    Claim("5", "ACER needs fewer turns than GP", last, "turns", ("ACER", "GP, draws"), (-INF, 0)),
    Claim("6", "Without the mask GP is faster at first", early, "success", ("GP, draws", "ACER"), (0, INF),
          see="departures"),
    Claim("6", "Without the mask ACER is steadier", jump, "success", ("ACER", "GP, draws"), (-INF, 0),
          see="diagnostics"),
    Claim("7", "c = 5 learns fastest", early, "success", ("c = 5", "c = 1", "c = 10", "c = 20"), (0, INF),
          see="diagnostics"),
    Claim("7", "c = 1 ends at the same level", last, "success", ("c = 1", "c = 5"), (-3, 3)),
    Claim("7", "c = 20 ends at the same level", last, "success", ("c = 20", "c = 5"), (-3, 3)),
    Claim("8", "δ = 0.5 is as good as 1", last, "success", ("δ = 0.5", "δ = 1"), (-3, 3)),
    Claim("8", "δ = 10 is erratic", jump, "success", ("δ = 10", "δ = 1"), (0, INF),
          ("δ = 0.1 on means", "δ = 0.01 on means"), "causes"),
    Claim("8", "δ = 50 is erratic", jump, "success", ("δ = 50", "δ = 1"), (0, INF),
          ("δ = 1 on means", "δ = 0.01 on means"), "causes"),
    Claim("9", "β = 0.9 does not converge well", last, "success", ("β = 0.9", "β = 0.99"), (-INF, -1),
          ("β = 0.9, δ = 0.001 on means", "δ = 0.001 on means"), "causes"),
    Claim("9", "β = 0.95 is faster than 0.99", early, "success", ("β = 0.95", "β = 0.99"), (0, INF)),
    Claim("10", "n = 10 is poor throughout", mean, "success", ("n = 10", "n = 1"), (-INF, -5), see="updates"),
    Claim("10", "n = 30 diverges", last, "success", ("n = 30",), (0, 50), see="updates"),
    Claim("10", "n = 50 diverges", last, "success", ("n = 50",), (0, 50), see="updates"),
    Claim("11", "The master space is slower", early, "success", ("ACER, master", "ACER"), (-INF, 0)),
    Claim("11", "The master space ends at the same level", last, "success", ("ACER, master", "ACER"), (-2, 2)),
    Claim("12", "ACER ends near 97 %", last, "success", ("ACER",), (95.5, 98.5), see="departures"),
    Claim("12", "ACER ends near 97 % in the master space", last, "success", ("ACER, master",), (95.5, 98.5)),
    Claim("12", "GP ends near 97 % in the master space", last, "success", ("GP, master, draws",), (95.5, 98.5)),
    Claim("12", "GP ends at 98-99 % in the summary space", last, "success", ("GP, draws",), (97.5, 99.5)),
    Claim("12", "GP needs fewer dialogues", early, "success", ("GP, draws", "ACER"), (0, INF), see="departures"),
    Claim("12", "... in the master space, too", early, "success", ("GP, master, draws", "ACER, master"), (0, INF)),
    Claim("13", "ACER has no peak at the error rate of training", peak, "success", ("ACER",), (-INF, 1)),
    Claim("13", "GP has no peak at the error rate of training", peak, "success", ("GP, draws",), (-INF, 1)),
    Claim("13", "eNAC is far behind ACER", mean, "success", ("eNAC", "ACER"), (-INF, -5), see="causes"),
    Claim("13", "GP is above ACER", mean, "success", ("GP, draws", "ACER"), (0, INF)),
    Claim("14", "ACER is better in the master space", mean, "reward", ("ACER, master", "ACER"), (0, INF)),
    Claim("14", "GP is better in the master space", mean, "reward", ("GP, master, draws", "GP, draws"), (0, INF)))


def measured(claim: Claim, curves: Curves, who: str, lines: tuple[str, ...] = ()) -> np.ndarray:
    """(n_seeds,) success in points, reward or turns; seeds that share their users are compared with one another."""
    first, *others = (claim.quantity(SCALE[claim.metric] * found(label, curves, who).scores[claim.metric])
                      for label in lines or claim.lines)
    if not others:
        return first
    best = max(others, key=np.mean)
    return first[:len(best)] - best[:len(first)]


def found(label: str, curves: Curves, who: str) -> Curve:
    """The line of that ACER, or of a system that is no ACER."""
    return curves.get(f"{label} ({who})") or curves[label]


def concerns_acer(claim: Claim, curves: Curves) -> bool:
    return any(f"{label} (ours)" in curves for label in claim.lines)


def verdict(ours: Interval, low: float, high: float) -> str:
    """Reproduced or different where the whole interval says so, undecided in between, and with one seed."""
    if low < ours.low and ours.high < high:
        return "reproduced"
    return "different" if ours.high <= low or high <= ours.low else "undecided"
