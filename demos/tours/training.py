"""What training looks like from inside: importance weights, truncation, trust region, entropy and critic over time.

`panel` draws the rows of any learning curve that has ACER's diagnostics, `remark` says what is worth noticing.
"""
from functools import cache

import numpy as np

from acer_np.gradients import importance_weights
from acer_np.replay import join
from demos.agents import Setting
from demos.tours.style import AMBER, BLUE, GREY, RED, figure
from demos.training import Run

SETTING = Setting(agent="acer", dialogues=600, error_rate=0.3, nbest=3, test_dialogues=20, tests=("greedy",))
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


def show():
    run = small_run()
    rows, ratios, c = run.curve, remembered_weights(run.agent), run.agent.config.rho_max
    return (f"After {run.total} dialogues {100 * np.mean(ratios > c):.1f} % of the {len(ratios)} turns in the memory have "
            f"ρ > c = {c:g}, and {100 * np.mean(ratios < 1):.0f} % have ρ < 1, which cuts their traces. The trust region bound "
            f"{100 * column(rows, 'binding')[0]:.0f} % of the first updates and {100 * column(rows, 'binding')[-1]:.0f} % of "
            f"the last; entropy fell from {column(rows, 'entropy')[0]:.2f} to {column(rows, 'entropy')[-1]:.2f}. "
            f"Worth noticing: {remark(rows)}.", panel(rows, run.agent.config, ratios))


def panel(rows: Rows, config, ratios: np.ndarray | None = None):
    """The diagnostics of a learning curve over its dialogues; with the weights ρ of the memory if they are given."""
    picture = figure(12, 6.5)
    axes = picture.subplots(2, 3).ravel()
    x = column([row for row in rows if "binding" in row], "dialogues")
    lines = {"share of turns truncated, ρ > c": ("truncated", RED), "share of updates that the trust region binds":
             ("binding", BLUE), "growth of the divergence k·g": ("kl_growth", BLUE), "entropy of the policy π":
             ("entropy", AMBER), "squared error of the critic": ("critic_error", GREY)}
    for panel, (title, (name, colour)) in zip(axes[1:], lines.items()):
        panel.plot(x, column(rows, name), "o-", color=colour, markersize=4)
        panel.set_title(title, fontsize="medium")
        panel.set_ylim(min(0, 1.1 * column(rows, name).min()), None)
    axes[3].axhline(config.kl_limit, color=GREY, linestyle="--")
    axes[3].text(x[-1], config.kl_limit, f"δ = {config.kl_limit:g}", va="bottom", ha="right")
    if ratios is not None:
        _histogram(axes[0], ratios, config.rho_max)
    picture.supxlabel("training dialogues")
    return picture


def _histogram(axes, ratios: np.ndarray, rho_max: float) -> None:
    axes.hist(np.clip(ratios, 1e-3, 1e2), np.geomspace(1e-3, 1e2, 41), color=BLUE, alpha=0.7)
    for level, name in ((1.0, "1"), (rho_max, f"c = {rho_max:g}")):
        axes.axvline(level, color=RED, linestyle="--")
        axes.text(level * 1.1, 0.98 * axes.get_ylim()[1], name, va="top")
    axes.set(xscale="log", yscale="log")
    axes.set_title("importance weight ρ of all turns in the memory", fontsize="medium")
