"""A shared ReLU body with a policy head and a critic head, and its gradients by hand.

All parameters live in one flat vector; names are views into it. The policy's parameters ω (body and policy head) come
first and the critic's head last, so dot products over ω, Adam and averaging are single operations on slices.
"""
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Sequence

import numpy as np
from scipy.sparse import csr_array, issparse

from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads


def compressed(beliefs: np.ndarray) -> np.ndarray | csr_array:
    """(n, D) beliefs without their zeros, if nine entries in ten are zero: the first layer then costs a third."""
    where = np.flatnonzero(beliefs.ravel() != 0)
    if 10 * len(where) > beliefs.size:
        return beliefs
    rows, columns = np.searchsorted(where, np.arange(len(beliefs) + 1) * beliefs.shape[1]), where % beliefs.shape[1]
    return csr_array((beliefs.ravel()[where], columns, rows), shape=beliefs.shape)


class Forward(NamedTuple):
    """What a forward pass leaves for the backward pass."""

    layers: list                  # X (n, D), H1 (n, hidden[0]), H2, ...: what each dense layer reads
    logits: np.ndarray            # (n, width) of the policy head, before any mask
    critic: np.ndarray | None     # (n, critic_width); none where the parameters are the policy's alone


@dataclass(frozen=True)
class Network:
    """Sizes and layout; it holds no parameters.

    `critic_width` is the heads' own, one Q per output, unless given: 1 makes the critic a value function V.
    """

    n_belief: int
    heads: SummaryHeads | MasterHeads
    hidden: tuple[int, ...] = (130, 50)
    critic_width: int | None = None
    dtype: type = np.float64

    @cached_property
    def layout(self) -> list[tuple[str, int, int, tuple[int, ...]]]:
        """(name, start, stop, shape) of every array in the flat vector."""
        sizes = (self.n_belief, *self.hidden)
        critic_width = self.heads.width if self.critic_width is None else self.critic_width
        dense = [(str(i + 1), sizes[i], sizes[i + 1]) for i in range(len(self.hidden))]
        dense += [("_policy", sizes[-1], self.heads.width), ("_critic", sizes[-1], critic_width)]
        layout, start = [], 0
        for name, fan_in, fan_out in dense:
            layout.append((f"W{name}", start, start + fan_in * fan_out, (fan_in, fan_out)))
            start += fan_in * fan_out
            layout.append((f"b{name}", start, start + fan_out, (fan_out,)))
            start += fan_out
        return layout

    @property
    def size(self) -> int:
        return self.layout[-1][2]

    @property
    def n_policy(self) -> int:
        """Number of policy parameters: ω = params[:n_policy]."""
        return self.layout[-3][2]

    def views(self, params: np.ndarray) -> dict[str, np.ndarray]:
        """Named views of a flat vector, of its policy part alone, or of a stack (..., P) of either."""
        return {name: params[..., start:stop].reshape(*params.shape[:-1], *shape)
                for name, start, stop, shape in self.layout if stop <= params.shape[-1]}

    def initial(self, rng: np.random.Generator, body_init: float | str = "he",
                head_init: float | str = 0.01) -> np.ndarray:
        """(P,) Gaussian weights and zero biases; a number is the standard deviation, "he" stands for √(2/fan_in)."""
        params = np.zeros(self.size, self.dtype)
        for name, weights in self.views(params).items():
            if name.startswith("W"):
                init = head_init if name in ("W_policy", "W_critic") else body_init
                if isinstance(init, str) and init != "he":
                    raise ValueError(f'an initialisation is {init!r}, expected "he" or a standard deviation')
                std = np.sqrt(2.0 / len(weights)) if init == "he" else init
                weights[...] = std * rng.standard_normal(weights.shape)
        return params

    def forward(self, params: np.ndarray, beliefs: np.ndarray | csr_array) -> Forward:
        """H_i = max(H_{i-1} W_i + b_i, 0) and linear heads; `params` (P,), or its policy part for the logits alone."""
        if beliefs.ndim != 2 or beliefs.shape[1] != self.n_belief:
            raise ValueError(f"beliefs has shape {beliefs.shape}, expected (n, {self.n_belief})")
        entries = beliefs.data if issparse(beliefs) else beliefs
        if not np.isfinite(entries).all():
            raise ValueError(f"beliefs holds {entries[~np.isfinite(entries)][0]}: every entry must be finite")
        beliefs = beliefs.astype(self.dtype, copy=False)
        p = self.views(params)
        layers = [beliefs]
        for i in range(1, len(self.hidden) + 1):
            h = layers[-1] @ p[f"W{i}"]
            h += p[f"b{i}"]
            layers.append(np.maximum(h, 0.0, out=h))
        logits = layers[-1] @ p["W_policy"] + p["b_policy"]
        critic = layers[-1] @ p["W_critic"] + p["b_critic"] if "W_critic" in p else None
        return Forward(layers, logits, critic)

    def backward(self, params: np.ndarray, forward: Forward,
                 objectives: Sequence[tuple[np.ndarray, np.ndarray | None]]) -> np.ndarray:
        """(K, P) gradients of K objectives, summed over the turns.

            dW = Hᵀ D,   db = Σ_t D_t,   D_below = (D Wᵀ) 1[H > 0]

        Back-propagation is linear in its upstream, so the K passes share their products with the body.

        Args:
            objectives: K pairs of ∂F/∂logits (n, width) and ∂F/∂critic (n, critic_width), none where F has no critic.
        """
        gradient = np.zeros((len(objectives), self.size), self.dtype)
        d, top = self.views(gradient), forward.layers[-1]
        for i, (d_logits, d_critic) in enumerate(objectives):
            d["W_policy"][i], d["b_policy"][i] = top.T @ d_logits, d_logits.sum(axis=0)
            if d_critic is not None:
                d["W_critic"][i], d["b_critic"][i] = top.T @ d_critic, d_critic.sum(axis=0)
        upstream = self._hidden_gradients(params, forward, objectives)
        for i, (below, d_hidden) in enumerate(zip(forward.layers, upstream), start=1):
            for d_weights, d_layer in zip(d[f"W{i}"], d_hidden):
                d_weights[...] = below.T @ d_layer
            d[f"b{i}"][...] = d_hidden.sum(axis=1)
        return gradient

    def _hidden_gradients(self, params: np.ndarray, forward: Forward, objectives: Sequence) -> list[np.ndarray]:
        """∂F/∂(H_{i-1} W_i + b_i) of every hidden layer, (K, n, hidden[i-1]) each, first layer first."""
        p = self.views(params)
        upstream = np.empty((len(objectives), *forward.layers[-1].shape), self.dtype)
        for d_hidden, (d_logits, d_critic) in zip(upstream, objectives):
            np.matmul(d_logits, p["W_policy"].T, out=d_hidden)
            if d_critic is not None:
                d_hidden += d_critic @ p["W_critic"].T
        found = []
        for i in range(len(self.hidden), 0, -1):
            upstream *= forward.layers[i] > 0
            found.insert(0, upstream)
            if i > 1:
                upstream = upstream @ p[f"W{i}"].T
        return found

    def policy_gram(self, params: np.ndarray, forward: Forward, d_logits: np.ndarray) -> np.ndarray:
        """(n, n) inner products of the policy gradients of single turns, none of which is formed.

        The gradient of one turn at a dense layer is the outer product of what it reads and its upstream, so

            ⟨∇_i, ∇_j⟩ = Σ_layers (D_i · D_j) (H_i · H_j + 1)        (the 1 is the bias)
        """
        upstream = [d[0] for d in self._hidden_gradients(params, forward, [(d_logits, None)])] + [d_logits]
        return sum((d @ d.T) * (h @ h.T + 1.0) for h, d in zip(forward.layers, upstream))
