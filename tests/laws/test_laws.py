"""Every law, held against our functions or those given with --subject."""
import pytest

from tests.laws.catalogue import LAWS
from tests.laws.check import examine


def marked(law):
    return pytest.param(law, marks=getattr(pytest.mark, law.kind), id=f"{law.subject}: {law.name}")


@pytest.mark.parametrize("law", [marked(law) for law in LAWS])
def test_law(law, pytestconfig):
    f = pytestconfig.examined.get(law.subject)
    if f is None:
        pytest.skip(f"no function {law.subject} found")
    reports, outcome = examine(law, f, pytestconfig.law_settings)
    if reports:
        pytest.fail("\n\n".join(reports), pytrace=False)
    if outcome.stopped:
        reason = f"time ran out after {outcome.tried} cases"
    else:
        reason = f"the contract is broken: {', '.join(sorted(f.told))}" if f.told else f"no {' and '.join(f.lacks)}"
    if outcome.stopped or not outcome.tried:
        pytestconfig.left_out.setdefault((law.subject, reason), []).append(law.name)
    if not outcome.tried:
        pytest.skip(reason)
