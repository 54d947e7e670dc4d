"""Which functions the laws are held against, said at the end."""
import pytest

from tests.laws.catalogue import SUBJECTS
from tests.laws.subjects import OURS, functions


def pytest_configure(config):
    where = config.getoption("--subject", None) or OURS
    try:
        config.subject_functions = functions(where)
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    except ImportError as error:
        raise pytest.UsageError(f"--subject is {where!r}, expected a file that can be imported: {error}") from error


@pytest.fixture(scope="session")
def subjects(pytestconfig):
    """{subject: function}."""
    return pytestconfig.subject_functions


def pytest_terminal_summary(terminalreporter, config):
    where = config.getoption("--subject", None)
    if where:
        found = config.subject_functions
        missing = [name for name in SUBJECTS if name not in found]
        terminalreporter.write_line(f"{where} has {len(found)} of {len(SUBJECTS)} subjects: {', '.join(found)}")
        terminalreporter.write_line(f"skipped, not found there: {', '.join(missing) or 'none'}")
