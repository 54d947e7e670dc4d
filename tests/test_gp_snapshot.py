"""A snapshot of GP-SARSA resumes bit for bit, and one that does not fit is refused."""
import json
import os

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from gp_sarsa.agent import GPAgent, GPConfig
from gp_sarsa.snapshot import read_snapshot, write_snapshot
from tests.test_gp_agent import MASTER, N_BELIEF, SUMMARY, make_agent, moments, play


@pytest.mark.parametrize("layout", [SUMMARY, MASTER])
def test_resuming_from_a_snapshot_is_as_if_never_stopped(layout, tmp_path):
    never, rng = make_agent(layout), np.random.default_rng(3)
    never.test_scale = 1.0
    reward = lambda belief, action: belief[0] * action - 1.0
    play(never, rng, 90, reward, tests_between=1)
    never.save(tmp_path / "gp.npz")
    resumed = make_agent(layout, seed=77)
    resumed.load(tmp_path / "gp.npz")
    assert resumed.n_dialogues == 90
    assert resumed.test_rng.bit_generator.state == never.test_rng.bit_generator.state
    assert_array_equal(moments(never), moments(resumed))
    assert play(never, np.random.default_rng(4), 60, reward) == play(resumed, np.random.default_rng(4), 60, reward)
    assert_array_equal(moments(never), moments(resumed))


def test_a_snapshot_of_a_new_agent_and_of_a_resumed_one(tmp_path):
    agent = make_agent()
    agent.save(tmp_path / "new.npz")
    play(agent, np.random.default_rng(0), 5)
    agent.posterior.n_clipped = 3
    agent.save(tmp_path / "five.npz")
    agent.load(tmp_path / "new.npz")
    assert (agent.n_dialogues, agent.posterior.n_clipped) == (0, 0)
    assert_array_equal(moments(agent), moments(make_agent()))
    agent.load(tmp_path / "five.npz")
    agent.save(tmp_path / "again.npz")
    assert (agent.n_dialogues, agent.posterior.n_clipped) == (5, 3)
    first, second = (read_snapshot(tmp_path / name) for name in ("five.npz", "again.npz"))
    assert first[0] == second[0]
    for name, array in first[1].items():
        assert_array_equal(array, second[1][name])


def test_loading_in_the_middle_of_a_dialogue_drops_it(tmp_path):
    agent = make_agent()
    agent.save(tmp_path / "gp.npz")
    agent.act(np.ones(N_BELIEF), np.ones(5, bool))
    with pytest.raises(ValueError, match="under way"):
        agent.save(tmp_path / "gp.npz")
    agent.observe(1.0, True)
    agent.load(tmp_path / "gp.npz")
    agent.act(np.ones(N_BELIEF), np.ones(5, bool))
    agent.observe(1.0, False)
    agent.load(tmp_path / "gp.npz")
    agent.act(np.ones(N_BELIEF), np.ones(5, bool))


def saved(tmp_path, agent=None):
    agent = agent or make_agent()
    play(agent, np.random.default_rng(0), 8)
    agent.save(tmp_path / "gp.npz")
    return tmp_path / "gp.npz"


def refuses(agent, path, match):
    before, state = moments(agent), agent.rng.bit_generator.state
    with pytest.raises(ValueError, match=match):
        agent.load(path)
    assert_array_equal(moments(agent), before)
    assert agent.rng.bit_generator.state == state


@pytest.mark.parametrize("stranger, match", [
    (GPAgent(N_BELIEF, SUMMARY, GPConfig(), 0, "another domain"), "fingerprint 'toy'"),
    (GPAgent(N_BELIEF + 1, SUMMARY, GPConfig(), 0, "toy"), "n_belief"),
    (GPAgent(N_BELIEF, MASTER, GPConfig(), 0, "toy"), "layout"),
    (GPAgent(N_BELIEF, SUMMARY, GPConfig(gamma=0.5), 0, "toy"), "config")])
def test_a_snapshot_of_another_agent_is_refused(stranger, match, tmp_path):
    path = saved(tmp_path)
    with pytest.raises(ValueError, match=match):
        stranger.load(path)
    assert stranger.n_dialogues == 0


def test_damaged_snapshots_are_refused_and_the_agent_is_unchanged(tmp_path):
    path, agent = saved(tmp_path), make_agent(seed=5)
    play(agent, np.random.default_rng(1), 3)
    whole = path.read_bytes()
    for size in (0, 10, len(whole) // 2, len(whole) - 30):
        path.write_bytes(whole[:size])
        refuses(agent, path, "not a complete snapshot")
    path.write_bytes(b"not a zip file at all")
    refuses(agent, path, "not a complete snapshot")
    np.save(tmp_path / "array.npy", np.ones(3))
    refuses(agent, tmp_path / "array.npy", "not a complete snapshot")
    np.savez(tmp_path / "objects.npz", header=np.array([{}], object))
    refuses(agent, tmp_path / "objects.npz", "not a complete snapshot")


def test_snapshots_with_wrong_contents_are_refused_and_the_agent_is_unchanged(tmp_path):
    path, agent = saved(tmp_path), make_agent(seed=5)
    play(agent, np.random.default_rng(1), 3)
    header, arrays = read_snapshot(path)
    n = len(arrays["actions"])
    for broken in ({"lengths": arrays["lengths"] + 1}, {"lengths": -arrays["lengths"]}, {"actions": np.full(n, 5)},
                   {"returns": arrays["returns"][:-1]}, {"actions": arrays["actions"][:-1]},
                   {"values": arrays["values"] * np.nan}, {"columns": arrays["columns"] + 100},
                   {"row_starts": arrays["row_starts"][::-1]},
                   {"lengths": arrays["lengths"][:-1]}):
        write_snapshot(path, header, {**arrays, **broken})
        refuses(agent, path, "does not hold")
    for missing in arrays:
        write_snapshot(path, header, {name: array for name, array in arrays.items() if name != missing})
        refuses(agent, path, "does not hold")
    for broken in ({"rng": {}}, {"test_rng": 3}, {"n_clipped": "many"}, {"format": "gp_sarsa snapshot 0"}):
        write_snapshot(path, {**header, **broken}, arrays)
        refuses(agent, path, "does not hold|format")


def test_a_snapshot_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path, agent = saved(tmp_path), make_agent(seed=5)
    whole = path.read_bytes()

    def full_disk(*_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(OSError):
        agent.save(path)
    assert path.read_bytes() == whole
    assert [p.name for p in tmp_path.iterdir()] == ["gp.npz"]


def test_a_snapshot_holds_sparse_beliefs_and_readable_settings(tmp_path):
    path = saved(tmp_path, make_agent(MASTER, noise_std=4.0))
    with np.load(path, allow_pickle=False) as file:
        header = json.loads(str(file["header"]))
        assert header["config"]["noise_std"] == 4.0
        assert len(file["values"]) == np.count_nonzero(file["values"]) == len(file["columns"])
        assert len(file["lengths"]) == 8
