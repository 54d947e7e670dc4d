"""All wrong versions."""
import inspect
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple


class Version(NamedTuple):
    """A wrong version of a subject. Its docstring is its story: what is wrong, and then "Symptom:".

    "Found in:" follows where it was met.
    """

    subject: str
    function: Callable

    @property
    def name(self) -> str:
        return self.function.__name__.replace("_", " ")

    @property
    def where(self) -> str:
        return self.function.__module__.replace(".", "/") + ".py"

    @property
    def story(self) -> list[str]:
        """The lines of the docstring that are not empty."""
        return [line for line in inspect.getdoc(self.function).splitlines() if line]


def versions_of(subject: str) -> list[Version]:
    """Every function of the subject's file."""
    module = import_module(f"tests.gallery.wrong.{subject}")
    return [Version(subject, f) for f in vars(module).values() if getattr(f, "__module__", None) == module.__name__]


FILES = sorted((Path(__file__).parent / "wrong").glob("[a-z]*.py"))
VERSIONS = [version for file in FILES for version in versions_of(file.stem)]
