"""The trust region: the gradient nearest to g that raises the KL divergence by no more than a limit.

With z the step, k·z is the first-order growth of KL(π_a ‖ π); α is absorbed in the limit. The paper applies this
once per minibatch to the gradients with respect to all policy parameters. The original ACER applies it turn by turn
to the outputs of the network; with (n, A) rows of logit gradients the same function does that.
"""
import numpy as np

from acer_np.gradients import row_dot


def project(g: np.ndarray, k: np.ndarray, kl_limit: float) -> np.ndarray:
    """argmin_z ½‖g - z‖²  subject to  k·z ≤ δ, along the last axis.   [the KKT solution]

        z = g - max(0, (k·g - δ) / ‖k‖²) k

    The paper prints the maximum around the product with k; it belongs around the scalar. Where k = 0 nothing
    constrains g. Dividing k by its largest entry first, n = k / max|k|, keeps ‖k‖² from underflow and overflow.

    Args:
        g: (..., P) gradient of the objective.
        k: (..., P) gradient of the KL divergence.
        kl_limit: δ, with ∞ for no trust region.
    """
    largest = np.abs(k).max(axis=-1, keepdims=True)
    scale = np.where(largest > 0, largest, 1.0)
    n = k / scale
    with np.errstate(over="ignore"):    # a limit that a tiny k cannot reach
        excess = row_dot(n, g)[..., None] - kl_limit / scale
    square = np.maximum(row_dot(n, n)[..., None], 1.0)    # the largest entry is 1, unless k = 0
    return g - np.maximum(0.0, excess) / square * n
