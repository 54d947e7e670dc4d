"""A state of GP-SARSA resumes bit for bit, and the state of another agent is refused."""
import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from gp_sarsa import GPAgent, WeightSpacePosterior
from tests.gp_sarsa.cases import MASTER, SUMMARY, every_form, make_agent, moments, play, says


def reward(belief, action):
    return belief[0] * action - 1.0


def through_a_file(state):
    """The state as a file gives it back: the header as JSON, the arrays copied."""
    header, arrays = state
    return json.loads(json.dumps(header)), {name: array.copy() for name, array in arrays.items()}


def same_state(one, other):
    assert one[0] == other[0] and one[1].keys() == other[1].keys()
    for name, array in one[1].items():
        assert_array_equal(array, other[1][name])


def played(n_dialogues=8, **settings):
    agent = make_agent(**settings)
    play(agent, np.random.default_rng(0), n_dialogues, reward)
    return agent


@every_form
@pytest.mark.parametrize("layout", [SUMMARY, MASTER])
def test_resuming_from_a_state_is_as_if_never_stopped(layout, form):
    never, rng = make_agent(layout, form=form), np.random.default_rng(3)
    play(never, rng, 20, reward, tests_between=2)
    resumed = make_agent(layout, seed=77, form=form)
    resumed.restore(*through_a_file(never.state()))
    assert resumed.n_dialogues == 20
    for stream in ("rng", "test_rng"):
        assert getattr(resumed, stream).bit_generator.state == getattr(never, stream).bit_generator.state
    for agent in (never, resumed):
        agent.taken = play(agent, np.random.default_rng(4), 15, reward, tests_between=2)
    assert never.taken == resumed.taken
    same_state(never.state(), resumed.state())


@every_form
def test_a_state_does_not_change_when_training_goes_on_and_a_used_agent_can_go_back_to_it(form):
    agent = make_agent(form=form)
    for n_dialogues in (0, 8):                                          # a new agent has a state, too
        play(agent, np.random.default_rng(0), n_dialogues, reward)
        state, before = agent.state(), moments(agent.posterior)
        copy = (dict(state[0]), {name: array.copy() for name, array in state[1].items()})
        other = make_agent(form=form)
        other.restore(*state)
        for learner in (agent, other):
            play(learner, np.random.default_rng(1), 10, reward)
        same_state(state, copy)
        agent.restore(*state)
        assert_array_equal(moments(agent.posterior), before)
        same_state(agent.state(), state)


def test_a_dialogue_under_way_has_no_state_and_restoring_drops_it():
    agent, belief, mask = make_agent(), np.ones(6), np.ones(5, bool)
    state = agent.state()
    for done in (True, False):
        agent.act(belief, mask)
        with says("the dialogue under way is 1 turns long, expected none"):
            agent.state()
        agent.observe(1.0, done)
        agent.restore(*state)
    agent.act(belief, mask)


@pytest.mark.parametrize("stranger, told", [
    (make_agent(n_belief=7), "n_belief is 6, expected 7"),
    (make_agent(MASTER), "layout is .*, expected .*'n_payload_slots': 3"),
    (make_agent(gamma=0.5), "config is .*, expected .*'gamma': 0.5"),
    (make_agent(form="exact"), "posterior is .*'WeightSpacePosterior'.*, expected .*'KernelPosterior'"),
    (make_agent(form="sparse"), "posterior is .*, expected .*'novelty_threshold': 1e-08"),
    (GPAgent(6, SUMMARY, posterior=WeightSpacePosterior(6, SUMMARY, 4.0)), "posterior is .*5.0.*, expected .*4.0"),
    (make_agent(form="weight space"), "posterior is .*64.*, expected .*'max_pending': 7")])
def test_a_state_of_another_agent_is_refused_and_nothing_has_changed(stranger, told):
    before, (header, arrays) = stranger.state(), played().state()
    with pytest.raises(ValueError, match=told):
        stranger.restore(header, arrays)
    for broken, algorithm in ((header | {"algorithm": "ACERAgent"}, "'ACERAgent'"), ({}, None)):
        with says(f"algorithm is {algorithm}, expected 'GPAgent'"):
            stranger.restore(broken, arrays)
    same_state(stranger.state(), before)
