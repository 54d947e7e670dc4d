"""What the agents share while they act: what is recorded, drawn and left alone. Learning: test_agent_learning."""
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.strategies import (N_BELIEF, every_agent, every_space, everything, log_payload, make_small, play,
                              spelled_out, wide_log_policy, wide_mask, wide_q)

EPSILON_GREEDY = dict(behaviour="greedy", epsilon=0.4)


def outputs(agent, belief, mask):
    """(1, A) log π and the outputs of the critic, as they are now."""
    now = agent.network.forward(agent.learner.params, belief[None])
    return wide_log_policy(agent.heads, now.logits, mask[None]), now


def act_often(agent, belief, mask, n):
    """Actions in n one-turn dialogues that all begin alike."""
    actions = []
    for _ in range(n):
        actions.append(agent.act(belief, wide_mask(agent.heads, mask)))
        agent.observe(0.0, done=True)
    return np.array(actions)


def as_often_as(actions, expected):
    counts = np.bincount(actions, minlength=len(expected))
    spread = np.sqrt(len(actions) * expected * (1 - expected))
    return (counts[expected == 0] == 0).all() and (np.abs(counts - len(actions) * expected) <= 5 * spread + 1).all()


# ---- acting and recording

@every_agent
@every_space
def test_a_dialogue_is_recorded_as_it_was_lived(name, space):
    agent = make_small(name, space, reward_scale=0.5, dtype="float64", behaviour="draw", epsilon=0.0)
    beliefs = np.random.default_rng(1).random((3, N_BELIEF))
    masks = np.array([[True, False, True, True], [False, True, False, True], [True, True, True, True]])
    assert agent.n_dialogues == 0
    actions, logits = [], []
    for t in range(3):
        belief, wide = beliefs[t].copy(), wide_mask(agent.heads, masks[t])
        actions.append(agent.act(belief, wide))
        logits.append(outputs(agent, belief, masks[t])[1].logits[0])
        belief[:], wide[:] = 9, False                                # the memory has its own copies
        agent.observe(float(t), done=t == 2)
    (dialogue,) = agent.replay.dialogues
    assert_array_equal(dialogue.beliefs, beliefs)
    assert_array_equal(dialogue.masks, masks)
    assert_array_equal(dialogue.actions, actions)
    assert_array_equal(dialogue.rewards, [0.0, 0.5, 1.0])
    assert_array_equal(dialogue.lengths, [3])
    assert_array_equal(dialogue.payload_logits, np.array(logits)[:, 4:])
    for t, mu in enumerate(dialogue.mu):
        pi = np.exp(wide_log_policy(agent.heads, logits[t][None], masks[[t]]))[0]
        assert_allclose(mu, np.bincount([summary for summary, _ in spelled_out(agent.heads)], pi), atol=1e-14)
    assert all(type(action) is int for action in actions)
    assert all(wide_mask(agent.heads, mask)[action] for mask, action in zip(masks, actions))
    assert agent.n_dialogues == 1


def test_a_new_dialogue_starts_afresh_and_numpy_bools_end_it():
    agent = make_small(reward_scale=1.0)
    for reward, done in ((1, False), (2, np.True_), (3, True)):
        agent.act(np.zeros(N_BELIEF), np.ones(4, bool))
        agent.observe(reward, done)
    assert [list(d.rewards) for d in agent.replay.dialogues] == [[1, 2], [3]]
    assert agent.n_dialogues == 2 and type(agent.n_dialogues) is int            # it goes into a JSON header


