"""The training loop: milestones, the same test users for all, settings and their configurations, and real learning."""
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from acer_np import ACERConfig
from demos.agents import make_agent, make_env
from demos.settings import TRAINABLE, Setting, make_config, on_schedule, with_overrides
from demos.training import Run, evaluate, milestones, play, train
from simulator.env import DialogueEnv
from tests.demos.commands import finished


def test_tests_come_every_200_dialogues_as_in_the_paper_or_ten_times_in_a_short_run():
    assert milestones(4000) == list(range(200, 4001, 200))
    assert milestones(1000) == list(range(100, 1001, 100))
    assert milestones(25) == [3, 6, 9, 12, 15, 18, 21, 24, 25]
    assert milestones(3) == [1, 2, 3]
    assert milestones(0) == [0]


@pytest.mark.parametrize("space", ["summary", "master"])
def test_reward_is_twenty_for_success_less_one_per_turn(space):
    setting = Setting(agent="random", space=space, mask="none")
    env = make_env(setting)
    agent = make_agent(setting, env, 0)
    outcomes = [play(env, agent, [0, 0, i]) for i in range(20)]
    assert {outcome.success for outcome in outcomes} == {0.0, 1.0}
    for outcome in outcomes:
        assert outcome.reward == 20 * outcome.success - outcome.turns


def test_every_dialogue_has_its_own_seed_and_all_tests_have_the_same_users(monkeypatch):
    seeds, reset = [], DialogueEnv.reset
    monkeypatch.setattr(DialogueEnv, "reset", lambda env, seed: seeds.append(tuple(seed)) or reset(env, seed))
    finished(Run(Setting(dialogues=20, test_dialogues=2), seed=7))
    trained, tested = [s for s in seeds if s[1] == 0], [s for s in seeds if s[1] == 1]
    assert trained == [(7, 0, i) for i in range(20)]
    assert tested == 20 * [(1802, 1, 0), (1802, 1, 1)]                          # ten tests, greedy and by draws
    finished(Run(Setting(agent="gp", dialogues=1, test_dialogues=2), seed=8))
    assert seeds[-2:] == tested[:2]


def test_testing_leaves_no_trace_in_training():
    few, many = (finished(Run(Setting(dialogues=12, test_dialogues=n), seed=3)) for n in (1, 5))
    assert np.array_equal(few.agent.learner.params, many.agent.learner.params)


def test_a_thread_trains_as_the_main_one_does():
    alone, other = (Run(Setting(dialogues=3, test_dialogues=1)) for _ in range(2))
    train(alone)
    with ThreadPoolExecutor() as pool:
        pool.submit(train, other).result()
    assert other.finished and np.array_equal(alone.agent.learner.params, other.agent.learner.params)


def test_exploration_ends_with_training_and_defaults_are_not_overrides():
    setting = Setting(dialogues=123)
    assert make_config(setting).horizon == 123
    config = make_config(setting)
    assert with_overrides(setting, rho_max=config.rho_max) == setting
    other = with_overrides(setting, rho_max=config.rho_max + 1, gamma=config.gamma)
    assert make_config(other) == replace(config, rho_max=config.rho_max + 1)
    assert other.name == f"acer-summary-mask-rho_max={config.rho_max + 1}"
    assert with_overrides(other, rho_max=config.rho_max) == setting


def test_the_papers_values_are_a_preset_of_acer_alone():
    assert make_config(Setting(preset="paper", dialogues=7)) == ACERConfig.paper(horizon=7)
    assert make_config(with_overrides(Setting(preset="paper"), rho_max=9.0)).rho_max == 9.0
    for agent in ("a2c", "enac", "gp"):
        with pytest.raises(ValueError, match=f"preset is 'paper', expected ours for agent {agent}"):
            make_config(Setting(agent=agent, preset="paper"))


def test_more_or_fewer_dialogues_keep_the_schedule_of_those_that_were_planned():
    for agent in TRAINABLE:
        setting = Setting(agent=agent, dialogues=50)
        for dialogues in (20, 80):
            other = on_schedule(setting, dialogues, space="master")
            assert make_config(other) == make_config(setting)
            assert (other.dialogues, other.space) == (dialogues, "master")
        assert on_schedule(on_schedule(setting, 80), 90) == on_schedule(setting, 90)
        assert on_schedule(on_schedule(setting, 80), 50) == on_schedule(setting, 50) == setting


def test_final_tests_at_other_error_rates_follow_the_last_milestone():
    setting = Setting(agent="handcrafted", error_rate=0.1, nbest=5, test_dialogues=40, final_error_rates=(0.0, 0.9),
                      tests=("greedy",))
    run = finished(Run(setting, 0))
    assert [row["error_rate"] for row in run.curve] == [0.1, 0.0, 0.9]
    assert run.curve[1]["reward"] > run.curve[2]["reward"] + 5
    assert run.env.channel.error_rate == 0.1


def test_the_curve_averages_what_happened_since_the_last_test():
    run = Run(Setting(dialogues=20, test_dialogues=1), 0)
    training = run.train()
    next(training)
    [first] = run.recent
    next(training)
    assert not run.recent and {"rho", "critic_error"} <= set(first)
    assert run.curve[0]["rho"] != first["rho"]


def test_a_program_of_ones_own_can_train_stop_and_go_on(monkeypatch):
    setting, step = Setting(dialogues=8, test_dialogues=1), Run._train_on_one
    run, straight = Run(setting), finished(Run(setting))
    monkeypatch.setattr(Run, "_train_on_one", lambda run: (step(run), run.n_dialogues == 3 and
                                                           signal.raise_signal(signal.SIGINT))[0])
    with pytest.raises(KeyboardInterrupt):
        train(run)
    assert run.n_dialogues == 3 and not run.finished
    train(run)
    assert run.finished and np.array_equal(run.agent.learner.params, straight.agent.learner.params)


def test_cpu_time_is_that_of_training_and_of_tests(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("demos.training.time.thread_time", lambda: clock[0])
    for name, seconds in (("_train_on_one", 2.0), ("_test_mode", 0.125)):
        def patched(run, *args, usual=getattr(Run, name), seconds=seconds):
            clock[0] += seconds
            return usual(run, *args)
        monkeypatch.setattr(Run, name, patched)
    run = Run(Setting(agent="gp", dialogues=25, test_dialogues=1))
    clock[0] = 100.0                                         # between the start and the training
    steps = run.train()
    for _ in range(7):                                       # the tests are after 3 and 6
        next(steps)
    steps.close()
    assert run.seconds == {"training": 14.0, "testing": 0.5}


def test_a_growth_that_never_comes_is_refused():
    for changes in (dict(without=("phone",)), dict(without=("phone",), grow_after=2), dict(grow_after=1)):
        with pytest.raises(ValueError, match="grow_after is .*, expected 1 to 1 with some slots to be --without"):
            Run(Setting(dialogues=2, **changes))


def test_acer_learns_to_talk_in_two_hundred_dialogues():
    run = Run(Setting(dialogues=200, test_dialogues=60))
    run.due = [200]
    before = evaluate(run.env, run.agent, 60)
    finished(run)
    assert before.success < 0.6 and before.reward < 0
    assert run.curve[-1]["success"] > 0.82 and run.curve[-1]["reward"] > 9.5
