"""Dialogues of another policy: their μ, rewards and users, what each learner makes of them, and what is refused."""
import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from demos import train
from demos.agents import heads_of, make_agent, make_env
from demos.demonstrations import demonstrations, demonstrator_of, teach
from demos.settings import Setting
from demos.training import Run
from gp_sarsa.points import returns_to_go
from simulator.cambridge import cambridge_restaurants
from simulator.domain import without
from tests.demos.commands import finished, refused

TINY = Setting(dialogues=4, test_dialogues=3, demonstrations=6, mask="none")
spaces = pytest.mark.parametrize("space", ["summary", "master"])


def recorded(n_dialogues=6, seed=0, **changes):
    setting = replace(TINY, **changes)
    env = make_env(setting)
    return demonstrations(env, heads_of(setting, env), *demonstrator_of(setting, env, Run.load), n_dialogues, seed)


def saved(tmp_path, **changes):
    finished(Run(replace(TINY, demonstrations=0, **changes))).save(tmp_path)
    return tmp_path


# ---- what is recorded

@spaces
def test_the_handcrafted_demonstrator_has_no_doubt(space):
    batch = recorded(space=space)
    agent = make_agent(Setting(space=space, mask="none"), make_env(Setting(space=space, mask="none")), 0)
    heads, turns = agent.heads, np.arange(len(batch.actions))
    agent.checked(batch)
    assert len(batch.lengths) == 6 and (batch.mu[turns, heads.summary_of(batch.actions)] == 1).all()
    mu_a = heads.pi_of(heads.behaviour(batch.mu, batch.payload_logits), batch.actions)
    assert_allclose(mu_a, 1, atol=1e-6)
    last = batch.lengths.cumsum() - 1
    assert (np.delete(batch.rewards, last) == -1).all() and (batch.rewards[last] >= 18).all()


def test_a_poor_demonstrator_does_just_anything_in_one_turn_of_three():
    batch = recorded(60, demonstrator="poor")
    mu_a = batch.mu[np.arange(len(batch.actions)), batch.actions]
    assert_allclose(np.unique(mu_a), [1 / 45, 2 / 3 + 1 / 45])
    assert abs((mu_a < 0.5).mean() - 1 / 3 * 14 / 15) < 4 * np.sqrt(0.31 * 0.69 / len(mu_a))


def test_random_informs_of_a_poor_demonstrator_tell_any_slots():
    batch = recorded(60, demonstrator="poor", space="master")
    odd = (batch.payload_logits == 0).all(axis=1) & (batch.actions < 1024)       # it would not have informed
    assert odd.sum() > 10 and len(set(batch.actions[odd] % 256)) > 0.8 * odd.sum()


def test_its_users_are_met_by_neither_training_nor_tests(monkeypatch):
    seeds, run = [], Run(TINY, 7)
    reset = run.env.reset
    monkeypatch.setattr(run.env, "reset", lambda seed: seeds.append(tuple(seed)) or reset(seed))
    finished(run)
    assert seeds[:6] == [(7, 3, i) for i in range(6)] and {seed[1] for seed in seeds[6:]} == {0, 1}


def test_a_trained_demonstrator_acts_greedily(tmp_path):
    path = saved(tmp_path)
    batch, agent = recorded(2, demonstrator=str(path)), Run.load(path).agent
    assert [agent.act(b, m, "greedy") for b, m in zip(batch.beliefs, batch.masks)] == batch.actions.tolist()


# ---- what is learned

@pytest.mark.parametrize("way", ["both", "imitation", "memory"])
@pytest.mark.parametrize("kind", ["acer", "a2c"])
def test_networks_imitate_and_remember_as_they_are_told(kind, way):
    setting = replace(TINY, agent=kind, learn_from=way)
    run, before = Run(setting, 0), make_agent(setting, make_env(setting), 0).learner.params
    teach(run.agent, setting, run.env, 0, Run.load)
    n = run.agent.network.n_policy
    assert np.array_equal(run.agent.learner.params[:n], before[:n]) == (way == "memory")
    assert np.array_equal(run.agent.learner.params[n:], before[n:]) == (way != "both")
    assert len(run.agent.replay.dialogues) == (0 if way == "imitation" else 6) and run.agent.n_dialogues == 0
    if way != "imitation":
        raw = recorded(agent=kind)
        kept = np.concatenate([dialogue.rewards for dialogue in run.agent.replay.dialogues])
        assert_allclose(kept, raw.rewards / 20, rtol=1e-6)


