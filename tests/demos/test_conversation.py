"""A conversation in English: what a no means, what takes a turn, and that nothing is said in vain for ever."""
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demos.conversation import Conversation, meant
from demos.settings import Setting
from demos.training import Run
from tests.simulator.written import parse_act

SORRY = "Sorry, I did not understand that."


# ---- what a no means

@pytest.mark.parametrize("said, heard, expected", [
    ("confirm(food=thai)", "negate()", "deny(food=thai)"),
    ("confirm(food=thai)", "negate() request(phone)", "deny(food=thai) request(phone)"),
    ("confirm(food=thai)", "negate(food=greek)", "negate(food=greek)"),
    ("select(area=north, area=south)", "negate()", "deny(area=north) deny(area=south)"),
    ("request(area)", "negate()", "inform(=dontcare)"),
    ("inform(name=sitara, food=indian)", "negate()", "reqalts()"),
    ("inform(name=sitara, food=indian)", "deny(name=sitara)", "reqalts()"),
    ("inform(name=sitara, food=indian)", "deny(name=bosphorus)", "deny(name=bosphorus)"),
    ("inform(name=sitara, food=indian)", "negate() reqalts()", "reqalts()"),
    ("inform(name=rasa moon, phone=1)", "negate()", "negate()"),         # spoken of before: no offer to turn down
    ("inform(name=none, food=thai)", "negate()", "negate()"),
    ("reqmore()", "negate()", "bye()"),
    ("reqmore()", "negate() request(phone)", "request(phone)"),
    ("hello()", "negate()", "negate()"),
    ("reqmore()", "affirm()", "affirm()")])
def test_what_a_no_means_depends_on_what_was_said(said, heard, expected):
    def acts(text):
        return tuple(map(parse_act, re.findall(r"\w+\(.*?\)", text)))
    assert meant(acts(heard), parse_act(said), "rasa moon") == acts(expected)


def conversation(agent="handcrafted", **setting):
    run = Run(Setting(agent=agent, **setting), seed=0)
    return Conversation(run.env.system, run.agent)


def test_a_denied_value_is_forgotten_and_the_others_stay():
    talk = conversation()
    talk.answer("cheap chinese food in the north")
    talk.answer("not chinese")
    assert talk.system.belief.goal == {"pricerange": {"cheap": 1.0}, "food": {}, "area": {"north": 1.0}}
    assert [slot for slot, *_ in talk.system.belief.accepted] == ["area", "pricerange"]
    talk.answer("not expensive, not a restaurant, and not anywhere")             # nothing of this was believed
    assert talk.system.belief.goal["pricerange"] == {"cheap": 1.0}
    talk.system.said = parse_act("confirm(pricerange=cheap)")
    talk.answer("no")
    assert talk.system.belief.goal["pricerange"] == {}


# ---- second thoughts

class Stubborn:
    """Always wants the same: the first action that is allowed."""

    def act(self, belief, mask, mode="greedy"):
        return int(np.flatnonzero(mask)[0])


@pytest.mark.parametrize("space", ["summary", "master"])
def test_what_changed_nothing_is_not_done_again_until_something_changes(space):
    env = Run(Setting(agent="random", space=space), 0).env
    talk, done = Conversation(env.system, Stubborn()), []
    for text in ("cheap", "cheap", "yes", "cheap", "cheap", "expensive", "expensive"):
        talk.answer(text)
        done.append(str(talk.system.said).replace("cheap", "?").replace("expensive", "?"))
    # Requests and the confirmation of what is known are all that is allowed; after all of them the first comes again.
    every = ["request(area)", "request(food)", "request(pricerange)", "confirm(pricerange=?)"]
    assert done == [*every, every[0], *every[:2]]


def test_without_the_mask_everything_is_allowed():
    env = Run(Setting(agent="random", mask="none"), 0).env
    talk = Conversation(env.system, Stubborn())
    talk.answer("hello")
    assert talk.mask.all() and talk.system.said.type == "inform"


# ---- turns

def test_only_what_is_understood_takes_a_turn():
    talk = conversation()
    for text, turns in (("hello", 1), ("blah", 1), ("pardon?", 1), ("cheap", 2), ("", 2), ("bye", 3)):
        talk.answer(text)
        assert talk.turns == turns
    assert talk.over and talk.words == "Goodbye!"
    assert talk.outcome(True) == (1.0, 17.0, 3.0) and talk.outcome(False) == (0.0, -3.0, 3.0)


def test_after_the_last_turn_there_is_no_other():
    talk = conversation()
    talk.max_turns = 2
    replies = [talk.answer("thai food in the west"), talk.answer("and the phone number?"), talk.answer("the address?")]
    assert talk.over and talk.turns == 2 and replies[2] == "Goodbye!"


@pytest.mark.parametrize("agent, space, mask", [("handcrafted", "summary", "all"), ("random", "summary", "none"),
                                                ("random", "master", "all")])
def test_any_lines_get_an_answer(agent, space, mask):
    words = st.sampled_from(["thai", "chinese", "cheap", "north", "no", "yes", "not", "any", "phone", "else", "sitara",
                             "bye", "thanks", "?", "anywhere", "hello", "is it", "pardon", "restaurant", "dont care"])
    lines = st.lists(st.one_of(st.text(max_size=20), st.lists(words, max_size=6).map(" ".join)), max_size=12)

    @settings(max_examples=15)
    @given(lines)
    def check(said):
        talk = Conversation(env.system, policy)
        for line in said:
            before, turns = talk.words, talk.turns
            reply = talk.answer(line)
            assert reply and (talk.turns == turns + 1 or reply in (before, SORRY, f"{SORRY} {before}"))
            if talk.over:
                break
    run = Run(Setting(agent=agent, space=space, mask=mask), seed=0)
    env, policy = run.env, run.agent
    check()
