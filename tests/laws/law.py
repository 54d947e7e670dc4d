"""What a law is, and how an implementation is held against it."""
import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np


class Law(NamedTuple):
    """A sentence about one subject.

    `check(f, **case)` returns what the subject f answers and what it should have, (ACTUAL, DESIRED); of a bound,
    DESIRED is the nearest value that keeps it. `draw(pick)` makes the case: a dict of named arrays and numbers.
    """

    subject: str
    check: Callable
    draw: Callable
    tolerance: float

    @property
    def name(self) -> str:
        return self.check.__name__.replace("_", " ")


class Trial(NamedTuple):
    """The outcome of one law on one case."""

    actual: object
    desired: object
    broken: bool


def law(subject: str, draw: Callable, tolerance: float = 1e-9) -> Callable:
    """Makes a law of a function; its name and its docstring are what a reader is told."""
    return lambda check: Law(subject, check, draw, tolerance)


def plain(function: Callable) -> Callable:
    """The subject as a law calls it: on copies of its arguments, by position, answering a float64 array."""
    def f(*arguments):
        return np.asarray(function(*(copied(argument) for argument in arguments)), float)
    f.raw = function
    return f


def copied(argument):
    return argument.copy() if isinstance(argument, np.ndarray) else argument


def try_law(law: Law, f: Callable, case: dict) -> Trial:
    """Whether f keeps the law on this case; an answer of another shape, nan, or an exception breaks it."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            actual, desired = law.check(f, **{name: copied(value) for name, value in case.items()})
        except Exception as error:      # whatever a stranger's code raises is its answer
            return Trial(f"{type(error).__name__}: {error}", "an answer", True)
    return Trial(actual, desired, not same(actual, desired, law.tolerance))


def same(a, b, tolerance: float) -> bool:
    """Equal but for rounding; two exceptions are alike if their texts are."""
    if isinstance(a, str) or isinstance(b, str):
        return a is b or (isinstance(a, str) and isinstance(b, str) and a == b)
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=False)


@lru_cache(maxsize=None)
def random_cases(law: Law, n: int) -> tuple[dict, ...]:
    """The law's first n cases without Hypothesis: quick, and the same everywhere."""
    generators = map(np.random.default_rng, range(n))
    return tuple(law.draw(lambda options: options[int(rng.random() * len(options))]) for rng in generators)
