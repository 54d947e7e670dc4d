"""The built-in domain has the benchmark's shape; a domain that does not fit together is refused."""
from collections import Counter
from dataclasses import fields, replace
from itertools import product
from multiprocessing.reduction import ForkingPickler

import pytest

from simulator.acts import DONTCARE
from simulator.belief_vector import BeliefVector
from simulator.cambridge import cambridge_restaurants
from simulator.domain import Domain, without

# food: area/price(matches), * = does not matter; all combinations that match two or three venues
GOALS = """
asian oriental: centre/cheap 2, */cheap 2, */expensive 2
british: centre/expensive 3, west/expensive 2, west/* 3
chinese: centre/cheap 3, centre/moderate 3, north/expensive 2, north/* 3, south/expensive 2, south/* 3
european: centre/moderate 2, centre/expensive 2, */moderate 2, */expensive 3
french: */expensive 2, */* 2
gastropub: centre/expensive 2, centre/* 3, */expensive 3
indian: centre/cheap 3, north/moderate 2, east/moderate 2, east/expensive 2
international: centre/moderate 2, centre/* 2, */moderate 2, */* 3
italian: centre/cheap 3, centre/moderate 2, south/* 2, west/* 2
mediterranean: centre/expensive 2, centre/* 3, */expensive 2, */* 3
modern european: centre/moderate 2, */moderate 3
portuguese: */cheap 2, */* 2
spanish: centre/* 2, */* 2
thai: */expensive 2, */* 2
turkish: centre/moderate 2, centre/* 3, */moderate 2, */* 3
*: north/cheap 2, north/moderate 3, east/moderate 3, south/cheap 2, south/moderate 2, west/cheap 2, west/moderate 2"""
FOODS = """indian 22, chinese 17, italian 15, british 12, asian oriental 5, european 5, modern european 5, gastropub 4,
international 3, mediterranean 3, turkish 3, french 2, portuguese 2, spanish 2, thai 2, african 1, japanese 1, korean 1,
lebanese 1, mexican 1, north american 1, seafood 1, vietnamese 1"""
DOMAIN = cambridge_restaurants()


def count(slot):
    return Counter(venue[slot] for venue in DOMAIN.venues)


def test_the_ontology_has_the_benchmarks_slots_in_its_order():
    sizes = [(slot, len(values)) for slot, values in DOMAIN.informable.items()]
    assert sizes == [("food", 91), ("pricerange", 3), ("name", 113), ("area", 5)]
    assert DOMAIN.informable["pricerange"] == ("cheap", "moderate", "expensive")
    assert DOMAIN.informable["area"] == ("centre", "north", "west", "south", "east")
    assert list(DOMAIN.informable["food"]) == sorted(DOMAIN.informable["food"])
    assert DOMAIN.requestable == ("addr", "area", "food", "name", "phone", "pricerange", "postcode", "signature",
                                  "description")
    assert DOMAIN.system_requestable == ("area", "food", "pricerange")
    assert DOMAIN.payload_slots == tuple(slot for slot in DOMAIN.requestable if slot != "name")
    assert DOMAIN.info_slots == {"addr", "phone", "postcode", "signature", "description"}
    assert (DOMAIN.type, len(DOMAIN.methods), len(DOMAIN.discourse_acts)) == ("restaurant", 6, 6)


def test_foods_areas_and_prices_are_as_frequent_as_in_the_benchmark():
    assert len(DOMAIN.venues) == 110
    assert count("food") == {food.rsplit(" ", 1)[0]: int(food.rsplit(" ", 1)[1])
                             for food in FOODS.replace("\n", " ").split(", ")}
    assert count("pricerange") == {"expensive": 57, "moderate": 31, "cheap": 22}
    assert count("area") == {"centre": 69, "west": 12, "north": 11, "east": 9, "south": 9}
    joint = Counter((venue["area"], venue["pricerange"]) for venue in DOMAIN.venues)
    table = {"centre": (15, 21, 33), "north": (2, 3, 6), "east": (1, 3, 5), "south": (2, 2, 5), "west": (2, 2, 8)}
    assert joint == {(area, price): n for area, row in table.items()
                     for price, n in zip(("cheap", "moderate", "expensive"), row)}


