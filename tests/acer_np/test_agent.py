"""What the three learners share: acting, recording, exploring, learning."""
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.a2c import A2CAgent, A2CConfig
from acer_np.acer import ACERAgent, ACERConfig
from acer_np.agent import ReplayAgent, ReplayConfig, draw, epsilon_at
from acer_np.enac import ENACAgent, ENACConfig
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from tests.strategies import log_payload, seeds, spelled_out, wide_log_policy

LEARNERS = {"acer": (ACERAgent, ACERConfig), "a2c": (A2CAgent, A2CConfig), "enac": (ENACAgent, ENACConfig)}
HEADS = {"summary": SummaryHeads(4), "master": MasterHeads(2, 2, 2)}
N_BELIEF = 5
every_agent = pytest.mark.parametrize("name", LEARNERS)
every_space = pytest.mark.parametrize("space", HEADS)


def make(name="acer", space="summary", seed=0, fingerprint="home", n_belief=N_BELIEF, **settings):
    agent, config = LEARNERS[name]
    small = dict(hidden=(6, 4), minibatch=3, capacity=8, epsilon_dialogues=10)
    return agent(n_belief, HEADS[space], config(**small | settings), seed=seed, fingerprint=fingerprint)


def play(agent, rng, n_dialogues):
    """Dialogues of one to four turns with random beliefs, masks and rewards; returns the actions."""
    actions = []
    for _ in range(n_dialogues):
        for left in reversed(range(rng.integers(1, 5))):
            mask = rng.random(len(agent.heads.sizes)) < 0.7
            mask[rng.integers(len(mask))] = True
            actions.append(agent.act(rng.random(agent.network.n_belief), np.repeat(mask, agent.heads.sizes)))
            agent.observe(float(rng.normal()), done=left == 0)
        agent.learn()
    return actions


def everything(agent):
    """All state, as plain values that compare exactly."""
    learner, replay = agent.learner, agent.replay
    arrays = [learner.params, learner.average, *learner.adam[1:], *(column for d in replay.dialogues for column in d)]
    return ([(a.dtype.str, a.shape, a.tobytes()) for a in arrays], learner.adam.step, len(replay.dialogues),
            replay.dialogues.maxlen, len(replay.turns), list(replay.rewards), agent.n_dialogues,
            agent.rng.bit_generator.state)


# ---- acting and recording

@every_agent
@every_space
def test_a_dialogue_is_recorded_as_it_was_lived(name, space):
    agent = make(name, space, reward_scale=0.5, dtype="float64", epsilon_start=0.8, epsilon_end=0.2)
    beliefs, sizes = np.random.default_rng(1).random((3, N_BELIEF)), agent.heads.sizes
    masks = np.array([[True, False, True, True], [False, True, False, True], [True, True, True, True]])
    assert agent.n_dialogues == 0
    actions = []
    for t in range(3):
        actions.append(agent.act(beliefs[t], np.repeat(masks[t], sizes)))
        agent.observe(float(t), done=t == 2)
    (dialogue,) = agent.replay.dialogues
    assert_array_equal(dialogue.beliefs, beliefs)
    assert_array_equal(dialogue.masks, masks)
    assert_array_equal(dialogue.actions, actions)
    assert_array_equal(dialogue.rewards, [0.0, 0.5, 1.0])
    assert_array_equal(dialogue.epsilons, [0.8, 0.8, 0.8])
    assert_array_equal(dialogue.lengths, [3])
    assert all(type(action) is int for action in actions)
    where = spelled_out(agent.heads)
    assert all(mask[where[action][0]] for mask, action in zip(masks, actions))
    assert agent.n_dialogues == 1


@every_space
def test_the_preferred_action_on_record_is_the_most_probable_one_at_the_time(space):
    agent, rng = make(space=space, head_init=1.0), np.random.default_rng(0)
    belief, mask = rng.random(N_BELIEF), np.array([False, True, True, True])
    log_pi = wide_log_policy(agent.heads, agent.network.forward(agent.learner.params, belief[None]).logits, mask[None])
    wide = np.repeat(mask, agent.heads.sizes)
    tested = agent.act(belief, wide, greedy=True)
    for _ in range(20):
        agent.act(belief, wide)
        agent.observe(0.0, done=False)
    agent.act(belief, wide)
    agent.observe(0.0, done=True)
    where = spelled_out(agent.heads)
    best = np.bincount([summary for summary, _ in where], np.exp(log_pi[0])).argmax()
    expected = max((a for a, (summary, _) in enumerate(where) if summary == best), key=lambda a: log_pi[0, a])
    assert set(agent.replay.dialogues[0].greedy) == {tested} == {expected}
    assert len(set(agent.replay.dialogues[0].actions)) > 2                      # while ε is 0.95


