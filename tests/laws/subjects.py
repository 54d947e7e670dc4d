"""Finds the functions under test: ours, or those of the file or module given with --subject."""
import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

from tests.laws.catalogue import SUBJECTS

OURS = "tests.laws.ours"


def load(where: str):
    """The module of a file's path or of a module's name."""
    if not where.endswith(".py"):
        sys.path.insert(0, str(Path.cwd()))
        try:
            return importlib.import_module(where)
        except ModuleNotFoundError as error:
            if error.name is None or not (where + ".").startswith(error.name + "."):
                raise       # a package that the module itself lacks
            raise ValueError(f"--subject is {where!r}, expected a file that ends in .py, or a module's name") from None
        finally:
            sys.path.pop(0)
    if not Path(where).is_file():
        raise ValueError(f"--subject is {where!r}, expected a file that exists")
    sys.path.insert(0, str(Path(where).resolve().parent))       # stays: the file may import its neighbours when called
    spec = importlib.util.spec_from_file_location(Path(where).stem, where)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def functions(where: str) -> dict[str, Callable]:
    """{subject: function} of those that the module has."""
    module = load(where)
    found = {name: getattr(module, name) for name in SUBJECTS if callable(getattr(module, name, None))}
    if not found:
        raise ValueError(f"--subject is {where!r}, expected at least one function named {', '.join(SUBJECTS)}")
    return found
