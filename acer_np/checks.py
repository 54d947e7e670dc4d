"""What is refused, by name and before it can spoil a training: hyperparameters out of range, masks that are none."""
import math

import numpy as np

INF = math.inf
RANGES = dict(learning_rate=(0, INF), gamma=(0, 1), rho_max=(0, INF), kl_limit=(0, INF),
              average_decay=(0, 1), trace_decay=(0, 1), value_limit=(0, INF), entropy_weight=(0, INF),
              final_entropy_weight=(0, INF), ridge=(0, INF),
              reward_scale=(0, INF), epsilon=(0, 1), halving=(1, INF))
COUNTS = ("minibatch", "capacity", "updates_per_dialogue", "horizon")
CHOICES = dict(dtype=("float32", "float64"), behaviour=("draw", "greedy"), scale=("mean", "sum"),
               critic_body=("own", "shared"), centre=("policy", "behaviour"))


def check_config(config: object) -> None:
    """A ValueError for the first hyperparameter that is out of its range; each name means the same in every agent.

    NumPy's numbers become Python's and lists become tuples, so that equal values are equal in a file as well.
    """
    for name, value in vars(config).items():
        if name in RANGES:
            check_range(name, value, *RANGES[name])
        elif name in COUNTS and not (_is_whole(value) and value >= 1):
            raise ValueError(f"{name} is {value!r}, expected a whole number of at least 1")
        elif name in CHOICES and value not in CHOICES[name]:
            raise ValueError(f"{name} is {value!r}, expected one of {', '.join(CHOICES[name])}")
        elif name == "hidden" and not (np.iterable(value) and all(_is_whole(size) and size >= 1 for size in value)):
            raise ValueError(f"hidden is {value!r}, expected whole numbers of at least 1")
        elif name == "body_init" and value != "he":
            check_range(name, value, 0, INF)
        if not isinstance(value, str):
            plain = np.asarray(value).tolist()
            object.__setattr__(config, name, tuple(plain) if isinstance(plain, list) else plain)


def check_range(name: str, value: float, low: float, high: float) -> None:
    """A ValueError unless it is a number from low to high, ends included."""
    if isinstance(value, (str, bool)) or not np.isscalar(value) or not low <= value <= high:
        raise ValueError(f"{name} is {value!r}, expected a number from {low} to {high}")


def _is_whole(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def as_mask(mask: np.ndarray, name: str = "mask") -> np.ndarray:
    """The mask as bool; whole numbers 0 and 1 mean the same, as Gymnasium has them."""
    mask = np.asarray(mask)
    if mask.dtype != bool and not (mask.dtype.kind in "iu" and np.isin(mask, (0, 1)).all()):
        raise ValueError(f"{name} has type {mask.dtype}, expected bool, or whole numbers that are 0 or 1")
    return mask.astype(bool)
