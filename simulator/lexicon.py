"""What slots and values are called: as the domain's lexicon says, or english.json, or as they are spelt.

A lexicon is an object from slots to entries; every part of an entry is optional, and commas part phrases.

    {"sysmemory": {"noun": "memory", "also": "ram"},
     "stars": {"clause": "be rated {}", "values": {"1": "rated with one star, single star"}},
     "weightrange": {"adjectives": {"heavy": "heavy, solid"}},
     "dogsallowed": {"clause": "allow dogs"}}

noun: what the slot is called, also: what people call it too, ask: what asks for it by itself ("how much"); clause: what
a venue with a value does, for a yes/no slot one with a yes; values: what follows the verb for a value, then its other
names; adjectives: the same for values that stand before the noun.
"""
import json
import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from simulator.domain import Domain

ENGLISH = json.loads(Path(__file__).with_name("english.json").read_text(encoding="utf-8"))
TEXTS, TABLES = ("noun", "also", "ask", "clause"), ("values", "adjectives")
MISSING = ("not available", "")                  # how tables spell a detail that nobody knows
YES_NO = (("1", "0"), ("true", "false"), ("yes", "no"), ("y", "n"))
VERBS = ENGLISH["spelling"]["verbs"]             # "is", "has": how the name of a yes/no slot may begin


class Words(NamedTuple):
    """What is said of one slot."""

    noun: str                            # "battery rating", "kind of food"
    verb: str                            # "have", "serve", "be"
    phrase: str                          # "a {} battery rating", "{} food", "in {}"; of a yes/no slot "internet"
    yes: str | None                      # the values of a yes/no slot
    no: str | None
    also: list[str]
    ask: list[str]
    values: dict[str, list[str]]
    adjectives: dict[str, list[str]]

    def opposite(self, value: str | None) -> str | None:
        """The other value of a yes/no slot; None for all that is neither."""
        return {self.yes: self.no, self.no: self.yes}.get(value)


@lru_cache(maxsize=8)
def words(domain: Domain) -> dict[str, Words]:
    """slot -> what is said of it, for all slots and the type."""
    slots = dict.fromkeys([*domain.requestable, *domain.informable, "type"])
    spoken = [word for slot, values in domain.informable.items() if slot != "name" for word in " ".join(values).split()]
    common = [*phrases_in(ENGLISH["spelling"]["words"]), *phrases_in(ENGLISH["spelling"]["states"]), *VERBS]
    found = {}
    for slot in slots:
        own = [word for word in (*slots, *spoken) if len(word) > 2 and word != slot]
        known = {word: word for word in (*own, *common)} | ENGLISH["spelling"]["short"]
        name = [word for part in re.split("[_-]", slot) for word in spelled(part, known)]
        values = domain.informable.get(slot) or {venue.get(slot, "") for venue in domain.venues} - {*MISSING}
        found[slot] = _words(name, values, ENGLISH["slots"].get(slot, {}) | domain.lexicon.get(slot, {}))
    return found


def _words(name: list[str], values: Collection[str], entry: Mapping) -> Words:
    """From the words of the slot's name, its values and what a lexicon says of it."""
    yes, no = next((pair for pair in YES_NO if {*pair} == {*values}), (None, None))
    verb = VERBS.get(name[0]) or ("be" if name[0] in phrases_in(ENGLISH["spelling"]["states"]) else "have")
    noun = entry.get("noun") or " ".join(name[name[0] in VERBS and len(name) > 1:])
    clause = f"{verb} {noun}" if yes else f"have {'' if plural(noun) or name[0] == 'has' else 'a '}{{}} {noun}"
    if "clause" in entry and ("{}" in entry["clause"]) != bool(yes):       # one for yes/no slots does not fit another
        clause = entry["clause"]
    verb, _, phrase = clause.partition(" ")
    also, ask = (phrases_in(entry.get(part, "")) for part in ("also", "ask"))
    tables = [{value: phrases_in(said) for value, said in entry.get(part, {}).items()} for part in TABLES]
    return Words(noun, verb, phrase, yes, no, also, ask, *tables)


def plural(noun: str) -> bool:
    return re.search("[^s]s$", noun) is not None


def phrases_in(text: str) -> list[str]:
    """The phrases of a text, which commas part."""
    return [phrase.strip() for phrase in text.split(",") if phrase.strip()]


def spelled(name: str, known: Mapping[str, str]) -> list[str]:
    """The fewest known words that a name is made of, [name] if there are none: batteryrating -> battery, rating."""
    ways: dict[int, list[str]] = {0: []}
    for end in range(1, len(name) + 1):
        ends_here = [ways[i] + [known[name[i:end]]] for i in ways if name[i:end] in known]
        if ends_here:
            ways[end] = min(ends_here, key=len)
    return ways.get(len(name), [name])


def load_lexicon(path: str | PathLike, domain: Domain) -> dict[str, dict]:
    """A lexicon for a domain, lower-cased; dataclasses.replace(domain, lexicon=...) makes the domain speak so."""
    try:
        lexicon = json.loads(Path(path).read_text(encoding="utf-8-sig").lower())
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"lexicon is {path}, expected a JSON file: {error}") from None
    strange = lexicon.keys() - words(domain) if isinstance(lexicon, dict) else [lexicon]
    if strange:
        raise ValueError(f"lexicon {path} holds {min(strange)!r}, expected entries for {', '.join(words(domain))}")
    for slot, entry in lexicon.items():
        values = 0 if words(domain)[slot].yes else 1
        if not _fits(entry, values):
            raise ValueError(f"lexicon {path}: {slot} is {json.dumps(entry)}, expected texts for {', '.join(TEXTS)} "
                             f"(a verb and more, {values} times {{}}) and objects of texts for {' or '.join(TABLES)}")
    return lexicon


def _fits(entry: object, values: int) -> bool:
    """Is it an entry whose clause takes so many values?"""
    if not (isinstance(entry, dict) and entry.keys() <= {*TEXTS, *TABLES}):
        return False
    nested = [said.values() if isinstance(said, dict) else [None] for part, said in entry.items() if part in TABLES]
    texts = [*(entry[part] for part in TEXTS if part in entry), *(text for table in nested for text in table)]
    clause = entry.get("clause", "do {}" if values else "do so")
    return all(isinstance(t, str) and phrases_in(t) for t in texts) and clause.count("{}") == values and " " in clause
