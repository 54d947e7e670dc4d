"""Files that are whole or absent: links, pipes, killed processes, rows of several processes."""
import os
import stat
import threading
import time

import pytest

from demos.files import alone_in, append_row, from_csv, whole_file, write_whole


def test_a_link_is_followed_and_stays_a_link(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "target")
    for content in ("new", "newer"):                         # the target is missing at first
        write_whole(tmp_path / "link", content)
        assert (tmp_path / "link").is_symlink() and (tmp_path / "folder" / "target").read_text() == content
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["target"]


def test_what_is_no_regular_file_is_written_through(tmp_path):
    pipe = tmp_path / "pipe"                                 # and no device: a test that fails must not destroy one
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, "through")
    assert os.read(reader, 100) == b"through" and stat.S_ISFIFO(pipe.stat().st_mode)
    os.close(reader)
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path, "no")
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_what_a_killed_process_left_is_cleaned_up_and_what_another_writes_is_not(tmp_path):
    old, young = tmp_path / ".file.1.part", tmp_path / ".file.2.part"
    for path in (old, young):
        path.write_text("half")
    os.utime(old, (time.time() - 3600,) * 2)
    write_whole(tmp_path / "file", "whole")
    assert not old.exists() and young.exists()


def test_an_error_names_the_file_that_was_asked_for(tmp_path):
    with pytest.raises(OSError) as error:
        write_whole(tmp_path / "no" / "file", "x")
    assert error.value.filename == str(tmp_path / "no" / "file")
    with pytest.raises(OSError, match="another") as error, whole_file(tmp_path / "file"):
        raise OSError(5, "another", "elsewhere")
    assert error.value.filename == "elsewhere"


def test_a_row_begins_on_a_line_of_its_own(tmp_path):
    append_row(tmp_path / "table", {"a": 1, "b": "x,y"})
    with open(tmp_path / "table", "a") as file:
        file.write("2,cut")                                  # by an editor that ends without a line break
    append_row(tmp_path / "table", {"a": 3, "b": "z"})
    rows = from_csv((tmp_path / "table").read_text())
    assert rows == [{"a": "1", "b": "x,y"}, {"a": "2", "b": "cut"}, {"a": "3", "b": "z"}]


def test_a_row_waits_while_another_process_is_alone_in_the_folder(tmp_path):
    path = tmp_path / "table"
    path.touch()
    writer = threading.Thread(target=append_row, args=(path, {"a": 1}))
    with alone_in(tmp_path):
        writer.start()
        writer.join(0.3)
        assert writer.is_alive() and path.read_text() == ""
    writer.join(30)
    assert from_csv(path.read_text()) == [{"a": "1"}]
