"""Every law, held against our functions or those given with --subject."""
import pytest
from hypothesis import find, settings, strategies as st
from hypothesis.errors import NoSuchExample

from tests.laws.catalogue import LAWS
from tests.laws.law import plain, random_cases, try_law
from tests.laws.report import message


def smallest_broken_case(law, f, n_cases=100):
    """The simplest case that Hypothesis finds in which f breaks the law, else one of the gallery's, or None."""
    @st.composite
    def cases(draw):
        return law.draw(lambda options: draw(st.sampled_from(options)))

    try:
        return find(cases(), lambda case: try_law(law, f, case).broken,
                    settings=settings(max_examples=n_cases, database=None))
    except NoSuchExample:
        return next((case for case in random_cases(law, n_cases) if try_law(law, f, case).broken), None)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: f"{law.subject}: {law.name}")
def test_law(law, subjects):
    if law.subject not in subjects:
        pytest.skip(f"no function {law.subject} found")
    f = plain(subjects[law.subject])
    case = smallest_broken_case(law, f)
    if case is not None:
        pytest.fail(message(law, f, case), pytrace=False)
