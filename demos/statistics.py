"""How sure a result over several seeds is: intervals, differences, proportions, families of tests, many tasks.

All runs share their test users, so an interval says where the mean of further runs lies on these users.
"""
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

RESAMPLES = 2000                             # of the bootstrap over tasks and seeds
COLLAPSED = 0.65                             # mean success over the last three tests below which a run has collapsed


class Interval(NamedTuple):
    """An estimate and its 95 % interval, each of the shape of one seed's values; NaN where one seed has none."""

    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray


def mean_interval(values: np.ndarray) -> Interval:
    """x̄ ± t₀.₉₇₅ s / √n over the seeds, values (n_seeds, ...)."""
    n, mean = len(values), values.mean(axis=0)
    if n == 1:
        return Interval(mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan))
    half = stats.t.ppf(0.975, n - 1) * values.std(axis=0, ddof=1) / np.sqrt(n)
    return Interval(mean, mean - half, mean + half)


def difference(ours: np.ndarray, theirs: np.ndarray) -> tuple[Interval, float]:
    """Mean of ours minus mean of theirs, and its p, by Welch's t: numbers of seeds and spreads may differ."""
    estimate, (error, freedom) = ours.mean() - theirs.mean(), standard_error(ours, theirs)
    if not error > 0:                            # one seed, or runs that do not differ
        return Interval(estimate, np.nan, np.nan), float("nan")
    half = stats.t.ppf(0.975, freedom) * error
    return Interval(estimate, estimate - half, estimate + half), float(2 * stats.t.sf(abs(estimate) / error, freedom))


def standard_error(ours: np.ndarray, theirs: np.ndarray) -> tuple[float, float]:
    """√(s₁²/n₁ + s₂²/n₂) of a difference of means, and its degrees of freedom; NaN with a single seed."""
    if min(len(ours), len(theirs)) == 1:
        return np.nan, np.nan
    squares = [values.var(ddof=1) / len(values) for values in (ours, theirs)]
    spread = sum(square ** 2 / (len(values) - 1) for square, values in zip(squares, (ours, theirs)))
    return float(np.sqrt(sum(squares))), float(sum(squares) ** 2 / spread) if spread else np.nan


def smallest_seen(ours: np.ndarray, theirs: np.ndarray) -> float:
    """The difference that such a comparison finds in four cases of five: 2.8 standard errors."""
    return float(stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * standard_error(ours, theirs)[0]


def proportion(n_found: int, n: int) -> Interval:
    """n_found of n, with the exact interval of Clopper and Pearson."""
    return Interval(n_found / n, *stats.binomtest(n_found, n).proportion_ci(method="exact"))


def holm(p_values: Sequence[float]) -> np.ndarray:
    """p-values of one table, such that rejecting those below 0.05 is wrong anywhere with a probability of 0.05."""
    p = np.nan_to_num(np.asarray(p_values, float), nan=1.0)
    order = p.argsort()
    adjusted = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(1.0, adjusted[order.argsort()])


def interquartile_mean(runs: np.ndarray) -> np.ndarray:
    """(..., tasks, seeds) -> (...): the mean of the middle half of all runs."""
    return stats.trim_mean(runs.reshape(*runs.shape[:-2], -1), 0.25, axis=-1)


def improvement(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """(..., tasks, seeds) twice -> (...): how likely ours beats theirs in a task; a tie counts half."""
    lead = ours[..., :, None] - theirs[..., None, :]
    return ((lead > 0) + 0.5 * (lead == 0)).mean(axis=(-3, -2, -1))


def over_tasks(quantity: Callable, *learners: np.ndarray) -> Interval:
    """A quantity of learners' runs (tasks, seeds), with its interval by a bootstrap of the seeds within each task."""
    rng = np.random.default_rng(0)
    drawn = [np.take_along_axis(runs[None], rng.integers(runs.shape[1], size=(RESAMPLES, *runs.shape)), axis=-1)
             for runs in learners]
    return Interval(quantity(*learners), *np.quantile(quantity(*drawn), (0.025, 0.975)))


def collapsed(success: np.ndarray) -> int:
    """How many runs of (n_seeds, n_tests) end below the limit."""
    return int((end(success) < COLLAPSED).sum())


def end(values: np.ndarray) -> np.ndarray:
    """(n_seeds, n_tests) -> (n_seeds,): the mean of the last three tests, for one is a draw of a noisy thing."""
    return values[:, -3:].mean(axis=1)


def show(interval: Interval, digits: int = 1) -> str:
    """98.5 [97.9, 99.0], or the number without brackets where there is no interval."""
    estimate, low, high = (f"{round(float(x), digits) + 0.0:.{digits}f}" for x in interval)      # + 0.0: no -0.0
    return estimate if low == "nan" else f"{estimate} [{low}, {high}]"
