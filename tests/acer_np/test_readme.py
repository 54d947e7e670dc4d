"""The pages of acer_np name things that exist, the dialogue has the numbers of the code, and the agents run."""
import doctest
import importlib
import re
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from acer_np import ACERConfig, SummaryHeads, gradients, retrace
from acer_np.acer import acer_update, critic_targets, gradient_weights
from acer_np.learner import Learner
from acer_np.by_the_book import algorithm_2
from acer_np.network import Network
from acer_np.replay import Batch
from demos import agents
from demos.training import play
from tests.laws.catalogue import SUBJECTS

ROOM = Path(__file__).resolve().parent.parent.parent / "acer_np"
README, PAPER = ((ROOM / page).read_text(encoding="utf-8") for page in ("README.md", "paper.md"))
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


# ---- names

def test_every_name_in_the_map_exists():
    rows = re.findall(r"^\| (.*?) \| (.*?) \| (.*?) ?\| (.*?) \|$", PAPER.split("\n## ")[1], re.MULTILINE)[2:]
    assert len(rows) > 20
    for _, code, laws, tests in rows:
        for name in re.findall(r"`(.*?)`", code):
            module, found = name.split(".")[:1 + name.startswith("beyond.")], None
            found = importlib.import_module(".".join(["acer_np", *module]))
            for attribute in name.split(".")[len(module):]:
                found = getattr(found, attribute)
        assert set(re.findall(r"`(.*?)`", laws)) <= set(SUBJECTS)
        files = re.findall(r"`(.*?)`", tests)
        assert files and all(Path(__file__).with_name(f"{name}.py").is_file() for name in files)


def test_every_picture_and_page_that_is_linked_exists():
    for page in (README, PAPER):
        for link in re.findall(r"\]\((.*?)\)", page):
            assert (ROOM / link).exists(), link


def test_every_file_of_the_room_is_in_the_reading_list_once():
    listed = re.findall(r"`([\w/]+\.py)`", README.split("| read | for |")[1].split("\n\n")[0])
    assert sorted(listed) == sorted(path.relative_to(ROOM).as_posix() for path in ROOM.rglob("*.py")
                                    if path.name != "__init__.py")


def test_every_hyperparameter_in_the_notation_exists():
    notation = README.split("*Notation.*")[1].split("\n## ")[0]
    names = set(re.findall(r"\(`(\w+)`\)", notation))
    assert len(names) >= 5 and all(hasattr(ACERConfig(), name) for name in names)


def test_examples_in_docstrings_are_what_the_code_computes():
    tried = [doctest.testmod(module, extraglobs={"np": np}) for module in (gradients, retrace)]
    assert [result.failed for result in tried] == [0, 0] and all(result.attempted >= 2 for result in tried)


# ---- the dialogue with a pencil

def dialogue():
    """The table: {row: [turn 1, turn 2, turn 3, bias]}, each an array of numbers, None where there is nothing."""
    lines = README.split("<!-- dialogue -->\n")[1].split("\n<!-- end -->")[0].splitlines()[2:]
    rows = {}
    for line in lines:
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        numbers = [[float(Fraction(re.sub("(st|nd|rd)$", "", part))) for part in cell.split(",")] if cell else None
                   for cell in cells]
        rows[re.match(r"Qret − Q|\(π − 2 μ\)₊|π̄|\w+", name)[0]] = numbers
    return rows


TABLE = dialogue()
CONFIG = ACERConfig(gamma=1, trace_decay=1, rho_max=2, kl_limit=1 / 8, scale="sum", entropy_weight=0,
                    value_limit=np.inf)


def turns(name):
    """(3,) or (3, 3): what a row says of the three turns."""
    return np.array(TABLE[name][:3]).squeeze()


def situation():
    """A network without hidden layers whose tables of logits and of Q are those of the dialogue, and its memory."""
    network = Network(3, SummaryHeads(3), hidden=(), critic_body="own")
    params = np.zeros(network.size)
    p = network.views(params)
    p["W_policy"][:], p["W_critic"][:] = np.log(turns("π")), turns("Q")
    learner = Learner.start(params, network.n_policy)
    network.views(learner.average)["W_policy"][:] = np.log(turns("π̄"))
    batch = Batch(np.eye(3), np.ones((3, 3), bool), turns("a").astype(int) - 1, turns("r"), turns("μ"),
                  np.zeros((3, 0)), np.array([3]))
    return network, learner, batch


def test_the_pencils_weights_and_targets_are_those_of_the_code():
    network, _, batch = situation()
    pi, mu, q, rows, a = turns("π"), turns("μ"), turns("Q"), np.arange(3), batch.actions
    rho, v = turns("ρ"), turns("V")
    assert_array_equal(gradients.importance_weights(pi[rows, a], mu[rows, a]), rho)
    assert_array_equal(retrace.traces(rho, 1.0), turns("trace"))
    assert_array_equal((pi * q).sum(axis=1), v)
    assert_array_equal(critic_targets(batch, q[rows, a], v, rho, CONFIG), turns("Qret"))
    assert_array_equal(turns("Qret") - q[rows, a], turns("Qret − Q"))
    assert_array_equal(turns("Qret") - v, turns("A"))
    assert_array_equal(gradients.correction_weights(pi, mu, 2.0), turns("(π − 2 μ)₊"))


