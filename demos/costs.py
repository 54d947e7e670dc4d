"""Measure what each learner costs on this machine in both action spaces.

    python -m demos.costs --dialogues 1000

All times are CPU times.
"""
import time
from collections.abc import Callable
from statistics import fmean

from demos.agents import make_agent, make_env
from demos.console import Parser, aligned, counted, exit_code, number
from demos.settings import TRAINABLE, Setting, with_overrides
from demos.training import TRAIN, play


def timed(call: Callable, seconds: list[float]) -> Callable:
    """The same, but it adds the time that each call takes."""
    def wrapped(*args):
        start = time.process_time()
        result = call(*args)
        seconds.append(time.process_time() - start)
        return result
    return wrapped


def cost(setting: Setting) -> tuple:
    """A row of times: all but acting and learning is the simulated dialogue's."""
    env, acting, learning = make_env(setting), [], []
    agent, start = make_agent(setting, env, seed=0), time.process_time()
    agent.act, agent.learn = timed(agent.act, acting), timed(agent.learn, learning)
    for i in counted(range(setting.dialogues), f"dialogues of {setting.name}"):
        play(env, agent, [0, TRAIN, i], "train")
    whole = time.process_time() - start
    times = fmean(acting), fmean(learning), (whole - sum(acting) - sum(learning)) / len(acting)
    return setting.agent, setting.space, len(acting), *(f"{1000 * each:.2f}" for each in times), f"{whole:.2f}"


def costs(n_dialogues: int) -> str:
    """Every learner in both action spaces; GP explores to the end, so that every turn needs the covariances."""
    rows = [("agent", "space", "turns", "to act, ms/turn", "to learn, ms/dialogue", "simulator, ms/turn", "all, s")]
    for space in ("summary", "master"):
        for agent in TRAINABLE:
            setting = Setting(agent=agent, space=space, dialogues=n_dialogues)
            rows.append(cost(with_overrides(setting, scale_end=3.0) if agent == "gp" else setting))
    return aligned(rows)


def main(argv: list[str] | None = None) -> int:
    p = Parser(__doc__, prog="python -m demos.costs", usage="%(prog)s [options]")
    p.add_argument("--dialogues", type=number(int, 1), default=1000, metavar="N",
                   help="Train each learner on N dialogues (%(default)s).")
    return exit_code(p, argv, lambda args: print(costs(args.dialogues)))


if __name__ == "__main__":
    raise SystemExit(main())
