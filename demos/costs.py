"""Measures on this machine what each learner costs in both action spaces, and the three forms of GP-SARSA.

    python -m demos.costs --dialogues 1000

All times are CPU times.
"""
import time
from collections import Counter

import numpy as np

from demos.agents import layout_of, make_agent, make_env
from demos.console import Parser, aligned, counted, exit_code, number
from demos.settings import TRAINABLE, Setting, with_overrides
from demos.training import play
from gp_sarsa import GPConfig, KernelPosterior, ProductKernel, WeightSpacePosterior, linear, returns_to_go

NOVELTY_THRESHOLD = 0.001             # of the sparse form


class Timed:
    """An agent whose calls are counted and timed, by the name of the method."""

    def __init__(self, agent):
        self.agent, self.seconds, self.calls = agent, Counter(), Counter()

    def __getattr__(self, name: str):
        def call(*args):
            start = time.process_time()
            result = getattr(self.agent, name)(*args)
            self.seconds[name] += time.process_time() - start
            self.calls[name] += 1
            return result
        return call


def train(setting: Setting) -> tuple[Timed, tuple]:
    """The agent after its training, and a row of times: all but acting and learning is the simulated dialogue's."""
    env = make_env(setting)
    agent, start = Timed(make_agent(setting, env, seed=0)), time.process_time()
    for i in counted(range(setting.dialogues), f"dialogues of {setting.name}"):
        play(env, agent, [0, 0, i], "train")
    whole, acting, learning = time.process_time() - start, agent.seconds["act"], agent.seconds["learn"]
    n_turns = agent.calls["act"]
    times = acting / n_turns, learning / setting.dialogues, (whole - acting - learning) / n_turns
    return agent, (setting.agent, setting.space, n_turns, *(f"{1000 * each:.2f}" for each in times), f"{whole:.2f}")


def learners(n_dialogues: int) -> str:
    """Every learner in both action spaces; GP explores to the end, so that every turn needs the covariances."""
    rows = [("agent", "space", "turns", "to act, ms/turn", "to learn, ms/dialogue", "simulator, ms/turn", "all, s")]
    for space in ("summary", "master"):
        for agent in TRAINABLE:
            setting = Setting(agent=agent, space=space, dialogues=n_dialogues)
            rows.append(train(with_overrides(setting, scale_end=3.0) if agent == "gp" else setting)[1])
    return aligned(rows)


def forms(n_dialogues: int) -> str:
    """The three forms of one posterior on the dialogues of an ACER that learns: a draw at every turn, and learning."""
    setting = with_overrides(Setting(dialogues=n_dialogues), capacity=n_dialogues, dtype="float64")
    env, memory = make_env(setting), train(setting)[0].agent.replay.dialogues
    config, layout, rng = GPConfig(), layout_of(setting, env), np.random.default_rng(0)
    kernel, rows = ProductKernel(linear, layout), [("form of GP", "dialogues", "half of them, s", "all, s")]
    for name, posterior in (("weight space", WeightSpacePosterior(env.n_belief, layout, config.noise_std)),
                            ("sparse", KernelPosterior(kernel, env.n_belief, config.noise_std, NOVELTY_THRESHOLD)),
                            ("exact", KernelPosterior(kernel, env.n_belief, config.noise_std))):
        times = [time.process_time()]
        for dialogue in counted(memory, f"dialogues of the {name} form"):
            for belief in dialogue.beliefs:
                posterior.sample(belief, 1.0, rng)
            posterior.update(dialogue.beliefs, dialogue.actions, returns_to_go(dialogue.rewards, config.gamma))
            times.append(time.process_time())
        rows.append((name, n_dialogues, *(f"{times[n] - times[0]:.2f}" for n in (n_dialogues // 2, n_dialogues))))
    return aligned(rows)


def main(argv: list[str] | None = None) -> int:
    p = Parser(__doc__, prog="python -m demos.costs", usage="%(prog)s [options]")
    p.add_argument("--dialogues", type=number(int, 1), default=1000, metavar="N",
                   help="Train each learner on N dialogues (%(default)s).")
    p.add_argument("--growth", type=number(int, 1), default=400, metavar="N",
                   help="Give the forms of GP-SARSA N dialogues (%(default)s).")
    return exit_code(p, argv, lambda args: print(learners(args.dialogues), forms(args.growth), sep="\n\n"))


if __name__ == "__main__":
    raise SystemExit(main())
