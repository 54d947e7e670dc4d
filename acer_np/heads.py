"""What the outputs of the network mean in the summary space: one softmax, and one Q, over all actions.

The heads of the master space have the same methods, so the algorithms work with either. A weight over actions (G below)
has the layout of the logits, which is all that the gradients need.
"""
from dataclasses import dataclass

import numpy as np

from acer_np import exploration, gradients
from acer_np.gradients import Softmax, masked_softmax, row_dot


@dataclass(frozen=True)
class SummaryHeads:
    """π = softmax(l) and Q, one output each per action."""

    n_actions: int

    @property
    def n_summary(self) -> int:
        """S, the number of summary actions, over which there is a mask."""
        return self.n_actions

    width = n_summary        # the number of logits, and of outputs of the critic

    def policy(self, logits: np.ndarray, masks: np.ndarray) -> Softmax:
        """π from (n, width) logits and (n, S) masks."""
        return masked_softmax(logits, masks)

    def behaviour(self, mu: np.ndarray, payload_logits: np.ndarray) -> Softmax:
        """The policy that acted, from (n, S) μ; there are no payloads here."""
        return Softmax(mu, None)

    def summary(self, policy: Softmax) -> np.ndarray:
        """(n, S) probabilities of the summary actions."""
        return policy.pi

    def summary_of(self, actions: np.ndarray) -> np.ndarray:
        """(n,) the summary action of each action."""
        return actions

    def summary_masks(self, masks: np.ndarray) -> np.ndarray:
        """(n, A) masks of all actions -> (n, S) masks of the summary actions."""
        return masks

    def greedy(self, policy: Softmax) -> np.ndarray:
        """(n,) a* = argmax_a π(a), the lowest index among equals."""
        return policy.pi.argmax(axis=1)

    def draw(self, policy: Softmax, rng: np.random.Generator) -> np.ndarray:
        """(n,) a ~ π."""
        return exploration.draw(policy.pi, rng)

    def pi_of(self, policy: Softmax, actions: np.ndarray) -> np.ndarray:
        """(n,) π(a_t)."""
        return policy.pi[np.arange(len(actions)), actions]

    def q_of(self, q: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """(n,) Q(a_t)."""
        return q[np.arange(len(actions)), actions]

    def value(self, policy: Softmax, q: np.ndarray) -> np.ndarray:
        """(n,) V = Σ_a π(a) Q(a)."""
        return row_dot(policy.pi, q)

    entropy, entropy_gradient = staticmethod(gradients.entropy), staticmethod(gradients.entropy_gradient)
    kl_divergence, kl_gradient = staticmethod(gradients.kl_divergence), staticmethod(gradients.kl_gradient)

    def log_gradient(self, policy: Softmax, weights: np.ndarray) -> np.ndarray:
        """(n, width) ∂/∂l Σ_a G(a) log π(a)."""
        return gradients.log_gradient(policy.pi, weights)

    def onehot(self, actions: np.ndarray, values: np.ndarray) -> np.ndarray:
        """(n, width) G = value · onehot(a_t); also the gradient of Q(a_t) with respect to the critic's outputs."""
        weights = np.zeros((len(actions), self.width), values.dtype)
        weights[np.arange(len(actions)), actions] = values
        return weights

    def bias_correction(self, policy: Softmax, mu: Softmax, q: np.ndarray, v: np.ndarray, rho_max: float,
                        value_limit: float) -> np.ndarray:
        """(n, width) G = (π - c μ)_+ (Q - V), with Q cut to the limits that V is cut to."""
        advantages = np.clip(q, -value_limit, value_limit) - v[:, None]
        return gradients.correction_weights(policy.pi, mu.pi, rho_max) * advantages
