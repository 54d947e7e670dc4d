"""A picture for every idea, into runs/tour/, and two or three sentences on the numbers that it shows.

    python -m demos.tour
    python -m demos.tour ladder bias

ladder        Retrace: how far the final reward of one dialogue flows back
bias          bias and variance of the estimates of Q, exactly
truncation    truncation and correction: two parts that always sum to the policy
trust_region  the step nearest to the gradient among those that are allowed
posterior     GP-SARSA beside the truth, its two definitions, its payload kernel
belief        a noisy dialogue: heard, believed, allowed, chosen
update        one update of ACER, term by term
training      what training looks like from inside
"""
import argparse
import textwrap
from importlib import import_module
from pathlib import Path

from demos.console import Parser, exit_code
from demos.files import write_whole
from demos.style import png

IDEAS = ("ladder", "bias", "truncation", "trust_region", "posterior", "belief", "update", "training")


def idea(name: str) -> str:
    if name not in IDEAS:
        raise argparse.ArgumentTypeError(f"idea is {name!r}, expected one of {', '.join(IDEAS)}")
    return name


def tour(args: argparse.Namespace) -> None:
    """Draws and tells the ideas that are asked for, in the order of the list above unless another is given."""
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.ideas or IDEAS:
        options = {"curve": args.curve} if name == "training" else {}
        words, picture = import_module(f"demos.tours.{name}").show(**options)
        write_whole(args.out / f"{name}.png", png(picture))
        print(f"{name}: {args.out / name}.png", textwrap.fill(words, 100), "", sep="\n")


def main(argv: list[str] | None = None) -> int:
    p = Parser(prog="python -m demos.tour", description=__doc__)
    p.add_argument("ideas", nargs="*", type=idea, metavar="idea", help="one or several of those above (all)")
    p.add_argument("--out", type=Path, default=Path("runs/tour"), metavar="FOLDER", help="of pictures (%(default)s)")
    p.add_argument("--curve", type=Path, default=Path(__file__).parent / "results" / "acer-mask-none.csv",
                   metavar="FILE", help="the result of ACER to look into (15 seeds without the mask)")
    return exit_code(p, argv, tour)


if __name__ == "__main__":
    raise SystemExit(main())
