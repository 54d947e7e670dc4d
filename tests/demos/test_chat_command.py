"""The chat as people start it: without arguments, through a pipe, with a policy that has learned."""
import os
import subprocess
import sys
from pathlib import Path

from demos.options import QUICK
from demos.conversation import Conversation
from demos.training import Run
from simulator.cambridge import cambridge_restaurants

ROOT = Path(__file__).parent.parent.parent
DOMAIN = cambridge_restaurants()
SORRY = "Sorry, I did not understand that."


def facts(name, *slots):
    return [DOMAIN.by_name[name][slot] for slot in slots]


def test_without_arguments_it_works_at_once_through_a_pipe_of_any_bytes(tmp_path):
    typed = b"\xff\xfe\x00 nonsense\n\ncheap chinese food in the south\nphone number?\n/why\n/belief\nbye\n"
    surroundings = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    first, second = (subprocess.run([sys.executable, "-m", "demos.chat"], input=typed, capture_output=True,
                                    cwd=tmp_path, env=surroundings, timeout=300) for _ in range(2))
    assert first.returncode == second.returncode == 0 and first.stdout == second.stdout
    assert b"Training gp" in first.stderr and second.stderr == b""
    shown = first.stdout.decode()
    assert SORRY in shown and "chinese" in shown and shown.endswith("Goodbye!\n")
    [kept] = (tmp_path / "runs" / "policies").iterdir()
    check_learned(Run.load(kept))


def check_learned(run):
    """Whatever it asks, the default policy finds what an obliging person wants, answers, and finds something else."""
    assert run.setting == QUICK and run.finished and run.curve[-1]["success"] > 0.8
    for food, area, price in ("chinese", "centre", "cheap"), ("indian", "west", "expensive"), ("turkish", "any", "any"):
        answers = {"price range": f"{price} price", "of food": food, "part of town": f"{area} area", "right?": "yes"}
        talk = Conversation(run.env.system, run.agent)

        def insist(line, content):
            talk.answer(line)
            for _ in range(8):
                if talk.system.said.type == "inform" and content(talk.system.said):
                    return talk.system.said.value("name")
                talk.answer(next((answer for words, answer in answers.items() if words in talk.words), line))
            raise AssertionError(f"{line!r} was in vain: {talk.words}")
        first = insist(f"I am looking for a {food} restaurant", lambda act: act.value("name") != "none")
        assert facts(first, "food") == [food]
        same = insist("The phone number and the address?", lambda act: act.value("phone") and act.value("addr"))
        assert same == first
        assert [talk.system.said.value(slot) for slot in ("phone", "addr")] == facts(first, "phone", "addr")
        other = insist("Anything else?", lambda act: act.value("name") != first)
        assert facts(other, "food") == [food]
