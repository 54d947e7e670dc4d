"""One function per kind of figure, drawn from saved results; the same style for the same system everywhere."""
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
from demos.style import AMBER, BLUE, GREEN, GREY, PINK, RED, SKY, figure
from demos.training import Outcome

STYLES = {("acer", "summary", "ours"): (BLUE, "-", "o"), ("acer", "summary", "paper"): (BLUE, "--", "x"),
          ("acer", "master", "ours"): (SKY, "-", "D"), ("acer", "master", "paper"): (SKY, "--", "+"),
          ("gp", "summary", "ours"): (RED, "-", "s"), ("gp", "master", "ours"): (PINK, "-", "v"),
          ("a2c", "summary", "ours"): (AMBER, "-", "^"), ("enac", "summary", "ours"): (GREEN, "-", "*")}
STEPS = [("#000000", "-", "o"), (BLUE, "--", "s"), (RED, "-.", "^"), (AMBER, ":", "D"), (GREEN, "-", "x")]
AXES = {"success": "success (%)", "reward": "reward", "turns": "turns"}
WATCHED = {"rho": "mean importance weight ρ", "truncated": "share of turns with ρ > c", "entropy": "entropy of π",
           "binding": "share of updates that δ binds", "kl_growth": "k·g; grey: δ",
           "critic_error": "critic: (Qret - Q)²"}


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


def caption(picture: Figure, curves: Curves) -> None:
    """How much was measured, and what the bands are."""
    seeds = sorted({len(curve.scores["success"]) for curve in curves.values() if curve.line.setting.agent in LEARNERS})
    tests = next(iter(curves.values())).line.setting.test_dialogues
    several = "" if seeds[-1] == 1 else " Mean with its 95 % bootstrap interval over the seeds."
    words = f"{' or '.join(map(str, seeds))} seeds, {tests} test dialogues each.{several}"
    picture.supxlabel(words, fontsize="x-small")


def learning(curves: Curves, experiment: Experiment) -> Figure:
    picture = figure(7, 4.5)
    axes = picture.subplots()
    draw_lines(axes, curves, experiment.metric)
    axes.set_xlabel("error rate of the tests" if experiment.kind == "robustness" else "training dialogues")
    return picture


def sweep(curves: Curves, experiment: Experiment) -> Figure:
    """The paper's ACER to the left, ours to the right."""
    picture = figure(10, 4.2)
    for axes, who in zip(picture.subplots(1, 2, sharey=True), ("paper", "ours")):
        mine = {label: curve for label, curve in curves.items() if label.endswith(f"({who})")}
        for (label, curve), (colour, dashes, marker) in zip(mine.items(), STEPS):
            look = {"color": colour, "linestyle": dashes, "marker": marker}
            draw(axes, curve.x, 100 * curve.scores["success"], label.removesuffix(f" ({who})"), look)
        draw_lines(axes, {"handcrafted": curves["handcrafted"]}, "success")
        axes.set(title={"paper": "the paper's ACER", "ours": "ours"}[who], xlabel="training dialogues")
    return picture


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
            estimate, low, high = bootstrap(part(curve.scores))
            plain = not (curve.line.setting.overrides or curve.line.setting.variant)
            axes.errorbar(estimate, height, xerr=[[np.nan_to_num(estimate - low)], [np.nan_to_num(high - estimate)]],
                          color=style(curve.line)["color"], marker="o", capsize=3,
                          markerfacecolor=None if plain else "white")
        axes.set(xlabel=name, yticks=range(len(curves)), yticklabels=list(reversed(curves)))
        axes.grid(axis="x", alpha=0.3)
    return picture


def diagnostics(curves: Curves, experiment: Experiment) -> Figure:
    """What the updates did between one test and the next."""
    picture = figure(10, 5.5)
    for axes, (name, words) in zip(picture.subplots(2, 3).flat, WATCHED.items()):
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
    picture.axes[0].legend(fontsize="small")
    return picture


def benchmark(curves: Curves, experiment: Experiment) -> Figure:
    """A small panel per task: ours over the dialogues, and PyDial's end points to the right."""
    picture = figure(13, 7)
    for row, domain in zip(picture.subplots(3, 6, sharex=True, sharey="row"), DOMAINS):
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
    for axes in picture.axes[-6:]:
        axes.set_xlabel("training dialogues", fontsize="small")
    picture.axes[0].plot([], [], "P", color=GREY, markerfacecolor="white", label="PyDial's logs (this: DQNs)")
    picture.axes[0].legend(fontsize="x-small")
    return picture


KINDS = {"learning": learning, "robustness": learning, "sweep": sweep, "dots": dots, "causes": dots,
         "diagnostics": diagnostics, "benchmark": benchmark}


def drawn(curves: Curves, experiment: Experiment) -> Figure:
    """The figure of an experiment, with its title and caption."""
    picture = KINDS[experiment.kind](curves, experiment)
    picture.suptitle(experiment.about, fontsize="medium")
    caption(picture, curves)
    return picture


def learning_curve(setting: Setting, rows: list[dict[str, float | str]], references: dict[str, Outcome]) -> Figure:
    """The tests of a single run, with policies that do not learn as horizontal lines."""
    picture = figure(9, 3.5)
    curves = {}
    for mode in dict.fromkeys(row["test"] for row in rows):
        tests = [row for row in rows if row["test"] == mode and row["error_rate"] == setting.error_rate]
        scores = {name: np.array([[row[name] for row in tests]]) for name in Outcome._fields}
        curves[f"{setting.name}, {mode}"] = Curve(Line(setting, 1, mode), np.array([row["dialogues"] for row in tests]),
                                                  scores)
    for name, found in references.items():
        level = {metric: np.full((1, 1), value) for metric, value in found._asdict().items()}
        curves[name] = Curve(Line(replace(setting, agent=name, overrides=())), np.zeros(1), level)
    for axes, metric in zip(picture.subplots(1, 2), ("success", "reward")):
        draw_lines(axes, curves, metric)
        axes.set_xlabel("training dialogues")
    return picture
