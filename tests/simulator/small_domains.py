"""Small domains for the tests of English, and tables of what people type."""
import re

import numpy as np

from tests.simulator.strategies import act, domain_of

MISSING = "not available"


def shop(n=60):
    """Enough venues to talk to, with gaps and with values that the ontology does not list."""
    informable = {"name": tuple(f"shop {i}" for i in range(n)), "area": ("north", "soma", "st. john's"),
                  "pricerange": ("cheap", "moderate", "expensive"), "driverange": ("small", "medium", "large"),
                  "weightrange": ("light weight", "medium"), "batteryrating": ("good", "exceptional"),
                  "hasinternet": ("0", "1"), "isforbusinesscomputing": ("false", "true"), "near": ("mission", "soma")}
    rng, gaps = np.random.default_rng(1), {"area": ("atlantis",), "near": ("", MISSING), "hasinternet": ("", MISSING)}
    venues = [{slot: str(rng.choice([*values, *gaps.get(slot, ())])) for slot, values in informable.items()}
              | {"name": f"shop {i}", "phone": f"01632 {i}", "battery": "3 30, or 4", "description": "by the sea, old"}
              for i in range(n)]
    return domain_of(informable, ("phone", "battery", "description"), venues, "shop")


LAPTOPS = domain_of({"name": ("tecra", "tecra pro", "satellite-c50-a-1jn"), "isforbusinesscomputing": ("0", "1"),
                     "batteryrating": ("standard", "good", "exceptional"), "pricerange": ("budget", "moderate"),
                     "driverange": ("small", "medium", "large"), "weightrange": ("light weight", "medium", "heavy"),
                     "sysmemory": ("4 gb", "8 gb", "16 gb"), "platform": ("windows 8", "windows 8.1 pro")},
                    ("battery", "weight", "dimension"))
HOTELS = domain_of({"name": ("the elm", "so", "castle"), "area": ("north", "soma"), "hasinternet": ("true", "false"),
                    "acceptscreditcards": ("0", "1"), "dogsallowed": ("yes", "no"), "stars": ("3", "4"),
                    "ecorating": ("a", "a+", "a++"), "hasparking": ("free", "paid")}, ("phone", "usb"), type="hotel")


def typed(domain, lines):
    """(domain, act before, text, acts understood) of each line "what the system said: what was typed -> act | act"."""
    for line in lines.strip().splitlines():
        if not line.startswith("#"):
            said, text, meant = re.fullmatch(r"(.*?\)): (.*) ->(.*)", line).groups()
            yield domain, act(said), text, tuple(map(act, filter(None, meant.split(" | "))))
