"""A folder of finished units of work, one small CSV file each, and what they cost."""
import json
import zlib
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np

from demos.agents import LEARNERS, Setting, configuration
from demos.files import from_csv, to_csv, write_whole
from demos.training import Outcome

Rows = list[dict[str, float]]
KINDS = ("training", "testing")              # of time spent


class Damaged(ValueError):
    """The file is not what was written."""


class Stale(ValueError):
    """The file belongs to another version or configuration."""


class Curve(NamedTuple):
    """What the seeds of one setting scored: scores[name] is (n_seeds, len(x))."""

    setting: Setting
    x: np.ndarray                            # training dialogues, or error rates after training
    scores: dict[str, np.ndarray]


class Results:
    """<setting>/seed<n>.csv, whose first line says what made it; costs.csv holds CPU seconds.

    Times differ from one computation to the next; kept apart, they leave all other files equal to the last bit.
    """

    def __init__(self, folder: str | Path):
        self.folder, self.cost_file = Path(folder), Path(folder) / "costs.csv"
        try:
            rows = from_csv(self.cost_file.read_text()) if self.cost_file.exists() else []
            self.costs = {(row["setting"], int(row["seed"])): {**row, **{kind: float(row[kind]) for kind in KINDS}}
                          for row in rows}
        except (KeyError, ValueError) as error:
            raise Damaged(f"{self.cost_file} is damaged ({error}); remove it to forget what was measured") from error

    def path(self, setting: Setting, seed: int) -> Path:
        return self.folder / setting.name / f"seed{seed:02}.csv"

    def read(self, setting: Setting, seed: int) -> Rows:
        """The rows of a unit; FileNotFoundError, Damaged or Stale if there are none to be used."""
        path = self.path(setting, seed)
        try:
            header, _, body = path.read_text().partition("\n")
            record = json.loads(header.removeprefix("# "))
            intact = record.pop("checksum") == zlib.crc32(body.encode())
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Damaged(f"{path} is damaged: {error}") from error
        if not intact:
            raise Damaged(f"{path} is damaged: its checksum is wrong")
        now = json.loads(json.dumps(configuration(setting, seed)))
        if record != now:
            raise Stale(f"{path} was made with {difference(record, now)}")
        return [{name: float(value) for name, value in row.items()} for row in from_csv(body)]

    def write(self, setting: Setting, seed: int, rows: Rows, seconds: dict[str, float]) -> None:
        """Stores a finished unit, then its cost."""
        body = to_csv(rows)
        record = configuration(setting, seed) | {"checksum": zlib.crc32(body.encode())}
        self.path(setting, seed).parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.path(setting, seed), f"# {json.dumps(record)}\n{body}")
        self.costs[setting.name, seed] = {"setting": setting.name, "seed": seed} | seconds
        write_whole(self.cost_file, to_csv(list(self.costs.values())))

    def seconds(self, setting: Setting, kinds: tuple[str, ...] = KINDS) -> float | None:
        """Mean CPU time of a unit of this setting, None before any was measured."""
        rows = [row for (name, _), row in self.costs.items() if name == setting.name]
        return sum(fmean(row[kind] for row in rows) for kind in kinds) if rows else None

    def curve(self, setting: Setting, n_seeds: int) -> Curve:
        """Scores over the training dialogues, or over the error rates of the last tests if the setting has any."""
        runs = [self.read(setting, seed) for seed in seeds_of(setting, n_seeds)]
        x = "error_rate" if setting.final_error_rates else "dialogues"
        if setting.final_error_rates:
            runs = [rows[-len(setting.final_error_rates):] for rows in runs]
        scores = {name: np.array([[row[name] for row in rows] for rows in runs]) for name in Outcome._fields}
        return Curve(setting, np.array([row[x] for row in runs[0]]), scores)


def seeds_of(setting: Setting, n_seeds: int) -> range:
    """A policy that does not learn meets the same users with every seed: once is enough."""
    return range(n_seeds if setting.agent in LEARNERS else 1)


def difference(stored: dict, now: dict, path: str = "") -> str:
    """The first entry in which two records differ."""
    for key in [*now, *stored]:
        old, new = stored.get(key), now.get(key)
        if old != new:
            return difference(old, new, f"{path}{key}.") if isinstance(old, dict) and isinstance(new, dict) else (
                f"{path}{key} {old!r}; now it is {new!r}")
    return "the same configuration"
