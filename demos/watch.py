"""Watch a policy talk to a simulated user: the goal, every word, what was misheard, the belief and the choices.

    python -m demos.watch --error-rate 0.3 --seed 5
"""
import argparse

import numpy as np

from demos.agents import favourites
from demos.console import Parser, aligned, exit_code, number
from demos.options import add_policy_options
from demos.runs import described, policy_of
from demos.training import TEST, TEST_KEY, play
from simulator import DialogueEnv
from simulator.transcript import describe_goal, result, tell

N_ACTIONS = 3                    # of each choice are shown


class Watched:
    """An agent whose thoughts are written down whenever it chooses."""

    def __init__(self, agent, env: DialogueEnv):
        self.agent, self.env = agent, env
        self.goal, self.thoughts = "", []

    def act(self, belief: np.ndarray, mask: np.ndarray, mode: str = "greedy"):
        self.goal = self.goal or describe_goal(self.env.user.goal)       # as it is before the user changes it
        names, *rows = favourites(self.agent, self.env.system.actions, belief, mask, N_ACTIONS) or [()]
        rows = [(row[0], *map(" ".join, zip(names[1:], row[1:]))) for row in rows]
        self.thoughts.append(aligned(rows).splitlines())
        return self.agent.act(belief, mask, mode)


def story(env: DialogueEnv, watched: Watched) -> list[tuple[str, str]]:
    """The last dialogue of the environment, with the thoughts behind it: labels and texts."""
    lines = [("goal", watched.goal)]
    for turn, thoughts in zip(env.log, [[], *watched.thoughts]):
        lines += [("", ""), *zip(["choice", *[""] * N_ACTIONS], thoughts), *tell(turn, env.domain)]
    return [*lines, ("", ""), ("result", result(env)), ("", f"in the end: {describe_goal(env.user.goal)}")]


def watch(args: argparse.Namespace) -> None:
    """One dialogue with a user whom no training has met."""
    run = policy_of(args)
    env, watched = run.env, Watched(run.agent, run.env)
    play(env, watched, [TEST_KEY, TEST, args.seed])
    print(f"{described(run)}, {100 * env.channel.error_rate:g} % error\n")
    print(*(f"{label:<9}{text}".rstrip() for label, text in story(env, watched)), sep="\n")


def main(argv: list[str] | None = None) -> int:
    p = Parser(__doc__, prog="python -m demos.watch", usage="%(prog)s [FOLDER] [options]")
    add_policy_options(p)
    p.add_argument("--seed", type=number(int, 0, 2 ** 32 - 1), default=0, metavar="N",
                   help="Meet this user (%(default)s).")
    return exit_code(p, argv, watch)


if __name__ == "__main__":
    raise SystemExit(main())
