"""The built-in domain: 110 invented restaurants in Cambridge, shaped like the benchmark's table.

How many venues serve which food, where and at what price is as in the benchmark, and so is how often a detail is
missing: 3 lack a phone, 95 a signature dish, 33 a description, some by a text that says so, some by none. Who they are
is made up; the phone numbers come from the range that is reserved for fiction.
"""
import csv
from functools import lru_cache
from pathlib import Path

from simulator.domain import Domain

NAMES_WITHOUT_VENUE = ("orchard and moth", "seven bridges", "the last tollgate")
FOODS_WITHOUT_VENUE = """
    afghan, afternoon tea, australasian, australian, austrian, barbeque, basque, belgian, bistro, brazilian,
    canapes, cantonese, caribbean, catalan, christmas, corsica, creative, crossover, cuban, danish,
    eastern european, english, eritrean, fusion, german, greek, halal, hungarian, indonesian, irish, jamaican,
    kosher, latin american, light bites, malaysian, middle eastern, modern american, modern eclectic,
    modern global, molecular gastronomy, moroccan, new zealand, north african, north indian, northern european,
    panasian, persian, polish, polynesian, romanian, russian, scandinavian, scottish, singaporean,
    south african, south indian, sri lankan, steakhouse, swedish, swiss, the americas, traditional, tuscan,
    unusual, vegetarian, venetian, welsh, world"""


@lru_cache(maxsize=1)
def cambridge_restaurants() -> Domain:
    """The domain of the experiments: belief 268, 15 summary actions, 1035 master actions."""
    with open(Path(__file__).with_suffix(".csv"), encoding="utf-8", newline="") as file:
        venues = tuple(csv.DictReader(file))
    foods = {venue["food"] for venue in venues} | {food.strip() for food in FOODS_WITHOUT_VENUE.split(",")}
    names = [*(venue["name"] for venue in venues), *NAMES_WITHOUT_VENUE]
    return Domain(
        name="CamRestaurants", type="restaurant",
        informable={"food": tuple(sorted(foods)), "pricerange": ("cheap", "moderate", "expensive"),
                    "name": tuple(sorted(names)), "area": ("centre", "north", "west", "south", "east")},
        requestable=("addr", "area", "food", "name", "phone", "pricerange", "postcode", "signature", "description"),
        system_requestable=("area", "food", "pricerange"),
        methods=("none", "byconstraints", "byname", "finished", "byalternatives", "restart"),
        discourse_acts=("ack", "hello", "none", "repeat", "silence", "thankyou"),
        venues=venues)
