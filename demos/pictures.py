"""Curves over training dialogues, drawn alike everywhere: a look for each system, a mean with its interval."""
from demos.records import Curve, Line, Record, curve_of
from demos.settings import Setting
from demos.statistics import mean_interval
from demos.style import AMBER, BLUE, GREEN, GREY, PINK, RED, SKY, figure, legend

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


def draw(axes, curves: Curves, metric: str, looks: dict[str, tuple] | None = None, bands: bool = True) -> None:
    """Mean of each line over its seeds with its 95 % interval, a band or, where bands would hide one another, a bar at
    each marker; in the look of its label or system. A single test is a level line."""
    for place, (label, curve) in enumerate(curves.items()):
        colour, dashes, marker = (looks or {}).get(label) or style(curve.line)
        x, values = curve.x, SCALE.get(metric, 1.0) * curve.scores[metric]
        if len(x) == 1:
            axes.axhline(values.mean(), label=label, color=colour, linestyle=dashes, linewidth=1)
            continue
        (estimate, low, high), step = mean_interval(values), max(1, len(x) // 6)
        marks = slice(place % step, None, step)          # not all at the same dialogues
        axes.plot(x, estimate, dashes, color=colour, marker=marker, label=label, markersize=4, markevery=marks,
                  linewidth=1.3)
        if bands:
            axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
        else:
            axes.vlines(x[marks], low[marks], high[marks], color=colour, linewidth=1)


def learning_curve(record: Record, references: dict[str, float]):
    """The tests of a single run; policies that do not learn are horizontal lines, each with success and reward."""
    setting, picture = Setting.from_differences(record.setting), figure(9, 3.2)
    for axes, metric in zip(picture.subplots(1, 2), ("success", "reward")):
        draw(axes, {mode: curve_of(Line(setting, 1, mode), [record.tests]) for mode in record.tests}, metric)
        for (name, found), dashes in zip(references.items(), ("--", ":")):
            axes.axhline(SCALE.get(metric, 1.0) * getattr(found, metric), label=name, color=GREY, linestyle=dashes)
        axes.set(xlabel="training dialogues", ylabel=AXES[metric])
    legend(picture)
    return picture
