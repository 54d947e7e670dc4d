"""All wrong versions, in the order of the laws."""
from tests.gallery import (divergences, gp, gradients, kernels, policies, retrace, retrace_ends, returns, steps, subtle,
                           trust_region, updates, weights)
from tests.gallery.version import Version

ROOMS = (policies, weights, returns, retrace, retrace_ends, gradients, divergences, trust_region, updates, steps, gp, kernels,
         subtle)
VERSIONS = [item for room in ROOMS for item in vars(room).values() if isinstance(item, Version)]


def versions_of(subject: str) -> list[Version]:
    return [version for version in VERSIONS if version.subject == subject]
