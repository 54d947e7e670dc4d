"""What a hostile or unlucky user meets: random command lines, signals, odd terminals, threads."""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import demos
from demos import chat, compare, human_evaluation, train, watch

ROOT = Path(__file__).parent.parent.parent


def start(name, *options, **how):
    """A command in a process of its own."""
    surroundings = os.environ | {"PYTHONPATH": str(ROOT)} | how.pop("env", {})
    return subprocess.Popen([sys.executable, "-m", f"demos.{name}", *options], env=surroundings,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)


# ---- random command lines

VALUES = ["0", "1", "2", "-1", "0.5", "1e9", "nan", "inf", "", " ", "x", "acer", "gp", "random", "handcrafted",
          "master", "summary", "all", "none", "dstc2", "set1", "unfriendly", "paper", "nowhere/x", ".", "é",
          "gamma=0.5", "hidden=3", "hidden=", "=", "minibatch=2", "9" * 24, "capacity=" + "9" * 24, "a\0b",
          "--", "gamma"]
OPTIONS = ["--agent", "--space", "--preset", "--set", "--domain", "--environment", "--mask", "--error-rate", "--nbest",
           "--test-dialogues", "--seed", "mine", "--without", "--grow-after",
           "--demonstrations", "--demonstrator", "--png", "--report", "--simulate", "--results", "--what", "-h"]
# Whatever else is asked for, it is small: the last of two options that are equal counts.
COMMANDS = {"train": (train, ["--dialogues", "2", "--test-dialogues", "1"]), "watch": (watch, ["--dialogues", "2"]),
            "chat": (chat, ["--dialogues", "2"]), "compare": (compare, []),
            "human_evaluation": (human_evaluation, ["--dialogues", "2", "--report"])}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_line_ends_in_a_traceback(name, tmp_path, monkeypatch, capsys):
    """50 random ones, made of options and values that fit one another or not."""
    module, small = COMMANDS[name]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(train, "draw", lambda *_: None)
    rng, codes = np.random.default_rng(0), set()
    for _ in range(50):
        words = [str(rng.choice(VALUES if i % 2 else OPTIONS)) for i in range(int(rng.integers(1, 7)))]
        try:
            codes.add(module.main([*words, *small]))
        except SystemExit as end:
            codes.add(end.code)
            message = capsys.readouterr().err
            assert end.code == 0 or message.splitlines()[-1].startswith(f"python -m demos.{name}: "), words
    assert codes <= {0, 2} and 2 in codes


# ---- terminals and signals

@pytest.mark.parametrize("seconds", [0.1, 0.9])
def test_an_interrupt_at_any_moment_leaves_no_traceback_of_ours(seconds, tmp_path):
    process = start("train", "mine", "--dialogues", "100000", cwd=tmp_path,
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))     # also where tests ignore it
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)                       # the second one stops at once
    _, errors = process.communicate(timeout=60)
    assert process.returncode in (1, 130, -signal.SIGINT) and not (b"Traceback" in errors and b"/demos/" in errors)


def test_a_terminal_that_lacks_letters_gets_question_marks(tmp_path):
    name = os.fsdecode(b"out-\xff-\xce\xb4")                 # no text, and a δ
    process = start("train", name, "--agent", "random", "--test-dialogues", "1", cwd=tmp_path,
                    env={"PYTHONIOENCODING": "cp1252", "LC_ALL": "C.UTF-8"})
    shown, errors = process.communicate(timeout=60)
    assert process.returncode == 0 and errors == b"" and b"The run is in out-?-?/" in shown


# ---- threads

LIBRARIES = """
import ctypes, os, re, numpy, scipy.linalg

def threads():
    numpy.ones((500, 500)) @ numpy.ones((500, 500))
    found = []
    for path in sorted(set(re.findall(r"/\\S*openblas\\S*", open("/proc/self/maps").read()))):
        library = ctypes.CDLL(path)
        names = [f"{start}openblas_get_num_threads{end}" for start in ("scipy_", "") for end in ("64_", "")]
        found += [getattr(library, name)() for name in names if hasattr(library, name)][:1]
    return found

before, surroundings = threads(), dict(os.environ)
import acer_np, gp_sarsa, simulator, demos
print(before == threads() and surroundings == dict(os.environ), max(before, default=2))
"""
TRAINING = """
import demos; demos.fix_arithmetic()
import hashlib
from demos.settings import Setting
from demos.training import Run
run = Run(Setting(dialogues=60, test_dialogues=1), 0)
list(run.train())
print(hashlib.sha256(run.agent.learner.params.tobytes()).hexdigest())
"""


def test_commands_have_one_thread_and_the_kernel_for_haswell_unless_another_is_asked_for(monkeypatch):
    monkeypatch.setattr(os, "environ", {})
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    demos.fix_arithmetic()
    assert (os.environ["OPENBLAS_NUM_THREADS"], os.environ.pop("OPENBLAS_CORETYPE")) == ("1", "Haswell")
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    demos.fix_arithmetic()
    assert "OPENBLAS_CORETYPE" not in os.environ


def output(script, **threads):
    """Of a script of one's own."""
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith(("OPENBLAS", "MKL"))}
    return subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=surroundings | threads, check=True, timeout=120,
                          capture_output=True, text=True).stdout


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux tells which libraries are loaded")
def test_importing_our_packages_leaves_the_process_as_it_was():
    assert output(LIBRARIES, OPENBLAS_NUM_THREADS="2").split() == ["True", "2"]


def test_results_do_not_depend_on_the_number_of_threads_that_were_asked_for():
    assert output(TRAINING, OPENBLAS_NUM_THREADS="1") == output(TRAINING, OPENBLAS_NUM_THREADS="2")
