"""System actions: 15 summary actions, 1035 master actions, their mask, and how each becomes an act."""
from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from simulator.acts import DONTCARE, NO_VENUE, Act, Item
from simulator.belief import Belief, FocusTracker
from simulator.domain import Domain, Match

INFORMS = ("inform", "inform_byname", "inform_requested", "inform_alternatives")
NOT_AVAILABLE = "not available"
MOST_SLOTS = 5                   # how many slots a summary inform says at most beside the name
ENOUGH_SLOTS = 4                 # with so many accepted slots an offer may be made even if another question could split it
MOST_PAYLOAD_SLOTS = 12          # a master space with more is too large to be one array of actions


class Actions:
    """The index of each action, its name, whether it may be executed, and what it says.

    Summary space: the informs, then request, confirm and select for each slot, then reqmore and bye. Master space: for
    each inform a block with every subset of the payload slots (bit i of the payload stands for slot i), then the rest.
    """

    def __init__(self, domain: Domain, tracker: FocusTracker, space: str, rng: np.random.Generator):
        if space not in ("summary", "master"):
            raise ValueError(f"action_space is {space!r}; it must be 'summary' or 'master'")
        self.domain, self.tracker, self.rng = domain, tracker, rng
        self.slots = domain.system_requestable
        self.summary = (*INFORMS, *(f"{kind}_{slot}" for slot in self.slots for kind in ("request", "confirm", "select")),
                        "reqmore", "bye")
        n_slots = len(domain.payload_slots)
        if space == "master" and n_slots > MOST_PAYLOAD_SLOTS:
            raise ValueError(f"action_space='master' has {len(INFORMS)} x 2^{n_slots} + {len(self.summary) - len(INFORMS)} actions "
                             f"in domain {domain.name}, too many to enumerate: at most {MOST_PAYLOAD_SLOTS} payload slots can be "
                             "used; use action_space='summary'")
        self.is_master = space == "master"
        self.n_payloads = 2 ** n_slots if self.is_master else 1
        self.n_informs = len(INFORMS) * self.n_payloads
        self.sizes = [self.n_payloads] * len(INFORMS) + [1] * (len(self.summary) - len(INFORMS))
        self.n = sum(self.sizes)

    # ---- index <-> (summary action, payload)

    def split(self, action: int) -> tuple[str, tuple[str, ...] | None]:
        """(summary action, payload slots); the payload is None where the action has none to choose."""
        if not (isinstance(action, (int, np.integer)) and 0 <= action < self.n):
            raise ValueError(f"action is {action!r}; it must be a whole number between 0 and {self.n - 1}")
        if action >= self.n_informs:
            return self.summary[action - self.n_informs + len(INFORMS)], None
        method, payload = divmod(int(action), self.n_payloads)
        if not self.is_master:
            return INFORMS[method], None
        return INFORMS[method], tuple(s for i, s in enumerate(self.domain.payload_slots) if payload >> i & 1)

    def join(self, method: str, payload: tuple[str, ...] | None = None) -> int:
        """The inverse of split."""
        if method not in self.summary:
            raise ValueError(f"action {method!r} is unknown; it must be one of {', '.join(self.summary)}")
        if (payload is not None) != (self.is_master and method in INFORMS):
            raise ValueError(f"payload of {method} is {payload}; only the informs of the master space have one, and need it")
        i = self.summary.index(method)
        if i >= len(INFORMS):
            return self.n_informs + i - len(INFORMS)
        unknown = set(payload or ()) - set(self.domain.payload_slots)
        if unknown:
            raise ValueError(f"payload slot {min(unknown)!r} is unknown; it must be one of {', '.join(self.domain.payload_slots)}")
        return i * self.n_payloads + sum(1 << bit for bit, slot in enumerate(self.domain.payload_slots) if slot in (payload or ()))

    def name(self, action: int) -> str:
        """For people: request_area, inform_byname(phone, addr)."""
        method, payload = self.split(action)
        return method if payload is None else f"{method}({', '.join(payload)})"

    # ---- the execution mask

    def mask(self, belief: Belief) -> np.ndarray:
        """(n,) bool, True where the action makes sense now; a request always does, and so do all payloads of an inform or none."""
        searched = len(belief.accepted) >= ENOUGH_SLOTS or not self.matches(belief).discriminable
        offered, method = belief.venue is not None, belief.top_method
        allowed = [method == "byconstraints" and searched,
                   method == "byname" and (offered or self.believed_name(belief) is not None),
                   method == "byname" and offered,
                   belief.alternatives_due and offered]
        for slot in self.slots:
            values = len(belief.goal.get(slot, ()))
            allowed += (True, values > 0, values > 1)
        allowed += (offered, method == "finished")
        return np.repeat(allowed, self.sizes)

    # ---- from action to act

    def to_act(self, action: int, belief: Belief) -> Act:
        """What the system says when it takes this action."""
        method, payload = self.split(action)
        if method in INFORMS:
            return self.inform(method, payload, belief)
        if method in ("reqmore", "bye"):
            return Act(method)
        kind, _, slot = method.partition("_")
        if kind == "request":
            return Act(kind, (Item(slot),))
        # Without a belief (no mask) the first values of the ontology are as good as any.
        values = [value for value, _ in self.tracker.best(belief, slot)]
        values += [value for value in (*self.domain.informable[slot], DONTCARE) if value not in values][:2]
        return Act(kind, tuple(Item(slot, value) for value in values[:1 if kind == "confirm" else 2]))

    def inform(self, method: str, payload: tuple[str, ...] | None, belief: Belief) -> Act:
        """An inform says the name and, in the master space, the payload, else what the summary rule picks."""
        about_offer = method in ("inform_byname", "inform_requested")
        if about_offer:
            venue = self.talked_about(belief, method == "inform_byname")
        else:
            venue = self.find(belief, alternative=method == "inform_alternatives")
        if isinstance(venue, Act):
            return venue
        if payload is None and about_offer:
            payload = self.at_most(self.requested(belief) or [self.pick(self.domain.payload_slots)])
        return self.offer(venue, belief) if payload is None else describe(venue, payload)

    def matches(self, belief: Belief) -> Match:
        """What the database says about everything that is accepted."""
        return self.domain.match(accepted[:2] for accepted in belief.accepted)

    def find(self, belief: Belief, alternative: bool, stick: bool = True) -> Mapping[str, str] | Act:
        """The venue to offer: the last one while it fits (stick), else the first match; or the act that says there is none."""
        venues = self.matches(belief).venues
        believed = tuple(Item(slot, value) for slot, value, _ in belief.accepted)
        wanted = tuple(item for item in believed if item.value != DONTCARE)
        if not venues:
            return Act("inform", (Item("name", NO_VENUE), *wanted))
        if alternative:
            names = dict.fromkeys(venue["name"] for venue in venues)
            venues = [venue for venue in venues if venue["name"] not in belief.offered]
            if not venues:
                return Act("inform", (Item("name", NO_VENUE), *(Item("name", name, negated=True) for name in names), *believed))
        elif stick:
            for venue in venues:
                if venue["name"] == belief.venue:
                    return venue
        return venues[0] if wanted else self.pick(venues)

    def offer(self, venue: Mapping[str, str], belief: Belief) -> Act:
        """The name, and what the venue is like where the user seems to have a wish; missing details are left out."""
        slots = self.at_most([slot for slot, _, _ in belief.accepted])
        return describe(venue, [slot for slot in slots if venue[slot] not in ("", NOT_AVAILABLE)])

    def talked_about(self, belief: Belief, by_name: bool) -> Mapping[str, str] | Act:
        """The venue that the user named (by_name), else the one offered last."""
        name = (self.believed_name(belief) if by_name else None) or belief.venue
        if name is None:
            return self.pick(self.domain.venues)
        return self.domain.by_name.get(name) or Act("inform", (Item("name", NO_VENUE),))

    def believed_name(self, belief: Belief) -> str | None:
        """The venue name the user most likely said, None where saying none is likelier."""
        names = self.tracker.best(belief, "name")
        if not names or names[0][1] < 1 - sum(mass for _, mass in names):
            return None
        return names[0][0]

    def requested(self, belief: Belief) -> list[str]:
        return [slot for slot in self.domain.payload_slots if belief.requested.get(slot, 0.0) > 0.5]

    def at_most(self, slots: list[str]) -> list[str]:
        if len(slots) <= MOST_SLOTS:
            return slots
        return [slots[i] for i in sorted(self.rng.permutation(len(slots))[:MOST_SLOTS])]

    def pick(self, options):
        return options[int(self.rng.random() * len(options))]


def describe(venue: Mapping[str, str], slots: Iterable[str]) -> Act:
    """An inform about a venue, word for word as the database has it."""
    return Act("inform", (Item("name", venue["name"]), *(Item(slot, venue[slot] or NOT_AVAILABLE) for slot in slots)))
