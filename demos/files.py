"""Files that are whole or absent: text, arrays with a JSON header, and lines that several processes add."""
import csv
import io
import json
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np

try:
    import fcntl
except ImportError:                                      # Windows: lines of two processes are not kept apart there
    fcntl = None


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """An open file that replaces the target, with its mode, when the block succeeds; an error names the target.

    A link is followed, and what is no regular file, such as a device or a pipe, is written to directly.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if mode and not stat.S_ISREG(mode):
        with open(path, "wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(temporary, "wb") as file:
            if mode:
                os.chmod(temporary, stat.S_IMODE(mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        if error.filename in (None, str(temporary)):     # a full disk, or a name that nobody knows
            error.filename = str(path)
        raise
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: str | Path, content: str | bytes) -> None:
    """The old file or the new one, never a part of it."""
    with whole_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def write_arrays(path: str | Path, header: dict, arrays: dict[str, np.ndarray]) -> None:
    """A snapshot: arrays, a JSON header and a checksum of both in one .npz file, without pickle."""
    contents = {"header": np.array(json.dumps(header))} | arrays
    with whole_file(path) as file:
        np.savez_compressed(file, **contents, checksum=checksum(contents))


def read_arrays(path: str | Path) -> tuple[dict, dict[str, np.ndarray]]:
    """Header and arrays of a snapshot, all of them as they were, or a ValueError."""
    with open(path, "rb") as file:
        try:
            with np.load(file, allow_pickle=False) as archive:
                contents = {name: archive[name] for name in archive.files}
            whole = checksum(contents) == contents.pop("checksum")
        except Exception:                                # zipfile, zlib and NumPy have each their own for damage
            whole = False
    if not whole:
        raise ValueError(f"{path} is damaged, or no snapshot of this project")
    return json.loads(str(contents.pop("header"))), contents


def checksum(contents: dict[str, np.ndarray]) -> int:
    """Of names, types, shapes and bytes of all arrays but one called checksum."""
    found = 0
    for name, array in contents.items():
        if name != "checksum":
            found = zlib.crc32(f"{name} {array.dtype.str} {array.shape}".encode(), found)
            found = zlib.crc32(np.ascontiguousarray(array), found)
    return found


def append_line(path: str | Path, line: str, header: str = "") -> None:
    """One more line, whole, after the header of a new file, whoever else adds some; a torn line is ended first."""
    with open(path, "ab+") as file, alone_with(file):
        size = file.seek(0, os.SEEK_END)                 # now, and not when it was opened
        if size and (file.seek(-1, os.SEEK_END), file.read())[1] != b"\n":
            file.write(b"\n")
        file.write((line if size else header + line).encode())


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


def from_csv(text: str) -> list[dict[str, str]]:
    """One dict per row, without the columns that it leaves empty."""
    return [{name: value for name, value in row.items() if value != ""} for row in csv.DictReader(io.StringIO(text))]
