"""The costs of the learners: what is timed, and what is printed."""
import numpy as np

from demos import costs
from demos.costs import main
from demos.settings import TRAINABLE, Setting
from demos.training import Run
from tests.demos.commands import finished, refused


def test_a_short_run_prints_every_learner_and_space(capsys):
    assert main(["--dialogues", "3"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert "to act, ms/turn" in head
    assert [row.split()[:2] for row in rows] == [[agent, space] for space in ("summary", "master")
                                                 for agent in TRAINABLE]


def test_the_times_are_those_of_acting_and_learning_in_the_usual_training(monkeypatch):
    clock, run = [0.0], finished(Run(Setting(dialogues=5, test_dialogues=1)))
    monkeypatch.setattr(costs.time, "process_time", lambda: clock[0])

    def slow(name, seconds):
        call = getattr(agent, name)

        def wrapped(*args):
            clock[0] += seconds
            return call(*args)
        setattr(agent, name, wrapped)
    make_agent = costs.make_agent
    monkeypatch.setattr(costs, "make_agent", lambda *args, **named: agent)
    agent = make_agent(run.setting, run.env, 0)
    for name, seconds in (("act", 0.002), ("observe", 0.1), ("learn", 0.005)):
        slow(name, seconds)
    n = sum(len(dialogue.actions) for dialogue in run.agent.replay.dialogues)
    assert costs.cost(run.setting) == ("acer", "summary", n, "2.00", "5.00", "100.00", f"{0.102 * n + 0.025:.2f}")
    assert np.array_equal(agent.learner.params, run.agent.learner.params)


def test_mistakes_end_in_one_line(capsys):
    for arguments in (["dqn"], ["--dialogues", "0"]):
        assert arguments[-1] in refused(main, capsys, *arguments)
