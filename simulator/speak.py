"""From acts to English: one clause per slot, so that every payload can be said.

Values are lower-case everywhere; the capitals that sentences add are taken away again by whoever reads them.
"""
import re
from collections.abc import Iterable, Sequence

from simulator.acts import DONTCARE, NO_VENUE, USER_ACTS, Act, Item
from simulator.domain import Domain
from simulator.lexicon import ENGLISH, MISSING, plural, words

ORDER = ("food", "area")                         # "a cheap restaurant serving thai food in the north of town"


def system_utterance(act: Act, domain: Domain) -> str:
    """What the system says, e.g. "Which part of town would suit you?"."""
    if act.type in ENGLISH["system"]:
        return ENGLISH["system"][act.type].format(domain.type)
    if act.type == "inform" and act.value("name"):
        return _capital(_inform(act, domain))
    if act.type == "request" and act.items:
        its = words(domain)[act.items[0].slot]
        return f"Should it {its.verb} {its.phrase}?" if its.yes else f"Which {its.noun} would suit you?"
    if act.type == "confirm" and act.items:
        return f"It {_modal(act.items[0])} {does(act.items[0], domain)}, is that right?"
    if act.type == "select" and act.items:
        return _capital(", or ".join(f"{_modal(item)} it {does(item, domain)}" for item in act.items) + "?")
    raise ValueError(f"act is {act}, expected something that the system says")


def _inform(act: Act, domain: Domain) -> str:
    """An offer, details, or the news that nothing matches."""
    name, pairs = act.value("name"), [item for item in act.items if item.slot != "name"]
    if name == NO_VENUE:
        listed = [shown(item) for item in act.items if item.negated]
        noun = domain.type if pairs or listed else f"such {domain.type}"
        nothing = f"there is no {noun_phrase(pairs, noun, domain)}."
        return f"apart from {_series(listed)}, {nothing}" if listed else f"i am sorry, {nothing}"
    subject = shown(Item("name", name))
    offer = [item for item in pairs
             if clause(item, domain)[1] != "have" or words(domain)[item.slot].opposite(item.value)]
    details = _series([detail(item, domain) for item in pairs if item not in offer])
    if not pairs:
        return f"how about {subject}?"
    if not offer:
        return f"for {subject}, {details}."
    whole = article(noun_phrase(offer, domain.type, domain))
    return f"{subject} is {whole}." + (f" {_capital(details)}." if details else "")


def user_utterance(act: Act, domain: Domain) -> str:
    """What the user says, e.g. "I would like a cheap restaurant."."""
    if act.type not in USER_ACTS:
        raise ValueError(f"act is {act}, expected something that the user says")
    pairs = [item for item in act.items if item.value is not None]
    if act.type == "request":
        first, *others = (item.slot for item in act.items if item.value is None)
        asked = [asked_for(first, domain, [*map(shown, pairs)]), *(asked_for(slot, domain) for slot in others)]
        return f"Could you tell me {_series(asked)}?"
    if act.type == "confirm":
        return _capital(_series([_question(item, domain) for item in pairs], ", and ") + "?")
    if act.type == "deny" and pairs:
        return _denial(pairs, domain)
    sentences = [ENGLISH["user"][act.type]]
    wishes = [item for item in pairs if item.slot is not None]
    if len(wishes) < len(pairs):
        sentences.append("I do not mind.")
    if wishes:
        pronoun = "place" if domain.type == "restaurant" else "option"
        noun = domain.type if any(item.slot == "type" for item in wishes) else pronoun
        sentences.append(f"I would like {article(noun_phrase(wishes, noun, domain))}.")
    return " ".join(filter(None, sentences))


def _denial(items: Sequence[Item], domain: Domain) -> str:
    """The first is wrong and the others are right; where there is only yes and no, the right one says it all."""
    wrong, *right = items
    its = words(domain)[wrong.slot]
    if its.yes:
        right = right or [Item(wrong.slot, its.opposite(wrong.value) or its.yes)]
        return f"It should {does(right[0], domain)} instead."
    rest = "".join(f", it should {does(item, domain)}" for item in right)
    return f"It should not {does(wrong, domain)}{rest}."


