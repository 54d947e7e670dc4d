"""What the outputs of the network mean in the summary space: one softmax, and one Q, over all actions.

The heads of the master space offer the same operations, so the learning algorithm does not know which it has. Weights
over actions (G below) are handed around in the layout of the logits: that is all the gradients need.
"""
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from acer_np import gradients
from acer_np.behaviour import Behaviour, mu_of_all
from acer_np.gradients import Softmax, masked_softmax, row_dot


@dataclass(frozen=True)
class SummaryHeads:
    """π = softmax(l) and Q, one output each per action."""

    n_actions: int

    @cached_property
    def sizes(self) -> np.ndarray:
        return np.ones(self.n_actions, dtype=int)

    @property
    def width(self) -> int:
        """Number of logits, and of outputs of the critic."""
        return self.n_actions

    def policy(self, logits: np.ndarray, masks: np.ndarray) -> Softmax:
        """π from (n, width) logits and (n, S) masks."""
        return masked_softmax(logits, masks)

    def payload_policy(self, logits: np.ndarray) -> np.ndarray:
        """(n, payloads) π_p from the logits of the payload part: here there are no logits, and one empty payload."""
        return np.ones((len(logits), 1), logits.dtype)

    def greedy(self, policy: Softmax) -> np.ndarray:
        """(n,) a* = argmax_a π(a), the lowest index among equals."""
        return policy.pi.argmax(axis=1)

    def pi_of(self, policy: Softmax, actions: np.ndarray) -> np.ndarray:
        """(n,) π(a_t)."""
        return policy.pi[np.arange(len(actions)), actions]

    def q_of(self, q: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """(n,) Q(a_t)."""
        return q[np.arange(len(actions)), actions]

    def value(self, policy: Softmax, q: np.ndarray) -> np.ndarray:
        """(n,) V = Σ_a π(a) Q(a)."""
        return row_dot(policy.pi, q)

    def entropy(self, policy: Softmax) -> np.ndarray:
        return gradients.entropy(policy)

    def kl_divergence(self, average: Softmax, policy: Softmax) -> np.ndarray:
        return gradients.kl_divergence(average, policy)

    def entropy_gradient(self, policy: Softmax) -> np.ndarray:
        return gradients.entropy_gradient(policy)

    def kl_gradient(self, average: Softmax, policy: Softmax) -> np.ndarray:
        return gradients.kl_gradient(average, policy)

    def log_gradient(self, policy: Softmax, weights: np.ndarray) -> np.ndarray:
        """(n, width) ∂/∂l Σ_a G(a) log π(a)."""
        return gradients.log_gradient(policy.pi, weights)

    def at_actions(self, actions: np.ndarray, values: np.ndarray) -> np.ndarray:
        """(n, width) G = value · onehot(a_t); also the gradient of Q(a_t) with respect to the critic's outputs."""
        weights = np.zeros((len(actions), self.width), values.dtype)
        weights[np.arange(len(actions)), actions] = values
        return weights

    def bias_correction(self, policy: Softmax, q: np.ndarray, v: np.ndarray, mu: Behaviour,
                        rho_max: float) -> np.ndarray:
        """(n, width) G = (π - c μ)_+ (Q - V)."""
        return gradients.correction_weights(policy.pi, mu_of_all(mu, self.sizes), rho_max) * (q - v[:, None])
