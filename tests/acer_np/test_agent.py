"""What the three learners share: acting, recording, exploring, learning."""
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from acer_np import A2CAgent, ACERAgent, ACERConfig, ENACAgent, SummaryHeads
from acer_np.agent import ReplayAgent
from tests.strategies import (AGENTS, HEADS, N_BELIEF, everything, log_payload, make_small, play, spelled_out,
                              wide_log_policy, wide_mask, wide_q)

every_agent = pytest.mark.parametrize("name", AGENTS)
every_space = pytest.mark.parametrize("space", HEADS)
EPSILON_GREEDY = dict(behaviour="greedy", epsilon=0.4, final_epsilon=0.4)


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
    agent = make_small(name, space, reward_scale=0.5, dtype="float64", behaviour="draw", epsilon=0.0, final_epsilon=0.0)
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
    agent = make_small("acer", space, head_init=2.0, dtype="float64", behaviour=behaviour, epsilon=epsilon,
                       final_epsilon=epsilon, capacity=1000)
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
        assert_allclose(dialogue.mu, [mu], atol=1e-14)
        assert_array_equal(dialogue.payload_logits, now.logits[:, 4:])


@every_agent
@every_space
def test_tests_are_greedy_or_drawn_from_the_policy(name, space):
    agent = make_small(name, space, head_init=2.0, **EPSILON_GREEDY)
    belief, mask = np.random.default_rng(3).random(N_BELIEF), np.array([True, True, False, True])
    wide, where = wide_mask(agent.heads, mask), spelled_out(agent.heads)
    pi = np.exp(outputs(agent, belief, mask)[0][0])
    best = np.bincount([summary for summary, _ in where], pi).argmax()
    expected = max((a for a, (summary, _) in enumerate(where) if summary == best), key=lambda a: pi[a])
    assert {agent.act(belief, wide, "greedy") for _ in range(5)} == {expected}
    draws = [agent.act(belief, wide, mode="draw") for _ in range(1000)]
    assert as_often_as(np.array(draws), pi) and len(set(draws)) > 2
    assert all(type(action) is int for action in draws)


@every_agent
@every_space
@pytest.mark.parametrize("mode", ["greedy", "draw"])
def test_testing_leaves_training_as_it_was(name, space, mode):
    agent, tested = make_small(name, space), make_small(name, space)
    actions = []
    for learner in (agent, tested):
        rng = np.random.default_rng(0)
        play(learner, rng, 3)
        learner.act(rng.random(N_BELIEF), np.ones(agent.heads.n_actions, bool))        # also in the middle of a turn
    before = everything(tested)
    for belief in np.random.default_rng(1).random((5, N_BELIEF)):
        tested.act(belief, np.ones(agent.heads.n_actions, bool), mode)
        tested.opinions(belief, np.ones(agent.heads.n_actions, bool))
    assert everything(tested) == before
    for learner in (agent, tested):
        learner.observe(1.0, done=True)
        actions.append(play(learner, np.random.default_rng(2), 3))
    assert actions[0] == actions[1] and everything(agent) == everything(tested)


@every_agent
@every_space
def test_masks_of_zeros_and_ones_are_masks(name, space):
    one, other, rng = make_small(name, space), make_small(name, space), np.random.default_rng(0)
    for belief in rng.random((10, N_BELIEF)):
        mask = rng.random(4) < 0.5
        mask[rng.integers(4)] = True
        wide = wide_mask(one.heads, mask)
        assert one.act(belief, wide) == other.act(belief, wide.astype(np.int8))
        assert one.act(belief, wide, "draw") == other.act(belief, list(map(int, wide)), "draw")
        for agent in (one, other):
            agent.observe(0.0, done=True)
    assert everything(one) == everything(other)
    assert other.replay.dialogues[0].masks.dtype == bool


def test_exploration_falls_with_finished_dialogues_on_a_straight_line_and_then_stays():
    agent = make_small(behaviour="greedy", epsilon=1.0, final_epsilon=0.0, horizon=4, capacity=9, dtype="float64")
    for _ in range(6):
        for done in (False, False, True):
            agent.act(np.zeros(N_BELIEF), np.ones(4, bool))
            agent.observe(0.0, done)
    for dialogue, epsilon in zip(agent.replay.dialogues, [1, 0.75, 0.5, 0.25, 0, 0], strict=True):
        assert_allclose(np.sort(dialogue.mu, axis=1), [[epsilon / 4] * 3 + [1 - 0.75 * epsilon]] * 3, atol=1e-15)


@every_agent
@every_space
def test_opinions_are_the_policy_and_the_critics_values_of_every_action(name, space):
    agent = make_small(name, space, head_init=1.0, reward_scale=0.1, dtype="float64")
    belief, mask = np.random.default_rng(5).random(N_BELIEF), np.array([False, True, True, True])
    log_pi, now = outputs(agent, belief, mask)
    found = agent.opinions(belief, wide_mask(agent.heads, mask))
    assert_allclose(found["pi"], np.exp(log_pi[0]), atol=1e-14)
    assert set(found) == ({"pi", "Q"} if name == "acer" else {"pi"})
    if name == "acer":
        assert_allclose(found["Q"], 10 * wide_q(agent.heads, now.critic)[0], atol=1e-12)


# ---- learning

@every_agent
@every_space
def test_learning_moves_the_policy_by_as_many_updates_as_asked(name, space):
    agent = make_small(name, space, updates_per_dialogue=3)
    before = agent.learner.params.copy()
    play(agent, np.random.default_rng(0), 4)
    assert len(agent.diagnostics) == 12 and agent.learner.adam.step == 12
    assert np.isfinite(agent.learner.params).all() and not np.array_equal(agent.learner.params, before)
    assert agent.learner.params.dtype == np.float32
    assert len({type(diagnostics) for diagnostics in agent.diagnostics}) == 1


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
    assert [len(rewards) for rewards in seen] == [1, 1, 2, 2] + 76 * [3]
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
    unseeded = ACERAgent(N_BELIEF, HEADS["summary"], make_small().config)
    assert everything(unseeded) == everything(make_small(seed=0))


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
    rate = 1.0 if name == "enac" else 0.01
    falls = {} if name == "enac" else {"final_learning_rate": rate}
    agent = make_small(name, n_belief=2, hidden=(8,), minibatch=16, capacity=64, reward_scale=1.0, horizon=200,
                       learning_rate=rate, **falls, **special)
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
    teacher = make_small(hidden=(), behaviour="greedy", epsilon=1.0, final_epsilon=1.0, reward_scale=1, **common)
    for _ in range(200):
        side = rng.integers(2)
        teacher.observe(float(teacher.act(np.eye(2)[side], np.ones(4, bool)) == 3 * side), done=True)
    agent.replay.dialogues.extend(teacher.replay.dialogues)
    for _ in range(150):
        agent.learn()
    assert [agent.act(belief, np.ones(4, bool), "greedy") for belief in np.eye(2)] == [0, 3]


def test_the_critics_differ_and_the_agents_are_classes():
    sizes = {name: make_small(name, critic_body="shared").network for name in AGENTS}
    critics = {name: network.size - network.n_policy for name, network in sizes.items()}
    assert critics == {"acer": (4 + 1) * 4, "a2c": 4 + 1, "enac": 0}
    for name, agent_type in (("acer", ACERAgent), ("a2c", A2CAgent), ("enac", ENACAgent)):
        assert type(make_small(name)) is agent_type and isinstance(make_small(name), ReplayAgent)
    assert make_small("acer").network.critic_body == make_small("acer").config.critic_body
