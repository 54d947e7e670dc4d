"""From English to acts: phrases are looked up, longest first, and a few rules say what they mean together."""
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate

from simulator.acts import ACT_TYPES, DONTCARE, NO_VENUE, Act, Item
from simulator.domain import Domain
from simulator.lexicon import MISSING, words
from simulator.phrases import Concept, phrases, tokens
from simulator.speak import detail, system_utterance

PAUSE, STOP, ASK, INDIFFERENT = map(Concept, ("pause", "stop", "ask", "indifferent"))
CARRIERS = ("hello", "affirm", "negate", "reqalts")     # wishes said together with these belong to the last of them
FILLERS = ("thankyou", "ack")                           # polite words count only where nothing else is said
HINTS = ("any", "indifferent", "not")                   # what they mean depends on the rest of the line
Part = tuple[str, Item | None]                          # an act type, or a hint such as "any", and perhaps an item


def understand_user(text: str, domain: Domain, system_act: Act | None = None) -> tuple[Act, ...]:
    """The acts in what a person typed, given what the system said before; () where nothing is understood."""
    kind, items = (system_act.type, system_act.items) if system_act else ("null", ())
    topic = items[0].slot if kind in ("request", "confirm", "select") and items else None
    doubted = topic if kind != "request" else None                 # the slot whose value the system asks about
    its = words(domain)[topic] if kind == "request" and topic else None
    parts = _read(text, domain, topic, doubted, kind == "confirm" or bool(its and its.yes))
    if its and its.yes and not any(item and item.slot == topic for _, item in parts):
        answers = {("affirm", None): its.yes, ("negate", None): its.no}         # "Should it have internet?" "Yes."
        parts = [("inform", Item(topic, answers[part])) if part in answers else part for part in parts]
    wishable = (*domain.informable, "type")                        # to wish for anything else is to ask for it
    return tuple(_acts([part if not part[1] or part[1].slot in wishable else ("request", Item(part[1].slot))
                        for part in parts], doubted))


def _read(text: str, domain: Domain, topic: str | None = None, doubted: str | None = None,
          confirming: bool = False) -> list[Part]:
    """What is said in a text, sentence by sentence."""
    return [part for sentence in _sentences(text, domain, topic)
            for part in _parts([*_settled(sentence, domain), STOP], domain, confirming, doubted)]


def _sentences(text: str, domain: Domain, topic: str | None) -> Iterator[list[Concept]]:
    """The concepts of each sentence; a phrase with several meanings takes the one that its surroundings suggest."""
    meanings = [*_look_up(tokens(text), phrases(domain)), [STOP]]
    sentence: list[Concept] = []
    for i, options in enumerate(meanings):
        around = [meanings[j] for j in (i - 1, i + 1, i - 2, i + 2) if 0 <= j < len(meanings)]
        hints = [*(c.slot for other in around for c in other if c.kind == "slot"), topic]
        concept = next((c for hint in hints for c in options if c.kind == "value" and c.slot == hint), options[0])
        if concept.kind not in ("stop", "noise"):
            sentence.append(concept)
        elif concept == STOP and sentence:
            yield sentence
            sentence = []


def _look_up(said: list[str], known: dict[str, list[Concept]]) -> Iterator[list[Concept]]:
    """What each phrase may stand for; the longest phrase wins, and unknown words are passed over."""
    longest = max(phrase.count(" ") for phrase in known) + 1
    i = 0
    while i < len(said):
        phrases = (" ".join(said[i:i + n]) for n in range(min(longest, len(said) - i), 0, -1))
        phrase = next((phrase for phrase in phrases if phrase in known), said[i])
        if phrase in known:
            yield known[phrase]
        elif phrase in ",.?!;":
            yield [PAUSE if phrase == "," else STOP]
        i += phrase.count(" ") + 1


def _settled(sentence: list[Concept], domain: Domain) -> Iterator[Concept]:
    """A slot beside its value adds nothing ("thai food"); one about which the user does not care gets that value."""
    wishes = ASK not in sentence
    sentence = [INDIFFERENT if wishes and (before.kind, c.kind) == ("slot", "any") and after in (PAUSE, STOP) else c
                for before, c, after in _in_context(sentence)]                   # "area any"
    kinds = reversed([c.kind for c in sentence])
    ahead = [*accumulate(kinds, lambda later, kind: later if kind == "slot" else kind)][::-1]
    careless = False
    for (before, c, after), next_kind in zip(_in_context(sentence), ahead):
        if c.kind == "slot":
            if any(near.kind == "value" and near.slot == c.slot for near in (before, after)):
                continue
            if c.slot in domain.informable and (careless or next_kind == "indifferent"):
                c = Concept("value", c.slot, DONTCARE)           # "any area", "the area does not matter"
        else:
            careless = c.kind in ("any", "indifferent")
            if careless and "slot" in (before.kind, after.kind):
                continue
        yield c


def _in_context(sentence: list[Concept]) -> Iterator[tuple[Concept, Concept, Concept]]:
    """Each concept between its neighbours."""
    return zip([STOP, *sentence], sentence, [*sentence[1:], STOP])


