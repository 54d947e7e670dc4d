"""What the README of gp_sarsa says is so: names, tests, code and numbers."""
import importlib
import re
from pathlib import Path

import gp_sarsa
from gp_sarsa import ActionLayout, bytes_needed
from simulator import DialogueEnv

README = Path(gp_sarsa.__file__).with_name("README.md").read_text(encoding="utf-8")
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
ROWS = re.findall(r"^\| (.*) \| (`.*`) \| (`.*`) \|$", README, re.MULTILINE)
SIZES = {(268, ActionLayout(4, 0, 11)): ("15 of 268 × 268", "11 MB"),
         (268, ActionLayout(4, 8, 11)): ("4 of 2412 × 2412, 11 of 268 × 268", "199 MB"),
         (636, ActionLayout(4, 10, 20)): ("4 of 6996 × 6996, 20 of 636 × 636", "1.7 GB")}


def test_every_name_in_the_table_exists_and_every_test():
    assert len(ROWS) == README.partition("<details>")[2].count("\n| ") - 1             # all but the header
    for _, code, tests in ROWS:
        for name in re.findall(r"`(.*?)`", code):
            module, *attributes = name.split(".")
            found = importlib.import_module(f"gp_sarsa.{module}")
            for attribute in attributes:
                found = getattr(found, attribute)
        for name in re.findall(r"`(.*?)`", tests):
            assert f"\ndef {name}(" in TESTS, name


def test_the_code_runs_and_learns_and_prints_what_it_says(capsys):
    names, printed = {}, []
    for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL):
        exec(block, names)
        printed.append(capsys.readouterr().out)
    table = names["agent"].action_table([1.0, 0.0], [True, True])
    assert table["mean"].argmax() == 1 and table["mean"][1] > 5 and "mean" in printed[0]
    assert names["larger"].n_dialogues == 50
    assert names["R"].tolist() == [9, 20] and printed[1].split("\n")[:2] == ["[1.4 6.2]"] * 2
    assert (names["K"] @ [1.4, 6.2]).tolist() == [7.6, 13.8]


def test_the_layouts_are_those_of_the_environment():
    env, slots = DialogueEnv(), len(DialogueEnv().domain.payload_slots)
    assert "`DialogueEnv()` has 4, 0 and 11; in the master space it has 4, 8 and 11" in README and slots == 8
    assert (env.n_belief, env.n_actions) == (268, ActionLayout(4, 0, 11).n_actions)
    assert DialogueEnv(action_space="master").n_actions == ActionLayout(4, slots, 11).n_actions


def test_the_sizes_are_the_computed_ones():
    for (n_belief, layout), (matrices, memory) in SIZES.items():
        sizes = [n_belief * layout.n_payload_features] * layout.n_methods + [n_belief] * layout.n_others
        told = [int(n) for n, size, _ in re.findall(r"(\d+) of (\d+) × (\d+)", matrices) for n in [size] * int(n)]
        size = bytes_needed(n_belief, layout)
        assert told == sizes and memory in (f"{size / 1e6:.0f} MB", f"{size / 1e9:.1f} GB")
        assert f"| {matrices} | {memory} |" in README
