"""A2C: one-step errors by hand, the whole update against central differences, precision."""
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.a2c import A2CConfig, a2c_update, td_errors
from acer_np.learner import Learner
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.network import Network
from acer_np.replay import Batch
from tests.strategies import (bodies, central_differences, direction_of, either_heads, far_from_kinks, frozen,
                              random_learner, seeds, wide_entropy, wide_log_policy, wide_mu)

configs = st.builds(A2CConfig, rho_max=st.sampled_from([0.1, 1.0, 2.0, 1e6]), gamma=st.sampled_from([0.0, 0.5, 0.99]),
                    entropy_weight=st.sampled_from([0.0, 0.01, 0.5]))


def value_learner(seed, heads, critic_body="own", dtype=np.float64):
    return random_learner(seed, heads, critic_body, critic_width=1, dtype=dtype)


def definition(network, params, batch, config):
    """log π (n, A), ρ and the advantages, turn by turn."""
    forward = network.forward(params, batch.beliefs)
    log_pi = wide_log_policy(network.heads, forward.logits, batch.masks)
    mu = wide_mu(network.heads, batch.mu, batch.payload_logits)
    rho = np.array([np.exp(row[a]) / m[a] for row, m, a in zip(log_pi, mu, batch.actions)])
    lasts = {sum(batch.lengths[:e + 1]) - 1 for e in range(len(batch.lengths))}
    v = forward.critic[:, 0]
    advantages = np.array([batch.rewards[t] - v[t] + (0 if t in lasts else config.gamma * v[t + 1])
                           for t in range(len(v))])
    return log_pi, rho, advantages


def test_errors_by_hand():
    # Two dialogues, γ = 1/2: -1 + 4/2 - 2 = -1; -1 + 6/2 - 4 = -2; 20 - 6 = 14, for nothing follows the end;
    # and a dialogue of one turn: 3 - 5 = -2.
    found = td_errors(*frozen(np.array([-1.0, -1.0, 20.0, 3.0]), np.array([2.0, 4.0, 6.0, 5.0]), np.array([3, 1])), 0.5)
    assert_array_equal(found, [-1.0, -2.0, 14.0, -2.0])


def test_one_turn_by_hand():
    # One hidden unit that is 1; logits 0, so π = (1/2, 1/2), and V = 2. μ = (3/4, 1/4) and a = 1, so
    # ρ = 2, cut at 1.5; r = 4, so the advantage is 2, weighted 3. D = 3 ((0, 1) - π) = (-3/2, 3/2); that of V is 3.
    network = Network(1, SummaryHeads(2), hidden=(1,), critic_body="shared", critic_width=1)
    params = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0])     # W1 b1 W_policy b_policy W_critic b_critic
    batch = Batch(np.ones((1, 1)), np.ones((1, 2), bool), np.array([1]), np.array([4.0]), np.array([[0.75, 0.25]]),
                  np.zeros((1, 0)), np.array([1]))
    config = A2CConfig(rho_max=1.5, entropy_weight=0.0, learning_rate=0.01)
    learner = Learner.start(params, network.n_policy)
    updated, watch = a2c_update(network, learner, batch, config)
    expected = np.array([6, 6, -1.5, 1.5, -1.5, 1.5, 3, 3])         # the hidden unit gets D·0 + 3·2
    assert_allclose(direction_of(learner, updated), expected, rtol=1e-13)
    assert_allclose(updated.params - params, 0.01 * np.sign(expected), rtol=1e-6)
    assert updated.average is learner.average and updated.adam.step == 1
    assert watch == (2.0, 1.0, pytest.approx(np.log(2)), 4.0)
    assert watch._fields == ("rho", "truncated", "entropy", "critic_error")
    assert a2c_update(network, learner, batch, replace(config, rho_max=2.0))[1].truncated == 0


@settings(max_examples=15)
@given(seeds, either_heads, configs, bodies)
def test_the_gradient_is_the_central_difference_of_its_objective(seed, heads, config, critic_body):
    """Σ_t w_t A_t (log π(a_t) + V_t) + η H_t, with w and A as they were before the step."""
    network, learner, batch = value_learner(seed, heads, critic_body)
    assume(far_from_kinks(network, learner.params, batch.beliefs))
    log_pi, rho, advantages = definition(network, learner.params, batch, config)
    weighted = np.minimum(config.rho_max, rho) * advantages

    def objective(params):
        forward = network.forward(params, batch.beliefs)
        log_pi = wide_log_policy(heads, forward.logits, batch.masks)
        taken = log_pi[np.arange(len(rho)), batch.actions] + forward.critic[:, 0]
        return (weighted * taken).sum() + config.entropy_weight * wide_entropy(log_pi).sum()

    updated, watch = a2c_update(network, learner, batch, config)
    found, expected = direction_of(learner, updated), central_differences(objective, learner.params)
    assert_allclose(found, expected, atol=1e-6 * (1 + np.abs(weighted).max()))
    assert_allclose(watch, [rho.mean(), (rho > config.rho_max).mean(), wide_entropy(log_pi).mean(),
                            (advantages ** 2).mean()], rtol=1e-9)
    assert all(isinstance(value, float) for value in watch)


@pytest.mark.parametrize("heads", [SummaryHeads(5), MasterHeads(2, 2, 3)])
def test_single_precision_stays_single(heads):
    network, learner, batch = value_learner(1, heads, dtype=np.float32)
    updated, _ = a2c_update(network, learner, batch, A2CConfig())
    assert updated.params.dtype == updated.adam.mean.dtype == np.float32
