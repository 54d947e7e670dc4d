"""A run whose domain grows: places by name, the same policy on old goals, resuming on either side, refusals."""
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from demos import train
from demos.agents import grow, make_env, places
from demos.reproduction.plan import EXPERIMENTS, resized
from demos.settings import Setting
from demos.training import BEFORE, OLD_GOALS, Run
from simulator.cambridge import cambridge_restaurants
from tests.demos.commands import finished, refused

TINY = Setting(dialogues=8, test_dialogues=3, tests=("greedy",), without=("phone", "postcode"), grow_after=5)
SPACES = pytest.mark.parametrize("space", ["summary", "master"])


def state_of(agent):
    return agent.learner.params if hasattr(agent, "learner") else agent.posterior.state()


def test_places_are_found_by_name():
    assert places(["a", "c"], ["c", "b", "a"]) == [2, 0]


@SPACES
@pytest.mark.parametrize("kind", ["acer", "gp"])
@pytest.mark.parametrize("slots", [("phone", "postcode"), ("area",)])
def test_what_it_thinks_of_old_actions_does_not_change(kind, space, slots):
    """For each old action the new one that says the same; the belief of the same dialogue in the larger domain."""
    setting = replace(TINY, agent=kind, space=space, mask="none", without=slots)
    run = Run(setting, 0)
    for _ in range(4):
        run._train_on_one()
    small, agent, before = run.env, run.agent, run.agent.n_dialogues
    large = make_env(setting)
    new = grow(agent, setting, small, large)
    names = {large.system.actions.name(a): a for a in range(large.n_actions)}
    index = np.array([names[small.system.actions.name(a)] for a in range(small.n_actions)])
    belief, _ = small.reset(seed=3)
    wide = np.zeros(large.n_belief)
    wide[[large.system.encoder.names.index(name) for name in small.system.encoder.names]] = belief
    old = agent.action_table(belief, np.ones(small.n_actions, bool))
    now = new.action_table(wide, np.ones(large.n_actions, bool))
    for word in {"Q", "mean", "std"} & set(old):
        assert_allclose(now[word][index], old[word], atol=1e-4)
    if "pi" in old:                                    # new slots share the old probabilities nearly evenly
        ratio = now["pi"][index] / old["pi"]
        informs = index < large.system.actions.n_informs
        untold = (1 / (1 + np.exp(0.1))) ** len(set(slots)) if space == "master" else 1
        assert_allclose(ratio[informs] / ratio[-1], untold, rtol=1e-3)
    assert new.n_dialogues == before
    if kind != "gp":                                   # whose users never wanted what is new
        assert agent.replay.dialogues and not new.replay.dialogues


@pytest.mark.parametrize("kind", ["acer", "gp"])
def test_a_run_grows_once_and_resumes_on_either_side_of_it(kind, tmp_path):
    setting = replace(TINY, agent=kind, space="summary" if kind == "gp" else "master")       # where GP is small
    whole, stopped = finished(Run(setting, 1)), Run(setting, 1)
    rows = [(row["dialogues"], row["test"]) for row in whole.curve]
    assert rows[:2] == [(1, "greedy"), (1, OLD_GOALS)] and rows.count((5, BEFORE)) == 1 and len(rows) == 17
    assert whole.env.domain is cambridge_restaurants() and whole.old_goals.user.domain.name.endswith("phone, postcode")
    steps = stopped.train()
    for i in range(8):
        next(steps)
        if i in (1, 4, 6):
            (tmp_path / str(i)).mkdir()
            stopped.save(tmp_path / str(i))
    for i in (1, 4, 6):
        again = finished(Run.load(tmp_path / str(i)))
        assert again.curve == whole.curve
        assert str(state_of(again.agent)) == str(state_of(whole.agent))


def test_old_goals_are_those_of_the_same_users_before_and_after():
    run = Run(replace(TINY, space="master"), 0)
    run.env.reset(seed=[1, 1, 4])
    before = run.env.user.goal.requests.keys(), dict(run.env.user.goal.constraints)
    run._grow()
    run.old_goals.reset(seed=[1, 1, 4])
    assert (run.old_goals.user.goal.requests.keys(), run.old_goals.user.goal.constraints) == before
    asked = set()
    for i in range(60):
        run.env.reset(seed=[1, 1, i])
        asked |= run.env.user.goal.requests.keys()
        run.old_goals.reset(seed=[1, 1, i])
        assert not {"phone", "postcode"} & run.old_goals.user.goal.requests.keys()
    assert {"phone", "postcode"} <= asked


def test_a_plan_that_is_shortened_grows_after_the_same_share():
    setting = EXPERIMENTS["growth"].lines["grown, all goals: ACER, mask"].setting
    assert setting.grow_after == resized(setting).grow_after == 1000 and resized(setting, dialogues=10).grow_after == 5


@pytest.mark.parametrize("options, words", [
    (["--without", "phone"], "grow_after is 0, expected 1 to 1999 with some slots to be --without, and 0 with none"),
    (["--grow-after", "5"], "grow_after is 5, expected 1 to 1999 with some slots"),
    (["--without", "phone", "--grow-after", "2000"], "grow_after is 2000, expected 1 to 1999"),
    (["--without", "telephone", "--grow-after", "5"], "slot to leave out is 'telephone', expected one of addr"),
    (["--agent", "handcrafted", "--without", "phone"], "agent is handcrafted, expected one that learns")])
def test_a_growth_that_makes_no_sense_is_refused_in_one_sentence(options, words, capsys):
    assert words in refused(train.main, capsys, *options)
