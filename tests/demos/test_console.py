"""Whole files, tables, the progress line, and how commands end."""
import sys
import time

import pytest

from demos.console import Parser, Progress, aligned, clock, counted, exit_code
from demos.files import from_csv, to_csv, whole_file, write_whole


def test_a_file_is_whole_or_as_it_was(tmp_path):
    target = tmp_path / "file"
    write_whole(target, "old")
    with pytest.raises(RuntimeError), whole_file(target) as temporary:
        temporary.write_text("ne")
        raise RuntimeError
    assert target.read_text() == "old" and list(tmp_path.iterdir()) == [target]
    write_whole(target, b"new")
    assert target.read_text() == "new" and list(tmp_path.iterdir()) == [target]


def test_a_table_keeps_every_digit_and_may_have_holes():
    rows = [{"a": 1, "b": 0.1 + 0.2}, {"a": 2, "c": 1e-17}]
    read = [{name: float(value) for name, value in row.items()} for row in from_csv(to_csv(rows))]
    assert read == rows


def test_the_progress_line_is_rewritten_on_a_terminal_and_rare_elsewhere(monkeypatch, capsys):
    with Progress("letters", 2000) as progress:
        for i in range(1000):
            progress.show(i)
        assert capsys.readouterr().err == ""
        progress.start = progress.last = time.monotonic() - 60
        progress.show(1000, ", now")
    assert capsys.readouterr().err == "1000/2000 letters, 1:00 gone, 1:00 left, now\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Progress("letters", 10) as progress:
        progress.last -= 1
        progress.show(0)
        progress.show(1, "too soon")
    assert capsys.readouterr().err == "\r\033[K0/10 letters, 0:00 gone, ? left\r\033[K"


def test_times_and_tables_read_well():
    assert [clock(5), clock(65.4), clock(7400)] == ["0:05", "1:05", "2:03:20"]
    assert aligned([("name", "x"), ("a", 10.5)]) == "name     x\na     10.5"
    assert aligned([("name", "x", "y"), ("a", 10.5)]) == "name     x  y\na     10.5"


def test_items_are_counted_with_the_time_left(monkeypatch, capsys):
    times = iter([0.0, 30.0, 60.0, 90.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    assert list(counted("abc", "letters")) == ["a", "b", "c"]
    assert capsys.readouterr().err.splitlines() == [
        "1/3 letters, 0:30 gone, 1:00 left", "2/3 letters, 1:00 gone, 0:30 left", "3/3 letters, 1:30 gone, 0:00 left"]


def test_what_was_done_before_counts_as_done_but_not_for_the_pace(monkeypatch, capsys):
    times = iter([0.0, 20.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    Progress("letters", 100, done=80).show(90)               # 10 took 20 seconds, and 10 are left
    assert capsys.readouterr().err == "90/100 letters, 0:20 gone, 0:20 left\n"


def test_a_command_ends_with_the_code_of_what_happened(capsys):
    def fails(error):
        raise error
    assert exit_code(Parser(prog="it"), [], lambda args: None) == 0
    assert exit_code(Parser(prog="it"), [], lambda args: 7) == 7
    assert exit_code(Parser(prog="it"), [], lambda args: fails(EOFError())) == 0
    assert capsys.readouterr().out == "\nGoodbye!\n"
    for error, code, said in ((OSError("no room"), 2, "it: no room\n"), (ValueError("a\n b"), 2, "it: a b\n"),
                              (MemoryError("9 TB"), 2, "it: there is not enough memory: 9 TB\n"),
                              (KeyboardInterrupt(), 130, "stopped\n"),
                              (KeyboardInterrupt("all is kept"), 130, "all is kept\n")):
        with pytest.raises(SystemExit) as end:
            exit_code(Parser(prog="it"), [], lambda args: fails(error))
        assert end.value.code == code and capsys.readouterr().err == said
