"""What a hostile or unlucky user meets: damaged snapshots, random command lines, odd terminals, threads."""
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from demos import chat, human_evaluation, train, watch
from demos.files import read_arrays, write_arrays
from demos.settings import Setting
from demos.training import Run

ROOT = Path(__file__).parent.parent.parent


def start(name, *options, **how):
    """A command in a process of its own."""
    surroundings = os.environ | {"PYTHONPATH": str(ROOT)} | how.pop("env", {})
    return subprocess.Popen([sys.executable, "-m", f"demos.{name}", *options], env=surroundings,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)


# ---- snapshots

@pytest.fixture(scope="module", params=["acer", "gp"])
def snapshot(request, tmp_path_factory):
    """Of a short run; with the agent's other hyperparameters a small one."""
    run = Run(Setting(agent=request.param, dialogues=2, test_dialogues=1, tests=("greedy",)), 0)
    list(run.train())
    path = tmp_path_factory.mktemp("snapshots") / "whole.npz"
    run.save(path)
    return path


@pytest.mark.parametrize("kind", ["flipped bits", "cut", "zeros", "shuffled"])
def test_a_damaged_snapshot_is_refused_in_one_sentence_or_is_as_good_as_new(snapshot, kind, tmp_path):
    """25 of each kind and agent; most damage the directory at the end or the headers, where the formats are fragile."""
    whole, path = snapshot.read_bytes(), tmp_path / "damaged.npz"
    rng, refused = np.random.default_rng(len(kind)), 0
    expected = read_arrays(snapshot)
    for i in range(25):
        content = bytearray(whole)
        at = int(len(whole) - rng.integers(1, 2000) if i % 2 else rng.integers(len(whole)))
        if kind == "flipped bits":
            content[at] ^= 1 << int(rng.integers(8))
        elif kind == "cut":
            content = content[:at]
        elif kind == "zeros":
            content[at:at + 20] = bytes(len(content[at:at + 20]))
        else:
            content[at:at + 200] = rng.permutation(content[at:at + 200]).astype(np.uint8).tobytes()
        path.write_bytes(content)
        try:
            header, arrays = read_arrays(path)
            assert header == expected[0] and arrays.keys() == expected[1].keys()
            assert all(np.array_equal(arrays[name], array) for name, array in expected[1].items())
        except ValueError as error:
            assert "\n" not in str(error) and "damaged.npz is damaged or not a snapshot: " in str(error)
            refused += 1
    assert refused > 10


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06" + bytes(18), b"\x93NUMPY", b"\x80\x04K\x01.", b"{}"])
def test_what_is_no_snapshot_is_refused(content, tmp_path):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(ValueError, match="damaged or not a snapshot"):
        read_arrays(tmp_path / "file")


def test_a_header_that_lacks_something_is_refused(snapshot, tmp_path):
    header, arrays = read_arrays(snapshot)
    for part in ("run", "domain", "agent"):
        write_arrays(tmp_path / "less", {name: value for name, value in header.items() if name != part}, arrays)
        with pytest.raises(ValueError, match="less cannot be used"):
            Run.load(tmp_path / "less")
    for name in arrays.keys() - {"lengths"}:                 # without which the memory is one of no dialogues
        write_arrays(tmp_path / "less", header, {other: array for other, array in arrays.items() if other != name})
        with pytest.raises(ValueError, match="less cannot be used"):
            Run.load(tmp_path / "less")


# ---- random command lines

VALUES = ["0", "1", "2", "-1", "0.5", "1e9", "nan", "inf", "", " ", "x", "acer", "gp", "random", "handcrafted",
          "master", "summary", "all", "none", "dstc2", "set1", "unfriendly", "paper", "nowhere/x", ".", "é",
          "gamma=0.5", "hidden=3", "hidden=", "=", "minibatch=2", "9" * 24, "capacity=" + "9" * 24, "a\0b",
          "--", "gamma"]
OPTIONS = ["--agent", "--space", "--preset", "--set", "--domain", "--environment", "--mask", "--error-rate", "--nbest",
           "--channel", "--tables", "--user", "--test-dialogues", "--seed", "--save", "--resume", "--out", "--policy",
           "--text", "--png", "--report", "--simulate", "--results", "--what", "-h"]
# Whatever else is asked for, it is small: the last of two options that are equal counts.
COMMANDS = {"train": (train, ["--dialogues", "2", "--test-dialogues", "1"]), "watch": (watch, ["--dialogues", "2"]),
            "chat": (chat, ["--dialogues", "2"]),
            "human_evaluation": (human_evaluation, ["--dialogues", "2", "--report"])}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_line_ends_in_a_traceback(name, tmp_path, monkeypatch, capsys):
    """100 random ones, made of options and values that fit one another or not."""
    module, small = COMMANDS[name]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    rng, codes = np.random.default_rng(0), set()
    for _ in range(100):
        words = [str(rng.choice(VALUES if i % 2 else OPTIONS)) for i in range(int(rng.integers(1, 7)))]
        try:
            codes.add(module.main([*words, *small]))
        except SystemExit as end:
            codes.add(end.code)
            message = capsys.readouterr().err
            assert end.code == 0 or message.splitlines()[-1].startswith(f"python -m demos.{name}: "), words
    assert codes <= {0, 2} and 2 in codes


