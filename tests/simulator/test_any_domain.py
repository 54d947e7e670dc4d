"""English for any domain: whatever its slots and values are, what is said is what is understood."""
import json
import time
from dataclasses import replace
from itertools import cycle, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.acts import DONTCARE, Act, Item, parse_act
from simulator.cambridge import cambridge_restaurants
from simulator.domain import Domain
from simulator.lexicon import load_lexicon, plural, spelled, words
from simulator.loader import load_domain
from simulator.phrases import phrases, tokens
from simulator.speak import article, system_utterance, user_utterance
from simulator.understand import understand_system, understand_user
from tests.simulator.strategies import laptops

METHODS = cambridge_restaurants().methods
DISCOURSE_ACTS = cambridge_restaurants().discourse_acts
MISSING = "not available"


def domain_of(informable, extra=(), venues=None, type="laptop"):
    """A small domain; its venues take the values in turn."""
    requestable = (*informable, *extra)
    columns = {slot: cycle(informable.get(slot, ("3 30",))) for slot in requestable}
    venues = venues or [{slot: next(column) for slot, column in columns.items()} for _ in range(4)]
    asked = tuple(slot for slot in informable if slot != "name")
    return Domain("Test", type, informable, requestable, asked, METHODS, DISCOURSE_ACTS, tuple(venues))


LAPTOPS = domain_of({"name": ("tecra", "tecra pro", "satellite-c50-a-1jn"), "isforbusinesscomputing": ("0", "1"),
                     "batteryrating": ("standard", "good", "exceptional"), "pricerange": ("budget", "moderate"),
                     "driverange": ("small", "medium", "large"), "weightrange": ("light weight", "medium", "heavy"),
                     "sysmemory": ("4 gb", "8 gb", "16 gb"), "platform": ("windows 8", "windows 8.1 pro")},
                    ("battery", "weight", "dimension"))
HOTELS = domain_of({"name": ("the elm", "so", "castle"), "area": ("north", "soma"), "hasinternet": ("true", "false"),
                    "acceptscreditcards": ("0", "1"), "dogsallowed": ("yes", "no"), "stars": ("3", "4"),
                    "ecorating": ("a", "a+", "a++"), "hasparking": ("free", "paid")}, ("phone", "usb"), type="hotel")


# ---- what slots are called

@pytest.mark.parametrize("slot, noun", [
    ("batteryrating", "battery rating"), ("pricerange", "price range"), ("sysmemory", "system memory"),
    ("isforbusinesscomputing", "for business computing"), ("hasinternet", "internet"), ("wine_list", "wine list"),
    ("screensizerange", "screen size range"), ("zorbl", "zorbl"), ("batteryzorbl", "batteryzorbl"), ("has", "has")])
def test_names_of_slots_are_read_as_words(slot, noun):
    assert words(domain_of({"name": ("x",), slot: ("p", "q")}))[slot].noun == noun


def test_the_words_of_the_ontology_are_known_too():
    for name, value, noun in (("x", "p", "zorblflux"), ("x", "new flux", "zorbl flux"), ("new flux", "p", "zorblflux")):
        domain = domain_of({"name": (name,), "zorblflux": (value,)}, ("zorbl",))
        assert words(domain)["zorblflux"].noun == noun


def test_a_name_is_spelt_with_the_fewest_words():
    known = {word: word.upper() for word in ("a", "b", "ab", "abc", "c", "cd", "d")}
    assert spelled("abcd", known) == ["AB", "CD"]
    assert spelled("abc", known) == ["ABC"] and spelled("abx", known) == ["abx"]


@given(st.lists(st.sampled_from(["battery", "is", "rating", "of", "price"]), min_size=1, max_size=5))
def test_what_is_spelt_has_the_same_letters(parts):
    found = spelled("".join(parts), {part: part for part in parts})
    assert "".join(found) == "".join(parts) and len(found) <= len(parts)


