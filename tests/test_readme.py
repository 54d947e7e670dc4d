"""The READMEs of the top and of demos/: code and commands run, pictures exist, tables are those of the saved results.

Those of the other rooms have their tests in the folders of the rooms.
"""
import importlib
import io
import re
import shlex
import sys
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from demos.human_evaluation import read, report
from demos.reproduction import plan as experiments, tables
from demos.reproduction.claims import LOGS
from demos.reproduction.plan import BENCHMARK_SEEDS, EXPERIMENTS
from demos.reproduction.store import Results

ROOT = Path(__file__).resolve().parent.parent
TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "demos/README.md")}
BLOCKS = [found for text in TEXTS.values() for found in re.findall(r"```(\w*)\n(.*?)```", text, re.DOTALL)]
COMMANDS = sorted({line.partition("python -m ")[2] for kind, block in BLOCKS if not kind
                   for line in block.splitlines() if "python -m demos." in line})
TINY = {"train": ["--dialogues", "20", "--test-dialogues", "2"], "watch": ["--dialogues", "5"],
        "chat": ["--dialogues", "5"], "human_evaluation": ["--simulate", "2", "--dialogues", "5"],
        "reproduce": ["--seeds", "1", "--dialogues", "10", "--test-dialogues", "1", "--jobs", "1",
                      "--results", "runs/tiny"]}


def python_block(word):
    return next(block for kind, block in BLOCKS if kind == "python" and word in block)


def run_block(word):
    """Executes the block that has this word in it, as a script; its names afterwards."""
    names = {"__name__": "__main__"}
    exec(compile(python_block(word), "README.md", "exec"), names)
    return names


@pytest.mark.parametrize("name", TEXTS)
def test_every_picture_link_and_file_that_is_named_exists(name):
    text, home = TEXTS[name], (ROOT / name).parent
    for path in re.findall(r"\]\(((?!http)[^)]*)\)", text) + re.findall(r"`(\w+\.py)`", text):
        assert (home / path).exists(), path


def test_every_command_and_every_file_of_demos_is_in_its_readme():
    written = {path.stem for path in (ROOT / "demos").glob("*.py")} - {"__init__"}
    assert {name for name in written if not re.search(rf"`{name}(\.py)?`", TEXTS["demos/README.md"])} == set()


def test_every_picture_that_is_committed_is_shown_somewhere():
    texts = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("**/README.md")
                      if not {".venv", "runs"} & set(path.parts))
    pictures = [path for room in ("acer_np", "gp_sarsa", "simulator", "demos", "tests") for path in
                (ROOT / room).glob("**/*.png")]
    assert {path.name for path in pictures if f"{path.name})" not in texts} == set()


# ---- code and commands

def test_every_block_of_code_is_run_here():
    assert sorted(map(python_block, ("ACERAgent", "MPIPoolExecutor"))) == sorted(
        block for kind, block in BLOCKS if kind == "python")


def test_a_learner_learns_in_a_program_of_ones_own():
    agent = run_block("ACERAgent")["agent"]
    assert agent.n_dialogues == 100 == len(agent.diagnostics)
    assert agent.diagnostics[-1].critic_error < agent.diagnostics[0].critic_error


def test_a_cluster_computes_the_plan(tmp_path, monkeypatch):
    futures = types.ModuleType("mpi4py.futures")
    futures.MPIPoolExecutor = ThreadPoolExecutor
    monkeypatch.setitem(sys.modules, "mpi4py", types.ModuleType("mpi4py"))
    monkeypatch.setitem(sys.modules, "mpi4py.futures", futures)
    importlib.import_module("demos.reproduce")            # with the true select, which this test replaces for itself
    select = experiments.select
    monkeypatch.setattr(experiments, "select", lambda names: select(names, 1, dialogues=10, test_dialogues=1))
    monkeypatch.chdir(tmp_path)
    run_block("MPIPoolExecutor")
    settings = {line.setting for line in EXPERIMENTS["3"].lines.values()}
    assert len({path.stem for path in tmp_path.glob("results/*.csv")} - {"costs"}) == len(settings)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_runs(command, tmp_path, monkeypatch, capsys):
    name, *options = shlex.split(command.removeprefix("demos."))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("I want cheap food\nbye\n"))
    main = importlib.import_module(f"demos.{name}").main
    if "--resume" in options:
        main(["--save", options[-1], *TINY["train"]])
    whole = "--resume" in options or "--list" in options
    assert main([*options, *([] if whole else TINY[name])]) in (0, None)
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

