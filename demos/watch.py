"""Watch a policy talk to a simulated user: the goal, every word, what was misheard, the belief and the choices.

    python -m demos.watch --error-rate 0.3 --seed 5
"""
import argparse
import textwrap
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from demos.agents import favourites
from demos.console import Parser, aligned, exit_code, number
from demos.files import write_whole
from demos.options import add_policy_options
from demos.runs import described, policy_of
from demos.style import BLUE, GREEN, GREY, RED, figure, png
from demos.training import TEST, TEST_KEY, play
from simulator import DialogueEnv
from simulator.transcript import describe_goal, result, tell

N_ACTIONS = 3                    # of each choice are shown
LABEL, WIDTH = 9, 110            # characters of a label, and of the text behind it in a picture
COLOURS = {"choice": GREEN, "system": BLUE, "heard": RED, "belief": GREY, "": "#999999"}
Lines = list[tuple[str, str]]    # label and text


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


def story(env: DialogueEnv, watched: Watched) -> Lines:
    """The last dialogue of the environment, with the thoughts behind it."""
    lines = [("goal", watched.goal)]
    for turn, thoughts in zip(env.log, [[], *watched.thoughts]):
        lines += [("", ""), *(("choice", thought) for thought in thoughts), *tell(turn, env.domain)]
    return [*lines, ("", ""), ("result", result(env)), ("", f"in the end: {describe_goal(env.user.goal)}")]


def labelled(lines: Lines) -> Iterator[tuple[str, str]]:
    """Label and whole line; the label is written only where it changes."""
    for (before, _), (label, text) in zip([("", ""), *lines], lines):
        yield label, f"{label if label != before else '':<{LABEL}}{text}".rstrip()


def picture(lines: Lines):
    """The text in colours, as a figure."""
    rows = [(label, part) for label, text in lines for part in textwrap.wrap(text, WIDTH) or [""]]
    width, height = max(len(line) for _, line in labelled(rows)) + 3, len(rows) + 2
    page = figure(0.08 * width, 0.19 * height)
    for i, (label, line) in enumerate(labelled(rows)):
        page.text(1.5 / width, 1 - (i + 1.5) / height, line, color=COLOURS.get(label, "black"), family="monospace",
                  fontsize=9, parse_math=False)
    return page


def watch(args: argparse.Namespace) -> None:
    """One dialogue with a user whom no training has met."""
    if args.text and args.png and args.text.resolve() == args.png.resolve():
        raise ValueError(f"--text and --png are both {args.text}, expected two files")
    run = policy_of(args)
    env, watched = run.env, Watched(run.agent, run.env)
    play(env, watched, [TEST_KEY, TEST, args.seed])
    lines = story(env, watched)
    text = "".join(f"{line}\n" for _, line in labelled(lines))
    print(f"{described(run)}, {100 * env.channel.error_rate:g} % error\n\n{text}", end="")
    if args.text:
        write_whole(args.text, text)
    if args.png:
        write_whole(args.png, png(picture(lines)))


def main(argv: list[str] | None = None) -> int:
    p = Parser(__doc__, prog="python -m demos.watch", usage="%(prog)s [FOLDER] [options]")
    add_policy_options(p)
    p.add_argument("--seed", type=number(int, 0, 2 ** 32 - 1), default=0, metavar="N",
                   help="Meet this user (%(default)s).")
    p.add_argument("--text", type=Path, metavar="FILE", help="Write the dialogue to FILE, too.")
    p.add_argument("--png", type=Path, metavar="FILE", help="Draw the dialogue, too.")
    return exit_code(p, argv, watch)


if __name__ == "__main__":
    raise SystemExit(main())
