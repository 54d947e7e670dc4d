"""Finds the functions under examination: ours, or those of the file or module given with --subject."""
import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

from tests.laws.catalogue import SUBJECTS
from tests.laws.search import time_limit

OURS = "tests.laws.ours"


def load(where: str):
    """The module of a file's path or of a module's name."""
    if not where.endswith(".py"):
        return importlib.import_module(where)
    sys.path.insert(0, str(Path(where).resolve().parent))       # stays: the file may import its neighbours when called
    spec = importlib.util.spec_from_file_location(Path(where).stem, where)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def functions(where: str, seconds: float = 60.0) -> tuple[dict[str, Callable], list[str]]:
    """{subject: function} of those that the module has, and its LACKS; ValueError if there is nothing to examine."""
    try:
        with time_limit(seconds):
            module = load(where)
    except (Exception, SystemExit) as error:
        raise ValueError(f"--subject is {where!r}, expected a file that ends in .py, or a module's name; "
                         f"importing it raises {type(error).__name__}: {error}") from error
    found = {name: getattr(module, name) for name in SUBJECTS if callable(getattr(module, name, None))}
    if not found:
        raise ValueError(f"--subject is {where!r}, expected at least one function named {', '.join(SUBJECTS)}")
    return found, list(getattr(module, "LACKS", []))
