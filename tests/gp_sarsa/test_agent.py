"""The GP agent: it samples, obeys the mask, learns returns, and keeps testing apart from training."""
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa import GPAgent, KernelPosterior, ProductKernel, WeightSpacePosterior, gaussian
from gp_sarsa.agent import GPConfig, exploration_scale
from tests.gp_sarsa.cases import MASTER, SUMMARY, forms, make_agent, moments, play

N_BELIEF = 6
every_form = pytest.mark.parametrize("form", [None, "exact", "sparse", "gaussian"])


# ---------------------------------------------------------------------------------------------- configuration

@pytest.mark.parametrize("settings, told", [
    (dict(gamma=1.1), "gamma is 1.1, expected a number from 0 to 1"), (dict(gamma=-0.1), "gamma is -0.1"),
    (dict(gamma=np.nan), "gamma is nan, expected"), (dict(noise_std=0.0), "noise_std is 0.0, expected a positive"),
    (dict(noise_std=np.inf), "noise_std is inf, expected"), (dict(scale_start=-1.0), "scale_start is -1.0, expected"),
    (dict(scale_end=np.nan), "scale_end is nan"), (dict(scale_dialogues=-1), "scale_dialogues is -1, expected")])
def test_settings_out_of_range_are_refused(settings, told):
    with pytest.raises(ValueError, match=told):
        GPConfig(**settings)


def test_limits_of_the_settings_are_allowed():
    GPConfig(gamma=0.0, scale_start=0.0, scale_end=0.0, scale_dialogues=0)
    GPConfig(gamma=1.0)


def test_defaults_are_the_documented_ones():
    config = GPConfig()
    assert (config.gamma, config.noise_std) == (0.99, 5.0)
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
    assert type(agent.act(belief, np.ones(5, bool), "greedy")) is int
    assert agent.act(belief, np.ones(5, bool), "greedy") == 3
    assert agent.act(list(belief), [True, True, True, False, True], "greedy") == 1
    assert agent.act(belief, np.array([0, 0, 1, 0, 1], np.int8), "greedy") == 2


@pytest.mark.parametrize("layout", [SUMMARY, MASTER])
@pytest.mark.parametrize("mode", ["train", "draw"])
@every_form
def test_a_draw_never_leaves_the_mask_and_reaches_everything_in_it(layout, mode, form):
    agent, belief, taken = make_agent(layout, form=form), np.ones(N_BELIEF), set()
    mask = np.zeros(layout.n_actions, bool)
    mask[::2] = True
    for _ in range(300):
        taken.add(agent.act(belief, mask, mode))
        agent._turns.clear()                                    # never mind the dialogue
    assert taken == set(np.flatnonzero(mask))


@every_form
@pytest.mark.parametrize("n_dialogues, scale", [(0, 2.0), (2, 1.25), (6, 0.5)])
def test_training_acts_on_a_draw_with_the_scale_of_the_schedule(form, n_dialogues, scale):
    """The same random state, the same beliefs: the actions are the best of such draws."""
    agent = make_agent(MASTER, form=form, scale_start=2.0, scale_end=0.5, scale_dialogues=4)
    rng, copy = np.random.default_rng(1), np.random.default_rng()
    play(agent, rng, n_dialogues, reward=lambda b, a: b[0] * a)
    copy.bit_generator.state = agent.rng.bit_generator.state
    for belief in rng.random((10, N_BELIEF)):
        expected = np.argmax(agent.posterior.sample(belief, scale, copy))
        assert agent.act(belief, np.ones(MASTER.n_actions, bool)) == expected
        agent.observe(0.0, False)


def test_a_test_on_draws_has_scale_1_and_a_stream_of_its_own():
    agent, copy = make_agent(MASTER, scale_start=7.0), np.random.default_rng()
    play(agent, np.random.default_rng(1), 5, reward=lambda b, a: b[0] * a)
    copy.bit_generator.state = agent.test_rng.bit_generator.state
    for belief in np.random.default_rng(2).random((10, N_BELIEF)):
        expected = np.argmax(agent.posterior.sample(belief, 1.0, copy))
        assert agent.act(belief, np.ones(MASTER.n_actions, bool), "draw") == expected


