"""The environment: Gymnasium's conventions, rewards, the ways a dialogue ends, and what is refused."""
from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.env import ENVIRONMENTS, DialogueEnv
from simulator.error_model import TABLES
from simulator.policies import handcrafted, uniform_random
from tests.simulator.statistics import belief_follower
from tests.simulator.strategies import OFFER, A, act, opened, small_domain

SUMMARY, MASTER = DialogueEnv(seed=0), DialogueEnv(action_space="master", seed=0)


def played(env, choose):
    """(total reward, info, number of steps) of one dialogue."""
    vector, info = env.reset()
    total, steps, done = 0.0, 0, False
    while not done:
        assert vector.shape == (env.n_belief,) and info["action_mask"].shape == (env.n_actions,)
        vector, reward, done, truncated, info = env.step(choose(env, info["action_mask"]))
        assert truncated is False
        total, steps = total + reward, steps + 1
    return total, info, steps


# ---- the conventions

@pytest.mark.parametrize("env, n_actions", [(SUMMARY, 15), (MASTER, 1035)])
def test_reset_and_step_return_what_gymnasium_expects(env, n_actions):
    assert (env.n_belief, env.n_actions) == (268, n_actions)
    vector, info = env.reset(seed=3)
    assert vector.shape == (268,) and vector.dtype == np.float64
    assert info["action_mask"].shape == (n_actions,) and info["action_mask"].dtype == bool
    vector, reward, terminated, truncated, info = env.step(env.system.actions.index("request_food"))
    assert (type(reward), reward, terminated, truncated) == (float, -1.0, False, False)
    assert "success" not in info and vector.shape == (268,)


def test_the_end_has_an_empty_vector_a_success_and_the_number_of_turns():
    vector, reward, terminated, truncated, info = opened().step(act(OFFER))
    assert (reward, terminated, truncated) == (18.0, True, False)          # 20, the turn, and the closing turn
    assert info["success"] is True and info["turns"] == 2 and not vector.any() and vector.shape == (268,)
    assert info["action_mask"].all()


@given(st.integers(0, 2 ** 32), st.booleans(), st.booleans(), st.sampled_from([0.0, 0.3, 1.0]), st.integers(1, 4),
       st.integers(1, 25))
def test_random_play_has_20_for_success_minus_1_per_turn(seed, master, use_mask, error_rate, nbest, max_turns):
    env, rng = MASTER if master else SUMMARY, np.random.default_rng(seed)
    env.system.n_free, env.max_turns = 0 if use_mask else env.n_actions, max_turns
    env.channel.error_rate, env.channel.nbest = error_rate, nbest
    try:
        env.reset(seed=seed)
        total, info, steps = played(env, lambda env, mask: uniform_random(mask, rng))
    finally:
        env.system.n_free, env.max_turns, env.channel.error_rate, env.channel.nbest = 0, 25, 0.0, 1
    last = env.log[-1]
    assert total == 20 * info["success"] - info["turns"] and info["turns"] <= max_turns
    user_left = last.user_act is not None and last.user_act.type == "bye"
    assert info["turns"] == min(steps + user_left, max_turns)               # the user's bye opens a closing turn
    assert (last.user_act is None) == (last.system_act.type == "bye")
    assert user_left or last.user_act is None or info["turns"] == max_turns


def test_with_only_bye_masked_the_rest_is_free_until_the_user_is_finished():
    env = DialogueEnv(mask="bye", action_space="master", seed=0)
    env.reset()
    with pytest.raises(ValueError, match=rf"action is 1034 \(bye\), .* now: {', '.join(map(str, range(20)))}$"):
        env.step(1034)
    for _ in range(2):
        env.system.hear([(act("bye()"), 1.0)])
    assert env.system.mask().all() and env.step(1034)[2]


@pytest.mark.parametrize("number, n_free, error_rate, nbest, kind, tables, user", [
    (0, 0, 0.0, 1, "sampled", "default", "sampled"),                        # without any settings
    (1, 0, 0.0, 1, "sampled", "default", "sampled"), (2, 14, 0.0, 1, "sampled", "default", "sampled"),
    (3, 0, 0.15, 5, "dstc2", "set1", "sampled"), (4, 14, 0.15, 5, "dstc2", "set1", "sampled"),
    (5, 0, 0.15, 5, "dstc2", "set1", "unfriendly"), (6, 0, 0.30, 5, "dstc2", "set3", "sampled")])
def test_the_defaults_and_the_six_environments_of_the_benchmark(number, n_free, error_rate, nbest, kind, tables, user):
    env = DialogueEnv(**ENVIRONMENTS.get(number, {}))
    assert (env.channel.error_rate, env.channel.nbest, env.channel.kind) == (error_rate, nbest, kind)
    assert env.channel.tables is TABLES[tables] and env.domain.name == "CamRestaurants"
    assert (env.system.n_free, env.user.kind, env.max_turns, env.n_actions) == (n_free, user, 25, 15)


def test_a_domain_with_six_slots_and_unlisted_values_and_names_works_in_both_spaces():
    rng = np.random.default_rng(0)
    rows = ["".join(rng.choice(list("xyz?"), 6)) for _ in range(40)]         # ? is no value of the ontology
    domain = small_domain(dict.fromkeys("abcdef", "xyz"), rows)
    domain.informable["name"] = domain.informable["name"][:20]
    for space, n_informs, payload in (("summary", 4, None), ("master", 4 * 64, domain.payload_slots)):
        env = DialogueEnv(domain, action_space=space, error_rate=0.2, nbest=3, seed=1)
        assert (env.n_actions, env.n_belief) == (n_informs + 20, 6 * 5 + 22 + 6 + 6 + 7 + 2 + 25)
        infos = [played(env, lambda env, mask: handcrafted(env.system) if k % 2
                        else belief_follower(env.system, mask, payload))[1] for k in range(40)]
        assert sum(info["success"] for info in infos) > 20


