"""Results: a unit is a line, whole or not at all, and found by what differs from the usual setting."""
import dataclasses
import json
import multiprocessing
import os
import signal
import zlib

import numpy as np
import pytest
from numpy.testing import assert_allclose

from acer_np import ACERConfig
from demos.records import Line, arithmetic, curve_of, from_line, record_of, seeds_of, to_line
from demos.reproduction.store import Results
from demos.settings import TRAINABLE, Setting

SETTING = Setting(dialogues=20, test_dialogues=2, overrides=(("kl_limit", float("inf")), ("minibatch", 9)))
ROWS = [{"dialogues": 10, "error_rate": 0.0, "test": "greedy", "success": 1 / 3, "reward": -1.505, "turns": 8.17},
        {"dialogues": 20, "error_rate": 0.0, "test": "greedy", "success": 0.5, "reward": 2.0, "turns": 8.0, "rho": 0.3},
        {"dialogues": 20, "error_rate": 0.0, "test": "draw", "success": 0.4, "reward": 1.0, "turns": 7.0}]


def record(seed=0, setting=SETTING, reward=2.0, domain=""):
    rows = [row | {"reward": reward} if row["success"] == 0.5 else row for row in ROWS]
    return record_of(setting, seed, rows, {"training": 60.0, "testing": 30.0}, domain)


# ---- a record is a line

def test_a_line_holds_what_differs_and_comes_back():
    line = to_line(record(3))
    assert line.count("\n") == 1 and from_line(line) == record(3)
    assert json.loads(line)["setting"] == {"dialogues": 20, "test_dialogues": 2,
                                           "overrides": {"kl_limit": float("inf"), "minibatch": 9}}
    assert record(3).tests["greedy"] == {"dialogues": [10, 20], "success": [0.333333, 0.5], "reward": [-1.505, 2],
                                         "rho": [None, 0.3]}
    assert record(3).arithmetic == arithmetic() and len(arithmetic()) == 8


def test_a_setting_is_its_differences():
    for setting in (Setting(), SETTING, Setting(overrides=(("hidden", (9, 8)),)),
                    Setting(agent="gp", without=("phone",), grow_after=5, tests=("greedy",))):
        assert Setting.from_differences(json.loads(json.dumps(setting.differences()))) == setting
    assert Setting().differences() == {}


def test_the_defaults_of_this_edition_are_frozen():
    """Lines say what differs from these: who changes one must write it into the lines made with the old one."""
    defaults = [dataclasses.asdict(kind()) for kind in (Setting, *(config for _, config in TRAINABLE.values()))]
    text = json.dumps([*defaults, dataclasses.asdict(ACERConfig.paper())])
    assert f"{zlib.crc32(text.encode()):08x}" == "cf1d46c5"


def test_a_curve_holds_the_tests_of_one_mode_and_works_out_their_turns():
    greedy = curve_of(Line(SETTING, 2), [record(0).tests, record(1, reward=4.0).tests])
    assert_allclose(greedy.x, [10, 20])
    assert_allclose(greedy.scores["reward"], [[-1.505, 2], [-1.505, 4]])
    assert_allclose(greedy.scores["turns"], [[20 * 0.333333 + 1.505, 8], [20 * 0.333333 + 1.505, 6]])
    assert_allclose(greedy.scores["rho"], [[np.nan, 0.3]] * 2)
    assert_allclose(curve_of(Line(SETTING, 1, "draw"), [record(0).tests]).scores["success"], [[0.4]])


def test_a_curve_over_error_rates_holds_the_last_tests():
    setting = dataclasses.replace(SETTING, final_error_rates=(0.0, 0.5))
    rows = [row | {"error_rate": rate, "test": "greedy"} for row, rate in zip([*ROWS, *ROWS], (0.15, 0.15, 0.0, 0.5))]
    curve = curve_of(Line(setting, 1), [record_of(setting, 0, rows, {}).tests])
    assert_allclose(curve.x, [0.0, 0.5])
    assert_allclose(curve.scores["success"], [[0.4, 0.333333]])


def test_a_policy_that_does_not_learn_has_one_seed():
    assert seeds_of(SETTING, 3) == range(3) and seeds_of(Setting(agent="handcrafted"), 3) == range(1)


# ---- a folder of lines

