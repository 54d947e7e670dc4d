"""What every subject must do before its maths can be examined: take the arguments, and answer with plain numbers."""
import inspect
import time
from collections.abc import Callable

import numpy as np

from tests.laws.lacks import LACKS, NEUTRAL

CLAUSES = frozenset({"raises", "numbers", "shape", "dtype", "finite", "arguments"})    # which some cases may keep
IN_PLACE = {("running_average", "average")}         # an average may be moved where it is


class NotTried(Exception):
    """The subject does not have what this call asks for, or its breach has been told."""


class Breach(Exception):
    """A clause of the contract that was broken, in one sentence."""

    def __init__(self, clause: str, sentence: str, answer=None, expected=None):
        super().__init__(sentence)
        self.clause, self.answer, self.expected = clause, answer, expected


class Examined:
    """A function under examination, as laws call it: arguments in order, a float64 array for an answer.

    `told` has the clauses whose breach was reported: where one of them is broken again, nothing is tried.
    """

    def __init__(self, function: Callable, subject, lacks=(), dtype="float64", told=()):
        self.function, self.subject, self.dtype = function, subject, dtype
        self.parameters, self.told, self.since, self.twice = subject.parameters, set(told), None, 3
        self.names, absent, self.note, self.refusal = binding(function, self.parameters)
        self.lacks = sorted({*absent, *(lack for lack in lacks if {*LACKS[lack].parameters} & {*self.parameters})})

    def tolerance(self, tolerance: float) -> float:
        return tolerance if self.dtype == "float64" else max(tolerance, float(np.clip(1e5 * tolerance, 3e-6, 1e-3)))

    def only(self) -> dict:
        """Options that cases are drawn from, for what it lacks."""
        return {options: instead for name in self.lacks for options, instead in LACKS[name].only.items()}

    def __call__(self, *arguments) -> np.ndarray:
        case = dict(zip(self.parameters, arguments))
        if self.told & {"time", "random", "signature"} or any(LACKS[name].concerns(case) for name in self.lacks):
            raise NotTried
        given = [lent(argument, self.dtype) for argument in arguments]
        before = [lent(argument, self.dtype) for argument in arguments]
        answer = self.read(self.raw(*given), case)
        for name, now, was in zip(case, given, before):
            kept = not isinstance(was, np.ndarray) or np.array_equal(now, was) or (self.subject.name, name) in IN_PLACE
            if not kept:
                self.broken("arguments", f"changes its argument {name}, expected to leave it alone: write into a copy",
                            goes_on=True)
        if self.twice:
            self.twice -= 1
            again = self.read(self.raw(*before), case)
            if np.abs(answer - again).max(initial=0.0) > 1e-6 * max(1.0, np.abs(answer).max(initial=0.0)):
                self.broken("random", "gives two answers to one question, expected one: seed what is random in it")
        return answer

    def raw(self, *arguments):
        """The function's own answer, on these very arguments."""
        if self.refusal:
            self.broken("signature", self.refusal)
        named, self.since = dict(zip(self.parameters, arguments)), time.monotonic()
        try:
            answer = self.function(*arguments) if self.names is None else self.function(
                **{name: named[name] for name in self.names})
        except (Exception, SystemExit) as error:
            self.since = None
            self.broken("raises", f"raises {type(error).__name__}: {error}")
        self.since = None       # but not where time has run out in there
        return answer

    def broken(self, clause, sentence, answer=None, expected=None, goes_on=False):
        """Raises the breach the first time; later, nothing is tried where it would show."""
        if clause not in self.told:
            raise Breach(clause, sentence, answer, expected)
        if not goes_on:
            raise NotTried

    def read(self, answer, case: dict) -> np.ndarray:
        """The answer as a float64 array of the shape that is due."""
        shape, parts = self.subject.shape(case), answer if isinstance(answer, (tuple, list)) else [answer]
        if any(getattr(part, "requires_grad", False) for part in parts[:2]):
            self.broken("gradient", "answers a tensor that requires a gradient, expected numbers: .detach().numpy()")
        if getattr(answer, "shape", shape) != shape or isinstance(answer, list) and len(answer) != shape[0]:
            given = getattr(answer, "shape", (len(parts), "..."))
            self.broken("shape", misshapen(given, shape), answer, np.zeros(shape))
        try:
            array = np.asarray(answer)
        except Exception:
            array = np.asarray(None)
        if array.dtype.kind not in "fiub":
            shapes = " and ".join(str(getattr(part, "shape", type(part).__name__)) for part in parts)
            self.broken("numbers", f"answers {shapes}, expected an array of numbers of shape {shape}")
        if array.shape != shape:
            self.broken("shape", misshapen(array.shape, shape), array, np.zeros(shape))
        if array.dtype.kind == "f" and array.dtype.itemsize < np.dtype(self.dtype).itemsize:
            self.broken("dtype", f"answers in {array.dtype}, expected float64: compute in float64, or allow for the "
                                 "rounding with --dtype float32")
        if not np.isfinite(array).all():
            self.broken("finite", "answers numbers that are not finite", array, np.nan_to_num(array))
        return array.astype(float)


def misshapen(given: tuple, shape: tuple) -> str:
    hint = {shape * 2: ": did a column meet a row?", shape + (1,): ": leave out the last axis"}.get(given, "")
    return f"answers an array of shape ({', '.join(map(str, given))}), expected {shape}{hint}"


def lent(argument, dtype):
    """A copy for a stranger, in the dtype asked for."""
    if not isinstance(argument, np.ndarray):
        return argument
    return argument.astype(dtype) if argument.dtype == float else argument.copy()


def binding(function: Callable, ours: tuple) -> tuple:
    """(names to pass by, or None for by position; what it lacks; a note on the order; why it cannot be called)."""
    try:
        theirs = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):         # built in: nothing is known
        return None, (), None, None
    kinds = {p.kind for p in theirs}
    several, rest = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    names = [p.name for p in theirs if p.kind not in (several, rest)]
    needed = [p.name for p in theirs if p.name in names and p.default is p.empty]
    listed = f"takes ({', '.join(map(str, theirs))}), expected ({', '.join(ours)})"
    if rest in kinds and several not in kinds and set(needed) <= set(ours):
        return ours, (), None, None
    if set(names) & set(ours) and set(needed) <= set(ours) and inspect.Parameter.POSITIONAL_ONLY not in kinds:
        absent = [name for name in ours if name not in names]
        if set(absent) <= set(NEUTRAL):
            return [name for name in ours if name in names], absent, None, None
    if any(name in ours and i != ours.index(name) for i, name in enumerate(names)) or len(needed) > len(ours) \
            or len(names) < len(ours) and several not in kinds:
        return None, (), None, listed
    return None, (), f"({', '.join(names)}) were given {', '.join(ours)}" if names else None, None
