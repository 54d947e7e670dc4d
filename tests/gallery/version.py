"""What an entry of the gallery is."""
import inspect
from collections.abc import Callable
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

    @property
    def found(self) -> bool:
        return any(line.startswith("Found in: ") for line in self.story)


def wrong(subject: str) -> Callable:
    """Makes an entry of a function."""
    return lambda function: Version(subject, function)
