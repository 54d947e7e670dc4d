"""What the outputs of the network mean in the master space: two softmaxes that factorise 1024 of its 1035 actions.

A weight G over actions is handed around as its marginals, in the layout of the logits: nothing here is as wide as the
action space, except where the bias correction must be.
"""
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from acer_np import gradients
from acer_np.behaviour import Behaviour, first_actions, summary_of
from acer_np.checks import check_choices
from acer_np.gradients import Softmax, masked_softmax, row_dot


class MasterPolicy(NamedTuple):
    """π_s over summary actions and π_p over payloads."""

    summary: Softmax
    payload: Softmax


@dataclass(frozen=True)
class MasterHeads:
    """π(A, P) = π_s(A) π_p(P) and Q(A, P) = Q_s(A) + Q_p(P) for inform methods, π_s and Q_s alone for the others.

    Logits and critic hold the S summary actions, methods first, then the outputs for the payload. The paper has one
    output per payload ("payloads", 2^slots of them), which learns nothing about a payload from its neighbours. With
    one output per slot ("slots") a payload's logit and Q_p are sums over the slots it tells: π_p is then a product of
    independent choices, one per slot, and every inform teaches something about each of them.

    The marginals of a weight G are G_s(A) = Σ_P G(A, P) and G_p(P) = Σ_A G(A, P), A over the methods, the latter summed
    over the payloads that share an output. π_s(I) is the probability of informing at all.
    """

    n_methods: int
    n_payload_slots: int
    n_others: int
    payload_outputs: str = "payloads"

    def __post_init__(self) -> None:
        if min(self.n_methods, self.n_payload_slots, self.n_others) < 1:
            raise ValueError(f"{self} needs at least one method, one payload slot and one other action")
        check_choices(self, payload_outputs=("payloads", "slots"))

    @cached_property
    def sizes(self) -> np.ndarray:
        return np.repeat([2 ** self.n_payload_slots, 1], [self.n_methods, self.n_others])

    @property
    def n_actions(self) -> int:
        return int(self.sizes.sum())

    @property
    def width(self) -> int:
        return len(self.sizes) + self.shares.shape[1]

    @cached_property
    def shares(self) -> np.ndarray:
        """(2^slots, outputs) 1 where an output has a share in a payload: bit i of payload P is slot i."""
        payloads = np.arange(2 ** self.n_payload_slots)[:, None]
        if self.payload_outputs == "payloads":
            return np.eye(len(payloads), dtype=np.float32)
        return (payloads >> np.arange(self.n_payload_slots) & 1).astype(np.float32)

    def spread(self, outputs: np.ndarray) -> np.ndarray:
        """(n, outputs) of the payload part -> (n, 2^slots): each payload sums the outputs it shares in."""
        return outputs if self.payload_outputs == "payloads" else outputs @ self.shares.T.astype(outputs.dtype)

    def gather(self, weights: np.ndarray) -> np.ndarray:
        """(n, 2^slots) -> (n, outputs): the transpose of spread, which carries gradients back."""
        return weights if self.payload_outputs == "payloads" else weights @ self.shares.astype(weights.dtype)

    def split(self, outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n, width) -> views of the summary part (n, S) and of the payload part (n, outputs)."""
        return outputs[:, :len(self.sizes)], outputs[:, len(self.sizes):]

    def split_values(self, outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n, width) -> what they say of every summary action (n, S) and of every payload (n, 2^slots)."""
        summary, payload = self.split(outputs)
        return summary, self.spread(payload)

    def locate(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(n,) summary actions A, payloads P (0 where there is none) and whether A informs."""
        summary = summary_of(actions, self.sizes)
        return summary, actions - first_actions(self.sizes)[summary], summary < self.n_methods

    def policy(self, logits: np.ndarray, masks: np.ndarray) -> MasterPolicy:
        u, w = self.split_values(logits)
        return MasterPolicy(masked_softmax(u, masks), masked_softmax(w))

    def payload_policy(self, logits: np.ndarray) -> np.ndarray:
        return masked_softmax(self.spread(logits)).pi

    def greedy(self, policy: MasterPolicy) -> np.ndarray:
        """The most probable summary action with, if it informs, the most probable payload.

        The argmax of the joint policy would hardly ever inform while the payload policy is flat.
        """
        summary, payload = policy.summary.pi.argmax(axis=1), policy.payload.pi.argmax(axis=1)
        return first_actions(self.sizes)[summary] + np.where(summary < self.n_methods, payload, 0)

    def pi_of(self, policy: MasterPolicy, actions: np.ndarray) -> np.ndarray:
        rows, (summary, payload, informs) = np.arange(len(actions)), self.locate(actions)
        return policy.summary.pi[rows, summary] * np.where(informs, policy.payload.pi[rows, payload], 1.0)

    def q_of(self, q: np.ndarray, actions: np.ndarray) -> np.ndarray:
        rows, (summary, payload, informs) = np.arange(len(actions)), self.locate(actions)
        q_s, q_p = self.split_values(q)
        return q_s[rows, summary] + np.where(informs, q_p[rows, payload], 0.0)

    def informing(self, policy: MasterPolicy) -> np.ndarray:
        """(n,) π_s(I)."""
        return policy.summary.pi[:, :self.n_methods].sum(axis=1)

    def value(self, policy: MasterPolicy, q: np.ndarray) -> np.ndarray:
        """V = Σ_A π_s Q_s + π_s(I) Σ_P π_p Q_p."""
        q_s, q_p = self.split_values(q)
        return row_dot(policy.summary.pi, q_s) + self.informing(policy) * row_dot(policy.payload.pi, q_p)

    def entropy(self, policy: MasterPolicy) -> np.ndarray:
        """H = H_s + π_s(I) H_p."""
        return gradients.entropy(policy.summary) + self.informing(policy) * gradients.entropy(policy.payload)

    def kl_divergence(self, average: MasterPolicy, policy: MasterPolicy) -> np.ndarray:
        """KL = KL_s + π_a,s(I) KL_p."""
        return (gradients.kl_divergence(average.summary, policy.summary)
                + self.informing(average) * gradients.kl_divergence(average.payload, policy.payload))

    def entropy_gradient(self, policy: MasterPolicy) -> np.ndarray:
        """∂H/∂u = ∂H_s/∂u + H_p ∂π_s(I)/∂u,   ∂H/∂w = π_s(I) ∂H_p/∂w."""
        payload_entropy = np.zeros_like(policy.summary.pi)
        payload_entropy[:, :self.n_methods] = gradients.entropy(policy.payload)[:, None]
        d_u = (gradients.entropy_gradient(policy.summary)
               + gradients.expectation_gradient(policy.summary.pi, payload_entropy))
        d_w = self.informing(policy)[:, None] * gradients.entropy_gradient(policy.payload)
        return np.hstack([d_u, self.gather(d_w)])

    def kl_gradient(self, average: MasterPolicy, policy: MasterPolicy) -> np.ndarray:
        """∂KL/∂u = π_s - π_a,s,   ∂KL/∂w = π_a,s(I) (π_p - π_a,p)."""
        d_w = self.informing(average)[:, None] * gradients.kl_gradient(average.payload, policy.payload)
        return np.hstack([gradients.kl_gradient(average.summary, policy.summary), self.gather(d_w)])

    def log_gradient(self, policy: MasterPolicy, weights: np.ndarray) -> np.ndarray:
        """∂/∂u Σ_a G log π = G_s - |G| π_s,   ∂/∂w = G_p - |G|_I π_p, where |G|_I = Σ_A G_s(A) over the methods."""
        g_s, g_p = self.split(weights)
        informed = g_s[:, :self.n_methods].sum(axis=1, keepdims=True)
        return np.hstack([gradients.log_gradient(policy.summary.pi, g_s),
                          g_p - informed * self.gather(policy.payload.pi)])

    def at_actions(self, actions: np.ndarray, values: np.ndarray) -> np.ndarray:
        rows, (summary, payload, informs) = np.arange(len(actions)), self.locate(actions)
        weights = np.zeros((len(actions), self.width), values.dtype)
        weights[rows, summary] = values
        self.split(weights)[1][informs] = self.shares[payload[informs]] * values[informs, None]
        return weights

    def bias_correction(self, policy: MasterPolicy, q: np.ndarray, v: np.ndarray, mu: Behaviour,
                        rho_max: float) -> np.ndarray:
        """Marginals of G = (π - c μ)_+ (Q - V).

        Nothing factorises under the (.)_+, so here the payloads of a method are spelled out: one method at a time,
        and only the turns where some payload may exceed c μ.
        """
        (pi_s, pi_p), nu = (factor.pi for factor in policy), mu.payload
        c = gradients.finite(rho_max, v.dtype)
        q_s, q_p = self.split_values(q)
        g_s, g_p = np.zeros_like(q_s), np.zeros_like(q_p)
        best_s, best_p, _ = self.locate(mu.greedy)
        floor, spike, advantage = c * mu.summary, c * mu.spike, q_s - v[:, None]

        excess = pi_s - floor
        excess[np.arange(len(excess)), best_s] -= spike
        others = slice(self.n_methods, None)
        g_s[:, others] = np.maximum(excess, 0.0)[:, others] * advantage[:, others]

        most = (pi_p / np.maximum(nu, np.finfo(nu.dtype).tiny)).max(axis=1)
        for method in range(self.n_methods):
            rows = np.flatnonzero(pi_s[:, method] * most > floor[:, method])
            excess = pi_s[rows, method, None] * pi_p[rows] - floor[rows, method, None] * nu[rows]
            best = np.flatnonzero(best_s[rows] == method)
            excess[best, best_p[rows[best]]] -= spike[rows[best]]
            g = np.maximum(excess, 0.0) * (q_p[rows] + advantage[rows, method, None])
            g_s[rows, method] = g.sum(axis=1)
            g_p[rows] += g
        return np.hstack([g_s, self.gather(g_p)])
