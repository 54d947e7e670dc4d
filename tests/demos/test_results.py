"""Saved results, intervals over seeds, and what becomes of the paper's claims."""
import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import demos
from demos import claims
from demos.agents import Setting, make_config
from demos.claims import Claim, measured, verdict
from demos.intervals import Interval, bootstrap, interquartile_mean
from demos.results import Curve, Damaged, Results, Stale

SETTING = Setting(dialogues=20, test_dialogues=2)
ROWS = [{"dialogues": 10, "error_rate": 0.0, "success": 1 / 3, "reward": -1.5, "turns": 1e-17},
        {"dialogues": 20, "error_rate": 0.0, "success": 0.5, "reward": 2.0, "turns": 8.0, "rho": 0.1 + 0.2}]
SECONDS = {"training": 60.0, "testing": 30.0}


# ---- the folder of results

def test_results_come_back_to_the_last_bit(tmp_path):
    Results(tmp_path).write(SETTING, 3, ROWS, SECONDS)
    assert Results(tmp_path).read(SETTING, 3) == ROWS
    curve = Results(tmp_path)
    curve.write(SETTING, 0, ROWS, SECONDS)
    curve = curve.curve(SETTING, 1)
    assert_allclose(curve.x, [10, 20])
    assert_allclose(curve.scores["reward"], [[-1.5, 2.0]])


def test_a_curve_after_noise_holds_the_final_error_rates_alone(tmp_path):
    setting = dataclasses.replace(SETTING, final_error_rates=(0.0, 0.5))
    rows = [row | {"error_rate": rate} for row, rate in zip([*ROWS, *ROWS], (0.15, 0.15, 0.0, 0.5))]
    Results(tmp_path).write(setting, 0, rows, SECONDS)
    curve = Results(tmp_path).curve(setting, 1)
    assert_allclose(curve.x, [0.0, 0.5])
    assert_allclose(curve.scores["success"], [[1 / 3, 0.5]])


@pytest.mark.parametrize("damage", [lambda text: "", lambda text: text[:40], lambda text: text[:-1],
                                    lambda text: text.replace("-1.5", "-1.6"), lambda text: "\0" + text,
                                    lambda text: text.replace("checksum", "x"), lambda text: "[]\n" + text])
def test_any_damage_is_seen(damage, tmp_path):
    results = Results(tmp_path)
    results.write(SETTING, 0, ROWS, SECONDS)
    path = results.path(SETTING, 0)
    path.write_text(damage(path.read_text()))
    with pytest.raises(Damaged, match="seed00.csv"):
        results.read(SETTING, 0)


def test_stale_results_say_what_differs(tmp_path, monkeypatch):
    results = Results(tmp_path)
    results.write(SETTING, 0, ROWS, SECONDS)
    for change, words in (({"error_rate": 0.0, "nbest": 2}, "setting.nbest 1; now it is 2"),
                          ({"final_error_rates": (0.5,)}, "final_error_rates")):
        with pytest.raises(Stale, match=words):
            results.read(dataclasses.replace(SETTING, **change), 0)
    monkeypatch.setattr(demos, "__version__", "99.0")
    with pytest.raises(Stale, match="version '.*'; now it is '99.0'"):
        results.read(SETTING, 0)


def test_a_default_that_changed_makes_results_stale(tmp_path, monkeypatch):
    results = Results(tmp_path)
    results.write(SETTING, 0, ROWS, SECONDS)
    changed = dataclasses.replace(make_config(SETTING), gamma=0.5)
    monkeypatch.setattr("demos.agents.make_config", lambda setting: changed)
    with pytest.raises(Stale, match="config.gamma .*; now it is 0.5"):
        results.read(SETTING, 0)


def test_costs_are_means_and_survive(tmp_path):
    results = Results(tmp_path)
    results.write(SETTING, 0, ROWS, {"training": 10.0, "testing": 1.0})
    results.write(SETTING, 1, ROWS, {"training": 20.0, "testing": 2.0})
    assert Results(tmp_path).seconds(SETTING) == 16.5 and Results(tmp_path).seconds(SETTING, ("training",)) == 15.0
    assert results.seconds(dataclasses.replace(SETTING, mask=False)) is None
    (tmp_path / "costs.csv").write_text("setting,seed\nx,y\n")
    with pytest.raises(Damaged, match="costs.csv"):
        Results(tmp_path)


# ---- intervals

def test_the_interquartile_mean_leaves_out_a_quarter_on_each_side():
    assert interquartile_mean(np.array([100.0, 3, 1, 6, 4, -50, 5, 2])) == (2 + 3 + 4 + 5) / 4
    assert_allclose(interquartile_mean(np.array([[0.0, 1, 2, 9], [5, 5, 5, 5]]), axis=1), [1.5, 5])


def test_the_interval_of_many_seeds_is_that_of_the_normal_distribution():
    values = np.random.default_rng(1).normal(3.0, 2.0, 400)
    mean, low, high = bootstrap(values)
    assert mean == values.mean()
    assert_allclose([low, high], mean + np.array([-1.96, 1.96]) * values.std() / 20, atol=0.03)


@given(st.integers(0, 2 ** 32 - 1), st.integers(1, 15), st.floats(0.1, 10), st.floats(-5, 5))
def test_intervals_follow_the_scale_of_the_values(seed, n, factor, offset):
    values = np.random.default_rng(seed).random((n, 3))
    estimate, low, high = bootstrap(values)
    ordered = np.array([values.min(axis=0), low, high, values.max(axis=0)])
    assert (np.diff(ordered, axis=0) >= -1e-12).all()
    assert_allclose(bootstrap(factor * values + offset), factor * np.array([estimate, low, high]) + offset, atol=1e-9)
    assert_allclose(bootstrap(np.ones((n, 2)), interquartile_mean), 1.0)


# ---- claims

VALUES = np.array([[0.0, 4, 2, 3, 7, 7, 5, 8], [1, 1, 1, 1, 1, 1, 1, 1]])


def test_the_quantities_of_the_claims_by_hand():
    assert_allclose(claims.last(VALUES), [8, 1])
    assert_allclose(claims.early(VALUES), [2, 1])
    assert_allclose(claims.early(VALUES[:, :3]), [0, 1])
    assert_allclose(claims.mean(VALUES), [4.5, 1])
    assert_allclose(claims.unrest(VALUES), [(0 + 2 + 3) / 3, 0])
    assert_allclose(claims.peak(VALUES), [4, 0])


def test_a_claim_compares_its_line_with_the_best_other_in_points():
    curves = {label: Curve(SETTING, np.arange(2), {"success": np.array(values)}) for label, values in
              (("a", [[0, 0.9], [0, 0.8]]), ("b", [[0, 0.5], [0, 0.5]]), ("c", [[0, 0.7], [0, 0.6]]))}
    assert_allclose(measured(Claim("3", "", claims.last, "success", ("a", "b", "c"), (0, 1)), curves), [20, 20])
    assert_allclose(measured(Claim("3", "", claims.last, "success", ("a",), (0, 1)), curves), [90, 80])


@pytest.mark.parametrize("low, high, expected", [(1, 3, "reproduced"), (0, 2, "reproduced"), (-1, 1, "not reproduced"),
                                                 (-3, -1, "different"), (2.5, 9, "not reproduced"), (4, 9, "different"),
                                                 (-9, 9, "not reproduced")])
def test_the_verdict_asks_for_the_whole_interval(low, high, expected):
    assert verdict(Interval(0.0, low, high), 0, 3) == expected
