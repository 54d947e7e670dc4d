"""Agents stop and go on as if nothing had happened, and refuse what is not a whole state of their own kind."""
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
    (dict(hidden=(6, 5)), r"config is .*\[6, 4\].*, expected .*\[6, 5\]")])
def test_a_state_of_another_kind_of_agent_is_refused_and_nothing_changes(other, message):
    saved, agent = make_small(gamma=0.75), make_small(**dict(gamma=0.75) | other)
    play(saved, np.random.default_rng(0), 2)
    play(agent, np.random.default_rng(1), 2)
    before = everything(agent)
    with pytest.raises(ValueError, match=message):
        agent.restore(*through_a_file(saved.state()))
    assert everything(agent) == before


def spoiled(header, arrays):
    """States with the right identity, each with one thing wrong."""
    without = lambda mapping, name: {key: value for key, value in mapping.items() if key != name}    # noqa: E731
    for name in ("params", "average", "adam_mean", "adam_square", "beliefs", "actions", "rewards", "mu", "masks",
                 "payload_logits"):
        yield header, without(arrays, name)
    for name in ("n_dialogues", "adam_step", "rng", "test_rng"):
        yield without(header, name), arrays
        yield header | {name: "text"}, arrays
        yield header | {name: None}, arrays
    for name in ("algorithm", "heads", "n_belief", "config"):
        yield without(header, name), arrays
    for name in ("params", "average", "adam_mean", "adam_square"):
        yield header, arrays | {name: arrays[name][1:]}
        yield header, arrays | {name: arrays[name].astype(float)}
    yield header | {"rng": header["rng"] | {"bit_generator": "MT19937"}}, arrays
    yield header | {"n_dialogues": float("inf")}, arrays
    yield header, arrays | {"beliefs": arrays["beliefs"][:, 1:]}
    yield header, arrays | {"beliefs": arrays["beliefs"] * np.nan}
    yield header, arrays | {"lengths": arrays["lengths"] + 1}
    yield header, arrays | {"actions": arrays["actions"] + 100}
    yield header, arrays | {"rewards": arrays["rewards"][1:]}
    yield header, arrays | {"masks": ~arrays["masks"]}
    yield header, arrays | {"mu": arrays["mu"] / 2}


@every_agent
def test_a_state_with_any_part_missing_or_wrong_is_refused_and_nothing_changes(name):
    agent = make_small(name)
    play(agent, np.random.default_rng(0), 3)
    header, arrays = through_a_file(agent.state())
    play(agent, np.random.default_rng(1), 1)
    before = everything(agent)
    for number, (bad_header, bad_arrays) in enumerate(spoiled(header, arrays)):
        with pytest.raises(ValueError):
            agent.restore(bad_header, bad_arrays)
            pytest.fail(f"number {number} was accepted")
        assert everything(agent) == before
    agent.restore(header, arrays)
    assert agent.n_dialogues == 3


def test_what_is_missing_from_a_state_is_named():
    agent = make_small()
    play(agent, np.random.default_rng(0), 2)
    header, arrays = agent.state()
    for name in ("params", "masks"):
        with pytest.raises(ValueError, match=f"the state is incomplete or damaged: '{name}'"):
            agent.restore(header, {key: array for key, array in arrays.items() if key != name})
    with pytest.raises(ValueError, match=r"average is float32 \(\d+,\), expected float32 \(\d+,\)"):
        agent.restore(header, arrays | {"average": arrays["average"][1:]})
