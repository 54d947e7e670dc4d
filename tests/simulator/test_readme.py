"""The sign on the door: its code runs, its files exist, its dialogue is the one that the code tells."""
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import simulator
from simulator import ENVIRONMENTS, DialogueEnv, uniform_random
from tests.simulator.strategies import cambridge_files

FOLDER = Path(simulator.__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")
CODE = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
TOLD, TURN = re.findall(r"```text\n(.*?)```", README, re.DOTALL)


def run(block):
    names = {}
    exec(compile(block, "README.md", "exec"), names)
    return names


def test_the_dialogue_is_the_one_that_its_code_tells(capsys):
    run(CODE[0])
    printed = capsys.readouterr().out
    assert printed.startswith(TOLD.removesuffix("...\n")) and printed.endswith("success after 3 turns, reward 17\n")


def test_an_own_agent_finishes_a_dialogue():
    names = run(CODE[1])
    assert names["done"] and names["total"] == 20 * names["info"]["success"] - names["info"]["turns"]


def test_the_adapter_gives_gymnasium_what_it_expects(monkeypatch):
    base = type("Env", (), {"reset": lambda self, seed: None})
    spaces = SimpleNamespace(Box=lambda *bounds: bounds, Discrete=int)
    monkeypatch.setitem(sys.modules, "gymnasium", SimpleNamespace(Env=base, spaces=spaces))
    env = run(CODE[2])["Dialogue"](mask="none", seed=0)
    assert env.observation_space == (0, 1, (268,)) and env.action_space == 15
    vector, info = env.reset(seed=3, options={})
    assert vector.dtype == np.float32 and 0 <= vector.min() and vector.max() <= 1 and info is env.info
    assert env.action_masks().tolist() == [True] * 15
    vector, *outcome, info = env.step(np.array(4))                       # as Stable-Baselines3 gives it
    assert outcome == [-1.0, False, False] and vector.shape == (268,)


def test_random_play_is_as_strong_as_the_table_says():
    cells = re.search(r'\| `mask="all"`.* \| (.*) \| (.*) \|', README).groups()
    env, rng, totals, successes = DialogueEnv(action_space="master"), np.random.default_rng(0), [], []
    for k in range(500):
        _, info = env.reset(seed=[0, k])
        while not env.over:
            *_, info = env.step(uniform_random(info["action_mask"], rng))
        successes.append(info["success"])
        totals.append(20 * info["success"] - info["turns"])
    assert [f"{100 * np.mean(successes):.1f} %", f"{np.mean(totals):.2f}"] == [*cells]


def test_an_own_domain_is_loaded_into_an_environment_of_the_benchmark(tmp_path, monkeypatch):
    cambridge_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    env = run(CODE[3])["env"]
    assert env.n_belief == 268 and env.channel.error_rate == ENVIRONMENTS[3]["error_rate"] == 0.15
    assert len(CODE) == 4


def test_every_file_is_in_the_reading_list():
    table = README.split("| read | for |")[1].split("\n\n")[0]
    assert set(re.findall(r"`(\w+\.py)`", table)) == {path.name for path in FOLDER.glob("*.py")} - {"__init__.py"}


def test_the_names_of_the_turn_exist():
    env = DialogueEnv()
    for owner, method in re.findall(r"(\w+)\.(\w+)\(", TURN):
        assert callable(getattr(env if owner == "env" else getattr(env, owner), method))


def test_the_package_names_what_a_user_imports():
    named = simulator.__all__
    assert named == sorted(named) and all(hasattr(simulator, name) for name in named)
