"""Dialogue acts: what user and system say, e.g. inform(food=thai, area=north)."""
import re
from dataclasses import dataclass
from typing import NamedTuple

USER_ACTS = ("hello", "thankyou", "ack", "bye", "inform", "request", "reqalts", "reqmore", "confirm", "affirm",
             "negate", "deny", "repeat", "null")
SYSTEM_ACTS = ("request", "confirm", "select", "inform", "hello", "reqmore", "null", "bye")    # what users can answer
ACT_TYPES = frozenset(USER_ACTS + SYSTEM_ACTS)

DONTCARE = "dontcare"   # the value of a slot on which the user has no preference
NO_VENUE = "none"       # inform(name=none, ...): nothing matches


class Item(NamedTuple):
    """One part of an act: food=thai, name!=x (negated), phone (no value) or =dontcare (no slot)."""

    slot: str | None
    value: str | None = None
    negated: bool = False

    def __str__(self) -> str:
        if self.value is None:
            return self.slot
        return (self.slot or "") + ("!=" if self.negated else "=") + _quote(self.value)


@dataclass(frozen=True, eq=False)
class Act:
    """A type and its items. Two acts are equal if they say the same things, in whatever order."""

    type: str
    items: tuple[Item, ...] = ()

    def __post_init__(self):
        if self.type not in ACT_TYPES:
            raise ValueError(f"act type is {self.type!r}, expected one of {', '.join(sorted(ACT_TYPES))}")

    def value(self, slot: str) -> str | None:
        """The value that this act states for a slot, None where it states none."""
        for item in self.items:
            if item.slot == slot and not item.negated and item.value is not None:
                return item.value
        return None

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Act) and self.type == other.type and len(self.items) == len(other.items)
                and (self.items == other.items or set(self.items) == set(other.items)))

    def __hash__(self) -> int:
        return hash((self.type, frozenset(self.items)))

    def __str__(self) -> str:
        return f"{self.type}({', '.join(map(str, self.items))})"


_PLAIN = re.compile(r"[^\s,=!()\"\\](?:[^,=!()\"\\]*[^\s,=!()\"\\])?")


def _quote(value: str) -> str:
    """Values with punctuation are quoted, so that an address or an empty text survives parsing."""
    if _PLAIN.fullmatch(value):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