@pytest.mark.parametrize("values, yes_no", [
    (("0", "1"), ("1", "0")), (("true", "false"), ("true", "false")), (("yes", "no"), ("yes", "no")),
    (("n", "y"), ("y", "n")), (("0", "1", "2"), (None, None)), (("1",), (None, None)), (("1", "no"), (None, None))])
def test_two_values_make_a_yes_no_slot(values, yes_no):
    its = words(domain_of({"name": ("x",), "usb": values}))["usb"]
    assert (its.yes, its.no) == yes_no
    assert [its.opposite(value) for value in (*yes_no, "maybe")] == [*reversed(yes_no), None]


def test_the_table_tells_about_slots_that_cannot_be_wished():
    venues = [{"name": "x", "area": "north", "usb": usb, "hdmi": hdmi}
              for usb, hdmi in (("1", "1"), ("", "2"), ("0", "0"))]
    domain = domain_of({"name": ("x",), "area": ("north",)}, ("usb", "hdmi"), venues)
    assert words(domain)["usb"].yes == "1" and words(domain)["hdmi"].yes is None


def test_our_clauses_are_for_slots_of_their_kind():
    its = words(domain_of({"name": ("x",), "dogsallowed": ("small", "large"), "goodformeal": ("0", "1"),
                           "near": ("soma",)}))
    assert (its["dogsallowed"].verb, its["dogsallowed"].phrase) == ("have", "a {} dogs allowed")
    assert (its["goodformeal"].verb, its["goodformeal"].phrase) == ("be", "meal")
    assert (its["near"].verb, its["near"].phrase) == ("be", "near {}")


def test_plurals_and_articles():
    assert plural("stars") and not any(map(plural, ("address", "class", "rating", "s")))
    for noun in ("apple", "8 gb memory", "11 inch screen", "18 inch screen", "ultrabook", "a++ rating"):
        assert article(noun) == f"an {noun}"
    for noun in ("pear", "1 year warranty", "16 gb memory", "usb port", "unit", "118 inch screen", "+"):
        assert article(noun) == f"a {noun}"


# ---- what is said

@pytest.mark.parametrize("domain, act, english", [
    (LAPTOPS, "hello()", "Hello! What kind of laptop are you looking for?"),
    (LAPTOPS, "request(batteryrating)", "Which battery rating would suit you?"),
    (LAPTOPS, "request(isforbusinesscomputing)", "Should it be for business computing?"),
    (LAPTOPS, "confirm(isforbusinesscomputing=0)", "It should not be for business computing, is that right?"),
    (LAPTOPS, "confirm(isforbusinesscomputing=dontcare)", "It may be for business computing or not, is that right?"),
    (LAPTOPS, "confirm(batteryrating=exceptional)", "It should have an exceptional battery rating, is that right?"),
    (LAPTOPS, "confirm(batteryrating=dontcare)", "It may have any battery rating, is that right?"),
    (LAPTOPS, "confirm(weightrange=light weight)", "It should have a light weight range, is that right?"),
    (LAPTOPS, "select(sysmemory=8 gb, sysmemory=16 gb)",
     "Should it have an 8 gb system memory, or should it have a 16 gb system memory?"),
    (LAPTOPS, "inform(name=tecra, pricerange=budget, isforbusinesscomputing=1, sysmemory=4 gb, battery=3 30)",
     "Tecra is a budget laptop that is for business computing. The system memory is 4 gb and the battery is 3 30."),
    (LAPTOPS, "inform(name=none, isforbusinesscomputing=0, driverange=small, platform=windows 8)",
     "I am sorry, there is no laptop that is not for business computing with a small drive range and a windows 8 "
     "platform."),
    (LAPTOPS, "inform(name=tecra, isforbusinesscomputing=not available)",
     "For Tecra, whether it is for business computing is unknown."),
    (HOTELS, "request(hasinternet)", "Should it have internet?"),
    (HOTELS, "confirm(hasparking=free)", "It should have free parking, is that right?"),
    (HOTELS, "confirm(stars=4)", "It should have 4 stars, is that right?"),
    (HOTELS, "confirm(ecorating=a++)", "It should have an a++ eco rating, is that right?"),
    (HOTELS, "select(hasinternet=true, hasinternet=false)", "Should it have internet, or should it not have internet?"),
    (HOTELS, "inform(name=the elm, hasinternet=true, dogsallowed=no, acceptscreditcards=1)",
     "The Elm is a hotel not allowing dogs accepting credit cards with internet."),
    (HOTELS, "inform(name=the elm, stars=3, phone=not available)",
     "For The Elm, the stars are 3 and the phone number is unknown."),
    (HOTELS, "inform(name=none, hasinternet=false, area=north, area=soma)",
     "I am sorry, there is no hotel in the north of town in soma without internet.")])
