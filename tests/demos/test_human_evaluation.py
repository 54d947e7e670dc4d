"""The study with people: tasks, hidden systems, results that are never half written; and with simulated users."""
import csv
import io
import re
import sys
from dataclasses import replace

import pytest

from demos import human_evaluation
from demos.human_evaluation import PAPER, SYSTEMS, append, instructions, read, report
from demos.settings import Setting
from demos.training import Outcome, Run
from simulator.goal import Goal
from tests.demos.commands import refused

HEADER = "time,system,seed,task,success,reward,turns"
HANDCRAFTED = {system: replace(setting, agent="handcrafted") for system, setting in SYSTEMS.items()}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder, and three systems that need no training."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(human_evaluation, "SYSTEMS", HANDCRAFTED)
    return tmp_path


@pytest.fixture
def visit(place, monkeypatch, capsys):
    """Types lines into the command, and returns what it showed."""
    def type_lines(*lines, options=(), code=0):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert human_evaluation.main(["--seed", "0", *options]) == code
        return capsys.readouterr().out
    return type_lines


def rows_of(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def results(folder):
    return rows_of(folder / "runs" / "human_evaluation.csv")


# ---- tasks

def test_the_task_is_the_goal_in_english():
    domain = Run(Setting(agent="handcrafted"), 0).env.domain
    wishes = {"area": "dontcare", "food": "turkish", "pricerange": "expensive"}
    goal = Goal(wishes, dict.fromkeys(["name", "phone", "addr"]))
    assert instructions(goal, domain) == ("Your task: find an expensive restaurant serving turkish food in any part of "
                                          "town, and learn its name, phone number, address.")


# ---- a person

def test_a_dialogue_becomes_one_line(visit, place):
    shown = visit("thai food", "any area", "blah", "phone number?", "bye", "yes", "no")
    [row] = results(place)
    assert row["system"] in SYSTEMS and row["task"] in shown and int(row["seed"]) >= 0
    assert (row["success"], row["turns"], row["reward"]) == ("1.0", "4.0", "16.0")          # the nonsense cost nothing


def test_the_person_says_whether_it_succeeded_and_may_go_on(visit, place):
    visit("bye", "perhaps", "", "NO", "y", "/task", "bye", "yes", "n")
    assert [row["success"] for row in results(place)] == ["0.0", "1.0"]
    assert [row["reward"] for row in results(place)] == ["-1.0", "19.0"]


def test_nobody_is_told_which_system_it_is(visit, place):
    shown = visit(*["bye", "yes", "yes"] * 12)
    assert not re.search("gp|acer|summary|master", shown, re.IGNORECASE)
    assert {row["system"] for row in results(place)} == set(SYSTEMS)
    assert len({row["task"] for row in results(place)}) > 8


def test_commands_that_would_tell_show_the_task_instead(visit):
    shown = visit("/why", "/belief", "/task", "", "help", "/quit")
    assert shown.count("Your task: ") == 6


@pytest.mark.parametrize("lines", [[], ["thai food", "/quit"], ["thai", "bye", "hm"]])
def test_whoever_leaves_early_leaves_no_result(lines, visit, place):
    assert visit(*lines).endswith("Goodbye!\n")
    assert not (place / "runs").exists()


def test_a_dialogue_has_as_many_turns_as_one_of_a_simulated_user(visit, place):
    visit(*["hello", "cheap", "expensive"] * 9, "yes", "no")
    assert [row["turns"] for row in results(place)] == ["25.0"]


# ---- the file

def test_a_line_is_appended_and_nothing_before_it_changes(tmp_path):
    path = tmp_path / "new" / "results.csv"
    append(path, "GP, summary", 1, "find it, and more", Outcome(1.0, 15.0, 5.0))
    before = path.read_bytes()
    append(path, "ACER, master", 3, 'a "quoted" task', Outcome(0.0, -5.0, 5.0))
    assert path.read_bytes().startswith(before) and before.count(b"\n") == 2
    assert [row["task"] for row in rows_of(path)] == ["find it, and more", 'a "quoted" task']
    assert read(path) == [("GP, summary", Outcome(1.0, 15.0, 5.0)), ("ACER, master", Outcome(0.0, -5.0, 5.0))]
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("content, line", [
    ("a,b\n1,2\n", 1), ("\0\n\0", 1), (f"{HEADER}\nx,DQN,0,t,1,2,3\n", 2), (f"{HEADER}\n{'x' * 200_000}", 2),
    *((f'{HEADER}\nx,"GP, summary",0,t,{outcome}\n', 2) for outcome in (
        "yes,17,3", "1,nan,3", "0,-inf,inf", "0.5,7,3", "1,16,3", "0,0,-9.0,9.0")),
    (f'{HEADER}\nx,"GP, summary",0,t,1,17,3\nx,"GP, summary",0,t,1\n', 3)])
def test_a_file_that_holds_something_else_is_refused_before_anyone_talks(content, line, place, capsys):
    (place / "mine.csv").write_text(content)
    for options in ([], ["--report"], ["--simulate", "1"]):
        message = refused(human_evaluation.main, capsys, *options, "--results", "mine.csv")
        assert f"mine.csv does not hold results of this study: line {line} is no time,system" in message
    assert (place / "mine.csv").read_text() == content


# ---- the report

def test_the_report_is_the_papers_table(place):
    for seed, outcome in enumerate([(1.0, 15.0, 5.0), (0.0, -9.0, 9.0), (1.0, 15.0, 5.0), (1.0, 13.0, 7.0)]):
        append(human_evaluation.RESULTS, "ACER, master" if seed == 3 else "GP, summary", seed, "t", Outcome(*outcome))
    header, gp, summary, master = report(read(human_evaluation.RESULTS)).splitlines()
    # Two successes of three, of which the exact interval is in tables; rewards 15, -9, 15: the mean 7 and, with two
    # degrees of freedom, 4.303 times its error 8 beside it; turns 5, 9, 5: 19/3 and 4.303 times 4/3.
    assert gp.split() == ("GP, summary 3 66.7 [9.4, 99.2] 7.00 [-27.42, 41.42] 6.33 [0.60, 12.07] "
                          "89.7 % 11.29 (7.54) 6.61 (3.12)").split()
    assert summary.split() == "ACER, summary 0 - - - 88.7 % 11.39 (7.17) 6.42 (2.84)".split()
    assert master.split() == "ACER, master 1 100.0 [2.5, 100.0] 13.00 7.00 89.1 % 11.83 (8.05) 5.98 (3.22)".split()
    assert set(PAPER) == set(SYSTEMS) and "paper" in header


# ---- simulated users

def test_simulation_reports_both_rates_and_what_differed(visit, place):
    shown = visit(options=["--simulate", "90", "--results", "simulated.csv"])
    english, acts = (float(rate) for rate in re.findall(r"In (?:English|acts), ([\d.]+) % successful", shown))
    assert acts > 95 and english >= 0.9 * acts
    assert [int(n) for n in re.findall(r"(?:summary|master) +(\d+)", shown)] == 2 * [30, 30, 30]
    [alike] = re.findall(r"^(\d+) of 90 dialogues are alike", shown, re.MULTILINE)
    assert 65 < int(alike) <= 90 - round(0.9 * abs(english - acts))
    rows = read(place / "simulated.csv")
    assert [int(row["seed"]) for row in rows_of(place / "simulated.csv")] == list(range(90))
    assert len(rows) == 90 and sum(outcome.success for _, outcome in rows) == round(0.9 * english)
    assert not (place / "runs").exists()                             # people's results are none of its business
    assert visit(options=["--report", "--results", "simulated.csv"]).rstrip("\n") in shown


def test_a_simulation_can_be_repeated(visit):
    first, again, other = (visit(options=["--simulate", n]) for n in ("12", "12", "15"))
    assert first == again != other


def test_the_three_systems_are_trained_at_15_percent_error_and_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert [(s.agent, s.space, s.error_rate, s.mask) for s in SYSTEMS.values()] == [
        ("gp", "summary", 0.15, "all"), ("acer", "summary", 0.15, "all"), ("acer", "master", 0.15, "all")]
    options = ["--dialogues", "3", "--simulate", "3"]
    assert human_evaluation.main(options) == 0
    assert capsys.readouterr().err.count("Training") == 3 == len(list((tmp_path / "runs" / "policies").iterdir()))
