"""Keeps NumPy and SciPy to one thread, whatever the environment says and whoever imported them first.

The matrices are small: two threads made ACER seven times slower, and the order of their sums shows in the last bits of
the results. OpenBLAS, which the wheels bring along, reads its environment only once, when it is loaded; so its own
function is called instead. Another library (MKL, Accelerate) is left alone: limit it by its environment variable.
"""
import ctypes
import importlib
from pathlib import Path

SETTERS = [f"{prefix}openblas_set_num_threads{suffix}" for prefix in ("scipy_", "") for suffix in ("64_", "")]
LIMITED: list[str] = []          # the libraries that work with one thread, by the names of their files


def use_one_thread(*packages: str) -> None:
    """Loads these packages ("numpy", "scipy.linalg") and limits the OpenBLAS that came with each, if any did."""
    for name in packages:
        importlib.import_module(name)
        package = name.partition(".")[0]
        home = Path(importlib.import_module(package).__file__).parent
        for path in [*home.with_name(f"{package}.libs").glob("*openblas*"), *(home / ".dylibs").glob("*openblas*")]:
            library = ctypes.CDLL(str(path))             # not again: the one that is loaded
            for setter in SETTERS:
                if hasattr(library, setter):
                    getattr(library, setter)(1)
                    LIMITED.extend({path.name} - set(LIMITED))
