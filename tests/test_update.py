"""The whole update against its definition: wide arrays, central differences, step by step."""
from dataclasses import replace

import numpy as np
from hypothesis import assume, given, settings, strategies as st
from numpy.testing import assert_allclose

from acer_np.adam import AdamState, adam_ascent
from acer_np.batch import Batch
from acer_np.heads import SummaryHeads
from acer_np.network import Network
from acer_np.retrace import retrace_forward_view
from acer_np.trust_region import project
from acer_np.update import Learner, UpdateConfig, acer_update, constrained_ascent
from tests.strategies import (central_differences, either_heads, frozen, marginals, random_batch, seeds, wide_entropy,
                              wide_kl, wide_log_policy, wide_mu, wide_q)

configs = st.builds(UpdateConfig, rho_max=st.sampled_from([0.1, 1.0, 5.0, 1e6]), bias_correction=st.booleans(),
                    kl_limit=st.sampled_from([0.0, 0.01, 1.0, np.inf]), gamma=st.sampled_from([0.5, 0.99]),
                    trust_region=st.sampled_from(["parameter", "logit"]),
                    critic_target=st.sampled_from(["retrace", "lambda_return"]),
                    trace_decay=st.sampled_from([0.0, 0.7, 1.0]), trace_max=st.sampled_from([1.0, 5.0]),
                    entropy_weight=st.sampled_from([0.0, 0.01, 0.5]),
                    explore_over=st.sampled_from(["actions", "summary"]))


def random_learner(seed, heads, scale=0.7, dtype=np.float64):
    """A network with dense parameters, an average policy that differs from the current one, and a batch."""
    rng = np.random.default_rng(seed)
    network = Network(3, heads, hidden=(4, 3), dtype=dtype)
    params = (scale * rng.normal(size=network.size)).astype(dtype)
    average = (params[:network.n_policy] + 0.3 * rng.normal(size=network.n_policy)).astype(dtype)
    state = AdamState(0, *frozen(np.zeros_like(params), np.zeros_like(params)))
    return network, Learner(*frozen(params, average), state), random_batch(rng, network)


def direction_of(learner, updated):
    """The ascent direction that Adam was given: its mean is 0.9 of the old one and 0.1 of it."""
    return (updated.adam.mean - 0.9 * learner.adam.mean) / 0.1


def definition(network, params, batch, config):
    """ρ, V, Q(a_t), targets and the policy gradient's weights G (n, A), dialogue by dialogue from the wide arrays."""
    heads, n = network.heads, len(batch.actions)
    rows, forward = np.arange(n), network.forward(params, batch.beliefs)
    pi, q = np.exp(wide_log_policy(heads, forward.logits, batch.masks)), wide_q(heads, forward.critic)
    mu = wide_mu(heads, batch.masks, batch.epsilons, batch.greedy, config.explore_over, batch.payloads)
    rho, v, q_a = (pi / np.where(mu > 0, mu, np.nan))[rows, batch.actions], (pi * q).sum(axis=1), q[rows, batch.actions]
    targets, start = np.zeros(n), 0
    for length in batch.lengths:
        turns = slice(start, start + length)
        if config.critic_target == "retrace":
            trace = config.trace_decay * np.minimum(config.trace_max, rho[turns])
            targets[turns] = retrace_forward_view(batch.rewards[turns], q_a[turns], v[turns], trace, config.gamma)
        else:
            for t in reversed(range(start, start + length)):
                ahead = 0 if t == start + length - 1 else ((1 - config.trace_decay) * v[t + 1]
                                                           + config.trace_decay * rho[t + 1] * targets[t + 1])
                targets[t] = batch.rewards[t] + config.gamma * ahead
        start += length
    weights = np.maximum(pi - config.rho_max * mu, 0) * (q - v[:, None]) * config.bias_correction
    weights[rows, batch.actions] += np.minimum(config.rho_max, rho) * (targets - v)
    return rho, v, q_a, targets, weights


