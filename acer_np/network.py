"""ReLU layers with a policy head and a critic head, and their gradients by hand.

All parameters are in one flat vector; names are views of it. The policy's parameters ω come first, and what only the
critic has comes last. So dot products over ω, Adam and averaging are single operations on slices.
"""
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Sequence

import numpy as np
from scipy.sparse import csr_array, issparse

from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads

HEAD_INIT = 0.01          # standard deviation of the weights of both heads


def compressed(beliefs: np.ndarray) -> np.ndarray | csr_array:
    """(n, D) beliefs as a sparse matrix if nine in ten entries are zero: the first layer then costs a third."""
    where = np.flatnonzero(beliefs.ravel() != 0)
    if 10 * len(where) > beliefs.size:
        return beliefs
    rows, columns = np.searchsorted(where, np.arange(len(beliefs) + 1) * beliefs.shape[1]), where % beliefs.shape[1]
    return csr_array((beliefs.ravel()[where], columns, rows), shape=beliefs.shape)


class Forward(NamedTuple):
    """What the backward pass needs of a forward pass."""

    layers: list                  # X (n, D), H1 (n, hidden[0]), H2, ...: what each dense layer of the policy reads
    critic_layers: list           # the same of the critic; the very same arrays if they share a body
    logits: np.ndarray            # (n, width) of the policy head, before any mask
    critic: np.ndarray | None     # (n, critic_width); None if the parameters were just the policy's


