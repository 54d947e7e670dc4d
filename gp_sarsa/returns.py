"""Discounted returns-to-go: the only thing GP-SARSA needs to know about time."""
import numpy as np


def check_discount(gamma: float) -> None:
    if not 0 <= gamma <= 1:
        raise ValueError(f"gamma must lie in [0, 1], not {gamma}")


def returns_to_go(rewards: np.ndarray, gamma: float) -> np.ndarray:
    """What each turn of one finished dialogue was worth.

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
