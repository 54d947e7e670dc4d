"""How often each law rejects each wrong version in 200 random cases: as text, as a table, as a picture."""
from functools import lru_cache

import matplotlib
import numpy as np

from tests.gallery.catalogue import VERSIONS, versions_of
from tests.gallery.version import Version
from tests.laws.catalogue import LAWS, SUBJECTS, laws_of
from tests.laws.law import plain, random_cases, try_law

N_CASES = 200
LINE = 0.19         # inches per line of the picture
INTRODUCTION = f"""\
{len(VERSIONS)} versions that look right, in few lines each, and the laws that reject them, {len(LAWS)} in all.
Behind each law's number stands the share of {N_CASES} random cases in which it does. `python -m tests.gallery --readme`
writes this page from the docstrings; [tests/README.md](../README.md) tells how to use the laws on code of your own."""


@lru_cache(maxsize=None)
def rejections(version: Version) -> tuple[int, ...]:
    """In how many of the cases each law of the version's subject rejects it."""
    f = plain(version.function)
    return tuple(sum(try_law(law, f, case).broken for case in random_cases(law, N_CASES))
                 for law in laws_of(version.subject))


def percent(count: int) -> str:
    """A share of the cases, never rounded to 0 or to 100 if it is not."""
    return "" if count == 0 else f"{min(max(round(100 * count / N_CASES), 1), 99 if count < N_CASES else 100)}"


def as_text() -> str:
    """One block per subject: the laws by number, then a line of percentages per wrong version."""
    lines = [f"% of {N_CASES} random cases in which a law rejects a wrong version"]
    for subject in SUBJECTS:
        laws = laws_of(subject)
        lines += ["", subject, *(f"  {i:>2} {law.name}" for i, law in enumerate(laws, start=1))]
        lines.append(" " * 56 + "".join(f"{i:>5}" for i in range(1, len(laws) + 1)))
        lines += [f"  {version.name:<54}" + "".join(f"{percent(n) or '.':>5}" for n in rejections(version))
                  for version in versions_of(subject)]
    return "\n".join(lines)


def as_table() -> str:
    """tests/gallery/README.md: the story of every wrong version, and which laws reject it."""
    lines = ["# The gallery of wrong versions", "", INTRODUCTION]
    for subject in SUBJECTS:
        lines += ["", f"## {subject}", "", *(f"{i}. {law.name}" for i, law in enumerate(laws_of(subject), start=1)), "",
                  "| version | what is wrong | rejected by |", "|---|---|---|"]
        lines += [row(version) for version in versions_of(subject)]
    return "\n".join(lines) + "\n"


def row(version: Version) -> str:
    """The version's line of the table."""
    by = ", ".join(f"{i} ({percent(n)} %)" for i, n in enumerate(rejections(version), start=1) if n)
    story = " ".join(line.strip() for line in version.story).replace("|", "\\|")
    return f"| {version.name} | {story} | {by} |"


def draw(path) -> None:
    """The matrix as a heat map, one block of rows per subject."""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    heights = [max(len(versions_of(s)), len(laws_of(s))) + 2 for s in SUBJECTS]
    figure = plt.figure(figsize=(10, LINE * (sum(heights) + 2)))
    title = f"How often (%) each law rejects each wrong version in {N_CASES} random cases (empty: never)"
    figure.text(0.01, 1 - LINE / figure.get_figheight(), title, fontsize=12, fontweight="bold", va="center")
    top = 2
    for subject, height in zip(SUBJECTS, heights):
        block(figure, subject, top + 1)
        top += height
    figure.savefig(path, dpi=90, pil_kwargs={"optimize": True})
    plt.close(figure)


def block(figure, subject: str, top: int) -> None:
    """The heat map of one subject `top` lines below the upper edge: versions on the left, laws on the right."""
    laws, versions = laws_of(subject), versions_of(subject)
    counts = np.array([rejections(version) for version in versions])
    width, height = figure.get_size_inches()
    axes = figure.add_axes([3.3 / width, 1 - LINE * (top + len(versions)) / height,
                            0.3 * len(laws) / width, LINE * len(versions) / height])
    axes.imshow(counts / N_CASES, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for (i, j), n in np.ndenumerate(counts):
        colour = "white" if n > 0.65 * N_CASES else "black"
        axes.text(j, i, percent(n), ha="center", va="center", fontsize=7, color=colour)
    axes.set_yticks(range(len(versions)), [version.name for version in versions], fontsize=8)
    axes.set_xticks(range(len(laws)), range(1, len(laws) + 1), fontsize=7)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=1)
    axes.set_xticks(np.arange(len(laws) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(versions) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="0.85", linewidth=0.5)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)
    figure.text(0.01, 1 - LINE * (top - 0.5) / height, subject, fontsize=9, fontweight="bold", va="center")
    for i, words in enumerate(["laws, by column:", *(f"{i}  {law.name}" for i, law in enumerate(laws, start=1))]):
        figure.text((3.45 + 0.3 * len(laws)) / width, 1 - LINE * (top + i - 0.5) / height, words,
                    fontsize=8, va="center")
