"""Finds the functions under examination: ours, or those of the file or module given with --subject."""
import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

from tests.laws.catalogue import SUBJECTS
from tests.laws.lacks import LACKS
from tests.laws.search import time_limit

OURS = "tests.laws.ours"


def expected(where: str, what: str) -> ValueError:
    return ValueError(f"--subject is {where!r}, expected {what}")


def load(where: str):
    """The module of a file's path or of a module's name."""
    if not where:
        raise expected(where, "a file that ends in .py, or a module's name")
    if Path(where).is_dir():
        raise expected(where, "a file; this is a folder")
    if not where.endswith(".py"):
        if Path(where).is_file():
            raise expected(where, "a file that ends in .py")
        sys.path.insert(0, str(Path.cwd()))
        try:
            return importlib.import_module(where)
        except ModuleNotFoundError as error:
            if error.name is None or not (where + ".").startswith(error.name + "."):
                raise       # a package that the module itself lacks
            raise expected(where, "a file that ends in .py, or a module's name") from None
        finally:
            sys.path.pop(0)
    if not Path(where).is_file():
        raise expected(where, "a file that exists")
    sys.path.insert(0, str(Path(where).resolve().parent))       # stays: the file may import its neighbours when called
    spec = importlib.util.spec_from_file_location(Path(where).stem, where)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def functions(where: str, seconds: float = 20.0) -> tuple[dict[str, Callable], list[str]]:
    """{subject: function} of those that the module has, and its LACKS; ValueError if there is nothing to examine."""
    try:
        with time_limit(seconds):
            module = load(where)
    except (ValueError, KeyboardInterrupt) as error:
        if isinstance(error, ValueError) and not str(error).startswith("--subject"):
            raise expected(where, f"to import it; it raises {type(error).__name__}: {error}") from error
        raise
    except BaseException as error:          # SystemExit, too
        raise expected(where, f"to import it; it raises {type(error).__name__}: {error}") from error
    found = {name: getattr(module, name) for name in SUBJECTS if callable(getattr(module, name, None))}
    if not found:
        raise expected(where, f"at least one function named {', '.join(SUBJECTS)}")
    lacks = list(getattr(module, "LACKS", []))
    if not set(lacks) <= set(LACKS):
        raise ValueError(f"LACKS of {where!r} is {lacks}, expected some of {list(LACKS)}")
    return found, lacks
