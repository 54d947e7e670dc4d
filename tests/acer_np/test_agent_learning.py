"""What the agents share while they learn: minibatches, seeds, and that they do learn."""
from dataclasses import asdict

import numpy as np
import pytest

from acer_np import ACERConfig, SummaryHeads
from acer_np.agent import ReplayAgent
from tests.strategies import AGENTS, every_agent, everything, make_small, play


def test_every_update_gets_its_own_minibatch_of_the_size_asked_for():
    seen = []

    class Recorder(ReplayAgent):
        @staticmethod
        def update(network, learner, batch, config):
            seen.append(tuple(batch.rewards))
            return learner, None

    agent = Recorder(1, SummaryHeads(2), ACERConfig(hidden=(2,), minibatch=3, updates_per_dialogue=2, reward_scale=1))
    for i in range(40):
        agent.act(np.zeros(1), np.ones(2, bool))
        agent.observe(float(i), done=True)
        agent.learn()
    assert [len(rewards) for rewards in seen] == [1, 1, 2, 2] + 76 * [3] and len(agent.diagnostics) == 80
    assert all(len(set(rewards)) == len(rewards) for rewards in seen)
    assert sum(set(a) == set(b) for a, b in zip(seen[::2], seen[1::2])) < 10      # the two of one dialogue differ
    assert len(set().union(*seen)) > 30


def test_the_seed_decides_everything():
    one, same, other = make_small(seed=[3, 2]), make_small(seed=[3, 2]), make_small(seed=[4, 2])
    assert play(one, np.random.default_rng(0), 12) == play(same, np.random.default_rng(0), 12)
    assert everything(one) == everything(same)
    assert not np.array_equal(make_small(seed=[3, 2]).learner.params, other.learner.params)
    streams = [make_small().rng, make_small(seed=1).rng, make_small().test_rng]
    assert len({str(rng.bit_generator.state) for rng in streams}) == 3


@every_agent
@pytest.mark.parametrize("settings",
                         [dict(hidden=()), dict(hidden=[6, 4]), dict(hidden=[np.int64(6)], minibatch=np.int32(3)),
                                      dict(gamma=np.float32(0.9), capacity=np.uint8(5), reward_scale=np.float64(0.1))])
def test_no_hidden_layer_lists_and_numpy_numbers_are_fine(name, settings):
    agent, same = make_small(name, **settings), make_small(name, **settings)
    play(agent, np.random.default_rng(0), 3)
    same.restore(*agent.state())
    assert everything(same) == everything(agent)


@pytest.mark.parametrize("name, special", [("acer", {}), ("a2c", {}), ("enac", {"kl_limit": 0.01})])
def test_it_learns_which_of_two_actions_pays_in_each_of_two_situations(name, special):
    agent = make_small(name, n_belief=2, hidden=(8,), minibatch=16, capacity=64, reward_scale=1.0, horizon=10 ** 6,
                       learning_rate=1.0 if name == "enac" else 0.01, **special)
    rng, mask = np.random.default_rng(0), np.array([True, True, False, False])
    for _ in range(300):
        side = rng.integers(2)
        agent.observe(float(agent.act(np.eye(2)[side], mask) == side), done=True)
        agent.learn()
    assert [agent.act(belief, mask, "greedy") for belief in np.eye(2)] == [0, 1]
    critic = agent.network.forward(agent.learner.params, np.eye(2)).critic
    if name == "a2c":
        assert (critic > 0.7).all()            # the value of the right action, not of the half-random behaviour


def test_a_dialogue_of_any_other_policy_can_be_learned_from():
    """Uniform play, logged elsewhere with its μ, teaches which action pays before the agent has acted once."""
    rng, common = np.random.default_rng(0), dict(n_belief=2, capacity=200)
    agent = make_small(hidden=(8,), minibatch=32, learning_rate=0.02, horizon=150, **common)
    teacher = make_small(hidden=(), behaviour="greedy", epsilon=1.0, horizon=10 ** 9, reward_scale=1, **common)
    for _ in range(200):
        side = rng.integers(2)
        teacher.observe(float(teacher.act(np.eye(2)[side], np.ones(4, bool)) == 3 * side), done=True)
    agent.replay.dialogues.extend(teacher.replay.dialogues)
    for _ in range(150):
        agent.learn()
    assert [agent.act(belief, np.ones(4, bool), "greedy") for belief in np.eye(2)] == [0, 3]


# ---- what the three have in common

def test_what_agents_share_has_one_default():
    """Whatever the values are: A2C has ACER's but for c; eNAC those of acting, of minibatches and of the network."""
    acer, a2c, enac = (asdict(config()) for _, config in AGENTS.values())
    assert set(a2c) < set(acer)
    assert {name for name in a2c if a2c[name] != acer[name]} == {"rho_max"}
    own = {"learning_rate", "kl_limit", "capacity", "critic_body"}
    assert set(enac) - set(acer) == {"halving", "ridge", "centre"}
    assert {name for name in set(enac) & set(acer) if enac[name] != acer[name]} == own


def test_the_critics_have_a_q_per_action_or_a_v_or_are_not_there():
    networks = {name: make_small(name, critic_body="shared").network for name in AGENTS}
    critics = {name: network.size - network.n_policy for name, network in networks.items()}
    assert critics == {"acer": (4 + 1) * 4, "a2c": 4 + 1, "enac": 0}
    assert all(network.critic_body == "shared" for network in networks.values())