def test_for_gp_demonstrations_are_more_returns():
    setting = replace(TINY, agent="gp")
    taught, told = Run(setting, 0), Run(setting, 0).agent
    teach(taught.agent, setting, taught.env, 0, Run.load)
    batch, start = recorded(agent="gp"), 0
    for length in batch.lengths:
        turns, start = slice(start, start + length), start + length
        told.posterior.update(batch.beliefs[turns], batch.actions[turns], returns_to_go(batch.rewards[turns], 0.99))
    belief = batch.beliefs[5]
    assert_array_equal(taught.agent.posterior.mean(belief), told.posterior.mean(belief))
    assert taught.agent.posterior.mean(belief).any() and taught.agent.n_dialogues == 0


# ---- runs

def test_a_run_tests_what_was_taught_once_and_resumes_without_being_taught_again(tmp_path):
    run, whole = Run(TINY, 3), finished(Run(TINY, 3))
    steps = run.train()
    next(steps), next(steps)
    run.save(tmp_path)
    again = finished(Run.load(tmp_path))
    assert [row["dialogues"] for row in whole.curve] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert again.curve == whole.curve and np.array_equal(again.agent.learner.params, whole.agent.learner.params)


def test_names_tell_what_was_taught():
    plain = replace(TINY, demonstrations=0)
    assert plain.name == "acer-summary-mask-none" == replace(plain, demonstrator="poor", learn_from="memory").name
    assert TINY.name == "acer-summary-mask-none-demos6"
    assert replace(TINY, demonstrator="runs/x", learn_from="memory").name == f"{TINY.name}-x-memory"


def test_a_pupil_goes_on_without_its_teacher(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(train, "draw", lambda *_: None)
    (tmp_path / "teacher").mkdir()
    finished(Run(replace(TINY, demonstrations=0))).save("teacher")
    options = ["--dialogues", "3", "--test-dialogues", "1", "--demonstrations", "4", "--demonstrator", "teacher",
               "--mask", "none", "--learn-from", "memory"]
    assert train.main(["pupil", *options]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[1].split()[0] == "0" and table[4].split()[0] == "3" and table[5].startswith("handcrafted")
    (tmp_path / "teacher" / "snapshot.npz").unlink()
    assert train.main(["pupil", "--dialogues", "5"]) == 0
    assert "demonstrator is 'teacher', expected handcrafted, poor, or" in refused(train.main, capsys, "new", *options)
    assert not (tmp_path / "new").exists()


# ---- refusals

@pytest.mark.parametrize("options, words", [
    (["--demonstrator", "handcraftd"], "did you mean handcrafted?"),
    (["--agent", "gp", "--learn-from", "memory"], "learn_from is 'memory', expected 'both' for gp"),
    (["--agent", "random"], "agent is random, expected one that learns")])
def test_what_cannot_demonstrate_is_refused_in_one_sentence(options, words, capsys):
    assert words in refused(train.main, capsys, "--demonstrations", "5", *options)


def test_a_demonstrator_from_another_space_or_domain_is_refused_and_nothing_changes(tmp_path):
    path = saved(tmp_path)
    for changes, domain, words in (
            (dict(space="master"), None, "has 268 belief entries and 15 actions, expected 268 and 1035"),
            (dict(domain="Other"), without(cambridge_restaurants(), ("phone",)), "its domain is CamRestaurants, exp")):
        run = Run(replace(TINY, demonstrator=str(path), **changes), 0, domain)
        before = run.agent.learner.params.copy()
        with pytest.raises(ValueError, match=re.escape(words)):
            teach(run.agent, run.setting, run.env, 0, Run.load)
        assert np.array_equal(run.agent.learner.params, before) and not run.agent.replay.dialogues and not run.curve
