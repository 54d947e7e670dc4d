"""Acts: what is written can be read again, and order does not matter."""
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.acts import ACT_TYPES, Act, Item
from tests.simulator.strategies import act_of
from tests.simulator.written import parse_act


slots = st.sampled_from(["food", "area", "name", "phone", "price_2", "_x"])
odd_values = st.one_of(
    st.text(max_size=12), st.text(alphabet=" ,=!()\"\\'\n\tab", max_size=8),
    st.sampled_from(["", " ", "modern european", "12 mill row, cb1", 'the "brass" heron', "\\", "!=", "café 北"]))
items = st.one_of(slots.map(Item), st.tuples(slots, odd_values, st.booleans()).map(lambda parts: Item(*parts)),
                  odd_values.map(lambda value: Item(None, value)))
acts = st.builds(Act, st.sampled_from(sorted(ACT_TYPES)), st.lists(items, max_size=3).map(tuple))


@given(acts)
def test_reading_is_the_inverse_of_writing(act):
    again = parse_act(str(act))
    assert again == act and again.items == act.items      # even in the same order


@given(acts, st.randoms(use_true_random=False))
def test_equality_and_hash_ignore_the_order_of_the_items(act, random):
    shuffled = list(act.items)
    random.shuffle(shuffled)
    assert Act(act.type, tuple(shuffled)) == act
    assert hash(Act(act.type, tuple(shuffled))) == hash(act)


def test_acts_differ_in_type_slot_value_and_sign():
    act = act_of("inform", food="thai")
    for other in (act_of("confirm", food="thai"), act_of("inform", area="thai"), act_of("inform", food="greek"),
                  Act("inform", (Item("food", "thai", negated=True),)), act_of("inform", "food"), "inform(food=thai)",
                  act_of("inform", food="thai", area="north"), Act("inform", act.items * 2)):
        assert act != other


@pytest.mark.parametrize("text, act", [
    ("hello()", Act("hello")), ("inform(food=thai, area=north)", act_of("inform", food="thai", area="north")),
    ("inform(=dontcare)", Act("inform", (Item(None, "dontcare"),))),
    ("request(phone, name=sitara)", act_of("request", "phone", name="sitara")),
    ("inform(name=none, name!=il gufo)", Act("inform", (Item("name", "none"), Item("name", "il gufo", True)))),
    ('inform(addr="3 mill row, cb1", signature="")', act_of("inform", addr="3 mill row, cb1", signature=""))])
def test_acts_are_written_as_people_write_them(text, act):
    assert str(act) == text and parse_act(text) == act


def test_the_value_of_a_slot_is_the_one_that_is_stated():
    act = Act("inform", (Item("name", "x", True), Item("phone"), Item("name", "y"), Item("food", "")))
    assert (act.value("name"), act.value("food"), act.value("phone"), act.value("area")) == ("y", "", None, None)


def test_an_unknown_act_type_is_refused_by_name():
    with pytest.raises(ValueError, match="act type is 'shout', expected one of ack, affirm"):
        Act("shout")


def test_acts_cannot_be_changed():
    with pytest.raises(AttributeError):
        Act("hello").type = "bye"
