"""Properties of the maths that any right implementation has, ours or yours; see tests/README.md."""
from tests.laws.check import check

__all__ = ["check"]
