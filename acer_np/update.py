"""One ACER update: every equation of the paper, met in the order of its training algorithm."""
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from acer_np.adam import AdamState, adam_ascent, soft_average
from acer_np.batch import Batch, by_dialogue, by_turn, checked
from acer_np.behaviour import epsilon_greedy, mu_of
from acer_np.checks import check_choices, check_ranges
from acer_np.gradients import importance_weights
from acer_np.network import Forward, Network, compressed
from acer_np.retrace import lambda_returns, retrace_targets, traces
from acer_np.trust_region import project


@dataclass(frozen=True)
class UpdateConfig:
    """Hyperparameters of one update, with the paper's letters."""

    learning_rate: float = 1e-3      # α
    gamma: float = 0.99              # γ
    rho_max: float = 5.0             # c; ∞ for plain importance sampling
    bias_correction: bool = True
    kl_limit: float = 1.0            # δ; ∞ for no trust region
    trust_region: str = "parameter"  # or "logit": turn by turn at the outputs
    average_decay: float = 0.99      # β
    critic_target: str = "retrace"   # or "lambda_return"
    trace_decay: float = 1.0         # λ; 0 for one-step targets
    trace_max: float = 1.0           # where Retrace truncates ρ; the pseudo-code has c
    value_limit: float = np.inf      # which no return can exceed in size
    entropy_weight: float = 0.01
    explore_over: str = "actions"    # or "summary": what the behaviour was ε-greedy over

    def __post_init__(self) -> None:
        check_ranges(self, learning_rate=(0, np.inf), gamma=(0, 1), rho_max=(0, np.inf), kl_limit=(0, np.inf),
                     average_decay=(0, 1), trace_decay=(0, 1), trace_max=(0, np.inf), value_limit=(0, np.inf),
                     entropy_weight=(0, np.inf))
        check_choices(self, trust_region=("parameter", "logit"), critic_target=("retrace", "lambda_return"),
                      explore_over=("actions", "summary"))


class Learner(NamedTuple):
    """All that an update changes: parameters (P,), average policy parameters (n_policy,), Adam's moments."""

    params: np.ndarray
    average: np.ndarray
    adam: AdamState

    @classmethod
    def start(cls, network: Network, params: np.ndarray) -> "Learner":
        """The average starts as a copy of the policy, so the first update is unconstrained."""
        return cls(params, params[:network.n_policy].copy(), AdamState.start(params))


class Diagnostics(NamedTuple):
    """What to watch while learning."""

    rho: float            # mean importance weight of the actions taken
    truncated: float      # fraction of turns with ρ > c
    entropy: float        # mean entropy of π
    kl: float             # mean KL(π_a ‖ π)
    critic_error: float   # mean of (Qret - Q)²
    kl_growth: float      # k·g, which the trust region bounds
    binding: float        # 1 or 0; in logit space the fraction of turns
    g_norm: float
    k_norm: float


def acer_update(network: Network, learner: Learner, batch: Batch, config: UpdateConfig) -> tuple[Learner, Diagnostics]:
    """The learner after one ascent step on a minibatch; sums, not means, over its turns.   [alg. 2]

    The critic's loss is ½ (Qret - Q)², so its error enters with weight 1: the pseudo-code's missing ½ would merely
    double its share in the shared body, which Adam does not undo.
    """
    heads, batch = network.heads, checked(batch, network)
    beliefs = compressed(batch.beliefs)
    now = network.forward(learner.params, beliefs)
    policy = heads.policy(now.logits, batch.masks)
    average = heads.policy(network.forward(learner.average, beliefs).logits, batch.masks)
    mu = epsilon_greedy(batch.masks, batch.epsilons, batch.greedy, heads.sizes, config.explore_over,
                        heads.payload_policy(batch.payloads))

    rho_a = importance_weights(heads.pi_of(policy, batch.actions), mu_of(mu, batch.actions, heads.sizes))
    v, q_a = heads.value(policy, now.critic), heads.q_of(now.critic, batch.actions)
    q_ret = critic_targets(batch, q_a, v, rho_a, config)

    # G = min(c, ρ_t) (Qret_t - V_t) onehot(a_t) + (π - c μ)_+ (Q - V)
    weights = heads.at_actions(batch.actions, np.minimum(config.rho_max, rho_a) * (q_ret - v))
    if config.bias_correction:
        weights += heads.bias_correction(policy, now.critic, v, mu, config.rho_max)
    d_g = heads.log_gradient(policy, weights)
    d_k = heads.kl_gradient(average, policy)
    d_other = config.entropy_weight * heads.entropy_gradient(policy), heads.at_actions(batch.actions, q_ret - q_a)

    direction, constraint = constrained_ascent(network, learner.params, now, d_g, d_k, d_other, config)
    if not np.isfinite(direction).all():
        raise ValueError(f"the gradient is not finite: Q of the batch runs from {q_a.min()} to {q_a.max()}")
    params, adam = adam_ascent(learner.params, direction, learner.adam, config.learning_rate)
    learner = Learner(params, soft_average(learner.average, params[:network.n_policy], config.average_decay), adam)
    watched = (rho_a, rho_a > config.rho_max, heads.entropy(policy), heads.kl_divergence(average, policy),
               (q_ret - q_a) ** 2)
    return learner, Diagnostics(*(float(x.mean()) for x in watched), *constraint)


def critic_targets(batch: Batch, q_a: np.ndarray, v: np.ndarray, rho_a: np.ndarray,
                   config: UpdateConfig) -> np.ndarray:
    """(n,) the estimate of Q^π(b_t, a_t) that trains the critic and weighs the policy gradient.

    Estimates are held within the limits of possible returns. Otherwise a critic that is rarely contradicted, without
    the mask or in the master space, can feed on its own extrapolation until it diverges.
    """
    low, high = -config.value_limit, config.value_limit
    values = batch.rewards, np.clip(q_a, low, high), np.clip(v, low, high), rho_a
    rewards, q_a, v, rho_a = (by_dialogue(x, batch.lengths) for x in values)
    if config.critic_target == "retrace":
        targets = retrace_targets(rewards, q_a, v, traces(rho_a, config.trace_decay, config.trace_max), config.gamma)
    else:
        targets = lambda_returns(rewards, v, rho_a, config.gamma, config.trace_decay)
    return by_turn(np.clip(targets, low, high), batch.lengths)


def constrained_ascent(network: Network, params: np.ndarray, now: Forward, d_g: np.ndarray, d_k: np.ndarray,
                       d_other: tuple[np.ndarray, np.ndarray],
                       config: UpdateConfig) -> tuple[np.ndarray, tuple[float, float, float, float]]:
    """(P,) z + the gradients of entropy and critic, and the last four diagnostics.

    Only the policy gradient is projected: the critic's moves the shared body as well, and Adam rescales the sum, so
    the trust region restrains the policy without strictly bounding its KL divergence.
    """
    if config.trust_region == "logit":
        g, k = d_g, d_k
        growth = (g * k).sum(axis=1)
        direction = network.backward(params, now, [(project(g, k, config.kl_limit) + d_other[0], d_other[1])])[0]
    else:
        g, k, other = network.backward(params, now, [(d_g, None), (d_k, None), d_other])
        growth = g @ k
        direction = project(g, k, config.kl_limit) + other
    return direction, (float(np.sum(growth)), float(np.mean(growth > config.kl_limit)),
                       float(np.linalg.norm(g)), float(np.linalg.norm(k)))
