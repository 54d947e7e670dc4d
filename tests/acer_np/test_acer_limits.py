"""The update at its limits, in single precision, with parts replaced; what it refuses; the paper's preset."""
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.acer import ACERConfig, acer_update, critic_targets, gradient_weights
from acer_np.learner import Learner
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.replay import Batch
from tests.strategies import direction_of, random_learner

every_heads = pytest.mark.parametrize("heads",
                                      [SummaryHeads(5), MasterHeads(2, 2, 3), MasterHeads(2, 2, 3, "payloads")])


def test_the_first_update_is_unconstrained():
    network, learner, batch = random_learner(0, SummaryHeads(5))
    start = Learner.start(learner.params, network.n_policy)
    bound, watch = acer_update(network, start, batch, ACERConfig(kl_limit=0.0))
    free, _ = acer_update(network, start, batch, ACERConfig(kl_limit=np.inf))
    assert watch.kl_growth == watch.k_norm == watch.kl == watch.binding == 0
    assert_array_equal(bound.params, free.params)


@every_heads
def test_no_truncation_is_the_limit_of_a_high_one(heads):
    network, learner, batch = random_learner(4, heads)
    infinite, _ = acer_update(network, learner, batch, ACERConfig(rho_max=np.inf))
    high, _ = acer_update(network, learner, batch, ACERConfig(rho_max=1e9))
    assert_allclose(direction_of(learner, infinite), direction_of(learner, high), rtol=1e-12, atol=1e-12)


@every_heads
@pytest.mark.parametrize("scale", ["mean", "sum"])
def test_single_precision_gives_the_same_update_in_single_precision(heads, scale):
    config = ACERConfig(scale=scale, rho_max=2.0)
    network, learner, batch = random_learner(1, heads)
    single_network, single, single_batch = random_learner(1, heads, dtype=np.float32)
    double, watch = acer_update(network, learner, batch, config)
    for beliefs in (batch.beliefs, single_batch.beliefs):
        found, single_watch = acer_update(single_network, single, single_batch._replace(beliefs=beliefs), config)
        for array in (found.params, found.average, found.adam.mean, found.adam.square):
            assert array.dtype == np.float32
        assert_allclose(found.adam.mean, double.adam.mean, rtol=1e-3, atol=1e-4 * np.abs(double.adam.mean).max())
        assert_allclose(single_watch, watch, rtol=1e-3, atol=1e-4)


def test_the_parts_that_can_be_replaced_are_the_ones_in_use():
    """Handed in by name, the defaults change nothing; other functions are heard."""
    network, learner, batch = random_learner(3, SummaryHeads(5))
    config, calls = ACERConfig(entropy_weight=0.0, value_limit=np.inf), []
    plain, _ = acer_update(network, learner, batch, config)
    same, _ = acer_update(network, learner, batch, config, targets=critic_targets, weights=gradient_weights)
    assert_array_equal(plain.params, same.params)

    def step(params, direction, state, learning_rate):
        calls.append(learning_rate)
        return params + direction, state

    moved, _ = acer_update(network, learner, batch, config, step=step,
                           targets=lambda batch, q_a, v, rho_a, config: q_a,            # no error, no advantage:
                           weights=lambda heads, batch, *_: np.zeros((len(batch.actions), 5)))      # nothing moves
    assert calls == [config.learning_rate]
    assert_array_equal(moved.params, learner.params)


# ---- refusals

def test_a_learner_of_another_size_is_refused_in_a_sentence():
    network, learner, batch = random_learner(2, SummaryHeads(5))
    with pytest.raises(ValueError, match=r"params has shape \(54,\), expected \(102,\), or \(51,\) of π"):
        acer_update(network, learner._replace(params=learner.params[:54]), batch, ACERConfig())
    with pytest.raises(ValueError, match=r"params has shape \(7,\), expected \(102,\), or \(51,\) of π"):
        acer_update(network, learner._replace(average=learner.average[:7]), batch, ACERConfig())


def test_an_action_that_the_behaviour_cannot_have_taken_is_refused():
    network, learner, batch = random_learner(2, SummaryHeads(5))
    mu = batch.mu.copy()
    mu[3] = np.roll(np.eye(5)[batch.actions[3]], 1)
    with pytest.raises(ValueError, match="mu_a is 0.0 for the action taken at turn 3, expected a positive number"):
        acer_update(network, learner, batch._replace(mu=mu), ACERConfig())


@pytest.mark.parametrize("cause", ["reward", "rho"])
def test_a_gradient_too_large_is_refused_with_what_may_be_its_cause(cause):
    network, learner, batch = random_learner(2, SummaryHeads(5), dtype=np.float32)
    config = ACERConfig(value_limit=np.inf, rho_max=np.inf)
    if cause == "reward":
        batch = batch._replace(rewards=np.append(np.float32(1e25), batch.rewards[1:]))
    else:
        mu = batch.mu.copy()
        mu[0, batch.actions[0]] = 1e-44
        batch = batch._replace(mu=mu)
        watch = acer_update(network, learner, batch, replace(config, rho_max=5.0))[1]
        assert watch.rho == np.inf and np.isfinite(watch.g_norm)            # cut, it is harmless
    message = "the gradient has an entry of .*expected numbers whose squares are finite: a belief, a reward, a weight"
    with pytest.raises(ValueError, match=message), np.errstate(invalid="ignore"):
        acer_update(network, learner, batch, config)


# ---- hyperparameters

def test_the_papers_values_are_a_preset_and_can_be_changed_one_by_one():
    paper = ACERConfig.paper()
    stated = dict(learning_rate=0.001, gamma=0.99, rho_max=5, kl_limit=1, average_decay=0.99,
                  epsilon=0.95, minibatch=64, capacity=2000, hidden=(130, 50), entropy_weight=0.01,
                  updates_per_dialogue=1, behaviour="greedy", scale="sum", critic_body="shared", value_limit=np.inf,
                  body_init=0.01, reward_scale=1 / 20, trace_decay=1)
    assert {name: getattr(paper, name) for name in stated} == stated
    assert ACERConfig.paper(rho_max=20) == replace(paper, rho_max=20)
    with pytest.raises(FrozenInstanceError):
        paper.gamma = 1.0


# ---- targets

def two_turns(rewards):
    """A dialogue of two turns, of which critic_targets reads the rewards alone."""
    return Batch(None, None, None, np.array(rewards), None, None, np.array([2]))


def test_targets_by_hand():
    # ρ of the second turn is 3, its trace λ: last 0.5; first -1 + 0.5 (3 + λ (0.5 + 5)), 3.25 for λ = 1, 1.875 for 0.5.
    q_a, v, rho_a = np.array([5.0, -5.0]), np.array([4.0, 3.0]), np.array([1.0, 3.0])
    for trace_decay, first in ((1.0, 3.25), (0.5, 1.875), (0.0, 0.5)):
        config = ACERConfig(gamma=0.5, trace_decay=trace_decay)
        assert_allclose(critic_targets(two_turns([-1.0, 0.5]), q_a, v, rho_a, config), [first, 0.5])
    found = critic_targets(two_turns([-1.0, 0.5]), q_a, v, np.array([1.0, 0.2]), replace(config, trace_decay=1.0))
    assert_allclose(found, [-1 + 0.5 * (3 + 0.2 * 5.5), 0.5])
