"""What the tracker reads in one hypothesis: informs, requests, the method, fillers."""
import pytest

from simulator.acts import DONTCARE
from simulator.belief import Reading, read
from tests.simulator.strategies import DOMAIN, TRACKER, act


@pytest.mark.parametrize("system, heard, informs, requests", [
    ("hello()", "hello(food=thai)", {"food": "thai"}, []),
    ("hello()", "inform(type=restaurant)", {}, []),
    ("request(food)", "inform(=dontcare, area=north)", {"food": DONTCARE, "area": "north"}, []),
    ("confirm(food=thai)", "inform(=dontcare)", {}, []),
    ("confirm(food=thai)", "affirm()", {"food": "thai"}, []),
    ("confirm(food=thai)", "affirm(area=north)", {"food": "thai", "area": "north"}, []),
    ("confirm(food=thai)", "affirm(food=indian)", {"food": "indian"}, []),
    ("confirm(food=thai)", "negate()", {}, []), ("confirm(food=thai)", "negate(food=indian)", {"food": "indian"}, []),
    ("reqmore()", "affirm()", {}, []),
    ("hello()", "deny(food=thai, food=indian)", {"food": "indian"}, []),
    ("hello()", "deny(food=thai, food=dontcare)", {}, []), ("hello()", "deny(food=dontcare, food=thai)", {}, []),
    ("hello()", "deny(food=thai, food=thai)", {}, []), ("hello()", "deny(food=thai, area=north)", {}, []),
    ("hello()", "deny(phone=1, phone=2)", {}, []), ("hello()", "deny(food=thai)", {}, []),
    ("hello()", "request(phone, addr, name=sitara)", {"name": "sitara"}, ["phone", "addr"]),
    ("hello()", "confirm(food=thai)", {}, ["food"]), ("hello()", "confirm(type=restaurant)", {}, []),
    ("hello()", "confirm(phone)", {}, []), ("hello()", "inform(phone)", {}, []), ("hello()", "reqalts(phone)", {}, []),
    ("hello()", "inform(phone=1)", {}, []), ("hello()", "reqalts(food=thai)", {"food": "thai"}, []),
    ("hello()", "inform(food=thai, food=indian)", {"food": "indian"}, []), ("hello()", "null()", {}, [])])
def test_what_a_hypothesis_informs_and_requests(system, heard, informs, requests):
    reading = read((act(heard),), act(system), DOMAIN, False)
    assert (reading.informs, reading.requests) == (informs, requests)


@pytest.mark.parametrize("heard, offered, method", [
    ("reqalts(name=sitara)", True, "byalternatives"), ("bye()", True, "finished"),
    ("inform(food=thai)", True, "byconstraints"), ("inform(name=sitara)", False, "byname"),
    ("request(phone, name=sitara)", False, "byname"), ("hello(food=thai)", False, "byconstraints"),
    ("request(phone)", True, "byname"), ("request(phone)", False, "none"), ("confirm(food=thai)", True, "byname"),
    ("confirm(food=thai)", False, "none"), ("confirm(type=restaurant)", True, "none"),
    ("inform(=dontcare)", True, "byconstraints"),
    ("inform(type=restaurant)", True, "none"), ("thankyou()", True, "none"), ("ack()", True, "none"),
    ("negate()", True, "none"),
    ("hello()", True, "none"), ("deny(food=thai)", True, "none"),
    ("deny(food=thai, food=indian)", True, "byconstraints"),
    ("null()", True, "none"), ("affirm()", True, "none"), ("repeat()", True, "none"), ("reqmore()", True, "none")])
def test_the_method_of_a_hypothesis(heard, offered, method):
    assert read((act(heard),), act("reqmore()"), DOMAIN, offered).method == method


def test_of_several_fillers_the_first_in_this_order_counts():
    order = ["repeat", "thankyou", "ack", "hello", "bye"]
    for i, first in enumerate(order):
        acts = tuple(act(f"{kind}(food=thai)") for kind in reversed(order[i:]))
        assert read(acts, act("reqmore()"), DOMAIN, True).discourse == first
    assert read((act("inform(food=thai)"),), act("reqmore()"), DOMAIN, True).discourse == "none"


def test_several_acts_said_together_are_one_hypothesis():
    together = read((act("thankyou()"), act("inform(food=thai)"), act("request(phone)")), act("hello()"), DOMAIN, True)
    assert together == Reading({"food": "thai"}, ["phone"], "byconstraints", "thankyou")
    polite = (act("hello()"), act("thankyou()"), act("bye()"), act("reqalts()"))
    assert read(polite, act("hello()"), DOMAIN, True)[2:] == ("byalternatives", "thankyou")
    assert read((act("deny(food=thai)"), act("request(phone)")), act("hello()"), DOMAIN, True).method == "none"
    belief = TRACKER.update(TRACKER.initial(), act("hello()"), [((act("bye()"), act("inform(food=thai)")), 1.0)])
    assert belief.goal == {"food": {"thai": 1.0}} and belief.method["finished"] == 0.5