def test_exactly_the_benchmarks_56_goals_match_two_or_three_venues():
    expected = {}
    for line in GOALS.strip().splitlines():
        food, cells = line.split(": ")
        for cell in cells.split(", "):
            values = (food, *cell.split(" ")[0].split("/"))
            expected[tuple(DONTCARE if value == "*" else value for value in values)] = int(cell.split(" ")[1])
    assert len(expected) == 56
    slots = ("food", "area", "pricerange")
    found = {values: len(DOMAIN.match(zip(slots, values)).venues)
             for values in product(*((*DOMAIN.informable[slot], DONTCARE) for slot in slots))}
    assert {values: n for values, n in found.items() if n in (2, 3)} == expected
    complete = Counter(n for values, n in found.items() if DONTCARE not in values)
    assert complete == {0: 1297, 1: 43, 2: 15, 3: 5, 4: 4, 6: 1}


def test_details_are_missing_as_often_as_in_the_benchmark():
    missing = {slot: (count(slot)["not available"], count(slot)[""]) for slot in DOMAIN.requestable}
    assert missing.pop("phone") == (3, 0)
    assert missing.pop("signature") == (94, 1)
    assert missing.pop("description") == (14, 19)
    assert set(missing.values()) == {(0, 0)}


def test_venues_can_be_told_apart():
    names = [venue["name"] for venue in DOMAIN.venues]
    assert len(set(names)) == 110 and set(names) < set(DOMAIN.informable["name"])
    assert all(list(count(slot).values()).count(1) >= 107 for slot in ("addr", "phone", "postcode"))
    padded = [f" {name.removeprefix('the ')} " for name in DOMAIN.informable["name"]]
    assert not [(a, b) for a in padded for b in padded if a != b and a in b]
    values = {word for slot in DOMAIN.system_requestable for value in DOMAIN.informable[slot] for word in value.split()}
    assert values & {word for name in DOMAIN.informable["name"] for word in name.split()} <= {"the"}


def small(**changes):
    venues = tuple({"name": name, "food": food, "area": area, "phone": "1"}
                   for name, food, area in (("a", "thai", "north"), ("b", "thai", "south"), ("c", "greek", "south")))
    parts = dict(name="toy", type="restaurant", informable={"name": ("a", "b", "c"), "food": ("greek", "thai", "irish"),
                                                            "area": ("north", "south")},
                 requestable=("name", "phone", "food", "area"), system_requestable=("food", "area"),
                 methods=("none",), discourse_acts=("none",), venues=venues)
    return Domain(**{**parts, **changes})


def names(domain, *constraints):
    return [venue["name"] for venue in domain.match(constraints).venues]


def test_a_search_keeps_the_venues_that_meet_every_constraint_in_table_order():
    domain = small()
    assert names(domain) == ["a", "b", "c"]
    assert names(domain, ("food", "thai")) == ["a", "b"]
    assert names(domain, ("food", "thai"), ("area", "south")) == ["b"]
    assert names(domain, ("food", DONTCARE), ("area", "south")) == ["b", "c"]
    assert names(domain, ("food", "irish")) == []
    assert names(domain, ("food", "thai")) == ["a", "b"]                 # asked again, answered from memory


def test_venues_are_discriminable_if_an_open_slot_would_split_them():
    domain = small()
    assert domain.match([("food", "thai")]).discriminable                # by area
    assert not domain.match([("food", "thai"), ("area", DONTCARE)]).discriminable
    assert not domain.match([("food", "thai"), ("area", "south")]).discriminable
    assert not domain.match([("food", "irish")]).discriminable
    assert domain.match([("area", DONTCARE)]).discriminable              # by food


def test_the_features_of_a_search_tell_how_many_venues_match():
    assert small().match([("food", "irish")]).info == (1, 0, 0, 0, 0)
    assert small().match([("food", "greek")]).info == (0, 1, 0, 0, 0)
    assert small().match([("food", "thai")]).info == (0, 0, 1, 0, 1)
    assert DOMAIN.match([("food", "asian oriental")]).info == (0, 0, 0, 1, 1)        # 5 venues
    assert DOMAIN.match([("food", "gastropub")]).info == (0, 0, 1, 0, 1)             # 4 venues


