"""Cases of steps in the space of parameters, of payloads, of regressions, and of points of a Gaussian process."""
from itertools import product

import numpy as np

from tests.laws.draws import DISCOUNTS, FEW, lengths, n_actions, n_rows, numbers

LIMITS = (1.0, 0.5, 0.0, 2.0)
ENTRIES = (1.0, 0.0, 0.5, 2.0)


def steps(pick) -> dict:
    """Steps g beside k, which now and then is 0."""
    n, width = n_rows(pick), n_actions(pick, 3)
    return dict(g=numbers(pick, n, width), k=numbers(pick, n, width) * pick((1.0, 1.0, 1.0, 1.0, 0.0)),
                kl_limit=pick(LIMITS))


def step_and_rival(pick) -> dict:
    """One step, and another one that keeps the limit."""
    width = n_actions(pick, 3)
    case = dict(g=numbers(pick, width), k=numbers(pick, width), kl_limit=pick(LIMITS))
    rival = numbers(pick, width)
    return case | dict(rival=rival if case["k"] @ rival <= case["kl_limit"] else -rival)


def averages(pick) -> dict:
    n = n_rows(pick)
    return dict(average=numbers(pick, n), params=numbers(pick, n), average_decay=pick((0.5, 0.0, 1.0, 0.9)))


def updates(pick) -> dict:
    """The terms of one to three updates of one or two parameters; of twelve in large cases."""
    shape = n_rows(pick), pick(FEW), pick((1, 2))
    return dict(params=numbers(pick, shape[2]), terms=numbers(pick, *shape), learning_rate=pick((1.0, 0.5, 0.1)))


def payloads(pick) -> dict:
    n_slots = pick((6,) if pick.large else (2, 3))
    options = tuple(sorted(product((0.0, 1.0), repeat=n_slots), key=lambda p: (sum(p), p)))
    return dict(payloads=np.array([pick(options) for _ in range(n_rows(pick))]),
                others=np.array([pick(options) for _ in range(n_rows(pick))]))


def regressions(pick) -> dict:
    """Features of more dialogues than there are weights, which determine them, and returns."""
    width = n_actions(pick, 3)
    n = 2 * width + n_rows(pick)
    spread = np.concatenate([np.eye(width), -np.eye(width), np.zeros((n - 2 * width, width))])
    return dict(features=np.clip(numbers(pick, n, width), -3, 3) / 4 + spread, returns=numbers(pick, n))


def talks(pick) -> dict:
    """One to three ended dialogues with two actions, and two query points."""
    ends, width = lengths(pick), 5 if pick.large else 2
    n = ends.sum()
    beliefs = np.array([[pick(ENTRIES) for _ in range(width)] for _ in range(n + 2)])
    return dict(beliefs=beliefs[:n], actions=np.array([pick((0, 1)) for _ in range(n)]), rewards=numbers(pick, n),
                lengths=ends, query_beliefs=beliefs[n:], query_actions=np.array([0, 1]), gamma=pick(DISCOUNTS),
                noise_std=pick((1.0, 0.5, 2.0)))


def sparse_talks(pick) -> dict:
    return talks(pick) | dict(novelty_threshold=pick((0.1, 0.01, 0.5, 2.0)))


def talks_of_few_beliefs(pick) -> dict:
    """Beliefs that are the same or have nothing in common, so that a point is wholly new or known."""
    case = sparse_talks(pick)
    n, width = case["beliefs"].shape
    beliefs = np.eye(width)[[pick(tuple(range(width))) for _ in range(n)]]
    return case | dict(beliefs=beliefs, novelty_threshold=pick((0.1, 0.01, 0.5)))
