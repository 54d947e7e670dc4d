"""What training looks like from inside: importance weights, truncation, trust region, entropy and critic over time.

`panel` draws the rows of any learning curve that has ACER's diagnostics, `remark` says what is worth noticing.
"""
import json
from functools import cache
from pathlib import Path

import numpy as np

from acer_np.gradients import importance_weights
from acer_np.replay import join
from demos.agents import Setting
from demos.files import from_csv
from demos.tours.style import AMBER, BLUE, GREEN, GREY, RED, SKY, figure
from demos.training import Run, mean_of

SETTING = Setting(agent="acer", dialogues=600, error_rate=0.3, nbest=3, test_dialogues=20, tests=("greedy",))
NAMES = {"rho": ("mean importance weight ρ", GREEN), "truncated": ("share of turns that are truncated, ρ > c", RED),
         "binding": ("share of updates where the trust region binds", BLUE),
         "kl_growth": ("growth of the divergence k·g", BLUE), "entropy": ("entropy of the policy π", AMBER),
         "critic_error": ("squared error of the critic", GREY)}
Rows = list[dict[str, float]]


@cache
def small_run() -> Run:
    """ACER after some hundred noisy dialogues, in a few seconds."""
    run = Run(SETTING, seed=0)
    for _ in run.train():
        pass
    return run


def column(rows: Rows, name: str) -> np.ndarray:
    """(n,) a quantity over the rows that have it."""
    return np.array([float(row[name]) for row in rows if name in row])


def remembered_weights(agent) -> np.ndarray:
    """(n,) ρ of every turn in the memory of an agent, as its policy is now."""
    heads, batch = agent.heads, join(list(agent.replay.dialogues))
    policy = heads.policy(agent.network.forward(agent.learner.params, batch.beliefs).logits, batch.masks)
    mu = heads.behaviour(batch.mu, batch.payload_logits)
    return importance_weights(heads.pi_of(policy, batch.actions), heads.pi_of(mu, batch.actions))


def remark(rows: Rows) -> str:
    """One line on what is worth noticing in a learning curve."""
    binding, entropy, error = (column(rows, name) for name in ("binding", "entropy", "critic_error"))
    late = slice(-max(1, len(binding) // 3), None)
    found = [(binding[late].mean() > 0.95, "the trust region binds in nearly every update: δ decides how fast it learns"),
             (binding.max() < 0.05, "the trust region hardly ever binds: δ could as well be infinite"),
             (entropy[-1] < 0.05, "the policy hardly explores any more: its entropy is gone"),
             (error[-1] > 3 * np.median(error), "the critic's error grows: it may diverge"),
             (column(rows, "truncated")[late].mean() > 0.2, "one weight in five or more is truncated: the memory is old")]
    return "; ".join(words for worth, words in found if worth) or "nothing unusual"


def read_curve(path: Path) -> tuple[Rows, float]:
    """Rows of a saved result, each the mean over its seeds and tests, and the limit δ that its first line tells."""
    try:
        header, _, body = path.read_text().partition("\n")
        by_dialogues, limit = {}, float(json.loads(header.removeprefix("# "))["config"]["kl_limit"])
        for row in from_csv(body):
            by_dialogues.setdefault(int(row["dialogues"]), []).append({name: float(row[name]) for name in NAMES})
        return [{"dialogues": n, **mean_of(rows)} for n, rows in by_dialogues.items()], limit
    except (ValueError, LookupError) as error:
        raise ValueError(f"curve {path} is no result of ACER, expected a CSV file of demos.reproduce: {error}") from error


def show(curve: Path | None = None):
    """Of a saved result, or else of a small run."""
    if curve:
        rows, limit = read_curve(curve)
        return tell(rows), panel(rows, limit)
    run = small_run()
    ratios, config = remembered_weights(run.agent), run.agent.config
    return (f"Of the {len(ratios)} turns in the memory after {run.total} dialogues {100 * np.mean(ratios > config.rho_max):.1f} % "
            f"have ρ > c = {config.rho_max:g}, and {100 * np.mean(ratios < 1):.0f} % have ρ < 1, which cuts their traces. "
            f"{tell(run.curve)}", panel(run.curve, config.kl_limit, ratios, config.rho_max))


def tell(rows: Rows) -> str:
    binding, entropy = 100 * column(rows, "binding"), column(rows, "entropy")
    return (f"The trust region bound in {binding[0]:.0f} % of the first updates and {binding[-1]:.0f} % of the last; the "
            f"entropy went from {entropy[0]:.2f} to {entropy[-1]:.2f}. Worth noticing: {remark(rows)}.")


def panel(rows: Rows, kl_limit: float, ratios: np.ndarray | None = None, rho_max: float = np.inf):
    """The diagnostics of a learning curve over its dialogues; the histogram of ρ needs the weights in a memory."""
    picture = figure(12, 6.5)
    rows = [row for row in rows if "binding" in row]
    for axes, (name, (title, colour)) in zip(picture.subplots(2, 3).ravel(), NAMES.items()):
        if name == "rho" and ratios is not None:
            _histogram(axes, ratios, rho_max)
            continue
        axes.plot(column(rows, "dialogues"), column(rows, name), "o-", color=colour, markersize=4)
        axes.set(xlabel="training dialogues", ylim=(min(0, 1.1 * column(rows, name).min()), None))
        axes.set_title(title, fontsize="medium")
        if name == "kl_growth":
            axes.axhline(kl_limit, color=GREY, linestyle="--", label=f"limit δ = {kl_limit:g}")
            axes.legend()
    return picture


def _histogram(axes, ratios: np.ndarray, rho_max: float) -> None:
    axes.hist(np.clip(ratios, 1e-3, 1e2), np.geomspace(1e-3, 1e2, 41), color=SKY)
    axes.axvline(1, color=BLUE, linestyle=":", linewidth=2, label="1: traces are cut below")
    axes.axvline(rho_max, color=RED, linestyle="--", linewidth=2, label=f"c = {rho_max:g}: truncated above")
    axes.set(xscale="log", yscale="log", xlabel="importance weight ρ (ends: or beyond)", ylabel="turns in the memory")
    axes.set_title("how far the memory is from the policy", fontsize="medium")
    axes.set_ylim(None, 20 * axes.get_ylim()[1])
    axes.legend(fontsize="small")
