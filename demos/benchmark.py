"""Measures the hot loops on this machine: how long one update takes, beside the arithmetic that it cannot avoid.

    python -m demos.benchmark acer
"""
import time
from collections.abc import Callable

import numpy as np

from acer_np.batch import Batch
from acer_np.behaviour import first_actions
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.network import Network
from acer_np.update import Learner, UpdateConfig, acer_update
from demos import benchmark_gp
from demos.console import Parser, exit_code, number

N_BELIEF, BELIEF_ENTRIES = 268, 16    # the paper's belief, and how many entries of it are non-zero without noise
SPACES = {"summary": SummaryHeads(15), "master": MasterHeads(4, 8, 11, "slots"),
          "payloads": MasterHeads(4, 8, 11, "payloads")}       # the paper's master heads, one output per payload


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
    """A minibatch as a replay memory holds it halfway: every ε from 0.95 down to 0, random allowed actions."""
    lengths = rng.integers(1, longest + 1, n_dialogues)
    n, sizes = lengths.sum(), network.heads.sizes
    scores = rng.random((n, len(sizes)))
    masks = scores < rng.uniform(0.4, 1, (n, 1))
    masks[np.arange(n), scores.argmin(axis=1)] = True

    def allowed_actions() -> np.ndarray:
        summary = np.where(masks, rng.random(masks.shape), -1).argmax(axis=1)
        return first_actions(sizes)[summary] + rng.integers(sizes[summary])

    beliefs = np.zeros((n, network.n_belief), network.dtype)
    np.put_along_axis(beliefs, rng.integers(network.n_belief, size=(n, BELIEF_ENTRIES)), 1.0, axis=1)
    rewards = np.full(n, -0.05)
    rewards[np.cumsum(lengths) - 1] += rng.integers(2, size=n_dialogues)
    return Batch(beliefs, masks, allowed_actions(), rewards.astype(network.dtype),
                 rng.uniform(0, 0.95, n).astype(network.dtype), allowed_actions(),
                 rng.normal(size=(n, network.heads.width - len(sizes))).astype(network.dtype), lengths)


def bare_products(network: Network, params: np.ndarray, beliefs: np.ndarray) -> Callable[[], None]:
    """The matrix products of one update and nothing else: two forward passes, three backward, one with a critic.

    They include the zeros of the beliefs, which the update leaves out.
    """
    p = network.views(params)
    w1, w2, w_policy, w_critic = p["W1"], p["W2"], p["W_policy"], p["W_critic"]
    h1, h2 = beliefs @ w1, beliefs @ w1 @ w2
    d_out = np.ascontiguousarray(h2 @ w_policy)

    def products() -> None:
        for _ in range(2):
            beliefs @ w1, h1 @ w2, h2 @ w_policy
        h2 @ w_critic, h2.T @ d_out, d_out @ w_critic.T
        for _ in range(3):
            h2.T @ d_out, d_out @ w_policy.T, h1.T @ h2, h2 @ w2.T, beliefs.T @ h1

    return products


def acer(repeats: int) -> None:
    """One full ACER update in both action spaces and precisions."""
    print("one ACER update on 64 dialogues, beside its bare matrix products; CPU milliseconds, median")
    print("space    precision  turns  update  products  ratio")
    times = {}
    for space, heads in SPACES.items():
        for dtype in (np.float32, np.float64):
            rng = np.random.default_rng(0)
            network = Network(N_BELIEF, heads, dtype=dtype)
            batch, learner = random_dialogues(network, rng), Learner.start(network, network.initial(rng, "he", "he"))
            learner, _ = acer_update(network, learner, batch, UpdateConfig())
            update, products = median_ms(repeats, lambda: acer_update(network, learner, batch, UpdateConfig()),
                                         bare_products(network, learner.params, batch.beliefs))
            times[space, dtype] = update
            print(f"{space:8} {dtype.__name__:10} {len(batch.beliefs):5} {update:7.2f} {products:9.2f} "
                  f"{update / products:6.2f}")
    for dtype in (np.float32, np.float64):
        print(f"master / summary, {dtype.__name__}: {times['master', dtype] / times['summary', dtype]:.2f}")


def main(argv: list[str] | None = None) -> int:
    p = Parser(prog="python -m demos.benchmark", description=__doc__)
    p.add_argument("section", nargs="?", choices=["acer", "gp", "all"], default="all",
                   help="what to measure (%(default)s); demos.benchmark_gp has more options for gp")
    p.add_argument("--repeats", type=number(int, 1), default=100, help="calls per measurement of acer (%(default)s)")
    args = p.parse_args(argv)
    if args.section != "gp":
        exit_code(p, lambda: acer(args.repeats))
    return benchmark_gp.main([]) if args.section != "acer" else 0


if __name__ == "__main__":
    raise SystemExit(main())
