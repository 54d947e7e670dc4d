"""The READMEs of the top, of demos/ and of demos/results/: code and commands run, pictures exist, numbers are measured.

Those of the other rooms have their tests in the folders of the rooms.
"""
import importlib
import io
import re
import shlex
import sys
from functools import cache
from pathlib import Path

import pytest

from demos.human_evaluation import read, report
from demos.reproduction import tables
from demos.reproduction.plan import EXPERIMENTS
from demos.reproduction.store import Results

ROOT = Path(__file__).resolve().parents[2]
REPORT = "demos/results/README.md"
TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "demos/README.md", REPORT)}
BLOCKS = [found for text in TEXTS.values() for found in re.findall(r"```(\w*)\n(.*?)```", text, re.DOTALL)]
COMMANDS = sorted({line.partition("python -m ")[2] for kind, block in BLOCKS if not kind
                   for line in block.splitlines() if "python -m demos." in line})
TINY = {"train": ["--dialogues", "10", "--test-dialogues", "1"], "watch": ["--dialogues", "5"],
        "chat": ["--dialogues", "5"], "human_evaluation": ["--simulate", "2", "--dialogues", "5"],
        "reproduce": ["--seeds", "1", "--dialogues", "10", "--test-dialogues", "1", "--jobs", "1",
                      "--results", "runs/tiny"]}


def run_block(word):
    """Executes the block that has this word in it, as a script; its names afterwards."""
    names = {"__name__": "__main__"}
    block = next(block for kind, block in BLOCKS if kind == "python" and word in block)
    exec(compile(block, "README.md", "exec"), names)
    return names


@pytest.mark.parametrize("name", TEXTS)
def test_every_picture_link_and_file_that_is_named_exists(name):
    text, home = TEXTS[name], (ROOT / name).parent
    for path in re.findall(r"\]\(((?!http)[^)]*)\)", text) + re.findall(r"`(\w+\.py)`", text):
        assert (home / path).exists(), path


def test_every_command_and_every_file_of_demos_is_in_its_readme():
    written = {path.stem for path in (ROOT / "demos").glob("*.py")} - {"__init__", "__main__"}
    assert {name for name in written if not re.search(rf"`{name}(\.py)?`", TEXTS["demos/README.md"])} == set()


def test_every_picture_that_is_committed_is_shown_somewhere():
    rooms = [ROOT / room for room in ("acer_np", "gp_sarsa", "simulator", "demos", "tests")]
    pages = [path.read_text(encoding="utf-8") for room in rooms for path in room.glob("**/*.md")]
    texts = "\n".join([TEXTS["README.md"], *pages])
    pictures = {path.name for room in rooms for path in room.glob("**/*.png")}
    assert {name for name in pictures if f"{name})" not in texts} == set()


# ---- code and commands

def test_a_notebook_trains(capsys):
    assert run_block("run.curve")["run"].finished


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_runs(command, tmp_path, monkeypatch, capsys):
    name, *options = shlex.split(command.removeprefix("demos."))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("I want cheap food\nbye\n"))
    main, train = (importlib.import_module(f"demos.{module}").main for module in (name, "train"))
    for folder in (option for option in options if option.startswith("runs/acer")):
        assert train([folder, *TINY["train"]]) == 0                # the runs that other commands have made
    if "--grow-after" in options:
        options[options.index("--grow-after") + 1] = "5"
    there = any(option.startswith("runs/acer") for option in options)
    whole = there or "--list" in options
    tiny = ["--dialogues", "12"] if there and name == "train" else [] if whole else TINY[name]
    if "help" in options:
        with pytest.raises(SystemExit) as end:
            main(options)
        assert not end.value.code
    else:
        assert main([*options, *tiny]) in (0, None)
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(set(re.findall(r"python -m demos\.(\w+)", "".join(TEXTS.values())))))
def test_every_command_explains_itself(name, capsys):
    with pytest.raises(SystemExit) as end:
        importlib.import_module(f"demos.{name}").main(["--help"])
    assert end.value.code == 0 and "usage" in capsys.readouterr().out.lower()


def test_the_two_commands_install_the_project_and_ci_runs_the_second():
    first, second = (block.strip() for kind, block in BLOCKS[:2])
    assert first.endswith(".venv/bin/python -m demos.train") and second.endswith("-m pytest -q")
    assert second in (ROOT / ".ci" / "run").read_text()


# ---- numbers

@cache
def tables_now():
    """By the name of their markers: what the saved results say."""
    results = Results(ROOT / "demos" / "results")
    rows = {label: line for label, line in EXPERIMENTS["overview"].lines.items() if label != "handcrafted"}
    curves = {name: {label: results.curve(line) for label, line in experiment.lines.items()}
              for name, experiment in EXPERIMENTS.items()}
    changes = [name for name, experiment in EXPERIMENTS.items() if experiment.kind in ("parts", "table")]
    report_tables = {
        "learning": tables.learning_table(results, tables.learning_lines(EXPERIMENTS)),
        "noise": tables.noise_table(curves["14"]), "claims": tables.claims_table(results, EXPERIMENTS),
        "benchmark": tables.benchmark_table(curves["benchmark"]),
        "aggregate": tables.aggregate_table(curves["benchmark"]),
        "study": f"```text\n{report(read(results.folder / 'study.csv'))}\n```",
        "cost": tables.cost_table(results, EXPERIMENTS),
        **{name: tables.ways_table(curves[name]) for name in ("demonstrations", "growth")},
        **{name: tables.changes_table(curves[name]) for name in changes}}
    overview = {("README.md", "overview"): tables.learning_table(results, rows)}
    return overview | {(REPORT, name): table for name, table in report_tables.items()}


def test_the_tables_are_those_of_the_saved_results():
    for (name, marker), table in tables_now().items():
        assert TEXTS[name].split(f"<!-- {marker} -->\n")[1].split("\n<!-- end -->")[0] == table, (name, marker)


@pytest.mark.parametrize("name", TEXTS)
def test_a_number_in_a_sentence_stands_in_its_table(name):
    """A comment after a measured number names its table, its row and the beginning of its column."""
    for value, marker, row, column in re.findall(r"([-\d.]+)(?: %)?<!-- (\w+): (.*?): (.*?) -->", TEXTS[name]):
        table = tables_now().get((name, marker)) or tables_now()[REPORT, marker]
        head, _, *rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")]
        cells = dict(zip(head, next(cells for cells in rows if cells[0] == row)))
        assert cells[next(title for title in head if title.startswith(column))].split(" ")[0] == value, (marker, row)