def objectives(network, learner, batch, config):
    """The three functions of the parameters whose gradients are g, k and the rest, all constants being constant."""
    heads, rows = network.heads, np.arange(len(batch.actions))
    _, _, _, targets, weights = definition(network, learner.params, batch, config)
    log_average = wide_log_policy(heads, network.forward(learner.average, batch.beliefs).logits, batch.masks)
    allowed = log_average > -np.inf

    def log_pi(params):
        return wide_log_policy(heads, network.forward(params, batch.beliefs).logits, batch.masks)

    def policy_objective(params):
        return (weights * np.where(allowed, log_pi(params), 0.0)).sum()

    def divergence(params):
        return wide_kl(log_average, log_pi(params)).sum()

    def entropy_and_critic(params):
        q = wide_q(heads, network.forward(params, batch.beliefs).critic)[rows, batch.actions]
        return config.entropy_weight * wide_entropy(log_pi(params)).sum() - 0.5 * ((targets - q) ** 2).sum()

    return policy_objective, divergence, entropy_and_critic


def far_from_kinks(network, learner, batch):
    p, below = network.views(learner.params), batch.beliefs
    for i in (1, 2):
        activation = below @ p[f"W{i}"] + p[f"b{i}"]
        if np.abs(activation).min() < 1e-4:
            return False
        below = np.maximum(activation, 0)
    return True


def test_one_turn_by_hand():
    # One hidden unit that is 1; two actions with logits 0, so π = (1/2, 1/2); Q = (1, 3), so V = 2. ε = 1/2, a* = 0:
    # μ = (3/4, 1/4). a = 1, so ρ = 2; r = 4 = Qret. c = 1.5: weight 1.5·(4 - 2) = 3 at a = 1; correction
    # (1/2 - 9/8)_+ = 0 and (1/2 - 3/8)_+ (3 - 2) = 1/8 at a = 1. G = (0, 25/8), D = G - 25/16 = (-25/16, 25/16).
    # No entropy; the critic's error is 4 - 3 = 1 at a = 1. The average is the policy, so nothing is projected.
    network = Network(1, SummaryHeads(2), hidden=(1,))
    params = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.0])    # W1 b1 W_policy b_policy W_critic b_critic
    batch = Batch(np.ones((1, 1)), np.ones((1, 2), bool), actions=np.array([1]), rewards=np.array([4.0]),
                  epsilons=np.array([0.5]), greedy=np.array([0]), payloads=np.zeros((1, 0)), lengths=np.array([1]))
    learner = Learner.start(network, params)
    updated, watch = acer_update(network, learner, batch, UpdateConfig(rho_max=1.5, entropy_weight=0.0))
    # The hidden unit gets D·0 from the policy and 1·3 from the critic.
    expected = np.array([3, 3, -25 / 16, 25 / 16, -25 / 16, 25 / 16, 0, 1, 0, 1])
    assert_allclose(direction_of(learner, updated), expected, rtol=1e-13)
    assert_allclose(updated.params - params, 1e-3 * np.sign(expected), rtol=1e-6, atol=1e-15)
    assert watch.rho == 2 and watch.truncated == 1 and watch.critic_error == 1 and watch.kl == 0
    assert watch.kl_growth == watch.k_norm == watch.binding == 0


@given(seeds, either_heads, configs)
def test_beliefs_of_mostly_zeros_give_the_gradient_of_the_definition_as_well(seed, heads, config):
    """The derivative along one random direction, in a network whose beliefs are short enough to leave out the zeros."""
    rng, network = np.random.default_rng(seed), Network(40, heads, hidden=(6,))
    learner = Learner.start(network, frozen(0.7 * rng.normal(size=network.size)))
    batch = random_batch(rng, network)
    batch = batch._replace(beliefs=batch.beliefs * (np.arange(40) % 20 == rng.integers(20, size=(len(batch.actions), 1))))
    config = replace(config, trust_region="parameter")       # the average is the policy: k = 0
    along, step = rng.normal(size=network.size), 1e-6
    assume(np.abs(batch.beliefs @ network.views(learner.params)["W1"]
                  + network.views(learner.params)["b1"]).min() > 1e-4)
    policy_objective, _, entropy_and_critic = objectives(network, learner, batch, config)
    slopes = [(f(learner.params + step * along) - f(learner.params - step * along)) / (2 * step)
              for f in (policy_objective, entropy_and_critic)]
    updated, _ = acer_update(network, learner, batch, config)
    assert_allclose(direction_of(learner, updated) @ along, sum(slopes), atol=1e-5 * (1 + np.abs(slopes).max()))


