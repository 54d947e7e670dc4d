"""ACER by the book is ACER: the same update on any minibatch, the same training, dialogue by dialogue."""
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np import ACERAgent, ACERConfig, SummaryHeads
from acer_np.acer import acer_update
from acer_np.learner import AdamState, Learner
from acer_np.by_the_book import algorithm_1, algorithm_2, backward, forward, softmax
from acer_np.network import Network
from tests.strategies import bodies, central_differences, far_from_kinks, frozen, play, random_batch, seeds

configs = st.builds(ACERConfig, rho_max=st.sampled_from([0.1, 1.0, 5.0, np.inf]), gamma=st.sampled_from([0.5, 0.99]),
                    kl_limit=st.sampled_from([0.0, 0.01, 1.0, np.inf]), trace_decay=st.sampled_from([0.0, 0.7, 1.0]),
                    value_limit=st.sampled_from([0.5, np.inf]), entropy_weight=st.sampled_from([0.0, 0.01, 0.5]),
                    scale=st.sampled_from(["mean", "sum"]), average_decay=st.sampled_from([0.0, 0.9]),
                    learning_rate=st.just(0.05), final_learning_rate=st.just(0.01), horizon=st.just(10))


@given(seeds, configs, bodies, st.sampled_from([(), (4,), (4, 3)]))
def test_one_turn_at_a_time_is_all_turns_at_once(seed, config, critic_body, hidden):
    rng, network = np.random.default_rng(seed), Network(3, SummaryHeads(4), hidden, critic_body)
    params, mean, noise, square = rng.normal(size=(4, network.size))
    average = frozen(params[:network.n_policy] + 0.3 * noise[:network.n_policy])
    start = Learner(frozen(params), average, AdamState(4, frozen(0.1 * mean), frozen(0.1 * square ** 2)))
    batch = random_batch(rng, network)
    with np.errstate(all="raise", under="ignore"):
        found, watch = algorithm_2(network, start, batch, config)
    expected, diagnostics = acer_update(network, start, batch, config)
    assert found.adam.step == expected.adam.step == 5
    for name, one, other in (("params", found.params, expected.params), ("average", found.average, expected.average),
                             ("mean", found.adam.mean, expected.adam.mean),
                             ("square", found.adam.square, expected.adam.square)):
        assert_allclose(one, other, rtol=1e-9, atol=1e-10 * (1 + np.abs(other).max()), err_msg=name)
    assert_allclose(watch.kl_growth, diagnostics.kl_growth, atol=1e-9 * (1 + abs(watch.kl_growth)))


@pytest.mark.parametrize("preset", [ACERConfig, ACERConfig.paper])
def test_training_by_the_book_gives_the_same_dialogues(preset):
    config = preset(hidden=(6,), minibatch=4, capacity=6, horizon=20, updates_per_dialogue=2, dtype="float64")
    fast, slow = (ACERAgent(5, SummaryHeads(4), config, seed=3) for _ in range(2))
    slow.update = algorithm_2
    assert play(fast, np.random.default_rng(1), 20) == play(slow, np.random.default_rng(1), 20)
    assert_allclose(slow.learner.params, fast.learner.params, atol=1e-9)
    assert_allclose(slow.learner.average, fast.learner.average, atol=1e-9)
    assert [d.kl_growth for d in slow.diagnostics] == pytest.approx([d.kl_growth for d in fast.diagnostics], abs=1e-9)


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
    by_the_book, actions, (episodes, rewards) = actions, [], (rewards, [])
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
    assert actions == by_the_book
    assert_allclose(learner.params, agent.learner.params, atol=1e-9)
    assert_allclose(learner.average, agent.learner.average, atol=1e-9)
    assert learner.adam.step == 30


def test_its_softmax_by_hand():
    assert_allclose(softmax(np.array([0.0, 5e3, np.log(3.0)]), np.array([True, False, True])), [0.25, 0, 0.75],
                    rtol=1e-15)
    assert_array_equal(softmax(np.array([1e4, 0.0]), np.array([True, True])), [1.0, 0.0])


@given(seeds, bodies, st.sampled_from([(), (4,), (4, 3)]))
def test_its_chain_rule_is_a_central_difference(seed, critic_body, hidden):
    rng, network = np.random.default_rng(seed), Network(3, SummaryHeads(4), hidden, critic_body)
    params, belief, d_output = rng.normal(size=network.size), rng.normal(size=3), rng.normal(size=4)
    while not far_from_kinks(network, params, belief[None], margin=1e-3):
        belief = rng.normal(size=3)
    for head, body in (("_policy", ""), ("_critic", "_critic" if critic_body == "own" else "")):
        gradient = np.zeros(network.size)
        _, layers = forward(network.views(params), head, body, belief)
        backward(network.views(params), network.views(gradient), head, body, layers, d_output)
        expected = central_differences(lambda x: d_output @ forward(network.views(x), head, body, belief)[0], params)
        assert_allclose(gradient, expected, atol=1e-7)


def test_a_learning_rate_of_zero_leaves_everything_where_it_was_but_the_average():
    network = Network(3, SummaryHeads(4), (4,))
    rng = np.random.default_rng(0)
    learner = Learner.start(network.initial(rng), network.n_policy)
    config = replace(ACERConfig.paper(), learning_rate=0.0, final_learning_rate=0.0)
    found, _ = algorithm_2(network, learner, random_batch(rng, network), config)
    assert_array_equal(found.params, learner.params)
    assert_allclose(found.average, learner.average, rtol=1e-15)
