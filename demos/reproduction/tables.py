"""The tables of the README in Markdown, from saved results alone."""
import numpy as np

from demos.claims import CLAIMS, last, mean, measured, verdict
from demos.experiments import Experiment
from demos.figures import Curves
from demos.intervals import Interval, bootstrap
from demos.results import Results

PAPER_MINUTES = {"ACER, master": "387", "GP, master": "12,429"}
LEARNING = {                                                   # rows of the table: figure, line
    "ACER, summary, mask": ("3", "ACER"), "... with the paper's values": ("readings", "all of these"),
    "ACER, summary, no mask": ("6", "ACER"), "ACER, master, mask": ("11", "ACER, master"),
    "ACER, master, no mask": ("12", "ACER, master"),
    "A2C, summary, mask": ("3", "A2C"), "A2C, summary, no mask": ("6", "A2C"),
    "eNAC, summary, mask": ("3", "eNAC"), "eNAC, summary, no mask": ("6", "eNAC"),
    "GP, summary, mask": ("3", "GP"), "... tested on its mean": ("3", "GP, tested on its mean"),
    "GP, summary, no mask": ("6", "GP"), "GP, master, no mask": ("12", "GP, master"),
    "handcrafted, mask": ("3", "handcrafted")}


def read_curves(results: Results, experiment: Experiment) -> Curves:
    """What a figure is drawn from."""
    return {label: results.curve(setting, experiment.seeds) for label, setting in experiment.lines.items()}


def show(ours: Interval, digits: int = 1) -> str:
    estimate, low, high = (f"{round(float(x), digits) + 0.0:.{digits}f}" for x in ours)      # + 0.0: no -0.0
    return f"{estimate} [{low}, {high}]"


def markdown(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in [head, ["---"] * len(head), *rows])


def learning_table(figures: dict[str, Curves], milestones: tuple[int, ...] = (400, 1000, 2000, 4000)) -> str:
    """Success at some milestones, reward at the last test; what does not learn has the same success everywhere."""
    rows = []
    for label, (figure, line) in LEARNING.items():
        if figure in figures:
            _, x, scores = figures[figure][line]
            success = [100 * scores["success"][:, min(np.searchsorted(x, n), len(x) - 1)] for n in milestones]
            rows.append([label, *map(show, map(bootstrap, success)), show(bootstrap(scores["reward"][:, -1]), 2)])
    return markdown(["success (%) after", *map(str, milestones), "reward at the end"], rows)


def noise_table(curves: Curves) -> str:
    """The reward at other error rates than that of training, which is figure 14."""
    rates = next(iter(curves.values())).x
    return markdown(["reward at an error rate of", *(f"{100 * rate:.0f} %" for rate in rates)],
                    [[label, *(show(bootstrap(column)) for column in curve.scores["reward"].T)]
                     for label, curve in curves.items()])


def variants_table(curves: Curves) -> str:
    """What each change to ACER does to the success of all tests and of the last, also seed by seed."""
    rows, unchanged = [], {curve.setting.space: curve for curve in curves.values()
                           if curve.setting.agent == "acer" and not curve.setting.overrides}
    for label, curve in curves.items():
        row = [label]
        for part in (mean, last):
            ours, base = (100 * part(some.scores["success"]) for some in (curve, unchanged[curve.setting.space]))
            row += [show(bootstrap(ours)), show(bootstrap(ours - base)) if curve.setting.overrides else ""]
        rows.append(row)
    return markdown(["success (%)", "mean of all tests", "difference", "last test", "difference"], rows)


def claims_table(figures: dict[str, Curves]) -> str:
    """Every claim about these figures."""
    rows = []
    for claim in CLAIMS:
        if claim.figure in figures:
            ours = bootstrap(measured(claim, figures[claim.figure]))
            found, (line, *others) = verdict(ours, *claim.holds), claim.lines
            against = f" - {'best of ' * (len(others) > 1)}{', '.join(others)}" if others else ""
            quantity = f"{claim.quantity.__name__} {claim.metric}: {line}{against}"
            rows.append([claim.figure, claim.claimed, quantity, show(ours), found, claim.why * (found != "reproduced")])
    return markdown(["figure", "the paper", "measured", "ours [95 %]", "verdict", "why"], rows)


def cost_table(results: Results, experiments: dict[str, Experiment]) -> str:
    """CPU minutes of training without the mask, one run on one core, beside the paper's."""
    settings = {label: setting for name in ("6", "12") if name in experiments
                for label, setting in experiments[name].lines.items()
                if label in ("ACER", "A2C", "eNAC", "GP", *PAPER_MINUTES) and results.seconds(setting)}
    rows = [[label, f"{results.seconds(setting, ('training',)) / 60:.2f}", PAPER_MINUTES.get(label, "")]
            for label, setting in settings.items()]
    return markdown(["system", "ours, CPU minutes", "the paper, minutes on 16 cores"], rows)
