"""One function per kind of figure, drawn from saved results; the same style for the same system everywhere."""
from textwrap import fill

import numpy as np

from demos.diagnostics import WATCHED
from demos.pictures import AXES, STYLES, Curves, draw, style
from demos.records import Curve
from demos.reproduction.claims import logs_of, mean
from demos.reproduction.plan import BENCHMARK_SEEDS, DOMAINS, ENVIRONMENTS, Experiment
from demos.reproduction.tables import base_of, by_task, growth_of
from demos.settings import TRAINABLE, make_config
from demos.statistics import COLLAPSED, collapsed, mean_interval
from demos.style import AMBER, BLUE, GREEN, GREY, PINK, RED, SKY, figure, legend

STEPS = [("#000000", "-", "o"), (BLUE, "--", "s"), (RED, "-.", "^"), (AMBER, ":", "D"), (GREEN, "-", "x")]
WAYS = {"N = 0": (GREY, "--", None), "N = 20": (SKY, "-", "o"), "N = 100": (BLUE, "-", "s"),
        "N = 500": (GREEN, "-", "^"), "imitation only": (RED, "--", "x"), "memory only": (AMBER, "-.", "D"),
        "a poor demonstrator": (PINK, ":", "v"),
        "from the start": STEPS[0], "grown, all goals": STEPS[1], "grown, old goals": STEPS[4], "anew": STEPS[2]}
NAMES = {"acer": "ACER", "gp": "GP-SARSA", "a2c": "A2C", "enac": "eNAC", "dqn": "DQN"}
MANY, FLOOR = 5, 50                          # lines whose bands would hide one another; success that is worth a look


def learning(curves: Curves, experiment: Experiment):
    """All lines in one panel; where all tests are draws, dashes tell the spaces apart, and in a sweep the values."""
    picture, learners, looks = figure(8.5, 4.2), trained(curves), None
    if experiment.kind == "sweep":
        looks = dict(zip(learners, STEPS))
    elif all(curve.line.mode == "draw" for curve in learners.values()):
        looks = {label: (style(line)[0], "--" if line.setting.space == "master" else "-", style(line)[2])
                 for label, (line, *_) in learners.items()}
    axes = picture.subplots()
    draw(axes, curves, experiment.metric, looks, bands=len(learners) <= MANY)
    axes.set(xlabel="error rate of the tests" if experiment.kind == "robustness" else "training dialogues",
             ylabel=AXES[experiment.metric])
    if experiment.metric == "success":
        axes.set_ylim(top=min(axes.get_ylim()[1], 101))
    legend(picture)
    return picture


def parts(curves: Curves, experiment: Experiment):
    """A row per label, a column per action space: every run, their mean with its interval, how many collapsed."""
    columns: dict[str, Curves] = {}
    for label, curve in curves.items():
        row, master, _ = label.partition(", master")
        columns.setdefault("master space" if master else "summary space", {})[row] = curve
    rows = list(dict.fromkeys(row for column in columns.values() for row in column))[::-1]
    picture = figure(5 + 3.2 * len(columns), 1.5 + 0.26 * len(rows))
    for axes, (space, column) in zip(picture.subplots(1, len(columns), sharey=True, squeeze=False).flat,
                                     columns.items()):
        first = next(iter(column.values()))
        for row, curve in column.items():
            one_row(axes, rows.index(row), curve)
        axes.axvline(100 * mean(first.scores["success"]).mean(), color=GREY, linestyle=":",
                     label=f"mean of {next(iter(column))}")
        axes.text(1.02, len(rows) - 0.4, "collapsed", fontsize="small", transform=axes.get_yaxis_transform())
        low, high = axes.get_xlim()
        axes.set(title=space if len(columns) > 1 else "", xlabel="success (%), mean of all tests",
                 xlim=(max(low, 0), min(high, 100.5)), yticks=range(len(rows)), yticklabels=rows)
    legend(picture)
    return picture


def one_row(axes, height: int, curve: Curve) -> None:
    """The runs of a line, their mean, filled where nothing was changed, and how many of them collapsed."""
    (setting, *_), _, scores = curve
    values, n = 100 * mean(scores["success"]), collapsed(scores["success"])
    (estimate, low, high), colour, plain = mean_interval(values), style(curve.line)[0], setting == base_of(setting)
    axes.plot(values, np.full(len(values), height - 0.3), "|", color=GREY, markersize=4, label="a run")
    axes.errorbar(estimate, height, xerr=np.nan_to_num([[estimate - low], [high - estimate]]), color=colour, marker="o",
                  capsize=3, markerfacecolor=colour if plain else "white", label="unchanged" if plain else "one change")
    axes.text(1.02, height, f"{n} of {len(values)}", color=RED if n else GREY, va="center", fontsize="small",
              transform=axes.get_yaxis_transform())


