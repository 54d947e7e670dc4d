"""Truncation and correction: two parts of π that always sum to it, whatever the truncation level c."""
import numpy as np

from acer_np.acer import ACERConfig, gradient_weights
from acer_np.gradients import Softmax, correction_weights, importance_weights, log_gradient
from acer_np.heads import SummaryHeads
from acer_np.replay import Batch
from demos.style import BLUE, GREEN, RED, figure
from demos.tours.small_dialogue import ACTIONS
from demos.ablations import without_correction

PI, MU, Q = np.array([[0.35, 0.60, 0.05],           # the user seems to want A, which the behaviour rarely offered
                      [0.55, 0.10, 0.35],
                      [0.30, 0.90, -0.05]])
LEVELS = np.geomspace(0.1, 10, 201)                 # c


def parts(pi: np.ndarray, mu: np.ndarray, rho_max: float) -> tuple[np.ndarray, np.ndarray]:
    """(A,) each: what the truncated weight brings on average, μ min(c, ρ), and what the correction adds to it."""
    return mu * np.minimum(rho_max, importance_weights(pi, mu)), correction_weights(pi, mu, rho_max)


def moments(pi: np.ndarray, mu: np.ndarray, q: np.ndarray, rho_max: float, weights=gradient_weights):
    """(A,) mean and total standard deviation, over draws from μ, of the policy gradient at the logits."""
    n = len(pi)                                     # a turn for every action that may have been drawn
    pis, mus, qs, nothing = np.tile(pi, (n, 1)), np.tile(mu, (n, 1)), np.tile(q, (n, 1)), np.zeros((n, 0))
    batch = Batch(nothing, mus > 0, np.arange(n), nothing, mus, nothing, np.ones(n, int))
    drawn = log_gradient(pis, weights(SummaryHeads(n), batch, Softmax(pis, None), Softmax(mus, None), qs,
                                      np.full(n, pi @ q), q, importance_weights(pi, mu), ACERConfig(rho_max=rho_max)))
    mean = mu @ drawn
    return mean, np.sqrt(mu @ ((drawn - mean) ** 2).sum(axis=1))


def show():
    truth, _ = moments(PI, MU, Q, np.inf)
    length, one, sampled = np.linalg.norm(truth), np.abs(LEVELS - 1).argmin(), parts(PI, MU, 1.0)[0].sum()
    (means, stds), (alone, _) = (map(np.array, zip(*(moments(PI, MU, Q, c, weights) for c in LEVELS)))
                                 for weights in (gradient_weights, without_correction))
    whole, lost = (np.linalg.norm(mean - truth, axis=1) / length for mean in (means, alone))
    return (f"At c = 1 the truncated part has {sampled:.2f} of the mass of π. The correction, a sum over all actions "
            f"that uses the critic's Q, has the other {1 - sampled:.2f}. Without the correction {100 * lost[one]:.0f} "
            "% of the gradient is missing. With it nothing is missing, if the critic is right. The standard deviation "
            f"of one sample is {stds[one] / length:.1f} lengths of the gradient at c = 1. Without truncation it is "
            f"{stds[-1] / length:.1f}.", draw(stds / length, lost, whole))


def draw(spread: np.ndarray, lost: np.ndarray, whole: np.ndarray):
    """An area per action, then what is lost and what is spread."""
    picture = figure(13, 3.8, "Truncated part and correction always sum to π")
    *panels, last = picture.subplots(1, 4)
    areas = np.array([parts(PI, MU, c) for c in LEVELS])
    for a, axes in enumerate(panels):
        axes.stackplot(LEVELS, *areas[:, :, a].T, colors=(BLUE, "#F3C4A5"),
                       labels=("truncated: μ min(c, ρ)", "correction: (π - c μ)₊"))
        axes.set(title=f"{ACTIONS[a]}: π = {PI[a]:.2f}, μ = {MU[a]:.2f}, ρ = {PI[a] / MU[a]:.2f}",
                 ylim=(0, 1.05 * PI.max()))
    panels[0].legend(loc="upper right", fontsize="small")
    last.plot(LEVELS, spread, "-.", color=GREEN, label="deviation of one sample")
    last.plot(LEVELS, lost, "--", color=RED, label="missing without the correction")
    last.plot(LEVELS, whole, color=BLUE, label="missing with it, if Q is right")
    last.set_title("in lengths of the gradient")
    last.legend(fontsize="small")
    for axes in (*panels, last):
        axes.set(xscale="log", xlabel="truncation level c", xlim=(LEVELS[0], LEVELS[-1]))
        axes.set_xticks((0.1, 1, 5, 10), labels=("0.1", "1", "5", "10"))
    return picture