def test_when_exploration_has_ended_training_acts_on_the_mean_and_draws_nothing():
    agent = make_agent(scale_end=0.0, scale_dialogues=3)
    play(agent, np.random.default_rng(0), 3)
    state, belief, mask = agent.rng.bit_generator.state, np.ones(N_BELIEF), np.ones(5, bool)
    assert agent.act(belief, mask) == agent.act(belief, mask, "greedy") == np.argmax(agent.posterior.mean(belief))
    assert agent.rng.bit_generator.state == state


def test_testing_never_changes_training_and_the_mean_leaves_no_trace_at_all():
    alone, tested = make_agent(MASTER), make_agent(MASTER)
    assert play(alone, np.random.default_rng(1), 30) == play(tested, np.random.default_rng(1), 30, tests_between=2)
    assert_array_equal(moments(alone), moments(tested))
    assert alone.rng.bit_generator.state == tested.rng.bit_generator.state
    assert alone.test_rng.bit_generator.state != tested.test_rng.bit_generator.state
    before = tested.test_rng.bit_generator.state
    tested.act(np.ones(N_BELIEF), np.ones(MASTER.n_actions, bool), "greedy")
    assert tested.test_rng.bit_generator.state == before


def test_draws_vary_and_the_mean_does_not():
    agent, belief, mask = make_agent(), np.ones(N_BELIEF), np.ones(5, bool)
    assert len({agent.act(belief, mask, "draw") for _ in range(100)}) == 5
    assert len({agent.act(belief, mask, "greedy") for _ in range(20)}) == 1


@every_form
def test_opinions_are_the_mean_and_deviation_of_every_action(form):
    agent, belief = make_agent(MASTER, form=form), np.ones(N_BELIEF)
    play(agent, np.random.default_rng(1), 5, reward=lambda b, a: b[0] * a)
    action_table = agent.action_table(belief, np.ones(MASTER.n_actions, bool))
    assert list(action_table) == ["mean", "std"]
    assert_array_equal(action_table["mean"], agent.posterior.mean(belief))
    assert_allclose(action_table["std"] ** 2, agent.posterior.variance(belief), rtol=1e-14)
    assert agent.diagnostics == []


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
@every_form
def test_it_learns_which_action_suits_which_belief(layout, form):
    """Two situations, each with one action that earns 10: 60 one-turn dialogues suffice, or 250 with payloads."""
    agent, mask = make_agent(layout, form=form), np.ones(layout.n_actions, bool)
    rng = np.random.default_rng(5)
    best = (layout.n_actions - 1, 1)
    for _ in range(60 if layout is SUMMARY else 250):
        which = rng.integers(2)
        action = agent.act(np.eye(N_BELIEF)[which] * 2, mask)
        agent.observe(10.0 * (action == best[which]) - 1.0, True)
        agent.learn()
    assert tuple(agent.act(2 * np.eye(N_BELIEF)[which], mask, "greedy") for which in (0, 1)) == best


def test_the_belief_is_copied_when_acting():
    agent, belief, mask = make_agent(), np.ones(N_BELIEF), np.ones(5, bool)
    agent.act(belief, mask)
    belief[:] = 0
    agent.observe(5.0, True)
    agent.learn()
    assert np.abs(agent.posterior.mean(np.ones(N_BELIEF))).max() > 0.1
    assert mask.all()


# ---------------------------------------------------------------------------------------------- refusals

@pytest.mark.parametrize("belief, mask, told", [
    (np.ones(5), np.ones(5, bool), "belief is"), (np.array([1, 1, 1, 1, 1, np.nan]), np.ones(5, bool), "belief is"),
    (np.ones(N_BELIEF), np.zeros(5, bool), "mask is bool"), (np.ones(N_BELIEF), np.ones(4, bool), "mask is bool"),
    (np.ones(N_BELIEF), np.ones(5), "mask is float64"), (np.ones((1, N_BELIEF)), np.ones(5, bool), "belief is")])
