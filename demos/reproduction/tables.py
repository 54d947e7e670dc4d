"""The tables of the README in Markdown, from saved results alone."""
from dataclasses import replace

import numpy as np

from demos.reproduction.claims import CLAIMS, jump, last, logs_of, mean, measured, verdict
from demos.reproduction.plan import BENCHMARK_SEEDS, DOMAINS, ENVIRONMENTS, Experiment, for_hard_tasks
from demos.pictures import SCALE, Curves
from demos.records import Curve, Line
from demos.reproduction.store import Results
from demos.settings import Setting
from demos.statistics import mean_interval, show

MILESTONES = (200, 400, 1000, 2000, 4000)
LEARNING = {"3": "mask", "6": "no mask", "11": "mask", "12": "no mask"}      # figures of the learning table
PAPER_MINUTES = {"ACER, master (paper)": "387", "GP, master": "12,429"}


def read_curves(results: Results, experiment: Experiment) -> Curves:
    """What a figure is drawn from."""
    return {label: results.curve(line) for label, line in experiment.lines.items()}


def markdown(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in [head, ["---"] * len(head), *rows])


def learning_lines(experiments: dict[str, Experiment]) -> dict[str, Line]:
    """The rows of the learning table: every line of these figures once."""
    return {f"{label}, {mask}": line for name, mask in LEARNING.items() if name in experiments
            for label, line in experiments[name].lines.items() if line.mode == "greedy"}


def learning_table(results: Results, lines: dict[str, Line]) -> str:
    """Success of greedy tests and of draws at some milestones, and the last reward."""
    rows, shown = [], ()
    for label, line in lines.items():
        greedy, draws = (results.curve(line._replace(mode=mode)) for mode in ("greedy", "draw"))
        shown = shown or [n for n in MILESTONES if n in greedy.x] or [greedy.x[-1]]
        at = [min(np.searchsorted(greedy.x, n), len(greedy.x) - 1) for n in shown]
        success = [[100 * curve.scores["success"][:, i] for curve in (greedy, draws)] for i in at]
        rows.append([label, *(f"{show(mean_interval(first))} / {second.mean():.1f}" for first, second in success),
                     show(mean_interval(last(greedy.scores["reward"])), 2)])
    return markdown(["success (%), greedy / draws, after", *(f"{n:g}" for n in shown), "reward"], rows)


def noise_table(curves: Curves) -> str:
    """The reward at other error rates than that of training, which is figure 14."""
    rates = next(iter(curves.values())).x
    return markdown(["reward at an error rate of", *(f"{100 * rate:.0f} %" for rate in rates)],
                    [[label, *(show(mean_interval(column)) for column in curve.scores["reward"].T)]
                     for label, curve in curves.items()])


def unchanged(setting: Setting) -> Setting:
    """The setting that a change was made to; a schedule is none."""
    return replace(setting, variant="", overrides=tuple(pair for pair in setting.overrides if pair[0] == "horizon"))


def variants_table(curves: Curves) -> str:
    """What each change does to success and reward, also seed by seed, and how often the trust region bound."""
    rows, bases = [], {curve.line.setting: curve for curve in curves.values()}
    for label, curve in curves.items():
        plain, row = unchanged(curve.line.setting), [label]
        base = bases.get(for_hard_tasks(plain)) or bases.get(plain, curve)
        for part, metric, digits in ((mean, "success", 1), (last, "success", 1), (last, "reward", 2)):
            ours, theirs = (SCALE.get(metric, 1.0) * part(some.scores[metric]) for some in (curve, base))
            difference = show(mean_interval(ours - theirs[:len(ours)]), digits) if base is not curve else ""
            row += [show(mean_interval(ours), digits), difference]
        bound = f"{100 * np.nanmean(curve.scores['binding']):.0f}" if "binding" in curve.scores else ""
        rows.append([*row, show(mean_interval(100 * jump(curve.scores["success"]))), bound])
    return markdown(["success (%)", "mean of all tests", "difference", "last test", "difference", "last reward",
                     "difference", "jumps", "trust region binds (%)"], rows)


def by_task(curves: Curves) -> dict[str, Curves]:
    """The curves of "way: task" by task and way.

    Where a domain grows, "anew" is what starting again at that moment would be: the run from the start, so much later.
    """
    tasks: dict[str, Curves] = {}
    for label, curve in curves.items():
        way, _, task = label.partition(": ")
        tasks.setdefault(task, {})[way] = curve
    for ways in tasks.values():
        if moment := growth_of(ways):
            ways["anew"] = ways["from the start"]._replace(x=ways["from the start"].x + moment)
    return tasks


