"""System actions: 15 summary actions, 1035 master actions, their mask, and how each becomes an act."""
from collections.abc import Mapping

import numpy as np

from simulator.acts import DONTCARE, NO_VENUE, Act, Item
from simulator.belief import Belief, FocusTracker
from simulator.domain import Domain

INFORMS = ("inform", "inform_byname", "inform_requested", "inform_alternatives")
NOT_AVAILABLE = "not available"
MAX_TOLD = 5                     # how many slots a summary inform tells at most beside the name
ENOUGH_SLOTS = 4                 # accepted slots after which an offer may be made although a question could narrow it
MAX_PAYLOAD_SLOTS = 12           # a master space with more is too large to be one array of actions


class Actions:
    """The index of each action, its name, whether it may be executed, and what it says.

    Summary space: the informs, then request, confirm and select for each slot, then reqmore and bye. Master space: for
    each inform a block with every payload, i.e. every subset of the payload slots (bit i says whether slot i is told),
    then the rest.
    """

    def __init__(self, domain: Domain, tracker: FocusTracker, space: str, rng: np.random.Generator):
        if space not in ("summary", "master"):
            raise ValueError(f"action_space is {space!r}, expected 'summary' or 'master'")
        self.domain, self.tracker, self.rng = domain, tracker, rng
        self.slots = domain.system_requestable
        others = [f"{kind}_{slot}" for slot in self.slots for kind in ("request", "confirm", "select")]
        others += ["reqmore", "bye"]
        self.summary = (*INFORMS, *others)
        self.is_master, n_slots = space == "master", len(domain.payload_slots)
        if self.is_master and n_slots > MAX_PAYLOAD_SLOTS:
            raise ValueError(f"action_space is 'master', expected 'summary' in {domain.name}, with {n_slots} payload"
                             f" slots: with more than {MAX_PAYLOAD_SLOTS}, {len(INFORMS)} x 2^{n_slots} + {len(others)}"
                             " actions are too many to enumerate")
        self.n_payloads = 2 ** n_slots if self.is_master else 1
        self.sizes = np.array([self.n_payloads] * len(INFORMS) + [1] * len(others))     # actions per summary action
        self.n = int(self.sizes.sum())
        self.n_informs = self.n - len(others)

    # ---- index <-> (summary action, payload)

    def parts(self, action: int) -> tuple[str, tuple[str, ...] | None]:
        """(summary action, payload); the payload is None where the action has none to choose."""
        if not (isinstance(action, (int, np.integer)) and 0 <= action < self.n):
            raise ValueError(f"action is {action!r}, expected a whole number from 0 to {self.n - 1}")
        if action >= self.n_informs:
            return self.summary[action - self.n], None           # they stand last in both spaces
        inform, bits = divmod(action, self.n_payloads)
        payload = tuple(slot for i, slot in enumerate(self.domain.payload_slots) if bits >> i & 1)
        return INFORMS[inform], payload if self.is_master else None

    def index(self, name: str, payload: tuple[str, ...] | None = None) -> int:
        """The inverse of parts."""
        if name not in self.summary:
            raise ValueError(f"action is {name!r}, expected one of {', '.join(self.summary)}")
        slots = self.domain.payload_slots if self.is_master and name in INFORMS else ()
        if (payload is None) == bool(slots) or not set(payload or ()) <= set(slots):
            raise ValueError(f"payload of {name} is {payload}, expected {f'any of {slots}' if slots else None}")
        first = int(self.sizes[:self.summary.index(name)].sum())
        return first + sum(1 << slots.index(slot) for slot in set(payload or ()))

    def name(self, action: int) -> str:
        """For people: request_area, inform_byname(phone, addr)."""
        return action_name(*self.parts(action))

    # ---- the execution mask

    def mask(self, belief: Belief) -> np.ndarray:
        """(n,) bool, True where the action makes sense now: a request always; all payloads of an inform or none."""
        narrow = len(belief.accepted) >= ENOUGH_SLOTS or not belief.match.discriminable
        offered, method = belief.venue is not None, belief.top_method
        allowed = [method == "byconstraints" and narrow,
                   method == "byname" and (offered or self.tracker.likeliest(belief.goal, "name")[0] is not None),
                   method == "byname" and offered,
                   belief.alternatives_due and offered]
        for slot in self.slots:
            values = len(belief.goal.get(slot, ()))
            allowed += (True, values > 0, values > 1)
        allowed += (offered, method == "finished")
        return np.array(allowed).repeat(self.sizes)

    # ---- from action to act

    def act(self, name: str, payload: tuple[str, ...] | None, belief: Belief) -> Act:
        """What a summary action says; without a payload, an inform tells what the summary rule picks."""
        if name in INFORMS:
            return self.inform(name, payload, belief)
        if name in ("reqmore", "bye"):
            return Act(name)
        kind, _, slot = name.partition("_")
        if kind == "request":
            return Act(kind, (Item(slot),))
        # Without a belief (no mask) the first values of the ontology are as good as any.
        values = [value for value, _ in self.tracker.best(belief.goal, slot)]
        values += [value for value in (*self.domain.informable[slot], DONTCARE) if value not in values]
        return Act(kind, tuple(Item(slot, value) for value in values[:1 if kind == "confirm" else 2]))

    def inform(self, name: str, payload: tuple[str, ...] | None, belief: Belief, stick: bool = True) -> Act:
        """An inform tells the name and, in the master space, the payload, else what the summary rule picks.

        That is what the user asked for, if anything, or what the venue is like where the user has a wish.
        """
        about_offer = name in ("inform_byname", "inform_requested")
        venue = self.talked_about(name, belief) if about_offer else self.find(name, belief, stick)
        if isinstance(venue, Act):
            return venue
        if payload is None:
            if about_offer:
                payload = self.requested(belief) or [self.pick(self.domain.payload_slots)]
            else:
                payload = [slot for slot, _, _ in belief.accepted if venue[slot] not in ("", NOT_AVAILABLE)]
            if len(payload) > MAX_TOLD:
                payload = self.rng.permutation(payload)[:MAX_TOLD].tolist()
        details = (Item(slot, venue[slot] or NOT_AVAILABLE) for slot in payload)
        return Act("inform", (Item("name", venue["name"]), *details))

    def find(self, name: str, belief: Belief, stick: bool) -> Mapping[str, str] | Act:
        """The venue to offer: the last one while it fits (stick), else the first match; or the act that says none."""
        venues = belief.match.venues
        believed = tuple(Item(slot, value) for slot, value, _ in belief.accepted)
        wishes = tuple(item for item in believed if item.value != DONTCARE)
        if not venues:
            return Act("inform", (Item("name", NO_VENUE), *wishes))
        if name == "inform_alternatives":
            known = dict.fromkeys(Item("name", venue["name"], negated=True) for venue in venues)
            venues = [venue for venue in venues if venue["name"] not in belief.offered]
            if not venues:
                return Act("inform", (Item("name", NO_VENUE), *known, *believed))
        elif stick:
            for venue in venues:
                if venue["name"] == belief.venue:
                    return venue
        return venues[0] if wishes else self.pick(venues)

    def talked_about(self, name: str, belief: Belief) -> Mapping[str, str] | Act:
        """The venue that the user named, if the inform goes by name, else the one offered last."""
        named = self.tracker.likeliest(belief.goal, "name")[0] if name == "inform_byname" else None
        if named is None and belief.venue is None:
            return self.pick(self.domain.venues)
        return self.domain.by_name.get(named or belief.venue) or Act("inform", (Item("name", NO_VENUE),))

    def requested(self, belief: Belief) -> list[str]:
        return [slot for slot in self.domain.payload_slots if belief.requested.get(slot, 0.0) > 0.5]

    def pick(self, options):
        return options[int(self.rng.random() * len(options))]


def action_name(name: str, payload: tuple[str, ...] | None) -> str:
    """The parts of an action for people."""
    return name if payload is None else f"{name}({', '.join(payload)})"
