"""Watching a policy: the whole dialogue is told, errors are marked, and files are whole."""
import re

import pytest

from demos import watch
from demos.settings import Setting
from demos.training import TEST, TEST_KEY, Run, play, train
from demos.watch import Watched, story
from simulator.transcript import MISHEARD, describe_goal

TINY = ("--agent", "gp", "--dialogues", "5")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Policies trained for one test serve the others."""
    folder = tmp_path_factory.mktemp("watching")
    (folder / "mine").mkdir()
    return folder


@pytest.fixture
def show(folder, monkeypatch, capsys):
    """What the command prints."""
    def run_command(*options):
        monkeypatch.chdir(folder)
        assert watch.main(list(options)) == 0
        return capsys.readouterr().out
    return run_command


@pytest.mark.parametrize("options", [TINY, ("--agent", "acer", "--space", "master", "--dialogues", "2"),
                                     ("--agent", "random", "--error-rate", "0.5", "--nbest", "3")])
def test_every_kind_of_policy_can_be_watched(options, show):
    shown = show(*options, "--seed", "2")
    for label in ("goal  ", "system  ", "user  ", "belief  ", "result  ", "in the end: "):
        assert label in shown
    assert ("choice   " in shown) == (options[1] in ("gp", "acer"))
    assert re.search(r"(success|failure) after \d+ turns, reward -?\d+", shown)


def test_the_story_begins_with_the_goal_before_the_dialogue_and_ends_with_that_after_it():
    run = Run(Setting(agent="handcrafted"), 0)
    watched = Watched(run.agent, run.env)
    play(run.env, watched, [TEST_KEY, TEST, 7])
    told = [text for _, text in story(run.env, watched)]
    assert told[-1] == f"in the end: {describe_goal(run.env.user.goal)}"
    run.env.reset(seed=[TEST_KEY, TEST, 7])
    assert told[0] == describe_goal(run.env.user.goal)


def test_the_best_choice_stands_first_and_is_the_one_taken():
    run = Run(Setting(agent="acer"), 0)
    watched = Watched(run.agent, run.env)
    play(run.env, watched, [TEST_KEY, TEST, 1])
    assert len(watched.thoughts) == len(run.env.log) - 1
    for turn, thoughts in zip(run.env.log[1:], watched.thoughts):
        assert thoughts[0].split()[0] == turn.action and len(thoughts) <= 3
        assert re.fullmatch(r"\S+ +pi \d\.\d\d +Q +-?\d+\.\d\d", thoughts[0])


def test_watching_changes_nothing():
    run = Run(Setting(agent="gp"), 0)
    assert play(run.env, Watched(run.agent, run.env), [5]) == play(run.env, run.agent, [5])


def test_the_policy_of_a_run_can_be_watched_under_any_noise(folder, show):
    train(Run(Setting(agent="gp", dialogues=2, test_dialogues=1)), folder / "mine")
    shown = show("mine", "--error-rate", "1")
    assert shown.startswith("gp-summary-mask after 2 dialogues of training, 100 % error") and MISHEARD in shown


def test_a_run_that_has_not_grown_yet_is_watched_in_the_smaller_domain(folder, show):
    run = Run(Setting(agent="gp", dialogues=3, test_dialogues=1, without=("phone",), grow_after=2))
    steps = run.train()
    for name in ("small", "grown"):
        next(steps)
        (folder / name).mkdir()
        run.save(folder / name)
        assert "result  " in show(name)
