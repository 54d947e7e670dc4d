"""The ε-greedy behaviour policy μ, kept per turn as a few numbers and rebuilt exactly when it is replayed.

Off-policy weights must use the distribution that generated the action: with ε = 0.95 that is far from π. An action
space is described by `sizes` (S,): how many single actions stand behind each summary action, in the order of their
indices. In the summary space all sizes are 1; in the master space an inform has as many as there are payloads.
"""
from typing import NamedTuple

import numpy as np


class Behaviour(NamedTuple):
    """μ(a) = m(A) ν(P) + s 1[a = a*] for n turns, where a is summary action A with payload P; without one ν = 1."""

    summary: np.ndarray    # (n, S) m
    payload: np.ndarray    # (n, payloads) ν
    spike: np.ndarray      # (n,) s
    greedy: np.ndarray     # (n,) a*


def first_actions(sizes: np.ndarray) -> np.ndarray:
    """(S,) index of the first action behind each summary action."""
    return np.cumsum(sizes) - sizes


def summary_of(actions: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """(n,) the summary action behind which each action stands."""
    return np.searchsorted(np.cumsum(sizes), actions, side="right")


def summary_mask(mask: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """(A,) mask of all actions -> (S,) mask of the summary actions; it must not tell payloads apart."""
    if mask.shape != (sizes.sum(),):
        raise ValueError(f"mask has shape {mask.shape}, expected ({sizes.sum()},): one entry per action")
    summary = mask[first_actions(sizes)]
    if not np.array_equal(np.repeat(summary, sizes), mask):
        raise ValueError("mask allows some payloads of an action and forbids others: it must treat them alike")
    return summary


def epsilon_greedy(masks: np.ndarray, epsilons: np.ndarray, greedy: np.ndarray, sizes: np.ndarray,
                   explore_over: str = "actions", payload: np.ndarray | None = None) -> Behaviour:
    """Explore with probability ε among the allowed actions e, else take the greedy action.

        over "actions":  μ(a) = ε / Σ_A e(A) size(A) + (1 - ε) 1[a = a*],   a choice among all single actions
        over "summary":  μ(A, P) = (ε e(A) / Σ_A e(A) + (1 - ε) 1[A = A*]) ν(P),   payloads always drawn from ν

    With ν the payload policy itself, ρ depends on the summary actions alone as long as the policy does not move.

    Args:
        masks: (n, S) bool e, over the summary actions.
        epsilons: (n,) ε.
        greedy: (n,) a*, the greedy action when the turn was played.
        payload: (n, payloads) ν, the payload policy at that time; over "actions" it plays no part.
    """
    if explore_over not in ("actions", "summary"):
        raise ValueError(f'explore_over is {explore_over!r}, expected "actions" or "summary"')
    explore = masks * sizes if explore_over == "actions" else masks
    summary = (epsilons[:, None] * (explore / explore.sum(axis=1)[:, None])).astype(epsilons.dtype)
    if explore_over == "actions":
        uniform = np.full((len(masks), sizes.max()), 1.0 / sizes.max(), epsilons.dtype)
        return Behaviour(summary, uniform, 1.0 - epsilons, greedy)
    summary[np.arange(len(masks)), summary_of(greedy, sizes)] += 1.0 - epsilons
    return Behaviour(summary, payload, np.zeros_like(epsilons), greedy)


def mu_of(mu: Behaviour, actions: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """(n,) μ(a_t|b_t) of one action per turn."""
    rows, summary = np.arange(len(actions)), summary_of(actions, sizes)
    nu = np.where(sizes[summary] > 1, mu.payload[rows, actions - first_actions(sizes)[summary]], 1.0)
    return mu.summary[rows, summary] * nu + mu.spike * (actions == mu.greedy)


def mu_of_all(mu: Behaviour, sizes: np.ndarray) -> np.ndarray:
    """(n, A) μ of every action; wide in the master space, where only tests should want it."""
    summary = np.repeat(np.arange(len(sizes)), sizes)
    payload = np.arange(len(summary)) - first_actions(sizes)[summary]
    full = mu.summary[:, summary] * np.where(sizes[summary] > 1, mu.payload[:, payload], 1.0)
    full[np.arange(len(full)), mu.greedy] += mu.spike
    return full


def sample_action(mu: Behaviour, sizes: np.ndarray, rng: np.random.Generator) -> int:
    """An action drawn from the μ of a single turn."""
    if rng.random() < mu.spike[0]:
        return int(mu.greedy[0])
    m, nu = mu.summary[0].astype(float), mu.payload[0].astype(float)
    summary = rng.choice(len(sizes), p=m / m.sum())
    payload = rng.choice(len(nu), p=nu / nu.sum()) if sizes[summary] > 1 else 0
    return int(first_actions(sizes)[summary] + payload)
