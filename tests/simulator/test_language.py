"""English out and in: whatever system and user can say is understood on the other side."""
import re
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.acts import DONTCARE, Act, Item
from simulator.cambridge import cambridge_restaurants
from simulator.env import DialogueEnv
from simulator.speak import system_utterance, user_utterance
from simulator.understand import understand_system, understand_user
from tests.simulator.small_domains import act_of, shop
from tests.simulator.written import parse_act


DOMAIN = cambridge_restaurants()
SLOTS = DOMAIN.system_requestable
VALUES = {slot: (*DOMAIN.informable[slot], DONTCARE) for slot in SLOTS}
NAMES = DOMAIN.informable["name"]


def offer(venue, slots):
    """What the system says of a venue: it has no empty texts, a missing detail is "not available"."""
    return Act("inform", (Item("name", venue["name"]), *(Item(slot, venue[slot] or "not available") for slot in slots)))


def heard_back(act):
    return understand_system(system_utterance(act, DOMAIN), DOMAIN)


def understood(act, system_act=None):
    return understand_user(user_utterance(act, DOMAIN), DOMAIN, system_act)


# ---- what the system says

@pytest.mark.parametrize("act, english", [
    ("hello()", "Hello! What kind of restaurant are you looking for?"),
    ("request(food)", "Which kind of food would suit you?"),
    ("request(area)", "Which part of town would suit you?"),
    ("confirm(food=thai)", "It should serve thai food, is that right?"),
    ("confirm(area=dontcare)", "It may be in any part of town, is that right?"),
    ("select(pricerange=cheap, pricerange=moderate)", "Should it be cheap, or should it be moderately priced?"),
    ("inform(name=the brass heron)", "How about The Brass Heron?"),
    ("inform(name=chez colette, food=french, pricerange=expensive, area=north)",
     "Chez Colette is an expensive restaurant serving french food in the north of town."),
    ("inform(name=sitara, phone=01632 960000, signature=not available, postcode=cb1 2ab)",
     "For Sitara, the phone number is 01632 960000, the signature dish is unknown and the postcode is CB1 2AB."),
    ("inform(name=sitara, food=indian, description=a former chapel with an open kitchen)",
     "Sitara is a restaurant serving indian food. It is described as a former chapel with an open kitchen."),
    ("inform(name=none)", "I am sorry, there is no such restaurant."),
    ("inform(name=none, food=seafood, area=centre)",
     "I am sorry, there is no restaurant serving seafood in the centre of town."),
    ("inform(name=none, name!=il gufo, name!=sitara, area=north, food=dontcare)",
     "Apart from Il Gufo and Sitara, there is no restaurant serving any kind of food in the north of town."),
    ("reqmore()", "Can I help you with anything else?"), ("bye()", "Goodbye!")])
def test_the_system_speaks_english(act, english):
    assert system_utterance(parse_act(act), DOMAIN) == english


def test_every_payload_of_an_offer_is_heard_back():
    venues = [DOMAIN.by_name[name] for name in ("the baobab table", "the jade abacus", "the singing whelk")]
    venues += [next(venue for venue in DOMAIN.venues if venue[slot] == value)
               for slot, value in (("phone", "not available"), ("signature", ""), ("description", ""))]
    for venue, n in product(venues, range(len(DOMAIN.payload_slots) + 1)):
        for slots in combinations(DOMAIN.payload_slots, n):
            assert heard_back(offer(venue, slots)) == offer(venue, slots)


def test_every_venue_is_heard_back_with_all_its_details():
    for venue in DOMAIN.venues:
        assert heard_back(offer(venue, DOMAIN.payload_slots)) == offer(venue, DOMAIN.payload_slots)


def test_every_payload_is_one_clean_text():
    for venue, n in product(DOMAIN.venues[::9], (0, 1, 3, 8)):
        for slots in list(combinations(DOMAIN.payload_slots, n))[::7]:
            text = system_utterance(offer(venue, slots), DOMAIN)
            assert re.fullmatch(r"[A-Z0-9].*[.?]", text) and "  " not in text and " ," not in text and " ." not in text
            assert all(venue[slot] in text.lower().replace("moderately priced", "moderate") for slot in slots
                       if venue[slot] != "not available")


def test_every_question_is_heard_back():
    for act in map(Act, ("hello", "reqmore", "bye", "null", "repeat")):
        assert heard_back(act) == act
    for slot in SLOTS:
        assert heard_back(act_of("request", slot)) == act_of("request", slot)
        for value in VALUES[slot]:
            assert heard_back(act_of("confirm", **{slot: value})) == act_of("confirm", **{slot: value})
        for pair in list(permutations(VALUES[slot], 2))[::17 if slot == "food" else 1]:
            act = Act("select", tuple(Item(slot, value) for value in pair))
            assert heard_back(act).items == act.items


@given(st.lists(st.sampled_from(NAMES), max_size=5, unique=True),
       st.fixed_dictionaries({}, optional={slot: st.sampled_from(VALUES[slot]) for slot in SLOTS}))
def test_the_news_that_nothing_matches_is_heard_back(listed, constraints):
    act = Act("inform", (Item("name", "none"), *(Item("name", name, True) for name in listed),
                         *(Item(*pair) for pair in constraints.items())))
    assert heard_back(act) == act