@given(seeds, either_heads, configs)
def test_the_diagnostics_are_the_means_of_the_definition(seed, heads, config):
    network, learner, batch = random_learner(seed, heads)
    _, watch = acer_update(network, learner, batch, config)
    rho, _, q_a, targets, _ = definition(network, learner.params, batch, config)
    log_pi = wide_log_policy(heads, network.forward(learner.params, batch.beliefs).logits, batch.masks)
    log_average = wide_log_policy(heads, network.forward(learner.average, batch.beliefs).logits, batch.masks)
    expected = [rho.mean(), (rho > config.rho_max).mean(), wide_entropy(log_pi).mean(),
                wide_kl(log_average, log_pi).mean(), ((targets - q_a) ** 2).mean()]
    assert_allclose(watch[:5], expected, rtol=1e-9, atol=1e-12)
    assert all(type(value) is float for value in watch)


@given(seeds, either_heads, configs)
def test_the_step_is_adams_and_the_average_follows_after_it(seed, heads, config):
    network, learner, batch = random_learner(seed, heads)
    first, _ = acer_update(network, learner, batch, config)
    second, _ = acer_update(network, first, batch, replace(config, learning_rate=0.02, average_decay=0.3))
    assert (first.adam.step, second.adam.step) == (1, 2)
    params, state = adam_ascent(first.params, direction_of(first, second), first.adam, 0.02)
    assert_allclose(second.params, params, rtol=1e-9, atol=1e-9)
    assert_allclose(second.adam.square, state.square, rtol=1e-7, atol=1e-12)
    omega = slice(0, network.n_policy)
    assert_allclose(first.average, 0.99 * learner.average + 0.01 * first.params[omega], atol=1e-13)
    assert_allclose(second.average, 0.3 * first.average + 0.7 * second.params[omega], atol=1e-13)


@given(seeds, either_heads, configs)
def test_the_order_of_dialogues_does_not_matter(seed, heads, config):
    network, learner, batch = random_learner(seed, heads)
    ends = np.cumsum(batch.lengths)
    order = np.random.default_rng(seed).permutation(len(ends))
    turns = np.concatenate([np.arange(ends[e] - batch.lengths[e], ends[e]) for e in order])
    shuffled = Batch(*(array[turns] for array in batch[:-1]), batch.lengths[order])
    one, other = acer_update(network, learner, batch, config)[0], acer_update(network, learner, shuffled, config)[0]
    assert_allclose(direction_of(learner, other), direction_of(learner, one), rtol=1e-9,
                    atol=1e-9 * (1 + np.abs(direction_of(learner, one)).max()))


