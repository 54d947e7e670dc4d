"""What the three learners refuse: acting out of turn, rewards beyond reason, and hyperparameters out of range."""
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from acer_np.checks import CHOICES, COUNTS, RANGES, as_mask
from tests.strategies import AGENTS, N_BELIEF, everything, make_small

CONFIGS = [config for _, config in AGENTS.values()]


# ---- refusals while acting

def refused(agent, attempt, message):
    before = everything(agent)
    with pytest.raises(ValueError, match=message):
        attempt()
    assert everything(agent) == before


def test_calls_out_of_order_are_refused_and_change_nothing():
    agent, wide = make_small(), np.ones(4, bool)
    nothing = "the memory holds 0 dialogues, expected at least one to learn from"
    refused(agent, agent.learn, nothing)
    refused(agent, lambda: agent.observe(1.0, True), "observe was called without an action, expected act to come")
    agent.act(np.zeros(N_BELIEF), wide)
    refused(agent, lambda: agent.act(np.zeros(N_BELIEF), wide),
            "act was called twice, expected observe with the reward")
    refused(agent, agent.learn, nothing)
    agent.observe(1.0, done=False)
    refused(agent, lambda: agent.observe(1.0, True), "observe was called without an action")


def test_what_no_network_can_read_is_refused_and_changes_nothing():
    agent, wide = make_small(), np.ones(4, bool)
    for call in (agent.act, agent.action_table):
        refused(agent, lambda: call(np.zeros(3), wide), r"beliefs has shape \(1, 3\), expected \(n, 5\)")
        for bad in (np.nan, 1e39):                       # which would be infinite in the memory
            message = f"beliefs holds {bad}, expected finite numbers in float32".replace("+", r"\+")
            refused(agent, lambda: call(np.full(N_BELIEF, bad), wide), message)
        refused(agent, lambda: call(np.zeros(N_BELIEF), np.ones(3, bool)),
                r"mask has shape \(3,\) and allows 3 actions, expected \(4,\)")
        refused(agent, lambda: call(np.zeros(N_BELIEF), np.zeros(4, bool)),
                "allows 0 actions, expected .* at least one")
        refused(agent, lambda: call(np.zeros(N_BELIEF), np.ones(4)),
                "mask has type float64, expected bool, or whole numbers")
    refused(agent, lambda: agent.act(np.zeros(N_BELIEF), wide, "best"),
            "mode is 'best', expected one of train, greedy, draw")


@pytest.mark.parametrize("name", AGENTS)
def test_a_reward_beyond_reason_is_refused_by_name_and_the_turn_can_still_be_told_what_it_earned(name):
    agent, wide = make_small(name, reward_scale=1 / 20), np.ones(4, bool)
    agent.act(np.zeros(N_BELIEF), wide)
    for bad in (np.nan, np.inf, -np.inf, 1e25, -1e25, 1e60):
        message = f"reward is {bad} and reward_scale 0.05, expected a product whose square is finite in float32"
        refused(agent, lambda: agent.observe(bad, True), message.replace("+", r"\+"))
    agent.observe(1.0, done=True)
    agent.learn()
    assert np.isfinite(agent.learner.adam.square).all() and agent.n_dialogues == 1
    double = make_small(name, dtype="float64")
    double.act(np.zeros(N_BELIEF), wide)
    double.observe(1e25, done=True)
    assert double.n_dialogues == 1


# ---- masks

def test_masks_are_bools_or_zeros_and_ones():
    for mask in ([True, False], np.array([1, 0], np.int8), [1, 0], np.array([1, 0], np.uint64)):
        assert as_mask(mask).dtype == bool and as_mask(mask).tolist() == [True, False]
    for bad in ([1.0, 0.0], [2, 0], [-1, 0], ["a", "b"]):
        with pytest.raises(ValueError, match="masks has type .*, expected bool, or whole numbers that are 0 or 1"):
            as_mask(bad, "masks")


# ---- hyperparameters

@pytest.mark.parametrize("config", CONFIGS)
def test_every_hyperparameter_of_every_agent_has_its_range(config):
    for field in fields(config):
        known = (RANGES, COUNTS, CHOICES, ("hidden", "body_init"))
        assert sum(field.name in names for names in known) == 1


SIZES = "whole numbers of at least 1"
COUNT = f"a whole number from 1 to {10 ** 15}"
POSITIVE, SHARE = "a number from 0 to inf", "a number from 0 to 1"
BAD = [("hidden", SIZES, [(130, 0), (2.5,), 130, (True,), "12"]), ("minibatch", COUNT, [0, 1.5, True]),
       ("capacity", COUNT, [0, 10 ** 30]), ("updates_per_dialogue", COUNT, [0]), ("horizon", COUNT, [0, 10.0]),
       ("epsilon", SHARE, [1.01, -0.01, np.nan]), ("gamma", SHARE, [1.1, -0.1, None, True]),
       ("trace_decay", SHARE, [1.1]), ("average_decay", SHARE, [1.1, -0.1]), ("reward_scale", POSITIVE, [-1.0, "1"]),
       ("learning_rate", POSITIVE, [-1e-9, np.nan]), ("rho_max", POSITIVE, [-1.0]), ("kl_limit", POSITIVE, [-0.1]),
       ("value_limit", POSITIVE, [-0.1]), ("entropy_weight", POSITIVE, [np.nan]), ("ridge", POSITIVE, [-0.1]),
       ("halving", "a number from 1 to inf", [0.5]), ("body_init", POSITIVE, ["xavier", -0.1, None, "HE"]),
       ("dtype", "one of float32, float64", ["float16"]), ("behaviour", "one of draw, greedy", ["best"]),
       ("critic_body", "one of own, shared", ["none"]), ("scale", "one of mean, sum", ["max"])]


@pytest.mark.parametrize("config", CONFIGS)
def test_hyperparameters_out_of_range_are_refused_by_name_and_value(config):
    names = {field.name for field in fields(config)}
    for name, allowed, value in [(name, allowed, value) for name, allowed, values in BAD for value in values]:
        if name in names:
            with pytest.raises(ValueError) as refusal:
                config(**{name: value})
            assert str(refusal.value) == f"{name} is {value!r}, expected {allowed}"
    with pytest.raises(FrozenInstanceError):
        config().gamma = 1


@pytest.mark.parametrize("config", CONFIGS)
def test_the_ends_of_the_ranges_are_allowed(config):
    names = {field.name for field in fields(config)}
    for end in (0, 1):
        config(**{name: bounds[end] for name, bounds in RANGES.items() if name in names})
    for name in names & set(CHOICES):
        assert all(getattr(config(**{name: choice}), name) == choice for choice in CHOICES[name])
    config(**{name: 1 for name in COUNTS}, hidden=(1,), body_init=0)
    config(hidden=(), body_init="he")
