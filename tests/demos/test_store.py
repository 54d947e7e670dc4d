"""The folder of results: whole whoever is killed, refused where it is not what it should be, and the intervals."""
import dataclasses
import json
import multiprocessing
import os
import signal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from acer_np import ACERConfig
from demos import agents
from demos.reproduction import store as module
from demos.reproduction.claims import Interval, bootstrap, show
from demos.reproduction.store import Line, Results
from demos.settings import TRAINABLE, Setting

SETTING = Setting(dialogues=20, test_dialogues=2)
ROWS = [{"dialogues": 10.0, "error_rate": 0.0, "test": "greedy", "success": 0.335, "reward": -1.505, "turns": 1e-17},
        {"dialogues": 20.0, "error_rate": 0.0, "test": "greedy", "success": 0.5, "reward": 2.0, "turns": 8.0,
         "rho": 0.3},
        {"dialogues": 20.0, "error_rate": 0.0, "test": "draw", "success": 0.4, "reward": 1.0, "turns": 9.0}]
SECONDS = {"training": 60.0, "testing": 30.0}


def files(folder):
    """All results; costs.csv holds times, which nothing can repeat."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != "costs.csv"}


# ---- what is written comes back

def test_results_come_back_seed_by_seed_in_six_digits(tmp_path):
    results = Results(tmp_path)
    results.write(SETTING, 3, ROWS, SECONDS)
    results.write(SETTING, 1, [row | {"reward": 1 / 3} for row in ROWS], SECONDS)
    assert results.read(SETTING) == {1: [row | {"reward": 0.333333} for row in ROWS], 3: ROWS}
    assert results.read(dataclasses.replace(SETTING, mask="none")) == {}


def test_the_order_in_which_units_are_done_leaves_no_trace(tmp_path):
    for order in ((0, 1, 2), (2, 0, 1), (1, 1, 2, 0)):
        results = Results(tmp_path / str(order))
        for seed in order:
            results.write(SETTING, seed, [row | {"reward": seed} for row in ROWS], SECONDS)
    first, *others = (files(folder) for folder in tmp_path.iterdir())
    assert list(first) == ["acer-mask.csv"] and others == [first, first]


def test_a_curve_holds_the_tests_of_one_mode(tmp_path):
    results = Results(tmp_path)
    for seed in (0, 1):
        results.write(SETTING, seed, [row | {"success": row["success"] / (seed + 1)} for row in ROWS], SECONDS)
    greedy, draws = results.curve(Line(SETTING, 2)), results.curve(Line(SETTING, 1, "draw"))
    assert_allclose(greedy.x, [10, 20])
    assert_allclose(greedy.scores["success"], [[0.335, 0.5], [0.1675, 0.25]])
    assert_allclose(greedy.scores["rho"], [[np.nan, 0.3]] * 2)
    assert_allclose(draws.scores["success"], [[0.4]])


def test_a_curve_after_noise_holds_the_final_error_rates_alone(tmp_path):
    setting = dataclasses.replace(SETTING, final_error_rates=(0.0, 0.5))
    rows = [row | {"error_rate": rate, "test": "greedy"} for row, rate in zip([*ROWS, *ROWS], (0.15, 0.15, 0.0, 0.5))]
    Results(tmp_path).write(setting, 0, rows, SECONDS)
    curve = Results(tmp_path).curve(Line(setting, 1))
    assert_allclose(curve.x, [0.0, 0.5])
    assert_allclose(curve.scores["success"], [[0.4, 0.335]])


def test_an_installed_copy_reads_what_came_with_it_and_writes_elsewhere(tmp_path):
    Results(tmp_path / "installed").write(SETTING, 0, ROWS, SECONDS)
    before = files(tmp_path / "installed")
    mine = Results(tmp_path / "mine", tmp_path / "installed")
    assert mine.read(SETTING) == {0: ROWS} and mine.costs() == {"acer-mask": SECONDS}
    mine.write(SETTING, 1, ROWS, {"training": 1.0, "testing": 2.0})
    assert mine.read(SETTING) == {0: ROWS, 1: ROWS} == Results(tmp_path / "mine").read(SETTING)
    assert mine.costs() == {"acer-mask": {"training": 1.0, "testing": 2.0}} and files(tmp_path / "installed") == before


def test_a_policy_that_does_not_learn_has_one_seed():
    assert module.seeds_of(SETTING, 3) == range(3)
    assert module.seeds_of(dataclasses.replace(SETTING, agent="handcrafted"), 3) == range(1)


# ---- whoever is killed, and however many work

def write_seeds(folder, seeds, deaths=()):
    """In a process of its own; it kills itself at the first call of the named function, before or after its work."""
    for name, before in deaths:
        def deadly(*args, work=getattr(os, name)):
            if before:
                os.kill(os.getpid(), signal.SIGKILL)
            work(*args)
            os.kill(os.getpid(), signal.SIGKILL)
        setattr(os, name, deadly)
    for seed in seeds:
        Results(folder).write(SETTING, seed, [row | {"reward": seed} for row in ROWS], SECONDS)


def in_processes(*arguments):
    processes = [multiprocessing.get_context("fork").Process(target=write_seeds, args=args) for args in arguments]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    return [process.exitcode for process in processes]


@pytest.mark.parametrize("name, before", [("fsync", True), ("fsync", False), ("replace", True), ("replace", False)])
def test_a_process_killed_while_it_writes_leaves_the_old_file_or_the_new_one(name, before, tmp_path):
    write_seeds(tmp_path / "never stopped", (0, 1))
    write_seeds(tmp_path / "killed", (0,))
    old = files(tmp_path / "killed")
    assert in_processes((tmp_path / "killed", (1,), ((name, before),))) == [-signal.SIGKILL]
    left = {key: content for key, content in files(tmp_path / "killed").items() if not key.endswith(".part")}
    assert left == (files(tmp_path / "never stopped") if (name, before) == ("replace", False) else old)
    write_seeds(tmp_path / "killed", (1,))
    assert files(tmp_path / "killed")["acer-mask.csv"] == files(tmp_path / "never stopped")["acer-mask.csv"]


def test_processes_that_write_at_the_same_time_lose_nothing_and_repeat_nothing(tmp_path):
    folder = tmp_path / "shared"
    assert in_processes((folder, range(0, 30)), (folder, range(29, -1, -1)), (folder, range(10, 40))) == [0, 0, 0]
    write_seeds(tmp_path / "alone", range(40))
    assert files(folder) == files(tmp_path / "alone")
    assert len((folder / "costs.csv").read_text().splitlines()) == 1 + 90


# ---- what cannot be used

@pytest.mark.parametrize("damage", [lambda text: "", lambda text: text[:40], lambda text: text[:-1],
                                    lambda text: text.replace("-1.505", "-1.506"), lambda text: "\0" + text,
                                    lambda text: text.replace("checksum", "x"), lambda text: "[]\n" + text,
                                    lambda text: text.replace('"config"', '"x"'), lambda text: "# 7\n"])
def test_damage_is_named_with_what_to_do_and_nothing_is_overwritten(damage, tmp_path):
    results = Results(tmp_path)
    results.write(SETTING, 0, ROWS, SECONDS)
    path = results.path(SETTING)
    path.write_text(damage(path.read_text()))
    before = path.read_bytes()
    with pytest.raises(ValueError, match="acer-mask.csv is damaged .*remove it"):
        results.read(SETTING)
    with pytest.raises(ValueError):
        results.write(SETTING, 1, ROWS, SECONDS)
    assert path.read_bytes() == before


def test_results_of_something_else_say_what_differs(tmp_path, monkeypatch):
    results = Results(tmp_path)
    results.write(SETTING, 0, ROWS, SECONDS)
    for change, words in (({"nbest": 2}, "nbest 1, expected 2"), ({"final_error_rates": (0.5,)}, "final_error_rates"),
                          ({"dialogues": 30}, "dialogues 20, expected 30")):
        with pytest.raises(ValueError, match=words):
            results.read(dataclasses.replace(SETTING, **change))
    monkeypatch.setattr(agents, "EDITION", 99)
    with pytest.raises(ValueError, match="edition 2, expected 99"):
        results.read(SETTING)


def rewrite(results, change):
    """The same body under another record."""
    path = results.path(SETTING)
    header, _, body = path.read_text().partition("\n")
    record = json.loads(header[2:])
    change(record)
    path.write_text(f"# {json.dumps(record)}\n{body}")


def test_a_result_from_before_a_field_existed_is_valid_while_the_field_has_its_default(tmp_path):
    results = Results(tmp_path)
    results.write(SETTING, 0, ROWS, SECONDS)
    rewrite(results, lambda record: (record["config"].pop("gamma"), record["setting"].pop("user")))
    assert results.read(SETTING) == {0: ROWS}
    other = agents.with_overrides(SETTING, gamma=0.5)
    results.path(SETTING).rename(results.path(other))
    with pytest.raises(ValueError, match="gamma 0.99, expected 0.5|overrides"):
        results.read(other)


def test_a_default_that_changed_or_a_field_that_went_makes_results_unusable(tmp_path, monkeypatch):
    results = Results(tmp_path)
    results.write(SETTING, 0, ROWS, SECONDS)
    rewrite(results, lambda record: record["config"].update(gamma=0.5))
    with pytest.raises(ValueError, match="gamma 0.5, expected 0.99"):
        results.read(SETTING)
    rewrite(results, lambda record: record["config"].update(gamma=0.99, gone=1))
    with pytest.raises(ValueError, match="gone 1, expected None"):
        results.read(SETTING)


def test_every_learner_has_defaults_for_what_its_record_may_lack():
    for agent in TRAINABLE:
        record = record_of(dataclasses.replace(SETTING, agent=agent))
        old = {"edition": agents.EDITION, "setting": {"agent": agent, "dialogues": 20, "test_dialogues": 2},
               "config": {"horizon": 20} if agent != "gp" else {}}
        assert module.difference(old, record) == ""
    assert record_of(SETTING)["config"]["learning_rate"] == ACERConfig().learning_rate


def test_costs_are_means_and_damage_is_named(tmp_path):
    results = Results(tmp_path)
    results.write(SETTING, 0, ROWS, {"training": 10.0, "testing": 1.0})
    results.write(SETTING, 1, ROWS, {"training": 20.0, "testing": 2.0})
    assert Results(tmp_path).costs() == {"acer-mask": {"training": 15.0, "testing": 1.5}}
    whole = results.cost_file.read_bytes()
    for n in range(len(whole)):
        results.cost_file.write_bytes(whole[:n])
        try:
            assert set(results.costs()) <= {"acer-mask"}
        except ValueError as error:
            assert "costs.csv is damaged" in str(error) and "remove it" in str(error)


# ---- intervals

def test_the_interval_of_many_seeds_is_that_of_the_normal_distribution():
    values = np.random.default_rng(1).normal(3.0, 2.0, 400)
    mean, low, high = bootstrap(values)
    assert mean == values.mean()
    assert_allclose([low, high], mean + np.array([-1.96, 1.96]) * values.std() / 20, atol=0.03)


@given(st.integers(0, 2 ** 32 - 1), st.integers(2, 15), st.floats(0.1, 10), st.floats(-5, 5))
def test_intervals_follow_the_scale_of_the_values(seed, n, factor, offset):
    values = np.random.default_rng(seed).random((n, 3))
    estimate, low, high = bootstrap(values)
    ordered = np.array([values.min(axis=0), low, high, values.max(axis=0)])
    assert (np.diff(ordered, axis=0) >= -1e-12).all()
    assert_allclose(bootstrap(factor * values + offset), factor * np.array([estimate, low, high]) + offset, atol=1e-9)


def test_one_seed_has_no_interval():
    estimate, low, high = bootstrap(np.array([[8.0, 9.0]]))
    assert_allclose(estimate, [8, 9])
    assert np.isnan([low, high]).all()
    assert show(bootstrap(np.array([8.0]))) == "8.0"
    assert show(Interval(-0.04, -0.06, 0.04)) == "0.0 [-0.1, 0.0]"
    assert show(Interval(13.456, 13.0, 14.0), 2) == "13.46 [13.00, 14.00]"
