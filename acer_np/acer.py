"""ACER as an agent: its hyperparameters, and its update joined with what all agents share."""
from dataclasses import dataclass
from functools import partial

from acer_np.agent import ReplayAgent, ReplayConfig
from acer_np.update import UpdateConfig, acer_update


@dataclass(frozen=True)
class ACERConfig(ReplayConfig, UpdateConfig):
    """All hyperparameters of ACER: the paper's values, except where another was measured to learn better."""

    learning_rate: float = 5e-4          # 0.001 in the paper, which is less steady in the end and in the master space
    average_decay: float = 0.95          # 0.99 in the paper, whose own comparison finds 0.95 faster
    trace_decay: float = 0.5             # λ, of which the paper does not speak; with 1 learning is slower at first
    value_limit: float = 1.25            # 25 turns cost as much; without it Q may diverge where there is no mask

    def __post_init__(self) -> None:
        ReplayConfig.__post_init__(self)
        UpdateConfig.__post_init__(self)


ACERAgent = partial(ReplayAgent, acer_update)