def clause(item: Item, domain: Domain) -> tuple[str, str, str]:
    """What a venue with this property does: ("", "serve", "thai food"), ("not ", "have", "internet")."""
    its, value = words(domain)[item.slot], item.value
    if value in MISSING:
        return "", "have", f"an unknown {its.noun}"
    if its.opposite(value) or its.yes and value == DONTCARE:
        return "not " * (value == its.no), its.verb, its.phrase + " or not" * (value == DONTCARE)
    before, _, after = its.phrase.partition("{}")
    if value == DONTCARE:
        verb, before = ("be", "in ") if its.adjectives else (its.verb, re.sub("(a|the) $", "", before))
        return "", verb, f"{before}any {its.noun}"
    if value in its.adjectives:
        return "", "be", its.adjectives[value][0]
    return "", its.verb, its.values[value][0] if value in its.values else _filled(before, shown(item), after)


def _filled(before: str, value: str, after: str) -> str:
    """A value in its phrase, no word twice: an exceptional battery rating, a light weight range, seafood."""
    first = after.strip().partition(" ")[0]
    text = value + (after.replace(f" {first}", "", 1) if first and value.endswith(first) else after)
    return article(text) if before == "a " else before + text


def does(item: Item, domain: Domain) -> str:
    """serve thai food"""
    return "{}{} {}".format(*clause(item, domain))


def modifier(item: Item, domain: Domain) -> str:
    """The same beside a noun: "serving thai food", "in the north of town", "cheap", "without internet"."""
    negation, verb, rest = clause(item, domain)
    if verb == "have":
        return f"with{'out' if negation else ''} {rest}"
    if verb == "be":
        return f"that is {negation}{rest}" if words(domain)[item.slot].yes else rest
    return f"{negation}{verb.removesuffix('e')}ing {rest}"


def noun_phrase(items: Iterable[Item], noun: str, domain: Domain) -> str:
    """cheap restaurant serving thai food in the north of town with parking and internet"""
    adjectives, clauses, others, having = [], [], [], []
    for item in sorted(items, key=lambda item: ORDER.index(item.slot) if item.slot in ORDER else 9):
        phrase = modifier(item, domain)
        if item.slot != "type":
            (adjectives if item.value in words(domain)[item.slot].adjectives else clauses if phrase.startswith("that ")
             else having if phrase.startswith("with ") else others).append(phrase)
    having = [f"with {_series([phrase.removeprefix('with ') for phrase in having])}"] if having else []
    return " ".join([*adjectives, noun, *clauses, *others, *having])


def detail(item: Item, domain: Domain) -> str:
    """A property as a sentence of its own; "unknown" where the table has nothing."""
    if item.slot == "description" and item.value not in MISSING:
        return f"it is described as {item.value}"
    asked = asked_for(item.slot, domain)
    be = "are" if asked.startswith("the ") and plural(asked) else "is"
    return f"{asked} {be} {'unknown' if item.value in MISSING else shown(item)}"


def asked_for(slot: str, domain: Domain, names: Sequence[str] = ()) -> str:
    """What one would like to know: "the phone number of Sitara", "whether it has internet"."""
    its = words(domain)[slot]
    if its.yes:
        verb = {"be": "is", "have": "has"}.get(its.verb, f"{its.verb}s")
        return f"whether {''.join(names) or 'it'} {verb} {its.phrase}"
    return f"the {its.noun}{''.join(f' of {name}' for name in names)}"


def shown(item: Item) -> str:
    """A value with its capitals: The Brass Heron, 12 Mill Row, CB1 2AB."""
    if item.slot in ("name", "addr"):
        return re.sub(r"(?<!\S)\w", lambda first: first[0].upper(), item.value)
    return item.value.upper() if item.slot == "postcode" else item.value


def _question(item: Item, domain: Domain) -> str:
    negation, verb, rest = clause(item, domain)
    return f"is it {negation}{rest}" if verb == "be" else f"does it {negation}{verb} {rest}"


def _modal(item: Item) -> str:
    return "may" if item.value == DONTCARE else "should"


def article(noun: str) -> str:
    """a cheap restaurant, an expensive restaurant, an 8 gb memory, a usb port"""
    return f"{'an' if re.match('(?!uni|us)[aeiou8]|1[18] ', noun) else 'a'} {noun}"


def _series(parts: Sequence[str], last: str = " and ") -> str:
    return last.join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