@pytest.mark.parametrize("text", ["", "?", "hello world", "The Brass Heron", "sitara is a", "for nobody, it is late."])
def test_other_text_is_no_system_act_or_at_most_an_offer(text):
    assert understand_system(text, DOMAIN).type in ("null", "inform")


@pytest.mark.parametrize("act", ["inform(food=thai)", "thankyou()", "request()", "confirm()", "select()"])
def test_the_system_refuses_to_say_what_is_not_its_part(act):
    with pytest.raises(ValueError, match="expected something that the system says"):
        system_utterance(parse_act(act), DOMAIN)


def test_the_user_refuses_to_say_what_is_not_its_part():
    with pytest.raises(ValueError, match="expected something that the user says"):
        user_utterance(parse_act("select(food=thai, food=greek)"), DOMAIN)


# ---- what the simulated user says

wishes = st.fixed_dictionaries({}, optional={"type": st.just("restaurant"), "name": st.sampled_from(NAMES),
                                             **{slot: st.sampled_from(VALUES[slot]) for slot in SLOTS}})
facts = st.fixed_dictionaries({}, optional={"type": st.just("restaurant"), "name": st.sampled_from(NAMES),
                                            **{slot: st.sampled_from(VALUES[slot][:-1]) for slot in SLOTS}})
questions = st.lists(st.sampled_from(DOMAIN.requestable), min_size=1, max_size=4, unique=True)
system_acts = st.sampled_from([None, *map(parse_act, (
    "hello()", "request(area)", "request(food)", "confirm(pricerange=cheap)", "confirm(food=thai)", "reqmore()",
    "select(area=north, area=south)", "inform(name=sitara, food=indian)", "inform(name=none, food=thai)"))])


@given(st.sampled_from(["inform", "affirm", "negate", "hello"]), wishes, st.data(), system_acts)
def test_wishes_are_understood(kind, pairs, data, system_act):
    pairs = data.draw(st.permutations(list(pairs.items())))
    act = Act(kind, tuple(Item(*pair) for pair in pairs))
    assert understood(act, system_act) == (() if act == Act("inform") else (act,))


@given(questions, st.one_of(st.none(), st.sampled_from(NAMES)), system_acts)
def test_questions_are_understood(slots, name, system_act):
    slots = [slot for slot in slots if not (slot == "name" and name)] or ["phone"]
    act = Act("request", (*map(Item, slots), *([Item("name", name)] if name else [])))
    assert understood(act, system_act) == (act,)


@given(facts.filter(bool), system_acts)
def test_checks_are_understood(pairs, system_act):
    act = act_of("confirm", **pairs)
    assert understood(act, system_act) == (act,)


def test_every_value_is_understood_alone():
    for slot, values in DOMAIN.informable.items():
        for value in values:
            for kind in ("inform", "confirm", "reqalts"):
                assert understood(act_of(kind, **{slot: value})) == (act_of(kind, **{slot: value}),)


@given(st.sampled_from([*SLOTS, "name"]), st.data(), system_acts)
def test_corrections_are_understood(slot, data, system_act):
    some_value = st.sampled_from((*DOMAIN.informable[slot], DONTCARE))
    values = data.draw(st.lists(some_value, min_size=1, max_size=2, unique=True))
    act = Act("deny", tuple(Item(slot, value) for value in values))
    (heard,) = understood(act, system_act)
    assert heard.type == "deny" and heard.items == act.items              # the first is denied, the second meant


@given(st.sampled_from(SLOTS), st.data(), system_acts)
def test_asking_for_another_venue_is_understood(slot, data, system_act):
    act = act_of("reqalts", **{slot: data.draw(st.sampled_from(VALUES[slot]))})
    assert understood(act, system_act) == (act,)


@given(system_acts)
def test_short_acts_are_understood_whatever_was_said_before(system_act):
    for kind in ("thankyou", "ack", "bye", "repeat", "affirm", "negate", "hello", "reqalts", "reqmore"):
        assert understood(Act(kind), system_act) == (Act(kind),)
    assert understood(Act("null"), system_act) == ()


@pytest.mark.parametrize("rest", ["", ", pricerange=cheap", ", food=dontcare, type=restaurant"])
def test_not_caring_is_about_what_the_system_asked(rest):
    act = parse_act(f"inform(=dontcare{rest})")
    for before in (None, parse_act("hello()"), parse_act("request(area)")):
        assert understood(act, before) == (act,)                          # the tracker knows what was requested
    resolved = parse_act(f"inform(area=dontcare{rest})")
    for before in ("select(area=north, area=south)", "confirm(area=north)"):
        assert understood(act, parse_act(before)) == (resolved,)


def test_a_missing_value_can_be_denied():
    act = parse_act("deny(food=not available, food=thai)")
    assert understood(act) == (act,)


@pytest.mark.parametrize("domain, space", [(DOMAIN, "master"), (shop(), "summary")])
def test_whole_dialogues_lose_nothing_in_english(domain, space):
    env = DialogueEnv(domain, action_space=space, seed=3)
    rng = np.random.default_rng(0)
    for _ in range(30):
        (_, info), ended = env.reset(), False
        while not ended:
            *_, ended, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        for turn in env.log:
            assert understand_system(system_utterance(turn.system_act, env.domain), env.domain) == turn.system_act
            if turn.user_act is not None:
                said = user_utterance(turn.user_act, env.domain)
                assert understand_user(said, env.domain, turn.system_act) == (turn.user_act,)
