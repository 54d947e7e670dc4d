"""What becomes of the paper's claims: quantities, verdicts and their table by hand."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from demos.reproduction import claims, tables
from demos.reproduction.claims import CLAIMS, Claim, Interval, found, measured, verdict
from demos.reproduction.plan import EXPERIMENTS
from demos.reproduction.store import Curve, Line
from demos.settings import Setting

VALUES = np.array([[0.0, 4, 2, 3, 7, 7, 5, 8], [1, 1, 1, 1, 1, 1, 1, 1]])


def curve(success, **scores):
    """A line with the successes of its seeds."""
    return Curve(Line(Setting()), np.arange(np.shape(success)[1]), {"success": np.array(success)} | scores)


def test_the_quantities_of_the_claims_by_hand():
    assert_allclose(claims.last(VALUES), [8, 1])
    assert_allclose(claims.early(VALUES), [2, 1])
    assert_allclose(claims.early(VALUES[:, :3]), [0, 1])
    assert_allclose(claims.mean(VALUES), [4.5, 1])
    assert_allclose(claims.jump(VALUES), [(0 + 2 + 3) / 3, 0])
    assert_allclose(claims.jump(VALUES[:, :1]), [0, 0])
    assert_allclose(claims.peak(VALUES), [4, 0])


def test_a_claim_compares_its_line_with_the_best_other_in_points_seed_by_seed():
    curves = {"a": curve([[0, 0.9], [0, 0.8]]), "b": curve([[0, 0.5], [0, 0.5]]), "c": curve([[0, 0.7], [0, 0.6]]),
              "few": curve([[0, 0.4]])}
    for lines, expected in ((("a", "b", "c"), [20, 20]), (("a",), [90, 80]), (("a", "few"), [50]),
                            (("few", "a"), [-50])):
        assert_allclose(measured(Claim("3", "", claims.last, "success", lines, (0, 1)), curves, "ours"), expected)


def test_a_label_stands_for_either_acer():
    curves = {"ACER (paper)": curve([[0.1]]), "ACER (ours)": curve([[0.2]]), "GP": curve([[0.3]])}
    assert found("ACER", curves, "paper") is curves["ACER (paper)"] and found("GP", curves, "ours") is curves["GP"]
    claim = Claim("3", "", claims.last, "success", ("ACER", "GP"), (0, 1))
    assert_allclose(measured(claim, curves, "paper"), [-20])
    assert_allclose(measured(claim, curves, "ours"), [-10])


@pytest.mark.parametrize("low, high, expected", [(1, 2, "reproduced"), (0, 2, "undecided"), (-1, 1, "undecided"),
                                                 (-3, -1, "different"), (2.5, 9, "undecided"), (4, 9, "different"),
                                                 (-9, 9, "undecided"), (-1, 0, "different"), (0, 0, "different"),
                                                 (np.nan, np.nan, "undecided")])
def test_the_verdict_asks_for_the_whole_interval(low, high, expected):
    assert verdict(Interval(0.0, low, high), 0, 3) == expected


def test_the_table_of_claims_by_hand():
    # Two seeds each: an interval over two seeds runs from one to the other. ACER - A2C is 1 and 3 points for the
    # paper's (all below 5), 10 and 20 for ours (all above), and 30 and 40 for the paper's above PyDial's A2C.
    three = {"ACER (paper)": curve([[0.51], [0.53]]), "ACER (ours)": curve([[0.60], [0.70]]),
             "A2C": curve([[0.50], [0.50]]), "eNAC": curve([[0.10], [0.20]]), "GP, draws": curve([[0.53], [0.55]])}
    causes = {"A2C as PyDial has it, ε-greedy from 0.95": curve([[0.21], [0.13]])}
    rows = {row.split(" | ")[1]: row for row in tables.claims_table({"3": three, "causes": causes}).splitlines()[2:]}
    assert list(rows) == [claim.claimed for claim in CLAIMS if claim.figure == "3"]
    assert rows["ACER is far ahead of A2C"] == (
        "| 3 | ACER is far ahead of A2C | mean success: ACER - A2C | 2.0 [1.0, 3.0] | different | 15.0 [10.0, 20.0] | "
        "reproduced | see causes; ACER - A2C as PyDial has it, ε-greedy from 0.95: 35.0 [30.0, 40.0], reproduced |")
    assert rows["ACER is far ahead of eNAC"] == (
        "| 3 | ACER is far ahead of eNAC | mean success: ACER - eNAC | 37.0 [33.0, 41.0] | reproduced | "
        "50.0 [50.0, 50.0] | reproduced |  |")
    assert rows["ACER ends 1-2 points below GP"] == (
        "| 3 | ACER ends 1-2 points below GP | last success: ACER - GP, draws | -2.0 [-2.0, -2.0] | reproduced | "
        "11.0 [7.0, 15.0] | different |  |")                         # a cause is asked of the paper's alone
    without = tables.claims_table({"3": three}).splitlines()[4]
    assert without.endswith("| reproduced | see causes |")


def test_a_claim_without_acer_has_one_verdict():
    twelve = {"GP, draws": curve([[0.98], [0.99]]), "GP, master, draws": curve([[0.90], [1.0]]),
              **{f"ACER{space} ({who})": curve([[0.97], [0.97]])
                 for space in ("", ", master") for who in ("paper", "ours")}}
    rows = [row for row in tables.claims_table({"12": twelve}).splitlines() if "GP ends" in row]
    assert rows == ["| 12 | GP ends near 97 % in the master space | last success: GP, master, draws | "
                    "95.0 [90.0, 100.0] | undecided |  |  | not known |",
                    "| 12 | GP ends at 98-99 % in the summary space | last success: GP, draws | 98.5 [98.0, 99.0] | "
                    "reproduced |  |  |  |"]


def test_every_claim_is_about_lines_that_the_plan_draws():
    for claim in CLAIMS:
        lines = EXPERIMENTS[claim.figure].lines
        for label in claim.lines:
            assert label in lines or {f"{label} (paper)", f"{label} (ours)"} <= lines.keys()
        assert claim.see in ("", *EXPERIMENTS)
        for label in claim.instead:
            assert label in EXPERIMENTS[claim.see].lines or f"{label} (paper)" in lines
