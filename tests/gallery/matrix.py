"""How often each law rejects each wrong version in random cases: as text, and as the page of this folder."""
from functools import lru_cache

from tests.gallery.catalogue import VERSIONS, Version, versions_of
from tests.laws.catalogue import SUBJECTS, laws_of
from tests.laws.contract import CLAUSES, Examined
from tests.laws.law import Law, try_law
from tests.laws.search import random_cases

N_CASES = 60
FOUND = [version for version in VERSIONS if "Found in: " in version.function.__doc__]
INTRODUCTION = f"""\
This page has {len(FOUND)} wrong versions that were found in papers and in public code, and the laws that reject them.
The number behind a law is the share of {N_CASES} random cases in which the law rejects the version. Public code is
named with the revision that was read; much of it has been mended since. [wrong/](wrong) has
{len(VERSIONS) - len(FOUND)} more versions, which were found nowhere so far. `python -m tests.gallery --readme` writes
this page from the docstrings. [tests/README.md](../README.md) shows how to examine your own code."""


@lru_cache(maxsize=None)
def rejections(version: Version) -> tuple[int, ...]:
    """In how many of the cases each law rejects it; laws of the maths are tried where it keeps the contract."""
    return tuple(rejected(law, version) for law in laws_of(version.subject))


def rejected(law: Law, version: Version) -> int:
    f = Examined(version.function, SUBJECTS[version.subject], told=() if law.kind == "contract" else CLAUSES)
    trials = (try_law(law, f, case) for case in random_cases(law, N_CASES))
    return sum(trial is not None and trial.broken for trial in trials)


def percent(count: int) -> str:
    """A share of the cases, never rounded to 0 or to 100 if it is not."""
    return "" if count == 0 else f"{min(max(round(100 * count / N_CASES), 1), 99 if count < N_CASES else 100)}"


def as_text() -> str:
    """One block per subject: the laws by number, then a line of percentages per wrong version."""
    lines = [f"% of {N_CASES} random cases in which a law rejects a wrong version"]
    for subject in SUBJECTS:
        laws = laws_of(subject)
        lines += ["", subject, *(f"  {i:>2} {law.name} ({law.kind})" for i, law in enumerate(laws))]
        lines.append(" " * 56 + "".join(f"{i:>5}" for i in range(len(laws))))
        lines += [f"  {version.name:<54}" + "".join(f"{percent(n) or '.':>5}" for n in rejections(version))
                  for version in versions_of(subject)]
    return "\n".join(lines)


def as_page() -> str:
    """tests/gallery/README.md: the story of every wrong version that was found, and which laws reject it."""
    lines = ["# The gallery of wrong versions", "", INTRODUCTION]
    for subject in SUBJECTS:
        if rows := [row(version) for version in FOUND if version.subject == subject]:
            lines += ["", f"## {subject}", "", "| version | what is wrong | rejected by |", "|---|---|---|", *rows]
    return "\n".join(lines) + "\n"


def row(version: Version) -> str:
    """The version's line of the table."""
    by = "; ".join(f"{law.name} ({percent(n)} %)" for law, n in zip(laws_of(version.subject), rejections(version)) if n)
    story = " ".join(line.strip() for line in version.story).replace("|", "\\|")
    return f"| {version.name} | {story} | {by} |"
