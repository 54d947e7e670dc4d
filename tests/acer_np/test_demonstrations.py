"""Imitation climbs the likelihood of the choices; the demonstrator's μ is what it did; the critic learns beside it."""
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from acer_np import MasterHeads, SummaryHeads
from acer_np.learner import Learner
from acer_np.beyond.demonstrations import demonstrated_behaviour, evaluate_policy, imitate, imitation_update, remember
from acer_np.network import Network
from acer_np.replay import Batch
from tests.strategies import AGENTS, direction_of, everything, make_small, random_batch

every_agent = pytest.mark.parametrize("kind", AGENTS)


# ---- the demonstrator's μ

def test_a_demonstrator_without_doubt_has_a_behaviour_of_one_at_its_choice():
    mu, payload_logits = demonstrated_behaviour(SummaryHeads(3), np.array([2, 0]), np.ones((2, 3), bool))
    assert mu.tolist() == [[0, 0, 1], [1, 0, 0]] and payload_logits.shape == (2, 0)
    # With doubt, three of four allowed: any of them with 1/3 · 1/3, and the choice with 2/3 more.
    mu, _ = demonstrated_behaviour(SummaryHeads(4), np.array([1]), np.array([[True, True, False, True]]), 1 / 3)
    assert_allclose(mu, [[1 / 9, 7 / 9, 0, 1 / 9]])


def test_payloads_by_hand():
    # 2 methods with 4 payloads and 1 other action: 6 is the second method with payload 2, which tells slot 1 alone.
    mu, payload_logits = demonstrated_behaviour(MasterHeads(2, 2, 1), np.array([6, 8]), np.ones((2, 3), bool))
    assert mu.tolist() == [[0, 1, 0], [0, 0, 1]] and payload_logits.tolist() == [[-30, 30], [0, 0]]
    _, one_each = demonstrated_behaviour(MasterHeads(2, 2, 1, "payloads"), np.array([6]), np.ones((1, 3), bool))
    assert one_each.tolist() == [[-30, -30, 30, -30]]


# ---- imitation

@pytest.mark.parametrize("scale, size", [("mean", 1), ("sum", 2)])
def test_one_step_by_hand(scale, size):
    # No hidden layer, two turns with equal logits, the first action chosen: L = -log 2, ∂L/∂l = (1/2, -1/2) in each
    # turn, and Adam's first step is α.
    network = Network(1, SummaryHeads(2), (), dtype=np.float64)
    learner = Learner.start(np.zeros(network.size), network.n_policy)
    batch = Batch(np.ones((2, 1)), np.ones((2, 2), bool), np.zeros(2, int), np.zeros(2), np.tile([1.0, 0.0], (2, 1)),
                  np.zeros((2, 0)), np.array([2]))
    updated, likelihood = imitation_update(network, learner, batch, 0.1, scale)
    assert_allclose(likelihood, -np.log(2))
    assert_allclose(direction_of(learner, updated), size * np.array([0.5, -0.5, 0.5, -0.5, 0, 0, 0, 0]))
    assert_allclose(updated.params, [0.1, -0.1, 0.1, -0.1, 0, 0, 0, 0], atol=1e-8)
    assert_array_equal(updated.average, updated.params[:4])


@every_agent
@pytest.mark.parametrize("space", ["summary", "master"])
def test_what_is_imitated_becomes_likely_and_nothing_else_moves(kind, space):
    agent = make_small(kind, space, hidden=(20,), minibatch=4, critic_body="own", updates_per_dialogue=3)
    batch = random_batch(np.random.default_rng(1), agent.network, n_dialogues=6)
    critic = agent.learner.params[agent.network.n_policy:].copy()
    likelihoods = imitate(agent, batch, 400)
    assert len(likelihoods) == 400 and np.mean(likelihoods[-20:]) > -0.3 > -0.7 > likelihoods[0]
    assert_array_equal(agent.learner.params[agent.network.n_policy:], critic)
    assert_array_equal(agent.learner.average, agent.learner.params[:agent.network.n_policy])
    adam = agent.learner.adam
    assert adam.step == 3 * agent.config.horizon and not adam.mean.any()          # schedules have run
    assert (adam.square[:agent.network.n_policy] > 0).mean() > 0.5
    assert len(agent.replay.dialogues) == agent.n_dialogues == 0


# ---- the critic

