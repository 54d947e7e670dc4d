"""GP-SARSA along every belief of the small dialogue, beside the truth; its two definitions; its payload kernel."""
import numpy as np

from demos.tours.small_dialogue import (ACTIONS, ASK, GAMMA, OFFER_A, Dialogue, beliefs, careless, play, probability,
                                        true_q)
from demos.tours.style import BLUE, RED, figure
from gp_sarsa.exact import posterior_by_definition
from gp_sarsa.kernels import ProductKernel, gaussian, linear, payload_cosine
from gp_sarsa.layout import ActionLayout
from gp_sarsa.points import Points, returns_to_go
from gp_sarsa.posterior import KernelPosterior

NOISE_STD, PRIOR_STD, SEED, REACH = 8.0, 15.0, 11, 60
STAGES = (0, 1, 5, 50)                              # dialogues
PATH = np.linspace(0, 1, 101)
SHOWN = {ASK: (RED, "-"), OFFER_A: (BLUE, "-.")}
KERNELS = {"linear": linear, "Gaussian": gaussian(0.5)}


def truth() -> dict[int, np.ndarray]:
    """(101,) Q of the behaviour along the path."""
    at = probability(np.arange(-REACH, REACH + 1))
    return {action: np.interp(PATH, at, true_q(careless, REACH)[0, :, action]) for action in SHOWN}


def query(action: int) -> Points:
    return Points(np.column_stack([PATH, 1 - PATH]), np.full(len(PATH), action))


def kernel(name: str) -> ProductKernel:
    return ProductKernel(lambda *products: PRIOR_STD ** 2 * KERNELS[name](*products), ActionLayout(0, 0, 3))


def regression(name: str, dialogues: list[Dialogue]) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Mean and variance along the path, from the returns."""
    posterior = KernelPosterior(kernel(name), 2, NOISE_STD)
    for nets, actions, rewards in dialogues:
        posterior.update(beliefs(nets), actions, returns_to_go(rewards, GAMMA))
    return {action: posterior.predict(*query(action)) for action in SHOWN}


def differences(name: str, dialogues: list[Dialogue]) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """The same from temporal differences with their correlated noise, as GP-SARSA is defined."""
    nets, actions, rewards = map(np.concatenate, zip(*dialogues))
    lengths = [len(dialogue.rewards) for dialogue in dialogues]
    return {action: posterior_by_definition(kernel(name), Points(beliefs(nets), actions), lengths, rewards,
                                            query(action), GAMMA, NOISE_STD) for action in SHOWN}


def inside(mean: np.ndarray, variance: np.ndarray, true: np.ndarray) -> float:
    """The share of the path where the truth is within two standard deviations."""
    return np.mean(np.abs(mean - true) <= 2 * np.sqrt(variance))


def payload_kernel(n_slots: int) -> tuple[np.ndarray, np.ndarray]:
    """(2^n,) payloads in an order in which neighbours differ by one slot (Gray's), and their similarities."""
    payloads = np.arange(2 ** n_slots) ^ (np.arange(2 ** n_slots) >> 1)
    return payloads, payload_cosine(ActionLayout(1, n_slots, 0), payloads, payloads)


def show():
    rng, true = np.random.default_rng(SEED), truth()
    dialogues = [play(rng, careless) for _ in range(max(STAGES))]
    stages = {name: {n: regression(name, dialogues[:n]) for n in STAGES} for name in KERNELS}
    errors = {name: [np.sqrt(np.mean((row[n][ASK][0] - true[ASK]) ** 2)) for n in (0, 50)] for name, row in stages.items()}
    defined = differences("Gaussian", dialogues[:5])
    apart = max(np.abs(x - y).max() for action in SHOWN for x, y in zip(defined[action], stages["Gaussian"][5][action]))
    mean, variance = stages["Gaussian"][50][ASK]
    return ("Root mean square distance of the mean from the true Q(ask) along all beliefs, before and after 50 dialogues: "
            + "; ".join(f"{name} kernel {before:.1f} and {after:.1f}" for name, (before, after) in errors.items())
            + f". The band is too sure of itself and holds the truth at {100 * inside(mean, variance, true[ASK]):.0f} % of "
            "the beliefs only, for the turns of a dialogue share one ending, which counts as evidence once per turn. "
            f"Regression on returns and temporal differences differ by {apart:.0e}: they are the same posterior.",
            draw(stages, true, dialogues, defined))


def draw(stages: dict, true: dict, dialogues: list[Dialogue], defined: dict):
    """Two rows of posteriors; a third with both definitions and the kernel of the payloads."""
    picture = figure(12, 9.5)
    above, below = picture.subfigures(2, 1, height_ratios=(5, 4))
    rows = above.subplots(2, len(STAGES), sharex=True, sharey=True)
    for row, (name, by_stage) in zip(rows, stages.items()):
        row[0].set_ylabel(f"Q, {name} kernel")
        for axes, (n, moments) in zip(row, by_stage.items()):
            axes.set_title(f"{n} dialogue{'s' * (n != 1)}", fontsize="medium")
            _posterior(axes, moments, true, dialogues[:n])
    axes.legend(loc="lower right", fontsize="small")
    axes.set_ylim(-22, 40)
    above.supxlabel("belief: probability p of A.  Band: two standard deviations; dashes: the truth; dots: returns",
                    fontsize="medium")
    both, few, many = below.subplots(1, 3)
    for action, (colour, _) in SHOWN.items():
        both.plot(PATH, stages["Gaussian"][5][action][0], color=colour, linewidth=5, alpha=0.35,
                  label=f"{ACTIONS[action]}, regression on returns")
        both.plot(PATH, defined[action][0], ":", color="black")
    both.plot([], [], ":", color="black", label="temporal differences")
    both.set(title="5 dialogues: two definitions, one mean", xlabel="belief: probability p of A", ylabel="Q")
    both.legend(fontsize="small")
    payloads, similar = payload_kernel(3)
    names = ["".join(letter for i, letter in enumerate("xyz") if payload >> i & 1) or "none" for payload in payloads]
    few.imshow(similar, cmap="Blues", vmin=0, vmax=1.4)
    for (i, j), value in np.ndenumerate(similar):
        few.text(j, i, f"{value:.1f}", ha="center", va="center", fontsize="small")
    few.set(xticks=range(8), yticks=range(8), xticklabels=names, yticklabels=names, title="payloads of 3 slots: similarity")
    below.colorbar(many.imshow(payload_kernel(8)[1], cmap="Blues", vmin=0, vmax=1), ax=many, shrink=0.7)
    many.set(xticks=[], yticks=[], title="all 256 of 8 slots;\nneighbours differ by one slot")
    return picture


def _posterior(axes, moments: dict, true: dict, dialogues: list[Dialogue]) -> None:
    for action, (mean, variance) in moments.items():
        colour, line = SHOWN[action]
        axes.fill_between(PATH, mean - 2 * variance ** 0.5, mean + 2 * variance ** 0.5, color=colour, alpha=0.2, linewidth=0)
        axes.plot(PATH, mean, line, color=colour, label=ACTIONS[action])
        axes.plot(PATH, true[action], "--", color=colour, linewidth=1)
        for nets, actions, rewards in dialogues:
            taken = actions == action
            axes.plot(probability(nets[taken]), returns_to_go(rewards, GAMMA)[taken], ".", color=colour, markersize=4, alpha=0.6)
