"""Covariances of Q between two (belief, action) points: a kernel on beliefs times a kernel on actions.

A belief kernel is a function of three arrays, b·b', b·b and b'·b', of shapes (n, m), (n, 1) and (1, m). It returns the
(n, m) covariances, so a Gram matrix costs one matrix product. A kernel of your own has the same signature:

    def quadratic(dot, xx, yy): return (dot + 1) ** 2
    kernel = ProductKernel(quadratic, ActionLayout(4, 0, 11))           # DialogueEnv's summary actions

It must be positive semi-definite; an indefinite one is noticed only where a factorisation fails.
"""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gp_sarsa.layout import ActionLayout
from gp_sarsa.points import Points

BeliefKernel = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]     # (b·b', b·b, b'·b') -> k(b, b')


def linear(dot: np.ndarray, xx: np.ndarray, yy: np.ndarray) -> np.ndarray:
    """k(b, b') = ⟨b, b'⟩, the paper's kernel."""
    return dot


def gaussian(length: float) -> BeliefKernel:
    """k(b, b') = exp(-‖b - b'‖² / (2 length²)), with ‖b - b'‖² = b·b + b'·b' - 2 b·b'."""
    if not 0 < length < np.inf:
        raise ValueError(f"length is {length}, expected a positive finite number")
    return lambda dot, xx, yy: np.exp(-np.maximum(xx + yy - 2 * dot, 0.0) / (2 * length ** 2))


def summary_delta(layout: ActionLayout, actions: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(n, m) δ(a^s, a'^s): 1 where both come from the same summary action, else 0."""
    return (layout.split(actions)[0][:, None] == layout.split(others)[0][None, :]).astype(float)


def payload_cosine(layout: ActionLayout, actions: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(n, m) ⟨p̄, p̄'⟩: cosine similarity of the payloads; 1 between empty ones, so also between non-informs."""
    x, y = (layout.payload_features[layout.split(points)[1]] for points in (actions, others))
    return x @ y.T


@dataclass(frozen=True)
class ProductKernel:
    """k((b, a), (b', a')) = k(b, b') δ(a^s, a'^s) ⟨p̄, p̄'⟩.

    The exact and the sparse posterior accept any dataclass that has a layout and these two methods.
    """
    belief_kernel: BeliefKernel
    layout: ActionLayout

    def __post_init__(self):
        try:
            self.belief_kernel(*np.ones((3, 1, 1)))
        except TypeError as error:
            raise ValueError(f"belief_kernel fails: {error}, expected a function of b·b', b·b and b'·b'") from error

    def gram(self, x: Points, y: Points) -> np.ndarray:
        """(n, m) covariances of n points with m points."""
        squares = [np.einsum("id,id->i", points.beliefs, points.beliefs) for points in (x, y)]
        beliefs = self.belief_kernel(x.beliefs @ y.beliefs.T, squares[0][:, None], squares[1][None, :])
        return (beliefs * summary_delta(self.layout, x.actions, y.actions)
                * payload_cosine(self.layout, x.actions, y.actions))

    def groups(self, x: Points) -> np.ndarray:
        """(n,) labels: points with different labels have covariance 0, whatever the beliefs."""
        return self.layout.split(x.actions)[0]
