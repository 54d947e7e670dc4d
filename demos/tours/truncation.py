"""Truncation and correction: two parts of π that always sum to it, whatever the truncation level c."""
import numpy as np

from acer_np.acer import ACERConfig, gradient_weights
from acer_np.gradients import Softmax, correction_weights, importance_weights, log_gradient
from acer_np.heads import SummaryHeads
from acer_np.replay import Batch
from demos.tours.small_dialogue import ACTIONS
from demos.tours.style import BLUE, GREY, RED, figure
from demos.variants import without_correction

PI, MU, Q = np.array([[0.35, 0.60, 0.05],           # the user seems to want A, which the behaviour rarely offered
                      [0.55, 0.10, 0.35],
                      [0.30, 0.90, -0.05]])
LEVELS = np.geomspace(0.1, 10, 201)                # c


def parts(pi: np.ndarray, mu: np.ndarray, rho_max: float) -> tuple[np.ndarray, np.ndarray]:
    """(A,) each: what the truncated weight brings on average, μ min(c, ρ), and what the correction adds to it."""
    return mu * np.minimum(rho_max, importance_weights(pi, mu)), correction_weights(pi, mu, rho_max)


def gradients(pi: np.ndarray, mu: np.ndarray, q: np.ndarray, rho_max: float, weights=gradient_weights) -> np.ndarray:
    """(A, A) the policy gradient at the logits for each action that μ may have drawn, the critic being right."""
    every, n = np.arange(len(pi)), len(pi)
    pis, mus, qs, nothing = np.tile(pi, (n, 1)), np.tile(mu, (n, 1)), np.tile(q, (n, 1)), np.zeros((n, 0))
    batch = Batch(nothing, mus > 0, every, nothing, mus, nothing, np.ones(n, int))
    config = ACERConfig(rho_max=rho_max, value_limit=np.inf)
    return log_gradient(pis, weights(SummaryHeads(n), batch, Softmax(pis, np.log(pis)), Softmax(mus, None), qs,
                                     np.full(n, pi @ q), q, importance_weights(pi, mu), config))


def moments(pi: np.ndarray, mu: np.ndarray, q: np.ndarray, rho_max: float, weights=gradient_weights):
    """(A,) mean and total standard deviation of the gradient, over the draws from μ."""
    drawn = gradients(pi, mu, q, rho_max, weights)
    mean = mu @ drawn
    return mean, np.sqrt(mu @ ((drawn - mean) ** 2).sum(axis=1))


def show():
    truth, _ = moments(PI, MU, Q, np.inf)
    found = {name: [moments(PI, MU, Q, c, weights) for c in LEVELS]
             for name, weights in (("with", gradient_weights), ("without", without_correction))}
    lost = {name: np.array([np.linalg.norm(mean - truth) for mean, _ in row]) / np.linalg.norm(truth)
            for name, row in found.items()}
    spread = {name: np.array([std for _, std in row]) / np.linalg.norm(truth) for name, row in found.items()}
    one, sampled = np.abs(LEVELS - 1).argmin(), parts(PI, MU, 1.0)[0].sum()
    return (f"At c = 1 the sampled part brings {sampled:.2f} of π, and the correction, a sum over all actions with the "
            f"critic's Q, the other {1 - sampled:.2f}. Without the correction {100 * lost['without'][one]:.0f} % of the "
            f"gradient would be lost, with it nothing is, whatever c. Truncation pays: the deviation of a draw is "
            f"{spread['with'][one]:.1f} times the gradient at c = 1, and {spread['with'][-1]:.1f} times where nothing is "
            "truncated.", draw(lost, spread))


def draw(lost: dict[str, np.ndarray], spread: dict[str, np.ndarray]):
    """An area per action, then what is lost and what is spread."""
    picture = figure(12, 6.5)
    panels = picture.subplot_mosaic("001122;333444")
    areas = np.array([parts(PI, MU, c) for c in LEVELS])
    for a, name in enumerate(ACTIONS):
        axes, ratio = panels[str(a)], PI[a] / MU[a]
        axes.stackplot(LEVELS, *areas[:, :, a].T, colors=(BLUE, "#F3C4A5"), labels=("truncated: μ min(c, ρ)", "correction"))
        axes.axvline(ratio, color=GREY, linestyle=":")
        axes.text(ratio, 1.02 * PI[a], f" c = ρ = {ratio:.2f}", color=GREY, va="bottom", ha="left" if ratio < 3 else "right")
        axes.set(title=f"{name}: π = {PI[a]:.2f}, μ = {MU[a]:.2f}", ylim=(0, 1.15 * PI[a]), xlabel="truncation level c")
    panels["0"].set_ylabel("together always π")
    panels["0"].legend(loc="lower right", fontsize="small")
    for key, values, title in (("3", lost, "lost of the mean gradient"), ("4", spread, "standard deviation of a draw, the same for both")):
        panels[key].plot(LEVELS, values["with"], color=BLUE, label="truncation and correction")
        panels[key].plot(LEVELS, values["without"], "--", color=RED, label="truncation alone")
        panels[key].set(title=f"{title} (1: the gradient's length)", xlabel="truncation level c")
        panels[key].legend(fontsize="small")
    for axes in panels.values():
        axes.set_xscale("log")
        axes.set(xticks=(0.1, 1, 5, 10), xticklabels=("0.1", "1", "5", "10"), xlim=(LEVELS[0], LEVELS[-1]))
    return picture
