"""How sure a result over several seeds is."""
from typing import NamedTuple

import numpy as np

RESAMPLES = 2000


class Interval(NamedTuple):
    """A mean and its 95 % interval, each of the shape of one seed's values; NaN for the interval of a single seed."""

    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray


def bootstrap(values: np.ndarray) -> Interval:
    """Resamples the seeds, values (n_seeds, ...), with replacement; the same values always give the same interval."""
    mean = values.mean(axis=0)
    if len(values) == 1:
        return Interval(mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan))
    seeds = np.random.default_rng(0).integers(len(values), size=(RESAMPLES, len(values)))
    return Interval(mean, *np.quantile(values[seeds].mean(axis=1), (0.025, 0.975), axis=0))


def show(interval: Interval, digits: int = 1) -> str:
    """98.5 [97.9, 99.0], or the number alone where there is no interval."""
    estimate, low, high = (f"{round(float(x), digits) + 0.0:.{digits}f}" for x in interval)      # + 0.0: no -0.0
    return estimate if low == "nan" else f"{estimate} [{low}, {high}]"
