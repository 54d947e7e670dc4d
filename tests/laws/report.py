"""What is said when a law is broken: the smallest example, both answers, and the wrong version that is most like it."""
from collections.abc import Callable

import numpy as np

from tests.gallery.catalogue import Version, versions_of
from tests.laws.catalogue import laws_of
from tests.laws.law import Law, Trial, plain, random_cases, same, try_law

NOTABLE = 0.2       # a version that shares fewer answers agrees on the smallest example by chance
COMPARED = 25       # random cases per law, to tell wrong versions apart that agree on the smallest example


def shown(value) -> str:
    if isinstance(value, str):
        return value
    value = np.asarray(value)
    value = value + 0.0 if value.dtype == float else value      # no -0.
    return np.array2string(value, separator=", ", max_line_width=100, suppress_small=True) \
        .replace("\n", "\n" + " " * 18)


def likeness(version: Version, f: Callable) -> float:
    """The share of equal answers among the trials in which the version or f breaks a law."""
    wrong, equal = 0, 0
    for law in laws_of(version.subject):
        for case in random_cases(law, COMPARED):
            one, other = try_law(law, plain(version.function), case), try_law(law, f, case)
            if one.broken or other.broken:
                wrong, equal = wrong + 1, equal + same(one.actual, other.actual, 1e-6)
    return equal / max(wrong, 1)


def suspects(law: Law, f: Callable, case: dict, trial: Trial) -> list[tuple[float, Version]]:
    """Wrong versions that break this law on this case with the same answer, the most alike first."""
    alike = []
    for version in versions_of(law.subject):
        its = try_law(law, plain(version.function), case)
        if its.broken and same(its.actual, trial.actual, 1e-6):
            alike.append((likeness(version, f), version))
    return sorted(alike, key=lambda pair: -pair[0])


def diagnosis(law: Law, f: Callable, case: dict, trial: Trial) -> str:
    alike = [pair for pair in suspects(law, f, case, trial) if pair[0] >= NOTABLE]
    if not alike:
        return "likely mistake: none of those in tests/gallery"
    surest = [pair for pair in alike if pair[0] == 1.0] or alike[:2]
    lines = []
    for share, version in surest:
        lines += [f"likely mistake: {version.name} ({version.where}; the same answers in {share:.0%} of telling cases)",
                  *("    " + line for line in version.story)]
    return "\n".join(lines)


def message(law: Law, f: Callable, case: dict) -> str:
    """The whole report on one broken law."""
    trial = try_law(law, f, case)
    return "\n".join([f"{law.subject} breaks a law: {law.name}", "    " + law.check.__doc__, "the smallest example:",
                      *(f"    {name:<13} {shown(value)}" for name, value in case.items()),
                      f"ACTUAL (yours)    {shown(trial.actual)}", f"DESIRED (the law) {shown(trial.desired)}",
                      diagnosis(law, f, case, trial)])
