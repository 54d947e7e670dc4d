"""Covariances of Q between two (belief, action) points: a kernel on beliefs times a kernel on actions.

Every belief kernel here depends on two beliefs only through b·b', b·b and b'·b'. It is written as a function of
these three arrays, so that a Gram matrix costs one matrix product and a diagonal none.
"""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gp_sarsa.layout import ActionLayout

BeliefKernel = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]     # (b·b', b·b, b'·b') -> k(b, b')


class Points(NamedTuple):
    """n pairs of a belief and an action: (n, D) floats and (n,) indices."""
    beliefs: np.ndarray
    actions: np.ndarray


def linear(dot: np.ndarray, xx: np.ndarray, yy: np.ndarray) -> np.ndarray:
    """k(b, b') = ⟨b, b'⟩, the paper's kernel."""
    return dot


def polynomial(degree: int, offset: float = 1.0) -> BeliefKernel:
    """k(b, b') = (⟨b, b'⟩ + offset)^degree; degree 1 is the linear kernel with a bias."""
    if degree != int(degree) or degree < 1 or not 0 <= offset < np.inf:
        raise ValueError(f"polynomial kernel: degree {degree} must be a whole number >= 1 and offset {offset} be >= 0; "
                         "otherwise it is not positive semi-definite")
    return lambda dot, xx, yy: (dot + offset) ** degree


def gaussian(length: float) -> BeliefKernel:
    """k(b, b') = exp(-‖b - b'‖² / (2 length²)), with ‖b - b'‖² = b·b + b'·b' - 2 b·b'."""
    if not 0 < length < np.inf:
        raise ValueError(f"gaussian kernel: length must be positive, not {length}")
    return lambda dot, xx, yy: np.exp(-np.maximum(xx + yy - 2 * dot, 0.0) / (2 * length ** 2))


def normalised(kernel: BeliefKernel) -> BeliefKernel:
    """k̄(b, b') = k(b, b') / √(k(b, b) k(b', b')): every prior variance is 1, or 0 where it was 0."""
    def cosine(dot, xx, yy):
        scale = np.sqrt(kernel(xx, xx, xx) * kernel(yy, yy, yy))
        return np.divide(kernel(dot, xx, yy), scale, out=np.zeros(np.shape(scale)), where=scale > 0)
    return cosine


def summary_delta(layout: ActionLayout, actions: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(n, m) δ(a^s, a'^s): 1 where both come from the same summary action, else 0."""
    return (layout.split(actions)[0][:, None] == layout.split(others)[0][None, :]).astype(float)


def payload_cosine(layout: ActionLayout, actions: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(n, m) ⟨p̄, p̄'⟩: cosine similarity of the payloads; 1 between empty ones, so also between non-informs."""
    x, y = (layout.payload_features[layout.split(points)[1]] for points in (actions, others))
    return x @ y.T


class ProductKernel:
    """k((b, a), (b', a')) = k(b, b') δ(a^s, a'^s) ⟨p̄, p̄'⟩.

    Any object with these three methods can take its place in the exact and the sparse posterior.
    """

    def __init__(self, belief_kernel: BeliefKernel, layout: ActionLayout):
        self.belief_kernel, self.layout = belief_kernel, layout

    def gram(self, x: Points, y: Points) -> np.ndarray:
        """(n, m) covariances of n points with m points."""
        squares = [np.einsum("id,id->i", points.beliefs, points.beliefs) for points in (x, y)]
        beliefs = self.belief_kernel(x.beliefs @ y.beliefs.T, squares[0][:, None], squares[1][None, :])
        return (beliefs * summary_delta(self.layout, x.actions, y.actions)
                * payload_cosine(self.layout, x.actions, y.actions))

    def diagonal(self, x: Points) -> np.ndarray:
        """(n,) prior variances; the two action factors are 1 between an action and itself."""
        square = np.einsum("id,id->i", x.beliefs, x.beliefs)
        return self.belief_kernel(square, square, square)

    def groups(self, x: Points) -> np.ndarray:
        """(n,) labels: points with different labels have covariance 0, whatever the beliefs."""
        return self.layout.split(x.actions)[0]


def check_points(beliefs: np.ndarray, actions: np.ndarray, targets: np.ndarray, n_belief: int) -> None:
    """Refuses points that no posterior could use: shapes that disagree, values that are not finite."""
    if np.shape(beliefs) != (len(targets), n_belief) or np.shape(actions) != (len(targets),):
        raise ValueError(f"beliefs, actions and rewards must be (n, {n_belief}), (n,) and (n,), "
                         f"not {np.shape(beliefs)}, {np.shape(actions)} and {np.shape(targets)}")
    for name, values in (("beliefs", beliefs), ("rewards", targets)):
        if not np.isfinite(values).all():
            raise ValueError(f"{name} must be finite; found {np.asarray(values)[~np.isfinite(values)][0]}")
