"""Commands that bring the simulator and the learners together: python -m demos.<name> --help."""
import signal
import sys

__version__ = "2.0.0"


def quiet_if_interrupted(kind: type, error: BaseException, trace) -> None:
    if kind is not KeyboardInterrupt:
        sys.__excepthook__(kind, error, trace)


# Python says "-m" while it looks for a command: from its first import on, Ctrl-C ends that without a traceback, and so
# does a reader that leaves, as in `| head -1`.
if sys.argv[:1] == ["-m"]:
    sys.excepthook = quiet_if_interrupted
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
