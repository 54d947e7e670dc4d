"""The masked softmax and its gradients with respect to the logits, in closed form.

A policy objective reaches the network through its derivative at the logits l. So the formulas below replace automatic
differentiation. All arrays are (..., A) over the actions. Each row of a gradient sums to zero, and its masked entries
are zero.
"""
from typing import NamedTuple

import numpy as np


class Softmax(NamedTuple):
    """π and log π; of a masked action π is 0 and log π is set to 0, so that their product is 0."""

    pi: np.ndarray
    log_pi: np.ndarray


def masked_softmax(logits: np.ndarray, masks: np.ndarray | None = None) -> Softmax:
    """Probabilities of the allowed actions.

        π(a) = e(a) exp l(a) / Σ_b e(b) exp l(b)

    Args:
        logits: (..., A) l.
        masks: (..., A) e, True or 1 where the action is allowed; without masks all are.
    """
    if masks is not None:
        if not np.any(masks, axis=-1).all():
            raise ValueError(f"masks allows 0 actions in row {np.argmin(np.any(masks, axis=-1))}, expected at least 1")
        logits = np.where(masks, logits, -np.inf)
    log_pi = logits - logits.max(axis=-1, keepdims=True)
    pi = np.exp(log_pi)
    total = pi.sum(axis=-1, keepdims=True)
    pi /= total
    log_pi -= np.log(total)
    return Softmax(pi, log_pi if masks is None else np.where(masks, log_pi, 0.0))


def row_dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Σ_i a_i b_i over the last axis: (..., A), (..., A) -> (...)."""
    return np.einsum("...i,...i->...", a, b)


def entropy(policy: Softmax) -> np.ndarray:
    """H = -Σ_a π(a) log π(a), from 0 to the log of the number of allowed actions."""
    return -row_dot(policy.pi, policy.log_pi)


def kl_divergence(average: Softmax, policy: Softmax) -> np.ndarray:
    """KL(π̄ ‖ π) = Σ_a π̄(a) [log π̄(a) - log π(a)], both under the same mask."""
    return row_dot(average.pi, average.log_pi - policy.log_pi)


def log_gradient(pi: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """∂/∂l Σ_a G(a) log π(a) = G - (Σ_a G(a)) π, the weights G held constant.

        >>> log_gradient(np.array([0.25, 0.5, 0.25]), weights=np.array([2, 0, 2]))
        array([ 1., -2.,  1.])
    """
    return weights - weights.sum(axis=-1, keepdims=True) * pi


def expectation_gradient(pi: np.ndarray, values: np.ndarray) -> np.ndarray:
    """∂/∂l Σ_a π(a) f(a) = π (f - Σ_b π(b) f(b)), the values f held constant."""
    return pi * (values - row_dot(pi, values)[..., None])


def entropy_gradient(policy: Softmax) -> np.ndarray:
    """∂H/∂l = -π (log π + H)."""
    return -policy.pi * (policy.log_pi + entropy(policy)[..., None])


def kl_gradient(average: Softmax, policy: Softmax) -> np.ndarray:
    """∂ KL(π̄ ‖ π)/∂l = π - π̄."""
    return policy.pi - average.pi


def importance_weights(pi_a: np.ndarray, mu_a: np.ndarray) -> np.ndarray:
    """ρ_t = π(a_t|b_t) / μ(a_t|b_t) of the actions taken, whose μ must be positive."""
    possible = mu_a > 0
    if not possible.all():
        turn = np.argmin(possible)
        raise ValueError(f"mu_a is {mu_a[turn]} for the action taken at turn {turn}, expected a positive number")
    with np.errstate(over="ignore"):    # a vanishing μ gives ρ = ∞, which every truncation cuts
        return pi_a / mu_a


def correction_weights(pi: np.ndarray, mu: np.ndarray, rho_max: float) -> np.ndarray:
    """The part of π that a weight cut at c leaves out, for all actions.   [eq. 7, second term]

        π(a) [1 - c/ρ(a)]_+ = (π(a) - c μ(a))_+

    The right-hand side needs no division. Where μ(a) = 0 the correction is all of π(a), for c = ∞ too.

        >>> correction_weights(np.array([0.25, 0.5, 0.25]), np.array([0, 0.5, 0.5]), rho_max=2)
        array([0.25, 0.  , 0.  ])
    """
    return np.maximum(pi - scaled(rho_max, mu), 0.0)


def scaled(rho_max: float | np.ndarray, mu: np.ndarray) -> np.ndarray:
    """c μ, which is 0 where μ is 0, for c = ∞ too."""
    return np.multiply(rho_max, mu, out=np.zeros_like(mu), where=mu > 0)
