"""The subjects, with their parameters and the shape of their answers, and all laws."""
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from tests.laws import dialogues, turns, vectors
from tests.laws import of_gp, of_gradients, of_policies, of_retrace, of_returns, of_steps, of_updates
from tests.laws.draws import Pick
from tests.laws.law import Law


class Subject(NamedTuple):
    """What is examined: its name, cases that ask for all that it should do, the shape of its answer to a case."""

    name: str
    draw: Callable
    shape: Callable

    @property
    def parameters(self) -> tuple:
        return tuple(self.draw(Pick()))


def like(name: str, *axes: int) -> Callable:
    """The shape of an argument, or its length along these axes."""
    return lambda case: tuple(case[name].shape[axis] for axis in axes) if axes else case[name].shape


def two(name: str, *axes: int) -> Callable:
    return lambda case: (2, *like(name, *axes)(case))


SUBJECTS = {name: Subject(name, draw, shape) for name, draw, shape in (
    ("masked_softmax", turns.high_logits, like("logits")),
    ("epsilon_greedy", turns.preferences, like("values")),
    ("mixed_behaviour", turns.masked_turns, like("pi")),
    ("importance_weights", turns.turns, like("actions")),
    ("state_value", turns.values, like("q", 0)),
    ("returns_to_go", dialogues.rewards, like("rewards")),
    ("lambda_returns", dialogues.weighted_rewards, like("rewards")),
    ("traces", dialogues.weights, like("rho_a")),
    ("retrace_targets", dialogues.dialogue, like("rewards")),
    ("retrace_at_a_cut", dialogues.with_cut(dialogues.dialogue), like("rewards")),
    ("retrace_of_many", dialogues.dialogues, like("rewards")),
    ("retrace_of_padded", dialogues.padded, like("rewards")),
    ("truncated_gradient", partial(turns.critic_turns, smallest=0), like("pi")),
    ("kl_gradient", turns.two_masked_policies, like("pi")),
    ("entropy_gradient", turns.one_masked_policy, like("pi")),
    ("factorised_score", turns.two_levels, lambda case: np.hstack([case["pi_s"], case["pi_p"]]).shape),
    ("trust_region", vectors.steps, like("g")),
    ("acer_gradients", dialogues.updates, two("logits", 0, 1)),
    ("running_average", vectors.averages, like("params")),
    ("adam_updates", vectors.updates, like("params")),
    ("natural_gradient", vectors.regressions, like("features", 1)),
    ("gp_posterior", vectors.talks, two("query_actions", 0)),
    ("gp_posterior_sparse", vectors.sparse_talks, two("query_actions", 0)),
    ("payload_kernel", vectors.payloads, lambda case: (len(case["payloads"]), len(case["others"]))),
)}


def it_keeps_the_contract(f, **case):
    """It takes the arguments, leaves them unchanged, and answers finite float64 numbers of the right shape."""
    answer = f(*case.values())
    return answer, answer


CONTRACTS = [Law(subject.name, it_keeps_the_contract, subject.draw, 0.0, "contract") for subject in SUBJECTS.values()]
CHAPTERS = (of_policies, of_returns, of_retrace, of_gradients, of_steps, of_updates, of_gp)
MATHS = [item for chapter in CHAPTERS for item in vars(chapter).values() if isinstance(item, Law)]
LAWS = [law for name in SUBJECTS for law in CONTRACTS + MATHS if law.subject == name]


def laws_of(subject: str) -> list[Law]:
    return [law for law in LAWS if law.subject == subject]
