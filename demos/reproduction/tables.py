"""The tables of the report in Markdown, from saved results."""
from collections import Counter
from dataclasses import replace

import numpy as np

from demos.pictures import SCALE, Curves
from demos.records import Curve, Line
from demos.reproduction.claims import CLAIMS, Claim, line_of, logs_of, mean, measured, verdict
from demos.reproduction.plan import BENCHMARK_SEEDS, DOMAINS, ENVIRONMENTS, Experiment
from demos.reproduction.store import Results
from demos.settings import Setting
from demos.statistics import (collapsed, difference, end, holm, improvement, interquartile_mean, mean_interval,
                              over_tasks, proportion, show, smallest_seen)

MILESTONES = (200, 400, 1000, 2000, 4000)
LEARNING = {"3": "mask", "6": "no mask", "11": "mask", "12": "no mask"}      # figures of the learning table
TRAINED = [agent for agent in BENCHMARK_SEEDS if agent != "handcrafted"]
PAPER_MINUTES = {"ACER, master (paper)": "387", "GP, master": "12,429"}


def markdown(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in [head, ["---"] * len(head), *rows])


def scaled(curve: Curve, metric: str) -> np.ndarray:
    """(n_seeds, n_tests), success in per cent."""
    return SCALE.get(metric, 1.0) * curve.scores[metric]


def learning_lines(experiments: dict[str, Experiment]) -> dict[str, Line]:
    """The rows of the learning table: every line of these figures once."""
    return {f"{label}, {mask}": line for name, mask in LEARNING.items() if name in experiments
            for label, line in experiments[name].lines.items() if line.mode == "greedy"}


def learning_table(results: Results, lines: dict[str, Line]) -> str:
    """Success over all tests and after some dialogues, greedy and on draws, and the reward of the last three tests."""
    rows, shown = [], ()
    for label, line in lines.items():
        greedy, draws = (results.curve(line._replace(mode=mode)) for mode in ("greedy", "draw"))
        shown = shown or [n for n in MILESTONES if n in greedy.x] or [greedy.x[-1]]
        at = [min(np.searchsorted(greedy.x, n), len(greedy.x) - 1) for n in shown]
        success = [" / ".join(f"{scaled(curve, 'success')[:, i].mean():.1f}" for curve in (greedy, draws)) for i in at]
        rows.append([label, show(mean_interval(mean(scaled(greedy, "success")))), *success,
                     show(mean_interval(end(greedy.scores["reward"])), 2)])
    return markdown(["success (%)", "mean of all tests", *(f"after {n:g}: greedy / draws" for n in shown),
                     "reward at the end"], rows)


def noise_table(curves: Curves) -> str:
    """The reward at other error rates than that of training, which is figure 14."""
    rates = next(iter(curves.values())).x
    return markdown(["reward at an error rate of", *(f"{100 * rate:.0f} %" for rate in rates)],
                    [[label, *(show(mean_interval(column)) for column in curve.scores["reward"].T)]
                     for label, curve in curves.items()])


# ---- changes: parts, departures, slips, causes

def base_of(setting: Setting) -> Setting:
    """What a change was made to; the schedule is none."""
    return replace(setting, variant="", overrides=tuple(pair for pair in setting.overrides if pair[0] == "horizon"))


def changes_table(curves: Curves) -> str:
    """What each change does to success over all tests, corrected for their number, and how many runs it loses."""
    plain = {curve.line.setting: curve for curve in reversed(curves.values())}
    bases = {label: plain.get(base_of(curve.line.setting), curve) for label, curve in curves.items()}
    pairs = {label: (mean(scaled(curve, "success")), mean(scaled(bases[label], "success")))
             for label, curve in curves.items() if bases[label] is not curve}
    found = {label: difference(*pair) for label, pair in pairs.items()}
    adjusted = dict(zip(found, holm([p for _, p in found.values()])))
    rows = [[label, show(mean_interval(mean(scaled(curve, "success")))),
             show(found[label][0]) if label in found else "",
             f"{adjusted[label]:.2g}" if label in found else "", of_runs(curve),
             show(mean_interval(end(scaled(curve, "success")))), show(mean_interval(end(curve.scores["reward"])), 2),
             f"{100 * np.nanmean(curve.scores['binding']):.0f}" if "binding" in curve.scores else ""]
            for label, curve in curves.items()]
    table = markdown(["success (%)", "mean of all tests", "difference", "p (Holm)", "collapsed", "end",
                      "reward at the end", "δ binds (%)"], rows)
    power = np.median([smallest_seen(*pair) for pair in pairs.values()]) if pairs else np.nan
    survive = sum(p < 0.05 for p in adjusted.values())
    return (f"{table}\n\n{survive} of {len(found)} differences survive Holm's correction."
            + f" In four cases of five such a comparison finds a difference of {power:.1f} points." * bool(power > 0))


def of_runs(curve: Curve) -> str:
    """How many runs collapse, with the exact interval of their share where any does."""
    n_lost, n = collapsed(curve.scores["success"]), len(curve.scores["success"])
    share = proportion(n_lost, n)
    return f"{n_lost} of {n}" + (f" [{100 * share.low:.0f}, {100 * share.high:.0f} %]" if n_lost else "")


