"""The trust region on the simplex: the step z nearest to g among those that raise the divergence by at most δ."""
import numpy as np

from acer_np.gradients import Softmax, expectation_gradient, kl_divergence, kl_gradient, masked_softmax
from acer_np.trust_region import project
from demos.tours.small_dialogue import ACTIONS
from demos.tours.style import AMBER, BLUE, GREEN, GREY, PINK, RED, bare, figure

PI, AVERAGE = np.array([0.35, 0.5, 0.15]), np.array([0.55, 0.25, 0.2])
Q = np.array([0.1, 1.0, -0.8])
DELTA, STEP, TURNS = 0.01, 4.0, 500                 # δ; how long the steps are drawn; turns of a minibatch
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.75 ** 0.5]]) - [0.5, 0.75 ** 0.5 / 3]


def printed(g: np.ndarray, k: np.ndarray, kl_limit: float) -> np.ndarray:
    """The formula as the paper prints it, with the maximum around the product, entry by entry."""
    return g - np.maximum(0.0, (k @ g - kl_limit) / (k @ k) * k)


def by_g(g: np.ndarray, k: np.ndarray, kl_limit: float) -> np.ndarray:
    """A slip met in code: division by g·g in the place of k·k."""
    return g - max(0.0, (k @ g - kl_limit) / (g @ g)) * k


STEPS = {"g: no trust region": (lambda g, k, limit: g, RED, "-"), "z: the nearest allowed": (project, BLUE, "-"),
         "maximum entry by entry": (printed, PINK, "--"), "division by g·g": (by_g, AMBER, ":")}


def gradients() -> tuple[np.ndarray, np.ndarray]:
    """g and k at the three logits; both sum to 0, so they lie in the plane of the triangle."""
    policy, average = Softmax(PI, np.log(PI)), Softmax(AVERAGE, np.log(AVERAGE))
    return expectation_gradient(PI, Q), kl_gradient(average, policy)


def kept(kl_limit: np.ndarray, n: float) -> np.ndarray:
    """Which share of the growth k·g is left in k·z, if g and k are sums over n turns that are alike (1: means)."""
    g, k = (n * x for x in gradients())
    return np.array([k @ project(g, k, limit) / (k @ g) for limit in kl_limit])


def show():
    g, k = gradients()
    growth = {name: k @ step(g, k, DELTA) for name, (step, _, _) in STEPS.items()}
    text = ", ".join(f"{name} {value:.4f}" for name, value in list(growth.items())[1:])
    return (f"Growth of the divergence, to first order: k·g = {k @ g:.4f}, where δ = {DELTA} is allowed. With the three "
            f"formulas: {text}; only the first stays at δ and is nearest to g. On sums over {TURNS} turns both g and k are "
            f"{TURNS} times longer, so the same δ is {TURNS}² times stricter: δ = 1 on sums is {1 / TURNS ** 2:g} on means.",
            draw(g, k))


def draw(g: np.ndarray, k: np.ndarray):
    """The simplex, the plane of the gradients, and how much is kept as δ changes."""
    picture = figure(13, 4.8)
    simplex, plane, share = picture.subplots(1, 3, width_ratios=(5, 6, 4))
    _simplex(simplex, g, k)
    _plane(plane, g, k)
    limits = np.geomspace(1e-8, 1e5, 200)
    for n, line, label, limit in ((1, "-", "means over the turns", 0.01), (TURNS, "--", f"sums over {TURNS} turns", 1.0)):
        share.plot(limits, kept(limits, n), line, color=BLUE, label=label)
        share.plot(limit, kept([limit], n), "s", color=RED)
    share.annotate("ours", (0.01, kept([0.01], 1)[0]), (-8, 4), textcoords="offset points", ha="right")
    share.annotate("the paper's", (1, 0), (0, 8), textcoords="offset points")
    share.set(xscale="log", xlabel="limit δ", ylim=(-0.05, 1.25))
    share.set_title("3. Which share of the growth k·g is left", fontsize="medium")
    share.legend(loc="upper left", fontsize="small")
    return picture


def _simplex(axes, g: np.ndarray, k: np.ndarray) -> None:
    """Contours of KL(π_a ‖ ·), and where a step along each gradient leads."""
    grid = np.array([(x, y) for x in np.linspace(0.005, 0.99, 90) for y in np.linspace(0.005, 0.99, 90) if x + y < 0.996])
    pis = np.column_stack([grid, 1 - grid.sum(axis=1)])
    average = np.broadcast_to(AVERAGE, pis.shape)
    divergence = kl_divergence(Softmax(average, np.log(average)), Softmax(pis, np.log(pis)))
    lines = axes.tricontour(*(pis @ CORNERS).T, divergence, levels=(0.02, 0.1, 0.3), colors=GREY, linewidths=0.8)
    axes.clabel(lines, lines.levels[1:], fontsize="small")
    axes.plot(*CORNERS[[0, 1, 2, 0]].T, color="black")
    for name, (step, colour, line) in STEPS.items():
        path = np.array([masked_softmax(np.log(PI) + s * step(g, k, DELTA)).pi for s in np.linspace(0, STEP, 30)]) @ CORNERS
        axes.plot(*path.T, line, color=colour, linewidth=2)
        axes.plot(*path[-1], "o", color=colour, markersize=5)
    for point, mark, word in ((PI, "ko", "policy π"), (AVERAGE, "k^", "average $π_a$")):
        axes.plot(*(point @ CORNERS), mark)
        axes.annotate(word, point @ CORNERS, (-3, 7), textcoords="offset points", ha="center")
    for corner, name, shift in zip(CORNERS, ACTIONS, (-14, -14, 6)):
        axes.annotate(f"always {name}", corner, (0, shift), textcoords="offset points", ha="center")
    axes.set_aspect("equal")
    axes.margins(0.12)
    bare(axes, f"1. Policies, KL($π_a$ ‖ π) as contours, steps of {STEP:g}")


def _plane(axes, g: np.ndarray, k: np.ndarray) -> None:
    """The same triangle's plane, enlarged: arrows, and the half-plane k·z ≤ δ for three δ."""
    normal = k @ CORNERS / (k @ k) * 2                        # CORNERS shrinks lengths in the plane by √2
    along = np.array([-normal[1], normal[0]]) / np.linalg.norm(normal)
    for limit, width in ((0.0, 0.8), (DELTA, 2.0), (0.03, 0.8)):
        foot = limit * normal / 2
        axes.plot(*np.transpose([foot - along, foot + along]), "--", color=GREEN, linewidth=width)
        axes.annotate(f"k·z = {limit:g}", foot + 0.05 * along, (2, 0), textcoords="offset points", color=GREEN,
                      rotation=78, va="center", fontsize="small")
    arrows = {"k": (lambda g, k, limit: k / 2, GREY, "-")} | STEPS
    for name, (step, colour, line) in arrows.items():
        tip = step(g, k, DELTA) @ CORNERS
        axes.annotate("", tip, (0, 0), arrowprops={"arrowstyle": "-|>", "color": colour, "linestyle": line, "linewidth": 2,
                                                   "shrinkA": 0, "shrinkB": 0})
        if name[:2] in ("k", "g:", "z:"):
            axes.annotate("k, halved" if name == "k" else name[0], tip, (5, -6), textcoords="offset points", fontsize="large")
        if name != "k":
            axes.plot([], [], line, color=colour, label=name)
    axes.legend(fontsize="small", loc="lower left")
    axes.set(xlim=(-0.16, 0.24), ylim=(-0.23, 0.1), aspect="equal")
    bare(axes, f"2. Gradients at the logits; allowed: k·z ≤ δ = {DELTA}")