@dataclass(frozen=True)
class Network:
    """Sizes and layout; it holds no parameters.

    The critic has a body of its own, or shares the policy's as in the paper. Its width is that of the heads, one Q per
    output, unless `critic_width` is given: 1 makes the critic a value function V, 0 leaves it out.
    """

    n_belief: int
    heads: SummaryHeads | MasterHeads
    hidden: tuple[int, ...] = (130, 50)
    critic_body: str = "own"
    critic_width: int | None = None
    dtype: type = np.float64

    @cached_property
    def layout(self) -> list[tuple[str, int, int, tuple[int, ...]]]:
        """(name, start, stop, shape) of every array in the flat vector: W1, b1, ..., W_policy, b_policy, ..."""
        sizes = (self.n_belief, *self.hidden)
        body = list(zip(map(str, range(1, len(sizes))), sizes, sizes[1:]))
        own = [(f"_critic{name}", *shape) for name, *shape in body if self.critic_body == "own" and self.n_critic]
        dense = [*body, ("_policy", sizes[-1], self.heads.width), *own, ("_critic", sizes[-1], self.n_critic)]
        layout, start = [], 0
        for name, fan_in, fan_out in dense:
            layout.append((f"W{name}", start, start + fan_in * fan_out, (fan_in, fan_out)))
            start += fan_in * fan_out
            layout.append((f"b{name}", start, start + fan_out, (fan_out,)))
            start += fan_out
        return layout

    @property
    def n_critic(self) -> int:
        """Number of outputs of the critic."""
        return self.heads.width if self.critic_width is None else self.critic_width

    @cached_property
    def size(self) -> int:
        """P, the number of all parameters."""
        return self.layout[-1][2]

    @cached_property
    def n_policy(self) -> int:
        """Number of policy parameters: ω = params[:n_policy]."""
        return next(stop for name, _, stop, _ in self.layout if name == "b_policy")

    def views(self, params: np.ndarray) -> dict[str, np.ndarray]:
        """Named views of a flat vector, or of just its policy part."""
        return {name: params[start:stop].reshape(shape)
                for name, start, stop, shape in self.layout if stop <= len(params)}

    def initial(self, rng: np.random.Generator, body_init: float | str = "he") -> np.ndarray:
        """(P,) Gaussian weights and zero biases; a number is the standard deviation, "he" stands for √(2/fan_in).

        Small heads start with a policy near uniform, and Q near 0.
        """
        params = np.zeros(self.size, self.dtype)
        for name, weights in self.views(params).items():
            if name.startswith("W"):
                init = HEAD_INIT if name in ("W_policy", "W_critic") else body_init
                std = np.sqrt(2.0 / len(weights)) if init == "he" else init
                weights[...] = std * rng.standard_normal(weights.shape)
        return params

    def forward(self, params: np.ndarray, beliefs: np.ndarray | csr_array) -> Forward:
        """H_i = max(H_{i-1} W_i + b_i, 0) and linear heads; `params` (P,), or just the policy's for the logits."""
        if beliefs.ndim != 2 or beliefs.shape[1] != self.n_belief:
            raise ValueError(f"beliefs has shape {beliefs.shape}, expected (n, {self.n_belief})")
        given, p = beliefs.data if issparse(beliefs) else beliefs, self.views(params)
        with np.errstate(over="ignore", invalid="ignore"):          # what overflows is refused by name
            beliefs = beliefs.astype(self.dtype, copy=False)
            wrong = ~np.isfinite(beliefs.data if issparse(beliefs) else beliefs)
            if wrong.any():
                raise ValueError(f"beliefs holds {given[wrong][0]}, expected finite numbers in {self.dtype.__name__}")
            layers = self._hidden(p, beliefs, "")
            logits = layers[-1] @ p["W_policy"] + p["b_policy"]
        if not np.isfinite(logits).all():
            raise ValueError(f"params holds numbers up to {np.abs(params).max():g}, expected logits that are finite: "
                             "learning_rate, body_init or an entry of beliefs must be far too large")
        if "W_critic" not in p:
            return Forward(layers, layers, logits, None)
        critic_layers = self._hidden(p, beliefs, "_critic") if "W_critic1" in p else layers
        return Forward(layers, critic_layers, logits, critic_layers[-1] @ p["W_critic"] + p["b_critic"])

    def _hidden(self, p: dict[str, np.ndarray], beliefs: np.ndarray | csr_array, body: str) -> list:
        layers = [beliefs]
        for i in range(1, len(self.hidden) + 1):
            h = layers[-1] @ p[f"W{body}{i}"]
            h += p[f"b{body}{i}"]
            layers.append(np.maximum(h, 0.0, out=h))
        return layers

    def backward(self, params: np.ndarray, forward: Forward,
                 objectives: Sequence[tuple[np.ndarray, np.ndarray | None]]) -> np.ndarray:
        """(K, P) gradients of K objectives, summed over the turns.

            dW = Hᵀ D,   db = Σ_t D_t,   D_below = (D Wᵀ) 1[H > 0]

        Args:
            objectives: K pairs of ∂F/∂logits (n, width) and ∂F/∂critic (n, critic_width), or None without a critic.
        """
        gradients, p = np.zeros((len(objectives), self.size), self.dtype), self.views(params)
        critic_body = "_critic" if "W_critic1" in p else ""
        for gradient, (d_logits, d_critic) in zip(gradients, objectives):
            d = self.views(gradient)
            self._descend(p, d, "_policy", "", forward.layers, d_logits)
            if d_critic is not None:
                self._descend(p, d, "_critic", critic_body, forward.critic_layers, d_critic)
        return gradients

    def _descend(self, p: dict, d: dict, head: str, body: str, layers: list, d_output: np.ndarray) -> None:
        """Adds to d an objective's gradient in a head and its body, from its gradient d_output at the outputs."""
        d[f"W{head}"] += layers[-1].T @ d_output
        d[f"b{head}"] += d_output.sum(axis=0)
        for i, d_layer in self._upstream(p, body, layers, d_output @ p[f"W{head}"].T):
            d[f"W{body}{i}"] += layers[i - 1].T @ d_layer
            d[f"b{body}{i}"] += d_layer.sum(axis=0)

    def _upstream(self, p: dict, body: str, layers: list, d_top: np.ndarray):
        """(i, ∂F/∂(H_{i-1} W_i + b_i)) of every hidden layer, the highest first."""
        for i in range(len(self.hidden), 0, -1):
            d_layer = d_top * (layers[i] > 0)
            yield i, d_layer
            if i > 1:
                d_top = d_layer @ p[f"W{body}{i}"].T

    def policy_gram(self, params: np.ndarray, forward: Forward, d_logits: np.ndarray) -> np.ndarray:
        """(n, n) inner products of the policy gradients of single turns, without forming any of them.

        The gradient of one turn at a dense layer is the outer product of what it reads and its upstream, so

            ⟨∇_i, ∇_j⟩ = Σ_layers (D_i · D_j) (H_i · H_j + 1)        (the 1 is the bias)
        """
        p, layers = self.views(params), forward.layers
        pairs = [(layers[-1], d_logits)]
        pairs += [(layers[i - 1], d) for i, d in self._upstream(p, "", layers, d_logits @ p["W_policy"].T)]
        return sum((d @ d.T) * (h @ h.T + 1.0) for h, d in pairs)
