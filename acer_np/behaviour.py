"""The ε-greedy behaviour policy μ, kept per turn as (ε, a*, mask) and rebuilt exactly when it is replayed.

Off-policy weights must use the distribution that generated the action: with ε = 0.95 that is far from π. An action
space is described by `sizes` (S,): how many single actions stand behind each summary action, in the order of their
indices. In the summary space all sizes are 1; in the master space an inform has as many as there are payloads.
"""
from typing import NamedTuple

import numpy as np


class Behaviour(NamedTuple):
    """μ(a) = ε u(a) + (1 - ε) 1[a = a*] for n turns; u is the same for all actions behind one summary action."""

    explore: np.ndarray    # (n, S) ε u(a) of any one action behind each summary action
    spike: np.ndarray      # (n,) 1 - ε
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
                   explore_over: str = "actions") -> Behaviour:
    """Explore with probability ε among the allowed actions, else take the greedy action.

        u(a) = 1 / Σ_A e(A) size(A)              over "actions": uniform over all single actions,
        u(a) = 1 / (size(A) Σ_A e(A))            over "summary": a summary action first, then its payload

    Args:
        masks: (n, S) bool e, over the summary actions.
        epsilons: (n,) ε.
        greedy: (n,) a*, the most probable action when the turn was played.
    """
    if explore_over == "actions":
        uniform = masks / (masks @ sizes)[:, None]
    elif explore_over == "summary":
        uniform = masks / (masks.sum(axis=1)[:, None] * sizes)
    else:
        raise ValueError(f'explore_over is {explore_over!r}, expected "actions" or "summary"')
    return Behaviour((epsilons[:, None] * uniform).astype(epsilons.dtype), 1.0 - epsilons, greedy)


def mu_of(mu: Behaviour, actions: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """(n,) μ(a_t|b_t) of one action per turn."""
    rows = np.arange(len(actions))
    return mu.explore[rows, summary_of(actions, sizes)] + mu.spike * (actions == mu.greedy)


def mu_of_all(mu: Behaviour, sizes: np.ndarray) -> np.ndarray:
    """(n, A) μ of every action; wide in the master space, where only tests should want it."""
    full = np.repeat(mu.explore, sizes, axis=1)
    full[np.arange(len(full)), mu.greedy] += mu.spike
    return full


def sample_action(mu: Behaviour, sizes: np.ndarray, rng: np.random.Generator) -> int:
    """An action drawn from the μ of a single turn."""
    if rng.random() < mu.spike[0]:
        return int(mu.greedy[0])
    weights = mu.explore[0] * sizes
    summary = rng.choice(len(sizes), p=weights / weights.sum())
    return int(first_actions(sizes)[summary] + rng.integers(sizes[summary]))