def tables_now():
    """By the name of their markers: what the saved results say."""
    results, masked = Results(ROOT / "demos" / "results"), EXPERIMENTS["11"].lines
    rows = {f"{label}, no mask": line for label, line in EXPERIMENTS["overview"].lines.items()}
    rows |= {f"ACER, {space} actions, mask": masked[label]
             for space, label in (("summary", "ACER (ours)"), ("master", "ACER, master (ours)"))}
    curves = {name: tables.read_curves(results, experiment) for name, experiment in EXPERIMENTS.items()}
    laptops = {f"ACER (ours), Laptops11, {mask}": EXPERIMENTS["hard"].lines[label]
               for mask, label in (("mask", "ACER (ours), mask"), ("no mask", "ACER (ours)"))}
    return {("README.md", "overview"): tables.learning_table(results, rows),
            ("demos/README.md", "learning"): tables.learning_table(results, tables.learning_lines(EXPERIMENTS)),
            ("demos/README.md", "laptops"): tables.learning_table(results, laptops),
            ("demos/README.md", "noise"): tables.noise_table(curves["14"]),
            ("demos/README.md", "claims"): tables.claims_table(curves),
            ("demos/README.md", "benchmark"): tables.benchmark_table(curves["benchmark"]),
            ("demos/README.md", "parts"): tables.variants_table(curves["laptops"]),
            ("demos/README.md", "study"): f"```text\n{report(read(results.folder / 'study.csv'))}\n```",
            ("demos/README.md", "cost"): tables.cost_table(results, EXPERIMENTS)} | {
        ("demos/README.md", name): tables.variants_table(curves[name])
        for name in ("ablation", "causes", "departures", "hard", "updates", "slips")} | {
        ("demos/README.md", name): tables.ways_table(curves[name]) for name in ("demonstrations", "growth")}


def test_what_the_departures_buy_is_what_their_tables_say():
    said = " ".join(TEXTS["README.md"].partition("What that buys:")[2].partition("##")[0].split())

    def cell(table, label, column):
        row = next(line for line in tables_now()["demos/README.md", table].splitlines() if f"| {label} |" in line)
        return row.split(" | ")[column].split(" ")[0].removeprefix("-")

    mean, difference, last = 1, 2, 3
    assert said == (
        "with all of the paper's values the mean success of all tests without the mask is "
        f"{cell('departures', 'ACER (paper)', mean)} %, with ours {cell('departures', 'ACER (ours)', mean)} %; "
        f"ε-greedy play alone would cost {cell('departures', 'ε-greedy from 0.95', difference)} points of it, "
        f"δ on sums {cell('departures', 'δ = 1 on sums', difference)}, a shared body "
        f"{cell('departures', 'one body for policy and critic', difference)} (15 seeds). The trust region shows its "
        f"worth on a hard task: on PyDial's Laptops11 with nothing masked our ACER has "
        f"{cell('hard', 'ACER (ours)', last)} % after 2000 dialogues, "
        f"and {cell('hard', 'no trust region (δ = ∞)', last)} % without it (5 seeds).")


def test_what_is_said_of_the_claims_is_what_their_table_says():
    rows = [row.removeprefix("| ").split(" | ") for row in tables_now()["demos/README.md", "claims"].splitlines()[2:]]
    paper, ours = ([row[column] or row[4] for row in rows].count for column in (4, 6))     # one verdict serves for both
    said = " ".join(TEXTS["README.md"].split())
    assert (f"Of {len(rows)} claims of the paper {paper('reproduced')} are reproduced with its own values and "
            f"{ours('reproduced')} with ours, {paper('different')} and {ours('different')} come out different") in said


def test_what_is_said_of_the_benchmark_is_what_its_table_says():
    rows = [[cell.split("; ")[0] for cell in row.strip("| ").split(" | ")] for row in
            tables_now()["demos/README.md", "benchmark"].splitlines()[2:]]
    rewards = {task: {name: float(cell.split(" / ")[1]) for name, cell in zip(BENCHMARK_SEEDS, cells)}
               for task, *cells in rows}
    leads = [max(ours["acer"], ours["gp"]) - ours["handcrafted"] for ours in rewards.values()]
    logs = [log for log in LOGS if log["policy"] == "acer"]
    assert all(rewards[f"{log['domain']}, {log['environment']}"]["acer"] > float(log["late_reward"]) for log in logs)
    said, n_tasks = " ".join(TEXTS["README.md"].split()), len({(log["domain"], log["environment"]) for log in logs})
    assert f"above PyDial's own in the {n_tasks} tasks that have logs of it" in said
    above, narrow = sum(lead > 0 for lead in leads), sum(0 < lead < 0.1 for lead in leads)
    seeds = BENCHMARK_SEEDS["acer"]
    assert f"policy in {above} of 18 tasks ({seeds} seeds), in {narrow} of them by less than 0.1." in said


def test_the_tables_are_those_of_the_saved_results():
    for (name, marker), table in tables_now().items():
        assert TEXTS[name].split(f"<!-- {marker} -->\n")[1].split("\n<!-- end -->")[0] == table, (name, marker)
