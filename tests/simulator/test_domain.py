"""The built-in domain has the benchmark's shape; a domain that does not fit together is refused."""
import hashlib
from collections import Counter
from dataclasses import fields, replace
from multiprocessing.reduction import ForkingPickler

import pytest

from simulator.acts import DONTCARE
from simulator.belief_vector import BeliefVector
from simulator.domain import Domain, without
from tests.simulator.strategies import DOMAIN, domain_of


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
    """Nothing here can compute how many venues share a food, an area and a price, so the table is pinned."""
    joint = sorted(Counter((venue["food"], venue["area"], venue["pricerange"]) for venue in DOMAIN.venues).items())
    assert (len(DOMAIN.venues), len(joint)) == (110, 68)
    assert hashlib.sha256(repr(joint).encode()).hexdigest()[:16] == "6f690ddbeb408bfe"


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


TOY = domain_of({"name": ("a", "b", "c"), "food": ("greek", "thai", "irish"), "area": ("north", "south")}, ("phone",),
                [{"name": name, "food": food, "area": area, "phone": "1"} for name, food, area in (
                    ("a", "thai", "north"), ("b", "thai", "south"), ("c", "greek", "south"))], name="toy")


@pytest.mark.parametrize("domain, wishes, names, size, discriminable", [
    (TOY, {}, "abc", 2, True), (TOY, {"food": "thai"}, "ab", 2, True),                 # by area
    (TOY, {"food": "thai", "area": DONTCARE}, "ab", 2, False), (TOY, {"area": DONTCARE}, "abc", 2, True),
    (TOY, {"food": "thai", "area": "south"}, "b", 1, False), (TOY, {"food": "irish"}, "", 0, False),
    (TOY, {"food": DONTCARE, "area": "south"}, "bc", 2, False), (TOY, {"food": "greek"}, "c", 1, False),
    (DOMAIN, {"food": "gastropub"}, 4, 2, True), (DOMAIN, {"food": "asian oriental"}, 5, 3, True)])
def test_a_search_keeps_what_meets_every_wish_in_table_order_and_tells_if_a_question_could_split_it(
        domain, wishes, names, size, discriminable):
    """size: none, one, two to four, or more venues."""
    for match in (domain.match(wishes.items()), domain.match(wishes.items())):          # once more, from memory
        found = [venue["name"] for venue in match.venues]
        assert found == list(names) if isinstance(names, str) else len(found) == names
        assert match.info == (*(size == i for i in range(4)), discriminable) and match.discriminable == discriminable


def test_of_venues_with_one_name_the_first_is_meant():
    venue = TOY.venues[0]
    assert replace(TOY, venues=(venue, venue | {"phone": "2"})).by_name == {"a": venue}


def test_a_changed_copy_remembers_nothing_and_a_domain_sent_to_a_process_has_every_field():
    domain = replace(TOY, lexicon={"food": {"noun": "dish"}})
    twin = ForkingPickler.loads(ForkingPickler.dumps(domain))
    assert all(getattr(twin, field.name) == getattr(domain, field.name) for field in fields(Domain))
    assert len(domain.match([("food", "thai")]).venues) == 2
    assert len(replace(domain, venues=domain.venues[1:]).match([("food", "thai")]).venues) == 1


def test_the_fingerprint_tells_domains_apart():
    others = [dict(name="other"), dict(venues=TOY.venues[1:]), dict(requestable=TOY.requestable[::-1])]
    fingerprints = {domain.fingerprint for domain in (DOMAIN, TOY, replace(TOY), *(replace(TOY, **o) for o in others))}
    assert len(fingerprints) == 5


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
        replace(TOY, **changes)


def test_the_memory_of_answers_is_bounded(monkeypatch):
    monkeypatch.setattr("simulator.domain.MEMORY", 3)
    domain = replace(DOMAIN)
    for food in domain.informable["food"] * 2:
        assert domain.match([("food", food)]).venues == DOMAIN.match([("food", food)]).venues
        assert domain._remembered.cache_info().currsize <= 3


# ---- a smaller domain

def test_a_domain_without_slots_lacks_them_wherever_they_were():
    smaller = without(DOMAIN, ("phone", "area"))
    assert smaller.payload_slots == ("addr", "food", "pricerange", "postcode", "signature", "description")
    assert list(smaller.informable) == ["food", "pricerange", "name"]
    assert smaller.system_requestable == ("food", "pricerange")
    assert smaller.venues == DOMAIN.venues and smaller.name == "CamRestaurants without phone, area"
    assert smaller.fingerprint != DOMAIN.fingerprint and without(DOMAIN, ()) is DOMAIN
    names, all_names = BeliefVector(without(DOMAIN, ("phone", "postcode"))).names, BeliefVector(DOMAIN).names
    assert [name for name in all_names if name not in names] == ["requested=phone", "requested=postcode"]


@pytest.mark.parametrize("slot", ["name", "telephone"])
def test_a_slot_that_cannot_be_left_out_is_refused(slot):
    with pytest.raises(ValueError, match=f"slot to leave out is '{slot}', expected one of addr, area"):
        without(DOMAIN, ("phone", slot))
