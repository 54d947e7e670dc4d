"""The training command: every agent, the same users for all, stopping and resuming, refusals, and real learning."""
import csv
import json
import signal
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import demos
from demos import train
from demos.agents import LEARNERS, Setting, make_agent, make_config, make_env, with_overrides
from demos.console import Progress, aligned, clock
from demos.files import from_csv, to_csv, whole_file, write_whole
from demos.training import Run, evaluate, milestones, play
from simulator.env import DialogueEnv

TINY = ["--dialogues", "6", "--test-dialogues", "3"]


def run_main(folder, *options):
    return train.main([*TINY, "--out", str(folder), *options])


def finished(run):
    for _ in run.train():
        pass
    return run


# ---- the loop

def test_tests_come_every_200_dialogues_as_in_the_paper_or_ten_times_in_a_short_run():
    assert milestones(4000) == list(range(200, 4001, 200))
    assert milestones(1000) == list(range(100, 1001, 100))
    assert milestones(25) == [3, 6, 9, 12, 15, 18, 21, 24, 25]
    assert milestones(3) == [1, 2, 3]
    assert milestones(0) == [0]


@pytest.mark.parametrize("space", ["summary", "master"])
def test_reward_is_twenty_for_success_less_one_per_turn(space):
    setting = Setting(agent="random", space=space, mask=False)
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
    assert tested == 10 * tested[:2] and tested[0] != tested[1]
    finished(Run(Setting(agent="gp", dialogues=1, test_dialogues=2), seed=8))
    assert seeds[-2:] == tested[:2]


def test_testing_leaves_no_trace_in_training():
    few, many = (finished(Run(Setting(dialogues=12, test_dialogues=n), seed=3)) for n in (1, 5))
    assert np.array_equal(few.agent.learner.params, many.agent.learner.params)


def test_exploration_ends_with_training_and_defaults_are_not_overrides():
    setting = Setting(dialogues=123)
    assert make_config(setting).epsilon_dialogues == 123
    config = make_config(setting)
    assert with_overrides(setting, rho_max=config.rho_max) == setting
    other = with_overrides(setting, rho_max=config.rho_max + 1, gamma=config.gamma)
    assert make_config(other) == replace(config, rho_max=config.rho_max + 1)
    assert other.name == f"acer-summary-mask-rho_max={config.rho_max + 1}"
    assert with_overrides(other, rho_max=config.rho_max) == setting


def test_in_the_master_space_acer_has_its_own_values():
    plain, master = (make_config(Setting(space=space)) for space in ("summary", "master"))
    assert master == replace(plain, explore_over="summary", trace_decay=1.0, entropy_weight=0.003)
    assert make_config(Setting(space="master", mask=False)) == replace(master, epsilon_start=0.5)
    assert make_config(Setting(mask=False)) == plain
    assert make_config(Setting(agent="a2c", space="master")) == make_config(Setting(agent="a2c"))
    taken_back = with_overrides(Setting(space="master"), explore_over="actions")
    assert make_config(taken_back) == replace(master, explore_over="actions")


def test_final_tests_at_other_error_rates_follow_the_last_milestone():
    setting = Setting(agent="handcrafted", error_rate=0.1, nbest=5, test_dialogues=40, final_error_rates=(0.0, 0.9))
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
    assert not run.recent and {"training_success", "rho", "critic_error"} <= set(first)
    assert run.curve[0]["rho"] != first["rho"] and run.curve[0]["training_success"] in (0.0, 0.5, 1.0)


# ---- the command

@pytest.mark.parametrize("space", ["summary", "master"])
@pytest.mark.parametrize("agent", [*LEARNERS, "handcrafted", "random"])
def test_every_agent_trains_in_both_spaces_and_leaves_its_files(agent, space, tmp_path, capsys):
    assert run_main(tmp_path, "--agent", agent, "--space", space, "--seed", "5") == 0
    rows = list(csv.DictReader(open(tmp_path / "curve.csv")))
    assert [int(row["dialogues"]) for row in rows] == ([1, 2, 3, 4, 5, 6] if agent in LEARNERS else [0])
    record = json.loads((tmp_path / "run.json").read_text())
    assert record["version"] == demos.__version__ and record["seed"] == 5 and record["setting"]["agent"] == agent
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert {path.name for path in tmp_path.iterdir()} == {"curve.csv", "curve.png", "run.json"}
    shown = capsys.readouterr().out
    for word in ("handcrafted", "random", "goal ", "system ", "user ", "belief ", "turns, reward", str(tmp_path)):
        assert word in shown


