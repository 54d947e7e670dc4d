"""The GP agent: it samples, obeys the mask, learns returns, and keeps testing apart from training."""
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa import GPAgent, WeightSpacePosterior
from gp_sarsa.agent import GPConfig, exploration_scale
from tests.gp_sarsa.cases import MASTER, SUMMARY, make_agent, moments, play, says

N_BELIEF, ALL = 6, np.ones(5, bool)


def by_action(belief, action):
    return belief[0] * action


@pytest.mark.parametrize("settings, told", [
    (dict(gamma=1.1), "gamma is 1.1, expected a number from 0 to 1"), (dict(gamma=-0.1), "gamma is -0.1"),
    (dict(gamma=np.nan), "gamma is nan, expected"), (dict(noise_std=0.0), "noise_std is 0.0, expected a positive"),
    (dict(scale_start=-1.0), "scale_start is -1.0, expected a finite number of at least 0"),
    (dict(scale_start=np.inf), "scale_start is inf"), (dict(scale_end=np.nan), "scale_end is nan"),
    (dict(scale_dialogues=-1), "scale_dialogues is -1, expected")])
def test_settings_out_of_range_are_refused(settings, told):
    with says(told):
        GPConfig(**settings)


def test_defaults_are_the_documented_ones_and_limits_are_allowed():
    assert GPConfig() == GPConfig(gamma=0.99, noise_std=5.0, scale_start=3.0, scale_end=0.0, scale_dialogues=1000)
    GPConfig(gamma=0.0, scale_start=0.0, scale_end=0.0, scale_dialogues=0)
    GPConfig(gamma=1.0)


def test_the_exploration_scale_by_hand():
    config = GPConfig(scale_start=3.0, scale_end=1.0, scale_dialogues=10)
    assert [exploration_scale(config, n) for n in (0, 5, 10, 25)] == [3, 2, 1, 1]
    assert exploration_scale(replace(config, scale_dialogues=0), 0) == 1


# ---------------------------------------------------------------------------------------------- acting

def test_greedy_takes_the_best_mean_among_the_allowed_and_the_first_of_equals():
    agent, belief = make_agent(), np.eye(N_BELIEF)[0]
    agent.posterior.update(np.tile(belief, (2, 1)), np.array([3, 1]), np.array([10.0, 5.0]))
    assert type(agent.act(belief, ALL, "greedy")) is int
    assert agent.act(belief, ALL, "greedy") == 3
    assert agent.act(list(belief), [True, True, True, False, True], "greedy") == 1
    assert agent.act(belief, np.array([0, 0, 1, 0, 1], np.int8), "greedy") == 2
    agent.posterior.update(belief[None], np.array([2]), np.array([-10.0]))
    assert agent.act(belief, [0, 0, 1, 0, 0], "greedy") == 2            # allowed, though its mean is below 0


@pytest.mark.parametrize("mode", ["train", "draw"])
def test_a_draw_never_leaves_the_mask_and_reaches_everything_in_it(mode):
    agent, belief, taken = make_agent(MASTER), np.ones(N_BELIEF), set()
    mask = np.arange(MASTER.n_actions) % 2 == 0
    for _ in range(300):
        taken.add(agent.act(belief, mask, mode))
        agent._turns.clear()                                    # never mind the dialogue
    assert taken == set(np.flatnonzero(mask))


@pytest.mark.parametrize("mode, n_dialogues, scale", [("train", 0, 2.0), ("train", 2, 1.25), ("train", 6, 0.5),
                                                      ("draw", 5, 1.0)])
def test_a_draw_has_the_scale_of_the_schedule_and_in_tests_1_and_a_stream_of_its_own(mode, n_dialogues, scale):
    """The same random state, the same beliefs: the actions are the best of such draws."""
    agent = make_agent(MASTER, scale_start=2.0, scale_end=0.5, scale_dialogues=4)
    rng, copy = np.random.default_rng(1), np.random.default_rng()
    play(agent, rng, n_dialogues, by_action)
    copy.bit_generator.state = (agent.rng if mode == "train" else agent.test_rng).bit_generator.state
    for belief in rng.random((10, N_BELIEF)):
        expected = np.argmax(agent.posterior.sample(belief, scale, copy))
        assert agent.act(belief, np.ones(MASTER.n_actions, bool), mode) == expected
        if mode == "train":
            agent.observe(0.0, False)


def test_when_exploration_has_ended_training_acts_on_the_mean_and_draws_nothing():
    agent = make_agent(scale_end=0.0, scale_dialogues=3)
    play(agent, np.random.default_rng(0), 3)
    state, belief = agent.rng.bit_generator.state, np.ones(N_BELIEF)
    assert agent.act(belief, ALL) == agent.act(belief, ALL, "greedy") == np.argmax(agent.posterior.mean(belief))
    assert agent.rng.bit_generator.state == state


