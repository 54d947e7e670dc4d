"""Snapshots: arrays and a JSON header in one .npz file, without pickle, written whole or not at all."""
import json
import os
import zipfile
import zlib
from pathlib import Path

import numpy as np

DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError,      # what NumPy meets in a broken file,
          AttributeError, KeyError, TypeError, ValueError)                      # or in a whole one that is no snapshot


def write_snapshot(path: str | Path, header: dict, arrays: dict[str, np.ndarray]) -> None:
    """Writes beside the target, then renames: whoever looks sees the old file or the new one, never a part."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            np.savez_compressed(file, header=np.array(json.dumps(header)), **arrays)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def read_snapshot(path: str | Path, expected: dict) -> tuple[dict, dict[str, np.ndarray]]:
    """Header and arrays, all of them, or a ValueError: damaged, or not what the header should say."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        header = dict(json.loads(str(arrays.pop("header"))))
    except FileNotFoundError:
        raise ValueError(f"snapshot {path} does not exist") from None
    except DAMAGE as error:
        raise ValueError(f"snapshot {path} is damaged or not a snapshot: {error}") from error
    for name, ours in expected.items():
        if header.get(name) != ours:
            raise ValueError(f"snapshot {path} has {name} {header.get(name)!r}, expected {ours!r}")
    return header, arrays
