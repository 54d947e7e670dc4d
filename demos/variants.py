"""ACER with one part replaced: to see what the part is for, and what a slip met in print or in code costs.

Each is a function handed to the agent, made from acer_update and another targets, weights or step.
"""
from functools import partial

import numpy as np

from acer_np.acer import acer_update
from acer_np.adam import adam_ascent
from acer_np.replay import by_dialogue, by_turn
from acer_np.retrace import lambda_returns, retrace_targets, traces


def lambda_targets(batch, q_a, v, rho_a, config):
    """λ-returns in the place of Retrace."""
    rewards, v, rho_a = (by_dialogue(x, batch.lengths) for x in (batch.rewards, v, rho_a))
    return by_turn(lambda_returns(rewards, v, rho_a, config.gamma, config.trace_decay), batch.lengths)


def long_traces(batch, q_a, v, rho_a, config):
    """Traces cut at c, as the paper's pseudo-code has them, and not at 1."""
    rewards, q_a, v, rho_a = (by_dialogue(x, batch.lengths) for x in (batch.rewards, q_a, v, rho_a))
    trace = config.trace_decay * np.minimum(config.rho_max, rho_a)
    return by_turn(retrace_targets(rewards, q_a, v, trace, config.gamma), batch.lengths)


def blind_at_the_end(batch, q_a, v, rho_a, config):
    """V of the last turn set to 0, by a mask that comes one turn early."""
    v = v.copy()
    v[np.cumsum(batch.lengths) - 1] = 0.0
    rewards, q_a, v, rho_a = (by_dialogue(x, batch.lengths) for x in (batch.rewards, q_a, v, rho_a))
    return by_turn(retrace_targets(rewards, q_a, v, traces(rho_a, config.trace_decay), config.gamma), batch.lengths)


def without_correction(heads, batch, policy, mu, q, v, q_ret, rho_a, config):
    """The truncated term alone."""
    return heads.at_actions(batch.actions, np.minimum(config.rho_max, rho_a) * (q_ret - v))


def advantage_taken(heads, batch, policy, mu, q, v, q_ret, rho_a, config):
    """The correction of every action with the advantage of the one that was taken."""
    same = np.broadcast_to(heads.q_of(q, batch.actions)[:, None], q.shape)
    return (without_correction(heads, batch, policy, mu, q, v, q_ret, rho_a, config)
            + heads.bias_correction(policy, mu, same, v, config.rho_max, config.value_limit))


def policy_for_behaviour(network, learner, batch, config):
    """The memory holds π of the moment in the place of μ: every ρ is 1."""
    heads = network.heads
    logits = network.forward(learner.params, batch.beliefs).logits
    pi = heads.summary(heads.policy(logits, batch.masks))
    return acer_update(network, learner, batch._replace(mu=pi, payload_logits=logits[:, heads.n_summary:]), config)


def three_steps(params, direction, state, learning_rate):
    """Three calls of one optimiser in the place of one; each sees its share of the sum."""
    for _ in range(3):
        params, state = adam_ascent(params, direction / 3, state, learning_rate)
    return params, state


VARIANTS = {"lambda-returns": partial(acer_update, targets=lambda_targets),
            "traces-cut-at-c": partial(acer_update, targets=long_traces),
            "blind-at-the-end": partial(acer_update, targets=blind_at_the_end),
            "no-correction": partial(acer_update, weights=without_correction),
            "advantage-taken": partial(acer_update, weights=advantage_taken),
            "pi-for-mu": policy_for_behaviour,
            "three-steps": partial(acer_update, step=three_steps)}