def test_the_system_speaks_of_anything(domain, act, english):
    assert system_utterance(parse_act(act), domain) == english


@pytest.mark.parametrize("domain, act, english", [
    (LAPTOPS, "inform(batteryrating=good, pricerange=moderate, type=laptop)",
     "I would like a moderately priced laptop with a good battery rating."),
    (LAPTOPS, "confirm(isforbusinesscomputing=0)", "Is it not for business computing?"),
    (LAPTOPS, "deny(isforbusinesscomputing=1, isforbusinesscomputing=0)",
     "It should not be for business computing instead."),
    (LAPTOPS, "deny(driverange=small, driverange=large)",
     "It should not have a small drive range, it should have a large drive range."),
    (HOTELS, "inform(hasinternet=false, acceptscreditcards=1, dogsallowed=dontcare)",
     "I would like an option without internet accepting credit cards allowing dogs or not."),
    (HOTELS, "confirm(hasinternet=true, hasinternet=false)", "Does it have internet, and does it not have internet?"),
    (HOTELS, "request(phone, acceptscreditcards, name=castle)",
     "Could you tell me the phone number of Castle and whether it accepts credit cards?"),
    (HOTELS, "request(hasinternet, name=castle)", "Could you tell me whether Castle has internet?"),
    (HOTELS, "deny(hasinternet=false)", "It should have internet instead.")])
def test_the_user_speaks_of_anything(domain, act, english):
    assert user_utterance(parse_act(act), domain) == english


# ---- the law: what is said is what is understood

SLOTS = ("batteryrating", "weightrange", "sysmemory", "platform", "zorbl", "area", "food", "pricerange", "near",
         "family", "stars", "goodformeal", "hasparking", "ecorating", "isquiet", "colour_scheme", "dogsallowed")
YES_NO_SLOTS = ("isforbusinesscomputing", "hasinternet", "usb", "acceptscreditcards", "allowedforkids", "goodformeal")
VALUES = ("medium", "good", "so", "thai", "north", "centre", "windows 8", "windows 8.1", "4 gb", "14 gb",
          "a", "a++", "st. john's", "between 3 and 5 euro", "light weight", "12", "right", "seafood", "the mission",
          "3", "café", "wi-fi & tea", "everyday computing", "atlantis")
NAMES = ("pizza hut", "pizza hut city", "city", "so", "the elm", "salt and slate", "thai", "a", "no. 9", "x-1", "x-12",
         "good")
yes_no_values = st.sampled_from([("0", "1"), ("true", "false"), ("no", "yes")])


@st.composite
def domains(draw, shared=("cheap", "moderate")):
    """Any slots with any values; the table leaves some details out and holds values that the ontology does not list."""
    informable = {"name": tuple(draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=6, unique=True)))}
    for slot in draw(st.lists(st.sampled_from(SLOTS), min_size=1, max_size=5, unique=True)):
        values = VALUES + (("cheap", "moderate") if slot == "pricerange" else shared)
        informable[slot] = tuple(draw(st.lists(st.sampled_from(values), min_size=1, max_size=5, unique=True)))
    yes_no = draw(st.lists(st.sampled_from(YES_NO_SLOTS), max_size=3, unique=True))
    for slot in yes_no:
        informable[slot] = draw(yes_no_values)
    extra = draw(st.lists(st.sampled_from(("phone", "battery", "description", "addr", "hdmi", "price")), unique=True))
    columns = {slot: (*informable.get(slot, ("3 30, or 4",)), "", MISSING, *["atlantis"] * (slot not in yes_no))
               for slot in (*informable, *extra)} | {"name": informable["name"]}
    venues = [{slot: draw(st.sampled_from(values)) for slot, values in columns.items()} for _ in range(2)]
    return domain_of(informable, tuple(extra), venues, draw(st.sampled_from(("hotel", "tv set", "apartment"))))


