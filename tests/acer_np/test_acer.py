"""The whole update against its definition: wide arrays, central differences, step by step."""
import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.acer import ACERConfig, acer_update
from acer_np.learner import Learner
from acer_np.heads import SummaryHeads
from acer_np.network import Network
from acer_np.replay import Batch
from tests.laws.of_retrace import by_definition
from tests.strategies import (bodies, central_differences, direction_of, either_heads, far_from_kinks, random_learner,
                              seeds, wide_entropy, wide_kl, wide_log_policy, wide_mu, wide_q)

configs = st.builds(ACERConfig, rho_max=st.sampled_from([0.1, 1.0, 5.0, 1e6]), gamma=st.sampled_from([0.5, 0.99]),
                    kl_limit=st.sampled_from([0.0, 0.01, 1.0, np.inf]), trace_decay=st.sampled_from([0.0, 0.7, 1.0]),
                    value_limit=st.sampled_from([0.5, np.inf]), entropy_weight=st.sampled_from([0.0, 0.01, 0.5]),
                    scale=st.sampled_from(["mean", "sum"]))


def definition(network, params, batch, config):
    """ρ, Q(a_t), targets and the policy gradient's weights G (n, A), dialogue by dialogue from the wide arrays."""
    heads, n, limit = network.heads, len(batch.actions), config.value_limit
    rows, forward = np.arange(n), network.forward(params, batch.beliefs)
    pi, q = np.exp(wide_log_policy(heads, forward.logits, batch.masks)), wide_q(heads, forward.critic)
    mu = wide_mu(heads, batch.mu, batch.payload_logits)
    rho, q_a = pi[rows, batch.actions] / mu[rows, batch.actions], q[rows, batch.actions]
    held = np.clip(q, -limit, limit)
    v, targets = np.clip((pi * q).sum(axis=1), -limit, limit), np.zeros(n)
    for end, length in zip(np.cumsum(batch.lengths), batch.lengths):
        turns = slice(end - length, end)
        targets[turns] = by_definition(batch.rewards[turns], held[rows, batch.actions][turns], v[turns], rho[turns],
                                       config.gamma, config.trace_decay)
    targets = np.clip(targets, -limit, limit)
    weights = np.maximum(pi - config.rho_max * mu, 0) * (held - v[:, None])
    weights[rows, batch.actions] += np.minimum(config.rho_max, rho) * (targets - v)
    return rho, q_a, targets, weights


def objectives(network, learner, batch, config):
    """The three functions of the parameters whose gradients are g, k and the rest, all constants being constant."""
    heads, rows = network.heads, np.arange(len(batch.actions))
    _, _, targets, weights = definition(network, learner.params, batch, config)
    log_average = wide_log_policy(heads, network.forward(learner.average, batch.beliefs).logits, batch.masks)
    allowed, combine = log_average > -np.inf, {"mean": np.mean, "sum": np.sum}[config.scale]

    def log_pi(params):
        return wide_log_policy(heads, network.forward(params, batch.beliefs).logits, batch.masks)

    def policy_objective(params):
        return combine((weights * np.where(allowed, log_pi(params), 0.0)).sum(axis=1))

    def divergence(params):
        return combine(wide_kl(log_average, log_pi(params)))

    def entropy_and_critic(params):
        q = wide_q(heads, network.forward(params, batch.beliefs).critic)[rows, batch.actions]
        return combine(config.entropy_weight * wide_entropy(log_pi(params)) - 0.5 * (targets - q) ** 2)

    return policy_objective, divergence, entropy_and_critic


def one_turn(q=(1.0, 3.0), reward=4.0, mu=(0.75, 0.25)):
    """One hidden unit that is 1; two actions with logits 0, so that π = (1/2, 1/2); a = 1 was taken."""
    network = Network(1, SummaryHeads(2), hidden=(1,), critic_body="shared")
    params = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, *q, 0.0, 0.0])    # W1 b1 W_policy b_policy W_critic b_critic
    batch = Batch(np.ones((1, 1)), np.ones((1, 2), bool), np.array([1]), np.array([reward]), np.array([mu]),
                  np.zeros((1, 0)), np.array([1]))
    return network, Learner.start(params, network.n_policy), batch


