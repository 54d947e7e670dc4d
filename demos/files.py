"""Files that are whole or absent: text, tables of numbers as CSV, and arrays with a JSON header as .npz."""
import csv
import io
import json
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError,      # what NumPy meets in a broken file,
          AttributeError, KeyError, TypeError, ValueError)                      # or in a whole one that is no snapshot


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A temporary path beside the target, which takes the target's place when the block succeeds."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        with open(temporary, "r+b") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: str | Path, content: str | bytes) -> None:
    """The old file or the new one, never a part of it."""
    with whole_file(path) as temporary:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)


def write_arrays(path: str | Path, header: dict, arrays: dict[str, np.ndarray]) -> None:
    """A snapshot: arrays and a JSON header in one .npz file, without pickle."""
    with whole_file(path) as temporary, open(temporary, "wb") as file:
        np.savez_compressed(file, header=np.array(json.dumps(header)), **arrays)


def read_arrays(path: str | Path) -> tuple[dict, dict[str, np.ndarray]]:
    """Header and arrays of a snapshot, all of them, or a ValueError."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        return dict(json.loads(str(arrays.pop("header")))), arrays
    except FileNotFoundError:
        raise ValueError(f"snapshot {path} does not exist") from None
    except DAMAGE as error:
        raise ValueError(f"snapshot {path} is damaged or not a snapshot: {error}") from error


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
