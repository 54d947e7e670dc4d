"""A minibatch of whole dialogues, laid end to end, and the way to a rectangle (time, dialogue) and back."""
from typing import NamedTuple

import numpy as np

from acer_np.behaviour import summary_of
from acer_np.network import Network


class Batch(NamedTuple):
    """n turns of E dialogues, in order; masks are over the S summary actions in both action spaces."""

    beliefs: np.ndarray     # (n, D)
    masks: np.ndarray       # (n, S) bool
    actions: np.ndarray     # (n,) the action taken
    rewards: np.ndarray     # (n,) scaled, the final reward on the last turn
    epsilons: np.ndarray    # (n,) ε when the action was taken
    greedy: np.ndarray      # (n,) the greedy action a* at that time
    payloads: np.ndarray    # (n, width - S) the logits of the payload policy at that time; none in the summary space
    lengths: np.ndarray     # (E,) turns of each dialogue


def checked(batch: Batch, network: Network) -> Batch:
    """The batch in the network's precision, or a ValueError that says what is wrong with it."""
    n, sizes, lengths = len(batch.beliefs), network.heads.sizes, np.asarray(batch.lengths)
    shapes = dict(masks=(n, len(sizes)), actions=(n,), rewards=(n,), epsilons=(n,), greedy=(n,),
                  payloads=(n, network.heads.width - len(sizes)))
    for name, shape in shapes.items():
        if getattr(batch, name).shape != shape:
            raise ValueError(f"{name} has shape {getattr(batch, name).shape}, expected {shape}")
    if batch.masks.dtype != bool:
        raise ValueError(f"masks has type {batch.masks.dtype}, expected bool")
    if lengths.ndim != 1 or len(lengths) == 0 or not (lengths > 0).all() or lengths.sum() != n:
        raise ValueError(f"lengths is {lengths}, expected positive numbers that sum to the {n} turns of beliefs")
    for name in ("rewards", "payloads"):
        values = getattr(batch, name)
        if not np.isfinite(values).all():
            raise ValueError(f"{name} holds {values[~np.isfinite(values)][0]}: they must be finite")
    if not ((batch.epsilons >= 0) & (batch.epsilons <= 1)).all():
        raise ValueError(f"epsilons runs from {batch.epsilons.min()} to {batch.epsilons.max()}, expected 0 to 1")
    for name in ("actions", "greedy"):
        actions = getattr(batch, name)
        if actions.dtype.kind != "i":
            raise ValueError(f"{name} has type {actions.dtype}, expected whole numbers")
        if not ((actions >= 0) & (actions < network.heads.n_actions)).all():
            raise ValueError(f"{name} runs from {actions.min()} to {actions.max()}, "
                             f"expected 0 to {network.heads.n_actions - 1}")
        allowed = batch.masks[np.arange(n), summary_of(actions, sizes)]
        if not allowed.all():
            raise ValueError(f"{name} holds {actions[~allowed][0]}, which the mask of that turn forbids")
    return batch._replace(lengths=lengths, rewards=np.asarray(batch.rewards, network.dtype),
                          epsilons=np.asarray(batch.epsilons, network.dtype),
                          payloads=np.asarray(batch.payloads, network.dtype))


def by_dialogue(flat: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """(n,) turns -> (T, E), one dialogue per column, zeros after its end."""
    padded = np.zeros((len(lengths), lengths.max()), flat.dtype)
    padded[np.arange(lengths.max()) < lengths[:, None]] = flat
    return padded.T


def by_turn(padded: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """(T, E) -> (n,): the inverse of by_dialogue, which drops the padding."""
    return padded.T[np.arange(len(padded)) < lengths[:, None]]
