"""The progress line, columns, help, suggestions, and how commands end."""
import importlib
import io
import sys
import time

import pytest

import demos
from demos import __main__ as index
from demos.console import Parser, Progress, aligned, counted, exit_code
from tests.demos.commands import refused


def test_the_progress_line_is_rewritten_on_a_terminal_and_rare_elsewhere(monkeypatch, capsys):
    with Progress("letters", 2000) as progress:
        for i in range(1000):
            progress.show(i)
        assert capsys.readouterr().err == ""
        progress.start = progress.last = time.monotonic() - 60
        progress.show(1000, ", now")
    assert capsys.readouterr().err == "1000/2000 letters, 0:01:00 gone, 0:01:00 left, now\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Progress("letters", 10) as progress:
        progress.last -= 1
        progress.show(0)
        progress.show(1, "too soon")
    assert capsys.readouterr().err == "\r\033[K0/10 letters, 0:00:00 gone, ? left\r\033[K"


def test_tables_read_well():
    assert aligned([("name", "x"), ("a", 10.5)]) == "name     x\na     10.5"
    assert aligned([("name", "x", "y"), ("a", 10.5)]) == "name     x  y\na     10.5"


def test_items_are_counted_with_the_time_left(monkeypatch, capsys):
    times = iter([0.0, 30.0, 60.0, 90.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    assert list(counted("abc", "letters")) == ["a", "b", "c"]
    assert capsys.readouterr().err.splitlines() == [
        "1/3 letters, 0:00:30 gone, 0:01:00 left", "2/3 letters, 0:01:00 gone, 0:00:30 left",
        "3/3 letters, 0:01:30 gone, 0:00:00 left"]


def test_what_was_done_before_counts_as_done_but_not_for_the_pace(monkeypatch, capsys):
    times = iter([0.0, 19.6])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    Progress("letters", 100, done=80).show(90)               # 10 took nearly 20 seconds, and 10 are left
    assert capsys.readouterr().err == "90/100 letters, 0:00:20 gone, 0:00:20 left\n"


def test_a_command_ends_with_the_code_of_what_happened(monkeypatch, capsys):
    def fails(error):
        raise error

    def parser():
        return Parser("What it does.", prog="it")
    assert exit_code(parser(), [], lambda args: None) == 0
    assert exit_code(parser(), [], lambda args: 7) == 7
    assert exit_code(parser(), [], lambda args: fails(EOFError())) == 0
    assert capsys.readouterr().out == "\nGoodbye!\n"
    for error, code, said in ((OSError("no room"), 2, "it: no room\n"), (ValueError("a\n b"), 2, "it: a b\n"),
                              (MemoryError(), 2, "it: there is not enough memory\n"),
                              (MemoryError("9 TB"), 2, "it: 9 TB\n"),
                              (KeyboardInterrupt(), 130, "stopped\n"),
                              (KeyboardInterrupt("all is kept"), 130, "all is kept\n")):
        with pytest.raises(SystemExit) as end:
            exit_code(parser(), [], lambda args: fails(error))
        assert end.value.code == code and capsys.readouterr().err == said
    for name in ("stdin", "stdout", "stderr"):               # closed before the command began
        monkeypatch.setattr(sys, name, None)
    assert exit_code(parser(), [], lambda args: print(input("?"), file=sys.stderr)) == 0


def test_a_reader_that_leaves_ends_a_command_without_a_word(monkeypatch, capsys):
    class Closed(io.StringIO):
        def flush(self):
            raise BrokenPipeError
    monkeypatch.setattr(sys, "stdout", Closed())
    assert exit_code(Parser("What it does."), [], lambda args: print("x")) == 1 and capsys.readouterr().err == ""


@pytest.mark.parametrize("words, meant", [
    (["--colur", "red"], "--colour"), (["--colour", "gren"], "green"), (["--colour", "x"], ""), (["--size", "x"], ""),
    (["--size", "smal"], "small")])
def test_a_word_that_is_nearly_right_gets_a_suggestion_and_options_their_usage(words, meant, capsys):
    def work(args):
        raise ValueError(f"size is {args.size!r}, expected small or large")

    def main(argv):
        p = Parser("What it does.", prog="it", usage="%(prog)s [options]")
        p.add_argument("--colour", choices=("red", "green"))
        p.add_argument("--size")
        return exit_code(p, argv, work)
    message = refused(main, capsys, *words)
    assert (f"; did you mean {meant}?" in message) if meant else "did you mean" not in message
    assert message.endswith("; usage: it [options]\n") == (words[0] != "--size") and words[1] in message


@pytest.mark.parametrize("name", [f"demos.{name}" for name in index.COMMANDS] + ["demos.__main__"])
def test_every_command_explains_itself_in_sentences_of_80_columns(name, capsys):
    with pytest.raises(SystemExit) as end:
        importlib.import_module(name).main(["--help"])
    shown = capsys.readouterr().out
    assert end.value.code == 0 and max(map(len, shown.splitlines())) <= 80


def test_all_commands_are_listed_and_the_version_is_told(capsys):
    assert index.main([]) == 0
    shown = capsys.readouterr().out
    home = index.Path(index.__file__).parent
    mains = {path.stem for path in home.glob("*.py") if "def main(" in path.read_text()} - {"__main__"}
    assert mains == set(index.COMMANDS) and all(f"\n  {name} " in shown for name in mains)
    with pytest.raises(SystemExit):
        index.main(["--version"])
    assert capsys.readouterr().out == f"acer-np {demos.__version__}\n"
