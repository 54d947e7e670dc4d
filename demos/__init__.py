"""Commands that bring the simulator and the learners together: python -m demos.<name> --help."""
import signal
import sys

__version__ = "1.0.0"

if sys.argv[:1] == ["-m"]:         # a command is being started: Ctrl-C ends it without a traceback from its first import
    sys.excepthook = lambda kind, error, trace: None if kind is KeyboardInterrupt else sys.__excepthook__(
        kind, error, trace)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)          # and a reader that leaves, as in `| head -1`, ends it too
