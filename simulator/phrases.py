"""The phrases that people use, and what each of them stands for in a domain."""
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from simulator.acts import DONTCARE, Item
from simulator.domain import Domain
from simulator.lexicon import ENGLISH, MISSING, phrases_in, words
from simulator.speak import clause, does, modifier

UNSAID = {*"a an and at for i in it me my of on or the to with".split(), DONTCARE, *MISSING}     # mean nothing alone


class Concept(NamedTuple):
    """What a phrase stands for: an everyday kind of phrase, or a slot, a question for a slot, a value of a slot.

    The name of a yes/no slot comes with its yes: "parking" asks for it or wishes it.
    """

    kind: str
    slot: str | None = None
    value: str | None = None


def tokens(text: str) -> list[str]:
    """Numbers, words without accents, capitals and apostrophes, and the marks that part sentences."""
    plain = unicodedata.normalize("NFKD", text).lower().replace("&", " and ")
    plain = "".join(c for c in plain if not unicodedata.combining(c) and c not in "'’`")
    return re.findall(r"\d+(?:\.\d+)*|[^\W\d_]+\+*|[.?!;,]", plain)


@lru_cache(maxsize=8)
def phrases(domain: Domain) -> dict[str, list[Concept]]:
    """phrase -> what it may stand for; where it is ambiguous, its everyday meaning comes first."""
    found: dict[str, list[Concept]] = {}
    for concept, text in _said(domain):
        found.setdefault(" ".join(tokens(text)), []).append(concept)
    for concept, text in _also_said(domain):                             # only what has no meaning yet
        found.setdefault(" ".join(tokens(text)), [concept])
    return {phrase: concepts for phrase, concepts in found.items() if phrase not in UNSAID}


def _said(domain: Domain) -> Iterator[tuple[Concept, str]]:
    """Everyday phrases, and everything that speak.py says."""
    slots, its = _slots(domain), words(domain)
    yield from ((Concept(kind), phrase) for kind, listed in ENGLISH["everyday"].items()
                for phrase in phrases_in(listed))
    yield from ((Concept("slot", slot, its[slot].yes), name) for slot in slots for name in (slot, its[slot].noun))
    yield from ((Concept("slot", slot, its[slot].yes), its[slot].phrase) for slot in slots if its[slot].yes)
    # Adjectives come before values that are only said with their slot, and names that sound like a value after it.
    for slot in sorted(domain.informable, key=lambda slot: (slot == "name", not its[slot].adjectives)):
        in_table = (venue[slot] or MISSING[0] for venue in domain.venues)
        for value in dict.fromkeys([*domain.informable[slot], *in_table, MISSING[0], DONTCARE]):
            item = Item(slot, value)
            if not its[slot].opposite(value):
                for text in (value, clause(item, domain)[2], does(item, domain), modifier(item, domain)):
                    yield Concept("value", slot, value), text
    for name in domain.informable["name"]:
        yield from ((Concept("value", "name", name), f"{before} {name}") for before in ("of", "whether"))
    yield from ((Concept("value", "type", domain.type), text) for text in (domain.type, f"{domain.type}s"))


def _also_said(domain: Domain) -> Iterator[tuple[Concept, str]]:
    """What else people call slots and values: as the lexicon says, or in short."""
    its = words(domain)
    for slot in (*_slots(domain), "type"):
        yield from ((Concept("slot", slot, its[slot].yes), phrase) for phrase in its[slot].also)
        yield from ((Concept("question", slot), phrase) for phrase in its[slot].ask)
        values = (*domain.informable.get(slot, ()), DONTCARE, domain.type)
        for value, synonyms in (its[slot].values | its[slot].adjectives).items():
            yield from ((Concept("value", slot, value), phrase) for phrase in synonyms if value in values)
    yield from ((Concept("value", "name", name), name.removeprefix("the ")) for name in domain.informable["name"])
    shorts = [(slot, short) for slot in _slots(domain)
              for short in (its[slot].noun.partition(" ")[2], its[slot].noun.rpartition(" ")[0])]
    for slot, short in shorts:
        if [other for _, other in shorts].count(short) == 1:             # "battery" for a battery rating
            yield Concept("slot", slot, its[slot].yes), short
            for value in domain.informable.get(slot, ()):
                yield Concept("value", slot, value), f"{value} {short}"


def _slots(domain: Domain) -> list[str]:
    return [slot for slot in words(domain) if slot != "type"]
