"""The paper's claims, each a quantity of a figure's lines and the range in which it is true, and PyDial's own scores.

claims.csv holds the claims. pydial.csv has what PyDial itself scored on its benchmark in the tests after 1000 (early)
and 4000 dialogues (late), computed from public log files of its users.
"""
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from demos.files import from_csv
from demos.pictures import SCALE
from demos.records import Line
from demos.reproduction.plan import Experiment
from demos.reproduction.store import Results
from demos.statistics import Interval, difference, end, mean_interval

LOGS = from_csv(Path(__file__).with_name("pydial.csv").read_text(encoding="utf-8"))


def logs_of(domain: str, environment: int) -> list[dict[str, str]]:
    """What is known of PyDial in one task."""
    return [log for log in LOGS if (log["domain"], log["environment"]) == (domain, str(environment))]


# ---- quantities of (n_seeds, n_tests), one number per seed

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


QUANTITIES = {quantity.__name__: quantity for quantity in (end, early, mean, jump, peak)}


class Claim(NamedTuple):
    """A statement about a quantity of a figure's first line, or about its distance from the best of other lines.

    "ACER" and the values of a sweep stand for the paper's ACER or for ours: a claim has a verdict for each. A number
    before a label is that of another figure, whose line it is.
    """

    figure: str
    claimed: str
    quantity: Callable[[np.ndarray], np.ndarray]
    metric: str
    lines: tuple[str, ...]
    holds: tuple[float, float]               # between which values the claim is true
    instead: tuple[str, ...] = ()            # lines of an intervention after which it might be true
    see: str = ""                            # the experiment that shows why


def read_claims(path: Path) -> Iterator[Claim]:
    """A claim per row; semicolons part the labels of lines."""
    for row in from_csv(path.read_text(encoding="utf-8")):
        lines, instead = (tuple(filter(None, row.get(name, "").split("; "))) for name in ("lines", "instead"))
        yield Claim(row["figure"], row["claimed"], QUANTITIES[row["quantity"]], row["metric"], lines,
                    (float(row["above"]), float(row["below"])), instead, row.get("see", ""))


CLAIMS = tuple(read_claims(Path(__file__).with_suffix(".csv")))


def line_of(label: str, claim: Claim, experiments: dict[str, Experiment], who: str) -> Line | None:
    """The line of that ACER, or of a system that is no ACER, in the claim's figure or the one that shows its cause."""
    other, _, rest = label.rpartition(": ")
    for name in (other or claim.figure, claim.see):
        lines = experiments[name].lines if name in experiments else {}
        if found := lines.get(f"{rest} ({who})") or lines.get(rest):
            return found
    return None


def measured(claim: Claim, results: Results, lines: list[Line], mode: str = "") -> Interval:
    """Success in points, reward, turns or minutes: of the first line, or its distance from the best of the others."""
    first, *others = (claim.quantity(SCALE.get(claim.metric, 1.0) * curve.scores[claim.metric])
                      for curve in (results.curve(line._replace(mode=mode or line.mode)) for line in lines))
    return difference(first, max(others, key=np.mean))[0] if others else mean_interval(first)


def verdict(ours: Interval, low: float, high: float) -> str:
    """Reproduced or different where the whole interval says so, undecided in between, and with one seed."""
    if low < ours.low and ours.high < high:
        return "reproduced"
    return "different" if ours.high <= low or high <= ours.low else "undecided"
