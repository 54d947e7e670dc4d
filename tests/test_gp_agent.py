"""The GP agent: it samples, obeys the mask, learns returns, and keeps testing apart from training."""
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa.agent import GPAgent, GPConfig, exploration_scale
from gp_sarsa.layout import ActionLayout
from gp_sarsa.weight_space import WeightSpacePosterior

SUMMARY, MASTER = ActionLayout(2, 0, 3), ActionLayout(2, 3, 3)
N_BELIEF = 6


def make_agent(layout=SUMMARY, seed=0, **settings):
    return GPAgent(N_BELIEF, layout, GPConfig(**settings), seed=seed, fingerprint="toy")


def play(agent, rng, n_dialogues, reward=lambda belief, action: -1.0, tests_between=0):
    """Dialogues of one to five turns with random sparse beliefs and masks; returns the actions taken."""
    taken, layout = [], agent.layout
    for _ in range(n_dialogues):
        turns = rng.integers(1, 6)
        for t in range(turns):
            belief = rng.random(N_BELIEF) * (rng.random(N_BELIEF) < 0.7)
            mask = rng.random(layout.n_actions) < 0.8
            mask[rng.integers(layout.n_actions)] = True
            taken.append(agent.act(belief, mask))
            for _ in range(tests_between):
                agent.act(belief, mask, greedy=True)
            agent.observe(reward(belief, taken[-1]), t == turns - 1)
        agent.learn()
    return taken


def moments(agent, n=3):
    beliefs = np.random.default_rng(99).random((n, N_BELIEF))
    return [(agent.posterior.mean(b), agent.posterior.variance(b)) for b in beliefs]


# ---------------------------------------------------------------------------------------------- configuration

@pytest.mark.parametrize("settings", [
    dict(gamma=1.1), dict(gamma=-0.1), dict(gamma=np.nan), dict(noise_std=0.0), dict(noise_std=np.inf),
    dict(scale_start=-1.0), dict(scale_end=np.nan), dict(scale_dialogues=-1), dict(test_scale=np.inf),
    dict(sampling="both")])
