"""The costs of the learners: what is timed, and what is printed."""
import numpy as np
from numpy.testing import assert_array_equal

from demos import costs
from demos.costs import Timed, main
from demos.settings import TRAINABLE, Setting
from demos.training import Run
from tests.demos.commands import refused


def test_a_short_run_prints_every_learner_space_and_form(capsys):
    assert main(["--dialogues", "3", "--growth", "4"]) == 0
    head, *rows = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert "to act, ms/turn" in head
    assert [row.split()[:2] for row in rows] == [[agent, space] for space in ("summary", "master")
                                                 for agent in TRAINABLE]


def test_an_agent_that_is_timed_acts_and_learns_as_it_would():
    timed, row = costs.train(Setting(agent="acer", dialogues=5))
    run = Run(Setting(agent="acer", dialogues=5, test_dialogues=1), seed=0)
    list(run.train())
    assert len(timed.agent.replay.dialogues) == 5
    assert row[2] == sum(len(dialogue.actions) for dialogue in timed.agent.replay.dialogues)
    assert_array_equal(timed.agent.learner.params, run.agent.learner.params)


def test_the_forms_get_every_dialogue_however_many_there_are(monkeypatch):
    seen = []
    monkeypatch.setattr(costs, "counted", lambda items, what: seen.append(len(items)) or items)
    costs.forms(6)
    assert seen == [6, 6, 6, 6]                              # of the training, and of each form


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
    monkeypatch.setattr(costs.time, "process_time", lambda: clock[0])
    timed = Timed(Slow())
    for _ in range(3):
        assert timed.act(np.zeros(2), None, "train") == 7
        timed.observe(-1.0, False)
    timed.learn()
    assert timed.seconds == {"act": 6.0, "observe": 300.0, "learn": 5.0}
    assert timed.calls == {"act": 3, "observe": 3, "learn": 1}


def test_mistakes_end_in_one_line(capsys):
    for arguments in (["dqn"], ["--dialogues", "0"], ["--growth", "x"]):
        assert arguments[-1] in refused(main, capsys, *arguments)
