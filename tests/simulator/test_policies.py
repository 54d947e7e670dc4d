"""The policies to compare with: every rule of the handcrafted one, uniform random play."""
from collections import Counter

import numpy as np
import pytest

from simulator.env import DialogueEnv
from simulator.policies import handcrafted, uniform_random
from tests.simulator.statistics import dialogues
from tests.simulator.strategies import OFFER, WISHES, A, B, after, small_domain


ENV = DialogueEnv(seed=0)
START = ("hello()", WISHES)


def answer(*turns):
    ENV.system.belief = after(*turns)
    return str(handcrafted(ENV.system))


def unsure(first, second=0.0):
    """One slot with the given masses on its two likeliest values."""
    heard = [("inform(food=thai)", first), ("inform(food=indian)", second), ("hello()", 1 - first - second)]
    return answer(("hello()", *[pair for pair in heard if pair[1] > 1e-9]))


# ---- the handcrafted policy

@pytest.mark.parametrize("turns, said", [
    ([("hello()", "hello()")], "request(area)"),
    ([("hello()", "inform(area=north)")], "request(food)"),
    ([("hello()", "inform(area=centre, food=chinese)")], "request(pricerange)"),
    ([("hello()", ("inform(area=north)", 0.8), ("inform(area=south)", 0.2))], "request(food)"),
    ([START], OFFER), ([START, (OFFER.replace(A, B), WISHES)], OFFER),                     # it does not stick to B
    ([("hello()", "inform(food=korean)")], "inform(name=the hanok, food=korean)"),
    ([("hello()", "inform(food=swiss)")], "inform(name=none, food=swiss)"),
    ([START, (OFFER, "reqalts()")], OFFER.replace(A, B)),
    ([START, (OFFER, "reqalts()"), (OFFER.replace(A, B), "thankyou()")], OFFER.replace(A, "red lacquer")),
    ([START, (OFFER, "request(area)")], f"inform(name={A}, area=centre)"),
    ([START, (OFFER, "confirm(food=chinese)")], f"inform(name={A}, food=chinese)"),
    ([START, (OFFER, (f"request(area, name={B})", 0.8), ("request(area)", 0.2))], f"inform(name={B}, area=centre)"),
    ([START, (OFFER, (f"request(area, name={B})", 0.79), ("request(area)", 0.21))], f"inform(name={A}, area=centre)"),
    ([("hello()", f"inform(name={A})"), ("hello()", "request(area)")], f"inform(name={A}, area=centre)"),
    ([("hello()", (f"inform(name={A})", 0.6), ("hello()", 0.4))], "request(area)"),        # by name, but not surely
    ([START, (OFFER, "bye()")], "bye()"),
    ([START, (OFFER, "thankyou()")], "reqmore()"), ([START, (OFFER, "ack()")], "reqmore()"),
    ([("hello()", "thankyou()")], "request(area)"),                                        # no offer yet
    ([START, (OFFER, ("ack()", 0.5), ("hello()", 0.5))], OFFER),
    ([START, (OFFER, ("ack()", 0.6), ("hello()", 0.4))], "reqmore()"),
    ([("hello()", ("inform(food=thai, area=north)", 0.7), ("hello()", 0.3))], "confirm(area=north)")])
def test_what_it_says(turns, said):
    assert answer(*turns) == said


@pytest.mark.parametrize("first, second, expected", [
    (0.8, 0.2, "request(area)"), (0.79, 0.0, "confirm(food=thai)"), (0.61, 0.39, "confirm(food=thai)"),
    (0.55, 0.4, "select(food=thai, food=indian)"), (0.5, 0.3, "confirm(food=thai)"), (0.6, 0.39, "confirm(food=thai)"),
    (0.31, 0.2, "select(food=thai, food=indian)"), (0.31, 0.0, "confirm(food=thai)"), (0.3, 0.25, "request(area)")])
def test_it_confirms_or_lets_the_user_select_where_it_is_unsure(first, second, expected):
    assert unsure(first, second) == expected


def test_a_pending_request_is_answered_once_the_search_is_over():
    belief = [START, (OFFER, "request(area)"), (OFFER, "inform(pricerange=cheap)"),
              (OFFER.replace("area=centre, ", ""), WISHES)]
    ENV.system.belief = after(*belief)._replace(requested={"postcode": 1.0})
    assert str(handcrafted(ENV.system)) == f'inform(name={A}, postcode={ENV.domain.by_name[A]["postcode"]})'
    ENV.system.belief = ENV.system.belief._replace(offer_happened=False)
    assert str(handcrafted(ENV.system)) == OFFER


def test_more_than_three_accepted_slots_make_it_offer_although_a_question_could_help():
    env = DialogueEnv(small_domain(dict.fromkeys("abcde", "xy"), ["xxxxx", "xxxxy", "yxxxx"]), seed=0)
    three, four = ("hello()", "inform(a=x, b=x, c=x)"), ("hello()", "inform(a=x, b=x, c=x, d=x)")
    offer = "inform(name={}, a=x, b=x, c=x, d=x)"
    for turns, said in (([three], "request(d)"), ([four], offer.format("v0")),
                        ([four, ("inform(name=v0)", "reqalts()")], offer.format("v1")),
                        ([four, ("inform(name=v1)", "negate(a=x)")], offer.format("v0"))):     # it does not stick to v1
        env.system.belief = after(*turns, tracker=env.system.tracker)
        assert str(handcrafted(env.system)) == said


# ---- uniform random play, and all of them together

@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, int])
def test_random_play_takes_every_allowed_action_equally_often_and_no_other(dtype):
    mask, rng = np.array([0, 1, 0, 1, 1], dtype), np.random.default_rng(0)
    counts = Counter(uniform_random(mask, rng) for _ in range(3000))
    assert counts.keys() == {1, 3, 4} and min(counts.values()) > 900 and all(type(action) is int for action in counts)


@pytest.mark.parametrize("policy, settings, success, rewards", [
    ("handcrafted", {}, 98, (13.4, 14.7)), ("follower", {}, 97, (13.3, 14.9)),
    ("follower, full payload", {"action_space": "master"}, 98, (14.9, 15.8)),
    ("follower, empty payload", {"action_space": "master"}, 25, (-2, 3))])
def test_the_policies_reach_about_the_reference_levels(policy, settings, success, rewards):
    """A quick look; python -m tests.simulator.statistics compares them in earnest."""
    played = [(100 * d.success, 20 * d.success - d.turns) for d in dialogues(policy, settings, 100, seed=1)]
    mean_success, mean_reward = np.mean(played, axis=0)
    assert mean_success > success and rewards[0] < mean_reward < rewards[1]
