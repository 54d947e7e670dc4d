"""All laws, in the order of tests/README.md, and the subjects they are about."""
from tests.laws import of_gp, of_gradients, of_policies, of_retrace, of_returns, of_steps
from tests.laws.law import Law

LAWS = [item for chapter in (of_policies, of_returns, of_retrace, of_gradients, of_steps, of_gp)
        for item in vars(chapter).values() if isinstance(item, Law)]
SUBJECTS = list(dict.fromkeys(law.subject for law in LAWS))


def laws_of(subject: str) -> list[Law]:
    return [law for law in LAWS if law.subject == subject]
