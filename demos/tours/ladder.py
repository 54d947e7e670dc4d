"""Retrace: how far the final reward of one dialogue flows back, and how the other estimates would let it flow."""
import numpy as np

from acer_np.gradients import importance_weights
from acer_np.retrace import lambda_returns, retrace_targets, traces
from demos.tours.small_dialogue import ACTIONS, ASK, OFFER_A, Dialogue, between, careless, probability
from demos.tours.style import BLUE, GREY, RED, figure

RHO_MAX = 5.0
DIALOGUE = Dialogue(np.array([0, 1, 2, 1, 2, 3]), np.array([ASK] * 5 + [OFFER_A]), np.array([-1.0] * 5 + [19.0]))


def policies(dialogue: Dialogue) -> tuple[np.ndarray, np.ndarray]:
    """(T,) π, nearly careful, and (T,) μ, careless, of the actions taken."""
    return dialogue.at_actions(between(0.9)(dialogue.nets)), dialogue.at_actions(careless(dialogue.nets))


def flows(rho_a: np.ndarray) -> dict[str, np.ndarray]:
    """(T,) per estimate: the share of the final reward in the target of each turn, before discounting.

    All of them are linear in the rewards, so the share is the target when the last reward is 1 and all else is 0.
    """
    nothing, last = np.zeros_like(rho_a), np.eye(len(rho_a))[-1]
    cuts = {"one step, then the critic": nothing, "Retrace, λ = ½": traces(rho_a, 0.5),
            "Retrace, λ = 1": traces(rho_a, 1.0), f"traces cut at c = {RHO_MAX:g}": np.minimum(RHO_MAX, rho_a),
            "return as it was": np.ones_like(rho_a)}
    weighted = {"λ-return, λ = ½": 0.5, "return, weighted": 1.0}
    return ({name: retrace_targets(last, nothing, nothing, trace, gamma=1.0) for name, trace in cuts.items()}
            | {name: lambda_returns(last, nothing, rho_a, 1.0, decay) for name, decay in weighted.items()})


def show():
    pi_a, mu_a = policies(DIALOGUE)
    rho_a = importance_weights(pi_a, mu_a)
    shares = flows(rho_a)
    first = {name: 100 * share[0] for name, share in shares.items()}
    return (f"In turns 3 and 5 the policy would rather have offered: ρ = {rho_a.min():.2f}. Twice the trace is cut, so "
            f"{first['Retrace, λ = 1']:.0f} % of the final reward reaches turn 1 by Retrace (λ = 1), which trusts the "
            f"critic for the rest. The weighted return has {first['return, weighted']:.0f} %, for the last action with "
            f"ρ = {rho_a[-1]:.1f} counts in full; one step has none, and the return as it was believes all of it.",
            draw(pi_a, mu_a, rho_a, shares))


def draw(pi_a: np.ndarray, mu_a: np.ndarray, rho_a: np.ndarray, shares: dict[str, np.ndarray]):
    """Above the weights of the dialogue, below what flows back."""
    picture, turns = figure(9, 6.5), np.arange(1, len(rho_a) + 1)
    above, below = picture.subplots(2, 1, sharex=True, height_ratios=(2, 3))
    above.bar(turns, rho_a, 0.6, color="white", edgecolor=RED, hatch="//", label="what the trace cuts off")
    above.bar(turns, traces(rho_a, 1.0), 0.6, color=BLUE, label="trace min(1, ρ)")
    above.axhline(1, color=GREY, linestyle=":")
    for turn, ratio, pi, mu in zip(turns, rho_a, pi_a, mu_a):
        above.text(turn, max(ratio, 1) + 0.15, f"π {pi:.2f} / μ {mu:.2f}\nρ = {ratio:.2f}", ha="center", fontsize="small")
    above.set(ylim=(0, 1.4 * rho_a.max()), ylabel="importance weight ρ = π/μ",
              title="One dialogue: would the policy π have done what the behaviour μ did?")
    above.legend(loc="upper left", fontsize="small", ncols=2)
    table = np.array(list(shares.values()))
    below.imshow(table ** 0.5, cmap="Blues", aspect="auto", vmin=0, vmax=3.5, extent=(0.5, len(turns) + 0.5, len(table), 0))
    for (row, column), share in np.ndenumerate(table):
        below.text(column + 1, row + 0.5, f"{100 * share:.0f} %", ha="center", va="center",
                   weight="bold" if share > 1.001 else "normal")
    words = [f"turn {turn}: {ACTIONS[action]}\nbelief in A: {p:.2f}" for turn, action, p
             in zip(turns, DIALOGUE.actions, probability(DIALOGUE.nets))]
    below.set(yticks=np.arange(len(table)) + 0.5, yticklabels=list(shares), xticks=turns,
              title="How much of the final reward is in the target of each turn (bold: more than all)")
    below.set_xticklabels(words, fontsize="small")
    below.tick_params(length=0)
    return picture
