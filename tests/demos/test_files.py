"""Files that are whole or absent: links, pipes, modes, errors, lines of several processes, arrays that were damaged."""
import fcntl
import os
import stat
import threading

import numpy as np
import pytest

from demos.files import append_line, from_csv, read_arrays, write_arrays, write_whole


def test_a_file_is_whole_or_as_it_was(tmp_path, monkeypatch):
    target = tmp_path / "new" / "file"                       # in a folder that is made
    write_whole(target, "old")
    target.chmod(0o600)

    def full(descriptor):
        raise OSError(28, "No space left on device")         # which names nothing
    with monkeypatch.context() as patched, pytest.raises(OSError, match="No space left on device: .*new/file'$"):
        patched.setattr(os, "fsync", full)
        write_whole(target, "new")
    assert target.read_text() == "old" and list(target.parent.iterdir()) == [target]
    write_whole(target, b"new")
    assert target.read_text() == "new" and list(target.parent.iterdir()) == [target]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with pytest.raises(OSError, match="new/file'$"):
        write_whole(target / "x", "no")                      # in a folder that cannot be one


def test_a_link_is_followed_and_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "target")
    for content in ("new", "newer"):                         # the target is missing at first
        write_whole(tmp_path / "link", content)
        assert (tmp_path / "link").is_symlink() and (tmp_path / "target").read_text() == content


def test_what_is_no_regular_file_is_written_through(tmp_path):
    pipe = tmp_path / "pipe"                                 # and no device: a test that fails must not destroy one
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, "through")
    assert os.read(reader, 100) == b"through" and stat.S_ISFIFO(pipe.stat().st_mode)
    os.close(reader)
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path, "no")


def test_a_full_disk_is_named_by_its_file(tmp_path):
    (tmp_path / "link").symlink_to("/dev/full")
    for write in (write_whole, append_line):
        with pytest.raises(OSError, match="No space left on device: .*/link'$"):
            write(tmp_path / "link", "no room")


# ---- lines

def test_a_line_begins_on_a_line_of_its_own(tmp_path):
    append_line(tmp_path / "table", "1,x\n", "a,b\n")
    with open(tmp_path / "table", "a") as file:
        file.write("2,cut")                                  # by an editor that ends without a line break
    append_line(tmp_path / "table", "3,\n", "a,b\n")
    assert from_csv((tmp_path / "table").read_text()) == [{"a": "1", "b": "x"}, {"a": "2", "b": "cut"}, {"a": "3"}]


def test_a_line_waits_while_another_process_is_alone_with_the_file_whatever_link_it_took(tmp_path):
    path, link = tmp_path / "table", tmp_path / "link"
    link.symlink_to(path)
    writer = threading.Thread(target=append_line, args=(link, "1\n", "a\n"))
    with open(path, "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        writer.start()
        writer.join(0.3)
        assert writer.is_alive() and path.read_text() == ""
    writer.join(30)
    assert path.read_text() == "a\n1\n"


# ---- arrays

ARRAYS = {"a": np.arange(400.0).reshape(20, 20), "b": np.array([], np.float32), "c": np.ones(7, bool)}


@pytest.mark.parametrize("kind", ["flipped bits", "cut", "zeros", "shuffled"])
def test_damaged_arrays_are_refused_in_one_sentence_or_are_as_good_as_new(kind, tmp_path):
    """100 of each kind; a bit that is wrong in a date of the archive, or so, changes nothing."""
    path, rng, refused = tmp_path / "damaged.npz", np.random.default_rng(len(kind)), 0
    write_arrays(path, {"x": [1, None], "y": "é"}, ARRAYS)
    whole = path.read_bytes()
    for _ in range(100):
        content, at = bytearray(whole), int(rng.integers(len(whole)))
        if kind == "flipped bits":
            content[at] ^= 1 << int(rng.integers(8))
        elif kind == "cut":
            content = content[:at]
        elif kind == "zeros":
            content[at:at + 20] = bytes(len(content[at:at + 20]))
        else:
            content[at:at + 200] = rng.permutation(content[at:at + 200]).astype(np.uint8).tobytes()
        path.write_bytes(content)
        try:
            header, arrays = read_arrays(path)
            assert header == {"x": [1, None], "y": "é"} and arrays.keys() == ARRAYS.keys()
            assert all(arrays[name].tobytes() == array.tobytes() for name, array in ARRAYS.items())
        except ValueError as error:
            assert str(error) == f"{path} is damaged, or no snapshot of this project"
            refused += 1
    assert refused > 40


def test_the_checksum_is_over_names_types_shapes_and_order_of_bytes(tmp_path):
    path = tmp_path / "arrays.npz"
    write_arrays(path, {}, ARRAYS)
    with np.load(path) as archive:
        contents = dict(archive)
    for name, other in (("a", ARRAYS["a"].T), ("a", ARRAYS["a"].reshape(400)), ("a", -ARRAYS["a"]),
                        ("b", np.array([], int)), ("checksum", np.zeros(3)),
                        ("c", ARRAYS["c"].view(np.uint8)), ("header", np.array("[]"))):
        np.savez(path, **contents | {name: other})
        with pytest.raises(ValueError, match="is damaged"):
            read_arrays(path)
    np.savez(path, **{name: array for name, array in contents.items() if name != "b"})       # hidden by a flipped bit
    with pytest.raises(ValueError, match="is damaged"):
        read_arrays(path)


@pytest.mark.parametrize("content", [b"", b"a text\n", b"PK\x05\x06" + bytes(18), b"\x93NUMPY", b"\x80\x04K\x01."])
def test_what_is_no_snapshot_is_refused(content, tmp_path):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(ValueError, match="file is damaged, or no snapshot of this project$"):
        read_arrays(tmp_path / "file")
