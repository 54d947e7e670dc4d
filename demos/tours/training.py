"""What training looks like from inside: importance weights, truncation, trust region, entropy and critic over time.

demos.train draws the same panel for its runs.
"""
import json
from pathlib import Path

import numpy as np

from acer_np.gradients import importance_weights
from acer_np.replay import join
from demos.files import from_csv
from demos.style import AMBER, BLUE, GREEN, GREY, RED, SKY, figure
from demos.training import Run, mean_of

SHOWN = {"rho": ("mean importance weight ρ", GREEN), "truncated": ("share of turns truncated, ρ > c", RED),
         "binding": ("trust region binds: share of updates", BLUE),
         "kl_growth": ("k·g before the trust region; dashes: δ", BLUE), "entropy": ("entropy of the policy π", AMBER),
         "critic_error": ("squared error of the critic (scaled reward)", GREY)}
Rows = list[dict[str, float]]


def read_curve(path: Path) -> tuple[Rows, float]:
    """A saved result, each row the mean over its seeds, and the limit δ that its first line tells."""
    try:
        header, _, body = path.read_text().partition("\n")
        rows, limit = {}, float(json.loads(header.removeprefix("# "))["config"]["kl_limit"])
        for row in from_csv(body):
            if row["test"] == "greedy":                      # the diagnostics stand once per test, not once per mode
                rows.setdefault(int(row["dialogues"]), []).append({name: float(row[name]) for name in SHOWN})
    except (ValueError, LookupError) as error:
        raise ValueError(f"curve is {path}, expected a result of ACER: {error}") from error
    return [{"dialogues": n, **mean_of(several)} for n, several in rows.items()], limit


def remembered_weights(agent) -> np.ndarray:
    """(n,) ρ of every turn in the memory of an agent, as its policy is now."""
    heads, batch = agent.heads, join(list(agent.replay.dialogues))
    policy = heads.policy(agent.network.forward(agent.learner.params, batch.beliefs).logits, batch.masks)
    mu = heads.behaviour(batch.mu, batch.payload_logits)
    return importance_weights(heads.pi_of(policy, batch.actions), heads.pi_of(mu, batch.actions))


def show(curve: Path):
    """Of a saved result."""
    rows, limit = read_curve(curve)
    first, last, title = rows[0], rows[-1], f"{curve.stem}, mean over its seeds"
    return (f"{title}. The trust region bound in {100 * first['binding']:.0f} % of the first updates and "
            f"{100 * last['binding']:.0f} % of the last, after {last['dialogues']} dialogues; the entropy went from "
            f"{first['entropy']:.2f} to {last['entropy']:.2f}. Worth noticing: {remark(rows) or 'nothing unusual'}.",
            panel(rows, limit, title))


def remark(curve: list[dict]) -> str:
    """What is worth noticing in the diagnostics since the last test but one, if anything."""
    last = curve[-1] if curve else {}
    errors = [row["critic_error"] for row in curve if "critic_error" in row]
    if errors and last["critic_error"] > 10 * min(errors) and last["critic_error"] > 1:
        return f"the critic is diverging: its squared error is {last['critic_error']:.2g}, it was {min(errors):.2g}"
    if last.get("entropy", 1.0) < 0.01:
        return f"the entropy of the policy is gone ({last['entropy']:.1g}): it hardly explores any more"
    if last.get("binding", 0.0) > 0.95:
        return f"the trust region binds in {100 * last['binding']:.0f} % of the updates: perhaps kl_limit is too small"
    return ""


def panel(rows: Rows, kl_limit: float, title: str = ""):
    """The diagnostics of a learning curve over its dialogues."""
    picture = figure(12, 6.5, title)
    for axes, (name, (about, colour)) in zip(picture.subplots(2, 3).flat, SHOWN.items()):
        values = [row[name] for row in rows]
        axes.plot([row["dialogues"] for row in rows], values, "o-", color=colour, markersize=4)
        axes.set(xlabel="training dialogues", title=about, ylim=(min(0, 1.1 * min(values)), None))
        if name == "kl_growth":
            axes.axhline(kl_limit, color="black", linestyle="--")
    return picture


def panel_of(run: Run):
    """The panel of a run of ACER, where the weights in its memory take the place of their mean."""
    c, ratios = run.agent.config.rho_max, remembered_weights(run.agent)
    rows = [row for row in run.curve if row["test"] == run.setting.tests[0] and row["dialogues"]]   # once it learned
    picture = panel(rows, run.agent.config.kl_limit)
    axes = picture.axes[0]
    axes.clear()
    axes.hist(np.clip(ratios, 1e-3, 1e2), np.geomspace(1e-3, 1e2, 41), color=SKY)
    axes.axvline(1, color=BLUE, linestyle=":", linewidth=2, label="1: below it ρ shortens the trace")
    axes.axvline(c, color=RED, linestyle="--", linewidth=2, label=f"c = {c:g}: truncated above")
    axes.set(xscale="log", yscale="log", xlabel="importance weight ρ (outermost bars: or beyond)", ylabel="turns",
             title="how far the memory is from the policy", ylim=(0.7, 20 * len(ratios)))
    axes.legend(fontsize="small", loc="upper left")
    return picture
