"""What exact GP-SARSA costs: a stream of dialogues in both action spaces, and the growth of its three forms.

    python -m demos.benchmark_gp

The stream is a training run. Only the learner is timed, in CPU seconds: a draw of Q for all actions at every turn and
the update after every dialogue. The numbers are saved as JSON.
"""
import argparse
import json
import time
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from demos.console import Parser, counted, exit_code, number
from demos.figures import png
from demos.files import write_whole
from gp_sarsa import (ActionLayout, GPAgent, GPConfig, KernelPosterior, ProductKernel, WeightSpacePosterior, linear,
                      returns_to_go)
from simulator.actions import INFORMS
from simulator.env import DialogueEnv

GAMMA, NOISE_STD, NOVELTY_THRESHOLD = 0.99, 5.0, 0.001
COLOURS = {"exact": "#D55E00", "sparse": "#009E73", "weight space": "#0072B2"}


def make_agent(env: DialogueEnv, space: str, seed: int) -> GPAgent:
    """One that explores to the end, so that every turn needs the covariances."""
    n_slots = len(env.domain.payload_slots) if space == "master" else 0
    layout = ActionLayout(len(INFORMS), n_slots, len(env.system.actions.summary) - len(INFORMS))
    return GPAgent(env.n_belief, layout, GPConfig(scale_end=3.0), seed)


def train(env: DialogueEnv, agent: GPAgent, n_dialogues: int) -> tuple[list[tuple], np.ndarray]:
    """The dialogues, each as (T, D) beliefs, (T,) actions and (T,) rewards, and CPU seconds to act and to learn."""
    dialogues, seconds, cpu = [], np.zeros(2), time.process_time
    for _ in counted(range(n_dialogues), f"{env.n_actions} actions: dialogue"):
        (belief, info), done, turns = env.reset(), False, []
        while not done:
            start = cpu()
            action = agent.act(belief, info["action_mask"])
            seconds[0] += cpu() - start
            turns.append((belief, action))
            belief, reward, terminated, truncated, info = env.step(action)
            turns[-1] += (reward,)
            done = terminated or truncated
            agent.observe(reward, done)
        start = cpu()
        agent.learn()
        seconds[1] += cpu() - start
        dialogues.append(tuple(np.array(column) for column in zip(*turns)))
    return dialogues, seconds


def forms(n_belief: int, layout: ActionLayout) -> dict[str, WeightSpacePosterior | KernelPosterior]:
    """The same posterior three times."""
    kernel = ProductKernel(linear, layout)
    return {"weight space": WeightSpacePosterior(n_belief, layout, NOISE_STD),
            "sparse": KernelPosterior(kernel, n_belief, NOISE_STD, NOVELTY_THRESHOLD),
            "exact": KernelPosterior(kernel, n_belief, NOISE_STD)}


def time_form(name: str, posterior: WeightSpacePosterior | KernelPosterior, dialogues: list[tuple]) -> list[float]:
    """CPU seconds spent up to the end of each dialogue, on a draw of Q at every turn and on learning from it."""
    seconds, rng = [], np.random.default_rng(0)
    for beliefs, actions, rewards in counted(dialogues, f"{name} form: dialogue"):
        start = time.process_time()
        for belief in beliefs:
            posterior.sample(belief, 1.0, rng)
        posterior.update(beliefs, actions, returns_to_go(rewards, GAMMA))
        seconds.append(time.process_time() - start)
    return np.cumsum(seconds).tolist()


def measure(n_stream: int, n_growth: int, seed: int) -> dict:
    """All numbers that are printed and drawn."""
    result = {"stream": {}, "growth": {}}
    for space in ("summary", "master"):
        env = DialogueEnv(action_space=space, seed=seed)
        agent = make_agent(env, space, seed)
        dialogues, (acting, learning) = train(env, agent, n_stream)
        result["stream"][space] = {"dialogues": n_stream, "turns": sum(len(actions) for _, actions, _ in dialogues),
                                   "acting": acting, "learning": learning}
        if space == "summary":
            result["growth"] = {name: time_form(name, posterior, dialogues[:n_growth])
                                for name, posterior in forms(env.n_belief, agent.layout).items()}
    return result


def draw(result: dict) -> Figure:
    """CPU seconds so far against dialogues, one line per form."""
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    for name, seconds in result["growth"].items():
        axes.loglog(np.arange(1, len(seconds) + 1), seconds, color=COLOURS[name], label=name)
    axes.set(xlabel="dialogues", ylabel="CPU seconds so far", title="GP-SARSA, all summary actions at every turn")
    axes.legend()
    return figure


def benchmark(args: argparse.Namespace) -> None:
    """Measures, saves, prints and draws."""
    args.out.mkdir(parents=True, exist_ok=True)
    result = measure(args.dialogues, args.growth, args.seed)
    write_whole(args.out / "gp.json", json.dumps(result, indent=1))
    for space, row in result["stream"].items():
        print(f"{space:8}{row['dialogues']} dialogues, {row['turns']} turns: {row['acting'] + row['learning']:.1f} "
              f"CPU-seconds, {row['acting']:.1f} to act and {row['learning']:.1f} to learn")
    for name, seconds in result["growth"].items():
        print(f"{name:13}{seconds[-1]:7.1f} CPU-seconds for {len(seconds)} dialogues, "
              f"{seconds[-1] - seconds[(len(seconds) - 1) // 2]:.1f} of them for the second half")
    write_whole(args.out / "gp_growth.png", png(draw(result)))
    print(f"wrote {args.out}/gp.json and gp_growth.png")


def main(argv: list[str] | None = None) -> int:
    p = Parser(prog="python -m demos.benchmark_gp", description=__doc__)
    p.add_argument("--dialogues", type=number(int, 1), default=4000, help="of the stream (%(default)s)")
    p.add_argument("--growth", type=number(int, 1), default=600, help="of it for all forms (%(default)s)")
    p.add_argument("--out", type=Path, default=Path("runs/benchmark_gp"), help="folder (%(default)s)")
    p.add_argument("--seed", type=number(int, 0), default=0, help="of the dialogues (%(default)s)")
    args = p.parse_args(argv)
    return exit_code(p, lambda: benchmark(args))


if __name__ == "__main__":
    raise SystemExit(main())
