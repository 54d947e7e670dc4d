"""How sure a result over several seeds is."""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.stats import trim_mean

RESAMPLES = 2000


class Interval(NamedTuple):
    """An estimate and its 95 % interval, each of the shape of one seed's values."""

    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray


def bootstrap(values: np.ndarray, statistic: Callable = np.mean) -> Interval:
    """Resamples the seeds, values (n_seeds, ...), with replacement; the same values always give the same interval."""
    seeds = np.random.default_rng(0).integers(len(values), size=(RESAMPLES, len(values)))
    low, high = np.quantile(statistic(values[seeds], axis=1), (0.025, 0.975), axis=0)
    return Interval(statistic(values, axis=0), low, high)


def interquartile_mean(values: np.ndarray, axis: int = 0) -> np.ndarray:
    """The mean without the lowest and the highest quarter: a few lost seeds do not move it."""
    return trim_mean(values, 0.25, axis=axis)
