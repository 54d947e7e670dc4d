"""ACER by the book is ACER: the same update on any minibatch, the same training; and its task is learned."""
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose

from acer_np import ACERAgent, ACERConfig, SummaryHeads
from acer_np.acer import acer_update
from acer_np.learner import AdamState, Learner
from acer_np import by_the_book
from acer_np.by_the_book import algorithm_1, algorithm_2, softmax, talk
from acer_np.network import Network
from acer_np.replay import Batch
from tests.strategies import bodies, frozen, random_batch, seeds

configs = st.builds(ACERConfig, rho_max=st.sampled_from([0.1, 1.0, 5.0, np.inf]), gamma=st.sampled_from([0.5, 0.99]),
                    kl_limit=st.sampled_from([0.0, 0.01, 1.0, np.inf]), trace_decay=st.sampled_from([0.0, 0.7, 1.0]),
                    value_limit=st.sampled_from([0.5, np.inf]), entropy_weight=st.sampled_from([0.0, 0.01, 0.5]),
                    scale=st.sampled_from(["mean", "sum"]), average_decay=st.sampled_from([0.0, 0.9]),
                    learning_rate=st.just(0.05), horizon=st.just(10))


@settings(max_examples=40)
@given(seeds, configs, bodies, st.sampled_from([(), (4,), (4, 3)]))
def test_one_turn_at_a_time_is_all_turns_at_once(seed, config, critic_body, hidden):
    rng, network = np.random.default_rng(seed), Network(3, SummaryHeads(4), hidden, critic_body)
    params, mean, noise, square = rng.normal(size=(4, network.size))
    average = frozen(params[:network.n_policy] + 0.3 * noise[:network.n_policy])
    start = Learner(frozen(params), average, AdamState(4, frozen(0.1 * mean), frozen(0.1 * square ** 2)))
    batch = random_batch(rng, network)
    with np.errstate(all="raise", under="ignore"):
        found = algorithm_2(network, start, batch, config)
    expected, _ = acer_update(network, start, batch, config)
    assert found.adam.step == expected.adam.step == 5
    for name, one, other in (("params", found.params, expected.params), ("average", found.average, expected.average),
                             ("mean", found.adam.mean, expected.adam.mean),
                             ("square", found.adam.square, expected.adam.square)):
        assert_allclose(one, other, rtol=1e-9, atol=1e-10 * (1 + np.abs(other).max()), err_msg=name)


@pytest.mark.parametrize("preset", [ACERConfig, ACERConfig.paper])
def test_the_master_algorithm_is_the_agents_life(preset):
    """With an agent's seed Algorithm 1 meets the same users, does the same, and ends with the same parameters."""
    config = preset(hidden=(6,), minibatch=4, capacity=6, horizon=10, updates_per_dialogue=2, dtype="float64",
                    epsilon=0.5)
    agent, actions, rewards = ACERAgent(5, SummaryHeads(4), config, seed=7), [], []

    def user_of(seed):
        def talk(act):
            rng, earned = np.random.default_rng(seed), []
            for _ in range(1 + seed % 4):
                mask = rng.random(4) < 0.7
                mask[rng.integers(4)] = True
                actions.append(act(rng.random(5), mask))
                earned.append(float(actions[-1] == seed % 2) - 0.5)
            rewards.append(earned)
            return earned
        return talk

    learner = algorithm_1(agent.network, config, [user_of(seed) for seed in range(15)], seed=7)
    book, actions, (episodes, rewards) = actions, [], (rewards, [])
    for seed, earned in enumerate(episodes):
        due = iter(earned)
        left = len(earned)

        def act(belief, mask):
            nonlocal left
            action, left = agent.act(belief, mask), left - 1
            agent.observe(next(due), done=left == 0)
            return action

        assert user_of(seed)(act) == earned
        agent.learn()
    assert actions == book
    assert_allclose(learner.params, agent.learner.params, atol=1e-9)
    assert_allclose(learner.average, agent.learner.average, atol=1e-9)
    assert learner.adam.step == 30


@pytest.mark.parametrize("rho_max", [2.0, np.inf])
def test_a_saturated_policy_overflows_nowhere(rho_max):
    network, batch = saturated()
    learner = Learner.start(np.array([370.0, -370.0, -800.0, 0, 0, 0, 1, 2, 3, 0, 0, 0]), network.n_policy)
    config = ACERConfig(rho_max=rho_max, entropy_weight=0.1)
    with np.errstate(all="raise", under="ignore"):
        found = algorithm_2(network, learner, batch, config)
    assert_allclose(found.params, acer_update(network, learner, batch, config)[0].params, rtol=1e-12)
    assert_allclose(softmax(np.array([0.0, 5e3, np.log(3.0)]), np.array([True, False, True])), [0.25, 0, 0.75])


def saturated():
    """One belief and three actions, all of which the behaviour takes alike; the first was taken."""
    turn = (np.ones((1, 1)), np.ones((1, 3), bool), np.array([0]), np.ones(1), np.full((1, 3), 1 / 3))
    return Network(1, SummaryHeads(3), hidden=()), Batch(*turn, np.zeros((1, 0)), np.array([1]))


# ---- the task

def test_the_task_by_hand():
    def dialogue(wish, *actions):
        beliefs, due, all_rewards = [], list(actions), []

        def act(belief, mask):
            beliefs.append(belief.tolist())
            assert mask.all()
            return due.pop(0)

        rewards = talk(wish, all_rewards, act)
        assert all_rewards == [rewards] and not due
        return rewards, [belief.index(1) for belief in beliefs]

    assert dialogue(2, 0, 2) == ([-1, 19], [0, 2])
    assert dialogue(1, 0, 2) == ([-1, -1], [0, 1])
    assert dialogue(1, 1) == ([19], [0])
    assert dialogue(2, 0, 0, 0, 0, 0) == ([-1] * 5, [0, 2, 2, 2, 2])


def test_its_curve_climbs_until_it_asks_before_it_offers(capsys):
    by_the_book.main()
    curve, policy, moral = capsys.readouterr().out.split("\n\n")
    rewards = [float(line.split()[-1]) for line in curve.splitlines()[1:]]
    assert len(rewards) == 10 and rewards[0] < 12 and min(rewards[-2:]) > 16
    table = np.array([[float(p) for p in line.split()[-3:]] for line in policy.splitlines()[1:]])
    assert (table.argmax(axis=1) == [0, 1, 2]).all() and (table.max(axis=1) > 0.8).all()
    assert moral.startswith("What to see: ")