def some(draw, domain, dontcare=True):
    """Some (slot, value) items, one per slot."""
    slots = draw(st.lists(st.sampled_from(domain.system_requestable), unique=True))
    values = {slot: (*domain.informable[slot], *[DONTCARE] * dontcare) for slot in slots}
    return tuple(Item(slot, draw(st.sampled_from(values[slot]))) for slot in slots)


@settings(max_examples=100)
@given(st.data(), domains())
def test_whatever_the_system_says_is_understood(data, domain):
    for act in map(Act, ("hello", "reqmore", "bye", "null", "repeat")):
        assert understand_system(system_utterance(act, domain), domain) == act
    for slot in domain.system_requestable:
        values = (*domain.informable[slot], DONTCARE)
        acts = [Act("request", (Item(slot),)), *(Act("confirm", (Item(slot, value),)) for value in values)]
        acts += [Act("select", tuple(Item(slot, value) for value in pair)) for pair in permutations(values, 2)]
        for act in acts:
            assert understand_system(system_utterance(act, domain), domain) == act
    listed = data.draw(st.lists(st.sampled_from(domain.informable["name"]), unique=True, max_size=2))
    others = (Item("name", name, negated=True) for name in listed)
    nothing = Act("inform", (Item("name", "none"), *others, *some(data.draw, domain)))
    assert understand_system(system_utterance(nothing, domain), domain) == nothing
    for venue in domain.venues:
        payload = data.draw(st.lists(st.sampled_from(domain.payload_slots), unique=True))
        offer = Act("inform", (Item("name", venue["name"]), *(Item(slot, venue[slot] or MISSING) for slot in payload)))
        assert understand_system(system_utterance(offer, domain), domain) == offer


def equivalent(act, system_act, domain):
    """What an act comes to: yes answers a yes/no question, and to deny one of two values is to mean the other."""
    (slot, *_), *more = act.items or [(None,)]
    if act.type == "deny" and words(domain)[slot].yes and not more:
        return Act("deny", (*act.items, Item(slot, words(domain)[slot].opposite(act.items[0].value))))
    topic = system_act.items[0].slot if system_act.type == "request" else None
    yes_no = topic and words(domain)[topic]
    if act.type in ("affirm", "negate") and yes_no and yes_no.yes and topic not in [item.slot for item in act.items]:
        return Act("inform", (Item(topic, yes_no.yes if act.type == "affirm" else yes_no.no), *act.items))
    return act


@settings(max_examples=200)
@given(st.data(), domains(shared=()))                # "a cheap one" when asked for a slot that may be cheap too is lost
def test_whatever_the_user_says_is_understood(data, domain):
    asked = Item(data.draw(st.sampled_from(domain.system_requestable)))
    believed = Item(asked.slot, data.draw(st.sampled_from(domain.informable[asked.slot])))
    system_act = data.draw(st.sampled_from([Act("hello"), Act("reqmore"), Act("request", (asked,)),
                                            Act("confirm", (believed,)),
                                            Act("select", (believed, Item(asked.slot, DONTCARE)))]))
    name = Item("name", data.draw(st.sampled_from(domain.informable["name"])))
    named = data.draw(st.sampled_from([(), (name,)]))
    kind = data.draw(st.sampled_from([(), (Item("type", domain.type),)]))
    wishes = (*some(data.draw, domain), *named)
    facts = (*some(data.draw, domain, dontcare=False), *named) or (name,)
    questions = data.draw(st.lists(st.sampled_from(domain.payload_slots), min_size=1, unique=True))
    wrong, *right = data.draw(st.permutations(domain.informable[asked.slot]))[:data.draw(st.integers(1, 2))]
    for act in (Act("inform", (*wishes, *kind)), Act("affirm", wishes), Act("negate", wishes),
                Act("hello", (*wishes, *kind)), Act("reqalts", wishes), Act("confirm", facts),
                Act("request", (*map(Item, questions), *named)), Act("inform", (Item(None, DONTCARE),)),
                Act("deny", (Item(asked.slot, wrong), *(Item(asked.slot, value) for value in right))),
                *map(Act, ("thankyou", "ack", "bye", "repeat", "reqmore"))):
        expected = equivalent(act, system_act, domain)
        if act == Act("inform", (Item(None, DONTCARE),)) and system_act.type in ("confirm", "select"):
            expected = Act("inform", (Item(asked.slot, DONTCARE),))
        heard = understand_user(user_utterance(act, domain), domain, system_act)
        assert heard == ((expected,) if act != Act("inform") else ()), user_utterance(act, domain)


