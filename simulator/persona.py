"""What a simulated user is like: the probabilities of its choices, and its patience."""
from collections import namedtuple

import numpy as np

CHOICES = dict(   # choice: (its fixed probability, the lowest and the highest that is drawn for a sampled user)
    greeting=(0.5, 0.3, 0.7),                  # answer hello with hello
    inform_combination=(0.6, 0.2, 0.7),        # append the next pending inform to what is being said
    affirm_combination=(1.0, 0.2, 0.7),        # attach the next pending inform to a yes
    no_slot_with_dontcare=(0.8, 0.7, 0.9),     # answer a question by "don't care" without naming the slot
    add_slot_to_request=(0.333, 0.2, 0.4),     # ask for one more slot in the same breath
    add_name_to_request=(0.05, 0.01, 0.2),     # mention the venue when asking for one slot
    other_venue=(0.143, 0.01, 0.3),            # at the first offer: ask for another venue, goal unchanged
    change_goal=(0.143, 0.01, 0.3),            # at the first offer: change the goal
    relax=(0.667, 0.5, 0.8),                   # a changed constraint becomes dontcare rather than another value
    tell_change=(0.5, 0.4, 0.6),               # say what changed
    thankyou=(0.1, 0.01, 0.2),                 # answer a good inform with thanks
    ack=(0.1, 0.01, 0.2),                      # ... with an acknowledgement
    deal_with_pending=(0.5, 0.4, 0.6),         # after a good inform, go on with the agenda before asking
    inform_to_confirm=(0.05, 0.01, 0.2),       # turn all pending informs into questions
    ask_back=(0.1, 0.01, 0.3),                 # ask about a constraint that the system did not mention
    ask_instead_of_correct=(0.1, 0.01, 0.2),   # ask back instead of correcting
    correct_by_negate=(0.45, 0.3, 0.5),
    correct_by_deny=(0.4, 0.3, 0.5),           # the rest corrects by a plain inform
    no_after_reqmore=(0.7, 0.8, 0.9),          # all done: answer "anything else?" with no rather than bye
    yes_after_reqmore=(0.25, 0.2, 0.3),        # nothing offered yet: answer "anything else?" with a bare yes
    affirm_with_pending=(0.05, 0.01, 0.2),     # answer "anything else?" with yes and the pending inform
    other_constraint=(0.2, 0.1, 0.4),          # asked about a slot without constraint: talk about another one
    bare_dontcare=(0.2, 0.1, 0.4),             # ... or say "don't care" without the slot
)
UNFRIENDLY = dict(               # other ranges for a user who greets and tells less, and changes its mind less kindly
    inform_combination=(0.0, 0.4), affirm_combination=(0.0, 0.4), greeting=(0.1, 0.4), relax=(0.2, 0.5),
    tell_change=(0.2, 0.4))
PATIENCE = (4, 5)                # how many repetitions end the dialogue; a user who is not drawn has the last
USERS = ("sampled", "unfriendly", "default")

Persona = namedtuple("Persona", (*CHOICES, "patience"))
DEFAULT = Persona(*(fixed for fixed, _, _ in CHOICES.values()), PATIENCE[-1])
_SAMPLED = {choice: drawn for choice, (_, *drawn) in CHOICES.items()}
_RANGES = {"sampled": np.array(list(_SAMPLED.values())).T,       # (2, choices): lowest and highest
           "unfriendly": np.array(list((_SAMPLED | UNFRIENDLY).values())).T}


def draw_persona(kind: str, rng: np.random.Generator) -> Persona:
    """A new person: every probability uniform in its range, every patience equally likely; "default" is always one."""
    if kind == "default":
        return DEFAULT
    low, high = _RANGES[kind]
    *draws, patience = rng.random(len(low) + 1)
    return Persona(*(low + (high - low) * draws).tolist(), PATIENCE[int(patience * len(PATIENCE))])
