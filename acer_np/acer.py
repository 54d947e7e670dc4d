"""ACER: hyperparameters, one update with the equations of the paper in the order of its algorithm, agent."""
import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from acer_np.learner import Learner, adam_ascent, linear, progress, soft_average
from acer_np.agent import ReplayAgent
from acer_np.checks import check_config
from acer_np.gradients import importance_weights
from acer_np.network import Network, compressed
from acer_np.replay import Batch, by_dialogue, by_turn
from acer_np.retrace import retrace_targets, traces
from acer_np.trust_region import project


@dataclass(frozen=True)
class ACERConfig:
    """All hyperparameters with our defaults; "paper:" precedes the paper's value where that differs."""

    learning_rate: float = 5e-4          # α per dialogue, which its n updates share; paper: 0.001 per update
    gamma: float = 0.99                  # γ
    trace_decay: float = 0.5             # λ, which the paper does not state (PyDial: 1)
    rho_max: float = 5.0                 # c; ∞ for plain importance sampling
    kl_limit: float = 0.01               # δ, in the unit that `scale` sets; ∞ for no trust region; paper: 1
    scale: str = "mean"                  # gradients are means over the turns of a minibatch; paper: their "sum"
    average_decay: float = 0.95          # β; paper: 0.99
    value_limit: float = 1.25            # values are cut to ± this, what 25 turns cost; paper: none, ∞
    entropy_weight: float = 0.01         # η
    final_entropy_weight: float = 0.0    # η at the horizon, reached linearly; paper: constant
    behaviour: str = "draw"              # from π, which explores because it is stochastic; paper: "greedy"
    epsilon: float = 0.0                 # ε, the share of uniform draws, falling to 0 at the horizon; paper: 0.95
    horizon: int = 4000                  # dialogues of training that are planned
    updates_per_dialogue: int = 1        # n
    minibatch: int = 64                  # dialogues
    capacity: int = 2000                 # dialogues
    hidden: tuple[int, ...] = (130, 50)  # units of the hidden layers; as an option: 130,50
    critic_body: str = "own"             # paper: "shared" with the policy
    body_init: float | str = "he"        # standard deviation √(2/fan_in); paper: not stated (PyDial: 0.01)
    reward_scale: float = 1 / 20         # returns then lie within about -1.25 and 1
    dtype: str = "float32"               # half the time of float64

    def __post_init__(self) -> None:
        check_config(self)

    @classmethod
    def paper(cls, **changes) -> "ACERConfig":
        """The paper's values; λ and the initial weights, which it does not state, are PyDial's."""
        values = cls(learning_rate=1e-3, trace_decay=1.0, kl_limit=1.0, scale="sum",
                     average_decay=0.99, value_limit=math.inf, final_entropy_weight=0.01, behaviour="greedy",
                     epsilon=0.95, critic_body="shared", body_init=0.01)
        return replace(values, **changes)


class Diagnostics(NamedTuple):
    """What to watch while learning."""

    rho: float            # mean importance weight of the actions taken
    truncated: float      # fraction of turns with ρ > c
    entropy: float        # mean entropy of π
    kl: float             # mean KL(π̄ ‖ π)
    critic_error: float   # mean of (Qret - Q)²
    kl_growth: float      # k·g, before the trust region
    binding: float        # 1 where that exceeds δ


def critic_targets(batch: Batch, q_a: np.ndarray, v: np.ndarray, rho_a: np.ndarray, config: ACERConfig) -> np.ndarray:
    """(n,) Qret, the estimate of Q^π(b_t, a_t) for the critic and for the policy gradient."""
    rewards, q_a, v, rho_a = (by_dialogue(x, batch.lengths) for x in (batch.rewards, q_a, v, rho_a))
    targets = retrace_targets(rewards, q_a, v, traces(rho_a, config.trace_decay), config.gamma)
    return by_turn(targets, batch.lengths)


def gradient_weights(heads, batch: Batch, policy, mu, q: np.ndarray, v: np.ndarray, q_ret: np.ndarray,
                     rho_a: np.ndarray, config: ACERConfig) -> np.ndarray:
    """(n, width) G = min(c, ρ_t) (Qret_t - V_t) onehot(a_t) + (π - c μ)_+ (Q - V).   [eq. 7]"""
    truncated = heads.onehot(batch.actions, np.minimum(config.rho_max, rho_a) * (q_ret - v))
    return truncated + heads.bias_correction(policy, mu, q, v, config.rho_max, config.value_limit)


def acer_update(network: Network, learner: Learner, batch: Batch, config: ACERConfig, *, targets=critic_targets,
                weights=gradient_weights, step=adam_ascent) -> tuple[Learner, Diagnostics]:
    """The learner after one ascent step on a minibatch.   [alg. 2]

    Q, V and Qret are cut to the same limits before they enter a target or an advantage. Otherwise a critic whose
    extrapolations are rarely corrected can diverge. One common limit leaves equal values equal, so it creates no
    advantage. The critic's loss is ½ (Qret - Q)², so its error has weight 1. Only the policy gradient is projected.

    `targets`, `weights` and `step` can be replaced by other functions, which shows what each does.
    """
    heads, beliefs, limit = network.heads, compressed(batch.beliefs), config.value_limit
    now = network.forward(learner.params, beliefs)
    policy = heads.policy(now.logits, batch.masks)
    average = heads.policy(network.forward(learner.average, beliefs).logits, batch.masks)
    mu = heads.behaviour(batch.mu, batch.payload_logits)

    rho_a = importance_weights(heads.pi_of(policy, batch.actions), heads.pi_of(mu, batch.actions))
    q_a = heads.q_of(now.critic, batch.actions)
    v = np.clip(heads.value(policy, now.critic), -limit, limit)
    q_ret = np.clip(targets(batch, np.clip(q_a, -limit, limit), v, rho_a, config), -limit, limit)

    share = network.dtype(1 / len(q_a) if config.scale == "mean" else 1)
    d_g = heads.log_gradient(policy, share * weights(heads, batch, policy, mu, now.critic, v, q_ret, rho_a, config))
    d_k = share * heads.kl_gradient(average, policy)
    eta = linear(config.entropy_weight, config.final_entropy_weight, progress(config, learner.adam.step))
    d_entropy = share * network.dtype(eta) * heads.entropy_gradient(policy)
    d_critic = heads.onehot(batch.actions, share * (q_ret - q_a))
    g, k, other = network.backward(learner.params, now, [(d_g, None), (d_k, None), (d_entropy, d_critic)])

    direction = project(g, k, config.kl_limit) + other
    params, adam = step(learner.params, direction, learner.adam, config.learning_rate / config.updates_per_dialogue)
    average_params = soft_average(learner.average, params[:network.n_policy], config.average_decay)
    watched = (rho_a, rho_a > config.rho_max, heads.entropy(policy), heads.kl_divergence(average, policy),
               (q_ret - q_a) ** 2)
    growth = float(g @ k)
    return (Learner(params, average_params, adam),
            Diagnostics(*(float(x.mean()) for x in watched), growth, float(growth > config.kl_limit)))


class ACERAgent(ReplayAgent):
    """Acts by μ and learns by acer_update."""

    update = staticmethod(acer_update)
