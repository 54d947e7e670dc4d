"""The command: units of work that survive anything, and a plan that says what it measured."""
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path

import pytest

from demos import reproduce
from demos.reproduction import plan as experiments
from demos.reproduction.plan import measure
from demos.records import from_line
from demos.reproduction.store import Results
from demos.settings import Setting
from demos.training import Run, milestones
from tests.demos.commands import domain_files, finished

TINY = ["--figure", "3", "--seeds", "2", "--dialogues", "20", "--test-dialogues", "2"]
SETTING = Setting(dialogues=20, test_dialogues=2)


def lines(folder):
    """All units by setting and seed, without their times, which nothing can repeat."""
    path = Path(folder) / "built-in.jsonl"
    records = map(from_line, path.read_text().splitlines()) if path.exists() else []
    return sorted((str(record.setting), record.seed, str(record.tests)) for record in records)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """The tiny plan, never interrupted, in one process."""
    folder = tmp_path_factory.mktemp("one job")
    assert reproduce.main([*TINY, "--jobs", "1", "--results", str(folder)]) == 0
    return folder


@pytest.fixture
def in_threads(monkeypatch):
    """Another executor, and a quick one."""
    def run_here(units, results, jobs, domains):
        with ThreadPoolExecutor(jobs) as executor:
            reproduce.run(units, results, executor, domains)
    monkeypatch.setattr(reproduce, "run_here", run_here)


def refusal(capsys, *arguments):
    """The one line with which the command refuses."""
    with pytest.raises(SystemExit) as end:
        reproduce.main(list(arguments))
    message = capsys.readouterr().err
    assert end.value.code == 2 and message.count("\n") == 1
    return message


