"""Cases of dialogues: rewards, values and ratios turn by turn."""
import numpy as np

from tests.laws.draws import DECAYS, DISCOUNTS, FEW, NUMBERS, RATIOS, numbers, policies


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
