"""The laws as a stranger uses them: functions with faults of every sort, and files pointed at from the command line."""
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.gallery import right
from tests.laws import check
from tests.laws.catalogue import SUBJECTS
from tests.laws.search import time_limit
from tests.laws.subjects import functions

ROOT = Path(__file__).parents[2]
README = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
PYTHON, MESSAGE = (re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL)[0] for kind in ("python", "text"))
retrace = right.retrace_targets


def reports(subject, function, **settings):
    """The reports, one string each."""
    try:
        check(subject, function, **settings)
    except AssertionError as error:
        return re.split(rf"\n\n(?={subject} breaks )", str(error))
    return []


# ---- what is wrong is named

def uphill(pi):
    return -pi * (np.log(pi) - (pi * np.log(pi)).sum(axis=1, keepdims=True))


def many_with_traces_cut_at_5(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    stretched = np.where(rho_a > 1, np.minimum(rho_a, 5.0), rho_a)
    q_ret, carry = rewards.copy(), 0.0
    for t in range(len(v) - 1, -1, -1):
        q_ret[t] += gamma * carry * (1 - ended[t])
        carry = v[t] + trace_decay * stretched[t] * (q_ret[t] - q_a[t])
    return q_ret


def eps_in_the_correction(pi, mu, q, q_ret, actions, rho_max):
    return right.gradient_from_ratios(pi, pi / (mu + 1e-6), q, (pi * q).sum(axis=1), q_ret, actions, rho_max)


@pytest.mark.parametrize("subject, function, mistake", [
    ("traces", lambda rho_a, trace_decay: np.minimum(trace_decay, rho_a), "the decay inside the minimum"),
    ("kl_gradient", lambda pi_average, pi: pi_average - pi, "towards the average"),
    ("running_average", lambda average, params, average_decay: params, "the parameters themselves"),
    ("entropy_gradient", uphill, "zero times minus infinity"),
    ("retrace_of_many", many_with_traces_cut_at_5, "products of traces cut at 5"),
    ("truncated_gradient", eps_in_the_correction, "a constant in the denominator")])
def test_a_mistake_is_named_wherever_it_hides(subject, function, mistake):
    """The last two are known from another subject, of which this one is made."""
    found = reports(subject, function)
    assert found and all(f"likely mistake: {mistake} (" in report for report in found)


def test_nan_under_masks_does_not_hide_a_mistake():
    """As in dchetelat/acer: 1 - c/ρ by division, and the advantage of the action taken."""
    def taken_advantage(pi, mu, q, q_ret, actions, rho_max):
        rows, v = np.arange(len(pi)), (pi * q).sum(axis=1)
        weights = pi * np.maximum(0, 1 - rho_max / (pi / mu)) * (q[rows, actions] - v)[:, None]
        weights[rows, actions] += np.minimum(rho_max, pi[rows, actions] / mu[rows, actions]) * (q_ret - v)
        return weights - weights.sum(axis=1, keepdims=True) * pi

    nan, *others = reports("truncated_gradient", taken_advantage)
    assert "not finite" in nan
    assert others and all("likely mistake: one advantage for all actions (" in report for report in others)


def test_a_version_that_agrees_by_chance_is_not_named():
    """With equal π and μ a correction with π² is like several others, elsewhere like none."""
    def squared(pi, mu, q, q_ret, actions, rho_max):
        rows, v = np.arange(len(pi)), (pi * q).sum(axis=1)
        weights = np.maximum(pi - rho_max * mu, 0.0) * pi * (q - v[:, None])
        weights[rows, actions] += np.minimum(rho_max, pi[rows, actions] / mu[rows, actions]) * (q_ret - v)
        return weights - weights.sum(axis=1, keepdims=True) * pi

    assert all("likely mistake: none of those" in report for report in reports("truncated_gradient", squared))


def test_a_small_difference_can_be_seen():
    found = reports("state_value", lambda pi, q: (pi * q).sum(axis=1) * (1 + 1e-7))[0]
    actual, desired = re.findall(r"(?:yours\)   |the law\)) (.*)", found)
    assert actual != desired and "1e-08 would count as rounding\na small difference: float32" in found


# ---- the contract: one sentence, once

class Tensor(np.ndarray):
    requires_grad = True


def changes_q(rewards, q_a, v, rho_a, gamma, trace_decay):
    answer = retrace(rewards, q_a, v, rho_a, gamma, trace_decay)
    q_a[:] = 7
    return answer


FAULTS = {
    "answers in float32, expected float64": lambda *case: np.array(retrace(*case), np.float32),
    r"answers an array of shape \(\d, 1\), expected \(\d,\): leave out the last axis":
        lambda *case: np.array(retrace(*case))[:, None],
    r"answers an array of shape \(100000000\), expected": lambda *case: np.zeros(10 ** 8),
    r"answers a tensor that requires a gradient, expected numbers: .detach\(\).numpy\(\)":
        lambda *case: np.array(retrace(*case)).view(Tensor),
    "answers NoneType, expected an array of numbers": lambda *case: None,
    "answers numbers that are not finite": lambda *case: np.array(retrace(*case)) * np.nan,
    "gives two answers to one question": lambda *case, rng=np.random.default_rng(0): np.add(retrace(*case), rng.random()),
    "raises IndexError: tuple index out of range": lambda *case: case[0].shape[1],
    "raises SystemExit: 3": lambda *case: sys.exit(3),
    "changes its argument q_a, expected to leave it": changes_q,
    r"takes \(.*device\), expected \(rewards":
        lambda rewards, q_a, v, rho, gamma, trace_decay, device: None,
    "gives no answer within 0.3 seconds": lambda *case: all(iter(lambda: True, False))}


@pytest.mark.parametrize("sentence", FAULTS)
def test_a_breach_of_the_contract_is_told_once(sentence):
    found = reports("retrace_targets", FAULTS[sentence], seconds=0.3 if "0.3" in sentence else 60, examples=20)
    assert len([report for report in found if re.search(f"the contract: it {sentence}", report)]) == 1
    assert len(found) == 1


@pytest.mark.parametrize("function", [lambda pi, pi_average: pi - pi_average, lambda a, b: b - a,
                                      lambda **case: (case["pi"] - case["pi_average"]).tolist()])
def test_arguments_go_by_name_where_the_names_are_there(function):
    assert reports("kl_gradient", function, examples=20) == []


def test_what_is_unknown_is_refused():
    with pytest.raises(ValueError, match="LACKS is 'magic', expected one of trace_decay, "):
        check("traces", right.traces, lacks=["magic"])


def test_one_known_name_in_a_strange_place_is_refused():
    assert reports("kl_gradient", lambda pi, average: pi - average)[0].endswith(
        "it takes (pi, average), expected (pi_average, pi)")


@pytest.mark.parametrize("subject, function, settings", [
    ("retrace_targets", lambda rewards, q_a, v, rho_a, gamma: retrace(rewards, q_a, v, rho_a, gamma, 1.0), {}),
    ("lambda_returns", lambda rewards, v, gamma, trace_decay: right.lambda_returns(
        rewards, v, np.ones(len(v)), gamma, trace_decay), {}),
    ("entropy_gradient", uphill, dict(lacks=["zero probabilities"])),
    ("acer_gradients", right.update_of(trust_region=lambda g, k, kl_limit: g), dict(lacks=["trust region"])),
    ("retrace_targets", lambda *case: np.array(retrace(*case), np.float32), dict(dtype="float32")),
    ("retrace_targets", retrace, dict(shape=(5, 3), seed=7)),
    ("gp_posterior", right.gp_posterior, dict(dtype="float32", examples=20))])
def test_what_is_lacking_or_declared_does_not_break_a_law(subject, function, settings):
    assert reports(subject, function, **settings) == []


# ---- files

def test_the_example_of_the_readme_gives_the_message_of_the_readme():
    exec(PYTHON, names := {})
    assert MESSAGE.strip() in reports("retrace_targets", names["retrace_targets"])


def test_the_command_examines_a_file_and_says_what_it_left_out(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def traces(rho_a): return rho_a.clip(max=1)\ndef trust_region(g, k, delta): return g\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/laws", "--subject", str(file),
               "-m", "identity", "--examples", "20", "--seed", "3", "--shape", "2,3", "--seconds", "9"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 1
    for said in ("trust_region breaks a law (identity): the step keeps the limit", "has 2 of 24 subjects: traces",
                 "traces is examined without trace_decay: λ = 1 is all that is tried",
                 "trust_region was called by position: (g, k, delta) were given g, k, kl_limit"):
        assert said in done.stdout
    assert "definition" not in done.stdout


@pytest.mark.parametrize("text, complaint", [
    ("def retrace(:", "importing it raises SyntaxError"), ("1 / 0", "importing it raises ZeroDivisionError"),
    ("import sys; sys.exit(2)", "importing it raises SystemExit: 2"), ("while True: pass", "raises TimeoutError"),
    ("x = 1", "at least one function named masked_softmax")])
def test_a_file_that_cannot_be_examined_is_refused_in_one_sentence(tmp_path, text, complaint):
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(ValueError, match=complaint):
        functions(str(tmp_path / "mine.py"), seconds=0.3)


@pytest.mark.parametrize("where", ["", "/tmp", "no/such/file.py", "no_such.module", "LICENSE"])
def test_a_path_that_leads_nowhere_is_refused(where):
    with pytest.raises(ValueError, match=f"--subject is '{where}', expected a file that ends in .py, or a module"):
        functions(where)


def test_a_module_is_found_by_its_name():
    assert functions("tests.gallery.right") == ({name: getattr(right, name) for name in SUBJECTS}, [])


def test_the_table_of_subjects_is_that_of_the_laws():
    rows = re.findall(r"^\| `(\w+)\((.*?)\)` \|", README, re.MULTILINE)
    assert {name: tuple(parameters.split(", ")) for name, parameters in rows} == {
        name: subject.parameters for name, subject in SUBJECTS.items()}


def test_time_runs_out_where_an_interrupt_is_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)                # as in the background of a shell
    try:
        with pytest.raises(TimeoutError), time_limit(0.05):
            while True:
                pass
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
