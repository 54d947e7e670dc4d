"""What ACER's training looks like from inside: the mean of each diagnostic since the last test, in words and lines."""
import numpy as np

from acer_np.gradients import importance_weights
from acer_np.replay import join
from demos.style import BLUE, GREY, RED, SKY, figure
from demos.training import Run

WATCHED = {"rho": "mean importance weight ρ", "truncated": "share of turns with ρ > c", "entropy": "entropy of π",
           "binding": "share of updates that δ binds", "kl_growth": "k·g before the limit δ",
           "critic_error": "critic: mean (Qret - Q)²"}


def remark(curve: list[dict]) -> str:
    """What is worth noticing in the last row of a run's curve, if anything."""
    last = curve[-1] if curve else {}
    errors = [row["critic_error"] for row in curve if "critic_error" in row]
    if errors and last["critic_error"] > 10 * min(errors) and last["critic_error"] > 1:
        return f"the critic is diverging: its squared error rose from {min(errors):.2g} to {last['critic_error']:.2g}"
    if last.get("entropy", 1.0) < 0.01:
        return f"the entropy of the policy fell to {last['entropy']:.1g}: it hardly explores any more"
    if last.get("binding", 0.0) > 0.95:
        return f"the trust region binds in {100 * last['binding']:.0f} % of the updates: kl_limit may be too small"
    return ""


def lines(axes, x: np.ndarray, values: np.ndarray, about: str) -> None:
    """Thin lines for the runs, (n_runs, n_tests) values, and a thick one for the last."""
    axes.plot(x, values[:-1].T, color=SKY, linewidth=0.7)
    axes.plot(x, values[-1], "o-", color=BLUE, markersize=4)
    axes.set(xlabel="training dialogues", title=about, ylim=(min(0, 1.1 * values.min()), None))


def panel(x: np.ndarray, scores: dict[str, np.ndarray], kl_limit: float, title: str):
    """A place that the caller fills, then five diagnostics, each (n_runs, n_tests)."""
    picture = figure(11, 5.5, title)
    _, *places = picture.subplots(2, 3).flat
    for axes, (name, about) in zip(places, list(WATCHED.items())[1:]):
        lines(axes, x, scores[name], about)
        if name == "kl_growth":
            axes.axhline(kl_limit, color="black", linestyle="--", label="δ")
            axes.legend(fontsize="small")
    return picture


def remembered_weights(agent) -> np.ndarray:
    """(n,) ρ of every turn in the memory of an agent, as its policy is now."""
    heads, batch = agent.heads, join(list(agent.replay.dialogues))
    policy = heads.policy(agent.network.forward(agent.learner.params, batch.beliefs).logits, batch.masks)
    mu = heads.behaviour(batch.mu, batch.payload_logits)
    return importance_weights(heads.pi_of(policy, batch.actions), heads.pi_of(mu, batch.actions))


def panel_of(run: Run):
    """The panel of a run of ACER, which begins with the importance weights in its memory."""
    c, ratios = run.agent.config.rho_max, remembered_weights(run.agent)
    rows = [row for row in run.curve if row["test"] == run.setting.tests[0] and row["dialogues"]]   # once it learned
    scores = {name: np.array([[row[name] for row in rows]]) for name in ("dialogues", *WATCHED)}
    picture = panel(scores["dialogues"][0], scores, run.agent.config.kl_limit, f"{run.setting.name}, seed {run.seed}")
    axes = picture.axes[0]
    axes.hist(np.clip(ratios, 1e-3, 1e2), np.geomspace(1e-3, 1e2, 41), color=SKY)
    axes.axvline(1, color=GREY, linestyle=":", linewidth=2, label="1: smaller ρ shorten the trace")
    axes.axvline(c, color=RED, linestyle="--", linewidth=2, label=f"c = {c:g}: larger ρ are truncated")
    axes.set(xscale="log", yscale="log", xlabel="importance weight ρ (outermost bars: or beyond)", ylabel="turns",
             title="how far the memory is from π", ylim=(0.7, 20 * len(ratios)))
    axes.legend(fontsize="small", loc="upper left")
    return picture
