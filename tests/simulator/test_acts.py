"""Acts: what is written can be read again, and order does not matter."""
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.acts import ACT_TYPES, Act, Item
from tests.simulator.written import parse_act

slots = st.sampled_from(["food", "area", "name", "phone", "price_2", "_x"])
odd_values = st.text(max_size=8) | st.text(alphabet=" ,=!()\"\\'\n\tab", max_size=8) | st.sampled_from(
    ["modern european", "12 mill row, cb1", 'the "brass" heron', "!=", "café 北"])
items = (slots.map(Item) | st.builds(Item, slots, odd_values, st.booleans())
         | odd_values.map(lambda value: Item(None, value)))
acts = st.builds(Act, st.sampled_from(sorted(ACT_TYPES)), st.lists(items, max_size=3).map(tuple))


@given(acts, st.permutations(range(3)))
def test_reading_is_the_inverse_of_writing_and_the_order_of_items_means_nothing(act, order):
    again = parse_act(str(act))
    assert again == act and again.items == act.items      # even in the same order
    shuffled = Act(act.type, tuple(act.items[i] for i in order if i < len(act.items)))
    assert shuffled == act and hash(shuffled) == hash(act)


def test_acts_differ_in_type_slot_value_and_sign():
    act = parse_act("inform(food=thai)")
    for text in ("confirm(food=thai)", "inform(area=thai)", "inform(food=greek)", "inform(food!=thai)", "inform(food)",
                 "inform(food=thai, area=north)", "inform(food=thai, food=thai)"):
        assert act != parse_act(text)
    assert act != "inform(food=thai)"


@pytest.mark.parametrize("text, kind, items", [
    ("hello()", "hello", ()), ("inform(food=thai, area=north)", "inform", (("food", "thai"), ("area", "north"))),
    ("inform(=dontcare)", "inform", ((None, "dontcare"),)),
    ("request(phone, name=sitara)", "request", (("phone",), ("name", "sitara"))),
    ("inform(name=none, name!=il gufo)", "inform", (("name", "none"), ("name", "il gufo", True))),
    ('inform(addr="3 mill row, cb1", signature="")', "inform", (("addr", "3 mill row, cb1"), ("signature", "")))])
def test_acts_are_written_as_people_write_them(text, kind, items):
    act = Act(kind, tuple(Item(*item) for item in items))
    assert str(act) == text and parse_act(text) == act


def test_the_value_of_a_slot_is_the_one_that_is_stated():
    act = parse_act('inform(name!=x, phone, name=y, food="")')
    assert (act.value("name"), act.value("food"), act.value("phone"), act.value("area")) == ("y", "", None, None)


def test_an_unknown_act_type_is_refused_by_name():
    with pytest.raises(ValueError, match="act type is 'shout', expected one of ack, affirm"):
        Act("shout")


def test_acts_cannot_be_changed():
    with pytest.raises(AttributeError):
        Act("hello").type = "bye"