def test_testing_never_changes_training_and_the_mean_leaves_no_trace_at_all():
    untested, tested = make_agent(MASTER), make_agent(MASTER)
    assert play(untested, np.random.default_rng(1), 30) == play(tested, np.random.default_rng(1), 30, tests_between=2)
    assert_array_equal(moments(untested.posterior), moments(tested.posterior))
    assert untested.rng.bit_generator.state == tested.rng.bit_generator.state
    before = tested.test_rng.bit_generator.state
    assert before != untested.test_rng.bit_generator.state
    tested.act(np.ones(N_BELIEF), np.ones(MASTER.n_actions, bool), "greedy")
    assert tested.test_rng.bit_generator.state == before


def test_the_table_has_mean_and_deviation_of_every_action():
    agent, belief = make_agent(MASTER), np.ones(N_BELIEF)
    play(agent, np.random.default_rng(1), 5, by_action)
    table = agent.action_table(belief, np.ones(MASTER.n_actions, bool))
    assert list(table) == ["mean", "std"] and agent.diagnostics == []
    assert_array_equal(table["mean"], agent.posterior.mean(belief))
    assert_allclose(table["std"] ** 2, agent.posterior.variance(belief), rtol=1e-14)


def test_training_and_test_streams_differ_and_follow_the_seed():
    one, same, other = (play(make_agent(seed=seed), np.random.default_rng(0), 40) for seed in (1, 1, 2))
    assert one == same != other
    training, test = np.random.default_rng(0).spawn(2)
    agent = GPAgent(N_BELIEF, SUMMARY)                                  # seed 0
    assert (agent.rng.random(), agent.test_rng.random()) == (training.random(), test.random())


# ---------------------------------------------------------------------------------------------- learning

def test_what_is_learned_are_the_returns_of_the_actions_taken():
    agent = make_agent(gamma=0.5, noise_std=2.0)
    beliefs, actions = np.random.default_rng(0).random((3, N_BELIEF)), []
    for belief, reward, done in zip(beliefs, (-1.0, -1.0, 20.0), (False, False, True)):
        seen = belief.copy()
        actions.append(agent.act(seen, ALL))
        seen[:] = 0.0                                                   # the belief was copied
        agent.observe(reward, done)
    agent.learn()
    expected = WeightSpacePosterior(N_BELIEF, SUMMARY, 2.0)
    expected.update(beliefs, np.array(actions), np.array([3.5, 9.0, 20.0]))
    assert_allclose(moments(agent.posterior), moments(expected), rtol=1e-13, atol=1e-14)
    assert agent.n_dialogues == 1


# ---------------------------------------------------------------------------------------------- refusals

@pytest.mark.parametrize("mode", ["train", "greedy", "draw"])
def test_beliefs_and_masks_that_make_no_sense_are_refused_and_leave_no_turn(mode):
    agent = make_agent()
    for belief, mask, told in ((np.ones(5), ALL, "belief is"), (np.ones(6), np.zeros(5, bool), "mask is bool")):
        with says(told):
            agent.act(belief, mask, mode)
    with says("mode is 'test', expected one of train, greedy, draw"):
        agent.act(np.ones(N_BELIEF), ALL, "test")
    agent.act(np.ones(N_BELIEF), ALL)


def test_a_posterior_of_another_size_is_refused():
    for n_belief, layout in ((N_BELIEF + 1, SUMMARY), (N_BELIEF, MASTER)):
        with pytest.raises(ValueError, match="posterior is for .*, expected 6 and ActionLayout.n_methods=2"):
            GPAgent(N_BELIEF, SUMMARY, posterior=WeightSpacePosterior(n_belief, layout, 5.0))


def test_calls_out_of_turn_are_refused():
    agent, belief = make_agent(), np.ones(N_BELIEF)

    def refused(call, *arguments):
        with says(f"{call}() is out of turn, expected "):
            getattr(agent, call)(*arguments)

    refused("observe", -1.0, False)
    refused("learn")
    agent.act(belief, ALL)
    refused("act", belief, ALL)
    agent.act(belief, ALL, "greedy")
    for reward in (np.nan, np.inf):
        with says(f"reward is {reward}, expected a finite number"):
            agent.observe(reward, False)
    agent.observe(-1.0, False)
    refused("observe", -1.0, False)
    refused("learn")
    agent.act(belief, ALL)
    agent.observe(19.0, True)
    refused("act", belief, ALL)
    agent.learn()
    refused("learn")
    agent.act(belief, ALL)
