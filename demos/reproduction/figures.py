"""One function per figure, drawn from saved results; the same colour for the same system everywhere."""
import io
from dataclasses import replace

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from demos.agents import Setting
from demos.intervals import bootstrap, interquartile_mean
from demos.results import Curve
from demos.training import Outcome

Curves = dict[str, Curve]                    # by label
COLOURS = {("acer", "summary"): "#0072B2", ("acer", "master"): "#56B4E9", ("gp", "summary"): "#D55E00",
           ("gp", "master"): "#CC79A7", ("a2c", "summary"): "#E69F00", ("enac", "summary"): "#009E73"}  # Okabe and Ito
GREY = "#666666"
AXES = {"success": "success (%)", "reward": "reward", "turns": "turns"}
SCALE = {"success": 100.0, "reward": 1.0, "turns": 1.0}


def png(figure: Figure) -> bytes:
    """The figure as the content of a file."""
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=120)
    return content.getvalue()


def colours(curves: Curves) -> dict[str, object]:
    """A system's own colour, or for variants of its hyperparameters steps from dark to light."""
    variants = [label for label, curve in curves.items()
                if {name for name, _ in curve.setting.overrides} - {"test_scale"}]
    steps = dict(zip(variants, colormaps["inferno"](np.linspace(0.25, 0.85, len(variants)))))
    return {label: steps.get(label, COLOURS.get((curve.setting.agent, curve.setting.space), GREY))
            for label, curve in curves.items()}


def line_style(setting: Setting) -> str:
    """Solid for what learns."""
    return {"handcrafted": "--", "random": ":"}.get(setting.agent, "-")


def draw(axes: Axes, curves: Curves, metric: str) -> None:
    """Mean, 95 % band and dotted interquartile mean of each line; one number alone is a level line."""
    colour = colours(curves)
    for label, (setting, x, scores) in curves.items():
        values, style = SCALE[metric] * scores[metric], {"color": colour[label], "linestyle": line_style(setting)}
        if len(x) == 1:
            axes.axhline(values[0, 0], label=label, **style)
            continue
        mean, low, high = bootstrap(values)
        axes.plot(x, mean, label=label, **style)
        axes.plot(x, interquartile_mean(values), ":", color=colour[label], linewidth=0.8)
        axes.fill_between(x, low, high, color=colour[label], alpha=0.15, linewidth=0)
    axes.set_ylabel(AXES[metric])
    axes.legend(fontsize="small")


def caption(figure: Figure, curves: Curves, dotted: bool = True) -> None:
    seeds = max(len(curve.scores["success"]) for curve in curves.values())
    tests = next(iter(curves.values())).setting.test_dialogues
    figure.supxlabel(f"{seeds} seeds, {tests} test dialogues each. Mean with its 95 % bootstrap interval over the seeds"
                     f"{'; dotted: interquartile mean' if dotted else ''}.", fontsize="x-small")


def lines(curves: Curves, title: str, metric: str, x: str = "training dialogues") -> Figure:
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    draw(axes, curves, metric)
    axes.set(title=title, xlabel=x)
    caption(figure, curves)
    return figure


def figure_3(curves: Curves, title: str) -> Figure:
    return lines(curves, title, "success")


def figure_4(curves: Curves, title: str) -> Figure:
    return lines(curves, title, "reward")


def figure_5(curves: Curves, title: str) -> Figure:
    return lines(curves, title, "turns")


figure_6 = figure_7 = figure_8 = figure_9 = figure_10 = figure_11 = figure_12 = figure_3


def figure_13(curves: Curves, title: str) -> Figure:
    return lines(curves, title, "success", "error rate of the tests")


def figure_14(curves: Curves, title: str) -> Figure:
    return lines(curves, title, "reward", "error rate of the tests")


def ablation(curves: Curves, title: str) -> Figure:
    """Per variant the success during training and at its end."""
    figure = Figure(figsize=(9, 4.5), layout="constrained")
    colour, panels = colours(curves), figure.subplots(1, 2, sharey=True)
    for axes, name, part in zip(panels, ("mean of all tests", "last test"), (slice(None), slice(-1, None))):
        for height, (label, curve) in enumerate(reversed(curves.items())):
            mean, low, high = bootstrap(100 * curve.scores["success"][:, part].mean(axis=1))
            axes.errorbar(mean, height, xerr=[[mean - low], [high - mean]], fmt="o", color=colour[label], capsize=3)
        axes.set(xlabel=f"success (%), {name}", yticks=range(len(curves)), yticklabels=list(reversed(curves)))
        axes.grid(axis="x", alpha=0.3)
    figure.suptitle(title)
    caption(figure, curves, dotted=False)
    return figure


def learning_curve(setting: Setting, rows: list[dict[str, float]], references: dict[str, Outcome]) -> Figure:
    """The tests of a single run, with policies that do not learn as horizontal lines."""
    figure = Figure(figsize=(9, 3.5), layout="constrained")
    tests = {name: np.array([[row[name] for row in rows]]) for name in Outcome._fields}
    curves = {setting.name: Curve(setting, np.array([row["dialogues"] for row in rows]), tests)}
    for name, scores in references.items():
        level = {metric: np.full((1, 1), value) for metric, value in scores._asdict().items()}
        curves[name] = Curve(replace(setting, agent=name, overrides=()), np.zeros(1), level)
    for axes, metric in zip(figure.subplots(1, 2), ("success", "reward")):
        draw(axes, curves, metric)
        axes.set_xlabel("training dialogues")
    return figure
