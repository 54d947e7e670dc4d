"""Measures on this machine what each learner costs in both action spaces, and the three forms of GP-SARSA.

    python -m demos.benchmark --dialogues 1000

All times are CPU times.
"""
import time

import numpy as np

from demos.agents import LEARNERS, Setting, make_agent, make_env, with_overrides
from demos.console import Parser, aligned, counted, exit_code, number
from demos.training import play
from gp_sarsa import KernelPosterior, WeightSpacePosterior
from gp_sarsa.kernels import ProductKernel, linear
from gp_sarsa.points import returns_to_go

NOVELTY_THRESHOLD = 0.001             # of the sparse form


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


def watch(setting: Setting) -> tuple[Watched, tuple]:
    """The agent after its training, and a row of times: all but acting and learning is the simulated dialogue's."""
    env = make_env(setting)
    watched, start = Watched(make_agent(setting, env, seed=0)), time.process_time()
    for i in counted(range(setting.dialogues), f"{setting.name}: dialogue"):
        play(env, watched, [0, 0, i], "train")
    whole, n_turns = time.process_time() - start, sum(len(actions) for _, actions, _ in watched.dialogues)
    times = (watched.acting / n_turns, watched.learning / setting.dialogues,
             (whole - watched.acting - watched.learning) / n_turns)
    return watched, (setting.agent, setting.space, n_turns, *(f"{1000 * seconds:.2f}" for seconds in times),
                     f"{whole:.2f}")


def learners(n_dialogues: int) -> str:
    """Every learner in both action spaces; GP explores to the end, so that every turn needs the covariances."""
    rows = [("agent", "space", "turns", "to act, ms/turn", "to learn, ms/dialogue", "simulator, ms/turn", "all, s")]
    for space in ("summary", "master"):
        for agent in LEARNERS:
            setting = Setting(agent=agent, space=space, dialogues=n_dialogues)
            rows.append(watch(with_overrides(setting, scale_end=3.0) if agent == "gp" else setting)[1])
    return aligned(rows)


def forms(n_dialogues: int) -> str:
    """The three forms of one posterior on the same dialogues: a draw at every turn, and learning."""
    watched, _ = watch(Setting(agent="gp", dialogues=n_dialogues))
    agent, rng = watched.agent, np.random.default_rng(0)
    rows = [("form of GP", "dialogues", "half of them, s", "all, s")]
    kernel, sizes = ProductKernel(linear, agent.layout), (agent.n_belief, agent.config.noise_std)
    for name, posterior in (("weight space", WeightSpacePosterior(sizes[0], agent.layout, sizes[1])),
                            ("sparse", KernelPosterior(kernel, *sizes, NOVELTY_THRESHOLD)),
                            ("exact", KernelPosterior(kernel, *sizes))):
        times = [time.process_time()]
        for beliefs, actions, rewards in counted(watched.dialogues, f"{name} form: dialogue"):
            for belief in beliefs:
                posterior.sample(belief, 1.0, rng)
            posterior.update(beliefs, actions, returns_to_go(rewards, agent.config.gamma))
            times.append(time.process_time())
        rows.append((name, n_dialogues, *(f"{times[n] - times[0]:.2f}" for n in (n_dialogues // 2, n_dialogues))))
    return aligned(rows)


def main(argv: list[str] | None = None) -> int:
    p = Parser(prog="python -m demos.benchmark", description=__doc__)
    p.add_argument("--dialogues", type=number(int, 1), default=1000, help="to train on (%(default)s)")
    p.add_argument("--growth", type=number(int, 1), default=400, help="for the forms of GP-SARSA (%(default)s)")
    args = p.parse_args(argv)
    return exit_code(p, lambda: print(learners(args.dialogues), forms(args.growth), sep="\n\n"))


if __name__ == "__main__":
    raise SystemExit(main())
