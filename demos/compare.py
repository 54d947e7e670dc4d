"""Compare own runs: one picture of their learning curves, and one table.

    python -m demos.compare runs/*

Runs that differ only in their seed become one line, with the 95 % interval of
their mean.
"""
import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import cycle, product
from pathlib import Path

import numpy as np

from demos.console import Parser, aligned, exit_code
from demos.files import write_whole
from demos.records import Curve, Line, Record, curve_of
from demos.runs import RESULT, RUNS, read_result
from demos.settings import TRAINABLE, Setting, make_config
from demos.statistics import end, mean_interval, show
from demos.style import AMBER, BLUE, GREEN, PINK, RED, SKY, figure, legend, png

COLOURS, DASHES = (BLUE, RED, GREEN, AMBER, PINK, SKY), ("-", "--", "-.")
Runs = dict[Path, Record]


def read(folders: Sequence[Path]) -> Runs:
    """The results in these folders; those that have none are named. runs/* has pictures in it, too."""
    records = {path: read_result(path) if (path / RESULT).exists() else None for path in folders if not path.is_file()}
    found = {path: record for path, record in records.items() if record and record.tests}
    others = ", ".join(str(path) for path in records if path not in found)
    if not found:
        raise ValueError(f"{', '.join(map(str, folders))} holds no result of a test, expected folders of demos.train")
    if others:
        print(f"{others} is left out, for it holds no result of a test", file=sys.stderr)
    return found


def grouped(runs: Runs) -> list[Runs]:
    """By setting; where a seed of one comes again, the code has changed: it belongs to another group."""
    groups: dict[tuple, Runs] = {}
    times = Counter()
    for folder, record in runs.items():
        setting = str(record.setting)
        times[setting, record.seed] += 1
        groups.setdefault((setting, times[setting, record.seed]), {})[folder] = record
    return list(groups.values())


def setting_of(group: Runs) -> Setting:
    return Setting.from_differences(next(iter(group.values())).setting)


def labels(groups: list[Runs]) -> list[str]:
    """What differs between the settings; the first folder as well where nothing does."""
    settings = [setting_of(group) for group in groups]
    if len(groups) == 1:
        return [settings[0].name]
    chosen = {name for setting in settings for name, _ in setting.overrides}
    configs = [vars(make_config(setting)) if setting.agent in TRAINABLE else {} for setting in settings]
    rows = [vars(setting) | config | {"overrides": "", "tests": ""} for setting, config in zip(settings, configs)]
    differ = [name for name in (*vars(settings[0]), *sorted(chosen)) if len({str(row.get(name)) for row in rows}) > 1]
    words = [", ".join(str(row[name]) if name in ("agent", "space") else f"{name}={row[name]}"
                       for name in differ if name in row) for row in rows]
    return [word if words.count(word) == 1 else f"{word} {next(iter(group))}".strip()
            for word, group in zip(words, groups)]


def curve(group: Runs) -> Curve:
    """Of the first way to test, as far as all runs go."""
    setting = setting_of(group)
    tests = [record.tests[setting.tests[0]] for record in group.values()]
    length = min(len(some["dialogues"]) for some in tests)
    cut = [{setting.tests[0]: {name: column[:length] for name, column in some.items()}} for some in tests]
    return curve_of(Line(setting, len(cut), setting.tests[0]), cut)


def table(curves: dict[str, Curve]) -> str:
    """How many runs, how far, and how good."""
    rows = [("", "runs", "dialogues", "success (%): all tests", "last three", "reward: last three")]
    for label, found in curves.items():
        success, reward = 100 * found.scores["success"], found.scores["reward"]
        rows.append((label, len(success), int(found.x[-1]), show(mean_interval(success.mean(axis=1))),
                     show(mean_interval(end(success))), show(mean_interval(end(reward)), 2)))
    return aligned(rows)


def picture(curves: dict[str, Curve]):
    """Success and reward, with a line for each setting."""
    from demos.pictures import AXES, draw           # here: Matplotlib loads slower than all the rest

    looks = dict(zip(curves, cycle((colour, dashes, None) for dashes, colour in product(DASHES, COLOURS))))
    page = figure(11, 4, "means over seeds with 95 % intervals; tests take the most probable action")
    for axes, metric in zip(page.subplots(1, 2), ("success", "reward")):
        draw(axes, curves, metric, looks, bands=len(curves) < 5)
        axes.set(xlabel="training dialogues", ylabel=AXES[metric])
    page.axes[0].set_ylim(*np.clip(page.axes[0].get_ylim(), -2, 102))        # few seeds have bands of any width
    legend(page)
    return page


def compare(args: argparse.Namespace) -> None:
    groups = grouped(read(args.folders))
    curves = dict(zip(labels(groups), map(curve, groups)))
    print(table(curves), flush=True)
    write_whole(args.png, png(picture(curves)))
    print(f"\nThe picture is {args.png}")


def main(argv: list[str] | None = None) -> int:
    p = Parser(__doc__, prog="python -m demos.compare", usage="%(prog)s FOLDER... [options]")
    p.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="The folder of a run of demos.train.")
    p.add_argument("--png", type=Path, default=RUNS / "compare.png", metavar="FILE",
                   help="Draw into FILE (%(default)s).")
    return exit_code(p, argv, compare)


if __name__ == "__main__":
    raise SystemExit(main())
