"""The channel that imitates a speech recogniser: what sounds alike, and lists as its tables say."""
import hashlib
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from simulator.acts import DONTCARE, USER_ACTS, Item
from simulator.error_model import TABLES, edit_distance, similar
from tests.simulator.strategies import DOMAIN, act, channel, confusions


@pytest.mark.parametrize("a, b, edits", [("", "", 0), ("thai", "thai", 0), ("", "abc", 3), ("kitten", "sitting", 3),
                                         ("north", "south", 2), ("area", "are", 1), ("ab", "ba", 2)])
def test_edit_distance_by_hand(a, b, edits):
    assert edit_distance(a, b) == edit_distance(b, a) == edits


def test_similar_words_by_hand():
    # Distances from "cat": bat 1, cart 1, dog 3; 1/distance sums to 7/3, so shares 3/7, 3/7, 1/7, each plus 0.15.
    words, weights = similar("cat", ("dog", "bat", "cat", "cart"))
    assert words == ["bat", "cart", "dog"]
    np.testing.assert_allclose(weights, [3 / 7 + 0.15, 3 / 7 + 0.15, 1 / 7 + 0.15])
    assert len(similar("thai", DOMAIN.informable["food"])[0]) == 6


def test_the_recogniser_confuses_what_is_spelt_alike_and_never_the_type():
    wrong = confusions("inform(food=thai, type=restaurant)", kind="dstc2")
    foods = {a.value("food") for a in wrong if a.type == "inform" and a.items[0].slot == "food"} - {"thai"}
    assert foods == set(similar("thai", (*DOMAIN.informable["food"], DONTCARE))[0])
    assert all(a.items[1] == Item("type", "restaurant") for a in wrong if len(a.items) == 2)
    slots = {a.items[0].slot for a in wrong if a.type == "inform" and len(a.items) == 2} - {"food"}
    assert slots == set(similar("food", DOMAIN.requestable)[0])
    assert {a.type for a in wrong} <= {"inform", *similar("inform", USER_ACTS)[0]}


def test_the_tables_are_what_was_measured():
    """Nothing here can compute them again, so they are pinned."""
    assert hashlib.sha256(repr(TABLES).encode()).hexdigest()[:16] == "177a793451c431f8"


def test_a_table_without_the_entry_nowhere_puts_the_truth_into_every_long_wrong_list():
    # set1: 0.179 + 0.063 + 0.027 + 0.017 = 0.286; the second place has 0.179 / 0.286 = 0.626 of the wrong lists.
    noisy = channel(error_rate=1.0, nbest=5, kind="dstc2", tables="set1")
    n, places = 4000, Counter(noisy.rank(noisy.tables["truth_if_wrong"]) for _ in range(4000))
    assert places.keys() == {1, 2, 3, 4}
    for place, weight in zip((1, 2, 3, 4), (0.179, 0.063, 0.027, 0.017)):
        assert places[place] / n == pytest.approx(weight / 0.286, abs=0.03)


def scripted(*uniform, normal=lambda mean, std: np.array(mean), **settings):
    """A channel whose random stream says what the test wants: uniform numbers, and normal ones at their mean."""
    noisy, numbers = channel(kind="dstc2", **settings), iter(uniform)
    noisy.rng = SimpleNamespace(random=lambda: next(numbers, 0.999), normal=normal)
    return noisy


def test_the_recogniser_is_right_by_hand():
    # 0.9 is right; 0.3 lies in the second class of lengths: two hypotheses. Ranks 3 to 6 are left over for null:
    # 0.045 + 0.032 + 0.027 + 0.05 = 0.154 of 0.869 + 0.103 + 0.154 = 1.126.
    (first, p), (null, q), (_, r) = scripted(0.9, 0.3, error_rate=0.3, nbest=5).hear(act("inform(food=thai)"))
    assert first == act("inform(food=thai)") and null == act("null()")
    np.testing.assert_allclose([p, q, r], np.array([0.869, 0.154, 0.103]) / 1.126)


def test_the_recogniser_is_wrong_by_hand():
    # 0.1 is wrong; 0.5 lies in the fifth class of lengths (0.317 + 0.065 + 0.082 = 0.464, + 0.065 = 0.529: the fourth);
    # 0.2 puts the truth on the third place (0.172 + 0.058 = 0.230).
    noisy = scripted(0.1, 0.5, 0.2, error_rate=0.3, nbest=5)
    wrong = iter([act("inform(food=indian)"), act("inform(food=indian)"), act("ack()"), act("hello()")])
    noisy.confuse = lambda a: next(wrong)
    assert {str(a): mass * 1.165 for a, mass in noisy.hear(act("inform(food=thai)"))} == pytest.approx({
        "inform(food=indian)": 0.762, "ack()": 0.176, "inform(food=thai)": 0.076, "hello()": 0.048, "null()": 0.103})


def test_a_list_without_the_truth_is_as_sure_as_a_right_one():
    heard = dict(scripted(0.1, 0.0, 0.9, error_rate=1.0).hear(act("bye()")))
    assert act("bye()") not in heard and max(heard.values()) == pytest.approx(0.869 / 1.126)


def test_confidences_are_clipped():
    noisy = scripted(0.9, 0.0, normal=lambda mean, std: np.array([3.0, -1, -1, -1, -1, -1]))
    assert dict(noisy.hear(act("ack()")))[act("ack()")] == pytest.approx(0.99 / (0.99 + 5 * 0.01))


@pytest.mark.parametrize("tables, nbest, expected", [
    ("default", 1, [0.029, 0.010, 0.001, 0.001, 0.001, 0.002]),
    ("set1", 5, [0.029, 0.01, 0.002, 0.001, 1e-4 ** 2, 0.001]),         # a deviation of 0 is 1e-4 in the list ...
    ("set3", 4, [0.016, 0.013, 0.002, 0.001, 1e-5 ** 2, 0.001])])       # ... and 1e-5 beyond its end
def test_the_spread_of_confidences_is_that_of_the_tables(tables, nbest, expected):
    seen = []                                                           # right, and as long as can be
    noisy = scripted(0.5, 0.99, normal=lambda mean, std: seen.append(std) or np.array(mean), nbest=nbest, tables=tables)
    noisy.hear(act("ack()"))
    np.testing.assert_allclose(seen[0] ** 2, expected)
