"""What an implementation may do without: it is then tried on the cases that do not need it, and the report says so."""
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tests.laws.draws import ALLOWED, DECAYS, RATIOS, WIDE_RATIOS


class Lack(NamedTuple):
    """Which calls need it, options that cases are drawn from instead, and what is left."""

    concerns: Callable
    only: dict
    left: str


def zero_in(*names) -> Callable:
    return lambda case: any((case[name] == 0).any() for name in names if name in case)


def zero_row_in(*names) -> Callable:
    return lambda case: any((case[name] == 0).all(axis=1).any() for name in names if name in case)


LACKS = {
    "trace_decay": Lack(lambda case: case.get("trace_decay", 1.0) != 1.0, {DECAYS: (1.0,)}, "λ = 1 is all that is tried"),
    "rho_a": Lack(lambda case: (case.get("rho_a", 1.0) != np.array(1.0)).any(), {RATIOS: (1.0,), WIDE_RATIOS: (1.0,)},
                  "ρ = 1 is all that is tried"),
    "masks": Lack(lambda case: "masks" in case and not case["masks"].all(), {ALLOWED: (True,)},
                  "every action is allowed"),
    "zero ratios": Lack(zero_in("rho_a"), {}, "every ρ is above 0"),
    "zero probabilities": Lack(zero_in("pi", "pi_average", "mu"), {}, "every π and μ is above 0"),
    "zero beliefs": Lack(zero_row_in("beliefs", "query_beliefs"), {}, "no belief is all 0"),
    "zero limit": Lack(lambda case: case.get("kl_limit", 1.0) == 0, {}, "δ is above 0"),
}
NEUTRAL = ("trace_decay", "rho_a", "masks")         # a function may also leave these parameters out
