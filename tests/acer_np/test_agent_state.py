"""Agents stop and go on as if nothing had happened, and refuse the state of another kind of agent."""
import json

import numpy as np
import pytest

from tests.strategies import N_BELIEF, every_agent, every_space, everything, make_small, play


def through_a_file(state):
    """A state as a file would give it back: the header as JSON, the arrays copied."""
    header, arrays = state
    return json.loads(json.dumps(header)), {name: array.copy() for name, array in arrays.items()}


@every_agent
@every_space
def test_a_resumed_run_is_the_run_that_never_stopped_bit_for_bit(name, space):
    rng, agent = np.random.default_rng(5), make_small(name, space)
    play(agent, rng, 11)                                                        # more than the capacity
    agent.act(np.zeros(N_BELIEF), np.ones(agent.heads.n_actions, bool), "draw")
    before = everything(agent)
    resumed = make_small(name, space, seed=99)
    resumed.act(np.ones(N_BELIEF), np.ones(agent.heads.n_actions, bool))        # whatever it was doing
    resumed.restore(*through_a_file(agent.state()))
    assert everything(resumed) == everything(agent) == before
    state = rng.bit_generator.state
    actions = play(agent, rng, 7)
    rng.bit_generator.state = state
    assert play(resumed, rng, 7) == actions
    assert everything(resumed) == everything(agent)
    draws = [[one.act(np.ones(N_BELIEF), np.ones(one.heads.n_actions, bool), "draw") for _ in range(20)]
             for one in (agent, resumed)]
    assert draws[0] == draws[1]


def test_an_agent_that_has_not_begun_has_a_state_too():
    agent, other = make_small(), make_small(seed=1)
    play(other, np.random.default_rng(0), 2)
    other.restore(*through_a_file(agent.state()))
    assert everything(other) == everything(agent)


@every_space
def test_a_state_is_plain_arrays_and_a_header_that_says_whose_it_is(space):
    agent = make_small("acer", space)
    play(agent, np.random.default_rng(0), 3)
    header, arrays = agent.state()
    assert {array.dtype.kind for array in arrays.values()} <= set("bif")
    assert header["config"]["hidden"] == [6, 4] and header["n_dialogues"] == 3 and header["adam_step"] == 3
    assert header["algorithm"] == "ACERAgent" and header["heads"] == repr(agent.heads)
    assert json.loads(json.dumps(header)) == header


def test_in_the_middle_of_a_dialogue_there_is_no_state():
    agent = make_small()
    play(agent, np.random.default_rng(0), 1)
    agent.act(np.zeros(N_BELIEF), np.ones(4, bool))
    agent.observe(0.0, done=False)
    with pytest.raises(ValueError, match="1 turns of a dialogue are under way, expected none"):
        agent.state()


@pytest.mark.parametrize("other, message", [
    (dict(space="master"), r"heads is 'SummaryHeads\(n_actions=4\)', expected .MasterHeads"),
    (dict(name="a2c"), "algorithm is 'ACERAgent', expected 'A2CAgent'"),
    (dict(n_belief=6), "n_belief is 5, expected 6"),
    (dict(gamma=0.5), "config is .*'gamma': 0.75.*, expected .*'gamma': 0.5"),
    (dict(hidden=(6, 5)), r"n_parameters is \d+, expected \d+"),
    (dict(capacity=9), "config is .*'capacity': 8.*, expected .*'capacity': 9")])
def test_a_state_of_another_kind_of_agent_is_refused_and_nothing_changes(other, message):
    saved, agent = make_small(gamma=0.75), make_small(**dict(gamma=0.75) | other)
    play(saved, np.random.default_rng(0), 2)
    play(agent, np.random.default_rng(1), 2)
    before = everything(agent)
    with pytest.raises(ValueError, match=message):
        agent.restore(*through_a_file(saved.state()))
    assert everything(agent) == before


def test_a_header_that_does_not_say_whose_it_is_is_refused():
    agent = make_small()
    header, arrays = agent.state()
    for name in ("algorithm", "heads", "n_belief", "n_parameters", "config"):
        with pytest.raises(ValueError, match=f"{name} is None, expected "):
            agent.restore({key: value for key, value in header.items() if key != name}, arrays)
