"""GP-SARSA along every belief of the small dialogue, beside the truth; its two definitions; its payload kernel."""
import numpy as np

from demos.style import BLUE, RED, figure
from demos.tours.small_dialogue import ACTIONS, ASK, GAMMA, OFFER_A, beliefs, careless, play, probability, true_q
from gp_sarsa import ActionLayout, KernelPosterior, ProductKernel, gaussian, linear, returns_to_go
from gp_sarsa.exact import posterior_by_definition
from gp_sarsa.kernels import payload_cosine
from gp_sarsa.points import Points

NOISE_STD, PRIOR_STD, SEED, REACH = 8.0, 15.0, 11, 60
STAGES = (0, 1, 5, 50)                              # dialogues
PATH = np.linspace(0, 1, 101)
SHOWN = {ASK: (RED, "-", "--", "ox"), OFFER_A: (BLUE, "-.", ":", "^+")}     # mean, truth, returns and definition
KERNELS = {name: ProductKernel(lambda *products, k=k: PRIOR_STD ** 2 * k(*products), ActionLayout(0, 0, 3))
           for name, k in (("linear", linear), ("Gaussian", gaussian(0.5)))}
QUERY = {action: Points(np.column_stack([PATH, 1 - PATH]), np.full(len(PATH), action)) for action in SHOWN}
Moments = dict[int, tuple[np.ndarray, np.ndarray]]  # mean and variance along the path, by action


def truth() -> dict[int, np.ndarray]:
    """(101,) Q of the behaviour along the path."""
    at, q = probability(np.arange(-REACH, REACH + 1)), true_q(careless, REACH)[0]
    return {action: np.interp(PATH, at, q[:, action]) for action in SHOWN}


def from_returns(kernel: ProductKernel, points: Points, returns: np.ndarray) -> Moments:
    """The posterior by regression."""
    posterior = KernelPosterior(kernel, 2, NOISE_STD)
    posterior.update(*points, returns)
    return {action: posterior.predict(*query) for action, query in QUERY.items()}


def from_differences(kernel: ProductKernel, points: Points, rewards: np.ndarray, lengths: list[int]) -> Moments:
    """The posterior as GP-SARSA is defined: from temporal differences, with their correlated noise."""
    return {action: posterior_by_definition(kernel, points, lengths, rewards, query, GAMMA, NOISE_STD)
            for action, query in QUERY.items()}


def payload_similarity(n_slots: int) -> np.ndarray:
    """(n + 1, n + 1) kernel of payloads that tell 0, 1, 2, ..., n slots, each one slot more than the last."""
    payloads = 2 ** np.arange(n_slots + 1) - 1
    return payload_cosine(ActionLayout(1, n_slots, 0), payloads, payloads)


def show():
    rng, true = np.random.default_rng(SEED), truth()
    dialogues = [play(rng, careless) for _ in range(max(STAGES))]
    nets, actions, rewards = map(np.concatenate, zip(*dialogues))
    points, lengths = Points(beliefs(nets), actions), [len(d.rewards) for d in dialogues]
    returns = np.concatenate([returns_to_go(d.rewards, GAMMA) for d in dialogues])
    ends = {n: sum(lengths[:n]) for n in STAGES}
    stages = {(name, n): from_returns(kernel, Points(*(x[:end] for x in points)), returns[:end])
              for name, kernel in KERNELS.items() for n, end in ends.items()}
    defined = from_differences(KERNELS["Gaussian"], points, rewards, lengths)
    mean, variance = stages["Gaussian", 50][ASK]
    holds = np.mean((mean - true[ASK]) ** 2 <= 4 * variance)
    far = [np.sqrt(np.mean((stages["Gaussian", n][ASK][0] - true[ASK]) ** 2)) for n in STAGES]
    return (f"With the Gaussian kernel, the mean of Q(ask) starts {far[0]:.1f} away from the truth (root mean square). "
            f"After 50 dialogues it is {far[-1]:.1f} away. The band is too narrow: it holds the truth at "
            f"{100 * holds:.0f} % of the beliefs. All turns of a dialogue share one ending, which counts once per "
            f"turn. The two definitions differ by {np.abs(defined[ASK][0] - mean).max():.0e}.",
            draw(stages, true, points, returns, ends, defined))


def draw(stages: dict, true: dict, points: Points, returns: np.ndarray, ends: dict[int, int], defined: Moments):
    """A row of posteriors per kernel; the other definition on the last of them; the kernel of the payloads."""
    picture = figure(14, 5.5, "GP-SARSA's posterior of Q, with a linear and a Gaussian kernel, beside the truth")
    panels = picture.subplot_mosaic([[f"{name} {n}" for n in STAGES] + ["payloads"] for name in KERNELS],
                                    width_ratios=(3, 3, 3, 3, 5))
    for (name, n), moments in stages.items():
        axes = panels[f"{name} {n}"]
        for action, (mean, variance) in moments.items():
            (colour, line, dashes, (dot, _)), std, who = SHOWN[action], np.sqrt(variance), ACTIONS[action]
            at = points.actions[:ends[n]] == action
            axes.fill_between(PATH, mean - 2 * std, mean + 2 * std, color=colour, alpha=0.2, linewidth=0)
            axes.plot(PATH, mean, line, color=colour, label=f"{who}: mean ± 2 deviations")
            axes.plot(PATH, true[action], dashes, color=colour, label=f"{who}: truth")
            axes.plot(points.beliefs[:ends[n], 0][at], returns[:ends[n]][at], dot, color=colour, alpha=0.35,
                      markersize=4, zorder=0, label=f"{who}: returns")
        axes.set(ylim=(-22, 40), title=f"{name}, {n} dialogue{'s' * (n != 1)}", xticks=(0, 0.5, 1))
        axes.label_outer()
    panels["Gaussian 0"].set(xlabel="probability p of A", ylabel="Q, in units of reward")
    for action, (mean, _) in defined.items():
        axes.plot(PATH[::10], mean[::10], "k" + SHOWN[action][3][1],
                  label=f"{ACTIONS[action]}: from temporal differences")
    similar = payload_similarity(8)
    panels["payloads"].imshow(similar, cmap="Blues", vmin=0, vmax=2, aspect="auto")
    for (i, j), value in np.ndenumerate(similar):
        panels["payloads"].text(j, i, f"{value:.2f}", ha="center", va="center", fontsize="small")
    panels["payloads"].set(title="kernel of two payloads, one within the other", xticks=range(9), yticks=range(9),
                           xlabel="slots of one", ylabel="slots of the other")
    handles = dict(zip(*reversed(axes.get_legend_handles_labels())))
    labels = sorted(handles, key=lambda label: label.partition(":")[2])        # one action above the other
    picture.legend([handles[label] for label in labels], labels, loc="outside lower center", ncols=4, fontsize="small")
    return picture
