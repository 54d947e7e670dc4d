"""What the commands share at the terminal: one-line errors, checked numbers, a live progress line, typed lines."""
import argparse
import difflib
import math
import io
import re
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import zip_longest

SHOWN = 300                      # characters of a line from a pipe that are shown
WIDTH = 80                       # columns of help


class Parser(argparse.ArgumentParser):
    """Help in 80 columns; mistakes of the user end in one clear line, with a suggestion, and exit code 2."""

    def __init__(self, description: str, **options):
        parts = [part if "  " in part else textwrap.fill(part, WIDTH) for part in description.split("\n\n")]
        super().__init__(description="\n\n".join(parts), **options, formatter_class=lambda prog:
                         argparse.RawDescriptionHelpFormatter(prog, max_help_position=26, width=WIDTH))

    def error(self, message: str):
        self.refuse(message, "; " + " ".join(self.format_usage().split()))

    def refuse(self, message: str, more: str = ""):
        """Exits; a word that is nearly one of those that are possible is taken for that."""
        message, meant = " ".join(message.split()), []
        if wrong := re.search(r"'([\w-]+)'|: (--[\w-]+)", message):
            known = re.findall(r"[\w-]+", message[wrong.end():]) + re.findall(r"--[\w-]+", self.format_help())
            meant = difflib.get_close_matches(wrong[1] or wrong[2], known, 1)
        self.exit(2, f"{self.prog}: {message}{''.join(f'; did you mean {word}?' for word in meant)}{more}\n")


def number(kind: type, low: float, high: float = math.inf) -> Callable[[str], float]:
    """An argparse type: an int or float from low to high."""
    limits = f"from {low} to {high}" if high < math.inf else f"of at least {low}"

    def parse(text: str) -> float:
        try:
            value = kind(text)
            if low <= value <= high:
                return value
        except ValueError:
            pass
        raise argparse.ArgumentTypeError(f"{text[:SHOWN]!r}, expected a {'whole ' * (kind is int)}number {limits}")
    return parse


def exit_code(parser: Parser, argv: list[str] | None, work: Callable[[argparse.Namespace], int | None]) -> int:
    """The exit code of work, which gets the options; 0 where it has none.

    What is wrong, too large, or cannot be read or written ends in one line. Ctrl-C ends in what it says, or in a word.
    The end of what someone types is a goodbye. A reader that leaves, as in `| head -1`, ends without a word.
    """
    args = parser.parse_args(argv)
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name) or io.StringIO()                     # closed before the command began
        if hasattr(stream, "reconfigure"):               # a terminal that lacks a letter gets a question mark for it
            stream.reconfigure(errors="replace")
        setattr(sys, name, stream)
    try:
        code = work(args) or 0
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        sys.stdout = io.StringIO()
        return 1
    except (ValueError, OSError, MemoryError) as error:
        parser.refuse(str(error) or "there is not enough memory")
    except KeyboardInterrupt as error:
        parser.exit(130, f"{str(error) or 'stopped'}\n")
    except EOFError:
        print("\nGoodbye!")
        return 0


class Progress:
    """A line on stderr with the time left: rewritten in place on a terminal, repeated now and then elsewhere."""

    def __init__(self, what: str, total: int, done: int = 0):
        self.what, self.total, self.first = what, total, done
        self.live = sys.stderr.isatty()
        self.start = self.last = time.monotonic()

    def __enter__(self) -> "Progress":
        return self

    def show(self, done: int, more: str = "") -> None:
        now = time.monotonic()
        if now - self.last > (0.2 if self.live else 10.0):
            pace, self.last = (done - self.first) / (now - self.start), now
            gone = timedelta(seconds=round(now - self.start))
            left = timedelta(seconds=round((self.total - done) / pace)) if pace else "?"
            text = f"{done}/{self.total} {self.what}, {gone} gone, {left} left{more}"
            print(f"\r\033[K{text}" if self.live else text, end="" if self.live else "\n", file=sys.stderr, flush=True)

    def __exit__(self, *_) -> None:
        if self.live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def counted(items: Sequence, what: str) -> Iterator:
    """The items one by one, with a progress line of how many are done."""
    with Progress(what, len(items)) as progress:
        for done, item in enumerate(items, 1):
            yield item
            progress.show(done)


def aligned(rows: list[tuple]) -> str:
    """Columns as wide as they need to be: the first to the left, the others to the right; a row may end early."""
    widths = [max(len(str(cell)) for cell in column) for column in zip_longest(*rows, fillvalue="")]
    forms = [f"{'>' if i else '<'}{width}" for i, width in enumerate(widths)]
    return "\n".join("  ".join(map(format, row, forms)).rstrip() for row in rows)


def listen(prompt: str) -> str:
    """A line from the terminal, or from a pipe, where it is shown as if it had been typed; EOFError at the end."""
    line = input(f"{prompt:<8}")
    if not sys.stdin.isatty():
        print(line[:SHOWN])
    return line.strip()
