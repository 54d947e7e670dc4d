"""All wrong versions, in the order of the laws."""
from tests.gallery import (divergences, gp, gradients, policies, retrace, retrace_ends, returns, steps, trust_region,
                           weights)
from tests.gallery.version import Version

VERSIONS = [item for room in (policies, weights, returns, retrace, retrace_ends, gradients, divergences,
                                     trust_region, steps, gp)
            for item in vars(room).values() if isinstance(item, Version)]


def versions_of(subject: str) -> list[Version]:
    return [version for version in VERSIONS if version.subject == subject]