def _parts(sentence: list[Concept], domain: Domain, confirming: bool, doubted: str | None) -> Iterator[Part]:
    """What one sentence says, from left to right."""
    asking = all(c.kind in ("slot", "pause", "stop") and not c.value for c in sentence)      # "price range?"
    checking = denying = False
    for i, (c, after) in enumerate(zip(sentence, sentence[1:])):
        if c.kind == "slot" and c.value and not asking:
            c = c._replace(kind="value")                                     # "with parking"
        if c.kind == "value":
            other = words(domain)[c.slot].opposite(c.value)
            if other and denying:                                            # not yes is no
                c, other, denying = c._replace(value=other), c.value, False
            if other and Concept("instead") in sentence:
                yield "deny", Item(c.slot, other)
            about_name = i == 1 and sentence[0].kind == "be"                 # "is the brass heron cheap?"
            yield "deny" if denying else "confirm" if checking and not about_name else "inform", Item(c.slot, c.value)
        elif c.kind == "question" or c.kind == "slot" and (asking or c.slot in domain.info_slots):
            yield "request", Item(c.slot)
        elif c.kind == "negate" and after.value and (after.slot != doubted or words(domain)[doubted].yes):
            c = Concept("not")                                               # "no chinese food", but "no, thai"
        elif c.kind == "okay":
            yield "affirm" if confirming else "ack", None
        elif c.kind in HINTS or c.kind in ACT_TYPES:
            yield c.kind, None
        asking |= c.kind == "ask"
        checking |= c.kind == "check" or c.kind == "be" and i == 0 and after.slot == "name"
        denying = c.kind == "not" or denying and c.kind not in ("value", "pause")


def _acts(parts: list[Part], doubted: str | None) -> list[Act]:
    """The parts of a line put together: what is wished, asked, checked or denied, and the words around it."""
    wishes, denied, asked, checked = (list(dict.fromkeys(item for kind, item in parts if kind == role))
                                      for role in ("inform", "deny", "request", "confirm"))
    kinds = {kind for kind, item in parts if item is None}
    if "indifferent" in kinds or kinds == {"any"} and not (wishes or denied or asked or checked):
        wishes.insert(0, Item(doubted, DONTCARE))
    if any(item.slot != "type" for item in (*wishes, *denied, *asked, *checked)):
        kinds.discard("bye")                                                 # "cheap, that is all" is no goodbye
    if denied or asked or "reqalts" in kinds:
        wishes = [item for item in wishes if item.slot != "type"]
    acts = []
    for wrong in denied:
        right = [item for item in wishes if item.slot == wrong.slot]
        wishes = [item for item in wishes if item not in right]
        acts.append(Act("deny", (wrong, *right)))
    if asked:
        names = [item for item in wishes if item.slot == "name"]
        wishes = [item for item in wishes if item not in names]
        acts.append(Act("request", (*asked, *names)))
    if checked:
        acts.append(Act("confirm", tuple(checked)))
    carriers = [kind for kind in CARRIERS if kind in kinds] or ["inform"] * bool(wishes)
    acts = [Act(kind, tuple(wishes) if kind == carriers[-1] else ()) for kind in carriers] + acts
    acts += [Act(kind) for kind in ("repeat", "reqmore", "bye") if kind in kinds]
    return acts or [Act(kind) for kind in FILLERS if kind in kinds][:1] or [Act("negate") for kind in kinds & {"not"}]


def understand_system(text: str, domain: Domain) -> Act:
    """Reads a sentence of the system back, so that a simulated user can listen to it; null() for any other text."""
    said, (sentences, openings, opening, name) = text.strip().lower(), _grammar(domain)
    question = re.fullmatch(r"it (?:should|may) (.*), (is that right)\?|((?:should|may) it .*)\?", said)
    nothing = re.fullmatch(r"(?:i am sorry|apart from (.*)), there is no (.*)\.", said)
    if said in sentences:
        return sentences[said]
    if question:
        return Act("confirm" if question[2] else "select", _properties(question[1] or question[3], domain))
    if nothing:
        listed = tuple(Item("name", other, negated=True) for other in name.findall(nothing[1] or ""))
        return Act("inform", (Item("name", NO_VENUE), *listed, *_properties(nothing[2], domain)))
    head, *details = opening.split(said.removesuffix("."))
    subject = name.search(head)
    if not subject or head[:subject.start()] not in ("", "for ", "how about "):
        return Act("null")
    facts = zip(map(openings.get, details[::2]), details[1::2])
    return Act("inform", (Item("name", subject[0]), *_properties(head[subject.end():], domain),
                          *(Item(slot, MISSING[0] if value == "unknown" else value) for slot, value in facts)))


def _properties(text: str, domain: Domain) -> tuple[Item, ...]:
    """What "cheap restaurant serving thai food" says of a venue: what a user who said it would wish."""
    return tuple(item for kind, item in _read(text, domain) if kind == "inform" and item.slot != "type")


@lru_cache(maxsize=8)
def _grammar(domain: Domain) -> tuple[dict[str, Act], dict[str, str], re.Pattern, re.Pattern]:
    """Sentences without values, openings of details ("the phone number is ") with their slots, and what finds names."""
    acts = [*map(Act, ("hello", "reqmore", "bye", "null", "repeat")),
            *(Act("request", (Item(slot),)) for slot in domain.informable)]
    openings = {detail(Item(slot, value), domain).removesuffix(end): slot
                for slot in domain.requestable for value, end in (("", "unknown"), ("@", "@"))}
    names = {*domain.informable["name"], *(venue["name"] for venue in domain.venues)}
    return ({system_utterance(act, domain).lower(): act for act in acts}, openings,
            re.compile(rf"(?:[.,]| and) ({_any_of(openings)})"), re.compile(rf"(?<!\w)(?:{_any_of(names)})(?!\w)"))


def _any_of(phrases: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(filter(None, phrases), key=len, reverse=True)))
