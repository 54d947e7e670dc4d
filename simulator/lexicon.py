"""The words that people use, and what each of them stands for in a domain."""
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from simulator.acts import DONTCARE
from simulator.domain import Domain
from simulator.speak import MISSING, words

# kind of concept: phrases; the longest phrase wins, so "what about" hides "what", and "dont care" hides "dont"
PHRASES = {
    "affirm": "yes, yeah, yep, yup, sure, right, correct, exactly, indeed, of course, absolutely, please do",
    "negate": "no, nope, nah, neither, wrong, incorrect, nothing, none, not really, not right, not correct",
    "okay": "ok, okay, alright, all right, fine, good, great, perfect, cool, take it, take that",
    "ack": "i see, got it, understood",
    "not": "not, dont, doesnt, shouldnt, isnt, instead of, rather than, anything but, other than, except, hate, "
           "anywhere but, everywhere but",
    "any": "any, anything, whatever, whichever, either, both, every, all",
    "indifferent": "dont care, dont really care, do not care, dont mind, do not mind, doesnt matter, does not matter, "
                   "dont matter, do not matter, no preference, no preferences, dont have a preference, "
                   "do not have a preference, not important, isnt important, up to you, not sure, no idea, surprise me",
    "ask": "what, whats, which, tell me, give me the, know",
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
    "noise": "what about, how about, is there, are there, do you have, so",
    "pause": "but",
}
# what a slot is also called, and what asks for it without any further word
SLOT_WORDS = {
    "addr": "street", "area": "location, part of the town, part of the city, side of town",
    "food": "cuisine, type of food, sort of food, food type, kind of cuisine, type of cuisine", "name": "called, named",
    "phone": "telephone, telephone number, number, contact number", "pricerange": "price, prices, cost",
    "postcode": "post code, postal code, zip, zip code", "signature": "specialty, speciality, special dish",
    "description": "more information, more info, more details, tell me more, describe it"}
QUESTIONS = {
    "addr": "where is, where are, where can i find, how do i get there",
    "pricerange": "how much, how expensive, how cheap, how pricey", "food": "what do they serve, what does it serve",
    "description": "what is it like, whats it like"}
SYNONYMS = {
    "area": {"centre": "center, central, downtown, city centre, city center, town centre, town center, middle of town",
             "north": "northern, chesterton", "south": "southern, trumpington", "east": "eastern, romsey",
             "west": "western, newnham", DONTCARE: "anywhere, everywhere, wherever"},
    "pricerange": {"cheap": "cheaper, budget, inexpensive, low cost, affordable, low priced",
                   "moderate": "moderately, moderately priced, mid, mid range, mid priced, medium, average, "
                               "reasonable, reasonably priced, not too expensive, not so expensive",
                   "expensive": "pricey, costly, upmarket, posh, fancy, high end"},
    "food": {"asian oriental": "asian, oriental", "italian": "pizza, pasta", "north american": "american",
             "japanese": "sushi", "indian": "curry", "spanish": "tapas", "seafood": "fish",
             "gastropub": "pub, gastro pub", "barbeque": "barbecue, bbq", "steakhouse": "steak, steaks",
             "vegetarian": "vegan, veggie", "corsica": "corsican"}}
TYPES = {"restaurant": "place to eat, places to eat, somewhere to eat, something to eat"}


class Concept(NamedTuple):
    """What a phrase stands for: a kind of PHRASES, or a slot, a question for a slot, a value of a slot."""

    kind: str
    slot: str | None = None
    value: str | None = None


def tokens(text: str) -> list[str]:
    """Words without accents, capitals and apostrophes, and the marks that part sentences."""
    plain = unicodedata.normalize("NFKD", text).lower().replace("&", " and ")
    plain = "".join(c for c in plain if not unicodedata.combining(c) and c not in "'’`")
    return re.findall(r"[^\W_]+|[.?!;,]", plain)


@lru_cache(maxsize=8)
def lexicon(domain: Domain) -> dict[str, list[Concept]]:
    """phrase -> what it may stand for; where it is ambiguous, its everyday meaning comes first."""
    found: dict[str, list[Concept]] = {}

    def add(concept: Concept, *phrases: str, unless_known: bool = False) -> None:
        for phrase in filter(None, (" ".join(tokens(phrase)) for phrase in phrases)):
            if not (unless_known and phrase in found):
                found.setdefault(phrase, []).append(concept)

    for kind, phrases in PHRASES.items():
        add(Concept(kind), *phrases.split(", "))
    slots = dict.fromkeys([*domain.requestable, *domain.informable])
    for slot in slots:
        add(Concept("slot", slot), *dict.fromkeys((slot, words(slot))))
        add(Concept("value", slot, MISSING[0]), f"unknown {words(slot)}")
    for slot, values in domain.informable.items():
        for value in values:
            add(Concept("value", slot, value), value)
    for slot in slots:
        add(Concept("slot", slot), *SLOT_WORDS.get(slot, "").split(", "), unless_known=True)
        add(Concept("question", slot), *QUESTIONS.get(slot, "").split(", "), unless_known=True)
        for value, synonyms in SYNONYMS.get(slot, {}).items():
            if value in (*domain.informable.get(slot, ()), DONTCARE):
                add(Concept("value", slot, value), *synonyms.split(", "), unless_known=True)
    for name in domain.informable["name"]:
        add(Concept("value", "name", name), name.removeprefix("the "), unless_known=True)
    add(Concept("value", "type", domain.type), domain.type, f"{domain.type}s", *TYPES.get(domain.type, "").split(", "))
    return found
