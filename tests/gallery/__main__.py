"""Prints how often each law rejects each wrong version.

    python -m tests.gallery [--readme]
"""
import argparse
from pathlib import Path

from tests.gallery import matrix


def main(argv=None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery",
                                     description="How often each law rejects each wrong version.")
    parser.add_argument("--readme", action="store_true", help="also write this folder's page")
    print(matrix.as_text())
    if parser.parse_args(argv).readme:
        (Path(__file__).parent / "README.md").write_text(matrix.as_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
