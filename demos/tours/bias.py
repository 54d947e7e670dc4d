"""Bias and variance of the estimates of Q, exactly: a sum over every dialogue that can happen, no draws."""
import numpy as np

from acer_np.gradients import importance_weights
from acer_np.retrace import lambda_returns, retrace_targets, traces
from demos.tours.small_dialogue import ASK, GAMMA, between, careless, every_dialogue, true_q
from demos.tours.style import AMBER, BLUE, GREY, PINK, RED, SKY, figure

TURNS, START, RHO_MAX = 8, 1, 5.0         # at most so many turns, the first after one answer for A
TRUST, MANY = 0.5, 4                      # the critic believes half of the truth; dialogues in a mean
DISTANCES = np.linspace(0, 1, 21)
STYLES = {"weighted return": (RED, "-", "s"), "λ-return, λ = ½": (AMBER, "--", "v"), "one step (λ = 0)": (GREY, ":", "o"),
          "Retrace, λ = ½": (SKY, "-", "^"), "Retrace, λ = 1": (BLUE, "-", "D"), "traces cut at c = 5": (PINK, "--", "P")}


def estimates(rewards: np.ndarray, q_a: np.ndarray, v: np.ndarray, rho_a: np.ndarray) -> dict[str, np.ndarray]:
    """(E,) of every dialogue the estimate of Q at its first turn; one step is Retrace with λ = 0."""
    decays = {"weighted return": 1.0, "λ-return, λ = ½": 0.5}
    cuts = {"one step (λ = 0)": traces(rho_a, 0.0), "Retrace, λ = ½": traces(rho_a, 0.5), "Retrace, λ = 1": traces(rho_a, 1.0),
            "traces cut at c = 5": np.minimum(RHO_MAX, rho_a)}
    return ({name: lambda_returns(rewards, v, rho_a, GAMMA, decay)[0] for name, decay in decays.items()}
            | {name: retrace_targets(rewards, q_a, v, trace, GAMMA)[0] for name, trace in cuts.items()})


def moments(distance: float, trust: float = TRUST, turns: int = TURNS) -> dict[str, tuple[float, float]]:
    """(bias, standard deviation) of each estimate of Q^π(p = 0.7, ask), the critic being `trust` times Q^π."""
    dialogues, chances = every_dialogue(careless, turns, START)
    ended = np.cumsum(dialogues.actions != ASK, axis=0) - (dialogues.actions != ASK) > 0
    pi, mu = between(distance)(dialogues.nets), careless(dialogues.nets)
    truth = true_q(between(distance), turns)
    q = trust * truth[np.arange(turns)[:, None], dialogues.nets + turns]
    rho_a = importance_weights(dialogues.at_actions(pi), dialogues.at_actions(mu))
    q_a, v, rho_a = (np.where(ended, 0.0, x) for x in (dialogues.at_actions(q), (pi * q).sum(axis=-1), rho_a))
    asked = dialogues.actions[0] == ASK
    weights = chances[asked] / chances[asked].sum()
    found = {}
    for name, values in estimates(dialogues.rewards, q_a, v, rho_a).items():
        mean = weights @ values[asked]
        found[name] = mean - truth[0, turns + START, ASK], np.sqrt(weights @ (values[asked] - mean) ** 2)
    return found


def show():
    table = [moments(distance) for distance in DISTANCES]
    curves = {name: np.array([row[name] for row in table]) for name in STYLES}
    (_, whole), (step, _), (bias, std), (little, much) = (curves[name][-1] for name in (
        "weighted return", "one step (λ = 0)", "Retrace, λ = 1", "traces cut at c = 5"))
    return (f"Far from the behaviour, at distance 1, the weighted return has no bias but a deviation of {whole:.0f}, and one "
            f"step hardly any deviation but half of the truth missing: a bias of {step:.1f}. Retrace (λ = 1) has no bias "
            f"near the behaviour and comes to trust the critic as it goes away: bias {bias:.1f}, deviation {std:.1f}. Traces "
            f"cut at c = 5 pay for less bias ({little:.1f}) with a deviation of {much:.0f}. More dialogues shrink the deviation "
            f"and leave the bias.", draw(curves))


def draw(curves: dict[str, np.ndarray]):
    """Bias, deviation and both together, over the distance."""
    picture = figure(12, 4.5)
    picture.suptitle("Estimates of Q(ask) after one answer for A, with a critic that believes half of the truth")
    panels = picture.subplots(1, 3)
    sizes = (lambda m: np.abs(m[:, 0]), lambda m: m[:, 1], lambda m: np.hypot(m[:, 0], m[:, 1] / MANY ** 0.5))
    titles = ("bias (absolute)", "standard deviation", f"error of a mean over {MANY} dialogues")
    for axes, size, title in zip(panels, sizes, titles):
        for name, (colour, line, marker) in STYLES.items():
            axes.plot(DISTANCES, size(curves[name]), line, color=colour, marker=marker, markevery=4, label=name)
        axes.set_title(title)
    panels[0].set_ylabel("of an estimate of Q, in units of reward\n(a success earns 20)")
    panels[1].set_xlabel("distance of the policy π from the behaviour μ that held the dialogues (0: they are the same)")
    picture.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=6)
    return picture
