"""How the behaviour policy μ is made from the current policy π, and how actions are drawn from it.

Off-policy weights need the probability with which an action was really drawn. So the memory keeps μ itself, turn by
turn, and nothing about how μ was made. An agent can learn from the dialogues of any other policy whose μ is known.
"""
import numpy as np


def mixture(preferred: np.ndarray, masks: np.ndarray, epsilon: float) -> np.ndarray:
    """(n, S) μ: the preferred action, or with probability ε any allowed one.

        μ(a) = (1 - ε) p(a) + ε e(a) / Σ_b e(b)

    With p = π and ε = 0 an agent explores because π is stochastic; p = 1[a = a*] gives ε-greedy.

    Args:
        preferred: (n, S) p, probabilities of allowed actions.
        masks: (n, S) bool e.
    """
    return (1.0 - epsilon) * preferred + epsilon * masks / masks.sum(axis=1, keepdims=True)


def most_probable(pi: np.ndarray) -> np.ndarray:
    """(n, S) 1 at the most probable action of each row, the first among equals, and 0 elsewhere."""
    return (np.arange(pi.shape[1]) == pi.argmax(axis=1)[:, None]).astype(pi.dtype)


def draw(p: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) one index per row of (n, S) probabilities; those with probability 0 are never drawn."""
    cumulative = p.cumsum(axis=1, dtype=float)
    return (cumulative <= rng.random((len(p), 1)) * cumulative[:, -1:]).sum(axis=1)
