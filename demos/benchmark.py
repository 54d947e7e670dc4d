"""Measures the hot loops on this machine, in CPU time: an update of ACER and exact GP-SARSA over many dialogues.

    python -m demos.benchmark acer
"""
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from acer_np import ACERConfig, MasterHeads, SummaryHeads
from acer_np.acer import acer_update
from acer_np.adam import Learner
from acer_np.network import Network
from acer_np.replay import Batch
from demos.agents import Setting, make_agent, make_env, with_overrides
from demos.console import Parser, aligned, counted, exit_code, number
from demos.training import play
from gp_sarsa import KernelPosterior, WeightSpacePosterior
from gp_sarsa.kernels import ProductKernel, linear
from gp_sarsa.points import returns_to_go

N_BELIEF, BELIEF_ENTRIES = 268, 16    # the paper's belief, and how many entries of it are non-zero without noise
SPACES = {"summary": SummaryHeads(15), "master": MasterHeads(4, 8, 11, "slots"),
          "payloads": MasterHeads(4, 8, 11, "payloads")}       # the paper's master heads, one output per payload
NOVELTY_THRESHOLD = 0.001             # of the sparse form
EXPLORING = with_overrides(Setting(agent="gp"), scale_end=3.0)     # so that every turn needs the covariances


def median_ms(repeats: int, *works: Callable[[], object]) -> list[float]:
    """Median CPU time of each call, in turn, so that whatever else the machine does strikes all of them alike."""
    times = np.zeros((repeats + 1, len(works)))
    for row in times:
        for i, work in enumerate(works):
            start = time.process_time()
            work()
            row[i] = time.process_time() - start
    return [1e3 * float(median) for median in np.median(times[1:], axis=0)]    # the first round warms up


def random_dialogues(network: Network, rng: np.random.Generator, n_dialogues: int = 64, longest: int = 11) -> Batch:
    """A minibatch of dialogues whose actions were drawn uniformly from what some mask allowed."""
    heads, lengths = network.heads, rng.integers(1, longest + 1, n_dialogues)
    n, dtype = lengths.sum(), network.dtype
    scores = rng.random((n, heads.n_summary))
    masks = scores <= np.maximum(scores.min(axis=1, keepdims=True), rng.uniform(0.4, 1, (n, 1)))
    mu = (masks / masks.sum(axis=1, keepdims=True)).astype(dtype)
    payload_logits = rng.normal(size=(n, heads.width - heads.n_summary)).astype(dtype)
    actions = heads.draw(heads.behaviour(mu, payload_logits), rng)
    beliefs = np.zeros((n, network.n_belief), dtype)
    np.put_along_axis(beliefs, rng.integers(network.n_belief, size=(n, BELIEF_ENTRIES)), 1.0, axis=1)
    rewards = np.full(n, -0.05, dtype)
    rewards[np.cumsum(lengths) - 1] += rng.integers(2, size=n_dialogues)
    return Batch(beliefs, masks, actions, rewards, mu, payload_logits, lengths)


def bare_products(network: Network, params: np.ndarray, beliefs: np.ndarray) -> Callable[[], None]:
    """The matrix products of one update and nothing else: policy, average policy and critic forward, and four times
    back, three of them through the policy's body. They include the zeros of the beliefs, which the update leaves out.
    """
    p = network.views(params)
    bodies = [[p[f"W{body}1"], p[f"W{body}2"], p[f"W{head}"]] for body, head in (("", "_policy"), ("_critic", "_critic"))]

    def products() -> None:
        for weights, forward, backward in zip(bodies, (2, 1), (3, 1)):
            for _ in range(forward):
                layers = [beliefs]
                for w in weights:
                    layers.append(layers[-1] @ w)
            for _ in range(backward):
                upstream = layers[-1]
                for w, layer in reversed(list(zip(weights, layers))):
                    layer.T @ upstream
                    upstream = upstream @ w.T

    return products


def acer(repeats: int) -> str:
    """One full ACER update in all action spaces and precisions."""
    rows = [("space, precision", "turns", "update", "products", "ratio")]
    for space, heads in SPACES.items():
        for dtype in (np.float32, np.float64):
            rng, config = np.random.default_rng(0), ACERConfig()
            network = Network(N_BELIEF, heads, dtype=dtype)
            batch, params = random_dialogues(network, rng), network.initial(rng)
            learner, _ = acer_update(network, Learner.start(params, network.n_policy), batch, config)
            update, products = median_ms(repeats, lambda: acer_update(network, learner, batch, config),
                                         bare_products(network, params, batch.beliefs))
            rows.append((f"{space}, {dtype.__name__}", len(batch.beliefs), f"{update:.2f}", f"{products:.2f}",
                         f"{update / products:.2f}"))
    return f"one ACER update on 64 dialogues, CPU milliseconds\n{aligned(rows)}"


