"""Files that are whole or absent, and tables of numbers as CSV."""
import csv
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A temporary path beside the target, which takes the target's place when the block succeeds."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: str | Path, content: str | bytes) -> None:
    """The old file or the new one, never a part of it."""
    with whole_file(path) as temporary:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)


def to_csv(rows: list[dict[str, float | str]]) -> str:
    """One line per row; numbers keep all their digits, and a row may lack columns that others have."""
    text = io.StringIO()
    writer = csv.DictWriter(text, dict.fromkeys(name for row in rows for name in row), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def from_csv(text: str) -> list[dict[str, str]]:
    """The inverse of to_csv, but for the types: every value is a string."""
    return [{name: value for name, value in row.items() if value != ""} for row in csv.DictReader(io.StringIO(text))]