def started(folder, *options):
    """The command in a process of its own, in which Ctrl-C works even where this one ignores it."""
    command = [sys.executable, "-m", "demos.reproduce", *TINY, "--jobs", "1", *options, "--results", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            cwd=Path(__file__).parents[2],
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


# ---- running the plan

def test_a_plan_leaves_a_line_per_unit_and_a_figure(tiny):
    assert {path.name for path in tiny.iterdir()} == {
        "built-in.jsonl", "figure_3-2-seeds-20-dialogues-2-test_dialogues.png"}
    units = experiments.plan(experiments.select(["3"], 2, dialogues=20, test_dialogues=2))
    assert len(lines(tiny)) == len(units) == 11 and not reproduce.missing(units, Results(tiny))


def test_jobs_give_the_same_units(tiny, tmp_path):
    assert reproduce.main([*TINY, "--jobs", "2", "--results", str(tmp_path)]) == 0
    assert lines(tmp_path) == lines(tiny)


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_a_plan_that_is_killed_ends_as_if_it_never_was(blow, tiny, tmp_path, in_threads):
    process = started(tmp_path)
    while len(lines(tmp_path)) < 5:                      # of 11
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(blow)
    _, message = process.communicate(timeout=60)
    assert process.returncode == (-signal.SIGKILL if blow == signal.SIGKILL else 130)
    assert "Traceback" not in message
    assert blow == signal.SIGKILL or message.endswith("run the same command to go on\n")
    assert reproduce.main([*TINY, "--results", str(tmp_path)]) == 0
    assert lines(tmp_path) == lines(tiny)


def test_complete_work_is_only_drawn_again(tiny, monkeypatch, capsys):
    monkeypatch.setattr(reproduce, "run_here", None)
    before = {path: path.read_bytes() for path in tiny.iterdir()}
    assert reproduce.main([*TINY, "--results", str(tiny)]) == 0
    assert {path: path.read_bytes() for path in tiny.iterdir()} == before
    shown = capsys.readouterr().out
    assert "| success (%) | mean of all tests | after 20: greedy / draws | reward at the end |" in shown
    assert "| 3 | ACER is far ahead of eNAC | mean success: ACER - eNAC |" in shown


def test_more_seeds_keep_what_is_there_and_one_seed_has_no_verdict(tiny, tmp_path, in_threads, capsys):
    reproduce.main([*TINY, "--results", str(tmp_path), "--seeds", "1"])
    shown = capsys.readouterr().out
    assert "[" not in shown.replace("[95 %]", "") and "undecided" in shown and "reproduced" not in shown
    reproduce.main([*TINY, "--results", str(tmp_path)])
    assert lines(tmp_path) == lines(tiny)


def test_other_sizes_are_other_units(tiny):
    units = experiments.plan(experiments.select(["3"], 2, dialogues=30, test_dialogues=2))
    assert len(reproduce.missing(units, Results(tiny))) == 11


@pytest.mark.parametrize("options, words", [
    (["--figure", "2"], "'2'"), (["--figure", "all", "x"], "'x'"), (["--seeds", "0"], "whole number of at least 1"),
    (["--jobs", "0"], "--jobs"), (["--dialogues", "-5"], "--dialogues"), (["--test-dialogues", "two"], "'two'")])
def test_a_mistake_is_one_clear_line(options, words, capsys):
    assert words in refusal(capsys, *options)


def test_a_worker_that_fails_is_not_silent(tmp_path, monkeypatch):
    def broken(setting, seed, domains):
        raise RuntimeError("a bug")
    monkeypatch.setattr(reproduce, "measure", broken)
    with ThreadPoolExecutor(1) as executor, pytest.raises(RuntimeError, match="a bug"):
        reproduce.run([(SETTING, 0)], Results(tmp_path), executor)
    assert not list(tmp_path.iterdir())


def test_a_worker_that_dies_ends_the_command_with_what_to_do(tmp_path, monkeypatch, capsys):
    def broken(units, results, executor, domains):
        raise BrokenProcessPool
    monkeypatch.setattr(reproduce, "run", broken)
    with pytest.raises(SystemExit, match="a worker process died; run the same command to go on"):
        reproduce.main([*TINY, "--results", str(tmp_path)])


def test_results_lie_in_the_checkout_or_for_an_installed_copy_in_the_working_folder(tmp_path):
    assert reproduce.results_in(tmp_path).folder == tmp_path
    (tmp_path / "setup.cfg").touch()
    assert reproduce.results_in(None, tmp_path).folder == tmp_path / "demos" / "results"
    home = tmp_path / "site-packages"
    installed = reproduce.results_in(None, home)
    assert (installed.folder, installed.installed) == (Path("results"), home / "demos" / "results")


def test_a_results_folder_that_is_a_file_is_refused_before_anything_is_computed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(reproduce, "run_here", lambda *_: pytest.fail("computed"))
    (tmp_path / "file").write_text("in the way")
    assert "file" in refusal(capsys, *TINY, "--results", str(tmp_path / "file"))


# ---- one unit

def test_a_unit_is_what_training_gives():
    record, problem = measure(SETTING, 3)
    run = finished(Run(SETTING, 3))
    assert problem == "" and record.setting == SETTING.differences() and set(record.cpu) == {"training", "testing"}
    for mode in ("greedy", "draw"):
        rows = [row for row in run.curve if row["test"] == mode]
        assert record.tests[mode]["reward"] == pytest.approx([row["reward"] for row in rows], rel=1e-5)
    assert "binding" in record.tests["greedy"] and "rho" not in record.tests["greedy"]
    watched, _ = measure(replace(SETTING, mask="none"), 3)                   # as the figure of diagnostics has it
    assert {"binding", "rho"} <= watched.tests["greedy"].keys()


def test_a_unit_whose_update_is_refused_stays_what_it_is(monkeypatch):
    def train_on_one(run):
        if run.n_dialogues == 5:
            raise ValueError("not finite")
        run.n_dialogues += 1
    monkeypatch.setattr(Run, "_train_on_one", train_on_one)
    record, problem = measure(SETTING, 0)
    assert record.tests["greedy"]["dialogues"] == milestones(20) and "after 5 dialogues: not finite" in problem
    assert len(set(record.tests["greedy"]["reward"])) == 1


# ---- the domains of the benchmark

def test_the_benchmark_runs_on_a_folder_of_domains_and_refuses_another_of_their_names(
        tmp_path, monkeypatch, in_threads, capsys):
    for name in experiments.DOMAINS.values():
        domain_files(tmp_path, name)
    hard = experiments.EXPERIMENTS["hard"].lines
    kept = {label: hard[label] for label in ("ACER (ours)", "λ = 1")}
    monkeypatch.setitem(reproduce.EXPERIMENTS, "hard", experiments.EXPERIMENTS["hard"]._replace(lines=kept))
    options = ["--figure", "hard", "--seeds", "1", "--dialogues", "4", "--test-dialogues", "2",
               "--results", str(tmp_path / "new")]
    assert reproduce.main(options) == 0                  # without the files: left out
    assert "hard is left out: it needs" in capsys.readouterr().err
    assert reproduce.main([*options, "--domains", str(tmp_path)]) == 0
    assert "| λ = 1 |" in capsys.readouterr().out
    assert (tmp_path / "new" / "hard-1-seeds-4-dialogues-2-test_dialogues.png").exists()
    assert reproduce.main(options) == 0                  # complete, it needs the files no more
    assert "left out" not in capsys.readouterr().err
    domain_files(tmp_path, "Laptops11", "abcdefg")
    assert "another database called Laptops11" in refusal(capsys, *options, "--seeds", "2", "--domains", str(tmp_path))
