"""A domain: the ontology (what can be talked about) and the venues (what can be offered)."""
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from simulator.acts import DONTCARE, NO_VENUE

MEMORY = 20_000                                # answers of the database that are kept


class Match(NamedTuple):
    """What the database says about some constraints."""

    venues: tuple[Mapping[str, str], ...]
    discriminable: bool                  # would asking for one more slot split the venues?
    info: tuple[float, ...]              # none, one, 2-4, more than 4, discriminable


@dataclass(frozen=True, eq=False)
class Domain:
    """Slots, their values and the venues; every size in the project is derived from here.

    informable: slots that the user may constrain, with their values; requestable: slots that the user may ask for;
    system_requestable: slots that the system may ask for, and over which goals are drawn.
    """

    name: str
    type: str
    informable: Mapping[str, tuple[str, ...]]
    requestable: tuple[str, ...]
    system_requestable: tuple[str, ...]
    methods: tuple[str, ...]
    discourse_acts: tuple[str, ...]
    venues: tuple[Mapping[str, str], ...]
    lexicon: Mapping[str, Mapping] = field(default_factory=dict)       # what slots are called (see lexicon.py)

    def __post_init__(self):
        _check(self)
        object.__setattr__(self, "system_requestable", tuple(sorted(self.system_requestable)))
        object.__setattr__(self, "_remembered", lru_cache(maxsize=MEMORY)(self._search))

    def __reduce__(self):
        """Copies, in this process or in another, begin with an empty memory."""
        return type(self), tuple(getattr(self, part.name) for part in fields(self))

    @cached_property
    def payload_slots(self) -> tuple[str, ...]:
        """What an inform may say beside the name; a master action picks any subset."""
        return tuple(slot for slot in self.requestable if slot != "name")

    @cached_property
    def info_slots(self) -> frozenset[str]:
        """Slots that only the user asks for: phone, address, ..."""
        return frozenset(self.payload_slots) - frozenset(self.system_requestable)

    @property
    def fingerprint(self) -> str:
        """Changes when any part of the domain does; snapshots carry it."""
        parts = [self.name, self.type, dict(self.informable), self.requestable, self.system_requestable,
                 self.methods, self.discourse_acts, [sorted(venue.items()) for venue in self.venues]]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    def match(self, constraints: Iterable[tuple[str, str]]) -> Match:
        """The venues that meet all (slot, value) pairs, in table order; dontcare is met by every venue."""
        return self._remembered(tuple(constraints))

    def _search(self, constraints: tuple[tuple[str, str], ...]) -> Match:
        venues, open_slots = self.venues, set(self.system_requestable)
        for slot, value in constraints:
            if value == DONTCARE:
                open_slots.discard(slot)
            else:
                venues = tuple([venue for venue in venues if venue[slot] == value])
        discriminable = any(len({venue[slot] for venue in venues}) > 1 for slot in open_slots)
        n = len(venues)
        return Match(venues, discriminable, tuple(map(float, (n == 0, n == 1, 2 <= n <= 4, n > 4, discriminable))))

    @cached_property
    def by_name(self) -> Mapping[str, Mapping[str, str]]:
        """name -> the first venue of that name."""
        return {venue["name"]: venue for venue in reversed(self.venues)}


def without(domain: Domain, slots: Iterable[str]) -> Domain:
    """The domain in which nobody can ask for or speak of some slots, though the venues still have them."""
    left_out = tuple(slots)
    if not left_out:
        return domain
    for slot in left_out:
        if slot not in domain.payload_slots:
            raise ValueError(f"slot to leave out is {slot!r}, expected one of {', '.join(domain.payload_slots)}")

    def kept(entries):
        return tuple(entry for entry in entries if entry not in left_out)
    return replace(domain, name=f"{domain.name} without {', '.join(left_out)}",
                   informable={slot: domain.informable[slot] for slot in kept(domain.informable)},
                   requestable=kept(domain.requestable), system_requestable=kept(domain.system_requestable))


def _check(domain: Domain) -> None:
    """Refuses an ontology and a table that do not fit together."""
    lists = {key: getattr(domain, key) for key in ("requestable", "system_requestable", "methods", "discourse_acts")}
    lists |= {f"informable {slot}": values for slot, values in domain.informable.items()}
    for key, entries in (lists | {"venues": domain.venues}).items():
        if not entries:
            raise ValueError(f"{key} of domain {domain.name} is empty, expected at least one entry")
    for key, values in lists.items():
        for value in {DONTCARE, NO_VENUE} & set(values) if key.startswith("informable") else ():
            raise ValueError(f"{key} of domain {domain.name} holds {value!r}, expected values that venues have")
        for value in values:
            if values.count(value) > 1:
                raise ValueError(f"{key} of domain {domain.name} holds {value!r} twice, expected it once")
    for slot in (*domain.system_requestable, "name"):
        if slot not in domain.informable or slot not in domain.requestable:
            raise ValueError(f"slot {slot!r} of domain {domain.name} is not informable and requestable, expected both")
    for venue in domain.venues:
        missing = {*domain.requestable, *domain.informable} - set(venue)
        if missing:
            raise ValueError(f"venue {venue.get('name')!r} of domain {domain.name} lacks {min(missing)!r}, expected"
                             " every slot")
        if venue["name"] in ("", DONTCARE, NO_VENUE):
            raise ValueError(f"name of a venue of domain {domain.name} is {venue['name']!r}, expected one to speak of")
