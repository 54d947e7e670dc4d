"""One update of ACER on the small dialogue: π and Q before and after, and what each term of the gradient did."""
from dataclasses import replace

import numpy as np

from acer_np.acer import ACERConfig, acer_update
from acer_np.learner import Learner
from acer_np.heads import SummaryHeads
from acer_np.network import Network
from acer_np.replay import Batch, join
from demos.style import AMBER, BLUE, GREEN, GREY, RED, figure
from demos.tours.small_dialogue import ACTIONS, GAMMA, Dialogue, beliefs, careless, play
from demos.ablations import without_correction

NETS, MARKS = np.array([-3, -1, 0, 1, 3]), (("o", GREEN), ("s", BLUE), ("^", RED))
CONFIG = ACERConfig(dtype="float64", gamma=GAMMA, hidden=(16,), learning_rate=0.01, rho_max=1.5, kl_limit=1e-3)
UPDATES, DIALOGUES, MINIBATCH, VISIBLE = 60, 500, 64, 0.1        # the last is the learning rate of the update shown


def remembered(dialogue: Dialogue) -> Batch:
    """A dialogue of the careless behaviour as the memory keeps it."""
    (nets, actions, rewards), mu = dialogue, careless(dialogue.nets)
    return Batch(beliefs(nets), mu > 0, actions, rewards * CONFIG.reward_scale, mu, np.zeros((len(nets), 0)),
                 np.array([len(nets)]))


def learner(seed: int = 7) -> tuple[Network, Learner, Batch]:
    """A policy in the middle of its training, and the next minibatch."""
    rng, network = np.random.default_rng(seed), Network(2, SummaryHeads(3), CONFIG.hidden)
    memory = [remembered(play(rng, careless)) for _ in range(DIALOGUES)]
    batches = [join([memory[i] for i in rng.choice(DIALOGUES, MINIBATCH)]) for _ in range(UPDATES + 1)]
    now = Learner.start(network.initial(rng), network.n_policy)
    for batch in batches[:-1]:
        now, _ = acer_update(network, now, batch, CONFIG)
    return network, now, batches[-1]


def terms(network: Network, now: Learner, batch: Batch, config: ACERConfig) -> dict[str, np.ndarray]:
    """(n_policy,) four terms of the policy's gradient: each is what an update has with it and has not without it."""
    def direction(params, gradient, state, rate):
        return gradient, state                       # in the place of Adam: the parameters become the gradient itself
    limited = replace(config, entropy_weight=0.0)
    free = replace(limited, kl_limit=np.inf)
    updates = [acer_update(network, now, batch, free, step=direction, weights=without_correction),
               *(acer_update(network, now, batch, each, step=direction) for each in (free, limited, config))]
    sums = np.array([found.params[:network.n_policy] for found, _ in updates])
    names = ("truncated gradient", "correction", "trust region", "entropy")
    return dict(zip(names, np.diff(sums, axis=0, prepend=0.0)))


def shares(parts: dict[str, np.ndarray]) -> dict[str, float]:
    """How much each term contributes along the direction of their sum; the shares sum to 1."""
    whole = sum(parts.values())
    return {name: float(part @ whole / (whole @ whole)) for name, part in parts.items()}


def action_table(network: Network, params: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(5, 3) π and Q, in units of reward, at the beliefs that are shown."""
    now = network.forward(params, beliefs(NETS))
    return network.heads.policy(now.logits, None).pi, now.critic / CONFIG.reward_scale


def show():
    network, before, batch = learner()
    after, watched = acer_update(network, before, batch, replace(CONFIG, learning_rate=VISIBLE))
    parts = terms(network, before, batch, CONFIG)
    told = ", ".join(f"{name} {100 * share:+.0f} %" for name, share in shares(parts).items())
    pi, q = zip(action_table(network, before.params), action_table(network, after.params))
    return (f"The minibatch has {len(batch.actions)} turns; ρ exceeds c = {CONFIG.rho_max} in "
            f"{100 * watched.truncated:.0f} % of them. Before the trust region k·g is {watched.kl_growth:.4f}, where δ "
            f"= {CONFIG.kl_limit} is allowed. Shares of the policy's gradient: {told}. π moves by up to "
            f"{np.ptp(pi, axis=0).max():.2f}, Q by up to {np.ptp(q, axis=0).max():.1f}. The learning rate is "
            f"{VISIBLE}, so that changes are visible; Q overshoots.", draw(pi, q, parts))


def draw(pi: tuple, q: tuple, parts: dict[str, np.ndarray]):
    """Before and after at five beliefs; lengths and shares of the terms."""
    picture = figure(13, 4.4, f"One update of ACER on {MINIBATCH} dialogues, with "
                              f"{VISIBLE / CONFIG.learning_rate:g} times the usual learning rate: Q overshoots")
    left, middle, right = picture.subplots(1, 3, width_ratios=(4, 4, 3))
    for axes, (before, after), title in ((left, pi, "policy π"), (middle, q, "critic Q (black: truth of offers)")):
        for a, (mark, colour) in enumerate(MARKS):
            x = np.arange(len(NETS)) + 0.2 * (a - 1)
            axes.plot(x, before[:, a], mark, color="white", markeredgecolor=colour, label=f"{ACTIONS[a]}, before")
            axes.plot(x, after[:, a], mark, color=colour, label="after")
            axes.vlines(x, before[:, a], after[:, a], color=colour)
        axes.set(title=title, xlabel="belief: probability p of A")
        axes.set_xticks(range(len(NETS)), labels=[f"{p:.2f}" for p, _ in beliefs(NETS)])
    middle.plot(np.arange(len(NETS)) + [[0.0], [0.2]], 20 * beliefs(NETS).T - 1, "k_", markersize=10, zorder=1)
    middle.set_ylabel("units of reward")
    left.legend(ncols=3, fontsize="x-small", loc="upper center")
    left.set_ylim(0, 1.2)
    rows, found = np.arange(len(parts))[::-1], np.array(list(shares(parts).values()))
    lengths, whole = np.linalg.norm(list(parts.values()), axis=1), np.linalg.norm(sum(parts.values()))
    right.barh(rows + 0.2, lengths / whole, 0.36, color=GREY, label="length of the term")
    right.barh(rows - 0.2, found, 0.36, color=AMBER, edgecolor="black", label="part along the sum")
    right.set_yticks(rows, labels=[f"{name}\n{100 * share:+.0f} %" for name, share in zip(parts, found)])
    right.set(title="terms of the policy's gradient", xlabel="in lengths of their sum (100 %)")
    right.legend(fontsize="small", loc="lower right")
    return picture
