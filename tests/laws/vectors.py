"""Cases of steps in the space of parameters, of payloads, and of points of a Gaussian process."""
from itertools import product

import numpy as np

from tests.laws.draws import DISCOUNTS, FEW, numbers


def steps(pick) -> dict:
    n, size = pick(FEW), pick((2, 3))
    return dict(g=numbers(pick, n, size), k=numbers(pick, n, size), kl_limit=pick((1.0, 0.5, 0.0, 2.0)))


def step_and_rival(pick) -> dict:
    """One step, and another one that keeps the limit."""
    size = pick((2, 3))
    case = dict(g=numbers(pick, size), k=numbers(pick, size), kl_limit=pick((1.0, 0.5, 0.0, 2.0)))
    rival = numbers(pick, size)
    return case | dict(rival=rival if case["k"] @ rival <= case["kl_limit"] else -rival)


def averages(pick) -> dict:
    n = pick(FEW)
    return dict(average=numbers(pick, n), params=numbers(pick, n), average_decay=pick((0.5, 0.0, 1.0, 0.9)))


def updates(pick) -> dict:
    """The terms of one to three updates of one or two parameters."""
    shape = (pick(FEW), pick(FEW), pick((1, 2)))
    return dict(params=numbers(pick, shape[2]), terms=numbers(pick, *shape), learning_rate=pick((1.0, 0.5, 0.1)))


def payloads(pick) -> dict:
    n_slots = pick((2, 3))
    options = sorted(product((0.0, 1.0), repeat=n_slots), key=lambda p: (sum(p), p))
    return dict(payloads=np.array([pick(options) for _ in range(pick(FEW))]),
                others=np.array([pick(options) for _ in range(pick(FEW))]))


def talks(pick) -> dict:
    """One to three ended dialogues with beliefs of two entries and two actions, and two query points."""
    lengths = np.array([pick(FEW) for _ in range(pick(FEW))])
    n, entries = lengths.sum(), (1.0, 0.0, 0.5, 2.0)
    beliefs = np.array([[pick(entries), pick(entries)] for _ in range(n + 2)])
    return dict(beliefs=beliefs[:n], actions=np.array([pick((0, 1)) for _ in range(n)]), rewards=numbers(pick, n),
                lengths=lengths, query_beliefs=beliefs[n:], query_actions=np.array([0, 1]), gamma=pick(DISCOUNTS),
                noise_std=pick((1.0, 0.5, 2.0)))
