"""Agents stop and go on as if nothing had happened, and refuse what is not a whole snapshot of their own kind."""
import json
import os

import numpy as np
import pytest

from acer_np.snapshot import read_snapshot, write_snapshot
from tests.test_agent import N_BELIEF, every_agent, every_space, everything, make, play


@every_agent
@every_space
def test_a_resumed_run_is_the_run_that_never_stopped_bit_for_bit(name, space, tmp_path):
    rng, path = np.random.default_rng(5), tmp_path / "agent.npz"
    agent = make(name, space)
    play(agent, rng, 11)                                                        # more than the capacity
    agent.save(path)
    resumed = make(name, space, seed=99)
    resumed.load(path)
    assert everything(resumed) == everything(agent)
    state = rng.bit_generator.state
    actions = play(agent, rng, 7)
    rng.bit_generator.state = state
    assert play(resumed, rng, 7) == actions
    assert everything(resumed) == everything(agent)


def test_an_agent_that_has_not_begun_can_be_saved_too(tmp_path):
    agent, other = make(), make(seed=1)
    play(other, np.random.default_rng(0), 2)
    agent.save(tmp_path / "new.npz")
    other.load(tmp_path / "new.npz")
    assert everything(other) == everything(agent)


def test_a_snapshot_holds_plain_arrays_and_leaves_nothing_beside_it(tmp_path):
    agent = make()
    play(agent, np.random.default_rng(0), 3)
    before = everything(agent)
    agent.save(tmp_path / "agent.npz")
    assert os.listdir(tmp_path) == ["agent.npz"] and everything(agent) == before
    with np.load(tmp_path / "agent.npz", allow_pickle=False) as file:
        assert {file[name].dtype.kind for name in file.files} <= set("bifU")
        header = json.loads(str(file["header"]))
    assert header["config"]["hidden"] == [6, 4] and header["n_dialogues"] == 3 and header["adam_step"] == 3


def test_saving_in_the_middle_of_a_dialogue_is_refused(tmp_path):
    agent = make()
    play(agent, np.random.default_rng(0), 1)
    agent.act(np.zeros(N_BELIEF), np.ones(4, bool))
    agent.observe(0.0, done=False)
    with pytest.raises(ValueError, match="a dialogue is under way; save between dialogues"):
        agent.save(tmp_path / "agent.npz")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("other, message", [
    (dict(fingerprint="elsewhere"), "has fingerprint 'home', expected 'elsewhere'"),
    (dict(space="master"), r"has heads 'SummaryHeads\(n_actions=4\)', expected .MasterHeads"),
    (dict(name="a2c"), "has algorithm 'acer_update', expected 'a2c_update'"),
    (dict(n_belief=6), "has n_belief 5, expected 6"),
    (dict(gamma=0.5), "has config .*'gamma': 0.99.*, expected .*'gamma': 0.5"),
    (dict(hidden=(6, 5)), r"has config .*\[6, 4\].*, expected .*\[6, 5\]")])
def test_a_snapshot_of_another_kind_of_agent_is_refused_and_nothing_changes(other, message, tmp_path):
    saved, agent = make(), make(**other)
    play(saved, np.random.default_rng(0), 2)
    saved.save(tmp_path / "agent.npz")
    play(agent, np.random.default_rng(1), 2)
    before = everything(agent)
    with pytest.raises(ValueError, match=message):
        agent.load(tmp_path / "agent.npz")
    assert everything(agent) == before


def test_a_snapshot_of_another_format_is_refused(tmp_path):
    agent, path = make(), tmp_path / "agent.npz"
    agent.save(path)
    header, arrays = read_snapshot(path, {})
    write_snapshot(path, header | {"format": header["format"] + 1}, arrays)
    with pytest.raises(ValueError, match="has format 3, expected 2"):
        agent.load(path)


def spoiled(header, arrays):
    """Snapshots that are whole files with the right identity, each with one thing wrong."""
    without = lambda mapping, name: {key: value for key, value in mapping.items() if key != name}
    for name in ("params", "average", "adam_mean", "adam_square", "actions", "belief_values", "greedy", "masks"):
        yield header, without(arrays, name)
    for name in ("n_dialogues", "adam_step", "rng"):
        yield without(header, name), arrays
        yield header | {name: "text"}, arrays
        yield header | {name: None}, arrays
    for name in ("params", "average", "adam_mean", "adam_square"):
        yield header, arrays | {name: arrays[name][1:]}
        yield header, arrays | {name: arrays[name].astype(float)}
    yield header | {"rng": header["rng"] | {"bit_generator": "MT19937"}}, arrays
    yield header, arrays | {"belief_columns": arrays["belief_columns"] + N_BELIEF}
    yield header, arrays | {"lengths": arrays["lengths"] + 1}
    yield header, arrays | {"actions": arrays["actions"] + 100}
    yield header, arrays | {"rewards": arrays["rewards"][1:]}
    yield header, arrays | {"masks": ~arrays["masks"]}


def test_a_snapshot_with_any_part_missing_or_wrong_is_refused_and_nothing_changes(tmp_path):
    agent, path = make(), tmp_path / "agent.npz"
    play(agent, np.random.default_rng(0), 3)
    agent.save(path)
    header, arrays = read_snapshot(path, {})
    play(agent, np.random.default_rng(1), 1)
    before = everything(agent)
    for number, (bad_header, bad_arrays) in enumerate(spoiled(header, arrays)):
        write_snapshot(path, bad_header, bad_arrays)
        with pytest.raises(ValueError, match=r"agent\.npz does not hold a whole agent"):
            agent.load(path)
            pytest.fail(f"number {number} was accepted")
        assert everything(agent) == before
    write_snapshot(path, header, arrays)
    agent.load(path)
    assert agent.n_dialogues == 3


def test_a_truncated_snapshot_is_refused_and_nothing_changes(tmp_path):
    agent, path = make(), tmp_path / "agent.npz"
    play(agent, np.random.default_rng(0), 3)
    agent.save(path)
    whole, before = path.read_bytes(), everything(agent)
    for length in np.linspace(0, len(whole) - 1, 40).astype(int):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="is damaged or not a snapshot"):
            agent.load(path)
        assert everything(agent) == before
