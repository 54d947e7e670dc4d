"""What every form of the posterior shares: points, returns-to-go, and what is refused."""
from typing import NamedTuple

import numpy as np

# In units of the largest prior variance k(x, x):
LEAST = 1e-8                # a smaller noise σ² or novelty leaves the posterior less than half of its digits
INDEFINITE = 1e-7           # an eigenvalue further below 0 is no rounding error


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
    """Refuses a σ that is no deviation, or so small beside the largest k(x, x) that σ² is lost in rounding errors."""
    if not 0 < noise_std < np.inf:
        raise ValueError(f"noise_std is {noise_std}, expected a positive finite number")
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


def check_points(beliefs: np.ndarray, actions: np.ndarray, returns: np.ndarray, n_belief: int) -> None:
    """Refuses points that no posterior could use: shapes that disagree, values that are not finite."""
    n, shapes = len(returns), (np.shape(beliefs), np.shape(actions), np.shape(returns))
    if shapes != ((n, n_belief), (n,), (n,)):
        raise ValueError(f"(beliefs, actions, returns) is {shapes}, expected ({n}, {n_belief}), ({n},) and ({n},)")
    for name, values in (("beliefs", beliefs), ("returns", returns)):
        if not np.isfinite(values).all():
            raise ValueError(f"{name} is {values[~np.isfinite(values)][0]} somewhere, expected finite numbers")


def check_covariance(covariance: np.ndarray, prior_variance: float) -> None:
    """Refuses a (k, k) covariance of new points, given the old ones, that no valid kernel could give."""
    lowest = np.linalg.eigvalsh(covariance)[0]
    if not lowest >= -INDEFINITE * prior_variance:
        raise ValueError(f"an eigenvalue of the kernel is {lowest:.3g}, expected a positive semi-definite kernel")


def check_arrays(found: dict[str, np.ndarray], like: dict[str, np.ndarray]) -> None:
    """Refuses a state that lacks an array, or has another type, shape or anything that is not finite in its place."""
    for name, ours in like.items():
        theirs = np.asarray(found.get(name))
        if (theirs.dtype, theirs.shape) != (ours.dtype, ours.shape) or not np.isfinite(theirs).all():
            raise ValueError(f"{name} is {theirs.dtype} {theirs.shape}, expected finite {ours.dtype} {ours.shape}")
