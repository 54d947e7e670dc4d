"""The noisy channel between what the user says and what the system hears: confusions and N-best lists."""
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from simulator.acts import DONTCARE, USER_ACTS, Act, Item
from simulator.domain import Domain

Heard = list[tuple[Act, float]]                # hypotheses and their confidences, which sum to 1

WITH_PAIR = frozenset(("inform", "confirm", "affirm", "negate", "reqalts"))
CONFUSE_TYPE, CONFUSE_SLOT = 0.2, 0.3          # otherwise a value
TRIES = 25
NEAREST, SOFTENING = 6, 0.15                   # how many similar words a recogniser confuses, and how evenly
CHANNELS = ("sampled", "uniform", "dstc2")


class Tables(NamedTuple):
    """Statistics of a speech recogniser by rank in the list; the last of six stands for all further ranks."""

    truth_if_wrong: tuple[float, ...]                      # where the truth stands in a wrong list; sixth: nowhere
    length_if_right: tuple[float, ...]
    length_if_wrong: tuple[float, ...]
    confidence_if_right: tuple[tuple[float, ...], ...]     # means and variances
    confidence_if_wrong: tuple[tuple[float, ...], ...]


TABLES = {
    "default": Tables((0.0, 0.172, 0.058, 0.026, 0.015, 0.729),
                      (0.268, 0.207, 0.135, 0.099, 0.082, 0.209), (0.317, 0.065, 0.082, 0.065, 0.073, 0.398),
                      ((0.869, 0.103, 0.045, 0.032, 0.027, 0.050), (0.029, 0.010, 0.001, 0.001, 0.001, 0.002)),
                      ((0.762, 0.176, 0.076, 0.048, 0.037, 0.066), (0.051, 0.013, 0.003, 0.001, 0.001, 0.002))),
    "set1": Tables((0.0, 0.179, 0.063, 0.027, 0.017),
                   (0.264, 0.215, 0.138, 0.099, 0.080), (0.300, 0.068, 0.085, 0.072, 0.079),
                   ((0.871, 0.103, 0.045, 0.032, 0.027, 0.049), (0.029, 0.010, 0.002, 0.001, 0.000, 0.001)),
                   ((0.757, 0.179, 0.077, 0.048, 0.037, 0.065), (0.052, 0.014, 0.003, 0.001, 0.000, 0.002))),
    "set3": Tables((0.0, 0.116, 0.027, 0.007, 0.002),
                   (0.147, 0.430, 0.212, 0.147, 0.048), (0.351, 0.388, 0.158, 0.071, 0.020),
                   ((0.905, 0.101, 0.017, 0.008, 0.005, 0.010), (0.016, 0.013, 0.002, 0.001, 0.000, 0.001)),
                   ((0.871, 0.164, 0.065, 0.043, 0.030, 0.054), (0.029, 0.020, 0.005, 0.002, 0.001, 0.003)))}
LEAST_DEVIATION = 1e-4, 1e-5                   # of a confidence in the list, and beyond its end


class Channel:
    """Turns a user act into the N-best list that the system hears.

    kind: "uniform" makes lists of exactly nbest hypotheses, "sampled" of any length up to that; each is wrong with
    probability error_rate, in any way. "dstc2" imitates a speech recogniser, which confuses what is spelt alike and
    makes lists as its tables say.
    """

    def __init__(self, domain: Domain, rng: np.random.Generator, error_rate: float = 0.0, nbest: int = 1,
                 kind: str = "sampled", tables: str = "default"):
        if not 0 <= error_rate <= 1:
            raise ValueError(f"error_rate is {error_rate}, expected a number from 0 to 1")
        if not (isinstance(nbest, (int, np.integer)) and nbest >= 1):
            raise ValueError(f"nbest is {nbest!r}, expected a whole number of at least 1")
        if kind not in CHANNELS:
            raise ValueError(f"channel is {kind!r}, expected one of {', '.join(CHANNELS)}")
        if tables not in TABLES:
            raise ValueError(f"tables is {tables!r}, expected one of {', '.join(TABLES)}")
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
        n = min(1 + self.rank(tables.length_if_wrong if wrong else tables.length_if_right), self.nbest)
        at = self.rank(tables.truth_if_wrong) if wrong else 0
        acts: list[Act] = []
        for i in range(n):
            tries = (self.confuse(act) for _ in range(TRIES))
            acts.append(act if i == at else next((new for new in tries if new not in acts), act))
        # Lists without the truth look as sure of themselves as right ones: that is how the recogniser fails.
        mean, variance = tables.confidence_if_wrong if wrong and at < n else tables.confidence_if_right
        deviation = np.maximum(np.sqrt(variance), np.where(np.arange(len(mean)) < n, *LEAST_DEVIATION))
        scores = np.clip(self.rng.normal(mean, deviation), 0.01, 0.99)
        return merge(list(zip([*acts, Act("null")], [*scores[:n].tolist(), float(scores[n:].sum())])))

    def rank(self, weights: Sequence[float]) -> int:
        """An index drawn in proportion to these weights."""
        cumulative = np.cumsum(weights)
        return int(np.searchsorted(cumulative, self.rng.random() * cumulative[-1], side="right"))

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
