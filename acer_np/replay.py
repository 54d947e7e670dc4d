"""Replay memory of whole dialogues: Retrace needs every turn up to the end."""
from collections import deque
from typing import NamedTuple

import numpy as np

from acer_np.checks import as_actions, as_mask
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads


class Batch(NamedTuple):
    """n turns of E dialogues, end to end; masks and μ are over the S summary actions in both action spaces."""

    beliefs: np.ndarray           # (n, D)
    masks: np.ndarray             # (n, S) bool
    actions: np.ndarray           # (n,) the action taken
    rewards: np.ndarray           # (n,) scaled, the final reward on the last turn
    mu: np.ndarray                # (n, S) the probabilities with which summary actions were drawn
    payload_logits: np.ndarray    # (n, width - S) the logits from which payloads were drawn; none in the summary space
    lengths: np.ndarray           # (E,) turns of each dialogue


class Replay:
    """The last `capacity` dialogues, each a Batch of one; a minibatch is several of them end to end."""

    def __init__(self, capacity: int):
        self.dialogues: deque[Batch] = deque(maxlen=capacity)

    def sample(self, n: int, rng: np.random.Generator) -> Batch:
        """At most n different dialogues, drawn uniformly."""
        if not self.dialogues:
            raise ValueError("the memory holds 0 dialogues, expected at least one to learn from")
        chosen = rng.choice(len(self.dialogues), min(n, len(self.dialogues)), replace=False)
        return join([self.dialogues[i] for i in chosen])


def checked(batch: Batch, n_belief: int, heads: SummaryHeads | MasterHeads, dtype: type) -> Batch:
    """The batch in this precision, or a ValueError that says why no agent with these heads could have lived it."""
    n, lengths, masks = len(batch.beliefs), np.asarray(batch.lengths), as_mask(batch.masks, "masks")
    shapes = dict(beliefs=(n, n_belief), masks=(n, heads.n_summary), actions=(n,), rewards=(n,),
                  mu=(n, heads.n_summary), payload_logits=(n, heads.width - heads.n_summary))
    for name, shape in shapes.items():
        if np.shape(getattr(batch, name)) != shape:
            raise ValueError(f"{name} has shape {np.shape(getattr(batch, name))}, expected {shape}")
    if lengths.ndim != 1 or not (lengths > 0).all() or lengths.sum() != n or n == 0:
        raise ValueError(f"lengths is {lengths}, expected positive numbers that sum to the {n} turns of beliefs")
    with np.errstate(over="ignore"):                # what is infinite in this precision is refused by name
        floats = {name: np.asarray(getattr(batch, name), dtype)
                  for name in ("beliefs", "rewards", "mu", "payload_logits")}
    for name, values in floats.items():
        if not np.isfinite(values).all():
            raise ValueError(f"{name} holds {values[~np.isfinite(values)][0]}, expected finite numbers")
    actions = as_actions("actions", batch.actions, heads, masks=masks, mu=floats["mu"] > 0)
    off = np.abs(np.where(masks, floats["mu"], 0.0).sum(axis=1) - 1.0)
    if not off.max() <= 1e-3:
        raise ValueError(f"mu sums to 1 ± {off.max():g} over the allowed actions of a turn, expected 1")
    return Batch(masks=masks, actions=actions, lengths=lengths, **floats)


def join(batches: list[Batch]) -> Batch:
    """Several batches as one."""
    return Batch(*(np.concatenate(column) for column in zip(*batches)))


def dialogues_of(batch: Batch) -> list[Batch]:
    """The inverse of join: one batch per dialogue."""
    ends = batch.lengths.cumsum()[:-1]
    columns = [np.split(column, ends) for column in batch[:-1]]
    return [Batch(*row, lengths) for *row, lengths in zip(*columns, batch.lengths[:, None])]


def by_dialogue(flat: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """(n,) turns -> (T, E), one dialogue per column, zeros after its end."""
    padded = np.zeros((len(lengths), lengths.max()), flat.dtype)
    padded[np.arange(lengths.max()) < lengths[:, None]] = flat
    return padded.T


def by_turn(padded: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """(T, E) -> (n,): the inverse of by_dialogue, which drops the padding."""
    return padded.T[np.arange(len(padded)) < lengths[:, None]]