class Watched:
    """An agent whose time is taken and whose dialogues are kept, each as beliefs, actions and rewards."""

    def __init__(self, agent):
        self.agent, self.acting, self.learning, self.dialogues, self.turns = agent, 0.0, 0.0, [], []

    def act(self, belief: np.ndarray, mask: np.ndarray, mode: str) -> int:
        start = time.process_time()
        action = self.agent.act(belief, mask, mode)
        self.acting += time.process_time() - start
        self.turns.append([belief, action])
        return action

    def observe(self, reward: float, done: bool) -> None:
        self.agent.observe(reward, done)
        self.turns[-1].append(reward)

    def learn(self) -> None:
        start = time.process_time()
        self.agent.learn()
        self.learning += time.process_time() - start
        self.dialogues.append([np.array(column) for column in zip(*self.turns)])
        self.turns = []


def gp(n_dialogues: int, n_growth: int) -> str:
    """A training run in both spaces, and the three forms of the same posterior on the beginning of the first."""
    rows, forms = [("space", "dialogues", "turns", "to act", "to learn")], [("form", "dialogues", "half", "all")]
    for space in ("master", "summary"):
        setting = replace(EXPLORING, space=space)
        env = make_env(setting)
        watched = Watched(make_agent(setting, env, seed=0))
        for i in counted(range(n_dialogues), f"{env.n_actions} actions: dialogue"):
            play(env, watched, [0, 0, i], "train")
        turns = sum(len(actions) for _, actions, _ in watched.dialogues)
        rows.append((space, n_dialogues, turns, f"{watched.acting:.2f}", f"{watched.learning:.2f}"))
    agent, kernel = watched.agent, ProductKernel(linear, watched.agent.layout)
    noise = agent.config.noise_std
    for name, posterior in (("weight space", WeightSpacePosterior(env.n_belief, agent.layout, noise)),
                            ("sparse", KernelPosterior(kernel, env.n_belief, noise, NOVELTY_THRESHOLD)),
                            ("exact", KernelPosterior(kernel, env.n_belief, noise))):
        seconds = time_form(name, posterior, watched.dialogues[:n_growth], agent.config.gamma)
        forms.append((name, len(seconds), f"{seconds[(len(seconds) - 1) // 2]:.2f}", f"{seconds[-1]:.2f}"))
    return (f"exact GP-SARSA in weight space, CPU seconds\n{aligned(rows)}\n\n"
            f"its three forms in the summary space, CPU seconds so far\n{aligned(forms)}")


def time_form(name: str, posterior, dialogues: list, gamma: float) -> np.ndarray:
    """CPU seconds up to the end of each dialogue, for a draw of Q at every turn and for learning from it."""
    seconds, rng = [], np.random.default_rng(0)
    for beliefs, actions, rewards in counted(dialogues, f"{name} form: dialogue"):
        start = time.process_time()
        for belief in beliefs:
            posterior.sample(belief, 1.0, rng)
        posterior.update(beliefs, actions, returns_to_go(rewards, gamma))
        seconds.append(time.process_time() - start)
    return np.cumsum(seconds)


def main(argv: list[str] | None = None) -> int:
    p = Parser(prog="python -m demos.benchmark", description=__doc__)
    p.add_argument("section", nargs="?", choices=["acer", "gp", "all"], default="all", help="(%(default)s)")
    p.add_argument("--repeats", type=number(int, 1), default=100, help="calls per measurement of acer (%(default)s)")
    p.add_argument("--dialogues", type=number(int, 1), default=4000, help="of gp (%(default)s)")
    p.add_argument("--growth", type=number(int, 1), default=600, help="of them for all forms (%(default)s)")
    args = p.parse_args(argv)

    def work() -> None:
        if args.section != "gp":
            print(acer(args.repeats))
        if args.section != "acer":
            print(gp(args.dialogues, args.growth))

    return exit_code(p, work)


if __name__ == "__main__":
    raise SystemExit(main())
