"""Small cases with simple numbers, that can be checked with a pencil.

Every generator builds its case from one primitive, pick(options). Hypothesis picks in the tests, and shrinks towards
the first option; a seeded NumPy generator picks in the gallery.
"""
from itertools import permutations, product

import numpy as np

NUMBERS = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 0.25, -0.75, 1.5)
RATIOS = (1.0, 0.5, 2.0, 0.0, 0.25, 4.0, 10.0)
DISCOUNTS = (1.0, 0.5, 0.9)
DECAYS = (1.0, 0.5, 0.0)
TRUNCATIONS = (1.0, 0.5, 2.0, 0.25, 5.0, 1.25)
FEW = (1, 2, 3)


def compositions(n: int, smallest: int) -> tuple:
    """All distributions over n actions in tenths, none below `smallest` tenths; the even ones first."""
    tenths = [p for p in product(range(smallest, 11), repeat=n) if sum(p) == 10]
    return tuple(sorted(tenths, key=lambda p: (max(p) - min(p), p)))


SIMPLEX = {(n, smallest): compositions(n, smallest) for n in (2, 3, 4) for smallest in (0, 1)}


def numbers(pick, *shape) -> np.ndarray:
    return np.array([pick(NUMBERS) for _ in range(int(np.prod(shape)))]).reshape(shape)


def policies(pick, n: int, n_actions: int, smallest: int = 0) -> np.ndarray:
    """(n, A) probabilities in tenths."""
    return np.array([pick(SIMPLEX[n_actions, smallest]) for _ in range(n)]) / 10


def masks(pick, n: int, n_actions: int) -> np.ndarray:
    """(n, A) bool, at least one action allowed in each row."""
    options = [m for m in product((True, False), repeat=n_actions) if any(m)]
    return np.array([pick(options) for _ in range(n)])


# ------------------------------------------------------------------------------------------------ dialogues

def rewards(pick) -> dict:
    return dict(rewards=numbers(pick, pick((1, 2, 3, 4))), gamma=pick(DISCOUNTS))


def ratios(pick) -> dict:
    n = pick((1, 2, 3, 4))
    return dict(rho_a=np.array([pick(RATIOS) for _ in range(n)]), trace_decay=pick(DECAYS))


def dialogue(pick) -> dict:
    """An ended dialogue of one to four turns, as Retrace sees it."""
    n = pick((1, 2, 3, 4))
    return dict(rewards=numbers(pick, n), q_a=numbers(pick, n), v=numbers(pick, n),
                rho_a=np.array([pick(RATIOS) for _ in range(n)]), gamma=pick(DISCOUNTS), trace_decay=pick(DECAYS))


def exact_dialogue(pick) -> dict:
    """One whose values are exact: r_t = Q_t - γ V_{t+1}, and nothing follows the last turn."""
    case = dialogue(pick)
    return case | dict(rewards=case["q_a"] - case["gamma"] * np.append(case["v"][1:], 0.0))


def untrusted_dialogue(pick) -> dict:
    """One whose later actions the policy would never take: ρ_t = 0 from the second turn on."""
    case = dialogue(pick)
    return case | dict(rho_a=np.append(case["rho_a"][:1], np.zeros(len(case["v"]) - 1)))


def trusted_dialogue(pick) -> dict:
    """One with full traces (ρ ≥ 1, λ = 1) and a critic that does not tell actions apart, Q = V."""
    case = dialogue(pick)
    return case | dict(q_a=case["v"].copy(), rho_a=np.maximum(1.0, case["rho_a"]), trace_decay=1.0)


def with_cut(draw):
    """The same dialogue, cut off after its last turn: `bootstrap` is V of the belief that follows."""
    return lambda pick: draw(pick) | dict(bootstrap=pick(NUMBERS))


def exact_cut(pick) -> dict:
    case = with_cut(dialogue)(pick)
    return case | dict(rewards=case["q_a"] - case["gamma"] * np.append(case["v"][1:], case["bootstrap"]))


def dialogues(pick) -> dict:
    """Several ended dialogues, one behind the other; `ended` marks the last turn of each."""
    ended = np.concatenate([np.arange(n) == n - 1 for n in [pick(FEW) for _ in range(pick(FEW))]])
    n = len(ended)
    return dict(rewards=numbers(pick, n), q_a=numbers(pick, n), v=numbers(pick, n),
                rho_a=np.array([pick(RATIOS) for _ in range(n)]), gamma=pick(DISCOUNTS), trace_decay=pick(DECAYS),
                ended=ended)


def exact_dialogues(pick) -> dict:
    case = dialogues(pick)
    following = np.where(case["ended"], 0.0, np.append(case["v"][1:], 0.0))
    return case | dict(rewards=case["q_a"] - case["gamma"] * following)


