"""The focus belief tracker: what the system believes after each noisy user turn."""
from typing import NamedTuple

from simulator.acts import DONTCARE, NO_VENUE, Act
from simulator.domain import Domain, Match

NEGLIGIBLE = 1e-9                   # mass below this is rounding, not doubt
DISCOURSE_ORDER = ("silence", "repeat", "thankyou", "ack", "hello", "bye")


class Belief(NamedTuple):
    """Distributions hold no zeros: what is missing from a dictionary has probability 0."""

    goal: dict[str, dict[str, float]]            # informable slot -> value -> probability; the rest is NONE
    requested: dict[str, float]                  # slot -> probability that the user waits for it
    method: dict[str, float]                     # how the user looks for a venue; all methods
    discourse: dict[str, float]                  # what kind of act the last turn was
    accepted: tuple[tuple[str, str, float], ...]  # (slot, value, probability) believed enough to search with
    match: Match                                 # what the database says about these
    top_method: str                              # the likeliest method other than none
    venue: str | None = None                     # the last one offered
    offered: tuple[str, ...] = ()                # all offered since the system last said that nothing matches
    offer_happened: bool = False                 # did the last system act name a venue?
    said_none: bool = False                      # did it say that nothing matches?
    alternatives_due: bool = False               # the user asked for another venue and has not been given one


class Reading(NamedTuple):
    """One hypothesis taken apart."""

    informs: dict[str, str]
    requests: list[str]
    method: str
    discourse: str


def read(acts: tuple[Act, ...], system_act: Act, domain: Domain, has_venue: bool) -> Reading:
    """What a hypothesis, one act or several said together, means after this system act."""
    informs, requests, kinds = {}, [], set()
    for act in acts:
        if act.type == "deny":
            kinds.add("deny" if act.items else "negate")
            if len(act.items) == 2:
                wrong, right = act.items
                if (wrong.slot == right.slot and wrong.value != right.value
                        and DONTCARE not in (wrong.value, right.value)):
                    informs[right.slot] = right.value
            continue
        if act.type == "confirm":                        # "is it cheap?" asks for the price
            requests += [item.slot for item in act.items if item.value is not None and item.slot in domain.informable]
            continue
        kinds.add(act.type)
        if act.type == "affirm" and system_act.type == "confirm":
            informs[system_act.items[0].slot] = system_act.items[0].value
        for item in act.items:
            if item.value is None:
                if act.type == "request":
                    requests.append(item.slot)
            elif item.slot is not None:
                informs[item.slot] = item.value
            elif system_act.type == "request":
                informs[system_act.items[0].slot] = item.value
            else:
                kinds.add("dontcare")                    # about what? It is an inform without content
    informs = {slot: value for slot, value in informs.items() if slot in domain.informable}
    return Reading(informs, requests, _method(informs, requests, kinds, has_venue),
                   next((kind for kind in DISCOURSE_ORDER if kind in kinds), "none"))


def _method(informs: dict, requests: list, kinds: set, has_venue: bool) -> str:
    if "reqalts" in kinds:
        return "byalternatives"
    if "bye" in kinds:
        return "finished"
    if informs or "dontcare" in kinds:
        return "byname" if "name" in informs else "byconstraints"
    return "byname" if requests and has_venue and "deny" not in kinds else "none"


