"""How parameters move: Adam as ascent on one flat vector, the running average of the policy's parameters, schedules."""
from typing import NamedTuple

import numpy as np

BETA2 = 0.999             # share of the mean square of the gradients that a step keeps


class AdamState(NamedTuple):
    """Steps taken, and the decaying means of the gradient and of its square, (P,) each."""

    step: int
    mean: np.ndarray
    square: np.ndarray

    @classmethod
    def start(cls, params: np.ndarray) -> "AdamState":
        return cls(0, np.zeros_like(params), np.zeros_like(params))


class Learner(NamedTuple):
    """All that an update changes: parameters (P,), average policy parameters (n_policy,), Adam's moments."""

    params: np.ndarray
    average: np.ndarray
    adam: AdamState

    @classmethod
    def start(cls, params: np.ndarray, n_policy: int) -> "Learner":
        """The average starts as a copy of the policy, so the first update is unconstrained."""
        return cls(params, params[:n_policy].copy(), AdamState.start(params))


def adam_ascent(params: np.ndarray, direction: np.ndarray, state: AdamState, learning_rate: float,
                beta1: float = 0.9, beta2: float = BETA2, floor: float = 1e-8) -> tuple[np.ndarray, AdamState]:
    """One step uphill; returns new parameters and state.   [Kingma & Ba 2015, alg. 1]

        m ← β₁ m + (1 - β₁) d        v ← β₂ v + (1 - β₂) d²
        p ← p + α m̂ / (√v̂ + floor),   m̂ = m / (1 - β₁ᵗ),  v̂ = v / (1 - β₂ᵗ)

    The first step is α sign(d). A factor on every d changes nothing: only the relative sizes of the terms of a gradient
    matter. A step that leaves an infinite number is refused, because it would stay in the parameters or moments.

    Args:
        params: (P,) p.
        direction: (P,) d, the gradient of what should grow.
    """
    step = state.step + 1
    mean = beta1 * state.mean + (1.0 - beta1) * direction
    with np.errstate(over="ignore", invalid="ignore"):
        square = beta2 * state.square + (1.0 - beta2) * direction ** 2
        uphill = mean / (np.sqrt(square / (1.0 - beta2 ** step)) + floor)
        moved = params + learning_rate / (1.0 - beta1 ** step) * uphill
        params = moved.astype(params.dtype, copy=False)  # NumPy 1 makes float64 of float32 times a huge number
    if not np.isfinite(square).all():
        raise ValueError(f"the gradient has an entry of {np.abs(direction).max()}, expected numbers whose squares are "
                         "finite: a belief, a reward, a weight ρ, learning_rate, entropy_weight or body_init must be "
                         "far too large")
    if not np.isfinite(params).all():
        raise ValueError(f"learning_rate is {learning_rate}, expected one that leaves the parameters finite")
    return params, AdamState(step, mean, square)


def soft_average(average: np.ndarray, params: np.ndarray, average_decay: float) -> np.ndarray:
    """ω̄ ← β ω̄ + (1 - β) ω, after each step."""
    return average_decay * average + (1.0 - average_decay) * params


def linear(start: float, end: float, progress: float) -> float:
    """A straight line from start to end while progress goes from 0 to 1, constant after that."""
    return start + min(1.0, progress) * (end - start)


def progress(config, n_updates: int) -> float:
    """The share of the planned training after so many updates; it exceeds 1 after the horizon."""
    return n_updates / (config.updates_per_dialogue * config.horizon)
