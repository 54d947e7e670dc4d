"""Learners with one part replaced: to see what the part is for, and what a slip met in print or in code costs.

Each is a function handed to the agent instead of its update; most are acer_update with other targets, weights or
steps. A2C and eNAC "as PyDial has them" are made from descriptions of its code, not from the code.
"""
from dataclasses import replace
from functools import partial

import numpy as np

from acer_np.a2c import Diagnostics, td_errors
from acer_np.acer import acer_update, critic_targets
from acer_np.learner import adam_ascent
from acer_np.enac import discounts, enac_update
from acer_np.gradients import importance_weights
from acer_np.heads import SummaryHeads
from acer_np.replay import by_dialogue, by_turn
from acer_np.retrace import lambda_returns, retrace_targets


def lambda_targets(batch, q_a, v, rho_a, config):
    """λ-returns instead of Retrace."""
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
    return critic_targets(batch, q_a, v, rho_a, config)


def without_correction(heads, batch, policy, mu, q, v, q_ret, rho_a, config):
    """The truncated term alone."""
    return heads.onehot(batch.actions, np.minimum(config.rho_max, rho_a) * (q_ret - v))


def advantage_taken(heads, batch, policy, mu, q, v, q_ret, rho_a, config):
    """The correction of every action with the advantage of the one that was taken."""
    same = np.broadcast_to(heads.q_of(q, batch.actions)[:, None], q.shape)
    return (without_correction(heads, batch, policy, mu, q, v, q_ret, rho_a, config)
            + heads.bias_correction(policy, mu, same, v, config.rho_max, config.value_limit))


def policy_for_behaviour(network, learner, batch, config):
    """π of the update instead of the stored μ: every ρ is 1, but where π has become 0."""
    heads = network.heads
    logits = network.forward(learner.params, batch.beliefs).logits
    pi = heads.summary(heads.policy(logits, batch.masks))
    pi = np.maximum(pi, np.finfo(pi.dtype).tiny)
    return acer_update(network, learner, batch._replace(mu=pi, payload_logits=logits[:, heads.n_summary:]), config)


def three_steps(params, direction, state, learning_rate):
    """Three calls of one optimiser instead of one; Adam does not see the scale, so each goes as far as one."""
    for _ in range(3):
        params, state = adam_ascent(params, direction, state, learning_rate)
    return params, state


def stray_average(network, learner, batch, config):
    """The average policy starts from a draw of its own, not as a copy of the policy."""
    if learner.adam.step == 0:
        other = network.initial(np.random.default_rng(0), config.body_init)
        learner = learner._replace(average=other[:network.n_policy])
    return acer_update(network, learner, batch, config)


def without_last_turns(batch):
    """The memory as PyDial fills it: the last turn is never stored, what it earned goes to the one before."""
    ends, longer = np.cumsum(batch.lengths) - 1, batch.lengths > 1
    if not longer.any():
        return batch
    rewards, kept = batch.rewards.copy(), np.repeat(longer, batch.lengths)
    rewards[ends[longer] - 1] += rewards[ends[longer]]
    kept[ends] = False
    turns = (column[kept] for column in batch._replace(rewards=rewards)[:-1])
    return type(batch)(*turns, batch.lengths[longer] - 1)


def no_last_turn(network, learner, batch, config):
    """ACER on a memory without last turns."""
    return acer_update(network, learner, without_last_turns(batch), config)


def pydial_a2c(network, learner, batch, config):
    """V stays what it was when a dialogue was first learned from, and the critic's error has no weight.

    PyDial keeps the V of acting; the first update comes soon after. They lie where the learner's average is,
    which A2C does not use, by the bytes of the dialogue's μ.
    """
    batch, heads = without_last_turns(batch), network.heads
    now = network.forward(learner.params, batch.beliefs)
    policy, v, mu = heads.policy(now.logits, batch.masks), now.critic[:, 0], heads.behaviour(batch.mu, None)
    kept, starts = learner.average if isinstance(learner.average, dict) else {}, np.cumsum(batch.lengths)[:-1]
    old = [kept.setdefault(mu_e.tobytes(), v_e)
           for mu_e, v_e in zip(np.split(batch.mu, starts), np.split(v, starts))]
    advantages = td_errors(batch.rewards, np.concatenate(old), batch.lengths, config.gamma)
    rho_a = importance_weights(heads.pi_of(policy, batch.actions), heads.pi_of(mu, batch.actions))
    weights = heads.onehot(batch.actions, np.minimum(config.rho_max, rho_a) * advantages)
    d_policy = heads.log_gradient(policy, weights) + config.entropy_weight * heads.entropy_gradient(policy)
    errors = advantages + np.concatenate(old) - v
    direction = network.backward(learner.params, now, [(d_policy, errors[:, None])])[0]
    params, adam = adam_ascent(learner.params, direction, learner.adam,
                               config.learning_rate / config.updates_per_dialogue)
    means = rho_a, rho_a > config.rho_max, heads.entropy(policy), errors ** 2
    return learner._replace(params=params, average=kept, adam=adam), Diagnostics(*(float(x.mean()) for x in means))


class EntropyHeads(SummaryHeads):
    """Scores with the gradient of the entropy among them."""

    def log_gradient(self, policy, weights):
        entropy = weights.sum(axis=1, keepdims=True) * self.entropy_gradient(policy)
        return super().log_gradient(policy, weights) + entropy


def pydial_enac(network, learner, batch, config):
    """The regression explains what the last turn returned, by scores that contain the entropy's gradient."""
    batch = without_last_turns(batch)
    ends, rewards = np.cumsum(batch.lengths) - 1, np.zeros_like(batch.rewards)
    rewards[ends] = (batch.rewards / discounts(batch.lengths, config.gamma))[ends]
    heads = EntropyHeads(network.heads.n_actions)
    return enac_update(replace(network, heads=heads), learner, batch._replace(rewards=rewards), config)


ABLATIONS = {"lambda-returns": partial(acer_update, targets=lambda_targets),
            "traces-cut-at-c": partial(acer_update, targets=long_traces),
            "blind-at-the-end": partial(acer_update, targets=blind_at_the_end),
            "no-correction": partial(acer_update, weights=without_correction),
            "advantage-taken": partial(acer_update, weights=advantage_taken),
            "pi-for-mu": policy_for_behaviour,
            "three-steps": partial(acer_update, step=three_steps),
            "stray-average": stray_average, "no-last-turn": no_last_turn,
            "pydial-a2c": pydial_a2c, "pydial-enac": pydial_enac}
