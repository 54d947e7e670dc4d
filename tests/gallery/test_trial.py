"""The laws as a stranger uses them: pytest in a process of its own, pointed at a file."""
import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.gallery import right
from tests.laws.catalogue import SUBJECTS, laws_of
from tests.laws.law import plain, random_cases, try_law
from tests.laws.report import message, suspects
from tests.laws.subjects import functions

ROOT = Path(__file__).parents[2]
README = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
PYTHON, MESSAGE = (re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL)[0] for kind in ("python", "text"))

SIX_BUGS = '''
import numpy as np


def traces(rho_a, trace_decay):
    return np.minimum(trace_decay, rho_a)


def truncated_gradient(pi, mu, q, q_ret, actions, rho_max):
    rows, v = np.arange(len(pi)), (pi * q).sum(axis=1)
    weights = np.maximum(pi - rho_max * mu, 0) * (q[rows, actions] - v)[:, None]
    weights[rows, actions] += np.minimum(rho_max, pi[rows, actions] / mu[rows, actions]) * (q_ret - v)
    return weights - weights.sum(axis=1, keepdims=True) * pi


def kl_gradient(pi_average, pi):
    return pi_average - pi


def trust_region(g, k, kl_limit):
    excess = np.maximum(0, (k * g).sum(axis=1) - kl_limit)
    return g - (excess / np.maximum((g * g).sum(axis=1), 1e-300))[:, None] * k


def running_average(average, params, average_decay):
    return params


def returns_to_go(rewards, gamma):
    discounted = gamma ** np.arange(len(rewards)) * rewards
    return [discounted[t:].sum() for t in range(len(rewards))]
'''
MISTAKES = {"traces": "the decay inside the minimum", "truncated_gradient": "one advantage for all actions",
            "kl_gradient": "towards the average", "trust_region": "divided by the wrong square",
            "running_average": "the parameters themselves",
            "returns_to_go": "discounted from the start of the dialogue"}


def examine(subject, *options):
    """Exit code and output of pytest on a file."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/laws", "--subject", str(subject)]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    return done.returncode, done.stdout + done.stderr


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_six_bugs_are_all_caught_and_named(tmp_path):
    code, output = examine(written(tmp_path / "mine.py", SIX_BUGS))
    assert code == 1
    for subject, mistake in MISTAKES.items():
        reports = output.split(f"\n{subject} breaks a law: ")[1:]
        assert reports
        assert all(f"likely mistake: {mistake} (" in report.split(" breaks a law: ")[0] for report in reports)
    assert "mine.py has 6 of 19 subjects" in output


def test_the_example_of_the_readme_gives_the_message_of_the_readme(tmp_path):
    code, output = examine(written(tmp_path / "mine.py", PYTHON), "-k", "without")
    assert code == 1 and MESSAGE in output
    assert "skipped, not found there: masked_softmax, epsilon_greedy" in output


def test_the_example_of_the_readme_passes_once_it_is_mended(tmp_path):
    mended = PYTHON.replace("c[t - 1]", "c[t]")
    assert mended != PYTHON
    code, output = examine(written(tmp_path / "mine.py", mended))
    assert code == 0 and "13 passed, " in output


def test_a_file_that_does_not_exist_is_refused():
    code, output = examine("no/such/file.py")
    assert code == 4 and "--subject is 'no/such/file.py', expected a file that exists" in output


def test_a_module_is_found_by_its_name():
    assert functions("tests.gallery.right") == {"traces": right.traces}


def test_a_module_that_does_not_exist_or_has_no_subject_is_refused():
    with pytest.raises(ValueError, match="--subject is 'no_such.module', expected a file .*, or a module's name"):
        functions("no_such.module")
    with pytest.raises(ValueError, match="--subject is 'tests.strategies', expected at least one function named "):
        functions("tests.strategies")


def test_a_package_that_the_subject_itself_lacks_is_not_taken_for_it(tmp_path):
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        functions(str(written(tmp_path / "mine.py", "import no_such_package")))


def test_an_exception_is_an_answer_too():
    law = laws_of("traces")[0]
    f, case = plain(lambda rho_a, trace_decay: rho_a.shape[1]), random_cases(law, 1)[0]
    assert try_law(law, f, case).broken
    assert "ACTUAL (yours)    IndexError: tuple index out of range" in message(law, f, case)
    assert "likely mistake: none of those in tests/gallery" in message(law, f, case)


def test_a_version_that_agrees_by_chance_is_not_named():
    """On the smallest example (π and μ uniform) a correction with π² is like several others, elsewhere like none."""
    law = laws_of("truncated_gradient")[0]

    def squared(pi, mu, q, q_ret, actions, rho_max):
        rows, v = np.arange(len(pi)), (pi * q).sum(axis=1)
        weights = np.maximum(pi - rho_max * mu, 0.0) * pi * (q - v[:, None])
        weights[rows, actions] += np.minimum(rho_max, pi[rows, actions] / mu[rows, actions]) * (q_ret - v)
        return weights - weights.sum(axis=1, keepdims=True) * pi

    case = dict(pi=np.array([0.5, 0.5]), mu=np.array([0.5, 0.5]), q=np.array([0.0, 1.0]), rho_max=0.5)
    f = plain(squared)
    assert suspects(law, f, case, try_law(law, f, case))
    assert "likely mistake: none of those" in message(law, f, case)


def test_two_mistakes_at_once_name_the_one_that_shows():
    """Traces cut at 5 and without the decay: where λ = 1 only the first shows."""
    law = laws_of("traces")[0]
    f, case = plain(lambda rho_a, trace_decay: np.minimum(5.0, rho_a)), dict(rho_a=np.array([10.0]), trace_decay=1.0)
    assert "likely mistake: traces cut at 5 (" in message(law, f, case)


def test_the_table_of_subjects_is_that_of_the_laws():
    rows = re.findall(r"^\| `(\w+)\((.*?)\)` \|", README, re.MULTILINE)
    assert [name for name, _ in rows] == SUBJECTS
    for name, function in right.RIGHT:
        assert dict(rows)[name].split(", ") == list(inspect.signature(function).parameters), name