# ---- terminals and signals

@pytest.mark.parametrize("seconds", [0.1, 0.2, 0.4, 0.8])
def test_an_interrupt_at_any_moment_leaves_no_traceback_of_ours(seconds, tmp_path):
    process = start("train", "--dialogues", "100000", "--out", str(tmp_path), cwd=tmp_path,
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))     # also where tests ignore it
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)                       # the second one stops at once
    _, errors = process.communicate(timeout=60)
    assert process.returncode in (1, 130, -signal.SIGINT) and not (b"Traceback" in errors and b"/demos/" in errors)


def test_a_reader_that_leaves_ends_the_command_quietly(tmp_path):
    command = f"{sys.executable} -m demos.train --dialogues 2 --test-dialogues 1 | head -1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], cwd=tmp_path, capture_output=True, timeout=60,
                          env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"})
    assert done.stderr == b"" and done.stdout.count(b"\n") == 1 and done.returncode in (0, 128 + signal.SIGPIPE)


def test_a_terminal_that_lacks_letters_gets_question_marks(tmp_path):
    name = os.fsdecode(b"out-\xff-\xce\xb4")                 # no text, and a δ
    process = start("train", "--dialogues", "2", "--test-dialogues", "1", "--out", name, cwd=tmp_path,
                    env={"PYTHONIOENCODING": "cp1252", "LC_ALL": "C.UTF-8"})
    shown, errors = process.communicate(timeout=60)
    assert process.returncode == 0 and errors == b"" and b"out-?-?/" in shown


def test_without_streams_a_conversation_ends_at_once(tmp_path):
    command = f"{sys.executable} -m demos.chat --agent handcrafted <&-"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, timeout=60,
                          env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0 and done.stdout.endswith(b"Goodbye!\n") and done.stderr == b""


# ---- threads and memory

LIBRARIES = """
import ctypes, re, numpy, scipy.linalg
numpy.ones((500, 500)) @ numpy.ones((500, 500))
import acer_np
for path in sorted(set(re.findall(r"/\\S*openblas\\S*", open("/proc/self/maps").read()))):
    library = ctypes.CDLL(path)
    for name in ("scipy_openblas_get_num_threads64_", "scipy_openblas_get_num_threads", "openblas_get_num_threads64_",
                 "openblas_get_num_threads"):
        if hasattr(library, name):
            print("scipy" if "scipy.libs" in path else "numpy", getattr(library, name)())
            break
"""
TRAINING = """
import numpy as np
np.ones((500, 500)) @ np.ones((500, 500))
import hashlib
from demos.settings import Setting
from demos.training import Run
run = Run(Setting(dialogues=60, test_dialogues=1), 0)
list(run.train())
print(hashlib.sha256(run.agent.learner.params.tobytes()).hexdigest())
"""

FAULTS = """
import ctypes, resource
import numpy as np
import acer_np
print(int(hasattr(ctypes.CDLL(None), "mallopt")))
def faults():
    for size in (10 ** 5, 10 ** 6, 10 ** 7):
        big, small = np.ones(size, np.int8), np.ones(size, np.int8)
        del small, big
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
faults()
before = faults()
print(faults() - before)
"""


def output(script, **threads):
    """Of a script of one's own, in which NumPy was loaded, and has calculated, before anything of ours."""
    surroundings = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    return subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=surroundings | threads, check=True, timeout=120,
                          capture_output=True, text=True).stdout


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux tells which libraries are loaded")
def test_importing_acer_np_leaves_one_thread_to_numpy_and_scipy():
    lines = output(LIBRARIES, OPENBLAS_NUM_THREADS="2").splitlines()
    threads = {"numpy": "1", "scipy": "1"} | dict(line.split() for line in lines)        # some have another library
    assert set(threads.values()) == {"1"}


def test_results_do_not_depend_on_the_number_of_threads():
    assert output(TRAINING, OPENBLAS_NUM_THREADS="1") == output(TRAINING, OPENBLAS_NUM_THREADS="2")


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc has mallopt")
def test_memory_that_was_dropped_is_used_again_without_asking_the_system():
    mallopt, fresh = map(int, output(FAULTS).split())
    assert fresh < 100 or not mallopt                        # 5,420 pages of 4 KB, where it was given back


def test_a_record_names_what_it_was_made_with(tmp_path):
    assert train.main(["--dialogues", "1", "--test-dialogues", "1", "--out", str(tmp_path)]) == 0
    made = json.loads((tmp_path / "run.json").read_text())["made with"]
    assert made["numpy"] == np.__version__ and set(made) == {"python", "numpy", "machine", "kept to one thread"}
