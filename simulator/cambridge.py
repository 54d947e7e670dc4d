"""The built-in domain: 110 invented restaurants in Cambridge, shaped like the benchmark's table.

How many venues serve which food, where and at what price is as in the benchmark, and so is how often a detail is
missing: 3 lack a phone, 95 a signature dish, 33 a description, some by a text that says so, some by none. Who they are
is made up; the phone numbers come from the range that is reserved for fiction.
"""
import csv
from functools import lru_cache
from pathlib import Path

from simulator.domain import Domain
from simulator.loader import read_ontology


@lru_cache(maxsize=1)
def cambridge_restaurants() -> Domain:
    """The domain of the experiments: belief 268, 15 summary actions, 1035 master actions."""
    here = Path(__file__)
    with open(here.with_suffix(".csv"), encoding="utf-8", newline="") as file:
        venues = tuple(csv.DictReader(file))
    return Domain(name="CamRestaurants", venues=venues, **read_ontology(here.with_suffix(".json")))