@every_space
@pytest.mark.parametrize("behaviour", ["draw", "greedy"])
@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.0])
def test_training_draws_from_the_mixture_that_it_records(space, behaviour, epsilon):
    agent = make_small("acer", space, dtype="float64", behaviour=behaviour, epsilon=epsilon, capacity=1000,
                       horizon=10 ** 15)                       # so ε hardly falls
    belief, mask = np.random.default_rng(3).random(N_BELIEF), np.array([True, True, False, True])
    log_pi, now = outputs(agent, belief, mask)
    where = spelled_out(agent.heads)
    pi_s = np.bincount([summary for summary, _ in where], np.exp(log_pi[0]))
    preferred = np.eye(4)[pi_s.argmax()] if behaviour == "greedy" else pi_s
    mu = (1 - epsilon) * preferred + epsilon * mask / 3
    log_nu = log_payload(agent.heads, now.logits[:, 4:])
    expected = np.array([mu[s] * (1.0 if p is None else np.exp(log_nu[0, p])) for s, p in where])
    assert as_often_as(act_often(agent, belief, mask, 1000), expected)
    for dialogue in list(agent.replay.dialogues)[::100]:
        assert_allclose(dialogue.mu, [mu], atol=1e-11)
        assert_array_equal(dialogue.payload_logits, now.logits[:, 4:])


@every_agent
@every_space
def test_tests_are_greedy_or_drawn_from_the_policy(name, space):
    agent = make_small(name, space, **EPSILON_GREEDY)
    belief, mask = np.random.default_rng(3).random(N_BELIEF), np.array([True, True, False, True])
    wide, where = wide_mask(agent.heads, mask), spelled_out(agent.heads)
    pi = np.exp(outputs(agent, belief, mask)[0][0])
    best = np.bincount([summary for summary, _ in where], pi).argmax()
    expected = max((a for a, (summary, _) in enumerate(where) if summary == best), key=lambda a: pi[a])
    assert {agent.act(belief, wide, "greedy") for _ in range(5)} == {expected}
    draws = [agent.act(belief, wide, mode="draw") for _ in range(500)]
    assert as_often_as(np.array(draws), pi) and len(set(draws)) > 2
    assert all(type(action) is int for action in draws)


@every_agent
@every_space
def test_testing_leaves_training_as_it_was(name, space):
    agent, tested = make_small(name, space), make_small(name, space)
    actions = []
    for learner in (agent, tested):
        rng = np.random.default_rng(0)
        play(learner, rng, 3)
        learner.act(rng.random(N_BELIEF), np.ones(agent.heads.n_actions, bool))        # also in the middle of a turn
    before = everything(tested)
    for belief in np.random.default_rng(1).random((5, N_BELIEF)):
        for test in (lambda *turn: tested.act(*turn, "greedy"), lambda *turn: tested.act(*turn, "draw"),
                     tested.action_table):
            test(belief, np.ones(agent.heads.n_actions, bool))
    assert everything(tested) == before
    for learner in (agent, tested):
        learner.observe(1.0, done=True)
        actions.append(play(learner, np.random.default_rng(2), 3))
    assert actions[0] == actions[1] and everything(agent) == everything(tested)


def test_exploration_falls_with_finished_dialogues_on_a_straight_line_and_then_stays():
    agent = make_small(behaviour="greedy", epsilon=1.0, horizon=4, capacity=9, dtype="float64")
    for _ in range(6):
        for done in (False, False, True):
            agent.act(np.zeros(N_BELIEF), np.ones(4, bool))
            agent.observe(0.0, done)
    for dialogue, epsilon in zip(agent.replay.dialogues, [1, 0.75, 0.5, 0.25, 0, 0], strict=True):
        assert_allclose(np.sort(dialogue.mu, axis=1), [[epsilon / 4] * 3 + [1 - 0.75 * epsilon]] * 3, atol=1e-15)


@every_agent
@every_space
def test_the_action_table_is_the_policy_and_the_critics_values_of_every_action(name, space):
    agent = make_small(name, space, reward_scale=0.1, dtype="float64")
    belief, mask = np.random.default_rng(5).random(N_BELIEF), np.array([False, True, True, True])
    log_pi, now = outputs(agent, belief, mask)
    found = agent.action_table(belief, wide_mask(agent.heads, mask))
    assert_allclose(found["pi"], np.exp(log_pi[0]), atol=1e-14)
    assert set(found) == ({"pi", "Q"} if name == "acer" else {"pi"})
    if name == "acer":
        assert_allclose(found["Q"], 10 * wide_q(agent.heads, now.critic)[0], atol=1e-12)
