"""The phrases that people use, and what each of them stands for in a domain."""
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from simulator.acts import DONTCARE, Item
from simulator.domain import Domain
from simulator.lexicon import MISSING, words
from simulator.speak import clause, does, modifier

# kind of concept: phrases; the longest phrase wins, so "what about" hides "what", and "dont care" hides "dont"
EVERYDAY = {
    "affirm": "yes, yeah, yep, yup, sure, right, correct, exactly, indeed, of course, absolutely, please do",
    "negate": "no, nope, nah, neither, wrong, incorrect, nothing, none, not really, not right, not correct",
    "okay": "ok, okay, alright, all right, fine, good, great, perfect, cool, take it, take that",
    "ack": "i see, got it, understood",
    "not": "not, dont, doesnt, shouldnt, isnt, without, instead of, rather than, anything but, other than, except, hate, "
           "anywhere but, everywhere but",
    "instead": "instead",
    "any": "any, anything, whatever, whichever, either, both, every, all",
    "indifferent": "dont care, dont really care, do not care, dont mind, do not mind, doesnt matter, does not matter, "
                   "dont matter, do not matter, no preference, no preferences, dont have a preference, "
                   "do not have a preference, not important, isnt important, up to you, not sure, no idea, surprise me",
    "ask": "what, whats, which, tell me, give me the, know, whether",
    "check": "is it, is this, is that, are they, is the place, is the restaurant, does it, does that, do they",
    "be": "is, does, are, do",
    "reqalts": "else, another, other, others, different, alternative, alternatives, next, next one, not that one",
    "hello": "hello, hi, hey, good morning, good afternoon, good evening, greetings",
    "thankyou": "thank you, thanks, thx, cheers",
    "bye": "bye, goodbye, good bye, good night, see you, farewell, that is all, thats all, that will be all, "
           "that is it, thats it, that is everything, thats everything, nothing else, nothing more, im done, "
           "i am done, quit, exit",
    "repeat": "repeat, say that again, say it again, pardon, come again, what did you say",
    "reqmore": "go on",
    "noise": "what about, how about, is there, are there, do you have, do you know a, do you know any, so",
    "pause": "but",
}
UNSAID = {*"a an and at for i in it me my of on or the to with".split(), DONTCARE, *MISSING}     # means nothing by itself


class Concept(NamedTuple):
    """What a phrase stands for: a kind of EVERYDAY, or a slot, a question for a slot, a value of a slot.

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
    known = {slot: words(domain)[slot] for slot in dict.fromkeys([*domain.requestable, *domain.informable])}

    def add(concept: Concept, *texts: str, unless_known: bool = False) -> None:
        for phrase in dict.fromkeys(" ".join(tokens(text)) for text in texts):
            if phrase not in UNSAID and not (unless_known and phrase in found):
                found.setdefault(phrase, []).append(concept)

    for kind, listed in EVERYDAY.items():
        add(Concept(kind), *listed.split(", "))
    for slot, its in known.items():
        add(Concept("slot", slot, its.yes), slot, its.noun, its.phrase if its.yes else "")
    # Adjectives come before values that are only said with their slot, and names that sound like a value after it.
    for slot in sorted(domain.informable, key=lambda slot: (slot == "name", not known[slot].adjectives)):
        its, told = known[slot], (venue[slot] for venue in domain.venues)
        for value in dict.fromkeys([*domain.informable[slot], *told, MISSING[0], DONTCARE]):
            item, rest = Item(slot, value), clause(Item(slot, value), domain)[2]
            if not its.opposite(value):
                bare = re.sub("^(an?|the) ", "", rest) if value not in UNSAID else rest
                add(Concept("value", slot, value or MISSING[0]), value, bare, does(item, domain), modifier(item, domain))
    for slot, its in known.items():
        add(Concept("slot", slot, its.yes), *its.also, unless_known=True)
        add(Concept("question", slot), *its.ask, unless_known=True)
        for value, synonyms in (its.values | its.adjectives).items():
            if value in (*domain.informable.get(slot, ()), DONTCARE):
                add(Concept("value", slot, value), *synonyms, unless_known=True)
    for name in domain.informable["name"]:
        add(Concept("value", "name", name), f"of {name}", f"whether {name}")
        add(Concept("value", "name", name), name.removeprefix("the "), unless_known=True)
    kinds = words(domain)["type"].values.get(domain.type, [])
    add(Concept("value", "type", domain.type), domain.type, f"{domain.type}s", *kinds)
    return found
