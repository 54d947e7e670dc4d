"""What an implementation may do without: it is then tried on the cases that do not need it, and the report says so."""
from collections.abc import Callable
from typing import NamedTuple

from tests.laws.draws import ALLOWED, DECAYS, RATIOS, WIDE_RATIOS


class Lack(NamedTuple):
    """The parameters it is about, which calls need it, options that cases are drawn from instead, and what is left."""

    parameters: tuple
    concerns: Callable
    only: dict
    left: str


def zero_in(left, *names) -> Lack:
    return Lack(names, lambda case: any((case[name] == 0).any() for name in names if name in case), {}, left)


LACKS = {
    "trace_decay": Lack(("trace_decay",), lambda case: case["trace_decay"] != 1, {DECAYS: (1.0,)},
                        "λ = 1 is all that is tried"),
    "rho_a": Lack(("rho_a",), lambda case: (case["rho_a"] != 1).any(), {RATIOS: (1.0,), WIDE_RATIOS: (1.0,)},
                  "ρ = 1 is all that is tried"),
    "masks": Lack(("masks",), lambda case: not case["masks"].all(), {ALLOWED: (True,)}, "every action is allowed"),
    "zero ratios": zero_in("every ρ is above 0", "rho_a"),
    "zero probabilities": zero_in("every π and μ is above 0", "pi", "pi_average", "mu"),
    "zero beliefs": Lack(("beliefs",), lambda case: not all(
        case[name].any(axis=1).all() for name in ("beliefs", "query_beliefs")), {}, "no belief is all 0"),
    "trust region": Lack(("average_logits",), lambda case: case["kl_limit"] < 1e9, {}, "δ never binds"),
    "zero limit": Lack(("kl_limit",), lambda case: case["kl_limit"] == 0, {}, "δ is above 0"),
}
NEUTRAL = ("trace_decay", "rho_a", "masks")         # a function may also leave these parameters out
