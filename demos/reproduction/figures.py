"""One function per kind of figure, drawn from saved results; the same style for the same system everywhere.

Colours are those of Okabe and Ito, which colour-blind readers can tell apart; dashes and markers do without colour.
"""
import io
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from demos.agents import LEARNERS, Setting, make_config
from demos.reproduction.claims import SCALE, Curves, last, mean
from demos.reproduction.experiments import BENCHMARK_SEEDS, DOMAINS, ENVIRONMENTS, Experiment
from demos.reproduction.intervals import bootstrap
from demos.reproduction.pydial import LOGS
from demos.reproduction.results import Curve, Line
from demos.training import Outcome

BLUE, SKY, RED, PINK = "#0072B2", "#56B4E9", "#D55E00", "#CC79A7"
ORANGE, GREEN, GREY = "#E69F00", "#009E73", "#666666"
STYLES = {("acer", "summary", "ours"): (BLUE, "-", "o"), ("acer", "summary", "paper"): (BLUE, "--", "x"),
          ("acer", "master", "ours"): (SKY, "-", "D"), ("acer", "master", "paper"): (SKY, "--", "+"),
          ("gp", "summary", "ours"): (RED, "-", "s"), ("gp", "master", "ours"): (PINK, "-", "v"),
          ("a2c", "summary", "ours"): (ORANGE, "-", "^"), ("enac", "summary", "ours"): (GREEN, "-", "*")}
STEPS = [("#000000", "-", "o"), (BLUE, "--", "s"), (RED, "-.", "^"), (ORANGE, ":", "D"), (GREEN, "-", "x")]
PANEL = [(SKY, "-", "o"), (BLUE, "-", "s"), (GREEN, "-", "^"), (RED, "--", "x"), (ORANGE, "-.", "D"), (PINK, ":", "v")]
AXES = {"success": "success (%)", "reward": "reward", "turns": "turns"}
WATCHED = {"rho": "mean importance weight ρ", "truncated": "share of turns with ρ > c", "entropy": "entropy of π",
           "binding": "share of updates that δ binds", "kl_growth": "k·g; grey: δ",
           "critic_error": "critic: (Qret - Q)²"}


def png(figure: Figure) -> bytes:
    """The figure as the content of a file."""
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=110)
    return content.getvalue()


def style(line: Line) -> dict:
    """Of a system; draws of the same system are dotted."""
    s = line.setting
    colour, dashes, marker = STYLES.get((s.agent, s.space, s.preset), (GREY, "--", None))
    return {"color": colour, "linestyle": ":" if line.mode == "draw" else dashes, "marker": marker}


