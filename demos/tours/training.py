"""What training looks like from inside: every saved run of ACER without the mask, one line each.

demos.train draws the same panel for its own runs.
"""
from pathlib import Path

from demos.diagnostics import lines, panel
from demos.records import Curve, Line, curve_of
from demos.reproduction.store import Results
from demos.settings import Setting, make_config

SETTING = Setting(dialogues=4000, mask="none")
RESULTS = Results(Path(__file__).parents[1] / "results")


def saved() -> Curve:
    """The runs, from the one with the highest mean success to the lowest."""
    units = RESULTS.units(SETTING).values()
    if not units:
        raise ValueError(f"{RESULTS.folder} has no run of {SETTING.name}: run python -m demos.reproduce --figure 6")
    runs = sorted((unit.tests for unit in units), key=lambda tests: -sum(tests["greedy"]["success"]))
    return curve_of(Line(SETTING, len(runs)), runs)


def show():
    _, x, scores = curve = saved()
    success, binding, entropy = 100 * scores["success"], 100 * scores["binding"].mean(axis=0), scores["entropy"]
    return (f"{len(success)} runs of ACER without the mask. After {x[0]:.0f} dialogues their success ranges from "
            f"{success[:, 0].min():.0f} to {success[:, 0].max():.0f} %. After {x[-1]:.0f} it ranges from "
            f"{success[:, -1].min():.0f} to {success[:, -1].max():.0f} %. The trust region binds in {binding[0]:.0f} % "
            f"of the updates before the first test, and in {binding[-1]:.0f} % before the last. The mean entropy of π "
            f"goes from {entropy[:, 0].mean():.2f} to {entropy[:, -1].mean():.2f}.", draw(curve))


def draw(curve: Curve):
    """Success run by run, and five diagnostics."""
    runs = len(curve.scores["success"])
    picture = panel(curve.x, curve.scores, make_config(SETTING).kl_limit,
                    f"{runs} runs of ACER without the mask; thick: the run with the lowest mean success")
    lines(picture.axes[0], curve.x, 100 * curve.scores["success"], "success (%) of greedy tests")
    return picture
