"""Refusals by name: hyperparameters out of range, masks that are none, actions that could not have been taken."""
import math

import numpy as np

INF = math.inf
RANGES = {name: (0, INF) for name in ("learning_rate", "rho_max", "kl_limit", "value_limit",
                                      "entropy_weight", "final_entropy_weight", "ridge", "reward_scale")}
RANGES |= {name: (0, 1) for name in ("gamma", "average_decay", "trace_decay", "epsilon")} | {"halving": (1, INF)}
COUNTS, MOST = ("minibatch", "capacity", "updates_per_dialogue", "horizon"), 10 ** 15
CHOICES = dict(dtype=("float32", "float64"), behaviour=("draw", "greedy"), scale=("mean", "sum"),
               critic_body=("own", "shared"), centre=("policy", "behaviour"))


def check_config(config: object) -> None:
    """A ValueError for the first hyperparameter that is out of its range.

    NumPy's numbers become Python's and lists become tuples, so that a file gives equal values back.
    """
    for name, value in vars(config).items():
        if name in RANGES:
            check_range(name, value, *RANGES[name])
        elif name in COUNTS and not (_is_whole(value) and 1 <= value <= MOST):
            raise ValueError(f"{name} is {value!r}, expected a whole number from 1 to {MOST}")
        elif name in CHOICES and value not in CHOICES[name]:
            raise ValueError(f"{name} is {value!r}, expected one of {', '.join(CHOICES[name])}")
        elif name == "hidden" and not (np.iterable(value) and all(_is_whole(size) and size >= 1 for size in value)):
            raise ValueError(f"hidden is {value!r}, expected whole numbers of at least 1")
        elif name == "body_init" and value != "he":
            check_range(name, value, 0, INF)
        if isinstance(value, np.generic):
            object.__setattr__(config, name, value.item())
    object.__setattr__(config, "hidden", tuple(int(size) for size in config.hidden))


def check_range(name: str, value: float, low: float, high: float) -> None:
    """A ValueError unless it is a number from low to high, ends included."""
    if isinstance(value, (str, bool)) or not np.isscalar(value) or not low <= value <= high:
        raise ValueError(f"{name} is {value!r}, expected a number from {low} to {high}")


def _is_whole(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def as_mask(mask: np.ndarray, name: str = "mask") -> np.ndarray:
    """The mask as bool; the whole numbers 0 and 1 are accepted, too, because Gymnasium's masks hold them."""
    mask = np.asarray(mask)
    if mask.dtype != bool and not (mask.dtype.kind in "iu" and np.isin(mask, (0, 1)).all()):
        raise ValueError(f"{name} has type {mask.dtype}, expected bool, or whole numbers that are 0 or 1")
    return mask.astype(bool)


def as_actions(name: str, actions: np.ndarray, heads, **possible: np.ndarray) -> np.ndarray:
    """(n,) the actions as int, if they exist and each (n, S) array of `possible` allows them."""
    actions = np.asarray(actions)
    if actions.dtype.kind not in "iu" or not ((actions >= 0) & (actions < heads.n_actions)).all():
        raise ValueError(f"{name} is {actions}, expected whole numbers from 0 to {heads.n_actions - 1}")
    actions = actions.astype(int)
    for source, allowed in possible.items():
        taken = allowed[np.arange(len(actions)), heads.summary_of(actions)]
        if not taken.all():
            raise ValueError(f"{source} forbids action {actions[~taken][0]}, expected the actions taken to be possible")
    return actions
