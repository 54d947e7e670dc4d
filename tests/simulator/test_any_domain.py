"""English for any domain: whatever its slots and values are, what is said is what is understood."""
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.acts import DONTCARE, Act, Item
from simulator.lexicon import words
from simulator.speak import system_utterance, user_utterance
from simulator.understand import understand_system, understand_user
from tests.simulator.small_domains import HOTELS, LAPTOPS, MISSING
from tests.simulator.strategies import domain_of
from tests.simulator.written import parse_act


# ---- what is said

@pytest.mark.parametrize("domain, act, english", [
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
    (domain_of({"name": ("x",), "area": ("north",), "isforkids": ("0", "1")}),
     "inform(name=x, area=north, isforkids=1)",
     "X is a laptop that is for kids in the north of town."),
    (HOTELS, "confirm(hasparking=free)", "It should have free parking, is that right?"),
    (HOTELS, "confirm(stars=4)", "It should have 4 stars, is that right?"),
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
    (HOTELS, "deny(hasinternet=false)", "It should have internet instead."),
    (HOTELS, "deny(hasinternet=not available, hasinternet=false)", "It should not have internet instead.")])
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


@settings(max_examples=30)
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


@settings(max_examples=50)
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
