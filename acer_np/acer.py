"""ACER as an agent: its hyperparameters, and its update joined with what all agents share."""
from dataclasses import dataclass
from functools import partial

from acer_np.agent import ReplayAgent, ReplayConfig
from acer_np.update import UpdateConfig, acer_update


@dataclass(frozen=True)
class ACERConfig(ReplayConfig, UpdateConfig):
    """All hyperparameters of ACER: the paper's values, except these four and the memory and initial weights."""

    learning_rate: float = 5e-4          # 0.001 in the paper; with the mask both learn alike
    average_decay: float = 0.95          # 0.99 in the paper; without the mask 0.95 is much faster
    trace_decay: float = 0.5             # λ, for which the paper has no value; 0 and 1 are not surely worse
    value_limit: float = 1.25            # 25 turns cost as much: a bound that no return exceeds

    def __post_init__(self) -> None:
        ReplayConfig.__post_init__(self)
        UpdateConfig.__post_init__(self)


ACERAgent = partial(ReplayAgent, acer_update)