class FocusTracker:
    """Moves beliefs from turn to turn: new evidence replaces the old in proportion to its mass."""

    def __init__(self, domain: Domain):
        self.domain = domain
        # A blind guess, or a little more; where a slot has a single value, dontcare is the other guess.
        self.threshold = {slot: 1 / (max(2, len(domain.informable[slot])) - 0.1) for slot in domain.system_requestable}
        self.order = {slot: {value: i for i, value in enumerate((*values, DONTCARE))}
                      for slot, values in domain.informable.items()}

    def initial(self) -> Belief:
        """Before the first utterance nothing is known, and the method is none."""
        method = dict.fromkeys(self.domain.methods, 0.0) | {"none": 1.0}
        return Belief({}, {}, method, {}, (), self.domain.match(()), "byconstraints")

    def update(self, belief: Belief, system_act: Act, heard: list) -> Belief:
        """The belief after the system said something and this N-best list was heard in reply."""
        named = system_act.value("name") if system_act.type == "inform" else None
        said_none, offer = named == NO_VENUE, named not in (None, NO_VENUE)
        venue = named if offer else belief.venue
        readings = [(read(acts if type(acts) is tuple else (acts,), system_act, self.domain, venue is not None), mass)
                    for acts, mass in heard]
        method = focus_method(belief.method, readings)
        discourse: dict[str, float] = {}
        for reading, mass in readings:
            discourse[reading.discourse] = discourse.get(reading.discourse, 0.0) + mass
        goal = focus_goal(belief.goal, readings)
        accepted = self.accepted(goal)
        match = self.domain.match([(slot, value) for slot, value, _ in accepted])
        top = top_method(method)
        fresh_wish = top == "byalternatives" and max(discourse.get("thankyou", 0), discourse.get("ack", 0)) <= 0.5
        requested = focus_requested(belief.requested, system_act if offer else None, readings)
        offered = () if said_none else belief.offered + (named,) if offer else belief.offered
        return Belief(goal, requested, method, discourse, accepted, match, top, venue, offered, offer, said_none,
                      belief.alternatives_due or fresh_wish)

    def best(self, goal: dict[str, dict[str, float]], slot: str) -> list[tuple[str, float]]:
        """Values with their probabilities, likeliest first; equals stand in the order of the ontology."""
        order = self.order[slot]
        return sorted(goal.get(slot, {}).items(), key=lambda pair: (-pair[1], order.get(pair[0], len(order))))

    def likeliest(self, goal: dict[str, dict[str, float]], slot: str) -> tuple[str | None, float]:
        """The likeliest value and its probability; None where it is likelier that the user said nothing."""
        values = self.best(goal, slot)
        if not values or values[0][1] < 1 - sum([mass for _, mass in values]):
            return None, 0.0
        return values[0]

    def accepted(self, goal: dict[str, dict[str, float]]) -> tuple[tuple[str, str, float], ...]:
        """Slots whose likeliest value is likelier than "nothing said" and than a blind guess."""
        found = [(slot, *self.likeliest(goal, slot)) for slot in self.threshold if slot in goal]
        return tuple([accepted for accepted in found if accepted[2] > self.threshold[accepted[0]]])


def focus_goal(old: dict[str, dict[str, float]], readings: list) -> dict[str, dict[str, float]]:
    """b(v) <- (1 - Σ_v u(v)) b(v) + u(v), where u(v) is the mass of the hypotheses that inform slot = v."""
    informed: dict[str, dict[str, float]] = {}
    for reading, mass in readings:
        for slot, value in reading.informs.items():
            u = informed.setdefault(slot, {})
            u[value] = u.get(value, 0.0) + mass
    goal = dict(old)
    for slot, new in informed.items():
        rest = 1 - sum(new.values())
        if rest > NEGLIGIBLE:
            for value, mass in old.get(slot, {}).items():
                new[value] = new.get(value, 0.0) + rest * mass
        total = sum(new.values())
        goal[slot] = {value: mass / total for value, mass in new.items()} if total > 1 else new
    return goal


def focus_requested(old: dict[str, float], offer: Act | None, readings: list) -> dict[str, float]:
    """A request stays until an inform with a venue mentions the slot."""
    requested = dict(old)
    for item in offer.items if offer else ():
        requested.pop(item.slot, None)
    for reading, mass in readings:
        for slot in dict.fromkeys(reading.requests):
            requested[slot] = min(1.0, requested.get(slot, 0.0) + mass)
    return requested


def focus_method(old: dict[str, float], readings: list) -> dict[str, float]:
    """m <- (mass on none) m + mass(m). The entry none moves only by normalisation, so a method is sticky."""
    new: dict[str, float] = {}
    for reading, mass in readings:
        new[reading.method] = new.get(reading.method, 0.0) + mass
    rest = new.get("none", 0.0)
    method = {name: old[name] if name == "none" else rest * old[name] + new.get(name, 0.0) for name in old}
    total = sum(method.values())
    return {name: mass / total for name, mass in method.items()} if total > 1 else method


def top_method(method: dict[str, float]) -> str:
    """The likeliest method other than none; an unsure goodbye and anything unusual count as a search by constraints."""
    top = max((name for name in method if name != "none"), key=method.__getitem__)
    unsure = method[top] == 0 or (top == "finished" and method[top] <= 0.5)
    return top if top in ("byname", "byalternatives", "finished") and not unsure else "byconstraints"
