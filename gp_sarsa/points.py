"""What every form of the posterior shares: points, returns-to-go, and what is refused."""
from typing import NamedTuple

import numpy as np

LEAST_NOISE = 1e-8          # of σ², in units of the largest prior variance: the posterior keeps about half its digits
INDEFINITE = 1e-9           # a more negative eigenvalue, in the same units, is no rounding error


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
    check_discount(gamma)
    returns = np.array(rewards, float)
    for t in reversed(range(len(returns) - 1)):
        returns[t] += gamma * returns[t + 1]
    return returns


def check_discount(gamma: float) -> None:
    if not 0 <= gamma <= 1:
        raise ValueError(f"gamma is {gamma}, expected a number from 0 to 1")


def check_noise(noise_std: float, prior_variance: float = 0.0) -> None:
    """Refuses a σ that is no deviation, or so small beside the largest k(x, x) that σ² is lost in rounding errors."""
    if not 0 < noise_std < np.inf:
        raise ValueError(f"noise_std is {noise_std}, expected a positive finite number")
    least = np.sqrt(LEAST_NOISE * prior_variance)
    if not noise_std >= least:
        raise ValueError(f"noise_std is {noise_std:g}, expected at least {least:.3g} with Q's prior deviation of "
                         f"{np.sqrt(prior_variance):.3g}: rounding errors would decide (smaller beliefs help, too)")


def check_belief(belief: np.ndarray, n_belief: int) -> np.ndarray:
    """The belief as floats."""
    belief = np.asarray(belief, float)
    if belief.shape != (n_belief,) or not np.isfinite(belief).all():
        raise ValueError(f"belief is {belief.shape} {belief}, expected ({n_belief},) finite numbers")
    return belief


def check_mask(mask: np.ndarray, n_actions: int) -> np.ndarray:
    """The mask as bool, from bool or from whole numbers 0 and 1 as Gymnasium has them."""
    mask = np.asarray(mask)
    if mask.shape != (n_actions,) or mask.dtype.kind not in "biu" or not set(np.unique(mask)) <= {0, 1} or not mask.any():
        raise ValueError(f"mask is {mask.shape} {mask.dtype} {mask}, expected ({n_actions},) bool, or whole numbers 0 and 1, "
                         "that allow something")
    return mask.astype(bool)


def check_points(beliefs: np.ndarray, actions: np.ndarray, returns: np.ndarray, n_belief: int) -> None:
    """Refuses points that no posterior could use: shapes that disagree, values that are not finite."""
    n, shapes = len(returns), (np.shape(beliefs), np.shape(actions), np.shape(returns))
    if shapes != ((n, n_belief), (n,), (n,)):
        raise ValueError(f"(beliefs, actions, returns) is {shapes}, expected ({n}, {n_belief}), ({n},) and ({n},)")
    for name, values in (("beliefs", beliefs), ("returns", returns)):
        if not np.isfinite(values).all():
            raise ValueError(f"{name} is {np.asarray(values)[~np.isfinite(values)][0]} somewhere, expected finite numbers")


def check_covariance(covariance: np.ndarray, prior_variance: float) -> None:
    """Refuses a (k, k) covariance of new points, given the old ones, that no valid kernel could give."""
    lowest = np.linalg.eigvalsh(covariance)[0] if np.isfinite(covariance).all() else np.nan
    if not lowest >= -INDEFINITE * prior_variance:
        raise ValueError(f"the lowest eigenvalue of the kernel at the new points, given the old, is {lowest:.3g}, "
                         "expected 0 or more: the kernel is not positive semi-definite; sums and products of those are")


def check_state(found: dict, expected: dict) -> None:
    """Refuses a state whose header entries or arrays (by name, type, shape and being finite) are not such a learner's."""
    for name, ours in expected.items():
        theirs = found.get(name)
        if isinstance(ours, np.ndarray):
            theirs, ours = ((array.dtype.str, array.shape) if isinstance(array, np.ndarray) else array
                            for array in (theirs, ours))
        if theirs != ours:
            raise ValueError(f"{name} is {theirs!r}, expected {ours!r}")
        if isinstance(found[name], np.ndarray) and not np.isfinite(found[name]).all():
            raise ValueError(f"{name} is not finite somewhere, expected finite numbers")