def diagnostics(curves: Curves, experiment: Experiment):
    """What the updates did between one test and the next."""
    picture, looks = figure(12, 5), dict(zip(curves, ((RED, "--", "x"), (BLUE, "-", "o"))))
    parts = dict(zip(WATCHED, picture.subplots(2, 3).flat))
    for name, axes in parts.items():
        draw(axes, curves, name, looks)
        axes.set(xlabel="training dialogues", title=WATCHED[name])
    for label, curve in curves.items():
        parts["kl_growth"].axhline(make_config(curve.line.setting).kl_limit, color=looks[label][0], linestyle=":",
                                   label=f"δ of {label}")
    parts["kl_growth"].set_yscale("symlog", linthresh=1e-4)
    parts["kl_growth"].set_yticks([-1e3, -1, -1e-2, 0, 1e-2, 1, 1e3])
    parts["critic_error"].set_yscale("log")
    legend(picture)
    return picture


def benchmark(curves: Curves, experiment: Experiment):
    """A small panel per task: ours over the dialogues, and beyond them PyDial's end points."""
    picture = figure(13, 6.5)
    for row, (short, domain) in zip(picture.subplots(3, 6, sharex=True, sharey="row"), DOMAINS.items()):
        for axes, number in zip(row, ENVIRONMENTS):
            ours = {NAMES.get(agent, agent): curves[f"{agent}, {short}, {number}"] for agent in BENCHMARK_SEEDS}
            draw(axes, ours, "reward")
            for log in logs_of(short, number):
                kind = log["policy"] if log["policy"] in ("handcrafted", *NAMES) else "dqn"
                colour, _, marker = STYLES.get((kind, "summary", "ours"), (GREY, "", "P"))
                axes.plot(1.2 * ours["ACER"].x[-1], float(log["late_reward"]), "_" if kind == "handcrafted" else marker,
                          color=colour, markerfacecolor="white", markersize=7, linestyle="",
                          label=f"PyDial's {NAMES.get(kind, kind)}")
            axes.set(title=f"environment {number}" if domain == "CamRestaurants" else "")
        row[0].set_ylabel(f"{domain}: reward")
    axes.set_xticks(ours["ACER"].x[1::2])
    for axes in picture.axes[-6:]:
        axes.set_xlabel("training dialogues", fontsize="small")
    legend(picture)
    return picture


def panels(curves: Curves, experiment: Experiment):
    """One panel per task, which stands behind the colon of a label, with a line for each way to learn it."""
    tasks = by_task(curves)
    n_rows = -(-len(tasks) // 4)
    picture = figure(13, 2.9 * n_rows)
    grid = picture.subplots(n_rows, 4, sharey=True).flat
    for axes, (task, ways) in zip(grid, tasks.items()):
        draw(axes, ways, "success", WAYS)
        if growth_of(ways):
            axes.axvline(growth_of(ways), color=GREY, linestyle=":", label="the domain grows")
        axes.set(title=task, xlabel="training dialogues", xlim=(0, min(curve.x[-1] for curve in ways.values())),
                 ylim=(FLOOR, 101))
    for axes in grid[len(tasks):]:
        axes.axis("off")
    picture.axes[0].set_ylabel(AXES["success"])
    legend(picture, *grid[len(tasks):][:1])
    return picture


KINDS = {"panels": panels, "learning": learning, "robustness": learning, "sweep": learning, "parts": parts,
         "diagnostics": diagnostics, "benchmark": benchmark}
NOTES = {parts: f" Collapsed: success below {100 * COLLAPSED:.0f} % in the last three tests.",
         benchmark: " Hollow symbols: PyDial's own logs after 4000 dialogues."}


def trained(curves: Curves) -> Curves:
    """The lines of policies that learn."""
    return {label: curve for label, curve in curves.items() if curve.line.setting.agent in TRAINABLE}


def caption(curves: Curves) -> str:
    """How much was measured, how it was tested, and what the bands and bars are."""
    lines = trained(curves).values()
    seeds, modes = sorted({len(curve.scores["success"]) for curve in lines}), {curve.line.mode for curve in lines}
    counts = " or ".join(filter(None, (", ".join(map(str, seeds[:-1])), str(seeds[-1]))))
    dialogues = next(iter(lines)).line.setting.test_dialogues
    how = ("with drawn actions" if modes == {"draw"} else
           "greedy, with drawn actions where a label says draws" if "draw" in modes else "greedy")
    interval = " Means with 95 % t-intervals over the seeds." if seeds[-1] > 1 else ""
    return f"{counts} seed{'s' * (counts != '1')}. Tests: {dialogues} dialogues each, {how}.{interval}"


def drawn(curves: Curves, experiment: Experiment):
    """The figure of an experiment with its caption; None for a kind that has only a table."""
    if experiment.kind not in KINDS:
        return None
    if experiment.kind == "benchmark":                   # its draws are in the table
        curves = {label: curve for label, curve in curves.items() if curve.line.mode == "greedy"}
    draws = KINDS[experiment.kind]
    picture = draws(curves, experiment)
    width = picture.get_figwidth()
    picture.suptitle(fill(experiment.about, int(9.5 * width)))
    picture.supxlabel(fill(caption(curves) + NOTES.get(draws, ""), int(13 * width)), fontsize="small")
    return picture
