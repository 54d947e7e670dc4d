"""Files that are whole or absent: text, tables as CSV, and arrays with a JSON header as .npz."""
import csv
import io
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

try:
    import fcntl
except ImportError:                                      # Windows: rows of two processes are not kept apart there
    fcntl = None

ABANDONED = 60.0                 # seconds without a write after which an unfinished file is taken for a dead process's


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A temporary path beside the target, which takes the target's place when the block succeeds.

    A link is followed, and what is no regular file, such as a device or a pipe, is written to directly.
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        yield path
        return
    path = path.resolve()
    for other in path.parent.glob(f".{path.name}.*.part"):
        if time.time() - other.stat().st_mtime > ABANDONED:
            other.unlink(missing_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        with open(temporary, "r+b") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        if error.filename == str(temporary):             # whose name nobody knows
            error.filename = str(path)
        raise
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
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        return dict(json.loads(str(arrays.pop("header")))), arrays
    except FileNotFoundError:
        raise ValueError(f"snapshot {path} does not exist") from None
    except Exception as error:                           # zipfile, zlib, NumPy and json have each their own for damage
        raise ValueError(f"snapshot {path} is damaged or not a snapshot: {error or type(error).__name__}") from error


@contextmanager
def alone_with(file) -> Iterator[None]:
    """No other process that asks for the same writes to the open file; a process that dies lets go."""
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
        file.flush()
        os.fsync(file.fileno())
    finally:
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_UN)


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
