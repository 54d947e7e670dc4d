"""Talking to a policy: scripted conversations through the real command, and whatever else people may type."""
import io
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import demos
from demos import chat
from demos.agents import favourites
from demos.conversation import Conversation
from demos.options import QUICK
from demos.settings import Setting
from demos.training import Run
from simulator.cambridge import cambridge_restaurants

ROOT = Path(__file__).parent.parent.parent
DOMAIN = cambridge_restaurants()
SORRY = "Sorry, I did not understand that."
HANDCRAFTED = ("--agent", "handcrafted")
TINY = ("--agent", "gp", "--dialogues", "4")


@pytest.fixture
def tell(monkeypatch, capsys):
    """Types lines into the command; returns what the system said, and keeps all that was printed."""
    def type_lines(*lines, options=HANDCRAFTED):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert chat.main(list(options)) == 0
        type_lines.shown, type_lines.errors = capsys.readouterr()
        return re.findall("^system  (.*)$", type_lines.shown, re.MULTILINE)
    return type_lines


def stopped(options):
    """The exit code of a command that ends in the middle."""
    with pytest.raises(SystemExit) as end:
        chat.main(options)
    return end.value.code


def facts(name, *slots):
    return [DOMAIN.by_name[name][slot] for slot in slots]


def all_in(words, text):
    return all(word in text.lower() for word in words)


# ---- one conversation for each thing that people do

def test_the_dialogue_of_the_papers_appendix(tell):
    *_, offer, other, phone, _, bye = tell(
        "I'm looking for a restaurant", "a moderate price", "turkish, please", "is there anything else?",
        "What is the phone number?", "Thank you!", "bye")
    assert offer == "Tulip And Samovar is a moderately priced restaurant serving turkish food."
    assert other == "Bosphorus is a moderately priced restaurant serving turkish food."
    assert phone == f"For Bosphorus, the phone number is {facts('bosphorus', 'phone')[0]}." and bye == "Goodbye!"


def test_a_change_of_mind(tell):
    _, indian, chinese, expensive, address, _ = tell(
        "I want cheap indian food in the centre", "actually, I would prefer chinese", "make that expensive",
        "what's the address?", "thanks, goodbye")
    assert "cheap restaurant serving indian food in the centre" in indian
    assert "cheap restaurant serving chinese food in the centre" in chinese
    name = expensive.split(" is an ")[0].lower()
    assert facts(name, "food", "area", "pricerange") == ["chinese", "centre", "expensive"]
    assert all_in((name, *facts(name, "addr")), address)


def test_nonsense_is_said_to_be_nonsense_and_changes_nothing(tell):
    hello, *replies = tell("colourless green ideas", "12345", "thai food", "hgfjhg", "pardon?", "the north", "bye")
    question = "Which part of town would suit you?"
    assert replies == [SORRY, SORRY, question, f"{SORRY} {question}", question,
                       "I am sorry, there is no restaurant serving thai food in the north of town.", "Goodbye!"]


def test_empty_lines_are_met_with_patience(tell):
    replies = tell("", "   ", "\t", "thai food in the west", "", "bye")
    assert len(replies) == 3 and "Chiang Moon" in replies[1] and tell.shown.count("/why") == 4


def test_long_lines_and_letters_that_are_not_ascii(tell):
    _, offer, sorry, _ = tell("well, " * 50_000 + "expensive thai food in the west", "x" * 300_000, "bye")
    assert "Chiang Moon" in offer and sorry == SORRY and max(map(len, tell.shown.splitlines())) < 400
    _, sorry, offer, still_sorry, _ = tell("我要吃饭 🙂", "Café THAÏ, s’il vous plaît — west", "\u202e\x00\x1b[31m", "bye")
    assert (sorry, still_sorry) == (SORRY, SORRY) and "Chiang Moon" in offer


# ---- commands

def test_help_names_every_command(tell):
    assert len(tell("/help", "/HELP me", "/thai")) == 1                                  # none is an utterance
    for name in ("/belief", "/why", "/acts", "/quit"):
        assert tell.shown.count(name) == 3


def test_the_belief_is_shown(tell):
    tell("cheap thai food; phone number?", "/belief", "/quit", "never read")
    assert "\n  food=thai 1.00, pricerange=cheap 1.00, phone? 1.00, byconstraints\n" in tell.shown
    assert "never read" not in tell.shown


def test_acts_are_shown(tell):
    tell("/acts", "not chinese but cheap", "/acts", "blah", "/acts")
    assert re.findall("understood  (.*)", tell.shown) == [
        "nothing", "inform(pricerange=cheap) deny(food=chinese)", "nothing"]
    assert re.findall("said +(.*)", tell.shown)[:2] == ["hello()", "request(area)"]


