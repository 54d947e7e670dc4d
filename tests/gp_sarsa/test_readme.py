"""What the README of gp_sarsa says is so: names, tests, code and numbers."""
import importlib
import re
from pathlib import Path

import gp_sarsa
from gp_sarsa import ActionLayout, bytes_needed

README = Path(gp_sarsa.__file__).with_name("README.md").read_text(encoding="utf-8")
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
ROWS = re.findall(r"^\| (.*) \| (`.*`) \| (`.*`) \|$", README, re.MULTILINE)


def test_every_name_in_the_table_exists_and_every_test():
    assert len(ROWS) == README.count("\n| ") - 1                # all but the header
    for _, code, tests in ROWS:
        for name in re.findall(r"`(.*?)`", code):
            module, *attributes = name.split(".")
            found = importlib.import_module(f"gp_sarsa.{module}")
            for attribute in attributes:
                found = getattr(found, attribute)
        for name in re.findall(r"`(.*?)`", tests):
            assert f"\ndef {name}(" in TESTS, name


def test_the_code_runs_and_learns_what_it_says(capsys):
    names = {}
    for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL):
        exec(block, names)
    opinion = names["agent"].action_table([1.0, 0.0], [True, True])
    assert opinion["mean"].argmax() == 1 and opinion["mean"][1] > 5 and "mean" in capsys.readouterr().out
    assert names["larger"].n_dialogues == 50


def test_the_sizes_are_the_computed_ones():
    sizes = [bytes_needed(268, ActionLayout(4, 0, 11)), bytes_needed(268, ActionLayout(4, 8, 11)),
             bytes_needed(636, ActionLayout(4, 10, 20))]
    assert f"{sizes[0] / 1e6:.0f} MB in the summary" in README and f"{sizes[1] / 1e6:.0f} MB in" in README
    assert f"{sizes[2] / 1e9:.1f} GB with 636" in README


def test_every_name_that_is_imported_here_is_listed():
    assert all(hasattr(gp_sarsa, name) for name in gp_sarsa.__all__)
