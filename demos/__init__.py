"""Commands that bring the simulator and the learners together: python -m demos lists them."""
import os
import platform
import sys

__version__ = "3.0.0"


def fix_arithmetic() -> None:
    """Makes a seed give the same result on nearly every PC; it must come before NumPy is loaded.

    The order in which OpenBLAS sums decides the last bits of a product. It depends on the number of threads and on the
    kernel, which is chosen for the processor. Every x86-64 processor with AVX2 can run the kernel for Haswell. A second
    thread makes ACER several times slower, too, for its matrices are small.
    """
    os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1")
    if platform.machine() in ("x86_64", "AMD64"):
        os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")


def quiet_if_interrupted(kind: type, error: BaseException, trace) -> None:
    if kind is not KeyboardInterrupt:
        sys.__excepthook__(kind, error, trace)


# Python says "-m" while it looks for a command: from its first import on, Ctrl-C ends that without a traceback. A
# program that imports a part of demos keeps its process as it is.
if sys.argv[:1] == ["-m"]:
    fix_arithmetic()
    sys.excepthook = quiet_if_interrupted
