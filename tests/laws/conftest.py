"""The options of the laws, and what is said at the end."""
import pytest

from tests.laws.catalogue import SUBJECTS
from tests.laws.check import examined
from tests.laws.lacks import LACKS
from tests.laws.law import KINDS
from tests.laws.search import Settings
from tests.laws.subjects import OURS, functions


def shape(text: str) -> tuple:
    turns, actions = map(int, text.split(","))
    return turns, actions


def pytest_addoption(parser):
    laws, usual = parser.getgroup("laws"), Settings()
    laws.addoption("--subject", metavar="FILE", help="a file or module that is examined instead of our code")
    laws.addoption("--examples", type=int, default=usual.examples, help=f"small cases for each law ({usual.examples})")
    laws.addoption("--seed", type=int, default=usual.seed, help="of the cases (0)")
    laws.addoption("--dtype", default="float64", help="what answers are computed in")
    laws.addoption("--shape", type=shape, metavar="T,A", help="of all cases, turns and actions; for code that compiles")
    laws.addoption("--seconds", type=float, default=usual.seconds, help=f"at most, for each law ({usual.seconds:g})")


def pytest_configure(config):
    for kind in KINDS:
        config.addinivalue_line("markers", f"{kind}: laws of this kind")
    option = config.getoption
    config.law_settings = Settings(*(option(f"--{name}", default) for name, default in Settings()._asdict().items()))
    config.left_out = {}
    where = option("--subject", None)
    try:
        found, lacks = functions(OURS if where is None else where)
        dtype = option("--dtype", "float64")
        config.examined = {name: examined(name, function, lacks, dtype) for name, function in found.items()}
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_terminal_summary(terminalreporter, config):
    where, say = config.getoption("--subject", None), terminalreporter.write_line
    if not where:
        return
    found = config.examined
    say(f"{where} has {len(found)} of {len(SUBJECTS)} subjects: {', '.join(found)}")
    say(f"skipped, not found there: {', '.join(name for name in SUBJECTS if name not in found) or 'none'}")
    for name, f in found.items():
        for lack in f.lacks:
            say(f"{name} is examined without {lack}: {LACKS[lack].left}")
        if f.note:
            say(f"{name} was called by position: {f.note}")
    for (subject, reason), names in config.left_out.items():
        say(f"{subject}, left out ({reason}): {'; '.join(names)}")
