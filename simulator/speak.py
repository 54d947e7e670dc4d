"""From acts to English: one clause per slot, so that every payload can be said.

Values are lower-case everywhere; the capitals that sentences add are taken away again by whoever reads them.
"""
import re
from collections.abc import Iterable, Sequence

from simulator.acts import DONTCARE, NO_VENUE, USER_ACTS, Act, Item
from simulator.domain import Domain

WORDS = {"addr": "address", "area": "part of town", "food": "kind of food", "phone": "phone number",
         "pricerange": "price range", "signature": "signature dish"}
MISSING = ("not available", "")                  # how tables spell a detail that nobody knows
SAID_IN_OFFER = ("pricerange", "food", "area")   # "a cheap restaurant serving thai food in the north of town"
COMPASS = ("centre", "north", "south", "east", "west")
PRICES = {"cheap": "cheap", "budget": "budget", "moderate": "moderately priced", "expensive": "expensive"}
NOT_ADJECTIVES = {"the americas": "food of the americas", "corsica": "food from corsica",
                  "christmas": "christmas dinners", "afternoon tea": "afternoon tea", "canapes": "canapes",
                  "light bites": "light bites", "molecular gastronomy": "molecular gastronomy"}

SYSTEM_SENTENCES = {"reqmore": "Can I help you with anything else?", "bye": "Goodbye!",
                    "null": "Sorry, I did not understand that.", "repeat": "Could you say that again, please?"}
USER_OPENINGS = {"hello": "Hello.", "affirm": "Yes.", "negate": "No.", "reqalts": "Is there anything else?",
                 "thankyou": "Thank you.", "ack": "I see.", "bye": "Goodbye.", "repeat": "Could you say that again?",
                 "null": "Hmm.", "reqmore": "Go on.", "inform": ""}


def system_utterance(act: Act, domain: Domain) -> str:
    """What the system says, e.g. "Which part of town would suit you?"."""
    if act.type == "hello":
        return f"Hello! What kind of {domain.type} are you looking for?"
    if act.type in SYSTEM_SENTENCES:
        return SYSTEM_SENTENCES[act.type]
    if act.type == "inform" and act.value("name"):
        return _capital(_inform(act, domain))
    if act.type == "request" and act.items:
        return f"Which {words(act.items[0].slot)} would suit you?"
    if act.type == "confirm" and act.items:
        return f"It {_modal(act.items[0])} {' '.join(clause(act.items[0]))}, is that right?"
    if act.type == "select" and act.items:
        return _capital(", or ".join(f"{_modal(item)} it {' '.join(clause(item))}" for item in act.items) + "?")
    raise ValueError(f"act {act} is nothing that the system says")


def _inform(act: Act, domain: Domain) -> str:
    """An offer, details, or the news that nothing matches."""
    name, pairs = act.value("name"), [item for item in act.items if item.slot != "name"]
    if name == NO_VENUE:
        listed = [shown(item) for item in act.items if item.slot == "name" and item.negated]
        nothing = f"there is no {noun_phrase(pairs, domain.type if pairs or listed else f'such {domain.type}')}."
        return f"apart from {_series(listed)}, {nothing}" if listed else f"i am sorry, {nothing}"
    subject = shown(Item("name", name))
    offer = [item for item in pairs if item.slot in SAID_IN_OFFER and item.value not in MISSING]
    details = _series([detail(item) for item in pairs if item not in offer])
    if not pairs:
        return f"how about {subject}?"
    if not offer:
        return f"for {subject}, {details}."
    return f"{subject} is {article(noun_phrase(offer, domain.type))}." + (f" {_capital(details)}." if details else "")