def test_of_venues_with_one_name_the_first_is_meant():
    domain = small(venues=({"name": "a", "food": "thai", "area": "north", "phone": "1"},
                           {"name": "a", "food": "greek", "area": "south", "phone": "2"}))
    assert domain.by_name["a"]["phone"] == "1"
    assert "z" not in domain.by_name


def test_a_changed_copy_remembers_nothing_of_the_original():
    domain = small()
    assert names(domain, ("food", "thai")) == ["a", "b"]
    assert names(replace(domain, venues=domain.venues[1:]), ("food", "thai")) == ["b"]


def test_a_domain_sent_to_a_process_has_every_field():
    domain = small(lexicon={"food": {"noun": "dish"}})
    twin = ForkingPickler.loads(ForkingPickler.dumps(domain))
    assert all(getattr(twin, field.name) == getattr(domain, field.name) for field in fields(Domain))


def test_the_fingerprint_tells_domains_apart():
    fingerprints = {small().fingerprint, small(name="other").fingerprint, small(venues=small().venues[1:]).fingerprint,
                    small(requestable=("name", "food", "area", "phone")).fingerprint, DOMAIN.fingerprint}
    assert len(fingerprints) == 5 and small().fingerprint == small().fingerprint


@pytest.mark.parametrize("changes, message", [
    ({"requestable": ()}, "requestable of domain toy is empty"),
    ({"system_requestable": ()}, "system_requestable of domain toy is empty"),
    ({"venues": ()}, "venues of domain toy is empty"),
    ({"requestable": ("name", "food", "area", "food")}, "requestable of domain toy holds 'food' twice"),
    ({"informable": {"name": ("a",), "food": ("x", "x"), "area": ("north",)}},
     "informable food of domain toy holds 'x' twice"),
    ({"informable": {"name": ("a",), "food": (), "area": ("north",)}}, "informable food of domain toy is empty"),
    ({"informable": {"name": ("a",), "food": ("dontcare",), "area": ("north",)}},
     "informable food of domain toy holds 'dontcare', expected values"),
    ({"informable": {"name": ("none",), "food": ("thai",), "area": ("north",)}},
     "informable name of domain toy holds 'none'"),
    ({"system_requestable": ("food", "phone")}, "slot 'phone' of domain toy is not informable and requestable"),
    ({"requestable": ("phone", "food", "area")}, "slot 'name' of domain toy is not informable and requestable"),
    ({"requestable": ("name", "phone", "food", "area", "zip")}, "venue 'a' of domain toy lacks 'zip'")])
def test_a_domain_that_does_not_fit_together_is_refused(changes, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        small(**changes)


def test_the_memory_of_answers_is_bounded_and_answers_stay_right(monkeypatch):
    monkeypatch.setattr("simulator.domain.MEMORY", 3)
    domain = replace(cambridge_restaurants())
    for food in domain.informable["food"] * 2:
        assert [v["food"] for v in domain.match([("food", food)]).venues] == [
            v["food"] for v in domain.venues if v["food"] == food]
        assert domain._remembered.cache_info().currsize <= 3


# ---- a smaller domain

def test_a_domain_without_slots_lacks_them_wherever_they_were():
    full = cambridge_restaurants()
    small = without(full, ("phone", "area"))
    assert small.payload_slots == ("addr", "food", "pricerange", "postcode", "signature", "description")
    assert list(small.informable) == ["food", "pricerange", "name"]
    assert small.system_requestable == ("food", "pricerange")
    assert small.venues == full.venues and small.name == "CamRestaurants without phone, area"
    assert small.fingerprint != full.fingerprint and without(full, ()) is full


def test_the_belief_and_the_actions_of_a_smaller_domain_have_names_that_the_larger_one_has():
    full = cambridge_restaurants()
    small = without(full, ("phone", "postcode"))
    names, all_names = BeliefVector(small).names, BeliefVector(full).names
    assert [name for name in all_names if name not in names] == ["requested=phone", "requested=postcode"]
    assert len(all_names) == len(names) + 2 and set(names) < set(all_names)


@pytest.mark.parametrize("slot", ["name", "telephone"])
def test_a_slot_that_cannot_be_left_out_is_refused(slot):
    with pytest.raises(ValueError, match=f"slot to leave out is '{slot}', expected one of addr, area"):
        without(cambridge_restaurants(), ("phone", slot))