def test_reasons_need_a_choice_and_a_policy_that_weighs(tell):
    tell("/why", "cheap food", "/why")
    assert "not had to choose" in tell.shown and "does not weigh" in tell.shown


@pytest.mark.parametrize("agent, space", [("acer", "summary"), ("acer", "master"), ("gp", "summary"),
                                          ("a2c", "summary"), ("enac", "summary")])
def test_reasons_are_those_of_the_choice(agent, space):
    run = Run(replace(QUICK, agent=agent, space=space))
    for _ in range(3):
        run._train_on_one()
    talk = Conversation(run.env.system, run.agent)
    talk.answer("cheap thai food")
    header, *rows = [line.split() for line in chat.explain("/WHY not", talk).splitlines()]
    assert header == ["action", *{"gp": ["mean", "std"], "acer": ["pi", "Q"]}.get(agent, ["pi"])] and len(rows) == 5
    values = [float(row[-len(header) + 1]) for row in rows]
    assert values[space == "master":] == sorted(values[space == "master":], reverse=True)
    belief, mask, columns = talk.vector, talk.mask, run.agent.action_table(talk.vector, talk.mask)
    best = favourites(run.agent, run.env.system.actions, belief, mask, 3)[1]
    assert best[0] == run.env.system.actions.name(run.agent.act(belief, mask, "greedy"))
    assert all(column.shape == mask.shape and np.isfinite(column).all() for column in columns.values())


# ---- policies that are kept

def kept(place):
    [folder] = (place / "runs" / "policies").iterdir()
    return folder / "snapshot.npz"


def test_a_policy_is_trained_once_and_again_if_it_is_damaged_or_stale(tmp_path, monkeypatch, tell):
    monkeypatch.chdir(tmp_path)
    tell("bye", options=TINY)
    assert "Training gp-summary-mask-error15 on 4 dialogues" in tell.errors and "after 4 dialogues" in tell.shown
    tell("bye", options=TINY)
    assert tell.errors == ""
    file, other = kept(tmp_path), Run(Setting(agent="gp", dialogues=9, test_dialogues=1))
    for damage in (lambda: file.write_text("no snapshot"), lambda: other.save(file.parent),
                   lambda: monkeypatch.setattr(demos, "__version__", "99")):
        damage()
        tell("bye", options=TINY)
        assert "Training again: " in tell.errors and file.parent.name in tell.errors
    tell("bye", options=TINY)
    assert tell.errors == ""


def test_an_interrupted_training_goes_on_where_it_stopped(tmp_path, monkeypatch, tell, capsys):
    monkeypatch.chdir(tmp_path)
    train_on_one, trained_on = Run._train_on_one, []

    def patched(run):
        trained_on.append(run.n_dialogues)
        if trained_on == [0, 1]:
            signal.raise_signal(signal.SIGINT)
        return train_on_one(run)
    monkeypatch.setattr(Run, "_train_on_one", patched)
    assert stopped(list(TINY)) == 130 and capsys.readouterr().err.endswith("stopped\n")
    tell("bye", options=TINY)
    assert trained_on == [0, 1, 2, 3]


def test_without_arguments_it_works_at_once_through_a_pipe_of_any_bytes(tmp_path):
    typed = b"\xff\xfe\x00 nonsense\n\ncheap chinese food in the south\nphone number?\n/why\n/belief\nbye\n"
    surroundings = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-m", "demos.chat"], input=typed, capture_output=True, cwd=tmp_path,
                          env=surroundings, timeout=600)
    assert done.returncode == 0 and b"Training gp" in done.stderr
    shown = done.stdout.decode()
    assert SORRY in shown and "chinese" in shown and shown.endswith("Goodbye!\n")
    run = Run.load(kept(tmp_path).parent)
    assert run.setting == QUICK and run.finished and run.curve[-1]["success"] > 0.8


# ---- leaving

def test_the_end_of_input_is_a_goodbye_and_an_interrupt_stops(monkeypatch, tell, capsys):
    tell("thai food")
    assert tell.shown.endswith("\nGoodbye!\n")
    monkeypatch.setattr(sys, "stdin", None)                            # as after `chat <&-`
    assert chat.main(list(HANDCRAFTED)) == 0 and capsys.readouterr().out.endswith("\nGoodbye!\n")

    def interrupt(_):
        raise KeyboardInterrupt
    monkeypatch.setattr("builtins.input", interrupt)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert stopped(list(HANDCRAFTED)) == 130 and capsys.readouterr().err == "stopped\n"
