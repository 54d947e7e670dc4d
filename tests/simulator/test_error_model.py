"""The noisy channel: lists of hypotheses and how they are confused. The imitation of a recogniser: test_recogniser."""
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator import error_model
from simulator.acts import DONTCARE, USER_ACTS, Act, Item
from simulator.error_model import merge
from tests.simulator.strategies import DOMAIN, act, channel, confusions

SPOKEN = [act(text) for text in (
    "inform(type=restaurant)", "inform(type=restaurant, food=thai)", "inform(=dontcare)", "request(phone, name=sitara)",
    "inform(=dontcare, area=north)", "confirm(name=sitara)", "affirm()", "affirm(food=thai)", "negate(area=north)",
    "deny(food=thai, food=indian)", "reqalts()", "reqalts(food=dontcare)", "thankyou()", "bye()")]


@given(st.sampled_from(SPOKEN), st.integers(0, 2 ** 32), st.sampled_from([0.0, 0.5, 1.0]), st.integers(1, 8),
       st.sampled_from(["sampled", "uniform", "dstc2"]))
def test_what_is_heard_is_a_distribution_over_different_acts_the_surest_first(spoken, seed, error_rate, nbest, kind):
    heard = channel(seed, error_rate=error_rate, nbest=nbest, kind=kind).hear(spoken)
    acts, masses = zip(*heard)
    assert sum(masses) == pytest.approx(1.0) and min(masses) > 0 and list(masses) == sorted(masses, reverse=True)
    assert len(set(acts)) == len(acts) <= nbest + (kind == "dstc2")
    assert all(a == spoken or a.type != "bye" for a in acts)
    assert acts == (spoken,) or error_rate > 0 or kind == "dstc2"


@given(st.sampled_from(SPOKEN), st.integers(0, 2 ** 32), st.booleans())
def test_a_confusion_is_wrong_is_not_bye_and_leaves_the_act_alone(spoken, seed, dstc2):
    before = str(spoken)
    wrong = channel(seed, kind="dstc2" if dstc2 else "sampled").confuse(spoken)
    assert wrong != spoken and wrong.type != "bye" and str(spoken) == before
    assert all(item.slot in (None, "type", *DOMAIN.requestable) for item in wrong.items)


def test_sampled_lists_have_any_length_up_to_n_and_uniform_ones_exactly_n(monkeypatch):
    monkeypatch.setattr(error_model, "merge", list)
    for generator, lengths in (("sampled", {1, 2, 3, 4}), ("uniform", {4})):
        noisy = channel(error_rate=0.5, nbest=4, kind=generator)
        lists = [noisy.hear(act("inform(food=thai)")) for _ in range(2000)]
        counts = Counter(map(len, lists))
        assert counts.keys() == lengths and min(counts.values()) > 0.85 * 2000 / len(lengths)
        assert all(mass == 1 / len(heard) for heard in lists for _, mass in heard)


def test_each_hypothesis_of_a_list_is_wrong_with_the_error_rate_on_its_own():
    # Truth in both of two hypotheses: 0.7² = 0.49; in none: 0.09; in one: 0.42, and then it has half of the mass.
    noisy, spoken = channel(error_rate=0.3, nbest=2, kind="uniform"), act("inform(food=thai)")
    masses = Counter(dict(noisy.hear(spoken)).get(spoken, 0.0) for _ in range(4000))
    assert masses.keys() == {0.0, 0.5, 1.0}
    assert masses[0.5] / 4000 == pytest.approx(0.42, abs=0.032) and masses[1.0] / 4000 == pytest.approx(0.49, abs=0.032)
    assert all(channel(seed, error_rate=1.0).hear(spoken)[0][0] != spoken for seed in range(50))


def test_equal_acts_are_merged_by_hand():
    # 0.25 + 0.25 for the same act in another order; then everything is divided by 0.8
    heard = merge([(act("inform(area=north, food=thai)"), 0.25), (act("bye()"), 0.3),
                   (act("inform(food=thai, area=north)"), 0.25)])
    assert [(str(a), mass) for a, mass in heard] == [
        ("inform(area=north, food=thai)", pytest.approx(0.625)), ("bye()", pytest.approx(0.375))]