def user_utterance(act: Act, domain: Domain) -> str:
    """What the user says, e.g. "I would like a cheap restaurant."."""
    if act.type not in USER_ACTS:
        raise ValueError(f"act {act} is nothing that the user says")
    pairs = [item for item in act.items if item.value is not None]
    if act.type == "request":
        asked = _series([f"the {words(item.slot)}" for item in act.items if item.value is None])
        return f"Could you tell me {asked}{''.join(f' of {shown(item)}' for item in pairs)}?"
    if act.type == "confirm":
        return _capital(_series([_question(item) for item in pairs], ", and ") + "?")
    if act.type == "deny" and pairs:
        wants = [f"it should {' '.join(clause(item))}" for item in pairs]
        return _capital(", ".join([wants[0].replace("should", "should not", 1), *wants[1:]]) + ".")
    sentences = [USER_OPENINGS["negate" if act.type == "deny" else act.type]]
    wishes = [item for item in pairs if item.slot is not None]
    if len(wishes) < len(pairs):
        sentences.append("I do not mind.")
    if wishes:
        pronoun = "place" if domain.type == "restaurant" else "option"
        noun = domain.type if any(item.slot == "type" for item in wishes) else pronoun
        sentences.append(f"I would like {article(noun_phrase(wishes, noun))}.")
    return " ".join(filter(None, sentences))


def words(slot: str) -> str:
    """What people call a slot."""
    return WORDS.get(slot, slot)


def clause(item: Item) -> tuple[str, str]:
    """What a venue with this property does, as (verb, rest): ("serve", "thai food"), ("be", "cheap")."""
    slot, value = item.slot, item.value
    if value in MISSING:
        return "have", f"an unknown {words(slot)}"
    if value == DONTCARE:
        return {"food": "serve", "area": "be in", "pricerange": "be in"}.get(slot, "have"), f"any {words(slot)}"
    if slot == "food":
        return "serve", NOT_ADJECTIVES.get(value, value if value.endswith("food") else f"{value} food")
    if slot == "area":
        return "be in", f"the {value} of town" if value in COMPASS else value
    if slot == "pricerange" and value in PRICES:
        return "be", PRICES[value]
    if slot in ("name", "type"):
        return ("be called", shown(item)) if slot == "name" else ("be", article(value))
    return "have", f"the {words(slot)} {value}"


def modifier(item: Item) -> str:
    """The same beside a noun: "serving thai food", "in the north of town", "cheap"."""
    verb, rest = clause(item)
    beside_noun = {"serve": "serving ", "have": "with ", "be": ""}.get(verb, verb.removeprefix("be ") + " ")
    return beside_noun + rest


def noun_phrase(items: Iterable[Item], noun: str) -> str:
    """cheap restaurant serving thai food in the north of town"""
    adjectives, others = [], []
    for item in sorted(items, key=lambda item: SAID_IN_OFFER.index(item.slot) if item.slot in SAID_IN_OFFER else 9):
        if item.slot != "type":
            (adjectives if clause(item)[0] == "be" else others).append(modifier(item))
    return " ".join([*adjectives, noun, *others])


def detail(item: Item) -> str:
    """A property as a sentence of its own; "unknown" where the table has nothing."""
    if item.slot == "description" and item.value not in MISSING:
        return f"it is described as {item.value}"
    return f"the {words(item.slot)} is {'unknown' if item.value in MISSING else shown(item)}"


def shown(item: Item) -> str:
    """A value with its capitals: The Brass Heron, 12 Mill Row, CB1 2AB."""
    if item.slot in ("name", "addr"):
        return re.sub(r"(?<!\S)\w", lambda first: first[0].upper(), item.value)
    return item.value.upper() if item.slot == "postcode" else item.value


def _question(item: Item) -> str:
    verb, rest = clause(item)
    return f"is it{verb.removeprefix('be')} {rest}" if verb.startswith("be") else f"does it {verb} {rest}"


def _modal(item: Item) -> str:
    return "may" if item.value == DONTCARE else "should"


def article(noun: str) -> str:
    """a cheap restaurant, an expensive restaurant"""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _series(parts: Sequence[str], last: str = " and ") -> str:
    return last.join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
