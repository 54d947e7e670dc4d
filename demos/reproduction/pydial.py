"""What PyDial itself scored on its benchmark: computed from public log files of its users, 4000 training dialogues."""
from pathlib import Path
from typing import NamedTuple

from demos.files import from_csv

SOURCES = {"M1": "zxsted/Pydial, results09", "M2": "paulaWesselmann/testing_pydial, _benchmarklogs",
           "M5": "Ratnesh-Rai/Pydial-Personalisation, README"}         # on GitHub


class Log(NamedTuple):
    """Success in percent and reward of the tests after 1000 and after 4000 dialogues, means over the seeds."""

    environment: int
    domain: str
    policy: str
    seeds: int
    early: tuple[float, float]
    late: tuple[float, float]
    source: str


LOGS = tuple(Log(int(row["environment"]), row["domain"], row["policy"], int(row["seeds"]),
                 *((float(row[f"{when}_success"]), float(row[f"{when}_reward"])) for when in ("early", "late")),
                 row["source"]) for row in from_csv(Path(__file__).with_suffix(".csv").read_text(encoding="utf-8")))