def test_every_value_of_every_slot_is_understood_before_and_after_its_word():
    for domain in (LAPTOPS, HOTELS):
        for slot in domain.system_requestable:
            noun, yes = words(domain)[slot].noun, words(domain)[slot].yes
            for value in domain.informable[slot] if not yes else ():
                for text in (f"{value} {noun}", f"{noun} {value}", f"the {noun} should be {value}",
                             f"{slot} of {value}", f"i want {value} for the {noun}"):
                    if value != "a":                                     # an article, unless it is said with its slot
                        assert understand_user(text, domain) == (Act("inform", (Item(slot, value),)),), text


# what the system said: what the person typed -> what is understood
TYPED = {"laptops": (LAPTOPS, """
hello(): I need a laptop with a good battery -> inform(type=laptop, batteryrating=good)
hello(): a cheap one with 4gb of memory and Windows 8 -> inform(pricerange=budget, sysmemory=4 gb, platform=windows 8)
hello(): windows 8.1 pro. 8 gb -> inform(platform=windows 8.1 pro, sysmemory=8 gb)
hello(): medium drive range and heavy -> inform(driverange=medium, weightrange=heavy)
hello(): medium weight, large drive -> inform(weightrange=medium, driverange=large)
request(weightrange): medium -> inform(weightrange=medium)
hello(): battery rating: good, drive range: small -> inform(batteryrating=good, driverange=small)
request(batteryrating): good -> inform(batteryrating=good)
inform(name=tecra): good -> ack()
hello(): do you know a laptop for business computing -> inform(type=laptop, isforbusinesscomputing=1)
hello(): I don't need business computing -> inform(isforbusinesscomputing=0)
hello(): it is not for business computing -> inform(isforbusinesscomputing=0)
hello(): I don't care about business computing -> inform(isforbusinesscomputing=dontcare)
inform(name=tecra): is it for business computing? -> confirm(isforbusinesscomputing=1)
inform(name=tecra): is Tecra Pro for business computing? -> inform(name=tecra pro) | confirm(isforbusinesscomputing=1)
inform(name=tecra): tell me whether it is for business computing -> request(isforbusinesscomputing)
request(isforbusinesscomputing): yes please -> inform(isforbusinesscomputing=1)
request(isforbusinesscomputing): ok -> inform(isforbusinesscomputing=1)
request(isforbusinesscomputing): no -> inform(isforbusinesscomputing=0)
request(isforbusinesscomputing): yes, and moderately priced -> inform(isforbusinesscomputing=1, pricerange=moderate)
request(isforbusinesscomputing): no, for business computing -> negate(isforbusinesscomputing=1)
request(isforbusinesscomputing): it does not matter -> inform(=dontcare)
request(platform): yes -> affirm()
inform(name=tecra): what is the weight, the weight range and the memory? -> request(weight, weightrange, sysmemory)
inform(name=tecra): battery -> request(battery)
"""), "hotels": (HOTELS, """
hello(): a hotel with internet and without dogs -> inform(type=hotel, hasinternet=true, dogsallowed=no)
hello(): no internet please -> inform(hasinternet=false)
hello(): internet -> inform(hasinternet=true)
hello(): with internet instead -> deny(hasinternet=false, hasinternet=true)
hello(): free parking instead -> inform(hasparking=free)
hello(): internet or not -> inform(hasinternet=dontcare)
confirm(hasinternet=true): no internet -> inform(hasinternet=false)
confirm(hasinternet=false): no, with internet -> negate(hasinternet=true)
confirm(hasinternet=true): ok -> affirm()
inform(name=castle): does it have internet? -> confirm(hasinternet=true)
inform(name=castle): does it not have internet? -> confirm(hasinternet=false)
inform(name=castle): do they accept credit cards, and is it in soma -> confirm(acceptscreditcards=1, area=soma)
hello(): an a++ rating -> inform(ecorating=a++)
request(ecorating): A+ -> inform(ecorating=a+)
hello(): a hotel in soma -> inform(type=hotel, area=soma)
hello(): 4 stars, not in soma -> inform(stars=4) | deny(area=soma)
inform(name=castle): phone and usb -> request(phone, usb)
""")}


