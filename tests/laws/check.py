"""Holds a function against the laws of a subject."""
from collections.abc import Callable

from tests.laws.catalogue import SUBJECTS, laws_of
from tests.laws.contract import Examined
from tests.laws.lacks import LACKS
from tests.laws.law import KINDS, Law
from tests.laws.report import message
from tests.laws.search import Outcome, Settings, search


def examined(subject: str, function: Callable, lacks=(), dtype: str = "float64") -> Examined:
    """The function, ready for the laws of the subject."""
    for name, value, known in [("subject", subject, SUBJECTS), ("dtype", dtype, ("float64", "float32")),
                               *(("LACKS", lack, LACKS) for lack in lacks)]:
        if value not in known:
            raise ValueError(f"{name} is {value!r}, expected one of {', '.join(known)}")
    return Examined(function, SUBJECTS[subject], lacks, dtype)


def examine(law: Law, f: Examined, settings: Settings) -> tuple[list[str], Outcome]:
    """Reports on what is broken: one on a law, one on each clause of the contract, told once for each function."""
    reports = []
    while True:
        outcome = search(law, f, settings)
        if outcome.trial is None:
            return reports, outcome
        reports.append(message(law, f, outcome.case, outcome.trial))
        if outcome.trial.breach is None:
            return reports, outcome
        f.told.add(outcome.trial.breach.clause)


def check(subject: str, function: Callable, *, kinds=KINDS, lacks=(), dtype="float64", **settings) -> None:
    """Raises AssertionError with all reports if the function breaks a law; settings are those of `Settings`."""
    f, reports = examined(subject, function, lacks, dtype), []
    for law in laws_of(subject):
        if law.kind in kinds or law.kind == "contract":
            reports += examine(law, f, Settings(**settings))[0]
    if reports:
        raise AssertionError("\n\n".join(reports))