@given(seeds, either_heads)
def test_a_small_plain_step_raises_the_divergence_as_predicted(seed, heads):
    """(KL after - KL before) / (α k·z) → 1 for plain gradient ascent on the projected policy gradient."""
    network, learner, batch = random_learner(seed, heads)
    divergence = objectives(network, learner, batch, UpdateConfig())[1]
    _, watch = acer_update(network, learner, batch, UpdateConfig(kl_limit=np.inf, entropy_weight=0.0))
    forward = network.forward(learner.params, batch.beliefs)
    policy = heads.policy(forward.logits, batch.masks)
    average = heads.policy(network.forward(learner.average, batch.beliefs).logits, batch.masks)
    weights = marginals(heads, definition(network, learner.params, batch, UpdateConfig())[4])
    nothing = frozen(np.zeros_like(forward.logits), np.zeros_like(forward.critic))
    d_g, d_k = frozen(heads.log_gradient(policy, weights), heads.kl_gradient(average, policy))
    constrained_ascent(network, learner.params, forward, d_g, d_k, nothing, UpdateConfig(trust_region="logit"))
    z, (growth, _, _, k_norm) = constrained_ascent(network, learner.params, forward, d_g, d_k, nothing, UpdateConfig())
    assert_allclose(growth, watch.kl_growth, atol=1e-9 * (1 + abs(growth)))
    if not far_from_kinks(network, learner, batch) or k_norm < 1e-3 or abs(growth) < 1e-2:
        return
    alpha = 1e-5 / np.linalg.norm(z)
    k = network.backward(learner.params, forward, [(d_k, None)])[0]
    if abs(k @ z) > 0.05 * k_norm * np.linalg.norm(z):
        increase = divergence(learner.params + alpha * z) - divergence(learner.params)
        assert_allclose(increase / (alpha * (k @ z)), 1.0, atol=0.02)
    assert k @ z <= 1.0 + 1e-9 * (1 + abs(growth))


@settings(max_examples=25)
@given(seeds, either_heads, configs)
def test_the_update_climbs_the_gradient_of_its_definition(seed, heads, config):
    network, learner, batch = random_learner(seed, heads)
    assume(far_from_kinks(network, learner, batch))
    config = replace(config, trust_region="parameter")
    g, k, other = (central_differences(f, learner.params, 1e-5) for f in objectives(network, learner, batch, config))
    excess = max(0.0, k @ g - config.kl_limit) if config.kl_limit < np.inf else 0.0
    expected = g - (excess / (k @ k) * k if k @ k > 1e-14 else 0.0) + other
    updated, watch = acer_update(network, learner, batch, config)
    scale = 1 + np.abs(g).max() + np.abs(other).max()
    assert_allclose(direction_of(learner, updated), expected, atol=2e-6 * scale)
    assert_allclose(watch.kl_growth, k @ g, atol=1e-5 * scale ** 2)
    assert_allclose([watch.g_norm, watch.k_norm], [np.linalg.norm(g), np.linalg.norm(k)], atol=1e-5 * scale)


@settings(max_examples=25)
@given(seeds, either_heads, configs)
def test_in_logit_space_every_turn_is_projected_on_its_own(seed, heads, config):
    """Scipy's answer, turn by turn at the logits, sent back through differences of the network."""
    network, learner, batch = random_learner(seed, heads)
    assume(far_from_kinks(network, learner, batch))
    config = replace(config, trust_region="logit")
    _, _, _, _, weights = definition(network, learner.params, batch, config)
    pi, average = (heads.policy(network.forward(params, batch.beliefs).logits, batch.masks)
                   for params in (learner.params, learner.average))
    d_g, d_k = heads.log_gradient(pi, marginals(heads, weights)), heads.kl_gradient(average, pi)
    d_z = np.array([project(g, k, config.kl_limit) for g, k in zip(d_g, d_k)])
    _, _, entropy_and_critic = objectives(network, learner, batch, config)

    def surrogate(x):
        return (d_z * network.forward(x, batch.beliefs).logits).sum() + entropy_and_critic(x)

    expected = central_differences(surrogate, learner.params, 1e-5)
    updated, watch = acer_update(network, learner, batch, config)
    scale = 1 + np.abs(d_g).sum() + np.abs(expected).max()
    assert_allclose(direction_of(learner, updated), expected, atol=2e-6 * scale)
    growth = [g @ k for g, k in zip(d_g, d_k)]
    assert_allclose(watch.kl_growth, sum(growth), atol=1e-9)
    assert watch.binding == np.mean([x > config.kl_limit for x in growth])
    assert_allclose([watch.g_norm, watch.k_norm], [np.sqrt((d_g ** 2).sum()), np.sqrt((d_k ** 2).sum())], rtol=1e-9)
