"""How a simulated user behaves: the probabilities of its choices, and its patience."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Behaviour(NamedTuple):
    """Probabilities of the user's choices, one field per choice."""

    greeting: float                # answer hello with hello
    inform_combination: float      # append the next pending inform to what is being said
    affirm_combination: float      # attach the next pending inform to a yes
    no_slot_with_dontcare: float   # answer a question by "don't care" without naming the slot
    add_slot_to_request: float     # ask for one more slot in the same breath
    add_name_to_request: float     # mention the venue when asking for one slot
    other_venue: float             # at the first offer: ask for another venue, goal unchanged
    change_goal: float             # at the first offer: change the goal
    relax: float                   # a changed constraint becomes dontcare rather than another value
    tell_change: float             # say what changed
    thankyou: float                # answer a good inform with thanks
    ack: float                     # ... with an acknowledgement
    deal_with_pending: float       # after a good inform, go on with the agenda before asking
    inform_to_confirm: float       # turn all pending informs into questions
    ask_back: float                # ask about a constraint that the system did not mention
    ask_instead_of_correct: float  # ask back instead of correcting
    correct_by_negate: float
    correct_by_deny: float         # the rest corrects by a plain inform
    no_after_reqmore: float        # all done: answer "anything else?" with no rather than bye
    yes_after_reqmore: float       # nothing offered yet: answer "anything else?" with a bare yes
    affirm_with_pending: float     # answer "anything else?" with yes and the pending inform
    other_constraint: float        # asked about a slot without constraint: talk about another one
    bare_dontcare: float           # ... or say "don't care" without the slot


#                    fixed   sampled from
_TABLE = dict(
    greeting=(0.5, (0.3, 0.7)),
    inform_combination=(0.6, (0.2, 0.7)),
    affirm_combination=(1.0, (0.2, 0.7)),
    no_slot_with_dontcare=(0.8, (0.7, 0.9)),
    add_slot_to_request=(0.333, (0.2, 0.4)),
    add_name_to_request=(0.05, (0.01, 0.2)),
    other_venue=(0.143, (0.01, 0.3)),
    change_goal=(0.143, (0.01, 0.3)),
    relax=(0.667, (0.5, 0.8)),
    tell_change=(0.5, (0.4, 0.6)),
    thankyou=(0.1, (0.01, 0.2)),
    ack=(0.1, (0.01, 0.2)),
    deal_with_pending=(0.5, (0.4, 0.6)),
    inform_to_confirm=(0.05, (0.01, 0.2)),
    ask_back=(0.1, (0.01, 0.3)),
    ask_instead_of_correct=(0.1, (0.01, 0.2)),
    correct_by_negate=(0.45, (0.3, 0.5)),
    correct_by_deny=(0.4, (0.3, 0.5)),
    no_after_reqmore=(0.7, (0.8, 0.9)),
    yes_after_reqmore=(0.25, (0.2, 0.3)),
    affirm_with_pending=(0.05, (0.01, 0.2)),
    other_constraint=(0.2, (0.1, 0.4)),
    bare_dontcare=(0.2, (0.1, 0.4)),
)
DEFAULT = Behaviour(**{name: fixed for name, (fixed, _) in _TABLE.items()})
_LOW, _HIGH = np.array([_TABLE[name][1] for name in Behaviour._fields]).T
PATIENCE = (4, 5)                # how many repetitions end the dialogue; drawn for sampled users, else the last one


def draw_behaviour(rng: np.random.Generator) -> Behaviour:
    """A new person: every probability uniform in its range."""
    return Behaviour(*(_LOW + (_HIGH - _LOW) * rng.random(len(_LOW))).tolist())
