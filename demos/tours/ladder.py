"""Retrace: how far the final reward of one dialogue flows back, and how the other estimates would let it flow."""
import numpy as np

from acer_np.gradients import importance_weights
from acer_np.retrace import lambda_returns, retrace_targets, traces
from demos.style import BLUE, GREY, RED, figure
from demos.tours.small_dialogue import ACTIONS, ASK, OFFER_A, between, careless, probability, taken

NETS, TAKEN = np.array([0, 1, 2, 1, 2, 3]), np.array([ASK, ASK, ASK, ASK, ASK, OFFER_A])    # a dialogue of six turns
RHO_MAX = 5.0


def estimates(rewards: np.ndarray, q_a: np.ndarray, v: np.ndarray, rho_a: np.ndarray,
              gamma: float) -> dict[str, np.ndarray]:
    """(T, ...) targets for Q by five estimates, from the critic alone to the whole return."""
    cuts = {"one step (λ = 0)": traces(rho_a, 0.0), "Retrace (λ = 1)": traces(rho_a, 1.0),
            "traces cut at c = 5": np.minimum(RHO_MAX, rho_a)}
    wholes = {"weighted return": rho_a, "plain return": rho_a ** 0}
    return ({name: retrace_targets(rewards, q_a, v, trace, gamma) for name, trace in cuts.items()}
            | {name: lambda_returns(rewards, v, weights, gamma, 1.0) for name, weights in wholes.items()})


def flows(rho_a: np.ndarray) -> dict[str, np.ndarray]:
    """(T,) per estimate: the share of the final reward in the target of each turn, before discounting.

    All of them are linear in the rewards, so the share is the target when the last reward is 1 and all else is 0.
    """
    nothing = np.zeros_like(rho_a)
    return estimates(np.eye(len(rho_a))[-1], nothing, nothing, rho_a, gamma=1.0)


def show():
    pi_a, mu_a = taken(between(0.9)(NETS), TAKEN), taken(careless(NETS), TAKEN)
    rho_a = importance_weights(pi_a, mu_a)
    shares = flows(rho_a)
    retrace, weighted = (100 * shares[name][0] for name in ("Retrace (λ = 1)", "weighted return"))
    return (f"In turns 3 and 5 the policy would rather have offered, so ρ = {rho_a.min():.2f} shortens the trace. "
            f"Retrace (λ = 1) passes {retrace:.0f} % of the final reward back to turn 1; the critic supplies the rest. "
            f"The weighted return passes {weighted:.0f} % back. There ρ = {rho_a[-1]:.1f} of the offer counts in full.",
            draw(pi_a, mu_a, rho_a, shares))


def draw(pi_a: np.ndarray, mu_a: np.ndarray, rho_a: np.ndarray, shares: dict[str, np.ndarray]):
    """Above the weights of the dialogue, below what flows back."""
    turns, table = np.arange(1, len(rho_a) + 1), np.array(list(shares.values()))
    picture = figure(9, 5.2, "Retrace: how far the final reward of one dialogue flows back")
    above, below = picture.subplots(2, 1, sharex=True, height_ratios=(2, 3))
    above.bar(turns, np.where(rho_a > 1, rho_a, np.nan), 0.6, color="white", edgecolor=RED, hatch="//",
              label="ρ above 1, left out of the trace")
    above.bar(turns, traces(rho_a, 1.0), 0.6, color=BLUE, label="trace min(1, ρ)")
    above.axhline(1, color=GREY, linestyle=":")
    for turn, ratio, pi, mu in zip(turns, rho_a, pi_a, mu_a):
        above.text(turn, max(ratio, 1) + 0.15, f"π {pi:.2f} / μ {mu:.2f}\nρ = {ratio:.2f}", ha="center", size="small")
    above.set(ylim=(0, 1.4 * rho_a.max()), ylabel="importance weight ρ = π/μ",
              title="Would the policy π have acted like the behaviour μ?")
    above.legend(loc="upper left", fontsize="small", ncols=2)
    below.imshow(table ** 0.5, cmap="Blues", aspect="auto", vmax=5, extent=(0.5, len(turns) + 0.5, len(table), 0))
    for (row, column), share in np.ndenumerate(table):
        below.text(column + 1, row + 0.5, f"{100 * share:.0f} %", ha="center", va="center",
                   weight="bold" if share > 1.001 else "normal")
    below.set(yticks=np.arange(len(table)) + 0.5, yticklabels=list(shares), xticks=turns,
              title="Share of the final reward in the target of each turn (bold: more than all)")
    below.set_xticklabels([f"turn {turn}: {ACTIONS[action]}\nbelief in A: {p:.2f}" for turn, action, p
                           in zip(turns, TAKEN, probability(NETS))], fontsize="small")
    return picture
