"""A folder of results: one CSV file per setting, all seeds in it, and a table of what they cost."""
import json
import zlib
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np

from demos.agents import TRAINABLE, Setting, made_with, record_of
from demos.files import alone_in, append_row, from_csv, to_csv, write_whole

Rows = list[dict[str, float | str]]
KINDS = ("training", "testing")              # of time spent
SHORT = {"-summary": "", "final_learning_rate=5e-05": "small", "-learning_rate=0.0005": "",
         "capacity=128-centre=behaviour-epsilon=0.1-kl_limit=0.01-learning_rate=0.3": "exploring",
         "final_learning_rate": "alpha_end", "learning_rate": "alpha", "updates_per_dialogue": "n",
         "average_decay": "beta", "trace_decay": "lambda", "kl_limit": "delta", "rho_max": "c",
         "behaviour=greedy": "greedy", "critic_body": "body",
         "scale_dialogues": "explore", "horizon": "of", "CamRestaurants": "CR", "SFRestaurants": "SFR",
         "Laptops11": "LAP"}                  # in the names of files


class Line(NamedTuple):
    """A line of a figure: what was trained, how often, and how it was tested."""

    setting: Setting
    seeds: int = 15
    mode: str = "greedy"


class Curve(NamedTuple):
    """What a line measured: scores[name] is (n_seeds, len(x)), NaN where something was not measured."""

    line: Line
    x: np.ndarray                            # training dialogues, or error rates after training
    scores: dict[str, np.ndarray]


class Results:
    """<setting>.csv, whose first line says what made it; costs.csv holds CPU seconds.

    A unit is added by writing its whole file anew, alone in the folder: whoever is killed, the file is as it was before
    or as it is after. Times differ from one computation to the next; kept apart, they leave all other files equal to
    the last bit. Six digits are all that a mean over 200 or 500 dialogues has. What is not there may be in another
    folder, which is only read: that of an installed copy.
    """

    def __init__(self, folder: str | Path, installed: Path | None = None):
        self.folder, self.cost_file, self.installed = Path(folder), Path(folder) / "costs.csv", installed

    def path(self, setting: Setting) -> Path:
        name = setting.name
        for long, short in SHORT.items():
            name = name.replace(long, short)
        return self.folder / f"{name}.csv"

    def found(self, path: Path) -> Path:
        return path if path.exists() or self.installed is None else self.installed / path.name

    def read(self, setting: Setting) -> dict[int, Rows]:
        """The rows of every seed that is there; a ValueError if the file is damaged or not for this setting."""
        path, seeds = self.found(self.path(setting)), {}
        if not path.exists():
            return seeds
        try:
            header, _, body = path.read_bytes().decode().partition("\n")
            record = json.loads(header.removeprefix("# "))
            if record["checksum"] != zlib.crc32(body.encode()):
                raise ValueError("its checksum is wrong")
            other = difference(record, record_of(setting))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is damaged ({error}): put back a copy, or remove it and run the same command, "
                             "which computes its seeds again") from error
        if other:
            raise ValueError(f"{path} was made with {other}: remove it, or choose another folder with --results")
        for row in from_csv(body):
            seeds.setdefault(int(row.pop("seed")), []).append(
                {name: value if name == "test" else float(value) for name, value in row.items()})
        return seeds

    def write(self, setting: Setting, seed: int, rows: Rows, seconds: dict[str, float]) -> None:
        """Adds a finished unit, then its cost."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with alone_in(self.folder):
            seeds = self.read(setting) | {seed: rows}
            body = to_csv([{"seed": number} | {name: rounded(value) for name, value in row.items()}
                           for number in sorted(seeds) for row in seeds[number]])
            record = record_of(setting) | {"made with": made_with(), "checksum": zlib.crc32(body.encode())}
            write_whole(self.path(setting), f"# {json.dumps(record)}\n{body}")
        append_row(self.cost_file, {"setting": self.path(setting).stem, "seed": seed}
                   | {kind: rounded(seconds[kind]) for kind in KINDS})

    def costs(self) -> dict[str, dict[str, float]]:
        """Mean CPU seconds of a unit by the name of its setting and the kind of time."""
        times, path = {}, self.found(self.cost_file)
        try:
            for row in from_csv(path.read_text()) if path.exists() else []:
                times.setdefault(row["setting"], []).append([float(row[kind]) for kind in KINDS])
        except (ValueError, LookupError, TypeError) as error:
            raise ValueError(f"{path} is damaged ({error}): remove it, it holds times alone") from error
        return {name: dict(zip(KINDS, map(fmean, zip(*rows)))) for name, rows in times.items()}

    def curve(self, line: Line) -> Curve:
        found = self.read(line.setting)
        return curve_of(line, [found[seed] for seed in seeds_of(line.setting, line.seeds)])


def curve_of(line: Line, runs: list[Rows]) -> Curve:
    """Scores over the training dialogues, or over the error rates of the last tests if the setting has any."""
    final = len(line.setting.final_error_rates)
    runs = [[row for row in rows if row["test"] == line.mode][-final:] for rows in runs]
    names = dict.fromkeys(name for row in runs[0] for name in row if name != "test")
    scores = {name: np.array([[row.get(name, np.nan) for row in rows] for rows in runs]) for name in names}
    return Curve(line, scores["error_rate" if final else "dialogues"][0], scores)


def rounded(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def seeds_of(setting: Setting, n_seeds: int) -> range:
    """A policy that does not learn meets the same users with every seed: once is enough."""
    return range(n_seeds if setting.agent in TRAINABLE else 1)


def difference(stored: dict, now: dict) -> str:
    """The first entry in which two records differ, none if they agree.

    What came into being after a record was made had its default then, under another name or none.
    """
    agent = TRAINABLE.get(now["setting"]["agent"])
    defaults = json.loads(json.dumps(asdict(Setting()) | (asdict(agent[1]()) if agent else {})))
    old, new = ({"edition": record["edition"]} | record["setting"] | record["config"] for record in (stored, now))
    for name in [*new, *old]:
        if (defaults | old).get(name) != new.get(name):
            return f"{name} {(defaults | old).get(name)!r}, expected {new.get(name)!r}"
    return ""