# ---- confusions

def test_type_slot_and_value_are_confused_in_their_proportions():
    wrong = confusions("inform(food=thai)")
    kinds = Counter("type" if a.type != "inform" else "slot" if a.items[0].slot != "food" else "value" for a in wrong)
    # A new type is bye in 1 of 13 cases and then drawn again: 0.2 * 12/13 of 0.2 * 12/13 + 0.8.
    total = 0.2 * 12 / 13 + 0.8
    for kind, share in (("type", 0.2 * 12 / 13), ("slot", 0.3), ("value", 0.5)):
        assert kinds[kind] / 3000 == pytest.approx(share / total, abs=0.036)


def test_a_new_type_is_any_other_but_bye_with_the_items_it_needs():
    wrong = confusions("thankyou()", n=6000)
    counts = Counter(a.type for a in wrong)
    assert counts.keys() == set(USER_ACTS) - {"thankyou", "bye"} and max(counts.values()) < 1.4 * min(counts.values())
    for a in wrong:
        assert len(a.items) == (a.type in ("inform", "confirm", "affirm", "negate", "reqalts", "request"))
        for slot, value, _ in a.items:
            assert slot in DOMAIN.requestable
            assert (value is not None) == (a.type != "request" and slot in DOMAIN.informable)
    slots = Counter(a.items[0].slot for a in wrong if a.items)
    assert slots.keys() == set(DOMAIN.requestable) and max(slots.values()) < 1.4 * min(slots.values())
    assert DONTCARE in {a.value("pricerange") for a in wrong}


def test_acts_without_a_slot_to_start_with_are_confused_in_type_only():
    for text in ("ack()", "inform(=dontcare)", "inform(=dontcare, area=north)"):
        assert all(a.type != text.split("(")[0] for a in confusions(text, n=300))


def test_all_slots_of_an_act_are_confused_together():
    wrong = [a for a in confusions("inform(food=thai, area=north)") if a.type == "inform" and a.value("food") is None or
             a.type == "inform" and {i.slot for i in a.items} != {"food", "area"}]
    assert wrong and all(len(a.items) == 2 and a.items[0].slot != "food" and a.items[1].slot != "area" for a in wrong)
    firsts = Counter(a.items[0].slot for a in wrong)
    assert firsts.keys() == set(DOMAIN.requestable) - {"food"}
    assert all((item.value is None) == (item.slot not in DOMAIN.informable) for a in wrong for item in a.items)


def test_one_value_of_an_act_is_confused():
    wrong = [a for a in confusions("inform(food=thai, area=north)") if [i.slot for i in a.items] == ["food", "area"]]
    same = Counter(("food" * (a.value("food") == "thai"), "area" * (a.value("area") == "north")) for a in wrong)
    assert same.keys() == {("food", ""), ("", "area")} and abs(same["food", ""] - same["", "area"]) < 0.2 * len(wrong)
    areas = Counter(a.value("area") for a in wrong if a.value("food") == "thai")
    assert areas.keys() == {"centre", "east", "south", "west", DONTCARE}
    assert max(areas.values()) < 1.5 * min(areas.values())


def test_a_request_is_confused_in_type_or_slot():
    # A confusion of its value changes nothing and is tried again: type 0.2 (less the byes), slot 0.3.
    wrong = confusions("request(phone)")
    slots = [a for a in wrong if a.type == "request"]
    assert len(slots) / 3000 == pytest.approx(0.3 / (0.3 + 0.2 * 12 / 13), abs=0.036)
    assert {a.items[0] for a in slots} == {Item(slot) for slot in DOMAIN.requestable if slot != "phone"}


def test_the_type_has_no_other_value_but_may_become_another_slot():
    wrong = [a for a in confusions("inform(type=restaurant)") if a.type == "inform"]
    assert {a.items[0].slot for a in wrong} == set(DOMAIN.requestable)


def test_where_every_try_fails_the_truth_is_heard(monkeypatch):
    noisy = channel(error_rate=1.0)
    monkeypatch.setattr(noisy, "confuse_type", lambda a: Act("bye"))
    assert noisy.hear(act("ack()")) == [(act("ack()"), 1.0)]