@pytest.mark.parametrize("name, space", [("acer", "summary"), ("a2c", "master")])
def test_without_exploration_the_preferred_action_is_taken(name, space):
    agent = make(name, space, epsilon_start=0.0, head_init=1.0)
    wide = np.ones(agent.heads.n_actions, bool)
    for belief in np.random.default_rng(0).random((20, N_BELIEF)):
        assert agent.act(belief, wide) == agent.act(belief, wide, greedy=True)
        agent.observe(-1.0, done=True)


@pytest.mark.parametrize("space", HEADS)
def test_drawn_actions_follow_the_policy_and_the_draw_is_on_record(space):
    agent = make("enac", space, head_init=1.0, capacity=2000)
    belief, mask = np.random.default_rng(3).random(N_BELIEF), np.array([True, True, False, True])
    log_pi = wide_log_policy(agent.heads, agent.network.forward(agent.learner.params, belief[None]).logits, mask[None])
    n, expected = 2000, np.exp(log_pi[0])
    for _ in range(n):
        agent.act(belief, np.repeat(mask, agent.heads.sizes))
        agent.observe(0.0, done=True)
    actions = np.concatenate([d.actions for d in agent.replay.dialogues])
    assert_array_equal(actions, np.concatenate([d.greedy for d in agent.replay.dialogues]))
    counts = np.bincount(actions, minlength=agent.heads.n_actions)
    assert (counts[expected == 0] == 0).all() and (expected > 0.02).sum() > 2
    assert (np.abs(counts - n * expected) <= 5 * np.sqrt(n * expected) + 1e-9).all()


@given(seeds, st.sampled_from(sorted(HEADS)))
def test_a_certain_policy_draws_its_one_action(seed, space):
    rng, heads = np.random.default_rng(seed), HEADS[space]
    logits = rng.normal(size=(1, heads.width)).astype(np.float32)
    logits[0, rng.integers(4)] += 1e4
    if space == "master":
        logits[0, 4 + rng.integers(4)] += 1e4
    policy = heads.policy(logits, np.ones((1, 4), bool))
    assert_array_equal(draw(policy, heads, rng), [wide_log_policy(heads, logits, np.ones((1, 4), bool)).argmax()])


@every_agent
@every_space
def test_testing_leaves_no_trace(name, space):
    agent, rng = make(name, space), np.random.default_rng(0)
    play(agent, rng, 3)
    agent.act(rng.random(N_BELIEF), np.ones(agent.heads.n_actions, bool))        # also in the middle of a turn
    before = everything(agent)
    belief, wide = rng.random(N_BELIEF), np.ones(agent.heads.n_actions, bool)
    answers = {agent.act(belief, wide, greedy=True) for _ in range(5)}
    assert len(answers) == 1 and type(answers.pop()) is int
    assert everything(agent) == before


def test_epsilon_falls_on_a_straight_line_and_then_stays():
    config = ReplayConfig(epsilon_start=0.9, epsilon_end=0.1, epsilon_dialogues=4)
    assert_allclose([epsilon_at(config, n) for n in (0, 1, 2, 3, 4, 5, 1000)], [0.9, 0.7, 0.5, 0.3, 0.1, 0.1, 0.1])


def test_epsilon_moves_with_finished_dialogues_only():
    agent = make("acer", epsilon_start=1.0, epsilon_end=0.0, epsilon_dialogues=4, capacity=9, dtype="float64")
    for _ in range(6):
        for done in (False, False, np.True_):
            agent.act(np.zeros(N_BELIEF), np.ones(4, bool))
            agent.observe(0.0, done)
    for dialogue, epsilon in zip(agent.replay.dialogues, [1, 0.75, 0.5, 0.25, 0, 0], strict=True):
        assert_array_equal(dialogue.epsilons, [epsilon] * 3)
    assert agent.n_dialogues == 6 and type(agent.n_dialogues) is int            # it goes into a JSON header


def test_exploration_goes_over_single_or_summary_actions():
    counts = {}
    for over in ("actions", "summary"):
        agent = make("acer", "master", epsilon_start=1.0, epsilon_dialogues=10 ** 9, explore_over=over)
        actions = []
        for _ in range(1000):
            actions.append(agent.act(np.zeros(N_BELIEF), np.ones(10, bool)))
            agent.observe(0.0, done=True)
        counts[over] = np.mean(np.array(actions) < 8)        # of informs: 8 of 10 actions, 2 of 4 summary actions
    assert counts["actions"] == pytest.approx(0.8, abs=0.06) and counts["summary"] == pytest.approx(0.5, abs=0.08)


