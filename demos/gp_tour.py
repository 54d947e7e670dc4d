"""What GP-SARSA believes about Q, drawn along every belief of a dialogue small enough to know the truth.

    python -m demos.gp_tour

The user wants A or B, and is misheard three times in ten. The belief is b = (p, 1 - p) with p the probability of A. The
system asks, which costs 1 and moves p, or offers A or B, which ends the dialogue and earns 19 if right and -1 if not.
It asks three times in four and otherwise offers what seems likelier. The figure shows mean and two standard deviations
of Q(b, offer A) and Q(b, ask) after 0, 1, 5 and 50 dialogues, the returns they were learned from as dots, and as broken
lines the true Q of that policy. Printed is how far the mean is from it, root mean square along the path.
"""
import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from demos.console import Parser, exit_code, number
from demos.figures import png
from demos.files import write_whole
from gp_sarsa import ActionLayout, KernelPosterior, ProductKernel, gaussian, linear, returns_to_go

HEARD_RIGHT, ASKING = 0.7, 0.75
GAMMA, NOISE_STD, PRIOR_STD = 0.99, 8.0, 15.0
ASK, OFFER_A, OFFER_B = range(3)
SHOWN = {ASK: ("ask", "#D55E00"), OFFER_A: ("offer A", "#0072B2")}
STAGES = (0, 1, 5, 50)
PATH = np.linspace(0, 1, 101)


class Dialogue(NamedTuple):
    """T turns: (T, 2) beliefs, (T,) actions, (T,) rewards."""
    beliefs: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray


def probability(net: np.ndarray) -> np.ndarray:
    """p after hearing A `net` times more often than B: the odds multiply with every answer."""
    return 1 / (1 + (1 / HEARD_RIGHT - 1) ** np.asarray(net, float))


def play(rng: np.random.Generator) -> Dialogue:
    """One dialogue with the policy of the introduction."""
    wants_a, net, beliefs, actions = rng.random() < 0.5, 0, [], []
    while not actions or actions[-1] == ASK:
        p = probability(net)
        beliefs.append([p, 1 - p])
        likelier = OFFER_A if net > 0 or (net == 0 and rng.random() < 0.5) else OFFER_B
        actions.append(ASK if rng.random() < ASKING else likelier)
        net += 1 if wants_a == (rng.random() < HEARD_RIGHT) else -1
    rewards = np.full(len(actions), -1.0)
    rewards[-1] += 20 * (wants_a == (actions[-1] == OFFER_A))
    return Dialogue(np.array(beliefs), np.array(actions), rewards)


def true_q(reach: int = 40) -> dict[int, np.ndarray]:
    """(101,) Q of asking and of offering A along the path, from the Bellman equation at the beliefs that can occur.

        Q(ask | n) = -1 + γ Σ_± P(n±1 | n) [ ¾ Q(ask | n±1) + ¼ (20 max(p, 1-p) - 1) ],   n = net answers for A
    """
    p = probability(np.arange(-reach, reach + 1))
    hears_a = p * HEARD_RIGHT + (1 - p) * (1 - HEARD_RIGHT)
    P = np.diag(hears_a[:-1], 1) + np.diag(1 - hears_a[1:], -1)
    P[0, 0], P[-1, -1] = 1 - hears_a[0], hears_a[-1]          # so far out the belief is certain: it stays
    offer = 20 * np.maximum(p, 1 - p) - 1
    ask = np.linalg.solve(np.eye(len(p)) - GAMMA * ASKING * P, -1 + GAMMA * (1 - ASKING) * P @ offer)
    return {ASK: np.interp(PATH, p, ask), OFFER_A: 20 * PATH - 1}


def posteriors(belief_kernel, dialogues: list[Dialogue]) -> dict[int, dict[int, tuple[np.ndarray, np.ndarray]]]:
    """Mean and variance along the path, by stage and action."""
    kernel = ProductKernel(lambda *products: PRIOR_STD ** 2 * belief_kernel(*products), ActionLayout(0, 0, 3))
    posterior, stages = KernelPosterior(kernel, 2, NOISE_STD), {}
    beliefs = np.column_stack([PATH, 1 - PATH])
    for n in range(max(STAGES) + 1):
        if n in STAGES:
            stages[n] = {action: posterior.predict(beliefs, np.full(len(PATH), action)) for action in SHOWN}
        if n < len(dialogues):
            beliefs_seen, actions, rewards = dialogues[n]
            posterior.update(beliefs_seen, actions, returns_to_go(rewards, GAMMA))
    return stages


def draw(stages: dict[str, dict], truth: dict[int, np.ndarray], dialogues: list[Dialogue]) -> Figure:
    """A row of panels per kernel, a column per number of dialogues."""
    figure = Figure(figsize=(12, 5.5), layout="constrained")
    rows = figure.subplots(len(stages), len(STAGES), sharex=True, sharey=True)
    for row, (name, by_stage) in zip(rows, stages.items()):
        row[0].set_ylabel(f"Q, {name} kernel")
        for axes, (n, moments) in zip(row, by_stage.items()):
            axes.set_title(f"{n} dialogue{'s' * (n != 1)}", fontsize="medium")
            for action, (mean, variance) in moments.items():
                label, colour = SHOWN[action]
                axes.fill_between(PATH, mean - 2 * variance ** 0.5, mean + 2 * variance ** 0.5, color=colour, alpha=0.2,
                                  linewidth=0)
                axes.plot(PATH, mean, color=colour, label=label)
                axes.plot(PATH, truth[action], "--", color=colour, linewidth=1)
                for dialogue in dialogues[:n]:
                    taken = dialogue.actions == action
                    axes.plot(dialogue.beliefs[taken, 0], returns_to_go(dialogue.rewards, GAMMA)[taken], ".",
                              color=colour, markersize=4, alpha=0.6)
    axes.legend(loc="lower right", fontsize="small")
    axes.set_ylim(-22, 40)
    figure.supxlabel("belief: probability p of A")
    return figure


def tour(args: argparse.Namespace) -> None:
    """Learns, prints the distances, draws."""
    args.out.parent.mkdir(parents=True, exist_ok=True)
    rng, truth = np.random.default_rng(args.seed), true_q()
    dialogues = [play(rng) for _ in range(max(STAGES))]
    stages = {name: posteriors(kernel, dialogues) for name, kernel in (("linear", linear), ("Gaussian", gaussian(0.5)))}
    print("distance from the true Q " + "".join(f"{n:>5}" for n in STAGES) + "  dialogues")
    for name, by_stage in stages.items():
        for action, (label, _) in SHOWN.items():
            errors = [np.sqrt(np.mean((moments[action][0] - truth[action]) ** 2)) for moments in by_stage.values()]
            print(f"{name:>8} kernel, {label:8}" + "".join(f"{error:5.1f}" for error in errors))
    write_whole(args.out, png(draw(stages, truth, dialogues)))
    print(f"wrote {args.out}")


def main(argv: list[str] | None = None) -> int:
    p = Parser(prog="python -m demos.gp_tour", description=__doc__)
    p.add_argument("--out", type=Path, default=Path("runs/gp_tour.png"), help="the figure (%(default)s)")
    p.add_argument("--seed", type=number(int, 0), default=1, help="of the dialogues (%(default)s)")
    args = p.parse_args(argv)
    return exit_code(p, lambda: tour(args))


if __name__ == "__main__":
    raise SystemExit(main())
