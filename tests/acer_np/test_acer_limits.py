"""The update at its limits, in single precision, with parts replaced; what it refuses; the paper's preset."""
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.acer import ACERConfig, acer_update, critic_targets, gradient_weights
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from tests.strategies import random_learner

every_heads = pytest.mark.parametrize("heads",
                                      [SummaryHeads(5), MasterHeads(2, 2, 3), MasterHeads(2, 2, 3, "payloads")])


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

def test_an_endless_weight_is_harmless_if_it_is_cut_and_refused_if_not():
    network, learner, batch = random_learner(2, SummaryHeads(5), dtype=np.float32)
    config, mu = ACERConfig(rho_max=np.inf), batch.mu.copy()
    mu[0, batch.actions[0]] = 1e-44
    batch = batch._replace(mu=mu)
    watch = acer_update(network, learner, batch, replace(config, rho_max=5.0))[1]
    assert watch.rho == np.inf and np.isfinite(watch.kl_growth)
    message = "the gradient has an entry of .*a belief, .* a weight ρ, learning_rate, entropy_weight or body_init"
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
