"""Whole files, tables, the progress line, and how commands end."""
import sys

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
    with Progress() as progress:
        for i in range(1000):
            progress.show(str(i))
        assert capsys.readouterr().err == ""
        progress.last -= 60
        progress.show("now")
    assert capsys.readouterr().err == "now\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Progress() as progress:
        progress.last -= 1
        progress.show("here")
        progress.show("too soon")
    assert capsys.readouterr().err == "\r\033[Khere\r\033[K"


def test_times_and_tables_read_well():
    assert [clock(5), clock(65.4), clock(7400)] == ["0:05", "1:05", "2:03:20"]
    assert aligned([("name", "x"), ("a", 10.5)]) == "name     x\na     10.5"


def test_items_are_counted_with_the_time_left(monkeypatch, capsys):
    monkeypatch.setattr(Progress, "elapsed", 30.0)
    monkeypatch.setattr(Progress, "show", lambda self, text: print(text))
    assert list(counted("abc", "letter")) == ["a", "b", "c"]
    assert capsys.readouterr().out.splitlines() == [
        "letter 1/3, 1:00 left", "letter 2/3, 0:15 left", "letter 3/3, 0:00 left"]


def test_a_command_ends_with_the_code_of_what_happened(capsys):
    def fails(error):
        raise error
    assert exit_code(Parser(prog="it"), lambda: None) == 0
    assert exit_code(Parser(prog="it"), lambda: 7) == 7
    assert exit_code(Parser(prog="it"), lambda: fails(EOFError())) == 0 and capsys.readouterr().out == "\nGoodbye!\n"
    for error, code, said in ((OSError("no room"), 2, "it: no room\n"), (ValueError("a\n b"), 2, "it: a b\n"),
                              (MemoryError("9 TB"), 2, "it: there is not enough memory: 9 TB\n"),
                              (KeyboardInterrupt(), 130, "stopped\n")):
        with pytest.raises(SystemExit) as end:
            exit_code(Parser(prog="it"), lambda: fails(error))
        assert end.value.code == code and capsys.readouterr().err == said