def growth_of(ways: Curves) -> int:
    """After how many dialogues the domain grows; 0 where it does not."""
    return max(curve.line.setting.grow_after for curve in ways.values())


def ways_table(curves: Curves) -> str:
    """Mean success of every way in every task: at once, after 200 and 1000 dialogues, or in the first test then."""
    tasks = by_task(curves)

    def cell(task: str, way: str) -> str:
        curve = tasks[task].get(way)
        moments = [growth_of(tasks[task]) + n for n in (0, 200, 1000)]
        return " / ".join(f"{100 * curve.scores['success'][:, np.searchsorted(curve.x, n)].mean():.1f}"
                          if n >= curve.x[0] else "-" for n in moments) if curve else ""

    ways = dict.fromkeys(way for some in tasks.values() for way in some)
    return markdown(["success (%)", *tasks], [[way, *(cell(task, way) for task in tasks)] for way in ways])


def claims_table(figures: dict[str, Curves]) -> str:
    """Every claim about these figures, with a verdict for the paper's ACER and one for ours."""
    rows, everywhere = [], {label: curve for curves in figures.values() for label, curve in curves.items()}
    for claim in CLAIMS:
        if claim.figure in figures:
            curves, (line, *others) = figures[claim.figure], claim.lines
            cells, found = [], []
            for who in ("paper", "ours") if any(f"{label} (ours)" in curves for label in claim.lines) else ("",):
                interval = mean_interval(measured(claim, curves, who))
                found.append(verdict(interval, *claim.holds))
                cells += [show(interval), found[-1]]
            known = f"see {claim.see}" if claim.see else "not known" if found[0] != "reproduced" else ""
            cause = known if set(found) != {"reproduced"} else ""
            if cause and all(label in everywhere | curves or f"{label} (paper)" in curves for label in claim.instead):
                cause += intervention(claim, everywhere | curves)
            against = f" - {'best of ' * (len(others) > 1)}{', '.join(others)}" if others else ""
            quantity = f"{claim.quantity.__name__} {claim.metric}: {line}{against}"
            rows.append([claim.figure, claim.claimed, quantity, *(cells + ["", ""])[:4], cause])
    return markdown(["figure", "the paper", "measured", "the paper's ACER [95 %]", "verdict", "ours [95 %]", "verdict",
                     "cause"], rows)


def intervention(claim, curves: Curves) -> str:
    """What becomes of the claim with other lines in the place of its own."""
    if not claim.instead:
        return ""
    interval = mean_interval(measured(claim, curves, "paper", claim.instead))
    return f"; {' - '.join(claim.instead)}: {show(interval)}, {verdict(interval, *claim.holds)}"


def cost_table(results: Results, experiments: dict[str, Experiment]) -> str:
    """CPU minutes of training and of tests without the mask, one run on one core, beside the paper's."""
    rows: dict[str, list[str]] = {}
    for name in ("6", "12"):
        for label, line in experiments[name].lines.items() if name in experiments else ():
            cost = results.cost(line.setting)
            if cost and line.mode == "greedy" and label != "handcrafted":
                minutes = (f"{seconds / 60:.2f}" for seconds in cost.values())
                rows[label] = [label, *minutes, PAPER_MINUTES.get(label, "")]
    return markdown(["system", "training, CPU minutes", "tests", "the paper, minutes on 16 cores"], list(rows.values()))


def benchmark_table(curves: Curves) -> str:
    """Per task success / reward of the last test, greedy and on draws, the lowest success of all seeds when greedy,
    and what PyDial's own logs have."""
    def ends(curve: Curve) -> str:
        return f"{100 * last(curve.scores['success']).mean():.1f} / {last(curve.scores['reward']).mean():.2f}"

    rows = []
    for domain in DOMAINS:
        for number in ENVIRONMENTS:
            ours = {agent: curves[f"{agent}, {domain}, {number}"] for agent in BENCHMARK_SEEDS}
            cells = [dict.fromkeys(ends(curves[f"{agent}, {domain}, {number}{words}"]) for words in ("", ", draws"))
                     for agent in ours]
            lowest = min((100 * last(curve.scores["success"]).min(), agent) for agent, curve in ours.items())
            theirs = [f"{log['policy']} {float(log['late_success']):.1f} / {float(log['late_reward']):.2f} "
                      f"({log['seeds']}, {log['source']})" for log in logs_of(domain, number)]
            rows.append([f"{domain}, {number}", *map("; ".join, cells), "{:.1f} ({})".format(*lowest),
                         "; ".join(theirs)])
    return markdown(["task", *BENCHMARK_SEEDS, "lowest seed", "PyDial (seeds, source)"], rows)
