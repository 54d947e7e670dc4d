"""Bias and variance of the estimates of Q, exactly: a sum over every dialogue that can happen, no draws."""
import numpy as np

from acer_np.gradients import importance_weights
from demos.style import BLUE, GREEN, GREY, PINK, RED, figure, legend
from demos.tours.ladder import estimates
from demos.tours.small_dialogue import ASK, GAMMA, between, careless, every_dialogue, taken, true_q

TURNS, START = 8, 1                            # at most so many turns, the first of them after one answer for A
TRUST = 0.5                                    # the critic believes half of the truth
DISTANCES = np.linspace(0, 1, 21)
STYLES = {"one step (λ = 0)": (GREY, ":", "o"), "Retrace (λ = 1)": (BLUE, "-", "D"),
          "traces cut at c = 5": (PINK, "--", "P"), "weighted return": (RED, "-", "s"),
          "plain return": (GREEN, ":", "x")}


def moments(distance: float, trust: float = TRUST, turns: int = TURNS) -> dict[str, tuple[float, float]]:
    """(bias, standard deviation) of each estimate of Q^π(p = 0.7, ask), the critic being `trust` times Q^π."""
    (nets, actions, rewards), chances = every_dialogue(careless, turns, START)
    ended = np.cumsum(actions != ASK, axis=0) - (actions != ASK) > 0
    pi, mu, truth = between(distance)(nets), careless(nets), true_q(between(distance), turns)
    q = trust * truth[np.arange(turns)[:, None], nets + turns]
    rho_a = importance_weights(taken(pi, actions), taken(mu, actions))
    q_a, v, rho_a = (np.where(ended, 0.0, x) for x in (taken(q, actions), (pi * q).sum(axis=-1), rho_a))
    weights, found = chances * (actions[0] == ASK) / chances[actions[0] == ASK].sum(), {}
    for name, targets in estimates(rewards, q_a, v, rho_a, GAMMA).items():
        mean = weights @ targets[0]
        found[name] = mean - truth[0, turns + START, ASK], np.sqrt(weights @ (targets[0] - mean) ** 2)
    return found


def show():
    table = [moments(distance) for distance in DISTANCES]
    curves = {name: np.array([row[name] for row in table]) for name in STYLES}
    step, whole, ours, long = (curves[name][-1] for name in
                               ("one step (λ = 0)", "weighted return", "Retrace (λ = 1)", "traces cut at c = 5"))
    return (f"At distance 1 the weighted return has no bias, but a standard deviation of {whole[1]:.0f}. One step "
            f"deviates by {step[1]:.1f} and has the critic's bias, {step[0]:.1f}. Retrace (λ = 1) has no bias at "
            f"distance 0. It relies on the critic more as π leaves μ: at distance 1 its bias is {ours[0]:.1f}, its "
            f"deviation {ours[1]:.1f}. Traces cut at c = 5 end with a bias of {long[0]:.1f} and a deviation of "
            f"{long[1]:.0f}. More dialogues shrink deviations but not biases, which favours the weighted return.",
            draw(curves))


def draw(curves: dict[str, np.ndarray]):
    """Bias and deviation, over the distance."""
    picture = figure(9, 3.8, "Estimates of Q(ask) after one answer for A, with a critic that is half of the truth")
    panels = picture.subplots(1, 2)
    for name, (colour, line, marker) in STYLES.items():
        for axes, title, size in zip(panels, ("bias (absolute)", "standard deviation"), np.abs(curves[name].T)):
            axes.plot(DISTANCES, size, line, color=colour, marker=marker, markevery=4, markersize=6,
                      markerfacecolor="none", label=name)
            axes.set(title=title, xlabel="distance of π from μ (0: the same)")
    panels[0].set_ylabel("units of reward (success: 20)")
    legend(picture)
    return picture
