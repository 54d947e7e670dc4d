"""What every form of the posterior shares: points, returns-to-go, and what is refused."""
from typing import NamedTuple

import numpy as np

# In units of the largest prior variance k(x, x):
LEAST = 1e-8                # a smaller noise σ² or novelty leaves the posterior less than half of its digits


class Points(NamedTuple):
    """n pairs of a belief and an action: (n, D) floats and (n,) indices."""
    beliefs: np.ndarray
    actions: np.ndarray


def returns_to_go(rewards: np.ndarray, gamma: float) -> np.ndarray:
    """What each turn of one finished dialogue was worth: the only thing GP-SARSA needs to know about time.

        R_t = r_t + γ R_{t+1},   R_T = r_T

    γ = 0 gives the rewards themselves, γ = 1 the sum of what is left.

    Args:
        rewards: (T,) r_t, received after the action of turn t.
    """
    returns = np.array(rewards, float)
    for t in reversed(range(len(returns) - 1)):
        returns[t] += gamma * returns[t + 1]
    return returns


def check_noise(noise_std: float, prior_variance: float = 0.0) -> None:
    """Refuses a σ that is no deviation, or so small beside the largest k(x, x) that rounding errors would hide σ²."""
    if not 0 < noise_std < 1e150:                           # whose square would be infinite
        raise ValueError(f"noise_std is {noise_std}, expected a positive number below 1e150")
    least = np.sqrt(LEAST * prior_variance)
    if not noise_std >= least:
        raise ValueError(f"noise_std is {noise_std:g}, expected at least {least:.3g}, 1e-4 of Q's prior deviation")


def check_belief(belief: np.ndarray, n_belief: int) -> np.ndarray:
    """The belief as floats."""
    belief = np.asarray(belief, float)
    if belief.shape != (n_belief,) or not np.isfinite(belief).all():
        raise ValueError(f"belief is {belief.shape} {belief}, expected ({n_belief},) finite numbers")
    return belief


def check_mask(mask: np.ndarray, n_actions: int) -> np.ndarray:
    """The mask as bool, from bool or from whole numbers 0 and 1 as Gymnasium has them."""
    mask = np.asarray(mask)
    if mask.shape != (n_actions,) or mask.dtype.kind not in "biu" or mask.min() < 0 or mask.max() != 1:
        raise ValueError(f"mask is {mask.dtype} {mask}, expected {n_actions} bool, or whole numbers 0 and 1, not all 0")
    return mask.astype(bool)


def check_points(beliefs: np.ndarray, actions: np.ndarray, returns: np.ndarray,
                 n_belief: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The points as arrays; shapes that disagree and values that are not finite are refused."""
    beliefs, actions, returns = np.asarray(beliefs, float), np.asarray(actions), np.asarray(returns, float)
    n, shapes = returns.size, (beliefs.shape, actions.shape, returns.shape)
    if shapes != ((n, n_belief), (n,), (n,)):
        raise ValueError(f"(beliefs, actions, returns) is {shapes}, expected ({n}, {n_belief}), ({n},) and ({n},)")
    for name, values in (("beliefs", beliefs), ("returns", returns)):
        if not np.isfinite(values).all():
            raise ValueError(f"{name} is {values[~np.isfinite(values)][0]} somewhere, expected finite numbers")
    return beliefs, actions, returns