@pytest.mark.parametrize("which, line", [(which, line) for which, (_, lines) in TYPED.items()
                                         for line in lines.strip().splitlines()])
def test_people_are_understood(which, line):
    said, _, meant = line.partition(" -> ")
    system_act, _, text = said.partition(": ")
    expected = tuple(parse_act(act) for act in meant.split(" | "))
    assert understand_user(text, TYPED[which][0], parse_act(system_act)) == expected


def test_a_word_of_several_meanings_is_an_adjective_before_a_value_before_a_name():
    domain = domain_of({"name": ("red", "cheap"), "colour": ("red", "cheap"), "pricerange": ("cheap",)})
    for text, act in (("red", "inform(colour=red)"), ("cheap", "inform(pricerange=cheap)"),
                      ("the one called red", "inform(name=red)"), ("cheap colour", "inform(colour=cheap)")):
        assert understand_user(text, domain) == (parse_act(act),)


def test_a_short_name_that_several_slots_have_means_none_of_them():
    assert understand_user("which range?", LAPTOPS) == () and understand_user("which rating?", LAPTOPS) == (
        parse_act("request(batteryrating)"),)


def test_a_yes_in_the_table_alone_is_asked_and_told():
    venues = [{"name": name, "area": "north", "usb": usb} for name, usb in (("x", "1"), ("y", "0"))]
    domain = domain_of({"name": ("x", "y"), "area": ("north",)}, ("usb",), venues)
    offer = parse_act("inform(name=y, usb=0)")
    assert system_utterance(offer, domain) == "Y is a laptop without usb."
    assert understand_system("Y is a laptop without usb.", domain) == offer
    for text in ("usb", "does it have usb?", "with usb", "could you tell me whether it has usb"):
        assert understand_user(text, domain) == (parse_act("request(usb)"),)


# ---- a lexicon that comes with the domain

def lexicon_of(folder, entries, domain=LAPTOPS):
    path = folder / "lexicon.json"
    path.write_text(entries if isinstance(entries, str) else json.dumps(entries), encoding="utf-8")
    return load_lexicon(path, domain)


