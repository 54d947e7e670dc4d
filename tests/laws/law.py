"""What a law is, and how an implementation is held against it."""
import warnings
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from tests.laws.contract import Breach, NotTried

KINDS = ("contract", "definition", "identity", "invariance")


class Law(NamedTuple):
    """A sentence about one subject.

    `check(f, **case)` returns what the subject f answers and what it should have, (ACTUAL, DESIRED); of a bound,
    DESIRED is the nearest value that keeps it. `draw(pick)` makes the case: a dict of named arrays and numbers.
    """

    subject: str
    check: Callable
    draw: Callable
    tolerance: float
    kind: str

    @property
    def name(self) -> str:
        return self.check.__name__.replace("_", " ")


class Trial(NamedTuple):
    """The outcome of one law on one case; `breach` names the clause of the contract that was broken."""

    actual: object
    desired: object
    broken: bool
    breach: Breach | None = None


def law(subject: str, draw: Callable, tolerance: float = 1e-8, kind: str = "identity") -> Callable:
    """Makes a law of a function; its name and its docstring are what a reader is told."""
    return lambda check: Law(subject, check, draw, tolerance, kind)


definition = partial(law, kind="definition")    # the whole answer, from the formula, in every case
identity = partial(law, kind="identity")        # what holds of the answer: a bound, a sum, a special case
invariance = partial(law, kind="invariance")    # how the answer follows, or ignores, a change of the arguments


def try_law(law: Law, f: Callable, case: dict) -> Trial | None:
    """Whether f keeps the law on this case; None if f does not have what the case asks for."""
    case = {name: copied(value, f.dtype) for name, value in case.items()}
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            actual, desired = law.check(f, **case)
        except NotTried:
            return None
        except Breach as breach:
            return Trial(breach.answer, breach.expected, True, breach)
    return Trial(actual, desired, not same(actual, desired, f.tolerance(law.tolerance)))


def copied(value, dtype):
    """A copy, with the rounding of the dtype."""
    if not isinstance(value, np.ndarray):
        return value
    return value.astype(dtype).astype(float) if value.dtype == float else value.copy()


def same(a, b, tolerance: float) -> bool:
    """Equal but for rounding, which is measured on the largest entry of b; nan equals nothing."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.shape != b.shape:
        return False
    return bool(((np.abs(a - b) <= allowance(b, tolerance)) | (a == b)).all())


def allowance(desired, tolerance: float) -> float:
    """The largest difference that counts as rounding."""
    return tolerance * max(1.0, np.abs(desired).max(initial=0.0, where=np.isfinite(desired)))
