"""Files that are whole or absent: text, arrays with a JSON header, and lines that several processes add."""
import csv
import io
import json
import os
import shutil
import zlib
from pathlib import Path

import numpy as np

try:
    import fcntl
except ImportError:                                      # Windows: lines of two processes are not kept apart there
    fcntl = None


def write_whole(path: str | Path, content: str | bytes | memoryview) -> None:
    """The old file or the new one, never a part of it, with the mode of the old one; a folder that lacks is made.

    A link is followed. What is no regular file, such as a device or a pipe, is written to directly.
    """
    content, target = content.encode() if isinstance(content, str) else content, Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            target.write_bytes(content)
            return
        with open(temporary, "wb") as file:
            if os.path.exists(target):
                shutil.copymode(target, temporary)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        error.filename = str(path)                       # a full disk names nothing, and nobody knows the temporary
        raise
    finally:
        temporary.unlink(missing_ok=True)


def write_arrays(path: str | Path, header: dict, arrays: dict[str, np.ndarray]) -> None:
    """A snapshot: arrays, a JSON header and a checksum of both in one .npz file, without pickle."""
    contents, file = {"header": np.array(json.dumps(header))} | arrays, io.BytesIO()
    np.savez_compressed(file, **contents, checksum=checksum(contents))
    write_whole(path, file.getbuffer())


def read_arrays(path: str | Path) -> tuple[dict, dict[str, np.ndarray]]:
    """Header and arrays of a snapshot, all of them as they were, or a ValueError."""
    with open(path, "rb") as file:
        try:
            with np.load(file, allow_pickle=False) as archive:
                contents = {name: archive[name] for name in archive.files}
            whole = bool(checksum(contents) == contents.pop("checksum"))
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
    """One more line, whole, after the header of a new file; a torn line is ended first, a folder that lacks is made.

    No other process that adds one writes meanwhile; the end of the block, or of the process, lets the next one in.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(path, "ab+") as file:
            if fcntl:
                fcntl.flock(file, fcntl.LOCK_EX)
            size = file.seek(0, os.SEEK_END)             # now, and not when it was opened
            if size and (file.seek(-1, os.SEEK_END), file.read())[1] != b"\n":
                file.write(b"\n")
            file.write((line if size else header + line).encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        error.filename = str(path)
        raise


def from_csv(text: str) -> list[dict[str, str]]:
    """One dict per row, without the columns that it leaves empty."""
    return [{name: value for name, value in row.items() if value != ""} for row in csv.DictReader(io.StringIO(text))]