def draw(axes: Axes, x: np.ndarray, values: np.ndarray, label: str, look: dict) -> None:
    """Mean and 95 % band of (n_seeds, len(x)) values; one number alone is a level line."""
    if len(x) == 1:
        axes.axhline(values.mean(), label=label, color=look["color"], linestyle=look["linestyle"], linewidth=1)
        return
    estimate, low, high = bootstrap(values)
    axes.plot(x, estimate, label=label, markersize=4, markevery=max(1, len(x) // 6), linewidth=1.3, **look)
    axes.fill_between(x, low, high, color=look["color"], alpha=0.15, linewidth=0)


def draw_lines(axes: Axes, curves: Curves, metric: str) -> None:
    for label, curve in curves.items():
        draw(axes, curve.x, SCALE[metric] * curve.scores[metric], label, style(curve.line))
    axes.set_ylabel(AXES[metric])
    axes.legend(fontsize="small")


def caption(figure: Figure, curves: Curves) -> None:
    """How much was measured, and what the bands are."""
    seeds = sorted({len(curve.scores["success"]) for curve in curves.values() if curve.line.setting.agent in LEARNERS})
    tests = next(iter(curves.values())).line.setting.test_dialogues
    several = "" if seeds[-1] == 1 else " Mean with its 95 % bootstrap interval over the seeds."
    figure.supxlabel(f"{' or '.join(map(str, seeds))} seeds, {tests} test dialogues each.{several}", fontsize="x-small")


def learning(curves: Curves, experiment: Experiment) -> Figure:
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    draw_lines(axes, curves, experiment.metric)
    axes.set_xlabel("error rate of the tests" if experiment.kind == "robustness" else "training dialogues")
    return figure


def sweep(curves: Curves, experiment: Experiment) -> Figure:
    """The paper's ACER to the left, ours to the right."""
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    for axes, who in zip(figure.subplots(1, 2, sharey=True), ("paper", "ours")):
        mine = {label: curve for label, curve in curves.items() if label.endswith(f"({who})")}
        for (label, curve), (colour, dashes, marker) in zip(mine.items(), STEPS):
            look = {"color": colour, "linestyle": dashes, "marker": marker}
            draw(axes, curve.x, 100 * curve.scores["success"], label.removesuffix(f" ({who})"), look)
        draw_lines(axes, {"handcrafted": curves["handcrafted"]}, "success")
        axes.set(title={"paper": "the paper's ACER", "ours": "ours"}[who], xlabel="training dialogues")
    return figure


def dots(curves: Curves, experiment: Experiment) -> Figure:
    """Per line the success during training and at its end, and how often the trust region bound if that is asked."""
    parts = {"success (%), mean of all tests": lambda scores: 100 * mean(scores["success"]),
             "success (%), last test": lambda scores: 100 * last(scores["success"])}
    if experiment.kind == "causes":
        parts["updates that δ binds (%)"] = lambda scores: 100 * np.nanmean(scores["binding"], axis=1)
    figure = Figure(figsize=(3 + 3 * len(parts), 1.6 + 0.26 * len(curves)), layout="constrained")
    for axes, (name, part) in zip(figure.subplots(1, len(parts), sharey=True), parts.items()):
        for height, curve in enumerate(reversed(curves.values())):
            if "binds" in name and "binding" not in curve.scores:
                continue
            estimate, low, high = bootstrap(part(curve.scores))
            plain = not (curve.line.setting.overrides or curve.line.setting.variant)
            axes.errorbar(estimate, height, xerr=[[np.nan_to_num(estimate - low)], [np.nan_to_num(high - estimate)]],
                          color=style(curve.line)["color"], marker="o", capsize=3,
                          markerfacecolor=None if plain else "white")
        axes.set(xlabel=name, yticks=range(len(curves)), yticklabels=list(reversed(curves)))
        axes.grid(axis="x", alpha=0.3)
    return figure


def diagnostics(curves: Curves, experiment: Experiment) -> Figure:
    """What the updates did between one test and the next."""
    figure = Figure(figsize=(10, 5.5), layout="constrained")
    for axes, (name, words) in zip(figure.subplots(2, 3).flat, WATCHED.items()):
        for label, curve in curves.items():
            draw(axes, curve.x, curve.scores[name], label, style(curve.line))
            if name == "kl_growth":
                limit = make_config(curve.line.setting).kl_limit
                axes.axhline(limit, color=GREY, linestyle=style(curve.line)["linestyle"], linewidth=0.8)
        axes.set(title=words, xlabel="training dialogues")
        axes.title.set_fontsize("medium")
        if name == "kl_growth":
            axes.set_yscale("symlog", linthresh=1e-4)
        elif name == "critic_error":
            axes.set_yscale("log")
    figure.axes[0].legend(fontsize="small")
    return figure


def benchmark(curves: Curves, experiment: Experiment) -> Figure:
    """A small panel per task: ours over the dialogues, and PyDial's end points to the right."""
    figure = Figure(figsize=(13, 7), layout="constrained")
    for row, domain in zip(figure.subplots(3, 6, sharex=True, sharey="row"), DOMAINS):
        for axes, number in zip(row, ENVIRONMENTS):
            for agent in BENCHMARK_SEEDS:
                curve = curves[f"{agent}, {domain}, {number}"]
                draw(axes, curve.x, curve.scores["reward"], agent, style(curve.line))
            for log in LOGS:
                if (log.environment, log.domain) == (number, domain):
                    colour, _, marker = STYLES.get((log.policy, "summary", "ours"), (GREY, "", "P"))
                    marker = "_" if log.policy == "handcrafted" else marker
                    axes.plot(1.15 * curves[f"acer, {domain}, {number}"].x[-1], log.late[1], marker, color=colour,
                              markerfacecolor="white", markersize=7, label="_")
            axes.set_title(f"{domain}, environment {number}", fontsize="small")
        row[0].set_ylabel("reward")
    for axes in figure.axes[-6:]:
        axes.set_xlabel("training dialogues", fontsize="small")
    figure.axes[0].plot([], [], "P", color=GREY, markerfacecolor="white", label="PyDial's logs (this: DQNs)")
    figure.axes[0].legend(fontsize="x-small")
    return figure


def panels(curves: Curves, experiment: Experiment) -> Figure:
    """One panel per task, which stands behind the colon of a label, with a line for each way to learn it."""
    tasks = dict.fromkeys(label.partition(": ")[2] for label in curves)
    n_rows = -(-len(tasks) // 4)
    figure = Figure(figsize=(14, 3.2 * n_rows), layout="constrained")
    grid = figure.subplots(n_rows, 4, sharey=True).flat
    for axes in grid[len(tasks):]:
        axes.remove()
    for axes, where in zip(grid, tasks):
        mine = {label.partition(": ")[0]: curve for label, curve in curves.items() if label.endswith(f": {where}")}
        for i, (what, curve) in enumerate(mine.items()):
            colour, dashes, marker = PANEL[i] if what != "N = 0" else (GREY, "--", None)
            look = {"color": colour, "linestyle": dashes, "marker": marker}
            draw(axes, curve.x, 100 * curve.scores["success"], what, look)
        axes.set(title=where, xlabel="training dialogues", xlim=(0, min(curve.x[-1] for curve in mine.values())))
        axes.legend(fontsize="x-small")
    figure.axes[0].set_ylabel(AXES["success"])
    return figure


def growth(curves: Curves, experiment: Experiment) -> Figure:
    """Before and after, and what starting anew at that moment would be: the run from the start, so much later."""
    tasks = dict.fromkeys(label.partition(": ")[2] for label in curves)
    figure = Figure(figsize=(14, 3.5), layout="constrained")
    for axes, where in zip(figure.subplots(1, len(tasks), sharey=True), tasks):
        late, old, whole = (curves[f"{what}: {where}"] for what in ("grown, all goals", "grown, old goals",
                                                                     "from the start"))
        moment = late.line.setting.grow_after
        for label, x, curve, (colour, dashes, marker) in (
                ("from the start", whole.x, whole, STEPS[0]), ("grown: all goals", late.x, late, STEPS[1]),
                ("grown: old goals", old.x, old, STEPS[4]), ("anew", whole.x + moment, whole, STEPS[2])):
            look = {"color": colour, "linestyle": dashes, "marker": marker}
            draw(axes, x, 100 * curve.scores["success"], label, look)
        axes.axvline(moment, color=GREY, linewidth=0.8)
        axes.set(title=where, xlabel="training dialogues", xlim=(0, late.x[-1]))
        axes.legend(fontsize="x-small")
    figure.axes[0].set_ylabel(AXES["success"])
    return figure


KINDS = {"panels": panels, "growth": growth,
         "learning": learning, "robustness": learning, "sweep": sweep, "dots": dots, "causes": dots,
         "diagnostics": diagnostics, "benchmark": benchmark}


def drawn(curves: Curves, experiment: Experiment) -> Figure:
    """The figure of an experiment, with its title and caption."""
    figure = KINDS[experiment.kind](curves, experiment)
    figure.suptitle(experiment.about, fontsize="medium")
    caption(figure, curves)
    return figure


def learning_curve(setting: Setting, rows: list[dict[str, float | str]], references: dict[str, Outcome]) -> Figure:
    """The tests of a single run, with policies that do not learn as horizontal lines."""
    figure = Figure(figsize=(9, 3.5), layout="constrained")
    curves = {}
    for mode in dict.fromkeys(row["test"] for row in rows):
        tests = [row for row in rows if row["test"] == mode and row["error_rate"] == setting.error_rate]
        scores = {name: np.array([[row[name] for row in tests]]) for name in Outcome._fields}
        curves[f"{setting.name}, {mode}"] = Curve(Line(setting, 1, mode), np.array([row["dialogues"] for row in tests]),
                                                  scores)
    for name, found in references.items():
        level = {metric: np.full((1, 1), value) for metric, value in found._asdict().items()}
        curves[name] = Curve(Line(replace(setting, agent=name, overrides=())), np.zeros(1), level)
    for axes, metric in zip(figure.subplots(1, 2), ("success", "reward")):
        draw_lines(axes, curves, metric)
        axes.set_xlabel("training dialogues")
    return figure