def test_settings_out_of_range_are_refused(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        GPConfig(**settings)


def test_limits_of_the_settings_are_allowed():
    GPConfig(gamma=0.0, scale_start=0.0, scale_end=0.0, scale_dialogues=0, test_scale=0.0, sampling="marginal")
    GPConfig(gamma=1.0)


def test_defaults_are_the_documented_ones():
    config = GPConfig()
    assert (config.gamma, config.noise_std, config.sampling, config.test_scale) == (0.99, 5.0, "joint", 0.0)
    assert (config.scale_start, config.scale_end, config.scale_dialogues) == (3.0, 0.0, 1000)


def test_a_configuration_cannot_be_changed():
    with pytest.raises(AttributeError):
        GPConfig().gamma = 0.5


def test_the_exploration_scale_by_hand():
    config = GPConfig(scale_start=3.0, scale_end=1.0, scale_dialogues=10)
    assert [exploration_scale(config, n) for n in (0, 5, 10, 25)] == [3, 2, 1, 1]
    assert exploration_scale(replace(config, scale_dialogues=0), 0) == 1


# ---------------------------------------------------------------------------------------------- acting

def test_greedy_takes_the_best_mean_among_the_allowed_and_the_first_of_equals():
    agent = make_agent()
    belief = np.eye(N_BELIEF)[0]
    agent.posterior.update(np.tile(belief, (2, 1)), np.array([3, 1]), np.array([10.0, 5.0]))
    assert type(agent.act(belief, np.ones(5, bool), greedy=True)) is int
    assert agent.act(belief, np.ones(5, bool), greedy=True) == 3
    assert agent.act(list(belief), [True, True, True, False, True], greedy=True) == 1
    assert agent.act(belief, np.array([False, False, True, False, True]), greedy=True) == 2


@pytest.mark.parametrize("layout", [SUMMARY, MASTER])
@pytest.mark.parametrize("sampling", ["joint", "marginal"])
def test_exploration_never_leaves_the_mask_and_reaches_everything_in_it(layout, sampling):
    agent, belief = make_agent(layout, sampling=sampling), np.ones(N_BELIEF)
    mask = np.zeros(layout.n_actions, bool)
    mask[::2] = True
    taken = set()
    for _ in range(300):
        taken.add(agent.act(belief, mask))
        agent._turns.clear()                                    # never mind the dialogue
    assert taken == set(np.flatnonzero(mask))


@pytest.mark.parametrize("sampling", ["joint", "marginal"])
@pytest.mark.parametrize("n_dialogues, scale", [(0, 2.0), (2, 1.25), (6, 0.5)])
def test_training_acts_on_a_draw_of_the_chosen_kind_with_the_scale_of_the_schedule(sampling, n_dialogues, scale):
    """The same random state, the same beliefs: the actions are the best of such draws."""
    agent = make_agent(MASTER, scale_start=2.0, scale_end=0.5, scale_dialogues=4, sampling=sampling)
    rng, copy = np.random.default_rng(1), np.random.default_rng()
    play(agent, rng, n_dialogues, reward=lambda b, a: b[0] * a)
    copy.bit_generator.state = agent.rng.bit_generator.state
    for belief in rng.random((10, N_BELIEF)):
        draw = agent.posterior.sample(belief, scale, copy, joint=sampling == "joint")
        assert agent.act(belief, np.ones(MASTER.n_actions, bool)) == np.argmax(draw)
        agent.observe(0.0, False)


def test_when_exploration_has_ended_training_acts_on_the_mean_and_draws_nothing():
    agent = make_agent(scale_end=0.0, scale_dialogues=3)
    play(agent, np.random.default_rng(0), 3)
    state, belief, mask = agent.rng.bit_generator.state, np.ones(N_BELIEF), np.ones(5, bool)
    assert agent.act(belief, mask) == agent.act(belief, mask, greedy=True) == np.argmax(agent.posterior.mean(belief))
    assert agent.rng.bit_generator.state == state


@pytest.mark.parametrize("test_scale", [0.0, 1.0])
def test_testing_never_changes_training(test_scale):
    alone, tested = make_agent(MASTER), make_agent(MASTER)
    tested.test_scale = test_scale
    assert play(alone, np.random.default_rng(1), 30) == play(tested, np.random.default_rng(1), 30, tests_between=2)
    assert_array_equal(moments(alone), moments(tested))


def test_testing_with_sampling_varies_and_on_the_mean_does_not():
    agent, belief, mask = make_agent(test_scale=1.0), np.ones(N_BELIEF), np.ones(5, bool)
    assert len({agent.act(belief, mask, greedy=True) for _ in range(100)}) == 5
    state = agent.test_rng.bit_generator.state
    agent.test_scale = 0.0
    assert len({agent.act(belief, mask, greedy=True) for _ in range(20)}) == 1
    assert agent.test_rng.bit_generator.state == state


def test_training_and_test_streams_differ_and_follow_the_seed():
    one, same, other = make_agent(seed=1), make_agent(seed=1), make_agent(seed=2)
    assert one.rng.random() != one.test_rng.random()
    assert GPAgent(N_BELIEF, SUMMARY).rng.random() == make_agent(seed=0).rng.random()
    assert play(make_agent(seed=1), np.random.default_rng(0), 40) == play(same, np.random.default_rng(0), 40)
    assert play(make_agent(seed=1), np.random.default_rng(0), 40) != play(other, np.random.default_rng(0), 40)


# ---------------------------------------------------------------------------------------------- learning

def test_what_is_learned_are_the_returns_of_the_actions_taken():
    agent, mask = make_agent(gamma=0.5, noise_std=2.0), np.ones(5, bool)
    beliefs, actions = np.random.default_rng(0).random((3, N_BELIEF)), []
    for belief, reward, done in zip(beliefs, (-1.0, -1.0, 20.0), (False, False, True)):
        actions.append(agent.act(belief, mask))
        agent.observe(reward, done)
    agent.learn()
    expected = WeightSpacePosterior(N_BELIEF, SUMMARY, 2.0)
    expected.update(beliefs, np.array(actions), np.array([3.5, 9.0, 20.0]))
    for belief in beliefs:
        assert_allclose(agent.posterior.mean(belief), expected.mean(belief), rtol=1e-13, atol=1e-14)
        assert_allclose(agent.posterior.variance(belief), expected.variance(belief), rtol=1e-13)
    assert agent.n_dialogues == 1


@pytest.mark.parametrize("layout", [SUMMARY, MASTER])
@pytest.mark.parametrize("sampling", ["joint", "marginal"])
def test_it_learns_which_action_suits_which_belief(layout, sampling):
    """Two situations, each with one action that earns 10: 60 one-turn dialogues suffice."""
    agent, mask = make_agent(layout, sampling=sampling), np.ones(layout.n_actions, bool)
    rng = np.random.default_rng(5)
    best = (layout.n_actions - 1, 1)
    for _ in range(60 if layout is SUMMARY else 250):
        which = rng.integers(2)
        action = agent.act(np.eye(N_BELIEF)[which] * 2, mask)
        agent.observe(10.0 * (action == best[which]) - 1.0, True)
        agent.learn()
    assert tuple(agent.act(np.eye(N_BELIEF)[which], mask, greedy=True) for which in (0, 1)) == best


def test_the_belief_is_copied_when_acting():
    agent, belief, mask = make_agent(), np.ones(N_BELIEF), np.ones(5, bool)
    agent.act(belief, mask)
    belief[:] = 0
    agent.observe(5.0, True)
    agent.learn()
    assert np.abs(agent.posterior.mean(np.ones(N_BELIEF))).max() > 0.1
    assert mask.all()


# ---------------------------------------------------------------------------------------------- refusals

@pytest.mark.parametrize("belief, mask", [
    (np.ones(5), np.ones(5, bool)), (np.array([1, 1, 1, 1, 1, np.nan]), np.ones(5, bool)),
    (np.ones(N_BELIEF), np.zeros(5, bool)),
    (np.ones(N_BELIEF), np.ones(4, bool)), (np.ones(N_BELIEF), np.ones(5)), (np.ones((1, N_BELIEF)), np.ones(5, bool))])
@pytest.mark.parametrize("greedy", [True, False])
def test_beliefs_and_masks_that_make_no_sense_are_refused(belief, mask, greedy):
    agent = make_agent()
    with pytest.raises(ValueError, match="must be"):
        agent.act(belief, mask, greedy)
    agent.act(np.ones(N_BELIEF), np.ones(5, bool))              # and nothing was recorded


def test_calls_out_of_turn_are_refused():
    agent, belief, mask = make_agent(), np.ones(N_BELIEF), np.ones(5, bool)
    with pytest.raises(ValueError, match="one act"):
        agent.observe(-1.0, False)
    with pytest.raises(ValueError, match="finished dialogue"):
        agent.learn()
    agent.act(belief, mask)
    with pytest.raises(ValueError, match="comes before"):
        agent.act(belief, mask)
    agent.act(belief, mask, greedy=True)
    with pytest.raises(ValueError, match="finite"):
        agent.observe(np.nan, False)
    agent.observe(-1.0, False)
    with pytest.raises(ValueError, match="one act"):
        agent.observe(-1.0, False)
    with pytest.raises(ValueError, match="finished dialogue"):
        agent.learn()
    agent.act(belief, mask)
    agent.observe(19.0, True)
    with pytest.raises(ValueError, match="comes before"):
        agent.act(belief, mask)
    agent.learn()
    with pytest.raises(ValueError, match="finished dialogue"):
        agent.learn()
    agent.act(belief, mask)
