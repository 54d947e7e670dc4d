"""What the outputs of the network mean in the master space: two softmaxes that factorise 1024 of its 1035 actions.

A weight G over actions is represented by its marginals, in the layout of the logits. Only the bias correction computes
with arrays as wide as the action space.
"""
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from acer_np import exploration, gradients
from acer_np.gradients import Softmax, masked_softmax, row_dot

MOST_PAYLOAD_SLOTS = 12          # 4096 payloads a method; a flat list of more actions makes no sense
VAST = 1e18                      # stands for c μ = ∞ in a comparison; a payload that μ never tells exceeds it


class MasterPolicy(NamedTuple):
    """π_s over summary actions and π_p over payloads."""

    summary: Softmax
    payload: Softmax


@dataclass(frozen=True)
class MasterHeads:
    """π(A, P) = π_s(A) π_p(P) and Q(A, P) = Q_s(A) + Q_p(P) for inform methods, just π_s and Q_s for the others.

    Logits and critic hold the S summary actions, methods first, then the outputs for the payload. The paper has one
    output per payload ("payloads"), 2^slots of them, and learns each payload separately. With one output per slot
    ("slots") a payload's logit and Q_p are sums over the slots that it tells. π_p is then a product of independent
    choices, one per slot, and every inform teaches all of them.

    The marginals of a weight G are G_s(A) = Σ_P G(A, P) and G_p(P) = Σ_A G(A, P), with A over the methods. G_p is
    summed over the payloads that share an output. π_s(I) is the probability of informing at all.
    """

    n_methods: int
    n_payload_slots: int
    n_others: int
    payload_outputs: str = "slots"

    def __post_init__(self) -> None:
        if not (self.n_methods >= 1 <= self.n_others and 0 <= self.n_payload_slots <= MOST_PAYLOAD_SLOTS):
            raise ValueError(f"heads is {self}, expected at least one method, at least one other action, "
                             f"and 0 to {MOST_PAYLOAD_SLOTS} payload slots")
        if self.payload_outputs not in ("payloads", "slots"):
            raise ValueError(f"payload_outputs is {self.payload_outputs!r}, expected 'payloads' or 'slots'")

    @property
    def n_summary(self) -> int:
        return self.n_methods + self.n_others

    @property
    def n_payloads(self) -> int:
        return 2 ** self.n_payload_slots

    @property
    def n_actions(self) -> int:
        return self.n_methods * self.n_payloads + self.n_others

    @property
    def width(self) -> int:
        return self.n_summary + self.shares.shape[1]

    @cached_property
    def shares(self) -> np.ndarray:
        """(payloads, outputs) 1 where an output has a share in a payload: bit i of payload P is slot i."""
        payloads = np.arange(self.n_payloads)[:, None]
        if self.payload_outputs == "payloads":
            return np.eye(len(payloads), dtype=np.float32)
        return (payloads >> np.arange(self.n_payload_slots) & 1).astype(np.float32)

    def spread(self, outputs: np.ndarray) -> np.ndarray:
        """(n, outputs) of the payload part -> (n, payloads): a payload sums the outputs that have a share in it."""
        return outputs if self.payload_outputs == "payloads" else outputs @ self.shares.T.astype(outputs.dtype)

    def gather(self, weights: np.ndarray) -> np.ndarray:
        """(n, payloads) -> (n, outputs): the transpose of spread, for gradients."""
        return weights if self.payload_outputs == "payloads" else weights @ self.shares.astype(weights.dtype)

    def values(self, outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n, width) -> the values of the summary actions (n, S) and of the payloads (n, payloads)."""
        return outputs[:, :self.n_summary], self.spread(outputs[:, self.n_summary:])

    def locate(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(n,) summary actions A, payloads P (0 where there is none) and whether A informs."""
        n_informs = self.n_methods * self.n_payloads
        informs = actions < n_informs
        summary = np.where(informs, actions // self.n_payloads, actions - n_informs + self.n_methods)
        return summary, np.where(informs, actions % self.n_payloads, 0), informs

    def index(self, summary: np.ndarray, payload: np.ndarray) -> np.ndarray:
        """(n,) the inverse of locate; where a summary action does not inform, its payload is ignored."""
        informs = summary < self.n_methods
        return np.where(informs, summary * self.n_payloads + payload,
                        summary + self.n_methods * (self.n_payloads - 1))

    def policy(self, logits: np.ndarray, masks: np.ndarray) -> MasterPolicy:
        u, w = self.values(logits)
        return MasterPolicy(masked_softmax(u, masks), masked_softmax(w))

    def behaviour(self, mu: np.ndarray, payload_logits: np.ndarray) -> MasterPolicy:
        """The policy that acted, from (n, S) μ over the summary actions and the logits of its payloads."""
        return MasterPolicy(Softmax(mu, None), masked_softmax(self.spread(payload_logits)))

    def summary(self, policy: MasterPolicy) -> np.ndarray:
        return policy.summary.pi

    def summary_of(self, actions: np.ndarray) -> np.ndarray:
        return self.locate(actions)[0]

    def summary_masks(self, masks: np.ndarray) -> np.ndarray:
        """(n, A) -> (n, S); a mask must not tell payloads apart."""
        summary = masks[:, self.index(np.arange(self.n_summary), np.zeros(self.n_summary, int))]
        if not np.array_equal(summary[:, self.summary_of(np.arange(self.n_actions))], masks):
            raise ValueError("mask allows some payloads of an action and forbids others, expected all or none of them")
        return summary

    def greedy(self, policy: MasterPolicy) -> np.ndarray:
        """The most probable summary action with, if it informs, the most probable payload.

        The joint policy's argmax would rarely inform while the payload policy is flat.
        """
        return self.index(policy.summary.pi.argmax(axis=1), policy.payload.pi.argmax(axis=1))

    def draw(self, policy: MasterPolicy, rng: np.random.Generator) -> np.ndarray:
        return self.index(exploration.draw(policy.summary.pi, rng), exploration.draw(policy.payload.pi, rng))

    def pi_of(self, policy: MasterPolicy, actions: np.ndarray) -> np.ndarray:
        rows, (summary, payload, informs) = np.arange(len(actions)), self.locate(actions)
        return policy.summary.pi[rows, summary] * np.where(informs, policy.payload.pi[rows, payload], 1.0)

    def q_of(self, q: np.ndarray, actions: np.ndarray) -> np.ndarray:
        rows, (summary, payload, informs) = np.arange(len(actions)), self.locate(actions)
        q_s, q_p = self.values(q)
        return q_s[rows, summary] + np.where(informs, q_p[rows, payload], 0.0)

    def informing(self, policy: MasterPolicy) -> np.ndarray:
        """(n,) π_s(I)."""
        return policy.summary.pi[:, :self.n_methods].sum(axis=1)

    def value(self, policy: MasterPolicy, q: np.ndarray) -> np.ndarray:
        """V = Σ_A π_s Q_s + π_s(I) Σ_P π_p Q_p."""
        q_s, q_p = self.values(q)
        return row_dot(policy.summary.pi, q_s) + self.informing(policy) * row_dot(policy.payload.pi, q_p)

    def entropy(self, policy: MasterPolicy) -> np.ndarray:
        """H = H_s + π_s(I) H_p."""
        return gradients.entropy(policy.summary) + self.informing(policy) * gradients.entropy(policy.payload)

    def kl_divergence(self, average: MasterPolicy, policy: MasterPolicy) -> np.ndarray:
        """KL = KL_s + π̄_s(I) KL_p."""
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
        """∂KL/∂u = π_s - π̄_s,   ∂KL/∂w = π̄_s(I) (π_p - π̄_p)."""
        d_w = self.informing(average)[:, None] * gradients.kl_gradient(average.payload, policy.payload)
        return np.hstack([gradients.kl_gradient(average.summary, policy.summary), self.gather(d_w)])

    def log_gradient(self, policy: MasterPolicy, weights: np.ndarray) -> np.ndarray:
        """∂/∂u Σ_a G log π = G_s - |G| π_s,   ∂/∂w = G_p - |G|_I π_p, where |G|_I = Σ_A G_s(A) over the methods."""
        g_s, g_p = np.split(weights, [self.n_summary], axis=1)
        informed = g_s[:, :self.n_methods].sum(axis=1, keepdims=True)
        return np.hstack([gradients.log_gradient(policy.summary.pi, g_s),
                          g_p - informed * self.gather(policy.payload.pi)])

    def onehot(self, actions: np.ndarray, values: np.ndarray) -> np.ndarray:
        rows, (summary, payload, informs) = np.arange(len(actions)), self.locate(actions)
        weights = np.zeros((len(actions), self.width), values.dtype)
        weights[rows, summary] = values
        weights[informs, self.n_summary:] = self.shares[payload[informs]] * values[informs, None]
        return weights

    def bias_correction(self, policy: MasterPolicy, mu: MasterPolicy, q: np.ndarray, v: np.ndarray, rho_max: float,
                        value_limit: float) -> np.ndarray:
        """Marginals of G = (π - c μ)_+ (Q - V), with Q cut to the limits that V is cut to.

        Nothing factorises under the (.)_+, so the payloads are spelled out here: one method at a time, and only in
        turns where some payload may exceed c μ.
        """
        (pi_s, pi_p), (mu_s, mu_p) = ((factor.pi for factor in p) for p in (policy, mu))
        c_mu = gradients.scaled(rho_max, mu_s)
        q_s, q_p = self.values(q)
        g_s, g_p = np.zeros_like(q_s), np.zeros_like(q_p)

        others = slice(self.n_methods, None)
        advantages = np.clip(q_s[:, others], -value_limit, value_limit) - v[:, None]
        g_s[:, others] = np.maximum(pi_s - c_mu, 0.0)[:, others] * advantages

        largest = (pi_p / np.maximum(mu_p, np.finfo(mu_p.dtype).tiny)).max(axis=1)
        for method in range(self.n_methods):
            rows = np.flatnonzero(pi_s[:, method] * largest > np.minimum(c_mu[:, method], VAST))
            excess = pi_s[rows, method, None] * pi_p[rows] - gradients.scaled(c_mu[rows, method, None], mu_p[rows])
            q_a = np.clip(q_p[rows] + q_s[rows, method, None], -value_limit, value_limit)
            g = np.maximum(excess, 0.0) * (q_a - v[rows, None])
            g_s[rows, method] = g.sum(axis=1)
            g_p[rows] += g
        return np.hstack([g_s, self.gather(g_p)])
