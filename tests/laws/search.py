"""Looks for the simplest case in which a law is broken, within a limit of time."""
import _thread
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tests.laws.contract import Breach, Examined
from tests.laws.draws import Pick
from tests.laws.law import Law, Trial, try_law

TRIALS = 2000       # at most, to make a broken case simpler


class Settings(NamedTuple):
    """How thoroughly to look: cases per law (a quarter as many large ones), seed, (turns, actions), seconds."""

    examples: int = 100
    seed: int = 0
    shape: tuple | None = None
    seconds: float = 20.0


class Outcome(NamedTuple):
    """The simplest broken case, how many cases were tried, and whether time ran out."""

    case: dict | None
    trial: Trial | None
    tried: int
    stopped: bool


@lru_cache(maxsize=None)
def drawn(law: Law, settings: Settings, only: tuple = ()) -> tuple:
    """(case, choices, large) of every case, small ones first."""
    cases = []
    for large, n in ((False, settings.examples), (True, settings.examples // 4)):
        for i in range(n):
            pick = Pick(large, rng=np.random.default_rng([settings.seed, i]), only=dict(only), shape=settings.shape)
            cases.append((law.draw(pick), tuple(pick.made), large))
    return tuple(cases)


def random_cases(law: Law, n: int, only: dict = {}) -> list[dict]:
    """Some n cases, the same everywhere, a fifth of them large."""
    return [case for case, _, _ in drawn(law, Settings(examples=n - n // 5), tuple(only.items()))]


def search(law: Law, f: Examined, settings: Settings) -> Outcome:
    """Tries all cases; the first broken one is made as simple as can be."""
    cases = drawn(law, settings, tuple(f.only().items()))
    case, trial, tried, f.since = None, None, 0, None
    try:
        with time_limit(settings.seconds):
            for now, choices, large in cases:
                its = try_law(law, f, now)
                tried += its is not None
                if its is not None and its.broken:
                    case, trial = now, its
                    for case, trial in simpler(law, f, settings, choices, large, its):
                        pass
                    break
    except TimeoutError:
        if case is None and f.since is not None and time.monotonic() - f.since > settings.seconds / 2:
            breach = Breach("time", f"gives no answer within {settings.seconds:g} seconds")
            return Outcome(now, Trial(None, None, True, breach), tried, True)
        return Outcome(case, trial, tried, True)
    return Outcome(case, trial, tried, False)


def simpler(law: Law, f: Examined, settings: Settings, choices: tuple, large: bool, trial: Trial) -> Iterator:
    """Ever simpler cases that are broken in the same way: fewer choices, or earlier options."""
    left, better = TRIALS, True
    while better:
        better = False
        for shorter in simplifications(choices):
            pick = Pick(large, shorter, only=f.only(), shape=settings.shape)
            case, left = law.draw(pick), left - 1
            if left < 0:
                return
            made = tuple(pick.made)
            if (len(made), made) >= (len(choices), choices):
                continue
            its = try_law(law, f, case)
            if its is not None and its.broken and clause(its) == clause(trial):
                choices, better = made, True
                yield case, its
                break


def clause(trial: Trial) -> str | None:
    return trial.breach and trial.breach.clause


def simplifications(choices: tuple) -> Iterator[tuple]:
    """Without some of the choices; with some of them the first option; with one of them lower, the end first option."""
    for size in (8, 4, 2, 1):
        for i in range(0, len(choices), size):
            yield choices[:i] + choices[i + size:]
    for size in (8, 2, 1):
        for i in range(0, len(choices), size):
            yield choices[:i] + (0,) * len(choices[i:i + size]) + choices[i + size:]
    for i, choice in enumerate(choices):
        for lower in range(choice):
            yield choices[:i] + (lower,) + choices[i + 1:]


@contextmanager
def time_limit(seconds: float):
    """TimeoutError after so many seconds, also in an endless loop (not inside of a single call to C).

    It interrupts as Ctrl-C does, which a process in the background of a shell ignores: not meanwhile.
    """
    expired, before = threading.Event(), signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt():
        expired.set()
        _thread.interrupt_main()

    timer = threading.Timer(seconds, interrupt)
    timer.start()
    try:
        yield
    except KeyboardInterrupt:
        if not expired.is_set():
            raise
        raise TimeoutError(f"not done within {seconds:g} seconds") from None
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
