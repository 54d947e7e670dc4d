"""Hyperparameters out of range are refused by name, before they can spoil a training."""


def check_ranges(config: object, **ranges: tuple[float, float]) -> None:
    """A ValueError for the first field outside its range, ends included."""
    for name, (low, high) in ranges.items():
        value = getattr(config, name)
        if not (isinstance(value, (int, float)) and low <= value <= high):
            raise ValueError(f"{name} is {value!r}, expected {low} to {high}")


def check_choices(config: object, **choices: tuple[str, ...]) -> None:
    """A ValueError for the first field that is none of its choices."""
    for name, allowed in choices.items():
        if getattr(config, name) not in allowed:
            raise ValueError(f"{name} is {getattr(config, name)!r}, expected one of {allowed}")
