"""Commands that bring the simulator and the learners together: python -m demos.<name> --help."""
import os

__version__ = "1.0.0"

# The matrices are small: more threads cost time, and how many there are would show in the last bits of the results.
os.environ.setdefault("OMP_NUM_THREADS", "1")
