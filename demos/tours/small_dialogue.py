"""A dialogue small enough to know the truth: ask, or offer, under noise.

The user wants A or B, and is misheard three times in ten. All that the system knows is n, how many times more often it
has heard A than B; its belief is b = (p, 1 - p) with p the probability of A. It asks, which costs 1 and moves p, or
offers A or B, which costs 1, ends the dialogue and earns 20 if right.
"""
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

HEARD_RIGHT, GAMMA = 0.7, 0.99
ASK, OFFER_A, OFFER_B = range(3)
ACTIONS = ("ask", "offer A", "offer B")
Policy = Callable[[np.ndarray], np.ndarray]        # (...) net answers n -> (..., 3) probabilities


class Dialogue(NamedTuple):
    """T turns, or (T, E): E dialogues side by side with zeros after their ends."""

    nets: np.ndarray                               # n before each action
    actions: np.ndarray
    rewards: np.ndarray


def taken(values: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """(...) of (..., 3) values those of the actions taken."""
    return np.take_along_axis(values, actions[..., None], axis=-1)[..., 0]


def probability(net: np.ndarray) -> np.ndarray:
    """p: the odds of A multiply with every answer."""
    return 1 / (1 + (1 / HEARD_RIGHT - 1) ** np.asarray(net, float))


def beliefs(net: np.ndarray) -> np.ndarray:
    """(..., 2) b = (p, 1 - p)."""
    return np.stack([probability(net), probability(-np.asarray(net))], axis=-1)


def hears_a(net: np.ndarray) -> np.ndarray:
    """The probability that the next answer will sound like A."""
    return beliefs(net) @ [HEARD_RIGHT, 1 - HEARD_RIGHT]


def asking(net: np.ndarray, ask: float | np.ndarray, slips: float) -> np.ndarray:
    """(..., 3): asks with probability `ask`, else offers what seems likelier, or by a slip the other."""
    offer_a = slips + (1 - 2 * slips) * (np.sign(net) + 1) / 2
    ask = np.broadcast_to(ask, np.shape(net))
    return np.stack([ask, (1 - ask) * offer_a, (1 - ask) * (1 - offer_a)], axis=-1)


def careless(net: np.ndarray) -> np.ndarray:
    """The behaviour μ of the tour: it asks four times in five, whatever it knows, and slips in one offer of five."""
    return asking(net, 0.8, 0.2)


def careful(net: np.ndarray) -> np.ndarray:
    """Asks until one wish leads by two answers, then offers it."""
    return asking(net, np.where(np.abs(net) < 2, 0.95, 0.05), 0.02)


def between(distance: float) -> Policy:
    """π: careless at distance 0, careful at distance 1."""
    return lambda net: (1 - distance) * careless(net) + distance * careful(net)


def true_q(policy: Policy, turns: int) -> np.ndarray:
    """(turns, 2 turns + 1, 3) Q^π where a dialogue has so many turns at most, by n from -turns to turns.

        Q_t(n, ask) = -1 + γ Σ_± P(n ± 1 | n) V_{t+1}(n ± 1),   Q(n, offer A) = 20 p - 1,   V = Σ_a π(a) Q(a)

    Exact as far as a dialogue comes that begins at n = -1, 0 or 1; at the edge n stays as it is.
    """
    nets = np.arange(-turns, turns + 1)
    q = np.zeros((turns + 1, len(nets), 3))
    q[:-1, :, OFFER_A:] = 20 * beliefs(nets) - 1
    for t in reversed(range(turns)):
        v = np.pad((policy(nets) * q[t + 1]).sum(axis=1), 1, mode="edge")
        q[t, :, ASK] = -1 + GAMMA * (hears_a(nets) * v[2:] + (1 - hears_a(nets)) * v[:-2])
    return q[:-1]


def play(rng: np.random.Generator, policy: Policy) -> Dialogue:
    """One dialogue."""
    wants_a, net, steps = rng.random() < 0.5, 0, []
    while not steps or steps[-1][1] == ASK:
        action = rng.choice(3, p=policy(net))
        steps.append((net, action, -1.0 if action == ASK else 20.0 * (wants_a == (action == OFFER_A)) - 1))
        net += 1 if wants_a == (rng.random() < HEARD_RIGHT) else -1
    return Dialogue(*map(np.array, zip(*steps)))


def every_dialogue(policy: Policy, turns: int, net: int = 0) -> tuple[Dialogue, np.ndarray]:
    """All dialogues of at most so many turns that begin at n, (turns, E), and their probabilities (E,)."""
    found = list(_unfold(policy, turns, net))
    columns = np.zeros((3, turns, len(found)))
    for i, (steps, _) in enumerate(found):
        columns[:, :len(steps), i] = np.transpose(steps)
    nets, actions, rewards = columns
    return Dialogue(nets.astype(int), actions.astype(int), rewards), np.array([chance for _, chance in found])


def _unfold(policy: Policy, turns: int, net: int) -> Iterator[tuple[list[tuple], float]]:
    """(steps, probability) of all that can follow."""
    if turns == 0:
        yield [], 1.0
        return
    pi = policy(net)
    for action, right in zip((OFFER_A, OFFER_B), beliefs(net)):
        yield [(net, action, 19.0)], pi[action] * right
        yield [(net, action, -1.0)], pi[action] * (1 - right)
    for answer, chance in ((1, hears_a(net)), (-1, 1 - hears_a(net))):
        for steps, rest in _unfold(policy, turns - 1, net + answer):
            yield [(net, ASK, -1.0), *steps], pi[ASK] * chance * rest
