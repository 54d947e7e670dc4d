"""The command: units of work that survive anything, and a plan that says what it measured."""
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from demos import reproduce
from demos.reproduction import plan as experiments
from demos.reproduction.plan import measure
from demos.reproduction.store import Results
from demos.settings import Setting
from demos.training import Run, milestones

TINY = ["--figure", "3", "--seeds", "2", "--dialogues", "20", "--test-dialogues", "2"]
SETTING = Setting(dialogues=20, test_dialogues=2)
UNITS = {"acer-mask.csv": 2, "acer-mask-paper.csv": 2, "a2c-mask.csv": 2, "enac-mask.csv": 2, "gp-mask.csv": 2,
         "handcrafted-mask.csv": 1}


def files(folder):
    """Results and figures; costs.csv holds times, which nothing can repeat, and a killed process leaves .part files."""
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())
            if path.name != "costs.csv" and path.suffix != ".part"}


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

def test_a_plan_leaves_one_file_per_setting_and_a_figure(tiny):
    assert set(files(tiny)) == {*UNITS, "figure_3-2seeds.png"}
    results = Results(tiny)
    for setting, seed in experiments.plan(experiments.select(["3"], 2, dialogues=20, test_dialogues=2)):
        assert len(results.read(setting)) == UNITS[results.path(setting).name] > seed


def test_two_jobs_give_the_same_files_as_one(tiny, tmp_path):
    assert reproduce.main([*TINY, "--jobs", "2", "--results", str(tmp_path)]) == 0
    assert files(tmp_path) == files(tiny)


def test_any_executor_gives_the_same_files(tiny, tmp_path, in_threads):
    assert reproduce.main([*TINY, "--jobs", "3", "--results", str(tmp_path)]) == 0
    assert files(tmp_path) == files(tiny)


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_a_plan_that_is_killed_again_and_again_ends_as_if_it_never_was(blow, tiny, tmp_path, in_threads):
    for n_units in (1, 3, 6):                            # 11 in all
        process = started(tmp_path)
        while (not (tmp_path / "costs.csv").exists()
               or len((tmp_path / "costs.csv").read_text().splitlines()) <= n_units):
            assert process.poll() is None, process.communicate()
            time.sleep(0.005)
        process.send_signal(blow)
        _, message = process.communicate(timeout=60)
        assert process.returncode == (-signal.SIGKILL if blow == signal.SIGKILL else 130)
        assert "Traceback" not in message
        assert blow == signal.SIGKILL or message.endswith("run the same command to go on\n")
        assert not any(path.suffix == ".png" for path in tmp_path.iterdir())
    assert reproduce.main([*TINY, "--results", str(tmp_path)]) == 0
    assert files(tmp_path) == files(tiny)
    assert len((tmp_path / "costs.csv").read_text().splitlines()) <= 1 + 11      # nothing was computed twice


def test_two_commands_on_one_folder_end_as_one(tiny, tmp_path):
    both = [started(tmp_path), started(tmp_path)]
    for process in both:
        _, message = process.communicate(timeout=120)
        assert process.returncode == 0 and "Traceback" not in message
    assert files(tmp_path) == files(tiny)


def test_complete_work_is_only_drawn_again(tiny, monkeypatch, capsys):
    monkeypatch.setattr(reproduce, "run_here", None)
    before = files(tiny)
    assert reproduce.main([*TINY, "--results", str(tiny)]) == 0
    assert files(tiny) == before
    shown = capsys.readouterr().out
    assert "| success (%), greedy / draws, after | 20 | reward |" in shown
    assert "| 3 | ACER is far ahead of eNAC | mean success: ACER - eNAC |" in shown


def test_more_seeds_keep_what_is_there_and_one_seed_has_no_interval_nor_verdict(tiny, tmp_path, in_threads, capsys):
    reproduce.main([*TINY, "--results", str(tmp_path), "--seeds", "1"])
    shown = capsys.readouterr().out
    assert "[" not in shown.replace("[95 %]", "") and "undecided" in shown
    assert "reproduced" not in shown and "different" not in shown
    reproduce.main([*TINY, "--results", str(tmp_path)])
    assert {name: content for name, content in files(tmp_path).items() if "1seeds" not in name} == files(tiny)


def test_damage_stops_the_command_and_nothing_is_touched(tiny, tmp_path, in_threads, capsys):
    reproduce.main([*TINY, "--results", str(tmp_path)])
    victim = tmp_path / "acer-mask.csv"
    victim.write_bytes(victim.read_bytes()[:-9])
    before = files(tmp_path)
    capsys.readouterr()
    message = refusal(capsys, *TINY, "--results", str(tmp_path))
    assert str(victim) in message and "damaged" in message and "remove it" in message
    assert files(tmp_path) == before
    victim.unlink()
    assert reproduce.main([*TINY, "--results", str(tmp_path)]) == 0
    assert files(tmp_path) == files(tiny)


