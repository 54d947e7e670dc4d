"""The benchmark of the learners runs, times what it says, and prints it."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from demos import benchmark
from demos.agents import LEARNERS, Setting
from demos.benchmark import Watched, main


def test_a_short_run_prints_every_learner_space_and_form(capsys):
    assert main(["--dialogues", "3", "--growth", "4"]) == 0
    head, *rows = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert "to act, ms/turn" in head
    assert [row.split()[:2] for row in rows] == [[agent, space] for space in ("summary", "master")
                                                 for agent in LEARNERS]


def test_the_forms_are_timed_on_the_same_dialogues():
    lines = benchmark.forms(4).splitlines()
    assert [line.rsplit(maxsplit=3)[:2] for line in lines[1:]] == [
        ["weight space", "4"], ["sparse", "4"], ["exact", "4"]]
    for line in lines[1:]:
        half, whole = map(float, line.split()[-2:])
        assert 0 <= half <= whole


def test_an_agent_that_is_watched_acts_as_it_would_and_its_dialogues_are_kept():
    watched, row = benchmark.watch(Setting(agent="acer", dialogues=5))
    beliefs, actions, rewards = watched.dialogues[-1]
    stored = watched.agent.replay.dialogues[-1]
    assert len(watched.dialogues) == 5 and row[2] == sum(len(actions) for _, actions, _ in watched.dialogues)
    assert_allclose(beliefs, stored.beliefs, atol=1e-6)
    assert_allclose(actions, stored.actions)
    assert_allclose(rewards / 20, stored.rewards, atol=1e-6)


def test_the_times_are_those_of_acting_and_learning(monkeypatch):
    class Slow:
        def act(self, belief, mask, mode):
            clock[0] += 2.0
            return 7

        def observe(self, reward, done):
            clock[0] += 100.0

        def learn(self):
            clock[0] += 5.0

    clock = [0.0]
    monkeypatch.setattr(benchmark.time, "process_time", lambda: clock[0])
    watched = Watched(Slow())
    for _ in range(3):
        assert watched.act(np.zeros(2), None, "train") == 7
        watched.observe(-1.0, False)
    watched.learn()
    assert (watched.acting, watched.learning, watched.turns) == (6.0, 5.0, [])


def test_mistakes_end_in_one_line(capsys):
    for arguments in (["dqn"], ["--dialogues", "0"], ["--growth", "x"]):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        assert end.value.code == 2 and len(capsys.readouterr().err.splitlines()) == 1