def weighted_rewards(pick) -> dict:
    """What a λ-return sees."""
    case = dialogue(pick)
    return {name: case[name] for name in ("rewards", "v", "rho_a", "gamma", "trace_decay")}


def one_more_turn(pick) -> dict:
    """A dialogue of two turns whose second action is still open: its reward r2(a), π and μ for every a."""
    n_actions = pick((2, 3))
    return dict(r1=pick(NUMBERS), r2=numbers(pick, n_actions), v2=pick(NUMBERS), pi=policies(pick, 1, n_actions)[0],
                mu=policies(pick, 1, n_actions, 1)[0], gamma=pick(DISCOUNTS), trace_decay=pick(DECAYS))


# ------------------------------------------------------------------------------------------------ policies

def values(pick) -> dict:
    n, n_actions = pick(FEW), pick((2, 3, 4))
    return dict(pi=policies(pick, n, n_actions), q=numbers(pick, n, n_actions))


def turns(pick) -> dict:
    """π, μ and the action taken, of one to three turns; μ > 0 everywhere."""
    n, n_actions = pick(FEW), pick((2, 3, 4))
    return dict(pi=policies(pick, n, n_actions), mu=policies(pick, n, n_actions, 1),
                actions=np.array([pick(range(n_actions)) for _ in range(n)]))


def critic_turns(pick) -> dict:
    """Turns with the critic's Q, the target Qret of the action taken and the truncation c."""
    case = turns(pick)
    n, n_actions = case["pi"].shape
    return dict(pi=case["pi"], mu=case["mu"], q=numbers(pick, n, n_actions), q_ret=numbers(pick, n),
                actions=case["actions"], rho_max=pick(TRUNCATIONS))


def one_belief(pick, smallest: int = 1) -> dict:
    """π, μ, Q and c at one belief, for laws that go through all of its actions."""
    n_actions = pick((2, 3, 4))
    return dict(pi=policies(pick, 1, n_actions)[0], mu=policies(pick, 1, n_actions, smallest)[0],
                q=numbers(pick, n_actions), rho_max=pick(TRUNCATIONS))


def one_belief_partly_tried(pick) -> dict:
    """The same, where the behaviour may never take some actions."""
    return one_belief(pick, smallest=0)


def two_policies(pick) -> dict:
    """Two policies that can take every action."""
    n, n_actions = pick(FEW), pick((2, 3, 4))
    return dict(pi_average=policies(pick, n, n_actions, 1), pi=policies(pick, n, n_actions, 1))


def one_policy(pick) -> dict:
    return {"pi": two_policies(pick)["pi"]}


def masked_policy(pick) -> dict:
    """A policy at one belief with one more action that is masked, at index `masked`."""
    n_actions = pick((2, 3))
    return dict(pi=policies(pick, 1, n_actions, 1)[0], masked=pick(range(n_actions + 1)))


def masked_policies(pick) -> dict:
    case = masked_policy(pick)
    return dict(pi_average=policies(pick, 1, len(case["pi"]), 1)[0]) | case


def logits(pick) -> dict:
    n, n_actions = pick(FEW), pick((2, 3, 4))
    return dict(logits=numbers(pick, n, n_actions), masks=masks(pick, n, n_actions))


def preferences(pick) -> dict:
    """Values without ties (so that the best allowed action is one), masks and ε."""
    n, n_actions = pick((1, 2)), pick((2, 3, 4))
    orders = list(permutations(range(n_actions)))
    return dict(values=np.array([pick(orders) for _ in range(n)], float), masks=masks(pick, n, n_actions),
                epsilon=pick((0.5, 0.0, 1.0, 0.2, 0.9)))


def masked_turns(pick) -> dict:
    """A policy under masks, and ε."""
    n, n_actions = pick((1, 2)), pick((2, 3, 4))
    allowed = masks(pick, n, n_actions)
    weights = np.where(allowed, [[pick((1, 2, 3)) for _ in range(n_actions)] for _ in range(n)], 0)
    return dict(pi=weights / weights.sum(axis=1, keepdims=True), masks=allowed, epsilon=pick((0.5, 0.0, 1.0, 0.2, 0.9)))


# ------------------------------------------------------------------------------------------------ steps and GP

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
    return dict(beliefs=np.array([[pick(entries), pick(entries)] for _ in range(n)]),
                actions=np.array([pick((0, 1)) for _ in range(n)]), rewards=numbers(pick, n), lengths=lengths,
                query_beliefs=np.array([[pick(entries), pick(entries)] for _ in range(2)]), query_actions=np.array([0, 1]),
                gamma=pick(DISCOUNTS), noise_std=pick((1.0, 0.5, 2.0)))