@every_agent
def test_the_critic_learns_while_the_policy_is_held(kind):
    agent = make_small(kind, "summary", hidden=(20,), minibatch=4, critic_body="own")
    batch = random_batch(np.random.default_rng(2), agent.network, n_dialogues=6)
    before = agent.learner.params.copy()
    evaluate_policy(agent, batch, 50)
    n = agent.network.n_policy
    assert_array_equal(agent.learner.params[:n], before[:n])
    assert_array_equal(agent.learner.average, before[:n])
    assert (agent.network.n_critic == 0) or (agent.learner.params[n:] != before[n:]).mean() > 0.5
    adam = agent.learner.adam
    assert adam.step == 0 and not adam.mean.any() and not adam.square[:n].any()
    assert (agent.network.n_critic == 0) or (adam.square[n:] > 0).mean() > 0.5


@every_agent
def test_adam_remembers_how_large_the_gradients_of_imitation_were(kind):
    """In the unit of the agent's own: a step on the same gradient again is then not longer than imitation's were."""
    agent = make_small(kind, "summary", hidden=(20,), minibatch=6, critic_body="own")
    batch = random_batch(np.random.default_rng(5), agent.network, n_dialogues=6)
    fresh, n = Learner.start(agent.learner.params, agent.network.n_policy), agent.network.n_policy
    once, _ = imitation_update(agent.network, fresh, batch, 1e-3, "mean" if kind == "acer" else "sum")
    imitate(agent, batch, 1)
    gradient = direction_of(fresh, once)
    assert_allclose(agent.learner.adam.square, gradient ** 2, rtol=1e-3, atol=1e-9)
    before = agent.learner.adam.square
    evaluate_policy(agent, batch, 3)
    assert_array_equal(agent.learner.adam.square[:n], before[:n])
    assert agent.learner.adam.step == agent.config.horizon


# ---- the memory

@every_agent
def test_what_is_remembered_is_replayed_as_it_was(kind):
    agent = make_small(kind, "master")
    batch = random_batch(np.random.default_rng(3), agent.network, n_dialogues=5)
    params = agent.learner.params
    remember(agent, batch)
    replayed = agent.replay.sample(5, np.random.default_rng(0))
    assert sorted(replayed.rewards.tolist()) == sorted(batch.rewards.tolist()) and agent.learner.params is params
    assert [len(d.actions) for d in agent.replay.dialogues] == batch.lengths.tolist()
    agent.learn()


# ---- refusals

@pytest.mark.parametrize("teach", [lambda agent, batch: imitate(agent, batch, 2), remember,
                                   lambda agent, batch: evaluate_policy(agent, batch, 2)])
@pytest.mark.parametrize("change, words", [
    (lambda b: b._replace(masks=np.zeros_like(b.masks)), "masks forbids action"),
    (lambda b: b._replace(beliefs=b.beliefs[:, 1:]), "beliefs has shape"),
    (lambda b: b._replace(mu=np.zeros_like(b.mu)), "mu forbids action"),
    (lambda b: b._replace(actions=b.actions + 99), "actions is"),
    (lambda b: b._replace(masks=b.masks[:, 1:]), "masks has shape")])
def test_a_demonstrator_that_was_masked_or_is_from_elsewhere_is_refused_and_nothing_changes(teach, change, words):
    agent = make_small("acer", "summary")
    batch, before = random_batch(np.random.default_rng(4), agent.network), everything(agent)
    with pytest.raises(ValueError, match=f"^{re.escape(words)}.*expected"):
        teach(agent, change(batch))
    assert everything(agent) == before


@pytest.mark.parametrize("change, words", [
    (dict(choices=np.array([1, -1])), "choices is [ 1 -1], expected whole numbers from 0 to 3"),
    (dict(choices=np.array([4, 0])), "choices is [4 0], expected whole numbers from 0 to 3"),
    (dict(choices=np.array([1, 3])), "masks forbids action 3, expected the actions taken to be possible"),
    (dict(doubt=2), "doubt is 2, expected a number from 0 to 1"),
    (dict(masks=np.ones((2, 4))), "masks has type float64, expected bool")])
def test_a_demonstrator_who_cannot_be_is_refused_by_name(change, words):
    masks = np.array([[True] * 4, [True, True, True, False]])
    with pytest.raises(ValueError, match=re.escape(words)):
        demonstrated_behaviour(SummaryHeads(4), **dict(choices=np.array([0, 1]), masks=masks) | change)


@pytest.mark.parametrize("bad", [-1, np.nan])
def test_imitation_refuses_steps_that_are_none(bad):
    agent = make_small("acer", "summary")
    batch, before = random_batch(np.random.default_rng(4), agent.network), everything(agent)
    with pytest.raises(ValueError, match=f"learning_rate is {bad}, expected a number from 0 to inf"):
        imitate(agent, batch, 2, learning_rate=bad)
    assert everything(agent) == before
