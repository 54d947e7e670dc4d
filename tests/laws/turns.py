"""Cases of single turns: policies, masks and the actions taken."""
import numpy as np

from tests.laws.draws import TRUNCATIONS, masks, n_actions, n_rows, numbers, policies, under

EXPLORATIONS = (0.5, 0.0, 1.0, 0.2, 0.9)


def values(pick) -> dict:
    n, actions = n_rows(pick), n_actions(pick)
    return dict(pi=policies(pick, n, actions), q=numbers(pick, n, actions))


def taken(pick, mu: np.ndarray) -> np.ndarray:
    """(n,) actions that μ takes."""
    return np.array([pick(tuple(np.flatnonzero(row))) for row in mu])


def turns(pick, smallest: int = 1) -> dict:
    """π, μ and the action taken; μ > 0 everywhere."""
    n, actions = n_rows(pick), n_actions(pick)
    pi, mu = policies(pick, n, actions), policies(pick, n, actions, smallest)
    return dict(pi=pi, mu=mu, actions=taken(pick, mu))


def critic_turns(pick, smallest: int = 1) -> dict:
    """Turns with Q, the target Qret of the action taken and the truncation c; μ may be 0 where `smallest` is."""
    case = turns(pick, smallest)
    return dict(pi=case["pi"], mu=case["mu"], q=numbers(pick, *case["pi"].shape), q_ret=numbers(pick, len(case["pi"])),
                actions=case["actions"], rho_max=pick(TRUNCATIONS))


def one_belief(pick, smallest: int = 1) -> dict:
    """π, μ, Q and c at one belief, for laws that go through all of its actions."""
    n = n_actions(pick)
    return dict(pi=policies(pick, 1, n)[0], mu=policies(pick, 1, n, smallest)[0], q=numbers(pick, n),
                rho_max=pick(TRUNCATIONS))


def two_policies(pick) -> dict:
    """Two policies that can take every action."""
    n, actions = n_rows(pick), n_actions(pick)
    return dict(pi_average=policies(pick, n, actions, 1), pi=policies(pick, n, actions, 1))


def two_masked_policies(pick) -> dict:
    """Two policies under the same masks."""
    allowed = masks(pick, n_rows(pick), n_actions(pick))
    return dict(pi_average=under(pick, allowed), pi=under(pick, allowed))


def one_policy(pick) -> dict:
    return {"pi": two_policies(pick)["pi"]}


def one_masked_policy(pick) -> dict:
    return {"pi": two_masked_policies(pick)["pi"]}


def masked_policy(pick) -> dict:
    """A policy at one belief with one more action that is masked, at index `masked`."""
    n = n_actions(pick, 3)
    return dict(pi=policies(pick, 1, n, 1)[0], masked=pick(tuple(range(n + 1))))


def masked_policies(pick) -> dict:
    case = masked_policy(pick)
    return dict(pi_average=policies(pick, 1, len(case["pi"]), 1)[0]) | case


def logits(pick) -> dict:
    n, actions = n_rows(pick), n_actions(pick)
    return dict(logits=numbers(pick, n, actions) / (10 if pick.large else 1), masks=masks(pick, n, actions))


def high_logits(pick) -> dict:
    case = logits(pick)
    return case | dict(logits=case["logits"] + pick((0.0, 1000.0)))


def preferences(pick) -> dict:
    """Values without ties (so that the best allowed action is one), masks and ε."""
    n, actions = n_rows(pick), n_actions(pick)
    orders = []
    for _ in range(n):
        left = list(range(actions))
        orders.append([left.pop(pick(tuple(range(len(left))))) for _ in range(actions)])
    return dict(values=np.array(orders, float), masks=masks(pick, n, actions), epsilon=pick(EXPLORATIONS))


def masked_turns(pick) -> dict:
    """A policy under masks, and ε."""
    allowed = masks(pick, n_rows(pick), n_actions(pick))
    return dict(pi=under(pick, allowed), masks=allowed, epsilon=pick(EXPLORATIONS))


def two_levels(pick) -> dict:
    """π_s over methods, which need a payload, and others, which do not; π_p over payloads; actions taken."""
    n, n_methods, others, payloads = n_rows(pick), pick((1, 2)), pick((1, 2)), pick((2, 3))
    actions = np.array([pick(tuple(range(n_methods + others))) for _ in range(n)])
    return dict(pi_s=policies(pick, n, n_methods + others, 1), pi_p=policies(pick, n, payloads, 1), n_methods=n_methods,
                actions=actions, payloads=np.array([pick(tuple(range(payloads))) for _ in range(n)]))


def one_belief_of_two_levels(pick) -> dict:
    case = two_levels(pick)
    return dict(pi_s=case["pi_s"][0], pi_p=case["pi_p"][0], n_methods=case["n_methods"])
