"""A folder of results: one file per domain, one line per finished unit; whoever is killed, a line is there or not."""
import json
import sys
from pathlib import Path
from statistics import fmean

import numpy as np

from demos.files import append_line
from demos.records import Curve, Line, Record, curve_of, from_line, seeds_of, to_line
from demos.settings import Setting


class Results:
    """The units of a folder by setting and seed; of two that are there the later one counts.

    A line that was torn or damaged is named and left out, and computed again. What is not in the folder may be in
    another one, which is only read: that of an installed copy. Domains whose files are at hand are told apart from
    others of the same name by their fingerprints.
    """

    def __init__(self, folder: str | Path, installed: Path | None = None):
        self.folder, self.installed = Path(folder), installed
        self._files: dict[str, dict[str, dict[int, Record]]] = {}          # by domain, setting and seed

    def path(self, domain: str) -> Path:
        return self.folder / f"{domain or 'built-in'}.jsonl"

    def units(self, setting: Setting) -> dict[int, Record]:
        """What is there of a setting, by seed."""
        if setting.domain not in self._files:
            found: dict[str, dict[int, Record]] = {}
            for folder in filter(None, (self.installed, self.folder)):
                for record in read(folder / self.path(setting.domain).name):
                    found.setdefault(key_of(record.setting), {})[record.seed] = record
            self._files[setting.domain] = found
        return self._files[setting.domain].get(key_of(setting.differences()), {})

    def add(self, record: Record) -> None:
        """One more line, alone with the file behind all links; a torn line is ended first."""
        domain = record.setting.get("domain", "")
        append_line(self.path(domain), to_line(record))
        self.units(Setting(domain=domain))                   # reads the file, unless that was done
        self._files[domain].setdefault(key_of(record.setting), {})[record.seed] = record

    def check_domain(self, domain: str, fingerprint: str) -> None:
        """Refuses a domain that is not the one of the results that are here."""
        self.units(Setting(domain=domain))
        for units in self._files[domain].values():
            for record in units.values():
                if record.domain != fingerprint:
                    raise ValueError(f"{self.path(domain)} holds results of another database called {domain}, with the "
                                     f"fingerprint {record.domain}, expected {fingerprint}: give that one by "
                                     "--domains, or choose another folder with --results")

    def curve(self, line: Line) -> Curve:
        """What a line has measured, and the CPU minutes of its training; a ValueError if a seed is missing."""
        units, seeds = self.units(line.setting), seeds_of(line.setting, line.seeds)
        lacking = [seed for seed in seeds if seed not in units]
        if lacking:
            raise ValueError(f"{self.path(line.setting.domain)} lacks {line.setting.name}, seed {lacking[0]}, expected "
                             f"seeds 0 to {line.seeds - 1}: run the command without --list to compute them")
        curve = curve_of(line, [units[seed].tests for seed in seeds])
        curve.scores["minutes"] = np.array([[units[seed].cpu.get("training", np.nan) / 60] for seed in seeds])
        return curve

    def cost(self, setting: Setting) -> dict[str, float]:
        """Mean CPU seconds of a unit by the kind of time, where it is known."""
        costs = [record.cpu for record in self.units(setting).values() if record.cpu]
        return {kind: fmean(cost[kind] for cost in costs) for kind in costs[0]} if costs else {}


def key_of(differences: dict) -> str:
    return json.dumps(differences, sort_keys=True)


def read(path: Path) -> list[Record]:
    """The whole lines of a file; the others are named."""
    found = []
    for number, line in enumerate(path.read_bytes().splitlines() if path.exists() else [], 1):
        try:
            found.append(from_line(line.decode()))
        except (ValueError, TypeError) as error:
            if line:
                print(f"{path}, line {number}, is left out: {error}", file=sys.stderr)
    return found
