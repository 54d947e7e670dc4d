"""Replay memory of whole dialogues: Retrace needs every turn up to the end."""
from collections import deque

import numpy as np

from acer_np.batch import Batch


class Replay:
    """Keeps the last `capacity` dialogues, each as a Batch of one; a minibatch is some of them laid end to end.

    Per turn it holds what cannot be rebuilt: ε, a*, the mask and the payload policy's few logits stand for the whole behaviour distribution μ.
    """

    def __init__(self, capacity: int, dtype: type):
        self.dialogues: deque[Batch] = deque(maxlen=capacity)
        self.dtype = dtype
        self.turns: list[tuple] = []             # of the dialogue under way: belief, mask, action, ε, a*, payload
        self.rewards: list[float] = []

    def expect_turn(self) -> None:
        """A ValueError unless the last decision has had its reward."""
        if len(self.turns) != len(self.rewards):
            raise ValueError("act was called twice; observe must tell what the first action earned")

    def add_turn(self, belief: np.ndarray, mask: np.ndarray, action: int, epsilon: float, greedy: int,
                 payload: np.ndarray) -> None:
        """A decision that has just been taken; its reward is still to come."""
        self.expect_turn()
        self.turns.append((np.array(belief, self.dtype), np.array(mask), action, epsilon, greedy,
                           np.array(payload, self.dtype)))

    def add_reward(self, reward: float, done: bool) -> None:
        """What the last decision earned; the end of a dialogue moves it into the memory."""
        if len(self.turns) == len(self.rewards):
            raise ValueError("observe was called without an action; call act first")
        if not np.isfinite(reward):
            raise ValueError(f"reward is {reward}; it must be finite")
        self.rewards.append(reward)
        if done:
            beliefs, masks, actions, epsilons, greedy, payloads = (np.array(column) for column in zip(*self.turns))
            self.dialogues.append(Batch(beliefs, masks, actions, np.array(self.rewards, self.dtype),
                                        epsilons.astype(self.dtype), greedy, payloads,
                                        np.array([len(actions)])))
            self.turns, self.rewards = [], []

    def sample(self, n: int, rng: np.random.Generator) -> Batch:
        """At most n different dialogues, drawn uniformly."""
        if not self.dialogues:
            raise ValueError("there is nothing to learn from; finish a dialogue first")
        chosen = rng.choice(len(self.dialogues), min(n, len(self.dialogues)), replace=False)
        return join([self.dialogues[i] for i in chosen])


def join(batches: list[Batch]) -> Batch:
    """Several batches as one."""
    return Batch(*(np.concatenate(column) for column in zip(*batches)))


def split(batch: Batch) -> list[Batch]:
    """The inverse of join: one batch per dialogue."""
    ends = batch.lengths.cumsum()[:-1]
    columns = [np.split(column, ends) for column in batch[:-1]]
    return [Batch(*row, lengths) for *row, lengths in zip(*columns, batch.lengths[:, None])]


def pack(batch: Batch) -> dict[str, np.ndarray]:
    """The batch as arrays for a file: of the beliefs, which are mostly 0, only the other entries."""
    rows, columns = np.nonzero(batch.beliefs)
    sparse = {"belief_rows": rows, "belief_columns": columns, "belief_values": batch.beliefs[rows, columns]}
    return sparse | {name: array for name, array in batch._asdict().items() if name != "beliefs"}


def unpack(arrays: dict[str, np.ndarray], n_belief: int) -> Batch:
    """The inverse of pack, for beliefs of n_belief entries."""
    beliefs = np.zeros((len(arrays["actions"]), n_belief), arrays["belief_values"].dtype)
    beliefs[arrays["belief_rows"], arrays["belief_columns"]] = arrays["belief_values"]
    return Batch(beliefs, *(arrays[name] for name in Batch._fields[1:]))
