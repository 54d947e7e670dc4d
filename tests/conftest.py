"""One Hypothesis profile for the whole suite: the same examples on every machine, no time limits."""
import demos

demos.fix_arithmetic()          # as commands do, and before anything loads NumPy

from hypothesis import settings  # noqa: E402

settings.register_profile("project", derandomize=True, deadline=None, max_examples=60, print_blob=False)
settings.load_profile("project")


