"""Curves over training dialogues, drawn alike everywhere: a look for each system, a mean with its band."""
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from demos.records import Curve, Line, Record, curve_of
from demos.settings import Setting
from demos.statistics import mean_interval
from demos.style import AMBER, BLUE, GREEN, GREY, PINK, RED, SKY, figure

Curves = dict[str, Curve]                    # by label
SCALE = {"success": 100.0}                   # of what is drawn as it is unless it stands here
AXES = {"success": "success (%)", "reward": "reward", "turns": "turns"}
STYLES = {("acer", "summary", "ours"): (BLUE, "-", "o"), ("acer", "summary", "paper"): (BLUE, "--", "x"),
          ("acer", "master", "ours"): (SKY, "-", "D"), ("acer", "master", "paper"): (SKY, "--", "+"),
          ("gp", "summary", "ours"): (RED, "-", "s"), ("gp", "master", "ours"): (PINK, "-", "v"),
          ("a2c", "summary", "ours"): (AMBER, "-", "^"), ("enac", "summary", "ours"): (GREEN, "-", "*")}


def style(line: Line) -> tuple[str, str, str | None]:
    """Colour, dashes and marker of a system; draws of the same system are dotted."""
    s = line.setting
    colour, dashes, marker = STYLES.get((s.agent, s.space, s.preset), (GREY, "--", None))
    return colour, ":" if line.mode == "draw" else dashes, marker


def draw(axes: Axes, curves: Curves, metric: str, looks: dict[str, tuple] | None = None) -> None:
    """Mean and 95 % band of each line over its seeds, in the look of its label or system; one test is a level line."""
    for label, curve in curves.items():
        colour, dashes, marker = (looks or {}).get(label) or style(curve.line)
        x, values = curve.x, SCALE.get(metric, 1.0) * curve.scores[metric]
        if len(x) == 1:
            axes.axhline(values.mean(), label=label, color=colour, linestyle=dashes, linewidth=1)
            continue
        estimate, low, high = mean_interval(values)
        axes.plot(x, estimate, dashes, color=colour, marker=marker, label=label, markersize=4,
                  markevery=max(1, len(x) // 6), linewidth=1.3)
        axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)


def learning_curve(record: Record, references: dict[str, float]) -> Figure:
    """The tests of a single run; policies that do not learn are horizontal lines, each with success and reward."""
    setting, picture = Setting.from_differences(record.setting), figure(9, 3.5)
    for axes, metric in zip(picture.subplots(1, 2), ("success", "reward")):
        draw(axes, {mode: curve_of(Line(setting, 1, mode), [record.tests]) for mode in record.tests}, metric)
        for (name, found), dashes in zip(references.items(), ("--", ":")):
            axes.axhline(SCALE.get(metric, 1.0) * getattr(found, metric), label=name, color=GREY, linestyle=dashes)
        axes.set(xlabel="training dialogues", ylabel=AXES[metric])
        axes.legend(fontsize="small")
    return picture
