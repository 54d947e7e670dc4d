"""The comparison with the reference statistics: its arithmetic by hand, and a run with tiny numbers."""
import hashlib
import re

import numpy as np
import pytest

from tests.simulator import statistics
from tests.simulator.statistics import RUNS, compare, contribution, dialogues, main


@pytest.mark.parametrize("parts, reference, n, ours, difference", [
    # A mean: ours 2 with variance 1 over 4, theirs 1.0 over 12, rounded to 0.1.
    ([[1, 1], [3, 1], [1, 1], [3, 1]], "1.0", 12, 2, 1 / (1 / 4 + 1 / 12 + 0.01 / 12) ** 0.5),
    # A ratio: 6 of 8 in all; residuals 4 - 3 = 1 and 2 - 3 = -1 over a mean denominator of 4: variance 1/16, twice over 2.
    ([[4, 4], [2, 4]], "0.50", 2, 0.75, 0.25 / (1 / 16 + 0.01 ** 2 / 12) ** 0.5),
    # A share, 100 % of 4 against 90 % of 16, has the spread of both samples: both 92 %, variance 92 * 8 = 736.
    ([[100, 1]] * 4, "90", 16, 100, 10 / (736 * (1 / 4 + 1 / 16) + 1 / 12) ** 0.5),
    ([[100, 1]] * 4, "100", 16, 100, 0)])
def test_ours_is_compared_in_standard_errors(parts, reference, n, ours, difference):
    assert compare(np.array(parts, float), reference, n) == (ours, pytest.approx(difference))


def test_the_references_are_what_was_measured_on_the_original_toolkit():
    """Nothing here can compute them again, so they are pinned."""
    assert len(RUNS) == 22 and sum(len(references) for *_, references in RUNS) == 123
    assert hashlib.sha256(repr(RUNS).encode()).hexdigest()[:16] == "3ed4c17a667ac9f0"


def test_shares_of_the_same_thing_sum_to_a_hundred_per_cent():
    sample = list(dialogues("follower", {}, 30, seed=1))
    names = list(RUNS[-1][3])
    for start in ("user ", "first ", "inform with "):
        parts = np.array([[contribution(name, d) for d in sample] for name in names if name.startswith(start)])
        assert parts[:, :, 0].sum() / parts[0, :, 1].sum() == pytest.approx(100)
    turns = np.array([[contribution(name, d) for d in sample] for name in names if name.split()[1].startswith("turns")])
    assert turns[:, :, 0].sum() == 100 * 30


def test_the_command_prints_every_row_and_what_is_far(capsys, monkeypatch):
    monkeypatch.setattr(statistics, "FAR", 0.0)
    assert main(["--dialogues", "3", "--seed", "1"]) == 0
    printed = capsys.readouterr().out
    assert len(re.findall(r"^  \S.* [-+]\d+\.\d$", printed, re.MULTILINE)) == 123
    for text in ("of 123 statistics lie more than 0", "the original forgets a method", "not explained"):
        assert text in printed
