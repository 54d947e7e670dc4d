"""What the simulated user wants: constraints on a venue, and facts to learn about it."""
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np

from simulator.acts import DONTCARE, NO_VENUE, Act, Item
from simulator.domain import Domain

SUCCESS_REWARD = 20.0            # for meeting the user's goal
CONSTRAINTS = 3                  # how many slots a goal constrains
EXTRA_REQUESTS = 2               # at most, beside the name
MATCHES = (2, 3)                 # how many venues may meet a fresh goal: there is always an alternative


@dataclass
class Goal:
    """The user's private state of mind; only the user and the success test look at it."""

    constraints: dict[str, str]                            # slot -> value, and the name of the venue once accepted
    requests: dict[str, str | None]                        # slot -> answer, None while open
    excluded: list[str] = field(default_factory=list)      # venues the user does not want (again)
    used: dict[str, set[str]] = field(init=False)          # values this user has wanted so far

    def __post_init__(self):
        self.used = {slot: {value} for slot, value in self.constraints.items()}

    @property
    def venue(self) -> str | None:
        """The venue that the user is talking about."""
        return self.requests["name"]

    def open_requests(self) -> list[str]:
        return [slot for slot, answer in self.requests.items() if answer is None]

    def forget_names(self) -> None:
        self.constraints.pop("name", None)
        self.excluded.clear()

    def compare(self, act: Act, domain: Domain) -> Iterator[tuple[Item, bool]]:
        """The items of a system act that the user compares with the goal, each with whether it clashes.

        A new venue is always worth a thought: names count only with details, or where the user has excluded them.
        """
        details = any(item.slot in domain.info_slots for item in act.items)
        for item in act.items:
            wish, named = self.constraints.get(item.slot, DONTCARE), item.slot == "name"
            unwanted = named and item.value in self.excluded and not item.negated
            with_details = named and details and item.value != NO_VENUE and (wish != DONTCARE or self.excluded)
            if item.slot in domain.system_requestable or unwanted or with_details:
                yield item, unwanted or wish != DONTCARE and (wish == item.value) == item.negated

    def unstated(self, act: Act) -> list[Item]:
        """Constraints that the act does not repeat: the user may ask back about one of them."""
        items = [Item(slot, value) for slot, value in self.constraints.items()
                 if value != DONTCARE and act.value(slot) != value]
        named = act.value("name")
        return items + [Item("name", name, negated=True) for name in self.excluded if named in (None, name)]

    def achieved(self, domain: Domain) -> bool:
        """Success: every request is answered, and the venue meets the goal as it is now."""
        if self.venue in self.excluded or None in self.requests.values():
            return False
        return bool(domain.match([("name", self.venue), *self.constraints.items()]).venues)


class GoalGenerator:
    """Draws goals as if constraints were drawn uniformly, again and again, until 2 or 3 venues meet them."""

    def __init__(self, domain: Domain):
        self.domain = domain
        self.candidates = feasible_constraints(domain)
        if not self.candidates:
            raise ValueError(f"domain is {domain.name}, expected one where {MATCHES[0]} to {MATCHES[-1]} venues share "
                             "their values: there is nothing to look for")
        # A combination of slots with many values is hit less often by a uniform draw of each.
        sizes = [np.prod([len(domain.informable[slot]) + 1 for slot, _ in pairs]) for pairs in self.candidates]
        self.cumulative = np.cumsum(1.0 / np.array(sizes))
        self.extras = [slot for slot in domain.requestable if slot not in domain.system_requestable]

    def draw(self, rng: np.random.Generator) -> Goal:
        """A fresh goal; every goal takes the same number of random numbers."""
        which, how_many, *order = rng.random(2 + CONSTRAINTS + len(self.extras)).tolist()
        pairs = self.candidates[np.searchsorted(self.cumulative, which * self.cumulative[-1], side="right")]
        shuffled = [pair for _, pair in sorted(zip(order, pairs))]
        asked = [slot for _, slot in sorted(zip(order[CONSTRAINTS:], self.extras))]
        asked = asked[:int(how_many * (EXTRA_REQUESTS + 1))]
        return Goal(dict(shuffled), dict.fromkeys(["name", *asked]))


def feasible_constraints(domain: Domain) -> list[tuple[tuple[str, str], ...]]:
    """All constraints that a fresh goal can have: every venue votes for the combinations it meets."""
    feasible, values = [], {slot: {*domain.informable[slot], DONTCARE} for slot in domain.system_requestable}
    for slots in combinations(domain.system_requestable, min(CONSTRAINTS, len(domain.system_requestable))):
        votes = Counter()
        for venue in domain.venues:
            votes.update(product(*({venue[slot], DONTCARE} & values[slot] for slot in slots)))
        feasible += [tuple(zip(slots, values)) for values, n in sorted(votes.items()) if n in MATCHES]
    return feasible
