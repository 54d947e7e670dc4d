"""The trust region on the simplex: the step z nearest to g among those that raise the divergence by at most δ."""
import numpy as np

from acer_np.gradients import Softmax, expectation_gradient, kl_divergence, kl_gradient, masked_softmax
from acer_np.trust_region import project
from demos.style import BLUE, GREEN, GREY, RED, figure
from demos.tours.small_dialogue import ACTIONS

PI, AVERAGE, Q = np.array([0.35, 0.4, 0.25]), np.array([0.55, 0.2, 0.25]), np.array([0.1, 1.0, -0.8])
DELTA, STEP, TURNS = 0.01, 4.0, 400                 # δ; how long the steps are drawn; turns of a minibatch
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.75 ** 0.5]])


STEPS = {"z, the closest allowed": (project, BLUE, "-"), "g, no trust region": (lambda g, k, kl_limit: g, RED, "-.")}


def softmax(pi: np.ndarray) -> Softmax:
    return Softmax(pi, np.log(pi))


def gradients() -> tuple[np.ndarray, np.ndarray]:
    """g and k at the three logits."""
    return expectation_gradient(PI, Q), kl_gradient(softmax(AVERAGE), softmax(PI))


def kept(kl_limit: float, n: float) -> float:
    """Which share of the growth k·g is left in k·z, if g and k are sums over n turns that are alike (1: means)."""
    g, k = (n * x for x in gradients())
    return k @ project(g, k, kl_limit) / (k @ g)


def on_simplex(steps: np.ndarray) -> np.ndarray:
    """(n, 2) where (n, 3) steps along the logits lead."""
    return masked_softmax(np.log(PI) + STEP * steps).pi @ CORNERS


def show():
    g, k = gradients()
    growth = [k @ step(g, k, DELTA) for step, *_ in STEPS.values()]
    picture = figure(12, 4.6, "The trust region: z raises KL(π̄ ‖ π) by δ at most, to first order")
    left, right = picture.subplots(1, 2, width_ratios=(7, 5))
    draw_simplex(left, g, k)
    draw_limits(right)
    return (f"To first order g raises the divergence by {growth[-1]:.3f}. The trust region allows δ = {DELTA}, and z "
            f"raises it by {growth[0]:.3f}. No allowed step is closer to g. Sums over {TURNS} turns make g and k "
            f"{TURNS} times longer. So δ = 1 on sums is as strict as {1 / TURNS ** 2:g} on means. All of the paper's δ, 0.5 "
            f"to 50, leave at most {100 * kept(50, TURNS):.2f} % of the growth.", picture)


def draw_simplex(axes, g: np.ndarray, k: np.ndarray) -> None:
    """Every point is a policy: contours of the divergence, the steps, and the lines where k·z has a given value."""
    pis = np.array([(i, j, 80 - i - j) for i in range(1, 80) for j in range(1, 80 - i)]) / 80
    divergence = kl_divergence(softmax(np.broadcast_to(AVERAGE, pis.shape)), softmax(pis))
    lines = axes.tricontour(*(pis @ CORNERS).T, divergence, levels=(0.02, 0.1, 0.3), colors=GREY, linewidths=0.8)
    axes.clabel(lines, fontsize="small")
    along = np.cross(k, np.ones(3))                               # at right angles to k, in the plane of the logits
    for limit, width in ((DELTA, 2.5), (0.05, 1)):
        line = on_simplex(limit * k / (k @ k) + np.linspace(-0.8, 1.2, 50)[:, None] * along)
        axes.plot(*line.T, "--", color=GREEN, linewidth=width)
        axes.annotate(f"{limit:g}", line[0], color=GREEN, ha="center", va="bottom", fontsize="small")
    for name, (step, colour, style) in STEPS.items():
        path = on_simplex(np.linspace(0, 1, 30)[:, None] * step(g, k, DELTA))
        axes.plot(*path.T, style, color=colour, linewidth=2.5, label=name)
        axes.plot(*path[-1], "o", color=colour)
    for point, mark, word in ((PI, "ko", "π"), (AVERAGE, "k^", "π̄")):
        axes.plot(*(point @ CORNERS), mark)
        axes.annotate(word, point @ CORNERS, (0, 9), textcoords="offset points", ha="center",
                      bbox={"color": "white", "pad": 0.5})
    axes.plot(*CORNERS[[0, 1, 2, 0]].T, color="black")
    for corner, name, shift in zip(CORNERS, ACTIONS, (-0.06, -0.06, 0.02)):
        axes.text(corner[0], corner[1] + shift, f"always {name}", ha="center")
    axes.legend(loc="upper right", fontsize="small", title=f"steps, {STEP:g} times as long", handlelength=3.5)
    axes.set(aspect="equal", xlim=(-0.05, 1.4), title=f"grey: KL(π̄ ‖ π); green: where k·z is δ = {DELTA}, or 0.05")
    axes.axis("off")


def draw_limits(axes) -> None:
    """How much of the growth is left as δ changes, on means and on sums."""
    limits = np.geomspace(1e-8, 1e5, 200)
    for n, line, limit, label in ((1, "-", DELTA, "g and k are means; square: our δ"),
                                  (TURNS, "--", 1.0, f"sums over {TURNS} turns; square: the paper's δ")):
        axes.plot(limits, [kept(x, n) for x in limits], line, color=BLUE, label=label)
        axes.plot(limit, kept(limit, n), "s", color=RED)
    axes.set(xscale="log", xlabel="limit δ", ylim=(-0.05, 1.25), title="share of the growth k·g that is left in k·z")
    axes.legend(loc="upper left", fontsize="small")
