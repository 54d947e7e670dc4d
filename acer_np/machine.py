"""What arithmetic takes of the machine: one thread, whoever imported NumPy first, and memory that is not given back.

The matrices are small: two threads made ACER seven times slower, and the order of their sums shows in the last bits of
the results. OpenBLAS, which the wheels bring along, reads its environment only once, when it is loaded; so its own
function is called instead. Another library (MKL, Accelerate) is left alone: limit it by its environment variable.

An update makes and drops many arrays of a few hundred kilobytes. By default glibc gives such memory back to the
system, which clears every page before it hands it out again: that was nearly a third of an update's time.
"""
import ctypes
import importlib
import sys
from pathlib import Path

SETTERS = [f"{prefix}openblas_set_num_threads{suffix}" for prefix in ("scipy_", "") for suffix in ("64_", "")]
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3          # of glibc's mallopt
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


def keep_memory(n_bytes: int = 1 << 25) -> None:
    """Lets glibc, if it is the C library, keep so much dropped memory for the next array; 32 MB is its limit."""
    allocator = ctypes.CDLL(None) if sys.platform == "linux" else None
    if hasattr(allocator, "mallopt"):
        allocator.mallopt(M_MMAP_THRESHOLD, n_bytes)
        allocator.mallopt(M_TRIM_THRESHOLD, n_bytes)
