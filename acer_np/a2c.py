"""A2C with experience replay: a value function, one-step advantages, one importance weight per turn."""
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from acer_np.adam import adam_ascent
from acer_np.agent import ReplayAgent, ReplayConfig
from acer_np.batch import Batch, checked
from acer_np.behaviour import epsilon_greedy, mu_of
from acer_np.checks import check_ranges
from acer_np.gradients import importance_weights
from acer_np.network import Network, compressed
from acer_np.update import Learner


@dataclass(frozen=True)
class A2CConfig(ReplayConfig):
    """All hyperparameters of A2C."""

    learning_rate: float = 5e-4      # α
    gamma: float = 0.99              # γ
    rho_max: float = 2.0             # where the importance weight of a turn is cut
    entropy_weight: float = 0.01

    def __post_init__(self) -> None:
        super().__post_init__()
        check_ranges(self, learning_rate=(0, np.inf), gamma=(0, 1), rho_max=(0, np.inf), entropy_weight=(0, np.inf))


class Diagnostics(NamedTuple):
    """What to watch while learning."""

    rho: float            # mean importance weight of the actions taken
    truncated: float      # fraction of turns where it was cut
    entropy: float        # mean entropy of π
    critic_error: float   # mean squared one-step error of V


def td_errors(rewards: np.ndarray, v: np.ndarray, lengths: np.ndarray, gamma: float) -> np.ndarray:
    """(n,) one-step errors of V, which are estimates of the advantage of the action taken.

        A_t = r_t + γ V(b_{t+1}) - V(b_t),    V = 0 after the last turn

    Args:
        rewards: (n,) r_t.
        v: (n,) V(b_t).
        lengths: (E,) turns of each dialogue.
    """
    v_next = np.append(v[1:], v[:1])
    v_next[np.cumsum(lengths) - 1] = 0.0
    return rewards + gamma * v_next - v


def a2c_update(network: Network, learner: Learner, batch: Batch, config: A2CConfig) -> tuple[Learner, Diagnostics]:
    """The learner after one ascent step on a minibatch; sums, not means, over its turns.

        g = Σ_t w_t A_t ∇log π(a_t|b_t) + η ∇H,     w_t = min(c, ρ_t)
        d = Σ_t w_t A_t ∇V(b_t)                      A_t and w_t held constant

    V is computed anew with the current parameters, and its error is weighted like the policy's: unweighted, V would
    be the value of the old and exploring behaviour, and the advantage that of improving on it once. The average
    policy of the learner is ACER's; here it stays where it started.
    """
    heads, batch = network.heads, checked(batch, network)
    now = network.forward(learner.params, compressed(batch.beliefs))
    policy, v = heads.policy(now.logits, batch.masks), now.critic[:, 0]
    mu = epsilon_greedy(batch.masks, batch.epsilons, batch.greedy, heads.sizes, config.explore_over,
                        heads.payload_policy(batch.payloads))

    rho_a = importance_weights(heads.pi_of(policy, batch.actions), mu_of(mu, batch.actions, heads.sizes))
    advantages = td_errors(batch.rewards, v, batch.lengths, config.gamma)
    weighted = np.minimum(config.rho_max, rho_a) * advantages

    d_policy = (heads.log_gradient(policy, heads.at_actions(batch.actions, weighted))
                + config.entropy_weight * heads.entropy_gradient(policy))
    direction = network.backward(learner.params, now, [(d_policy, weighted[:, None])])[0]
    if not np.isfinite(direction).all():
        raise ValueError(f"the gradient is not finite: V of the batch runs from {v.min()} to {v.max()}")
    params, adam = adam_ascent(learner.params, direction, learner.adam, config.learning_rate)
    means = rho_a, rho_a > config.rho_max, heads.entropy(policy), advantages ** 2
    return learner._replace(params=params, adam=adam), Diagnostics(*(float(x.mean()) for x in means))


A2CAgent = partial(ReplayAgent, a2c_update, critic_width=1)