# ---- how a dialogue ends

@pytest.mark.parametrize("settings, said, rewards, success", [
    (dict(thankyou=1), [OFFER, "bye()"], [-1, 19], True),                   # the system says goodbye after all
    (dict(max_turns=4), ["request(food)"] * 4, [-1] * 4, False),            # the limit is terminal
    (dict(max_turns=2, thankyou=1), ["request(food)", OFFER], [-1, 19], True),       # the last act is still heard
    (dict(max_turns=1), [OFFER], [19], True),                               # a bye at the limit opens no further turn
    ({}, ["bye()"], [-1], False),                                           # at once, without an answer
    ({}, ["inform(name=sakura steps)"], [-2], False)])                      # accepted, but the wrong food
def test_how_a_dialogue_ends(settings, said, rewards, success):
    env = opened(**settings)
    steps = [env.step(act(text)) for text in said]
    assert [(reward, done, truncated) for _, reward, done, truncated, _ in steps] == [
        (reward, i == len(said), False) for i, reward in enumerate(rewards, 1)]
    info, turns = steps[-1][-1], 20 * success - sum(rewards)
    assert info["success"] is success and info["turns"] == turns and (said[-1] == "bye()") == (env.log[-1].heard == [])
    outcome = "success" if success else "failure"
    assert env.transcript().endswith(f"\n\n{outcome} after {turns} turns, reward {sum(rewards)}")


def test_the_true_bye_ends_the_dialogue_even_if_it_is_misheard():
    env = opened()
    env.channel.error_rate = 1.0
    _, _, done, _, info = env.step(act(OFFER))
    assert done and info["success"] and env.log[-1].heard[0][0].type != "bye"


# ---- what is refused, before anything happens

@pytest.mark.parametrize("action, message", [
    (14, r"action is 14 \(bye\), expected one that the mask allows now: 0, 4, 5, 7"),
    ("4", "action is '4', expected a whole number from 0 to 14"),
    (act("repeat()"), r"system act is repeat\(\), expected one of request, confirm"),
    (act("thankyou()"), "system act is thankyou"),
    (act("request()"), "system act is request.*the first three with a slot"),
    (act("confirm()"), "the first three with a slot"), (act("select()"), "the first three with a slot"),
    (act("inform(food=thai)"), "inform with the name of a venue or name=none")])
def test_what_cannot_be_done_is_refused_and_nothing_happens(action, message):
    env = DialogueEnv(seed=0)
    env.reset()
    goal, log = deepcopy(env.user.goal), list(env.log)
    with pytest.raises(ValueError, match=message):
        env.step(action)
    assert env.user.goal == goal and env.log == log and env.turns == 1 and env.user.patience == env.user.p.patience
    env.step(4)


@pytest.mark.parametrize("said", ["request(phone)", "request(colour)", "confirm(phone=1)", "confirm(colour=red)",
                                  "select(colour=red)", f"inform(name={A}, colour=red)"])
def test_a_slot_that_users_cannot_constrain_is_answered_without_being_believed(said):
    for answer in ("affirm()", "inform(=dontcare)", "negate(colour=red)"):
        env = DialogueEnv(error_rate=1.0, nbest=3, seed=0)
        env.reset()
        env.step(act(said))
        env.system.hear([(act(answer), 1.0)])
        assert env.system.belief.goal.keys() <= env.domain.informable.keys() and env.system.observe()[0].shape == (268,)


def test_stepping_outside_a_dialogue_is_refused():
    env = opened()
    env.step(act(OFFER))
    for over in (DialogueEnv(seed=0), env):
        with pytest.raises(ValueError, match="dialogue is over, expected reset before step"):
            over.step(4)
    with pytest.raises(ValueError, match="dialogue is empty, expected reset"):
        DialogueEnv(seed=0).transcript()


@pytest.mark.parametrize("settings, message", [
    *[({"error_rate": rate}, f"error_rate is {rate!r}, expected a number from 0 to 1")
      for rate in (-0.1, 1.5, float("nan"), "0.1")],
    *[({"nbest": n}, f"nbest is {n}, expected a whole number from 1 to 100") for n in (0, 2.5, 101, 10 ** 9)],
    ({"max_turns": 0}, "max_turns is 0"), ({"max_turns": 2.5}, "max_turns is 2.5, expected a whole number of at least"),
    ({"action_space": "flat"}, "action_space is 'flat', expected 'summary' or 'master'"),
    ({"channel": "x"}, "channel is 'x', expected one of sampled, uniform, dstc2"),
    ({"tables": "set2"}, "tables is 'set2', expected one of default, set1, set3"),
    ({"user": "x"}, "user is 'x', expected one of sampled, unfriendly, fixed"),
    ({"domain": "Laptops11"}, "domain is 'Laptops11', expected a Domain"),
    ({"domain": small_domain({"x": "a"}, "a")}, "domain is small, expected one where 2 to 3 venues share"),
    ({"seed": -1}, "seed is -1, expected a whole number of at least 0, or several"), ({"seed": "x"}, "seed is 'x'"),
    ({"mask": "x"}, "mask is 'x', expected one of all, bye, none")])
def test_settings_outside_their_range_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        DialogueEnv(**settings)
