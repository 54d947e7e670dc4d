"""Targets for Q(b_t, a_t): Retrace, and the λ-return that it replaces.

All arrays are (T, ...), time first, with a finished dialogue in every column. Zeros after the end act as a terminal
state, so dialogues of several lengths fit side by side. Targets are constants: no gradient flows through them.
"""
import numpy as np


def traces(rho_a: np.ndarray, trace_decay: float) -> np.ndarray:
    """c_t = λ min(1, ρ_t): how far the error of turn t is passed on to the turns before it.

    The paper's pseudo-code uses the truncation of the policy gradient here, too: min(c, ρ_t). A product of 25 such
    weights, each up to 5, has an enormous variance.

        >>> traces(np.array([4, 0.5, 1]), trace_decay=1)
        array([1. , 0.5, 1. ])
    """
    return trace_decay * np.minimum(1.0, rho_a)


def retrace_targets(rewards: np.ndarray, q_a: np.ndarray, v: np.ndarray, trace: np.ndarray,
                    gamma: float, bootstrap: float | np.ndarray = 0.0) -> np.ndarray:
    """Retrace, computed backwards from the end, where nothing follows.   [Retrace recursion]

        Qret_t = r_t + γ [ V_{t+1} + c_{t+1} (Qret_{t+1} - Q_{t+1}) ]

    c = 0 gives the one-step target r + γV, and c = 1 with Q = V the discounted return. The dialogue of README.md:

        >>> retrace_targets(*np.array([[-1, -1, 19], [6, 8, 16], [4, 8, 10], [1, 0.5, 1]]), gamma=1)
        array([ 9., 12., 19.])

    Args:
        rewards: (T, ...) r_t, received after the action of turn t.
        q_a: (T, ...) Q(b_t, a_t) of the action taken.
        v: (T, ...) V(b_t) = Σ_a π(a|b_t) Q(b_t, a).
        trace: (T, ...) c_t.
        bootstrap: V_{T+1}, where a dialogue is cut before its end.
    """
    q_ret = np.empty_like(rewards)
    following = np.zeros_like(rewards[0]) + bootstrap
    for t in reversed(range(len(rewards))):
        q_ret[t] = rewards[t] + gamma * following
        following = v[t] + trace[t] * (q_ret[t] - q_a[t])
    return q_ret


def lambda_returns(rewards: np.ndarray, v: np.ndarray, rho_a: np.ndarray, gamma: float,
                   trace_decay: float) -> np.ndarray:
    """The off-policy λ-return, whose importance weights multiply without bound.   [section Lambda returns]

        R_t = r_t + (1 - λ) γ V_{t+1} + λ γ ρ_{t+1} R_{t+1},    R_T = r_T

    λ = 0 gives the one-step target, λ = 1 the importance-weighted return of the whole dialogue.
    """
    returns = np.empty_like(rewards)
    following = np.zeros_like(rewards[0])
    for t in reversed(range(len(rewards))):
        returns[t] = rewards[t] + gamma * following
        following = (1.0 - trace_decay) * v[t] + trace_decay * rho_a[t] * returns[t]
    return returns
