"""Draw a picture for each idea into runs/tour/, and state the numbers it shows.

    python -m demos.tour
    python -m demos.tour ladder bias

ladder        Retrace: how far the final reward of a dialogue flows back
bias          bias and deviation of the estimates of Q, computed exactly
truncation    the truncated weight and its correction always sum to the policy
trust_region  the allowed step that is closest to the gradient
posterior     GP-SARSA beside the truth: two definitions, a payload kernel
belief        a noisy dialogue: heard, believed, allowed, chosen
update        one update of ACER, term by term
training      what training looks like from inside, run by run
"""
import argparse
import textwrap
from importlib import import_module
from pathlib import Path

from demos.console import Parser, exit_code
from demos.files import write_whole
from demos.style import png

IDEAS = ("ladder", "bias", "truncation", "trust_region", "posterior", "belief", "update", "training")


def tour(args: argparse.Namespace) -> None:
    """Draws and tells the ideas that are asked for, in the order of the list above unless another is given."""
    for name in IDEAS if "all" in args.ideas else args.ideas:
        words, picture = import_module(f"demos.tours.{name}").show()
        write_whole(args.out / f"{name}.png", png(picture))
        print(f"{name}: {args.out / name}.png", textwrap.fill(words, 80), "", sep="\n")


def main(argv: list[str] | None = None) -> int:
    p = Parser(prog="python -m demos.tour", description=__doc__)
    p.add_argument("ideas", nargs="*", default="all", choices=("all", *IDEAS), metavar="idea",
                   help="which of the ideas above to draw (%(default)s)")
    p.add_argument("--out", type=Path, default=Path("runs/tour"), metavar="FOLDER", help="for pictures (%(default)s)")
    return exit_code(p, argv, tour)


if __name__ == "__main__":
    raise SystemExit(main())
