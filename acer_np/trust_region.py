"""The trust region: of all steps that raise the KL divergence by at most δ, the one nearest to the gradient g.

For a step z, k·z is the first-order increase of KL(π̄ ‖ π); δ absorbs α. The paper projects the gradient of all policy
parameters, once per minibatch. The original ACER projects the outputs of the network, turn by turn: `project` does
that when it is given (n, A) rows of logit gradients.
"""
import numpy as np

from acer_np.gradients import row_dot


def project(g: np.ndarray, k: np.ndarray, kl_limit: float) -> np.ndarray:
    """argmin_z ½‖g - z‖²  subject to  k·z ≤ δ, along the last axis.   [the KKT solution]

        z = g - max(0, (k·g - δ) / ‖k‖²) k

    The paper prints the maximum around the product with k; it belongs around the scalar. Where k = 0 nothing
    constrains g. The code divides k by its largest entry, n = k / max|k|: ‖n‖² neither underflows nor overflows.

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
