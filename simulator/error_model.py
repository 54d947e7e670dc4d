"""The noisy channel between what the user says and what the system hears: confusions and N-best lists."""
import json
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from numbers import Integral, Real
from pathlib import Path

import numpy as np

from simulator.acts import DONTCARE, USER_ACTS, Act, Item
from simulator.domain import Domain

Heard = list[tuple[Act, float]]                # hypotheses and their confidences, which sum to 1

WITH_PAIR = frozenset(("inform", "confirm", "affirm", "negate", "reqalts"))
CONFUSE_TYPE, CONFUSE_SLOT = 0.2, 0.3          # otherwise a value
TRIES = 25
MAX_NBEST = 100                                # more hypotheses than any recogniser lists
NEAREST, SOFTENING = 6, 0.15                   # how many similar words a recogniser confuses, and how evenly
CHANNELS = ("sampled", "uniform", "dstc2")

# Statistics of a speech recogniser by rank in the list; the last of six stands for all further ranks. truth_if_wrong:
# where the truth stands in a wrong list, sixth: nowhere; confidences: their means, then their variances.
TABLES = json.loads(Path(__file__).with_name("recogniser.json").read_text(encoding="utf-8"))
LEAST_DEVIATION = 1e-4, 1e-5                   # of a confidence in the list, and beyond its end


class Channel:
    """Turns a user act into the N-best list that the system hears.

    kind: "uniform" makes lists of exactly nbest hypotheses, "sampled" of any length up to that; each is wrong with
    probability error_rate, in any way. "dstc2" imitates a speech recogniser, which confuses what is spelt alike and
    makes lists as its tables say.
    """

    def __init__(self, domain: Domain, rng: np.random.Generator, error_rate: float = 0.0, nbest: int = 1,
                 kind: str = "sampled", tables: str = "default"):
        if not (isinstance(error_rate, Real) and 0 <= error_rate <= 1):
            raise ValueError(f"error_rate is {error_rate!r}, expected a number from 0 to 1")
        if not (isinstance(nbest, Integral) and 1 <= nbest <= MAX_NBEST):
            raise ValueError(f"nbest is {nbest!r}, expected a whole number from 1 to {MAX_NBEST}")
        for name, choice, choices in (("channel", kind, CHANNELS), ("tables", tables, TABLES)):
            if choice not in choices:
                raise ValueError(f"{name} is {choice!r}, expected one of {', '.join(choices)}")
        self.tables = TABLES[tables]
        self.domain, self.rng, self.error_rate, self.nbest, self.kind = domain, rng, error_rate, nbest, kind
        self.values = {slot: (*values, DONTCARE) for slot, values in domain.informable.items()}

    def hear(self, act: Act) -> Heard:
        if self.kind == "dstc2":
            return self.hear_as_dstc2(act)
        n = self.nbest if self.kind == "uniform" else 1 + int(self.rng.random() * self.nbest)
        heard = [(self.confuse(act) if self.rng.random() < self.error_rate else act, 1.0 / n) for _ in range(n)]
        return heard if n == 1 else merge(heard)

    def hear_as_dstc2(self, act: Act) -> Heard:
        """One draw decides whether the turn is misheard; tables give the length, the truth's rank, the confidences."""
        tables, wrong = self.tables, self.rng.random() < self.error_rate
        n = min(1 + self.rank(tables["length_if_wrong" if wrong else "length_if_right"]), self.nbest)
        at = self.rank(tables["truth_if_wrong"]) if wrong else 0
        acts: list[Act] = []
        for i in range(n):
            tries = (self.confuse(act) for _ in range(TRIES))
            acts.append(act if i == at else next((new for new in tries if new not in acts), act))
        # Lists without the truth look as sure of themselves as right ones: that is how the recogniser fails.
        mean, variance = tables["confidence_if_wrong" if wrong and at < n else "confidence_if_right"]
        deviation = np.maximum(np.sqrt(variance), np.where(np.arange(len(mean)) < n, *LEAST_DEVIATION))
        scores = self.rng.normal(mean, deviation).clip(0.01, 0.99)
        return merge(list(zip([*acts, Act("null")], [*scores[:n].tolist(), float(scores[n:].sum())])))

    def rank(self, weights: Sequence[float]) -> int:
        """An index drawn in proportion to these weights."""
        cumulative = list(accumulate(weights))
        return bisect_right(cumulative, self.rng.random() * cumulative[-1])

    def pick(self, options: Sequence[str]) -> str:
        return options[int(self.rng.random() * len(options))]

    def other(self, word: str, options: tuple[str, ...]) -> str:
        """A wrong word: any of the others, or for the speech recogniser one of the most similar."""
        if self.kind != "dstc2":
            return self.pick([option for option in options if option != word])
        words, weights = similar(word, options)
        return words[self.rank(weights)]

    def confuse(self, act: Act) -> Act:
        """A wrong act that is not bye; the truth where no try gives one."""
        for _ in range(TRIES):
            draw = self.rng.random()
            if not act.items or act.items[0].slot is None or draw < CONFUSE_TYPE:
                wrong = self.confuse_type(act)
            elif draw < CONFUSE_TYPE + CONFUSE_SLOT:
                wrong = Act(act.type, tuple(self.confuse_slot(item) for item in act.items))
            else:
                wrong = self.confuse_value(act)
            if wrong.type != "bye" and wrong != act:
                return wrong
        return act

    def confuse_type(self, act: Act) -> Act:
        kind = self.other(act.type, USER_ACTS)
        slot = self.pick(self.domain.requestable)
        if kind == "request":
            return Act(kind, (Item(slot),))
        return Act(kind, (Item(slot, self.any_value(slot)),) if kind in WITH_PAIR else ())

    def confuse_slot(self, item: Item) -> Item:
        if item.slot == "type" and self.kind == "dstc2":
            return item
        slot = self.other(item.slot, self.domain.requestable)
        return Item(slot, None if item.value is None else self.any_value(slot))

    def confuse_value(self, act: Act) -> Act:
        i = int(self.rng.random() * len(act.items))
        item = act.items[i]
        if item.value is None or item.slot not in self.values:
            return act
        wrong = Item(item.slot, self.other(item.value, self.values[item.slot]))
        return Act(act.type, (*act.items[:i], wrong, *act.items[i + 1:]))

    def any_value(self, slot: str) -> str | None:
        return self.pick(self.values[slot]) if slot in self.values else None


@lru_cache(maxsize=10_000)
def similar(word: str, options: tuple[str, ...]) -> tuple[list[str], list[float]]:
    """The options nearest to a word in edits, and how likely each is taken for it: nearly as 1 / distance."""
    distance = {option: edit_distance(word, option) for option in options if option != word}
    nearest = sorted(distance, key=distance.get)[:NEAREST]
    total = sum(1 / distance[option] for option in nearest)
    return nearest, [1 / distance[option] / total + SOFTENING for option in nearest]


def edit_distance(a: str, b: str) -> int:
    """How many letters must be inserted, deleted or replaced to turn one word into the other."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
    return row[-1]


def merge(heard: Heard) -> Heard:
    """Equal hypotheses become one, impossible ones none; the surest comes first, and the confidences sum to 1."""
    total: dict[Act, float] = {}
    for act, confidence in heard:
        if confidence > 0:
            total[act] = total.get(act, 0.0) + confidence
    mass = sum(total.values())
    return sorted(((act, confidence / mass) for act, confidence in total.items()), key=lambda pair: -pair[1])
