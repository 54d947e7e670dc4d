"""What the three learners refuse: acting out of turn, and hyperparameters out of range."""
from dataclasses import FrozenInstanceError, asdict, fields

import numpy as np
import pytest

from acer_np.a2c import A2CConfig
from acer_np.acer import ACERConfig
from acer_np.agent import ReplayConfig
from acer_np.enac import ENACConfig
from acer_np.update import UpdateConfig
from tests.test_agent import N_BELIEF, everything, make


# ---- refusals while acting

def test_calls_out_of_order_are_refused_and_change_nothing():
    agent, wide = make(), np.ones(4, bool)
    for attempt, message in ((agent.learn, "nothing to learn from"),
                             (lambda: agent.observe(1.0, True), "without an action")):
        before = everything(agent)
        with pytest.raises(ValueError, match=message):
            attempt()
        assert everything(agent) == before
    agent.act(np.zeros(N_BELIEF), wide)
    before = everything(agent)
    for attempt, message in ((lambda: agent.act(np.zeros(N_BELIEF), wide), "act was called twice"),
                             (lambda: agent.observe(np.nan, True), "reward is nan"),
                             (agent.learn, "nothing to learn from"),
                             (lambda: agent.act(np.zeros(3), wide), r"beliefs has shape \(1, 3\)"),
                             (lambda: agent.act(np.zeros(N_BELIEF), np.ones(3, bool)), r"mask has shape \(3,\)"),
                             (lambda: agent.act(np.zeros(N_BELIEF), np.zeros(4, bool)), "allows no action")):
        with pytest.raises(ValueError, match=message):
            attempt()
        assert everything(agent) == before


# ---- hyperparameters

@pytest.mark.parametrize("name, value", [
    ("hidden", ()), ("hidden", (130, 0)), ("hidden", (2.5,)), ("minibatch", 0), ("minibatch", 1.5), ("capacity", 0),
    ("updates_per_dialogue", 0), ("epsilon_dialogues", 0), ("epsilon_dialogues", 10.0), ("epsilon_start", 1.01),
    ("epsilon_start", -0.01), ("epsilon_end", 2.0), ("epsilon_end", -1.0), ("epsilon_end", np.nan),
    ("reward_scale", -1.0), ("reward_scale", "1"),
    ("body_init", "xavier"), ("body_init", -0.1), ("head_init", None), ("head_init", "HE"), ("dtype", "float16"),
    ("explore_over", "all"), ("payload_outputs", "slot"), ("preferred", "best")])
@pytest.mark.parametrize("config", [ReplayConfig, ACERConfig])
def test_hyperparameters_out_of_range_are_refused_by_name_and_value(config, name, value):
    with pytest.raises(ValueError) as refusal:
        config(**{name: value})
    assert str(refusal.value).startswith(f"{name} is {value!r}, expected ")


@pytest.mark.parametrize("config, name, value, allowed", [
    (A2CConfig, "gamma", 1.01, "0 to 1"), (A2CConfig, "gamma", -0.1, "0 to 1"),
    (A2CConfig, "learning_rate", -1e-3, "0 to inf"), (A2CConfig, "rho_max", -1.0, "0 to inf"),
    (A2CConfig, "entropy_weight", np.nan, "0 to inf"), (A2CConfig, "entropy_weight", -0.1, "0 to inf"),
    (A2CConfig, "minibatch", 0, "whole numbers of at least 1"),
    (ENACConfig, "gamma", 1.5, "0 to 1"), (ENACConfig, "gamma", -0.5, "0 to 1"),
    (ENACConfig, "learning_rate", -1.0, "0 to inf"), (ENACConfig, "ridge", -0.1, "0 to inf"),
    (ENACConfig, "halving", 0, "1 to inf"), (ENACConfig, "kl_limit", -0.1, "0 to inf"),
    (ENACConfig, "kl_limit", np.nan, "0 to inf"),
    (ENACConfig, "capacity", 0, "whole numbers of at least 1")])
def test_those_of_a_single_learner_are_refused_with_what_is_allowed(config, name, value, allowed):
    with pytest.raises(ValueError) as refusal:
        config(**{name: value})
    assert str(refusal.value) == f"{name} is {value!r}, expected {allowed}"
    with pytest.raises(FrozenInstanceError):
        setattr(config(), name, 1)


def test_the_ends_of_the_ranges_are_allowed():
    ReplayConfig(hidden=(1,), minibatch=1, capacity=1, updates_per_dialogue=1, epsilon_dialogues=1, epsilon_start=0,
                 epsilon_end=1, reward_scale=0, body_init=0, head_init="he", dtype="float64", explore_over="summary")
    ReplayConfig(epsilon_start=1, epsilon_end=0)


def test_the_defaults_are_the_paper_s_or_the_ones_that_were_measured_to_be_better():
    shared = dict(hidden=(130, 50), body_init="he", head_init=0.01, payload_outputs="slots", dtype="float32",
                  reward_scale=1 / 20, minibatch=64, updates_per_dialogue=1, epsilon_end=0.0, epsilon_dialogues=4000,
                  explore_over="actions")
    often = shared | dict(capacity=4000, epsilon_start=0.95, preferred="mode")
    assert asdict(ReplayConfig()) == often
    assert asdict(A2CConfig()) == often | dict(learning_rate=5e-4, gamma=0.99, rho_max=2.0, entropy_weight=0.01)
    assert asdict(ENACConfig()) == shared | dict(capacity=256, epsilon_start=0.0, preferred="draw", gamma=0.99, ridge=0.1,
                                                 kl_limit=1e-3, learning_rate=0.05, halving=1500)


def test_acers_hyperparameters_are_those_of_the_update_and_of_the_agent_each_with_its_checks():
    with pytest.raises(ValueError, match="rho_max"):
        ACERConfig(rho_max=-1.0)
    names = {field.name for field in fields(ACERConfig)}
    assert names == {field.name for field in (*fields(ReplayConfig), *fields(UpdateConfig))}
    assert ReplayConfig().explore_over == UpdateConfig().explore_over           # which both have
