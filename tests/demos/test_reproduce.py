"""The reproduction: units of work that survive anything, and the plan that they make."""
import dataclasses
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import demos
from demos import reproduce
from demos.agents import LEARNERS, Setting, make_config
from demos.experiments import EXPERIMENTS, NO_MASK, measure, plan, select
from demos.results import Results, seeds_of
from demos.training import Run, milestones
from tests.test_train import refused

TINY = ["--figure", "11", "--seeds", "2", "--dialogues", "20", "--test-dialogues", "2"]    # 2 settings and a reference
SETTING = Setting(dialogues=20, test_dialogues=2)
SECONDS = {"training": 60.0, "testing": 30.0}


def files(folder):
    """All results and figures; costs.csv holds times, which nothing can repeat."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob("*.*"))
            if path.name != "costs.csv"}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """The tiny plan, never interrupted, in one process."""
    folder = tmp_path_factory.mktemp("one job")
    assert reproduce.main([*TINY, "--jobs", "1", "--results", str(folder)]) == 0
    return folder


@pytest.fixture
def in_threads(monkeypatch):
    """Another executor, and a quick one."""
    def run_here(units, results, jobs):
        with ThreadPoolExecutor(jobs) as executor:
            reproduce.run(units, results, executor)
    monkeypatch.setattr(reproduce, "run_here", run_here)


refusal = partial(refused, reproduce.main)


# ---- running the plan

def test_a_plan_leaves_one_file_per_unit_and_a_figure(tiny):
    assert set(files(tiny)) == {"acer-summary-mask/seed00.csv", "acer-summary-mask/seed01.csv",
                                "acer-master-mask/seed00.csv", "acer-master-mask/seed01.csv",
                                "handcrafted-summary-mask/seed00.csv", "figure_11-2seeds.png"}


def test_two_jobs_give_the_same_files_as_one(tiny, tmp_path):
    assert reproduce.main([*TINY, "--jobs", "2", "--results", str(tmp_path)]) == 0
    assert files(tmp_path) == files(tiny)


def test_any_executor_gives_the_same_files(tiny, tmp_path, in_threads):
    assert reproduce.main([*TINY, "--jobs", "3", "--results", str(tmp_path)]) == 0
    assert files(tmp_path) == files(tiny)


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_a_plan_that_was_killed_goes_on_where_it_was(blow, tiny, tmp_path, in_threads, capfd):
    command = [sys.executable, "-m", "demos.reproduce", *TINY, "--jobs", "1", "--results", str(tmp_path)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1])
    while not list(tmp_path.glob("*/*.csv")) and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(blow)
    _, message = process.communicate(timeout=60)
    before = {name: content for name, content in files(tmp_path).items() if not name.endswith(".part")}
    assert before and all(files(tiny)[name] == content for name, content in before.items())
    if blow == signal.SIGINT and len(before) < len(files(tiny)):
        assert process.returncode == 130 and message.endswith("run the same command to go on\n")
        assert "Traceback" not in message
    assert reproduce.main([*TINY, "--results", str(tmp_path)]) == 0
    assert {name: content for name, content in files(tmp_path).items() if not name.endswith(".part")} == files(tiny)


def test_complete_work_is_only_drawn_again(tiny, monkeypatch, capsys):
    monkeypatch.setattr(reproduce, "run_here", None)
    before = files(tiny)
    assert reproduce.main([*TINY, "--results", str(tiny)]) == 0
    assert files(tiny) == before
    shown = capsys.readouterr().out
    assert "ACER, master" in shown and "| 11 | The master space is slower |" in shown


def test_more_seeds_keep_what_is_there(tiny, tmp_path, in_threads):
    reproduce.main([*TINY, "--results", str(tmp_path), "--seeds", "1"])
    first = files(tmp_path)
    reproduce.main([*TINY, "--results", str(tmp_path)])
    assert {**files(tmp_path), **first} == files(tmp_path) == {**files(tiny), **first}


def test_damage_is_reported_and_mended(tiny, tmp_path, in_threads, capsys):
    reproduce.main([*TINY, "--results", str(tmp_path)])
    victim = tmp_path / "acer-summary-mask" / "seed01.csv"
    victim.write_bytes(victim.read_bytes()[:-9])
    capsys.readouterr()
    assert reproduce.main([*TINY, "--results", str(tmp_path)]) == 0
    message = capsys.readouterr().err
    assert str(victim) in message and "damaged" in message and "again" in message
    assert files(tmp_path) == files(tiny)


def test_results_of_other_settings_or_versions_are_neither_used_nor_touched(tiny, monkeypatch, capsys):
    before = files(tiny)
    message = refusal(capsys, *TINY, "--dialogues", "30", "--results", str(tiny))
    assert "5 of 5" in message and "dialogues 20; now it is 30" in message and "--results" in message
    monkeypatch.setattr(demos, "__version__", "99.0")
    assert "version" in refusal(capsys, *TINY, "--results", str(tiny))
    assert files(tiny) == before


@pytest.mark.parametrize("options, words", [
    (["--figure", "2"], "'2'"), (["--figure", "all", "x"], "'x'"), (["--seeds", "0"], "whole number of at least 1"),
    (["--jobs", "0"], "--jobs"), (["--dialogues", "-5"], "--dialogues"), (["--test-dialogues", "two"], "'two'")])
def test_a_mistake_is_one_clear_line(options, words, capsys):
    assert words in refusal(capsys, *options)


def test_a_results_folder_that_is_a_file_is_refused(tmp_path, capsys):
    (tmp_path / "file").write_text("in the way")
    assert "file" in refusal(capsys, *TINY, "--results", str(tmp_path / "file"))


def test_a_worker_that_fails_is_not_silent(tmp_path, monkeypatch):
    def broken(setting, seed):
        raise RuntimeError("a bug")
    monkeypatch.setattr(reproduce, "measure", broken)
    with ThreadPoolExecutor(1) as executor, pytest.raises(RuntimeError, match="a bug"):
        reproduce.run([(SETTING, 0)], Results(tmp_path), executor)
    assert not list(tmp_path.iterdir())


def test_a_run_whose_update_is_refused_stays_what_it_is(monkeypatch):
    def train_on_one(run):
        if run.n_dialogues == 5:
            raise ValueError("not finite")
        run.n_dialogues += 1
    monkeypatch.setattr(Run, "_train_on_one", train_on_one)
    rows, _, problem = measure(SETTING, 0)
    assert [row["dialogues"] for row in rows] == milestones(20)
    assert "after 5 dialogues: not finite" in problem and len({row["reward"] for row in rows}) == 1


# ---- the plan

def test_figures_share_their_runs():
    assert plan(select(["3"])) == plan(select(["4"])) == plan(select(["3", "4", "5"]))
    assert plan(select(["13"])) == plan(select(["14"]))
    for figure in ("6", "7", "8", "9", "10", "12", "ablation"):
        assert NO_MASK in EXPERIMENTS[figure].lines.values()
    units = plan(select(list(EXPERIMENTS)))
    assert len(set(units)) == len(units)
    names = {}
    for setting, _ in units:
        assert names.setdefault(setting.name, setting) == setting       # no two settings share a file


def test_a_plan_goes_seed_by_seed_and_tests_fixed_policies_once():
    units = plan(select(["3"], seeds=2, dialogues=40))
    assert [seed for _, seed in units] == sorted(seed for _, seed in units)
    assert {setting.dialogues for setting, _ in units} == {40}
    assert [seed for setting, seed in units if setting.agent == "handcrafted"] == [0]
    assert seeds_of(SETTING, 3) == range(3)


def test_the_protocol_is_that_of_the_paper():
    for experiment in EXPERIMENTS.values():
        for setting in experiment.lines.values():
            assert (setting.dialogues, setting.test_dialogues) == (4000, 200)
    fewer = {"7": 10, "8": 10, "10": 5, "readings": 10}
    assert all(experiment.seeds == fewer.get(name, 15) for name, experiment in EXPERIMENTS.items())
    noisy = EXPERIMENTS["13"].lines["GP, master"]
    assert (noisy.error_rate, noisy.nbest, noisy.mask, noisy.space) == (0.15, 5, True, "master")
    assert noisy.final_error_rates == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    assert make_config(EXPERIMENTS["3"].lines["GP"]).test_scale == 1
    assert make_config(EXPERIMENTS["3"].lines["GP, tested on its mean"]).test_scale == 0


def test_every_sweep_and_ablation_changes_what_it_says():
    default = make_config(NO_MASK)
    for figure, letter, name in (("7", "c", "rho_max"), ("8", "δ", "kl_limit"), ("9", "β", "average_decay"),
                                 ("10", "n", "updates_per_dialogue")):
        for label, setting in EXPERIMENTS[figure].lines.items():
            if setting.agent in LEARNERS:
                expected = dataclasses.replace(default, **{name: type(getattr(default, name))(label.split("= ")[1])})
                assert label.startswith(letter) and make_config(setting) == expected
    lines = {label: make_config(setting) for label, setting in EXPERIMENTS["ablation"].lines.items()
             if setting.agent == "acer"}
    assert lines.pop("ACER") == default
    for label, name, value in (("λ-returns, not Retrace", "critic_target", "lambda_return"),
                               ("one-step targets (λ = 0)", "trace_decay", 0.0), ("no entropy", "entropy_weight", 0.0),
                               ("traces cut at c, not 1", "trace_max", default.rho_max),
                               ("no truncation (c = ∞)", "rho_max", np.inf), ("no trust region (δ = ∞)", "kl_limit", np.inf),
                               ("no bias correction", "bias_correction", False)):
        assert lines.pop(label) == dataclasses.replace(default, **{name: value})
    assert lines.pop("no replay") == dataclasses.replace(default, capacity=1, minibatch=1)
    assert lines.pop("all values as in the paper").capacity == 2000 and not lines
