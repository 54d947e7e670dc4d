"""Intervals, families and tasks: worked by hand, from published tables, and by how often they cover."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from demos import statistics
from demos.statistics import Interval, collapsed, difference, end, holm, improvement, interquartile_mean, mean_interval


def test_the_interval_of_a_mean_by_hand():
    # Mean 3, s = √2.5, and the t table has 2.776 for 4 degrees of freedom: 3 ± 2.776 √(2.5 / 5).
    assert_allclose(mean_interval(np.arange(1.0, 6)), [3, 3 - 1.963, 3 + 1.963], atol=1e-3)
    one = mean_interval(np.ones((1, 2)))
    assert_allclose(one.estimate, [1, 1])
    assert np.isnan(one.low).all() and np.isnan(one.high).all()


def test_nine_in_ten_five_and_more_intervals_of_five_seeds_cover():
    draws = np.random.default_rng(0).standard_normal((5, 4000))
    estimate, low, high = mean_interval(draws)
    assert abs(((low < 0) & (0 < high)).mean() - 0.95) < 0.011


def test_a_difference_by_hand():
    # Welch: 4 - 1 with variances 4/4 and 1/4: t = 3/√1.25 = 2.683, 4.41 degrees of freedom, whose t is 2.677.
    spread = np.sqrt(3) * np.array([-1.0, -1, 1, 1])
    ours, theirs = 4 + spread, 1 + spread / 2
    interval, p = difference(ours, theirs)
    assert_allclose(interval, [3, 3 - 2.677 * 1.118, 3 + 2.677 * 1.118], atol=5e-3)
    assert 0.045 < p < 0.055
    interval, p = difference(np.ones(1), np.ones(5))
    assert interval.estimate == 0 and np.isnan([interval.low, p]).all()
    assert statistics.smallest_seen(ours, theirs) == pytest.approx(2.80 * 1.118, abs=0.01)


def test_shares_of_runs_have_exact_intervals():
    # Clopper and Pearson's table: 0 of 15 reaches 21.8 %, 3 of 5 goes from 14.7 to 94.7 %.
    assert_allclose(statistics.proportion(0, 15), [0, 0, 0.2180], atol=1e-4)
    assert_allclose(statistics.proportion(3, 5), [0.6, 0.1466, 0.9473], atol=1e-4)


def test_holm_by_hand():
    # Sorted 0.01, 0.02, 0.03, 0.04 times 4, 3, 2, 1 is 0.04, 0.06, 0.06, 0.04, and never below the one before.
    assert_allclose(holm([0.03, 0.01, 0.04, 0.02]), [0.06, 0.04, 0.06, 0.06])
    assert_allclose(holm([0.9, 0.8]), [1, 1])


def test_many_tasks_by_hand():
    runs = np.array([[0.0, 1, 2, 3], [4, 5, 6, 100]])
    assert interquartile_mean(runs) == 3.5
    assert improvement(np.array([[1.0, 3]]), np.array([[2.0, 3]])) == (0 + 0 + 1 + 0.5) / 4
    assert_allclose(improvement(runs, runs), 0.5)
    wide = statistics.over_tasks(improvement, runs, runs + 200)
    assert tuple(wide) == (0, 0, 0)
    interval = statistics.over_tasks(interquartile_mean, runs)
    assert interval.low < 3.5 < interval.high


def test_the_end_is_three_tests_and_decides_what_has_collapsed():
    success = np.array([[1.0, 0.6, 0.6, 0.6], [0.0, 0.6, 0.6, 0.9]])
    assert_allclose(end(success), [0.6, 0.7])
    assert collapsed(success) == 1


def test_an_interval_is_shown_with_its_digits():
    assert statistics.show(Interval(98.54, 97.91, 99.0)) == "98.5 [97.9, 99.0]"
    assert statistics.show(Interval(-0.001, np.nan, np.nan), 2) == "0.00"