# ---- demonstrations and growth

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
        return " / ".join(f"{scaled(curve, 'success')[:, np.searchsorted(curve.x, n)].mean():.1f}"
                          if n >= curve.x[0] else "-" for n in moments) if curve else ""

    ways = dict.fromkeys(way for some in tasks.values() for way in some)
    return markdown(["success (%)", *tasks], [[way, *(cell(task, way) for task in tasks)] for way in ways])


# ---- the paper's claims

def claims_table(results: Results, experiments: dict[str, Experiment]) -> str:
    """Every claim about these figures, with a verdict for the paper's ACER and for ours.

    The main choice tests ACER greedily and GP on draws, as the paper does; other choices are named where they matter.
    """
    rows, verdicts, changes, judged = [], Counter(), 0, 0
    for claim in CLAIMS:
        if claim.figure not in experiments:
            continue
        cells, found = [], []
        for who in dict.fromkeys(("paper", "ours")):
            lines = [line_of(label, claim, experiments, who) for label in claim.lines]
            if None in lines or who == "ours" and not any(line.setting.agent == "acer" for line in lines):
                continue
            interval = measured(claim, results, lines)
            found.append(verdict(interval, *claim.holds))
            alike = [verdict(measured(claim, results, lines, mode), *claim.holds) for mode in ("greedy", "draw")
                     ] if len({line.mode for line in lines}) > 1 else []
            changes, judged = changes + sum(one != found[-1] for one in alike[:1]), judged + bool(alike)
            cells += [f"{show(interval)}", found[-1] + (f" (all greedy: {alike[0]}; all draws: {alike[1]})"
                                                        if set(alike) - {found[-1]} else "")]
        if found:
            verdicts[found[0]] += 1
            line, *others = claim.lines
            against = f" - {'best of ' * (len(others) > 1)}{', '.join(others)}" if others else ""
            rows.append([claim.figure, claim.claimed, f"{claim.quantity.__name__} {claim.metric}: {line}{against}",
                         *(cells + ["", ""])[:4], cause(claim, found, results, experiments)])
    table = markdown(["figure", "the paper", "measured", "the paper's ACER [95 %]", "verdict", "ours [95 %]", "verdict",
                      "cause"], rows)
    counts = ", ".join(f"{n} {what}" for what, n in sorted(verdicts.items()))
    note = (f"With the paper's ACER, or without any: {counts}. "
            f"{changes} of {judged} verdicts between ACER and GP are others where both are tested greedily.")
    return f"{table}\n\n{note}" if rows else ""


def cause(claim: Claim, found: list[str], results: Results, experiments: dict[str, Experiment]) -> str:
    """Where to see why a claim is not reproduced, and what becomes of it with other lines instead of its own."""
    if set(found) == {"reproduced"}:
        return ""
    known = f"see {claim.see}" if claim.see else "not known" if found[0] != "reproduced" else ""
    lines = [line_of(label, claim, experiments, "paper") for label in claim.instead]
    if not lines or None in lines:
        return known
    interval = measured(claim, results, lines)
    return f"{known}; {' - '.join(claim.instead)}: {show(interval)}, {verdict(interval, *claim.holds)}"


# ---- the benchmark, and costs

def benchmark_table(curves: Curves) -> str:
    """Per task the reward at the end, greedy with its interval and on draws, and what PyDial's own logs have.

    An arrow: the whole interval is above the handcrafted policy.
    """
    rows = []
    for domain in DOMAINS:
        for number in ENVIRONMENTS:
            rule = curves[f"handcrafted, {domain}, {number}"].scores["reward"][0, -1]
            cells = []
            for agent in TRAINED:
                greedy, draws = (curves[f"{agent}, {domain}, {number}{words}"].scores["reward"][:, -1]
                                 for words in ("", ", draws"))
                interval = mean_interval(greedy)
                cells.append(f"{show(interval, 2)}{' ↑' * bool(interval.low > rule)} / {draws.mean():.2f}")
            theirs = [f"{log['policy']} {float(log['late_reward']):.2f} ({log['seeds']}, {log['source']})"
                      for log in logs_of(domain, number)]
            rows.append([f"{domain}, {number}", *cells, f"{rule:.2f}", "; ".join(theirs)])
    return markdown(["reward: greedy / draws", *TRAINED, "handcrafted", "PyDial (seeds, source)"], rows)


def aggregate_table(curves: Curves) -> str:
    """Over the 18 tasks: the interquartile mean of the last reward, and how likely a run beats another learner's."""
    runs = {agent: np.array([curves[f"{agent}, {domain}, {number}"].scores["reward"][:, -1] for domain in DOMAINS
                             for number in ENVIRONMENTS]) for agent in TRAINED}
    return markdown(["over the 18 tasks", "interquartile mean", *(f"P(better than {agent})" for agent in TRAINED)],
                    [[agent, show(over_tasks(interquartile_mean, mine), 2),
                      *("" if agent == other else show(over_tasks(improvement, mine, theirs), 2)
                        for other, theirs in runs.items())] for agent, mine in runs.items()])


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
