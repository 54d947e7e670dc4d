"""A2C with experience replay: a value function, one-step advantages, one importance weight per turn."""
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from acer_np.learner import Learner, adam_ascent, linear, progress
from acer_np.agent import ReplayAgent
from acer_np.checks import check_config
from acer_np.gradients import importance_weights
from acer_np.network import Network, compressed
from acer_np.replay import Batch


@dataclass(frozen=True)
class A2CConfig:
    """All hyperparameters of A2C; those that it shares with ACER have the same defaults, but for rho_max."""

    learning_rate: float = 5e-4          # α per dialogue
    gamma: float = 0.99                  # γ
    rho_max: float = 2.0                 # c, where the importance weight of a turn is cut
    entropy_weight: float = 0.01         # η
    final_entropy_weight: float = 0.0    # η at the horizon, reached linearly
    behaviour: str = "draw"
    epsilon: float = 0.0                 # ε
    horizon: int = 4000
    updates_per_dialogue: int = 1        # n
    minibatch: int = 64                  # dialogues
    capacity: int = 2000                 # dialogues
    hidden: tuple[int, ...] = (130, 50)
    critic_body: str = "own"
    body_init: float | str = "he"
    reward_scale: float = 1 / 20
    dtype: str = "float32"

    def __post_init__(self) -> None:
        check_config(self)


class Diagnostics(NamedTuple):
    """What to watch while learning."""

    rho: float            # mean importance weight of the actions taken
    truncated: float      # fraction of turns where it was cut
    entropy: float        # mean entropy of π
    critic_error: float   # mean squared one-step error of V


def td_errors(rewards: np.ndarray, v: np.ndarray, lengths: np.ndarray, gamma: float) -> np.ndarray:
    """(n,) one-step errors of V, which estimate the advantage of the action taken.

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
    """The learner after one ascent step on a minibatch; its gradient is a sum over the turns, not a mean.

        g = Σ_t w_t A_t ∇log π(a_t|b_t) + η ∇H,     w_t = min(c, ρ_t)
        d = Σ_t w_t A_t ∇V(b_t)                      A_t and w_t held constant

    V is computed anew with the current parameters. Its error has the weight of the policy's: otherwise V would be the
    value of the old behaviour, which explores. The learner's average policy serves ACER; here it never moves.
    """
    heads = network.heads
    now = network.forward(learner.params, compressed(batch.beliefs))
    policy, v = heads.policy(now.logits, batch.masks), now.critic[:, 0]
    mu = heads.behaviour(batch.mu, batch.payload_logits)

    rho_a = importance_weights(heads.pi_of(policy, batch.actions), heads.pi_of(mu, batch.actions))
    advantages = td_errors(batch.rewards, v, batch.lengths, config.gamma)
    weighted = np.minimum(config.rho_max, rho_a) * advantages

    eta = linear(config.entropy_weight, config.final_entropy_weight, progress(config, learner.adam.step))
    d_policy = (heads.log_gradient(policy, heads.onehot(batch.actions, weighted))
                + network.dtype(eta) * heads.entropy_gradient(policy))
    direction = network.backward(learner.params, now, [(d_policy, weighted[:, None])])[0]
    params, adam = adam_ascent(learner.params, direction, learner.adam,
                               config.learning_rate / config.updates_per_dialogue)
    means = rho_a, rho_a > config.rho_max, heads.entropy(policy), advantages ** 2
    return learner._replace(params=params, adam=adam), Diagnostics(*(float(x.mean()) for x in means))


class A2CAgent(ReplayAgent):
    """Acts like ACER and learns by a2c_update; its critic is V."""

    update = staticmethod(a2c_update)
    critic_width = 1
