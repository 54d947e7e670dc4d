"""Prints how often each law rejects each wrong version; with --readme, also writes this folder's page.

    python -m tests.gallery [--readme]
"""
import sys
from pathlib import Path

from tests.gallery import matrix

if __name__ == "__main__":
    print(matrix.as_text())
    if "--readme" in sys.argv:
        (Path(__file__).parent / "README.md").write_text(matrix.as_page(), encoding="utf-8")
