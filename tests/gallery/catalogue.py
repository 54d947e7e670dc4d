"""All wrong versions, in the order of the laws."""
from tests.gallery import gp, gradients, policies, returns, steps, retrace
from tests.gallery.version import Version

VERSIONS = [item for room in (policies, returns, retrace, gradients, steps, gp)
            for item in vars(room).values() if isinstance(item, Version)]


def versions_of(subject: str) -> list[Version]:
    return [version for version in VERSIONS if version.subject == subject]
