"""One function per kind of figure, drawn from saved results; the same style for the same system everywhere."""
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from demos.pictures import AXES, STYLES, Curves, draw, style
from demos.reproduction.claims import last, logs_of, mean
from demos.reproduction.plan import BENCHMARK_SEEDS, DOMAINS, ENVIRONMENTS, Experiment
from demos.records import Curve
from demos.reproduction.tables import by_task, growth_of
from demos.settings import TRAINABLE, make_config
from demos.statistics import mean_interval
from demos.style import AMBER, BLUE, GREEN, GREY, PINK, RED, SKY, figure

STEPS = [("#000000", "-", "o"), (BLUE, "--", "s"), (RED, "-.", "^"), (AMBER, ":", "D"), (GREEN, "-", "x")]
WAYS = {"N = 0": (GREY, "--", None), "N = 20": (SKY, "-", "o"), "N = 100": (BLUE, "-", "s"),
        "N = 500": (GREEN, "-", "^"), "imitation alone": (RED, "--", "x"), "memory alone": (AMBER, "-.", "D"),
        "a poor demonstrator": (PINK, ":", "v"),
        "from the start": STEPS[0], "grown, all goals": STEPS[1], "grown, old goals": STEPS[4], "anew": STEPS[2]}
WATCHED = {"rho": "mean importance weight ρ", "truncated": "share of turns with ρ > c", "entropy": "entropy of π",
           "binding": "share of updates that δ binds", "kl_growth": "k·g before the limit; grey: δ",
           "critic_error": "critic: (Qret - Q)²"}


def learning(curves: Curves, experiment: Experiment) -> Figure:
    picture = figure(7, 4.5)
    axes = picture.subplots()
    looks = {label: (style(line)[0], "--" if line.setting.space == "master" else "-", style(line)[2])
             for label, (line, *_) in curves.items()} if all(c.line.mode == "draw" for c in curves.values()) else None
    draw(axes, curves, experiment.metric, looks)
    axes.set(xlabel="error rate of the tests" if experiment.kind == "robustness" else "training dialogues",
             ylabel=AXES[experiment.metric])
    axes.legend(fontsize="small")
    return picture


def sweep(curves: Curves, experiment: Experiment) -> Figure:
    """The paper's ACER to the left, ours to the right."""
    picture = figure(10, 4.2)
    titles = {"paper": "the paper's ACER", "ours": "ours"}
    for axes, (who, title) in zip(picture.subplots(1, 2, sharey=True), titles.items()):
        mine = {label.removesuffix(f" ({who})"): curve for label, curve in curves.items() if f"({who})" in label}
        draw(axes, mine | {"handcrafted": curves["handcrafted"]}, "success", dict(zip(mine, STEPS)))
        axes.set(title=title, xlabel="training dialogues", ylabel=AXES["success"])
        axes.legend(fontsize="small")
    return picture


def settled(curve: Curve) -> dict:
    """The hyperparameters that differ from the preset's, but for the schedule."""
    return {name: value for name, value in curve.line.setting.overrides if name != "horizon"}


def dots(curves: Curves, experiment: Experiment) -> Figure:
    """Per line the success during training and at its end, and how often the trust region bound if that is asked."""
    parts = {"success (%), mean of all tests": lambda scores: 100 * mean(scores["success"]),
             "success (%), last test": lambda scores: 100 * last(scores["success"])}
    if experiment.kind == "causes":
        parts["updates that δ binds (%)"] = lambda scores: 100 * np.nanmean(scores["binding"], axis=1)
    picture = figure(3 + 3 * len(parts), 1.6 + 0.26 * len(curves))
    for axes, (name, part) in zip(picture.subplots(1, len(parts), sharey=True), parts.items()):
        for height, curve in enumerate(reversed(curves.values())):
            if "binds" in name and "binding" not in curve.scores:
                continue
            estimate, low, high = mean_interval(part(curve.scores))
            plain = not curve.line.setting.variant and settled(curve) == settled(next(iter(curves.values())))
            axes.errorbar(estimate, height, xerr=[[np.nan_to_num(estimate - low)], [np.nan_to_num(high - estimate)]],
                          color=style(curve.line)[0], marker="o", capsize=3,
                          markerfacecolor=None if plain else "white")
        axes.set(xlabel=name, yticks=range(len(curves)), yticklabels=list(reversed(curves)))
        axes.grid(axis="x", alpha=0.3)
    return picture


