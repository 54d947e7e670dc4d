"""Snapshots of an agent: one .npz file with arrays and a JSON header, written whole or not at all, read without pickle.

The arrays are the finished dialogues with sparse beliefs, not the covariances they led to: the same updates in
the same order rebuild those to the last bit, and the master space's file has about a megabyte instead of 190.
"""
import json
import os
import zipfile
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack


class Dialogue(NamedTuple):
    """A finished dialogue of T turns: (T, D) beliefs, (T,) actions, (T,) returns-to-go."""
    beliefs: csr_array
    actions: np.ndarray
    returns: np.ndarray


def pack(dialogues: list[Dialogue]) -> dict[str, np.ndarray]:
    """All dialogues as six arrays."""
    if not dialogues:
        return {}
    beliefs = vstack([dialogue.beliefs for dialogue in dialogues], "csr")
    return {"lengths": np.array([len(dialogue.actions) for dialogue in dialogues]),
            "actions": np.concatenate([dialogue.actions for dialogue in dialogues]),
            "returns": np.concatenate([dialogue.returns for dialogue in dialogues]),
            "values": beliefs.data, "columns": beliefs.indices, "row_starts": beliefs.indptr}


def unpack(arrays: dict[str, np.ndarray], n_belief: int) -> list[Dialogue]:
    """The inverse of `pack`."""
    if not arrays:
        return []
    lengths, actions, returns = arrays["lengths"], arrays["actions"], arrays["returns"]
    shape = (lengths.sum(), n_belief)
    beliefs = csr_array((arrays["values"], arrays["columns"], arrays["row_starts"]), shape=shape)
    beliefs.check_format()                      # columns out of range would otherwise be written to
    ends = lengths.cumsum()[:-1]
    starts = np.append(0, ends)
    return [Dialogue(beliefs[start:start + len(a)], a, r)
            for start, a, r in zip(starts, np.split(actions, ends), np.split(returns, ends))]


def write_snapshot(path: str | Path, header: dict, arrays: dict[str, np.ndarray]) -> None:
    """Writes to a temporary file in the same folder, then puts it in place in one step."""
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


def read_snapshot(path: str | Path) -> tuple[dict, dict[str, np.ndarray]]:
    """The header and all arrays of a snapshot; ValueError if the file is damaged or something else."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        return json.loads(str(arrays.pop("header"))), arrays
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, AttributeError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is not a complete snapshot: {error}") from error