def test_noise_lists_and_mask_reach_the_environment(tmp_path, capsys):
    assert run_main(tmp_path, "--no-mask", "--error-rate", "0.5", "--nbest", "3") == 0
    setting = json.loads((tmp_path / "run.json").read_text())["setting"]
    assert (setting["mask"], setting["error_rate"], setting["nbest"]) == (False, 0.5, 3)
    env = make_env(Setting(mask=False, error_rate=0.5, nbest=3, space="master"))
    assert (env.use_mask, env.channel.error_rate, env.channel.nbest) == (False, 0.5, 3) and env.actions.is_master


def test_the_diagnostics_of_acer_are_in_the_table(tmp_path):
    run_main(tmp_path)
    header = (tmp_path / "curve.csv").read_text().splitlines()[0]
    for name in ("rho", "truncated", "kl_growth", "binding", "entropy", "critic_error"):
        assert name in header.split(",")


# ---- stopping and resuming

def before_dialogue(monkeypatch, n, happens):
    """Something happens just before the n-th training dialogue."""
    train_on_one, count = Run._train_on_one, [0]

    def patched(run):
        count[0] += 1
        if count[0] == n:
            happens()
        return train_on_one(run)
    monkeypatch.setattr(Run, "_train_on_one", patched)


def interrupt(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("agent", LEARNERS)
def test_stopped_and_resumed_is_never_stopped(agent, tmp_path, monkeypatch, capsys):
    options = ["--agent", agent, "--dialogues", "25", "--test-dialogues", "2", "--seed", "4"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    snapshot, final, straight = (str(tmp_path / name) for name in ("snapshot", "final", "straight"))
    assert train.main([*options, "--out", str(whole), "--save", straight]) == 0

    # Before the 8th, so between two tests: records since the last one wait in the snapshot.
    before_dialogue(monkeypatch, 8, lambda: signal.raise_signal(signal.SIGINT))
    capsys.readouterr()
    assert train.main([*options, "--out", str(parts), "--save", snapshot]) == 130
    shown = capsys.readouterr().out
    assert "8 of 25" in shown and f"--resume {snapshot}" in shown
    assert len(from_csv((parts / "curve.csv").read_text())) == 2
    monkeypatch.undo()

    assert train.main(["--resume", snapshot, "--out", str(parts), "--save", final]) == 0
    for name in ("curve.csv", "run.json", "curve.png"):
        assert (whole / name).read_bytes() == (parts / name).read_bytes()
    assert Path(final).read_bytes() == Path(straight).read_bytes()


def test_a_second_interrupt_stops_at_once_and_keeps_the_curve(tmp_path, monkeypatch, capsys):
    before_dialogue(monkeypatch, 5, lambda: monkeypatch.setattr(DialogueEnv, "step", interrupt))
    assert run_main(tmp_path, "--save", str(tmp_path / "snapshot")) == 130
    assert len(from_csv((tmp_path / "curve.csv").read_text())) == 4
    assert "to go on from 4" in capsys.readouterr().out
    assert Run.load(tmp_path / "snapshot").n_dialogues == 4
    assert not list(tmp_path.glob(".*"))


def test_an_interrupt_before_anything_was_saved_says_so(tmp_path, monkeypatch, capsys):
    before_dialogue(monkeypatch, 1, interrupt)
    assert run_main(tmp_path) == 130
    assert "nothing to resume from" in capsys.readouterr().out
    assert not (tmp_path / "curve.csv").exists()


def test_the_handler_of_interrupts_is_put_back(tmp_path):
    before = signal.getsignal(signal.SIGINT)
    run_main(tmp_path)
    assert signal.getsignal(signal.SIGINT) is before


def test_resuming_a_finished_run_repeats_its_report(tmp_path, capsys):
    run_main(tmp_path / "a", "--save", str(tmp_path / "snapshot"))
    first = capsys.readouterr().out
    assert train.main(["--resume", str(tmp_path / "snapshot"), "--out", str(tmp_path / "a")]) == 0
    assert capsys.readouterr().out == first


# ---- refusals

def refused(main, capsys, *options):
    """The one line with which a command refuses its options."""
    with pytest.raises(SystemExit) as stopped:
        main(list(options))
    message = capsys.readouterr().err
    assert stopped.value.code == 2 and message.count("\n") == 1
    return message


refusal = partial(refused, train.main)


@pytest.mark.parametrize("options, words", [
    (["--agent", "dqn"], "dqn"), (["--space", "large"], "large"), (["--dialogues", "0"], "whole number of at least 1"),
    (["--dialogues", "ten"], "'ten'"), (["--error-rate", "1.5"], "from 0 to 1"), (["--error-rate", "nan"], "nan"),
    (["--nbest", "0"], "--nbest"), (["--seed", "-1"], "--seed"), (["--test-dialogues", "0"], "--test-dialogues"),
    (["--resume", "nowhere.npz"], "nowhere.npz does not exist"), (["--colour"], "--colour"),
    (["--agent", "random", "--save", "x.npz"], "does not learn"), (["--save", "no/such/x.npz"], "does not exist")])
def test_a_mistake_is_one_clear_line(options, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert words in refusal(capsys, *options)
    assert not list(tmp_path.iterdir())


def test_snapshots_that_do_not_fit_are_refused(tmp_path, monkeypatch, capsys):
    snapshot = tmp_path / "snapshot"
    run_main(tmp_path, "--save", str(snapshot))
    for option, value, word in (("--seed", "9", "seed 0"), ("--dialogues", "7", "dialogues 6"),
                                ("--agent", "gp", "agent acer")):
        assert word in refusal(capsys, "--resume", str(snapshot), option, value)
    assert "mask True" in refusal(capsys, "--resume", str(snapshot), "--no-mask")
    assert "exists already" in refusal(capsys, "--save", str(snapshot))
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert "file" in refusal(capsys, "--out", str(blocked))

    half = tmp_path / "half"
    half.write_bytes(snapshot.read_bytes()[:-200])
    assert "damaged" in refusal(capsys, "--resume", str(half))
    assert "damaged" in refusal(capsys, "--resume", str(blocked))
    monkeypatch.setattr(demos, "__version__", "99")
    assert "version" in refusal(capsys, "--resume", str(snapshot))


# ---- the small parts

def test_a_file_is_whole_or_as_it_was(tmp_path):
    target = tmp_path / "file"
    write_whole(target, "old")
    with pytest.raises(RuntimeError), whole_file(target) as temporary:
        temporary.write_text("ne")
        raise RuntimeError
    assert target.read_text() == "old" and list(tmp_path.iterdir()) == [target]
    write_whole(target, b"new")
    assert target.read_text() == "new" and list(tmp_path.iterdir()) == [target]


def test_a_table_keeps_every_digit_and_may_have_holes():
    rows = [{"a": 1, "b": 0.1 + 0.2}, {"a": 2, "c": 1e-17}]
    read = [{name: float(value) for name, value in row.items()} for row in from_csv(to_csv(rows))]
    assert read == rows


def test_the_progress_line_is_rewritten_on_a_terminal_and_rare_elsewhere(monkeypatch, capsys):
    with Progress() as progress:
        for i in range(1000):
            progress.show(str(i))
        assert capsys.readouterr().err == ""
        progress.last -= 60
        progress.show("now")
    assert capsys.readouterr().err == "now\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Progress() as progress:
        progress.last -= 1
        progress.show("here")
        progress.show("too soon")
    assert capsys.readouterr().err == "\r\033[Khere\r\033[K"


def test_times_and_tables_read_well():
    assert [clock(5), clock(65.4), clock(7400)] == ["0:05", "1:05", "2:03:20"]
    assert aligned([("name", "x"), ("a", 10.5)]) == "name     x\na     10.5"


# ---- learning

@pytest.mark.parametrize("seed", [0, 1])
def test_acer_learns_to_talk_in_three_hundred_dialogues(seed):
    # Over six seeds: 93 to 100 % and a reward of 12.5 to 13.9; before training at most 24 % and a negative reward.
    run = Run(Setting(dialogues=300, test_dialogues=100), seed)
    before = evaluate(run.env, run.agent, 100)
    finished(run)
    assert before.success < 0.6 and before.reward < 0
    assert run.curve[-1]["success"] > 0.82 and run.curve[-1]["reward"] > 9.5