@pytest.mark.parametrize("mode", ["train", "greedy", "draw"])
def test_beliefs_and_masks_that_make_no_sense_are_refused(belief, mask, told, mode):
    agent = make_agent()
    with pytest.raises(ValueError, match=f"{told} .*expected"):
        agent.act(belief, mask, mode)
    agent.act(np.ones(N_BELIEF), np.ones(5, bool))              # and nothing was recorded


def test_an_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="mode is 'test', expected one of train, greedy, draw"):
        make_agent().act(np.ones(N_BELIEF), np.ones(5, bool), "test")


def test_a_posterior_of_another_size_is_refused():
    for n_belief, layout in ((N_BELIEF + 1, SUMMARY), (N_BELIEF, MASTER)):
        with pytest.raises(ValueError, match="posterior is for .*, expected 6 and ActionLayout.n_methods=2"):
            GPAgent(N_BELIEF, SUMMARY, posterior=WeightSpacePosterior(n_belief, layout, 5.0))


def test_an_agent_with_the_linear_kernel_learns_the_same_in_every_form():
    """The same dialogues, whatever the form would have done in them."""
    rng = np.random.default_rng(0)
    agents = [make_agent(MASTER), *(GPAgent(N_BELIEF, MASTER, posterior=forms(N_BELIEF, MASTER, 5.0)[form])
                                    for form in ("exact", "sparse"))]
    for _ in range(20):
        belief, only = rng.random(N_BELIEF), np.eye(MASTER.n_actions, dtype=bool)[rng.integers(MASTER.n_actions)]
        for agent in agents:
            agent.act(belief, only)
            agent.observe(belief[0], True)
            agent.learn()
    for agent in agents[1:]:
        assert_allclose(moments(agent), moments(agents[0]), atol=1e-3)
    assert_allclose(moments(agents[1]), moments(agents[0]), atol=1e-10)


def test_a_gaussian_kernel_on_beliefs_learns_what_no_linear_one_can():
    """Action 0 is right at 0 and at 1, action 1 in between: 120 dialogues with a kernel given in one line."""
    posterior = KernelPosterior(ProductKernel(lambda *xy: 25 * gaussian(0.2)(*xy), SUMMARY), 2, 2.0)
    agent = GPAgent(2, SUMMARY, GPConfig(scale_dialogues=80), 0, posterior)
    rng, mask = np.random.default_rng(0), [1, 1, 0, 0, 0]
    for _ in range(120):
        p = rng.random()
        action = agent.act(np.array([p, 1 - p]), mask)
        agent.observe(5.0 if action == (0.3 < p < 0.7) else -5.0, True)
        agent.learn()
    assert [agent.act(np.array([p, 1 - p]), mask, "greedy") for p in (0.1, 0.5, 0.9)] == [0, 1, 0]


def test_calls_out_of_turn_are_refused():
    agent, belief, mask = make_agent(), np.ones(N_BELIEF), np.ones(5, bool)
    with pytest.raises(ValueError, match="observe.. is out of turn, expected exactly one act"):
        agent.observe(-1.0, False)
    with pytest.raises(ValueError, match="learn.. is out of turn, expected observe"):
        agent.learn()
    agent.act(belief, mask)
    with pytest.raises(ValueError, match="act.. is out of turn, expected observe"):
        agent.act(belief, mask)
    agent.act(belief, mask, "greedy")
    with pytest.raises(ValueError, match="reward is nan, expected a finite number"):
        agent.observe(np.nan, False)
    agent.observe(-1.0, False)
    with pytest.raises(ValueError, match="observe.. is out of turn, expected exactly one act"):
        agent.observe(-1.0, False)
    with pytest.raises(ValueError, match="learn.. is out of turn, expected observe"):
        agent.learn()
    agent.act(belief, mask)
    agent.observe(19.0, True)
    with pytest.raises(ValueError, match="act.. is out of turn, expected observe"):
        agent.act(belief, mask)
    agent.learn()
    with pytest.raises(ValueError, match="learn.. is out of turn, expected observe"):
        agent.learn()
    agent.act(belief, mask)
