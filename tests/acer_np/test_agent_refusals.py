"""What the three learners refuse: acting out of turn, rewards beyond reason, and hyperparameters out of range."""
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from acer_np import A2CConfig, ACERConfig, ENACConfig
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
    refused(agent, lambda: agent.observe(1.0, True), "observe was called without an action, expected act to come first")
    agent.act(np.zeros(N_BELIEF), wide)
    refused(agent, lambda: agent.act(np.zeros(N_BELIEF), wide), "act was called twice, expected observe to tell")
    refused(agent, agent.learn, nothing)
    agent.observe(1.0, done=False)
    refused(agent, lambda: agent.observe(1.0, True), "observe was called without an action")


def test_what_no_network_can_read_is_refused_and_changes_nothing():
    agent, wide = make_small(), np.ones(4, bool)
    for call in (agent.act, agent.action_table):
        refused(agent, lambda: call(np.zeros(3), wide), r"beliefs has shape \(1, 3\), expected \(n, 5\)")
        refused(agent, lambda: call(np.full(N_BELIEF, np.nan), wide), "beliefs holds nan, expected finite numbers")
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
        message = f"reward is {bad}, expected a number whose square is finite in float32".replace("+", r"\+")
        refused(agent, lambda: agent.observe(bad, True), message)
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
    mask = np.array([True, False])
    as_mask(mask)[0] = False
    assert mask[0]                                              # a copy


# ---- hyperparameters

@pytest.mark.parametrize("config", CONFIGS)
def test_every_hyperparameter_of_every_agent_has_its_range(config):
    for field in fields(config):
        known = (RANGES, COUNTS, CHOICES, ("hidden", "body_init"))
        assert sum(field.name in names for names in known) == 1


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("name, value", [
    ("hidden", (130, 0)), ("hidden", (2.5,)), ("hidden", 130), ("hidden", (True,)), ("hidden", "12"),
    ("minibatch", 0), ("minibatch", 1.5),
    ("minibatch", True), ("capacity", 0), ("updates_per_dialogue", 0), ("horizon", 0), ("horizon", 10.0),
    ("epsilon", 1.01), ("epsilon", -0.01), ("epsilon", np.nan),
    ("reward_scale", -1.0), ("reward_scale", "1"), ("gamma", 1.1), ("gamma", -0.1), ("gamma", None), ("gamma", True),
    ("learning_rate", -1e-9), ("learning_rate", np.nan),
    ("body_init", "xavier"), ("body_init", -0.1), ("body_init", None), ("body_init", "HE"), ("dtype", "float16"),
    ("behaviour", "best"), ("critic_body", "none")])
def test_hyperparameters_out_of_range_are_refused_by_name_and_value(config, name, value):
    with pytest.raises(ValueError) as refusal:
        config(**{name: value})
    assert str(refusal.value).startswith(f"{name} is {value!r}, expected ")


@pytest.mark.parametrize("config, name, value, allowed", [
    (ACERConfig, "rho_max", -1.0, "a number from 0 to inf"), (ACERConfig, "kl_limit", -0.1, "a number from 0 to inf"),
    (ACERConfig, "value_limit", -0.1, "a number from 0 to inf"),
    (ACERConfig, "trace_decay", 1.1, "a number from 0 to 1"),
    (ACERConfig, "average_decay", 1.1, "a number from 0 to 1"),
    (ACERConfig, "average_decay", -0.1, "a number from 0 to 1"),
    (ACERConfig, "scale", "max", "one of mean, sum"), (ACERConfig, "behaviour", "best", "one of draw, greedy"),
    (ACERConfig, "final_learning_rate", -1.0, "a number from 0 to inf"),
    (A2CConfig, "entropy_weight", np.nan, "a number from 0 to inf"),
    (A2CConfig, "rho_max", -1.0, "a number from 0 to inf"),
    (A2CConfig, "minibatch", 0, "a whole number of at least 1"),
    (A2CConfig, "hidden", (0,), "whole numbers of at least 1"),
    (ENACConfig, "ridge", -0.1, "a number from 0 to inf"), (ENACConfig, "halving", 0.5, "a number from 1 to inf"),
    (ENACConfig, "kl_limit", -0.1, "a number from 0 to inf")])
def test_those_of_a_single_learner_are_refused_with_what_is_allowed(config, name, value, allowed):
    with pytest.raises(ValueError) as refusal:
        config(**{name: value})
    assert str(refusal.value) == f"{name} is {value!r}, expected {allowed}"
    with pytest.raises(FrozenInstanceError):
        setattr(config(), name, 1)


@pytest.mark.parametrize("config", CONFIGS)
def test_the_ends_of_the_ranges_are_allowed(config):
    names = {field.name for field in fields(config)}
    for end in (0, 1):
        config(**{name: bounds[end] for name, bounds in RANGES.items() if name in names})
    for name in names & set(CHOICES):
        assert all(getattr(config(**{name: choice}), name) == choice for choice in CHOICES[name])
    config(**{name: 1 for name in COUNTS}, hidden=(1,), body_init=0)
    config(hidden=(), body_init="he")
