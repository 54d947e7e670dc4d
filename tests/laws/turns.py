"""Cases of single turns: policies, masks and the actions taken."""
from itertools import permutations

import numpy as np

from tests.laws.draws import FEW, TRUNCATIONS, masks, numbers, policies


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
