"""Cases of dialogues: rewards, values and ratios turn by turn."""
import numpy as np

from tests.laws.draws import (DECAYS, DISCOUNTS, NUMBERS, TRUNCATIONS, lengths, n_actions, n_turns, numbers, policies,
                              ratios)


def rewards(pick) -> dict:
    return dict(rewards=numbers(pick, n_turns(pick)), gamma=pick(DISCOUNTS))


def weights(pick) -> dict:
    return dict(rho_a=ratios(pick, n_turns(pick)), trace_decay=pick(DECAYS))


def turns(pick, n: int) -> dict:
    """n turns as Retrace sees them."""
    return dict(rewards=numbers(pick, n), q_a=numbers(pick, n), v=numbers(pick, n), rho_a=ratios(pick, n),
                gamma=pick(DISCOUNTS), trace_decay=pick(DECAYS))


def dialogue(pick) -> dict:
    """An ended dialogue."""
    return turns(pick, n_turns(pick))


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
    ended = np.concatenate([np.arange(n) == n - 1 for n in lengths(pick)])
    return turns(pick, len(ended)) | dict(ended=ended)


def exact_dialogues(pick) -> dict:
    case = dialogues(pick)
    following = np.where(case["ended"], 0.0, np.append(case["v"][1:], 0.0))
    return case | dict(rewards=case["q_a"] - case["gamma"] * following)


def padded(pick) -> dict:
    """Several ended dialogues as columns side by side, zeros after the end of each."""
    ends = lengths(pick)
    case = turns(pick, ends.max() * len(ends))
    inside = np.arange(ends.max())[:, None] < ends
    columns = {name: np.where(inside, value.reshape(inside.shape), 0.0) for name, value in case.items()
               if isinstance(value, np.ndarray)}
    return case | columns | dict(lengths=ends)


def weighted_rewards(pick) -> dict:
    """What a λ-return sees."""
    case = dialogue(pick)
    return {name: case[name] for name in ("rewards", "v", "rho_a", "gamma", "trace_decay")}


def one_more_turn(pick) -> dict:
    """A dialogue of two turns whose second action is still open: its reward r2(a), π and μ for every a."""
    n = n_actions(pick, 3)
    return dict(r1=pick(NUMBERS), r2=numbers(pick, n), v2=pick(NUMBERS), pi=policies(pick, 1, n)[0],
                mu=policies(pick, 1, n, 1)[0], gamma=pick(DISCOUNTS), trace_decay=pick(DECAYS))


def updates(pick) -> dict:
    """A dialogue with the logits of π and of the average policy; δ binds only where there is one turn."""
    n, actions = n_turns(pick), n_actions(pick)
    return dict(logits=numbers(pick, n, actions) / 20, average_logits=numbers(pick, n, actions) / 20,
                mu=policies(pick, n, actions, 1), q=numbers(pick, n, actions),
                actions=np.array([pick(tuple(range(actions))) for _ in range(n)]), rewards=numbers(pick, n),
                gamma=pick(DISCOUNTS), trace_decay=pick(DECAYS), rho_max=pick(TRUNCATIONS),
                kl_limit=pick((0.01, 1.0, 0.1)) if n == 1 else 1e9)


def updates_of_one_turn(pick) -> dict:
    n = n_actions(pick)
    return dict(logits=numbers(pick, n) / 20, average_logits=numbers(pick, n) / 20, mu=policies(pick, 1, n, 1)[0],
                q=numbers(pick, n), rho_max=pick(TRUNCATIONS), kl_limit=pick((0.01, 1.0, 0.1)))