def test_a_lexicon_changes_what_is_said_and_understood(tmp_path):
    entries = {"sysmemory": {"noun": "Memory", "also": "RAM, working memory"},
               "driverange": {"clause": "come with a {} drive", "values": {"small": "with little space, tiny"}},
               "weightrange": {"adjectives": {"heavy": "solid, massive"}, "ask": "how heavy is it"},
               "isforbusinesscomputing": {"clause": "suit the office"}}
    domain = replace(LAPTOPS, lexicon=lexicon_of(tmp_path, entries))
    for act, english in (("request(sysmemory)", "Which memory would suit you?"),
                         ("confirm(driverange=small)", "It should come with little space, is that right?"),
                         ("confirm(driverange=large)", "It should come with a large drive, is that right?"),
                         ("confirm(weightrange=heavy)", "It should be solid, is that right?"),
                         ("confirm(weightrange=dontcare)", "It may be in any weight range, is that right?"),
                         ("confirm(isforbusinesscomputing=0)", "It should not suit the office, is that right?"),
                         ("request(isforbusinesscomputing)", "Should it suit the office?"),
                         ("inform(name=none, isforbusinesscomputing=0, weightrange=heavy, driverange=large)",
                          "I am sorry, there is no solid laptop not suiting the office coming with a large drive.")):
        assert system_utterance(parse_act(act), domain) == english
        assert understand_system(english, domain) == parse_act(act)
    for text, act in (("8gb of ram", "inform(sysmemory=8 gb)"), ("a tiny one", "inform(driverange=small)"),
                      ("something massive", "inform(weightrange=heavy)"), ("how heavy is it", "request(weightrange)")):
        assert understand_user(text, domain) == (parse_act(act),)
    assert words(LAPTOPS)["sysmemory"].noun == "system memory"           # the domain without it is as before


def test_a_lexicon_comes_with_the_files_of_a_domain(tmp_path):
    paths = laptops(tmp_path)
    (tmp_path / "words.json").write_text('{"utility": {"noun": "use"}}')
    assert words(load_domain(*paths, tmp_path / "words.json"))["utility"].noun == "use"
    assert words(load_domain(*paths))["utility"].noun == "utility"


@pytest.mark.parametrize("entries, message", [
    ("{", "lexicon is .*lexicon.json, expected a JSON file"), ([], r"expected entries for name, isfor"),
    ({"batery": {}}, "holds 'batery', expected entries for name"),
    ({"platform": "system"}, 'platform is "system", expected texts'),
    ({"platform": {"word": "system"}}, 'platform is {"word": "system"}, expected texts for noun, also, ask, clause'),
    ({"platform": {"noun": 3}}, 'platform is {"noun": 3}, expected'), ({"platform": {"noun": " , "}}, "expected texts"),
    ({"platform": {"values": "system"}}, "objects of texts for values"),
    ({"platform": {"values": {"windows 8": 8}}}, "expected"),
    ({"platform": {"adjectives": ["a"]}}, "expected"), ({"platform": {"noun": {"a": "b"}}}, "expected"),
    ({"platform": {"clause": "run"}}, "1 times {}"), ({"platform": {"clause": "{}"}}, "a verb and more"),
    ({"platform": {"clause": "run {} or {}"}}, "1 times {}"),
    ({"isforbusinesscomputing": {"clause": "be for {}"}}, "0 times {}")])
def test_a_wrong_lexicon_is_refused_in_one_sentence(tmp_path, entries, message):
    with pytest.raises(ValueError, match=message) as refusal:
        lexicon_of(tmp_path, entries)
    assert "\n" not in str(refusal.value)


def test_a_missing_lexicon_is_refused(tmp_path):
    with pytest.raises(ValueError, match="lexicon is .*nowhere.json, expected a JSON file: .*No such file"):
        load_lexicon(tmp_path / "nowhere.json", LAPTOPS)


# ---- noise

def test_two_thousand_lines_of_noise_are_read_quickly():
    rng, known = np.random.default_rng(0), sorted(phrases(HOTELS))
    start = time.process_time()
    for i in range(2000):
        letters = "".join(map(chr, rng.integers(32, 0x3000 if i % 2 else 127, 60)))
        text = " ".join(rng.choice(known, 8)) + letters if i % 3 else letters
        heard = understand_user(text, HOTELS, Act("request", (Item("hasinternet"),)))
        assert all(isinstance(act, Act) for act in heard)
        assert isinstance(understand_system(text, HOTELS), Act)
    assert time.process_time() - start < 20


def test_numbers_and_words_are_apart():
    assert tokens("4GB, i5 & A++ 8.1. Joe's") == ["4", "gb", ",", "i", "5", "and", "a++", "8.1", ".", "joes"]