def test_units_are_found_by_setting_and_seed_and_the_last_one_counts(tmp_path):
    results = Results(tmp_path)
    other = dataclasses.replace(SETTING, mask="none")
    for one in (record(1), record(0), record(1, reward=5.0), record(0, other)):
        results.add(one)
    for found in (results, Results(tmp_path)):
        assert found.units(SETTING) == {0: record(0), 1: record(1, reward=5.0)} and set(found.units(other)) == {0}
        assert found.cost(SETTING) == {"training": 60, "testing": 30} and found.cost(Setting()) == {}
        assert_allclose(found.curve(Line(SETTING, 2)).scores["minutes"], [[1], [1]])
    assert [path.name for path in tmp_path.iterdir()] == ["built-in.jsonl"]
    with pytest.raises(ValueError, match="lacks .*seed 2, expected seeds 0 to 2"):
        results.curve(Line(SETTING, 3))


@pytest.mark.parametrize("damage", [lambda text: text[:-1], lambda text: text[:-40], lambda text: "{" + text,
                                    lambda text: "7\n",
                                    lambda text: text.replace("1.505", "1.506"), lambda text: "[" * 30_000 + "\n",
                                    lambda text: text.replace('"seed":1', '"seed":2')])
def test_a_torn_or_damaged_line_is_named_left_out_and_the_next_one_is_whole(damage, tmp_path, capsys):
    Results(tmp_path).add(record(0))
    path = tmp_path / "built-in.jsonl"
    path.write_text(path.read_text() + damage(to_line(record(1))))
    torn = Results(tmp_path)
    whole = damage(to_line(record(1))) == to_line(record(1))[:-1]           # only the end of the line is missing
    assert torn.units(SETTING).keys() == ({0, 1} if whole else {0})
    assert whole or "line 2, is left out" in capsys.readouterr().err
    torn.add(record(2))
    assert Results(tmp_path).units(SETTING).keys() >= {0, 2}


def test_an_installed_copy_reads_what_came_with_it_and_writes_elsewhere(tmp_path):
    Results(tmp_path / "installed").add(record(0))
    before = (tmp_path / "installed" / "built-in.jsonl").read_bytes()
    mine = Results(tmp_path / "mine", tmp_path / "installed")
    mine.add(record(1))
    for results in (mine, Results(tmp_path / "mine", tmp_path / "installed")):
        assert results.units(SETTING).keys() == {0, 1}
    assert (tmp_path / "installed" / "built-in.jsonl").read_bytes() == before


def test_results_of_another_database_of_the_same_name_are_refused(tmp_path):
    setting = dataclasses.replace(SETTING, domain="Hotels")
    results = Results(tmp_path)
    results.check_domain("Hotels", "new")                                    # nothing is there yet
    results.add(record(0, setting, domain="old"))
    results.check_domain("Hotels", "old")
    with pytest.raises(ValueError, match="another database called Hotels.*old, expected new"):
        results.check_domain("Hotels", "new")


# ---- whoever is killed, and however many work

def write_seeds(folder, seeds, deadly=""):
    """In a process of its own; it kills itself when the named function is called."""
    if deadly:
        setattr(os, deadly, lambda *args: os.kill(os.getpid(), signal.SIGKILL))
    for seed in seeds:
        Results(folder).add(record(seed))


def in_processes(*arguments):
    processes = [multiprocessing.get_context("fork").Process(target=write_seeds, args=args) for args in arguments]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    return [process.exitcode for process in processes]


def test_processes_that_write_at_the_same_time_lose_nothing_even_through_a_link(tmp_path):
    folder, linked = tmp_path / "shared", tmp_path / "linked"
    folder.mkdir()
    linked.mkdir()
    (folder / "built-in.jsonl").touch()
    (linked / "built-in.jsonl").symlink_to(folder / "built-in.jsonl")
    assert in_processes((folder, range(30)), (linked, range(30, 60)), (linked, range(10))) == [0, 0, 0]
    lines = (folder / "built-in.jsonl").read_text().splitlines()
    assert len(lines) == 70 and Results(folder).units(SETTING).keys() == set(range(60))


def test_a_process_killed_while_it_writes_leaves_whole_lines(tmp_path):
    Results(tmp_path).add(record(0))
    assert in_processes((tmp_path, (1,), "fsync")) == [-signal.SIGKILL]
    Results(tmp_path).add(record(2))
    assert Results(tmp_path).units(SETTING).keys() >= {0, 2}