@pytest.mark.parametrize("update", [lambda *case: acer_update(*case)[0], algorithm_2])
def test_the_pencils_gradients_are_those_of_the_update_and_of_the_book(update):
    network, learner, batch = situation()
    free, bound = (update(network, learner, batch, replace(CONFIG, kl_limit=limit)) for limit in (np.inf, 1 / 8))
    g, z = (network.views(10 * moved.adam.mean) for moved in (free, bound))      # Adam's first mean is a tenth of it
    for name, found in (("g", g), ("z", z)):
        assert_allclose(found["W_policy"], turns(name), atol=1e-13)
        assert_allclose(found["b_policy"], TABLE[name][3], atol=1e-13)
    assert_allclose(g["W_critic"].sum(axis=1), turns("Qret − Q"), atol=1e-13)
    k = np.vstack([turns("π") - turns("π̄"), (turns("π") - turns("π̄")).sum(axis=0)])
    assert_array_equal(k, np.vstack([turns("k"), TABLE["k"][3]]))
    all_g, all_z = np.vstack([turns("g"), TABLE["g"][3]]), np.vstack([turns("z"), TABLE["z"][3]])
    assert (k * all_g).sum() == 21 / 8 and (k ** 2).sum() == 1 / 4 and (k * all_z).sum() == 1 / 8
    assert_allclose(all_g - 10 * k, all_z, atol=1e-15)
    assert acer_update(network, learner, batch, CONFIG)[1].kl_growth == pytest.approx(21 / 8, rel=1e-13)


def test_the_pencils_weights_of_actions_are_those_of_the_heads():
    network, learner, batch = situation()
    seen = []

    def weights(*arguments):
        seen.append(gradient_weights(*arguments))
        return seen[0]

    acer_update(network, learner, batch, CONFIG, weights=weights)
    assert_allclose(seen[0], turns("G"), atol=1e-14)
    assert_allclose(gradients.log_gradient(turns("π"), turns("G")), turns("g"), atol=1e-14)


# ---- code

def test_the_first_block_runs():
    names = {}
    exec(compile(BLOCKS[0], "README.md", "exec"), names)
    first, *_, last = names["agent"].diagnostics
    assert names["agent"].n_dialogues == names["agent"].learner.adam.step == 100
    assert last.critic_error < first.critic_error


def the_dqn(monkeypatch):
    """The last block as the file that it is to be saved as."""
    module = ModuleType("acer_np.dqn")
    monkeypatch.setitem(sys.modules, "acer_np.dqn", module)
    exec(compile(BLOCKS[1], "README.md", "exec"), vars(module))
    return module


@pytest.mark.parametrize("space", ["summary", "master"])
def test_the_agent_of_the_last_block_trains_once_it_is_named(space, monkeypatch):
    dqn = the_dqn(monkeypatch)
    monkeypatch.setitem(agents.TRAINABLE, "dqn", (dqn.DQNAgent, dqn.DQNConfig))
    assert '"dqn": (DQNAgent, DQNConfig)' in README
    setting = agents.Setting(agent="dqn", space=space, dialogues=60)
    env = agents.make_env(setting)
    agent = agents.make_agent(setting, env, seed=0)
    start = agent.learner.params
    for i in range(60):
        play(env, agent, [0, 0, i], "train")
    assert agent.config.horizon == 60 and agent.learner.adam.step == len(agent.diagnostics) == 60
    assert np.isfinite(agent.learner.params).all() and (agent.learner.params != start).any()
    same = agents.make_agent(setting, env, seed=1)
    same.restore(*agent.state())
    assert_array_equal(same.learner.params, agent.learner.params)


def test_the_double_dqn_of_the_last_block_by_hand(monkeypatch):
    # Two turns, γ = 1/2. Turn 2 is the last: error r - Q = 3 - 2 = 1. Turn 1: of turn 2, Q = (2, 5), the
    # second action is best, which Q' values 4 (and the first 9): error -1 + 4/2 - 7 = -6. Means over two turns.
    dqn = the_dqn(monkeypatch)
    network = Network(2, SummaryHeads(2), hidden=(), critic_width=0)
    learner = Learner.start(np.array([7.0, 0.0, 2.0, 5.0, 0.0, 0.0]), network.n_policy)
    learner = learner._replace(average=np.array([0.0, 0.0, 9.0, 4.0, 0.0, 0.0]))
    batch = Batch(np.eye(2), np.ones((2, 2), bool), np.array([0, 0]), np.array([-1.0, 3.0]), np.full((2, 2), 0.5),
                  np.zeros((2, 0)), np.array([2]))
    updated, watched = dqn.dqn_update(network, learner, batch, dqn.DQNConfig(gamma=0.5))
    assert_allclose(10 * updated.adam.mean, [-3, 0, 0.5, 0, -2.5, 0], rtol=1e-13)
    assert watched.critic_error == (36 + 1) / 2
