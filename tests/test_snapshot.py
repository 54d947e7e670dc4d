"""Snapshots: whole or not at all, nothing pickled, and every kind of damage refused."""
import json
import os
import zipfile

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from acer_np.snapshot import read_snapshot, write_snapshot

HEADER = {"format": 1, "name": "π", "nested": {"list": [1, 2.5, None]}}
ARRAYS = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.array([True, False]), "empty": np.zeros((0, 4))}


def write(path, header=HEADER, arrays=ARRAYS):
    write_snapshot(path, header, arrays)
    return path


def test_what_was_written_is_read(tmp_path):
    header, arrays = read_snapshot(write(tmp_path / "x.npz"), {"format": 1})
    assert header == HEADER and set(arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert_array_equal(arrays[name], array)
        assert arrays[name].dtype == array.dtype


def test_a_file_has_the_name_it_was_given_and_no_companion(tmp_path):
    write(str(tmp_path / "without_suffix"))
    assert os.listdir(tmp_path) == ["without_suffix"]
    assert read_snapshot(tmp_path / "without_suffix", {})[0] == HEADER


def test_it_is_compressed_and_free_of_objects(tmp_path):
    path = write(tmp_path / "x.npz", arrays={"zeros": np.zeros(100_000)})
    assert path.stat().st_size < 5_000
    with np.load(path, allow_pickle=False) as file:
        assert {file[name].dtype.kind for name in file.files} == {"f", "U"}
    with pytest.raises(TypeError):
        write(path, header={"value": object()})
    assert read_snapshot(path, {})[0] == HEADER                # the old file is still there


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = write(tmp_path / "x.npz")
    before = path.read_bytes()

    def half(file, **arrays):
        file.write(b"half")
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez_compressed", half)
    with pytest.raises(OSError, match="no space left"):
        write(path, header={"format": 2})
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["x.npz"]


def test_the_new_file_replaces_the_old_one_in_one_step_and_only_when_it_is_on_disk(tmp_path, monkeypatch):
    path, steps = write(tmp_path / "x.npz"), []
    fsync, rename = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda fd: steps.append(("fsync", os.fstat(fd).st_size > 200)) or fsync(fd))
    monkeypatch.setattr(os, "replace", lambda a, b: steps.append(("beside", a.parent == path.parent)) or rename(a, b))
    write(path, header={"format": 2})
    assert steps == [("fsync", True), ("beside", True)]        # flushed before; and a rename within one folder
    assert read_snapshot(path, {})[0] == {"format": 2}


def test_an_expectation_that_fails_is_named_with_both_values(tmp_path):
    path = write(tmp_path / "x.npz")
    with pytest.raises(ValueError, match=r"x\.npz has format 1, expected 2"):
        read_snapshot(path, {"name": "π", "format": 2})
    with pytest.raises(ValueError, match=r"has domain None, expected 'Cambridge'"):
        read_snapshot(path, {"domain": "Cambridge"})


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"snapshot .*nowhere\.npz does not exist"):
        read_snapshot(tmp_path / "nowhere.npz", {})


def test_no_part_of_a_snapshot_passes_for_the_whole(tmp_path):
    path = write(tmp_path / "x.npz")
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="is damaged or not a snapshot"):
            read_snapshot(path, {})


def test_a_damaged_byte_is_noticed_or_harmless(tmp_path):
    path = write(tmp_path / "x.npz")
    whole, refused = path.read_bytes(), 0
    for position in range(len(whole)):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 0x55]) + whole[position + 1:])
        try:
            header, arrays = read_snapshot(path, HEADER)
        except ValueError:
            refused += 1
        else:                                                    # a date, or a flag that nobody reads
            assert header == HEADER
            assert all(name not in arrays or np.array_equal(arrays[name], array) for name, array in ARRAYS.items())
    assert refused > len(whole) / 2


@pytest.mark.parametrize("content", [b"", b"text", b"\x80\x04}\x94.", b"\x93NUMPY"])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "x.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"x\.npz is damaged or not a snapshot"):
        read_snapshot(path, {})


def test_other_archives_are_refused(tmp_path):
    path = tmp_path / "x.npz"
    for arrays in ({"params": np.zeros(2)}, {"header": np.array("no json")}, {"header": np.array(json.dumps([1]))},
                   {"header": np.array(json.dumps("text"))}, {"header": np.zeros(3)}):
        with open(path, "wb") as file:
            np.savez(file, **arrays)
        with pytest.raises(ValueError, match="is damaged or not a snapshot"):
            read_snapshot(path, {})
    with open(path, "wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(ValueError, match="is damaged or not a snapshot"):
        read_snapshot(path, {})
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(ValueError, match="is damaged or not a snapshot"):
        read_snapshot(path, {})
    with pytest.raises(ValueError, match="is damaged or not a snapshot"):
        read_snapshot(tmp_path, {})


def test_pickled_arrays_are_never_loaded(tmp_path):
    path, ran = tmp_path / "x.npz", tmp_path / "ran"

    class Trap:
        def __reduce__(self):
            return (os.mkdir, (str(ran),))

    with open(path, "wb") as file:
        np.savez(file, header=np.array(json.dumps(HEADER)), trap=np.array([Trap()], dtype=object))
    with pytest.raises(ValueError, match="is damaged or not a snapshot"):
        read_snapshot(path, {})
    assert not ran.exists()
