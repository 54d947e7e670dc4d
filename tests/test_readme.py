"""The README names things that exist, its code and commands run, and its tables are those of the saved results."""
import importlib
import io
import re
import shlex
import sys
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from demos import experiments
from demos.claims import CLAIMS, measured, verdict
from demos.intervals import bootstrap
from demos.results import Results
from demos.tables import claims_table, cost_table, learning_table, noise_table, read_curves, variants_table
from simulator.env import DialogueEnv
from tests.simulator.strategies import cambridge_files

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAP = README.split("## From equation to code to test")[1].split("\n## ")[0]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in MAP.splitlines() if line.startswith("| ")][1:]
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)
COMMANDS = sorted({line.partition("python -m ")[2] for kind, block in BLOCKS if not kind
                   for line in block.splitlines() if "python -m demos." in line})
TINY = {"train": ["--dialogues", "20", "--test-dialogues", "2"], "watch": ["--dialogues", "5"],
        "chat": ["--dialogues", "5"], "human_evaluation": ["--simulate", "2", "--dialogues", "5"],
        "benchmark": ["acer", "--repeats", "1"], "tour": ["ladder"],
        "reproduce": ["--figure", "11", "--seeds", "1", "--dialogues", "10", "--test-dialogues", "1", "--jobs", "1",
                      "--results", "runs/tiny"]}


def python_block(word):
    return next(block for kind, block in BLOCKS if kind == "python" and word in block)


def run_block(word, **names):
    """Executes the block that has this word in it, as a script; its names afterwards."""
    names["__name__"] = "__main__"
    exec(compile(python_block(word), "README.md", "exec"), names)
    return names


# ---- names

@pytest.mark.parametrize("paper, code, tests", ROWS)
def test_every_name_in_the_map_exists(paper, code, tests):
    for name in re.findall(r"`(.*?)`", code):
        module, *attributes = name.split(".")
        package = next(p for p in ("acer_np", "gp_sarsa") if (ROOT / p / f"{module}.py").exists())
        found = importlib.import_module(f"{package}.{module}")
        for attribute in attributes:
            found = getattr(found, attribute)
    written = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("test_*.py"))
    verified = re.findall(r"`(.*?)`", tests)
    assert verified and all(f"\ndef {name}(" in written for name in verified)


def test_every_file_in_the_reading_list_exists_and_none_is_missing():
    table = README.split("| read | for |")[1].split("\n\n")[0]
    named, folder = set(), ""
    for cell in re.findall(r"^\| (.*?) \|", table, re.MULTILINE):
        for path in re.findall(r"`([\w/]+\.py)`", cell):
            folder = path.rpartition("/")[0] or folder
            named.add(f"{folder}/{path.rpartition('/')[2]}")
    written = {str(path.relative_to(ROOT)) for package in ("simulator", "acer_np", "gp_sarsa")
               for path in (ROOT / package).glob("*.py") if path.name != "__init__.py"}
    assert named == written


def test_every_picture_and_file_that_is_named_exists():
    for path in re.findall(r"!\[.*?\]\((.*?)\)", README) + re.findall(r"`((?:demos|tests)/[\w/]+\.py)`", README):
        assert (ROOT / path).exists(), path


# ---- code and commands

def test_every_block_of_code_is_run_here():
    words = ("load_domain", "flatnonzero", "imitate", "MPIPoolExecutor")
    assert sorted(map(python_block, words)) == sorted(block for kind, block in BLOCKS if kind == "python")


def test_an_own_domain_is_loaded(tmp_path, monkeypatch):
    cambridge_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    belief, _ = run_block("load_domain")["env"].reset()
    assert belief.shape == (268,)


def test_an_own_agent_finishes_a_dialogue(capsys):
    names = run_block("flatnonzero")
    assert names["done"] and "goal" in capsys.readouterr().out


def test_an_agent_that_is_one_function_learns_to_do_what_ended_well():
    agent, env, wins = run_block("imitate")["agent"], DialogueEnv(seed=0), []
    before = agent.learner.params.copy()
    for i in range(40):
        belief, info = env.reset(seed=[7, i])
        done = False
        while not done:
            belief, reward, terminated, truncated, info = env.step(agent.act(belief, info["action_mask"]))
            done = terminated or truncated
            agent.observe(reward, done)
        agent.learn()
    batch, network = agent.replay.sample(40, np.random.default_rng(0)), agent.network
    won = np.repeat(np.add.reduceat(batch.rewards, np.cumsum(batch.lengths) - batch.lengths) > 0, batch.lengths)
    for params in (before, agent.learner.params):
        policy = network.heads.policy(network.forward(params, batch.beliefs).logits, batch.masks)
        wins.append(np.log(network.heads.pi_of(policy, batch.actions)[won]).mean())
    assert wins[0] + 0.1 < wins[1]


def test_a_cluster_computes_the_plan(tmp_path, monkeypatch):
    futures = types.ModuleType("mpi4py.futures")
    futures.MPIPoolExecutor = ThreadPoolExecutor
    monkeypatch.setitem(sys.modules, "mpi4py", types.ModuleType("mpi4py"))
    monkeypatch.setitem(sys.modules, "mpi4py.futures", futures)
    importlib.import_module("demos.reproduce")                # with the true select, which this test replaces
    select = experiments.select
    monkeypatch.setattr(experiments, "select", lambda names: select(names, 1, dialogues=10, test_dialogues=1))
    monkeypatch.chdir(tmp_path)
    run_block("MPIPoolExecutor")
    assert len(list(tmp_path.glob("results/*/seed00.csv"))) == len(experiments.EXPERIMENTS["3"].lines)


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


@pytest.mark.parametrize("name", sorted(set(re.findall(r"python -m demos\.(\w+)", README))))
def test_every_command_explains_itself(name, capsys):
    with pytest.raises(SystemExit) as end:
        importlib.import_module(f"demos.{name}").main(["--help"])
    assert end.value.code == 0 and "usage" in capsys.readouterr().out.lower()


def test_the_two_commands_install_the_project_and_ci_runs_the_second():
    first, second = (block.strip() for kind, block in BLOCKS[:2])
    assert first.endswith(".venv/bin/python -m demos.train") and second.endswith("-m pytest -q")
    assert second in (ROOT / ".ci" / "run").read_text()


# ---- numbers

@pytest.fixture(scope="module")
def saved():
    """The results that the project ships, and what its figures are drawn from."""
    results = Results(ROOT / "demos" / "results")
    return results, {name: read_curves(results, experiment) for name, experiment in experiments.EXPERIMENTS.items()}


@pytest.mark.parametrize("name", ["learning", "noise", "claims", "ablation", "readings", "cost"])
def test_the_tables_are_those_of_the_saved_results(saved, name):
    results, curves = saved
    tables = {"learning": lambda: learning_table(curves), "noise": lambda: noise_table(curves["14"]),
              "claims": lambda: claims_table(curves), "ablation": lambda: variants_table(curves["ablation"]),
              "readings": lambda: variants_table(curves["readings"]),
              "cost": lambda: cost_table(results, experiments.EXPERIMENTS)}
    assert README.split(f"<!-- {name} -->\n")[1].split("\n<!-- end -->")[0] == tables[name]()


def test_a_claim_has_a_reason_just_where_ours_differs(saved):
    _, curves = saved
    for claim in CLAIMS:
        found = verdict(bootstrap(measured(claim, curves[claim.figure])), *claim.holds)
        assert bool(claim.why) == (found != "reproduced"), claim.claimed
