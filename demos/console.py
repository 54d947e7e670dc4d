"""What the commands share at the terminal: one-line errors, checked numbers, a live progress line."""
import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence


class Parser(argparse.ArgumentParser):
    """The description is shown as it is written; mistakes of the user end in one clear line and exit code 2."""

    def __init__(self, **options):
        super().__init__(**{"formatter_class": argparse.RawDescriptionHelpFormatter} | options)

    def error(self, message: str):
        self.exit(2, f"{self.prog}: {message}\n")


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
        raise argparse.ArgumentTypeError(f"{text!r}, expected a {'whole ' * (kind is int)}number {limits}")
    return parse


def exit_code(parser: Parser, work: Callable[[], None]) -> int:
    """The exit code of work: what cannot be written ends in one line, Ctrl-C in a word."""
    try:
        work()
    except OSError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        parser.exit(130, "stopped\n")
    return 0


def clock(seconds: float) -> str:
    """1:05, or 2:03:20 with hours."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Progress:
    """A line on stderr: rewritten in place on a terminal, repeated now and then elsewhere."""

    def __enter__(self) -> "Progress":
        self.live = sys.stderr.isatty()
        self.start = self.last = time.monotonic()
        return self

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.start

    def show(self, text: str) -> None:
        if time.monotonic() - self.last > (0.2 if self.live else 10.0):
            self.last = time.monotonic()
            print(f"\r\033[K{text}" if self.live else text, end="" if self.live else "\n", file=sys.stderr, flush=True)

    def __exit__(self, *_) -> None:
        if self.live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def counted(items: Sequence, what: str) -> Iterator:
    """The items one by one, with a progress line of how many are done."""
    with Progress() as progress:
        for done, item in enumerate(items, 1):
            yield item
            left = clock(progress.elapsed * (len(items) / done - 1))
            progress.show(f"{what} {done}/{len(items)}, {left} left")


def aligned(rows: list[tuple]) -> str:
    """Columns as wide as they need to be: the first to the left, the others to the right."""
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows)]
    forms = [f"{'>' if i else '<'}{width}" for i, width in enumerate(widths)]
    return "\n".join("  ".join(format(cell, form) for cell, form in zip(row, forms)) for row in rows)
