"""One update of ACER on the small dialogue: π and Q before and after, and what each term of the gradient did."""
from dataclasses import replace

import numpy as np

from acer_np.acer import ACERConfig, acer_update
from acer_np.adam import AdamState, Learner
from acer_np.heads import SummaryHeads
from acer_np.network import Network
from acer_np.replay import Batch, join
from demos.tours.small_dialogue import ACTIONS, GAMMA, Dialogue, beliefs, careless, play
from demos.tours.style import AMBER, BLUE, GREEN, GREY, RED, figure
from demos.variants import without_correction

NETS = np.array([-3, -1, 0, 1, 3])
CONFIG = ACERConfig(dtype="float64", gamma=GAMMA, hidden=(16,), horizon=2000, learning_rate=0.01, rho_max=1.5, kl_limit=1e-3)
UPDATES, DIALOGUES, MINIBATCH = 60, 500, 64
VISIBLE = 0.1                                       # the learning rate of the update that is shown
MARKS = (("o", GREEN), ("s", BLUE), ("^", RED))


def remembered(dialogue: Dialogue) -> Batch:
    """A dialogue of the careless behaviour as the memory keeps it."""
    n, mu = len(dialogue.actions), careless(dialogue.nets)
    return Batch(beliefs(dialogue.nets), mu > 0, dialogue.actions, dialogue.rewards * CONFIG.reward_scale, mu,
                 np.zeros((n, 0)), np.array([n]))


def learner(seed: int = 0) -> tuple[Network, Learner, Batch]:
    """A policy in the middle of its training, and the next minibatch."""
    rng, network = np.random.default_rng(seed), Network(2, SummaryHeads(3), CONFIG.hidden)
    memory = [remembered(play(rng, careless)) for _ in range(DIALOGUES)]
    now = Learner.start(network.initial(rng), network.n_policy)
    for _ in range(UPDATES):
        now, _ = acer_update(network, now, join([memory[i] for i in rng.choice(DIALOGUES, MINIBATCH)]), CONFIG)
    return network, now, join([memory[i] for i in rng.choice(DIALOGUES, MINIBATCH)])


def direction(network: Network, now: Learner, batch: Batch, config: ACERConfig, **parts) -> np.ndarray:
    """(n_policy,) what an update hands to Adam for the policy's parameters."""
    found, _ = acer_update(network, now, batch, config, step=lambda params, d, state, rate: (d, state), **parts)
    return found.params[:network.n_policy]


def terms(network: Network, now: Learner, batch: Batch, config: ACERConfig) -> dict[str, np.ndarray]:
    """The direction as a sum of four: each is what changes when the update is made with it and without it."""
    plain = replace(config, entropy_weight=0.0, kl_limit=np.inf)
    truncated = direction(network, now, batch, plain, weights=without_correction)
    corrected = direction(network, now, batch, plain)
    projected = direction(network, now, batch, replace(plain, kl_limit=config.kl_limit))
    whole = direction(network, now, batch, config)
    return {"truncated gradient": truncated, "correction": corrected - truncated,
            "trust region": projected - corrected, "entropy": whole - projected}


def shares(parts: dict[str, np.ndarray]) -> dict[str, float]:
    """How much of the whole step is along each term's way; they sum to 1."""
    whole = sum(parts.values())
    return {name: float(part @ whole / (whole @ whole)) for name, part in parts.items()}


def opinions(network: Network, params: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(5, 3) π and Q, in units of reward, at the beliefs that are shown."""
    now = network.forward(params, beliefs(NETS))
    return network.heads.policy(now.logits, np.ones((len(NETS), 3), bool)).pi, now.critic / CONFIG.reward_scale


def show():
    network, before, batch = learner()
    after, watched = acer_update(network, before, batch, replace(CONFIG, learning_rate=VISIBLE))
    (pi, q), (new_pi, new_q) = (opinions(network, each.params) for each in (before, after))
    parts = terms(network, before, batch, CONFIG)
    found = shares(parts)
    return (f"{len(batch.actions)} turns of {MINIBATCH} dialogues, {100 * watched.truncated:.0f} % of them truncated at "
            f"c = {CONFIG.rho_max}; k·g = {watched.kl_growth:.4f} where δ = {CONFIG.kl_limit} is allowed. Along the step: "
            + ", ".join(f"{name} {100 * share:+.0f} %" for name, share in found.items())
            + f". π moves by at most {np.abs(new_pi - pi).max():.3f} and Q by {np.abs(new_q - q).max():.1f} "
            f"(with a learning rate of {VISIBLE}, large enough for the eye).",
            draw((pi, new_pi), (q, new_q), parts, found))


def draw(pi: tuple, q: tuple, parts: dict[str, np.ndarray], found: dict[str, float]):
    """Before and after at five beliefs; lengths and shares of the terms."""
    picture = figure(13, 4.5)
    picture.suptitle(f"One update of ACER on {MINIBATCH} dialogues in which the user wants A or B")
    left, middle, right = picture.subplots(1, 3, width_ratios=(4, 4, 3))
    for axes, (before, after), title in ((left, pi, "policy π"), (middle, q, "critic Q, in units of reward")):
        for a, (mark, colour) in enumerate(MARKS):
            x = np.arange(len(NETS)) + 0.2 * (a - 1)
            axes.plot(x, before[:, a], mark, color="white", markeredgecolor=colour, label=f"{ACTIONS[a]}, before")
            axes.plot(x, after[:, a], mark, color=colour, label="after")
            axes.vlines(x, before[:, a], after[:, a], color=colour)
        axes.set(title=title, xticks=range(len(NETS)), xticklabels=[f"{p:.2f}" for p, _ in beliefs(NETS)],
                 xlabel="belief: probability p of A")
    left.legend(ncols=3, fontsize="x-small", loc="upper center")
    left.set_ylim(0, 1.2)
    rows = np.arange(len(parts))[::-1]
    right.barh(rows + 0.2, [np.linalg.norm(part) for part in parts.values()], 0.36, color=GREY, label="length of the term")
    whole = np.linalg.norm(sum(parts.values()))
    right.barh(rows - 0.2, [whole * share for share in found.values()], 0.36, color=AMBER, edgecolor="black",
               label="its share along the step")
    for row, share in zip(rows, found.values()):
        right.text(max(whole * share, 0), row - 0.2, f" {100 * share:+.0f} %", va="center", fontsize="small")
    right.set(yticks=rows, yticklabels=list(parts), title="the policy's gradient, term by term",
              xlabel="length, over the parameters of the policy")
    right.legend(fontsize="small", loc="lower right")
    return picture
