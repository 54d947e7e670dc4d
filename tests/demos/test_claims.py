"""What becomes of the paper's claims, and the tables of the report, by hand."""
import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose

from demos.records import Line, record_of
from demos.reproduction import claims, tables
from demos.reproduction.claims import CLAIMS, line_of, measured, verdict
from demos.reproduction.plan import EXPERIMENTS, Experiment, acers, changed
from demos.reproduction.store import Results
from demos.settings import Setting
from demos.statistics import Interval

VALUES = np.array([[0.0, 4, 2, 3, 7, 7, 5, 8], [1, 1, 1, 1, 1, 1, 1, 1]])
BASE = Setting(dialogues=2)


def stored(folder, runs):
    """Results in which a line has for every seed (greedy, draws), the same in both of its tests."""
    results = Results(folder)
    for setting, seeds in runs.items():
        for seed, scores in enumerate(seeds):
            rows = [{"dialogues": n, "test": mode, "success": success, "reward": 20 * success - 6, "binding": 0.5}
                    for n in (1, 2) for mode, success in zip(("greedy", "draw"), scores)]
            results.add(record_of(setting, seed, rows, {"training": 60 * (seed + 1), "testing": 6}))
    return results


def system(agent, mode="greedy", **changes):
    return Line(dataclasses.replace(BASE, agent=agent, **changes), 2, mode)


def test_the_quantities_of_the_claims_by_hand():
    assert_allclose(claims.early(VALUES), [2, 1])
    assert_allclose(claims.early(VALUES[:, :3]), [0, 1])
    assert_allclose(claims.mean(VALUES), [4.5, 1])
    assert_allclose(claims.jump(VALUES), [(0 + 2 + 3) / 3, 0])
    assert_allclose(claims.jump(VALUES[:, :1]), [0, 0])
    assert_allclose(claims.peak(VALUES), [4, 0])


@pytest.mark.parametrize("low, high, expected", [(1, 2, "reproduced"), (0, 2, "undecided"), (-1, 1, "undecided"),
                                                 (-3, -1, "different"), (2.5, 9, "undecided"), (4, 9, "different"),
                                                 (-9, 9, "undecided"), (-1, 0, "different"), (0, 0, "different"),
                                                 (np.nan, np.nan, "undecided")])
def test_the_verdict_asks_for_the_whole_interval(low, high, expected):
    assert verdict(Interval(0.0, low, high), 0, 3) == expected


def test_a_claim_compares_its_line_with_the_best_other_in_points(tmp_path):
    a, b, c = (system(agent) for agent in ("acer", "a2c", "enac"))
    results = stored(tmp_path, {a.setting: [(0.9, 0.7), (0.8, 0.7)], b.setting: [(0.5, 0.5), (0.5, 0.6)],
                                c.setting: [(0.7, 0.1), (0.6, 0.1)]})
    claim = next(claim for claim in CLAIMS if claim.quantity is claims.mean and claim.metric == "success")
    assert measured(claim, results, [a, b, c]).estimate == pytest.approx(85 - 65)
    assert measured(claim, results, [a, b, c], "draw").estimate == pytest.approx(70 - 55)
    assert measured(claim, results, [a]).estimate == pytest.approx(85)
    assert measured(claim._replace(metric="minutes"), results, [a]).estimate == pytest.approx(1.5)


def test_the_table_of_claims_by_hand(tmp_path):
    # ACER - GP at the end: the paper's 80 - 81 on draws and 80 - 70 greedily; ours 90 - 81.
    paper, ours = (Line(setting, 2) for setting in acers(BASE).values())
    lines = {"ACER (paper)": paper, "ACER (ours)": ours, "GP": system("gp"), "GP, draws": system("gp", "draw"),
             "A2C": system("a2c"), "eNAC": system("enac")}
    results = stored(tmp_path, {paper.setting: [(0.799, 0.949), (0.801, 0.951)],
                                ours.setting: [(0.899, 0.94), (0.901, 0.96)],
                                lines["GP"].setting: [(0.699, 0.811), (0.701, 0.809)],
                                lines["A2C"].setting: [(0.5, 0.5), (0.51, 0.5)],
                                lines["eNAC"].setting: [(0.801, 0.5), (0.799, 0.5)]})
    table = tables.claims_table(results, {"3": Experiment("", "learning", lines)})
    rows = {row.split(" | ")[1]: row for row in table.splitlines()[2:] if row.startswith("|")}
    assert rows["ACER ends 1-2 points below GP"] == (
        "| 3 | ACER ends 1-2 points below GP | end success: ACER - GP, draws | -1.0 [-1.6, -0.4] | undecided (all "
        "greedy: different; all draws: different) | 9.0 [8.4, 9.6] | different | not known |")
    assert rows["ACER is far ahead of A2C"].endswith(
        "| 29.5 [24.1, 34.9] | reproduced | 39.5 [34.1, 44.9] | reproduced |  |")
    enac = rows["ACER is far ahead of eNAC"]
    assert enac.split(" | ")[4] == "different" and "see causes" in enac
    note = "With the paper's ACER, or without any: 1 different, 3 reproduced, 2 undecided. 2 of 4 verdicts"
    assert table.splitlines()[-1].startswith(note)


def test_every_claim_is_about_lines_that_the_plan_draws():
    for claim in CLAIMS:
        for label in (*claim.lines, *claim.instead):
            assert line_of(label, claim, EXPERIMENTS, "paper"), label
        assert claim.see in ("", *EXPERIMENTS)
    assert line_of("3: ACER", CLAIMS[10], EXPERIMENTS, "ours") == EXPERIMENTS["3"].lines["ACER (ours)"]
    assert len({(claim.figure, claim.quantity, claim.metric, claim.lines) for claim in CLAIMS}) == len(CLAIMS)


def test_changes_are_compared_with_what_they_change_and_corrected_together(tmp_path):
    base, other = Line(BASE, 2), Line(dataclasses.replace(BASE, overrides=(("horizon", 9),)), 2)      # a schedule
    worse = Line(changed(BASE, kl_limit=float("inf")), 2)
    part = other._replace(setting=dataclasses.replace(other.setting, variant="no-correction"))
    lines = {"ours": base, "no trust region": worse, "another schedule": other, "and no correction": part}
    results = stored(tmp_path, {base.setting: [(0.9, 0), (0.91, 0)], worse.setting: [(0.2, 0), (0.19, 0)],
                                other.setting: [(0.8, 0), (0.81, 0)], part.setting: [(0.8, 0), (0.81, 0)]})
    table = tables.changes_table({label: results.curve(line) for label, line in lines.items()}).splitlines()
    assert [row.split(" | ")[2] for row in table[2:6]] == ["", "-71.0 [-74.0, -68.0]", "", "0.0 [-3.0, 3.0]"]
    assert [row.split(" | ")[3] for row in table[2:6]] == ["", "0.0002", "", "1"]         # twice p = 0.0001, and 1
    assert [row.split(" | ")[4] for row in table[2:6]] == ["0 of 2", "2 of 2 [16, 100 %]", "0 of 2", "0 of 2"]
    assert table[3].endswith("| -2.10 [-3.37, -0.83] | 50 |") and table[-1].startswith("1 of 2 differences survive")
