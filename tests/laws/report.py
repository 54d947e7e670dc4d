"""What is said when a law is broken: the simplest example, both answers, and the wrong version most like yours."""
from functools import lru_cache

import numpy as np

from tests.gallery.catalogue import Version
from tests.gallery.siblings import candidates
from tests.laws.catalogue import SUBJECTS, laws_of
from tests.laws.contract import CLAUSES, Examined
from tests.laws.law import Law, Trial, allowance, same, try_law
from tests.laws.search import random_cases

NOTABLE = 0.25      # a version that shares fewer answers agrees on the smallest example by chance
COMPARED = 25       # random cases per law, to tell wrong versions apart that agree on the smallest example


def shown(value, digits: int = 8, indent: int = 18) -> str:
    if isinstance(value, str) or value is None:
        return str(value)
    value = np.asarray(value)
    value = value + 0.0 if value.dtype == float else value      # no -0.
    return np.array2string(value, separator=", ", max_line_width=100, suppress_small=True, precision=digits) \
        .replace("\n", "\n" + " " * indent)


def both(actual, desired, tolerance: float) -> list[str]:
    """The two answers, with as many digits as it takes to see where they differ, and by how much."""
    actual, desired = np.asarray(actual, float), np.asarray(desired, float)
    if actual.shape != desired.shape:
        return [f"ACTUAL (yours)    {shown(actual)}", f"DESIRED (the law) {shown(desired)}",
                f"difference        in shape: {actual.shape} and {desired.shape}"]
    digits = next((n for n in (8, 12, 16) if shown(actual, n) != shown(desired, n)), 17)
    difference = np.abs(actual - desired)
    return [f"ACTUAL (yours)    {shown(actual, digits)}", f"DESIRED (the law) {shown(desired, digits)}",
            f"difference        {np.nanmax(difference, initial=0.0):.3g} at most; "
            f"{allowance(desired, tolerance):.3g} would count as rounding"]


def alike(one: Trial, other: Trial) -> bool:
    """Whether two wrong answers are the same, nan included."""
    if one.breach or other.breach:
        clauses = [trial.breach and trial.breach.clause for trial in (one, other)]
        if clauses[0] != clauses[1] or one.actual is None or other.actual is None:
            return clauses[0] == clauses[1] == "arguments" and str(one.breach) == str(other.breach)
    try:
        one, other = np.asarray(one.actual, float), np.asarray(other.actual, float)
    except (TypeError, ValueError):
        return False
    return one.shape == other.shape and np.allclose(one, other, 1e-6, 1e-6, equal_nan=True)


@lru_cache(maxsize=None)
def likeness(version: Version, f: Examined, told: frozenset) -> float:
    """The share of equal answers where the version or f breaks a law, leaving out breaches of the clauses told."""
    wrong, equal = 0, 0
    theirs = Examined(version.function, f.subject, told=told)
    f = Examined(f.function, f.subject, f.lacks, f.dtype, told)
    for law in laws_of(f.subject.name):
        for case in random_cases(law, COMPARED, f.only()):
            one, other = try_law(law, theirs, case), try_law(law, f, case)
            if one and other and (one.broken or other.broken):
                wrong, equal = wrong + 1, equal + alike(one, other)
    return equal / max(wrong, 1)


def suspects(law: Law, f: Examined, case: dict, trial: Trial) -> list[tuple[float, Version]]:
    """Wrong versions that break this law on this case with the same answer, the most alike first."""
    found, told = [], CLAUSES if trial.breach is None else frozenset()
    for version in candidates(law.subject):
        its = try_law(law, Examined(version.function, SUBJECTS[law.subject]), case)
        if its and its.broken and alike(its, trial):
            found.append((likeness(version, f, told), version))
    return sorted(found, key=lambda pair: -pair[0])


def diagnosis(law: Law, f: Examined, case: dict, trial: Trial) -> list[str]:
    """The wrong versions of the gallery that are alike; all that cannot be told apart from yours, or the best two."""
    found = [pair for pair in suspects(law, f, case, trial) if pair[0] >= NOTABLE]
    surest = [pair for pair in found if pair[0] == 1.0] or found[:2]
    if not surest and trial.breach is None and same(trial.actual, trial.desired, 3e-6):
        return ["a small difference: float32 inside, which --dtype float32 allows for, or a constant added to be safe"]
    if not surest:
        return ["likely mistake: none of those in tests/gallery"]
    lines = []
    for share, version in surest:
        word = "likely" if share >= 0.5 else "possible"
        lines += [f"{word} mistake: {version.name} ({version.where}; the same answers in {share:.0%} of cases in which "
                  "either fails)",
                  *("    " + line for line in version.story)]
    return lines


def message(law: Law, f: Examined, case: dict, trial: Trial) -> str:
    """The whole report on one broken law, or on one clause of the contract."""
    example = ["the simplest example:", *(f"    {name:<13} {shown(value)}" for name, value in case.items())]
    if trial.breach is None:
        return "\n".join([f"{law.subject} breaks a law ({law.kind}): {law.name}", "    " + law.check.__doc__, *example,
                          *both(trial.actual, trial.desired, f.tolerance(law.tolerance)),
                          *diagnosis(law, f, case, trial)])
    lines = [f"{law.subject} breaks the contract: it {trial.breach}"]
    if trial.breach.clause in ("shape", "finite", "arguments", "raises", "time", "random"):
        lines += example
    if trial.breach.clause == "finite":
        lines.append(f"ACTUAL (yours)    {shown(trial.actual)}")
    if trial.breach.clause in ("shape", "finite", "arguments"):
        lines += [line for line in diagnosis(law, f, case, trial) if "none of" not in line]
    return "\n".join(lines)
