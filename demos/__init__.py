"""Commands that bring the simulator and the learners together: python -m demos.<name> --help."""
__version__ = "0.1.0"