@pytest.mark.parametrize("scale", ["mean", "sum"])
def test_one_turn_by_hand(scale):
    # Q = (1, 3), so V = 2; μ = (3/4, 1/4) and a = 1, so ρ = 2; r = 4 = Qret. c = 1.5: weight 1.5·(4 - 2) = 3 at a = 1;
    # correction (1/2 - 9/8)_+ = 0, and (1/2 - 3/8)_+ (3 - 2) = 1/8 at a = 1. G = (0, 25)/8 and D = G - |G| π =
    # (-25, 25)/16. No entropy; the critic's error is 4 - 3 = 1 at a = 1. The average is the policy, so z = g.
    network, learner, batch = one_turn()
    config = ACERConfig(rho_max=1.5, entropy_weight=0.0, value_limit=np.inf, scale=scale, learning_rate=1e-3)
    updated, watch = acer_update(network, learner, batch, config)
    # The hidden unit gets D·0 from the policy and 1·3 from the critic.
    expected = np.array([3, 3, -25 / 16, 25 / 16, -25 / 16, 25 / 16, 0, 1, 0, 1])
    assert_allclose(direction_of(learner, updated), expected, rtol=1e-13)
    assert_allclose(updated.params - learner.params, 1e-3 * np.sign(expected), rtol=1e-6, atol=1e-15)
    assert watch.rho == 2 and watch.truncated == 1 and watch.critic_error == 1 and watch.kl == 0
    assert watch.kl_growth == watch.binding == 0


def test_a_limit_on_values_by_hand():
    # Held within 5/2: Qret = 2.5 and Q - V = (-1, 1/2). Weight 1.5·(2.5 - 2) = 3/4, correction 1/8·1/2 = 1/16 at a = 1:
    # G = (0, 13/16). The critic's error is 2.5 - 3 = -1/2: it is drawn back to the limit, through its unlimited Q.
    network, learner, batch = one_turn()
    updated, watch = acer_update(network, learner, batch, ACERConfig(rho_max=1.5, entropy_weight=0.0, value_limit=2.5))
    expected = np.array([-1.5, -1.5, -13 / 32, 13 / 32, -13 / 32, 13 / 32, 0, -0.5, 0, -0.5])
    assert_allclose(direction_of(learner, updated), expected, rtol=1e-13)
    assert watch.critic_error == 0.25


@pytest.mark.parametrize("rho_max", [0.1, 1.0, 5.0, np.inf])
@pytest.mark.parametrize("scale", ["mean", "sum"])
def test_a_limit_below_all_values_leaves_no_advantage_where_there_is_none(rho_max, scale):
    # Q = V = r = 3 for all actions: nothing is better than anything else, whatever the limit makes of it.
    network, learner, batch = one_turn(q=(3.0, 3.0), reward=3.0)
    config = ACERConfig(rho_max=rho_max, value_limit=1.25, entropy_weight=0.0, scale=scale)
    updated, _ = acer_update(network, learner, batch, config)
    assert_array_equal(direction_of(learner, updated)[2:6], 0.0)


@settings(max_examples=20)
@given(seeds, either_heads, configs, bodies)
def test_the_update_climbs_the_gradient_of_its_definition(seed, heads, config, critic_body):
    """g, k and the rest as derivatives; the projection with λ = max(0, (k·g - δ) / ‖k‖²); and what is watched."""
    network, learner, batch = random_learner(seed, heads, critic_body, n_dialogues=3)
    assume(far_from_kinks(network, learner.params, batch.beliefs))
    g, k, other = (central_differences(f, learner.params, 1e-5) for f in objectives(network, learner, batch, config))
    excess = max(0.0, k @ g - config.kl_limit) if config.kl_limit < np.inf else 0.0
    expected = g - (excess / (k @ k) * k if k @ k > 1e-14 else 0.0) + other
    updated, watch = acer_update(network, learner, batch, config)
    scale = 1 + np.abs(g).max() + np.abs(other).max()
    assert_allclose(direction_of(learner, updated), expected, atol=2e-6 * scale)
    assert_allclose(watch.kl_growth, k @ g, atol=1e-5 * scale ** 2)
    assert watch.binding == (watch.kl_growth > config.kl_limit)
    rho, q_a, targets, _ = definition(network, learner.params, batch, config)
    log_pi, log_average = (wide_log_policy(heads, network.forward(params, batch.beliefs).logits, batch.masks)
                           for params in (learner.params, learner.average))
    means = [rho, rho > config.rho_max, wide_entropy(log_pi), wide_kl(log_average, log_pi), (targets - q_a) ** 2]
    assert_allclose(watch[:5], [x.mean() for x in means], rtol=1e-9, atol=1e-12)
    assert all(type(value) is float for value in watch)