def diagnostics(curves: Curves, experiment: Experiment) -> Figure:
    """What the updates did between one test and the next."""
    picture = figure(10, 5.5)
    parts = dict(zip(WATCHED, picture.subplots(2, 3).flat))
    for name, axes in parts.items():
        draw(axes, curves, name)
        axes.set(xlabel="training dialogues")
        axes.set_title(WATCHED[name], fontsize="medium")
    for curve in curves.values():
        parts["kl_growth"].axhline(make_config(curve.line.setting).kl_limit, color=GREY,
                                   linestyle=style(curve.line)[1], linewidth=0.8)
    parts["kl_growth"].set_yscale("symlog", linthresh=1e-4)
    parts["kl_growth"].set_yticks([-1e3, -1, -1e-2, 0, 1e-2, 1, 1e3])
    parts["critic_error"].set_yscale("log")
    parts["rho"].legend(fontsize="small")
    return picture


def benchmark(curves: Curves, experiment: Experiment) -> Figure:
    """A small panel per task: ours over the dialogues, and PyDial's end points to the right."""
    picture = figure(13, 7)
    for row, domain in zip(picture.subplots(3, 6, sharex=True, sharey="row"), DOMAINS):
        for axes, number in zip(row, ENVIRONMENTS):
            ours = {agent: curves[f"{agent}, {domain}, {number}"] for agent in BENCHMARK_SEEDS}
            draw(axes, ours, "reward")
            for log in logs_of(domain, number):
                colour, _, marker = STYLES.get((log["policy"], "summary", "ours"), (GREY, "", "P"))
                marker = "_" if log["policy"] == "handcrafted" else marker
                axes.plot(1.15 * ours["acer"].x[-1], float(log["late_reward"]), marker, color=colour,
                          markerfacecolor="white", markersize=7, label="_")
            axes.set_title(f"{domain}, environment {number}", fontsize="small")
        row[0].set_ylabel("reward")
    for axes in picture.axes[-6:]:
        axes.set_xlabel("training dialogues", fontsize="small")
    picture.axes[0].plot([], [], "P", color=GREY, markerfacecolor="white", label="PyDial's logs (this: DQNs)")
    picture.axes[0].legend(fontsize="x-small")
    return picture


def panels(curves: Curves, experiment: Experiment) -> Figure:
    """One panel per task, which stands behind the colon of a label, with a line for each way to learn it."""
    tasks = by_task(curves)
    n_rows = -(-len(tasks) // 4)
    picture = figure(14, 3.2 * n_rows)
    grid = picture.subplots(n_rows, 4, sharey=True).flat
    for axes in grid[len(tasks):]:
        axes.remove()
    for axes, (task, ways) in zip(grid, tasks.items()):
        if growth_of(ways):
            axes.axvline(growth_of(ways), color=GREY, linewidth=0.8)
        draw(axes, ways, "success", WAYS)
        axes.set(title=task, xlabel="training dialogues", xlim=(0, min(curve.x[-1] for curve in ways.values())))
        axes.legend(fontsize="x-small")
    picture.axes[0].set_ylabel(AXES["success"])
    return picture


KINDS = {"panels": panels, "learning": learning, "robustness": learning, "sweep": sweep, "dots": dots, "parts": dots,
         "diagnostics": diagnostics, "benchmark": benchmark}


def drawn(curves: Curves, experiment: Experiment) -> Figure:
    """The figure of an experiment; its caption says how much was measured, and what the bands are."""
    picture = KINDS[experiment.kind](curves, experiment)
    picture.suptitle(experiment.about, fontsize="medium")
    seeds = sorted({len(curve.scores["success"]) for curve in curves.values() if curve.line.setting.agent in TRAINABLE})
    tests = next(iter(curves.values())).line.setting.test_dialogues
    several = "" if seeds[-1] == 1 else " Mean with its 95 % bootstrap interval over the seeds."
    counts = " or ".join(filter(None, (", ".join(map(str, seeds[:-1])), str(seeds[-1]))))
    picture.supxlabel(f"{counts} seeds, {tests} test dialogues each.{several}", fontsize="x-small")
    return picture
