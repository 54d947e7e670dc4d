"""One finished run as one line of JSON: its setting, its seed, what its tests found, and what made it."""
import json
import zlib
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

import demos
from demos.settings import TRAINABLE, Setting
from simulator.goal import SUCCESS_REWARD

DIAGNOSTICS = ("rho", "truncated", "entropy", "kl_growth", "binding", "critic_error")      # of ACER, that are drawn
END = ',"checksum":'
Tests = dict[str, dict[str, list]]           # by how it was tested, columns of equal length


class Record(NamedTuple):
    """Turns are not kept, for a dialogue's reward is 20 x success - turns, and so are their means."""

    setting: dict                            # what differs from Setting()
    seed: int
    tests: Tests
    cpu: dict[str, float]                    # seconds of "training" and of "testing"
    version: str                             # of this project
    arithmetic: str
    domain: str = ""                         # the fingerprint of a domain that is not built in


def record_of(setting: Setting, seed: int, rows: list[dict], cpu: dict[str, float], domain: str = "",
              diagnostics: Sequence[str] = DIAGNOSTICS) -> Record:
    """The record of a run of this process, from a row per test."""
    rates = ("error_rate",) * bool(setting.final_error_rates)
    tests: Tests = {}
    for mode in dict.fromkeys(row["test"] for row in rows):
        mine = [row for row in rows if row["test"] == mode]
        watched = [name for name in diagnostics if mode == setting.tests[0] and name in mine[-1]]
        names = ("dialogues", *rates, "success", "reward", *watched)
        tests[mode] = {name: [rounded(row.get(name)) for row in mine] for name in names}
    seconds = {kind: rounded(value) for kind, value in cpu.items()}
    return Record(setting.differences(), seed, tests, seconds, demos.__version__, arithmetic(), domain)


def rounded(value: float | None) -> float | None:
    """Six digits, which are all that a mean over 200 or 500 dialogues has; whole numbers without a point."""
    if value is None:
        return None
    value = float(f"{value:.6g}")
    return int(value) if value.is_integer() else value


@cache
def arithmetic() -> str:
    """A checksum of a product of two float32 matrices: equal where the same seed gives the same numbers."""
    a, b = np.random.default_rng(0).standard_normal((2, 130, 130), np.float32)
    return f"{zlib.crc32((a @ b).tobytes()):08x}"


def to_line(record: Record) -> str:
    """One line, with a checksum of all before it."""
    text = json.dumps(record._asdict(), ensure_ascii=False, separators=(",", ":")).removesuffix("}")
    return f"{text}{END}{zlib.crc32(text.encode())}}}\n"


def from_line(line: str) -> Record:
    """The inverse of to_line; a ValueError if a letter of the line has changed, or it is no such line."""
    text, _, checksum = line.rstrip("\n").rpartition(END)
    if checksum != f"{zlib.crc32(text.encode())}}}":
        raise ValueError("its checksum is wrong")
    return Record(**json.loads(f"{text}}}"))


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


def curve_of(line: Line, runs: Sequence[Tests]) -> Curve:
    """Scores over the training dialogues, or over the error rates of the last tests if the setting has any."""
    final = len(line.setting.final_error_rates)
    columns = [tests[line.mode] for tests in runs]
    scores = {name: np.array([some[name][-final:] for some in columns], float) for name in columns[0]}
    scores["turns"] = np.round(SUCCESS_REWARD * scores["success"] - scores["reward"], 6)
    return Curve(line, scores["error_rate" if final else "dialogues"][0], scores)


def seeds_of(setting: Setting, n_seeds: int) -> range:
    """A policy that does not learn meets the same users with every seed: once is enough."""
    return range(n_seeds if setting.agent in TRAINABLE else 1)