def test_results_of_other_sizes_are_neither_used_nor_touched(tiny, capsys):
    before = files(tiny)
    message = refusal(capsys, *TINY, "--dialogues", "30", "--results", str(tiny))
    assert "dialogues 20, expected 30" in message and "--results" in message
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


# ---- one unit

def test_a_unit_is_what_training_gives(tmp_path):
    rows, seconds, problem = measure(SETTING, 3)
    run = Run(SETTING, 3)
    for _ in run.train():
        pass
    assert problem == "" and set(seconds) == {"training", "testing"} and len(rows) == len(run.curve) == 20
    for row, expected in zip(rows, run.curve):
        assert row.items() <= expected.items() and ("rho" in row) == (row["test"] == "greedy")


def test_a_unit_whose_update_is_refused_stays_what_it_is(monkeypatch):
    def train_on_one(run):
        if run.n_dialogues == 5:
            raise ValueError("not finite")
        run.n_dialogues += 1
    monkeypatch.setattr(Run, "_train_on_one", train_on_one)
    rows, _, problem = measure(SETTING, 0)
    assert [row["dialogues"] for row in rows if row["test"] == "greedy"] == milestones(20)
    assert "after 5 dialogues: not finite" in problem
    assert len({row["reward"] for row in rows if row["test"] == "greedy"}) == 1


# ---- the domains of the benchmark

@pytest.fixture
def domains(tmp_path):
    """A tiny domain under the three names."""
    folder = tmp_path / "domains"
    folder.mkdir()
    ontology = {"type": "restaurant", "requestable": ["name", "food", "area", "phone"],
                "system_requestable": ["food", "area"], "discourseAct": ["none", "bye"],
                "method": ["none", "byconstraints", "byname", "byalternatives"],
                "informable": {"food": ["thai", "greek"], "area": ["north", "south"], "name": []}}
    venues = [(f"the {food} {area} {i}", food, area, str(i)) for i, (food, area) in enumerate(
        [(food, area) for food in ("thai", "greek") for area in ("north", "south")] * 2)]
    ontology["informable"]["name"] = [name for name, *_ in venues]
    for name in experiments.DOMAINS.values():
        (folder / f"{name}-rules.json").write_text(json.dumps(ontology))
        with sqlite3.connect(folder / f"{name}-dbase.db") as database:
            database.execute(f"create table {name} (name text, food text, area text, phone text)")
            database.executemany(f"insert into {name} values (?, ?, ?, ?)", venues)
        database.close()
    return folder


def test_the_benchmark_runs_on_a_folder_of_domains(domains, tmp_path, monkeypatch, in_threads, capsys):
    monkeypatch.setattr(experiments, "BENCHMARK_SEEDS", {"acer": 1, "handcrafted": 1})
    monkeypatch.setitem(reproduce.EXPERIMENTS, "benchmark",
                        experiments.EXPERIMENTS["benchmark"]._replace(lines=experiments.benchmark()))
    monkeypatch.setattr("demos.reproduction.tables.BENCHMARK_SEEDS", experiments.BENCHMARK_SEEDS)
    monkeypatch.setattr("demos.reproduction.figures.BENCHMARK_SEEDS", experiments.BENCHMARK_SEEDS)
    options = ["--figure", "benchmark", "--dialogues", "4", "--test-dialogues", "2", "--results", str(tmp_path / "new")]
    assert reproduce.main(options) == 0                  # without the files: left out
    assert "benchmark is left out: it needs" in capsys.readouterr().err and not (tmp_path / "new").exists()
    assert reproduce.main([*options, "--domains", str(domains)]) == 0
    shown = capsys.readouterr().out
    assert "| task | acer | handcrafted | lowest seed | PyDial (seeds, source) |" in shown
    line = experiments.benchmark()["acer, LAP, 6"]
    curve = Results(tmp_path / "new").curve(line._replace(setting=experiments.replace(
        line.setting, dialogues=4, test_dialogues=2)))
    assert list(curve.x) == [1, 2, 3, 4] and (tmp_path / "new" / "benchmark.png").exists()
    assert reproduce.main(options) == 0                  # complete, it needs the files no more
    assert "left out" not in capsys.readouterr().err


def test_a_file_that_is_missing_is_named(domains, tmp_path, capsys):
    os.remove(domains / "Laptops11-dbase.db")
    assert reproduce.main(["--figure", "laptops", "--domains", str(domains), "--results", str(tmp_path / "new")]) == 0
    assert f"laptops is left out: it needs {domains / 'Laptops11-dbase.db'}" in capsys.readouterr().err