@pytest.mark.parametrize("epsilon", [0.0, 1.0])
def test_over_summary_actions_payloads_are_drawn_from_the_payload_policy_which_is_on_record(epsilon):
    agent = make("acer", "master", epsilon_start=epsilon, epsilon_end=epsilon, head_init=3.0, explore_over="summary",
                 capacity=3000, dtype="float64")
    belief, mask = np.random.default_rng(4).random(N_BELIEF), np.array([True, False, False, False])
    logits = agent.network.forward(agent.learner.params, belief[None]).logits
    n, expected = 3000, np.exp(log_payload(agent.heads, logits[:, 4:]))[0]
    counts = np.zeros(4)
    for _ in range(n):
        counts[agent.act(belief, np.repeat(mask, agent.heads.sizes))] += 1
        agent.observe(0.0, done=True)
    assert (np.abs(counts - n * expected) <= 4 * np.sqrt(n * expected)).all() and np.ptp(expected) > 0.1
    for dialogue in agent.replay.dialogues:
        assert_array_equal(dialogue.payloads, logits[:, 4:])


# ---- learning

@every_agent
@every_space
def test_learning_moves_the_policy_by_as_many_updates_as_asked(name, space):
    agent = make(name, space, updates_per_dialogue=3)
    before = agent.learner.params.copy()
    play(agent, np.random.default_rng(0), 4)
    assert len(agent.diagnostics) == 12
    assert np.isfinite(agent.learner.params).all() and not np.array_equal(agent.learner.params, before)
    assert agent.learner.params.dtype == np.float32
    assert len({type(diagnostics) for diagnostics in agent.diagnostics}) == 1


def test_every_update_gets_its_own_minibatch_of_the_size_asked_for():
    seen = []

    def recorder(network, learner, batch, config):
        seen.append(tuple(batch.rewards))
        return learner, None

    config = ReplayConfig(hidden=(2,), minibatch=3, updates_per_dialogue=2, reward_scale=1)
    agent = ReplayAgent(recorder, 1, SummaryHeads(2), config)
    for i in range(40):
        agent.act(np.zeros(1), np.ones(2, bool))
        agent.observe(float(i), done=True)
        agent.learn()
    assert [len(rewards) for rewards in seen] == [1, 1, 2, 2] + 76 * [3]
    assert all(len(set(rewards)) == len(rewards) for rewards in seen)
    assert sum(set(a) == set(b) for a, b in zip(seen[::2], seen[1::2])) < 10      # the two of one dialogue differ
    assert len(set().union(*seen)) > 30


def test_the_seed_decides_everything():
    one, same, other = make(seed=[3, 2]), make(seed=[3, 2]), make(seed=[4, 2])
    assert play(one, np.random.default_rng(0), 12) == play(same, np.random.default_rng(0), 12)
    assert everything(one) == everything(same)
    assert not np.array_equal(make(seed=[3, 2]).learner.params, other.learner.params)
    assert make().rng.bit_generator.state != make(seed=1).rng.bit_generator.state
    unseeded = ACERAgent(N_BELIEF, HEADS["summary"], make().config)
    assert everything(unseeded) == everything(make(seed=0)) and unseeded.fingerprint == ""


@pytest.mark.parametrize("name, special", [("acer", {}), ("a2c", {}), ("enac", {"kl_limit": 0.01})])
def test_it_learns_which_of_two_actions_pays_in_each_of_two_situations(name, special):
    agent = make(name, n_belief=2, hidden=(8,), minibatch=16, capacity=64, reward_scale=1.0, epsilon_dialogues=200,
                 learning_rate=1.0 if name == "enac" else 0.01, **special)
    rng, mask = np.random.default_rng(0), np.array([True, True, False, False])
    for _ in range(200):
        side = rng.integers(2)
        agent.observe(float(agent.act(np.eye(2)[side], mask) == side), done=True)
        agent.learn()
    assert [agent.act(belief, mask, greedy=True) for belief in np.eye(2)] == [0, 1]
    critic = agent.network.forward(agent.learner.params, np.eye(2)).critic
    if name == "a2c":
        assert (critic > 0.7).all()            # the value of the right action, not of the half-random behaviour


def test_the_critics_differ():
    outputs = {name: make(name).network.size - make(name).network.n_policy for name in LEARNERS}
    assert outputs == {"acer": (4 + 1) * 4, "a2c": 4 + 1, "enac": 0}
