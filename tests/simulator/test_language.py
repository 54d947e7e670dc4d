"""English out and in: whatever system and user can say is understood on the other side."""
import re

import numpy as np
import pytest

from simulator.acts import Act, Item
from simulator.cambridge import cambridge_restaurants
from simulator.env import DialogueEnv
from simulator.speak import system_utterance, user_utterance
from simulator.understand import understand_system, understand_user
from tests.simulator.small_domains import shop
from tests.simulator.written import parse_act

DOMAIN = cambridge_restaurants()


def offer(venue, slots):
    """What the system says of a venue: it has no empty texts, a missing detail is "not available"."""
    return Act("inform", (Item("name", venue["name"]), *(Item(slot, venue[slot] or "not available") for slot in slots)))


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


def test_every_venue_is_heard_back_with_all_its_details_in_one_clean_text():
    for venue in DOMAIN.venues:
        told, text = offer(venue, DOMAIN.payload_slots), system_utterance(offer(venue, DOMAIN.payload_slots), DOMAIN)
        assert understand_system(text, DOMAIN) == told
        assert re.fullmatch(r"[A-Z0-9].*[.?]", text) and not re.search(r"  | ,| \.", text)


@pytest.mark.parametrize("act", ["inform(food=thai)", "thankyou()", "request()", "confirm()", "select()"])
def test_what_is_not_ones_part_is_refused(act):
    with pytest.raises(ValueError, match="expected something that the system says"):
        system_utterance(parse_act(act), DOMAIN)
    with pytest.raises(ValueError, match="expected something that the user says"):
        user_utterance(parse_act("select(food=thai, food=greek)"), DOMAIN)


# ---- what the simulated user says

def understood(act, system_act=None):
    return understand_user(user_utterance(act, DOMAIN), DOMAIN, system_act)


def test_every_value_is_understood_by_itself():
    for slot, values in DOMAIN.informable.items():
        for value in values:
            for kind in ("inform", "confirm", "reqalts", "deny"):
                act = Act(kind, (Item(slot, value),))
                assert understood(act) == (act,)
            asked = Act("confirm", (Item(slot, value),))
            assert slot == "name" or understand_system(system_utterance(asked, DOMAIN), DOMAIN) == asked


@pytest.mark.parametrize("rest", ["", ", pricerange=cheap", ", food=dontcare, type=restaurant"])
def test_not_caring_is_about_what_the_system_asked(rest):
    act = parse_act(f"inform(=dontcare{rest})")
    for before in (None, "hello()", "request(area)"):
        assert understood(act, before and parse_act(before)) == (act,)    # the tracker knows what was requested
    for before in ("select(area=north, area=south)", "confirm(area=north)"):
        assert understood(act, parse_act(before)) == (parse_act(f"inform(area=dontcare{rest})"),)


def test_what_means_nothing_is_not_understood_and_a_missing_value_can_be_denied():
    assert understood(Act("null")) == understood(Act("inform")) == ()
    assert understood(parse_act("deny(food=not available, food=thai)")) == (
        parse_act("deny(food=not available, food=thai)"),)


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
