"""The environment: Gymnasium's conventions, rewards, the ways a dialogue ends."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.env import ENVIRONMENTS, DialogueEnv
from simulator.error_model import TABLES
from simulator.policies import handcrafted, uniform_random
from tests.simulator.statistics import belief_follower
from tests.simulator.strategies import OFFER, opened, small_domain
from tests.simulator.written import parse_act as act


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
    env = opened()
    vector, reward, terminated, truncated, info = env.step(act(OFFER))
    assert (reward, terminated, truncated) == (18.0, True, False)          # 20, the turn, and the closing turn
    assert info["success"] is True and info["turns"] == 2 and not vector.any() and vector.shape == (268,)
    assert info["action_mask"].all()


@given(st.integers(0, 2 ** 32), st.booleans(), st.booleans(), st.sampled_from([0.0, 0.3, 1.0]), st.integers(1, 4),
       st.integers(1, 25))
def test_random_play_earns_20_for_success_minus_1_per_turn(seed, master, use_mask, error_rate, nbest, max_turns):
    env = MASTER if master else SUMMARY
    rng = np.random.default_rng(seed)
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


def test_the_defaults_are_the_reference_configuration():
    env = DialogueEnv()
    assert (env.max_turns, env.system.n_free, env.turns, env.domain.name) == (25, 0, 0, "CamRestaurants")
    assert (env.channel.error_rate, env.channel.nbest, env.channel.kind) == (0.0, 1, "sampled")
    assert env.user.kind == "sampled" and not env.system.actions.is_master


def test_without_mask_everything_is_allowed():
    env = DialogueEnv(mask="none", seed=0)
    assert env.reset()[1]["action_mask"].all()
    assert env.step(env.system.actions.index("inform_alternatives"))[-1]["action_mask"].all()


def test_with_only_bye_masked_the_rest_is_free_until_the_user_is_finished():
    for space, n in (("summary", 15), ("master", 1035)):
        env = DialogueEnv(mask="bye", action_space=space, seed=0)
        _, info = env.reset()
        assert info["action_mask"].tolist() == [True] * (n - 1) + [False]
        some = ", ".join(map(str, range(min(20, n - 1))))
        with pytest.raises(ValueError, match=rf"action is {n - 1} \(bye\), expected one .* allows now: {some}$"):
            env.step(n - 1)
        env.system.hear([(act("bye()"), 1.0)])
        env.system.hear([(act("bye()"), 1.0)])
        assert env.system.mask().all() and env.step(n - 1)[2]


# ---- the environments of the benchmark

@pytest.mark.parametrize("number, n_free, error_rate, nbest, kind, tables, user", [
    (1, 0, 0.0, 1, "sampled", "default", "sampled"), (2, 14, 0.0, 1, "sampled", "default", "sampled"),
    (3, 0, 0.15, 5, "dstc2", "set1", "sampled"), (4, 14, 0.15, 5, "dstc2", "set1", "sampled"),
    (5, 0, 0.15, 5, "dstc2", "set1", "unfriendly"), (6, 0, 0.30, 5, "dstc2", "set3", "sampled")])
def test_the_six_environments(number, n_free, error_rate, nbest, kind, tables, user):
    env = DialogueEnv(**ENVIRONMENTS[number])
    channel = env.channel
    assert (channel.error_rate, channel.nbest, channel.kind) == (error_rate, nbest, kind)
    assert channel.tables is TABLES[tables]
    assert (env.system.n_free, env.user.kind, env.max_turns) == (n_free, user, 25)


# ---- how a dialogue ends

def test_a_system_bye_ends_at_once_without_an_answer():
    env = DialogueEnv(mask="none", seed=0)
    env.reset()
    vector, reward, terminated, _, info = env.step(env.system.actions.index("bye"))
    assert (reward, terminated, info["success"], info["turns"]) == (-1.0, True, False, 1)
    assert env.log[-1].user_act is None and env.log[-1].heard == []
    assert env.transcript().splitlines()[-4:] == [
        "system   Goodbye!", "         bye()   [bye]", "", "failure after 1 turns, reward -1"]


def test_a_system_bye_after_all_is_answered_is_a_success():
    env = opened(thankyou=1)
    assert env.step(act(OFFER))[1] == -1.0
    assert env.step(act("bye()"))[1] == 19.0


def test_the_turn_limit_is_a_terminal_failure():
    env, rewards, done = opened(max_turns=4), [], False
    while not done:
        _, reward, done, truncated, info = env.step(act("request(food)"))
        rewards.append(reward)
    assert rewards == [-1.0] * 4 and not truncated and info["turns"] == 4 and info["success"] is False


def test_the_user_still_hears_the_last_act_before_the_limit():
    env = opened(max_turns=2, thankyou=1)
    env.step(act("request(food)"))
    _, reward, done, _, info = env.step(act(OFFER))
    assert (reward, done, info["success"], info["turns"]) == (19.0, True, True, 2)


def test_a_bye_at_the_limit_opens_no_further_turn():
    env = opened(max_turns=1)
    _, reward, done, _, info = env.step(act(OFFER))
    assert (reward, done, info["turns"]) == (19.0, True, 1) and env.log[-1].user_act == act("bye()")


def test_the_true_bye_ends_the_dialogue_even_if_it_is_misheard():
    env = opened()
    env.channel.error_rate = 1.0
    _, _, done, _, info = env.step(act(OFFER))
    assert done and info["success"] and env.log[-1].heard[0][0].type != "bye"


def test_success_is_judged_on_the_goal_as_it_is_now():
    env = opened()
    env.user.goal.constraints["area"] = "dontcare"
    assert env.step(act(OFFER))[-1]["success"] is True
    env = opened()
    assert env.step(act("inform(name=sakura steps)"))[-1]["success"] is False        # accepted, but the wrong food


# ---- other domains

def test_a_domain_with_six_slots_and_unlisted_names_works_in_both_spaces():
    rng = np.random.default_rng(0)
    values = {letter: "xyz" for letter in "abcdef"}
    rows = ["".join(rng.choice(list("xyz?"), 6)) for _ in range(40)]         # ? is no value of the ontology
    domain = small_domain(tuple(values), values, rows)
    domain.informable["name"] = domain.informable["name"][:20]
    for space in ("summary", "master"):
        env = DialogueEnv(domain, action_space=space, error_rate=0.2, nbest=3, seed=1)
        assert env.n_actions == (4 if space == "summary" else 4 * 64) + 20
        assert env.n_belief == 6 * 5 + 22 + 6 + 6 + 7 + 2 + 25
        successes = 0
        for k in range(40):
            payload = domain.payload_slots if space == "master" else None
            total, info, _ = played(env, lambda env, mask: handcrafted(env.system) if k % 2
                                    else belief_follower(env.system, mask, payload))
            assert total == 20 * info["success"] - info["turns"]
            successes += info["success"]
        assert successes > 20
