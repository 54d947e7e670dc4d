"""Prints how often each law rejects each wrong version, and draws it.

    python -m tests.gallery [--out runs/gallery.png] [--readme]
"""
import argparse
from pathlib import Path

from tests.gallery import matrix


def main(argv=None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery",
                                     description="How often each law rejects each wrong version.")
    parser.add_argument("--out", type=Path, default=Path("runs/gallery.png"), help="the picture (runs/gallery.png)")
    parser.add_argument("--readme", action="store_true", help="also write this folder's table and picture")
    arguments = parser.parse_args(argv)
    print(matrix.as_text())
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    matrix.draw(arguments.out)
    if arguments.readme:
        here = Path(__file__).parent
        (here / "README.md").write_text(matrix.as_table(), encoding="utf-8")
        matrix.draw(here / "matrix.png")
    print(f"\ndrawn: {arguments.out}")


if __name__ == "__main__":
    main()
