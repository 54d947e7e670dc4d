"""The training command: a run is a folder, it goes on as if it had never stopped, and nothing is lost."""
import errno
import shlex
import signal
from functools import partial

import pytest

import demos
from demos import train
from demos.diagnostics import remark
from demos.files import read_arrays
from demos.records import from_line
from demos.settings import TRAINABLE
from demos.training import SNAPSHOT, Run
from simulator.env import DialogueEnv
from tests.demos.commands import refused

DRAW = train.draw
TINY = ["--dialogues", "6", "--test-dialogues", "2"]
refusal = partial(refused, train.main)


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """An empty folder to work in, a snapshot after every test, and no pictures, which take their time."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(train, "draw", lambda *_: None)
    monkeypatch.setattr("demos.training.PAUSE", 0.0)
    return tmp_path


def result(folder):
    return from_line((folder / "result.json").read_text())


def before_dialogue(monkeypatch, n, happens):
    """Something happens just before the n-th training dialogue."""
    train_on_one, count = Run._train_on_one, [0]

    def patched(run):
        count[0] += 1
        if count[0] == n:
            happens()
        return train_on_one(run)
    monkeypatch.setattr(Run, "_train_on_one", patched)


def fail(error):
    raise error


# ---- the folder

@pytest.mark.parametrize("agent, space", [("acer", "master"), ("a2c", "summary"), ("enac", "master"), ("gp", "summary"),
                                          ("handcrafted", "summary"), ("random", "master")])
def test_a_run_leaves_its_folder(agent, space, place, capsys):
    assert train.main([*TINY, "--agent", agent, "--space", space, "--seed", "5"]) == 0
    folder = place / "runs" / f"{agent}-{space}-mask-seed5"
    found = result(folder)
    assert {mode: columns["dialogues"] for mode, columns in found.tests.items()} == (
        {mode: [1, 2, 3, 4, 5, 6] for mode in ("greedy", "draw")} if agent in TRAINABLE else {"greedy": [0]})
    assert found.version == demos.__version__ and found.seed == 5 and found.setting.get("agent", "acer") == agent
    diagnostics = {"rho", "truncated", "kl_growth", "binding", "entropy", "critic_error"}
    assert agent != "acer" or diagnostics < found.tests["greedy"].keys()
    assert {path.name for path in folder.iterdir()} == {SNAPSHOT, "result.json"}
    shown = capsys.readouterr().out
    for word in ("handcrafted", "random", "goal ", "system ", "user ", "belief ", "turns, reward", folder.name):
        assert word in shown
    assert Run.load(folder).finished


def test_pictures_are_drawn_of_the_tests_and_of_what_acer_did_meanwhile(place, monkeypatch):
    monkeypatch.setattr(train, "draw", DRAW)
    for agent, pictures in (("acer", ["curve.png", "training.png"]), ("random", ["curve.png"])):
        train.main([agent, *TINY, "--agent", agent])
        assert sorted(path.name for path in (place / agent).glob("*.png")) == pictures
        assert all((place / agent / name).read_bytes().startswith(b"\x89PNG") for name in pictures)


def test_the_same_command_trains_anew_and_a_folder_goes_on(place, capsys):
    for _ in range(3):
        train.main(["--dialogues", "1", "--test-dialogues", "1"])
    assert sorted(path.name for path in (place / "runs").iterdir()) == [
        "acer-summary-mask-seed0", "acer-summary-mask-seed0-2", "acer-summary-mask-seed0-3"]
    capsys.readouterr()
    train.main(["mine/first", *TINY])
    first = capsys.readouterr().out
    train.main(["mine/first"])
    notice, _, again = capsys.readouterr().out.partition("\n")
    assert notice == "This run is finished: it had 6 dialogues; ask for more by --dialogues." and again == first


@pytest.mark.parametrize("agent", ["acer", "gp"])
def test_a_finished_run_can_have_more_dialogues(agent, place):
    train.main(["mine", *TINY, "--agent", agent])
    before = result(place / "mine").tests["greedy"]["reward"]
    train.main(["mine", "--dialogues", "9"])
    after = result(place / "mine").tests["greedy"]
    assert after["dialogues"] == [1, 2, 3, 4, 5, 6, 7, 8, 9] and after["reward"][:6] == before
    assert Run.load(place / "mine").agent.n_dialogues == 9


# ---- stopping

@pytest.mark.parametrize("agent", ["acer", "gp"])           # A2C and eNAC keep what ACER keeps
def test_stopped_and_gone_on_is_never_stopped(agent, place, monkeypatch, capsys):
    options, handler = ["--agent", agent, "--dialogues", "25", "--test-dialogues", "1"], signal.getsignal(signal.SIGINT)
    assert train.main(["whole", *options]) == 0
    # Before the 8th, so between two tests: records since the last one wait in the snapshot.
    before_dialogue(monkeypatch, 8, lambda: signal.raise_signal(signal.SIGINT))
    capsys.readouterr()
    assert train.main(["some parts", *options]) == 130
    *_, stopped, command = capsys.readouterr().out.splitlines()
    assert stopped == "Stopped after 8 of 25 dialogues; to go on:" and command.startswith("python -m demos.train ")
    assert result(place / "some parts").tests["greedy"]["dialogues"] == [3, 6]
    seconds = Run.load("some parts").seconds
    assert train.main(shlex.split(command)[3:]) == 0 and signal.getsignal(signal.SIGINT) is handler
    whole, parts = (result(place / name) for name in ("whole", "some parts"))
    assert whole._replace(cpu=parts.cpu) == parts and all(parts.cpu[kind] > seconds[kind] > 0 for kind in seconds)
    (header, arrays), (other, others) = (read_arrays(place / name / SNAPSHOT) for name in ("whole", "some parts"))
    header["state"]["seconds"] = other["state"]["seconds"]
    assert header == other and all(arrays[name].tobytes() == others[name].tobytes() for name in arrays | others)


def test_a_run_that_is_stopped_while_its_first_snapshot_is_written_goes_on(monkeypatch):
    save = Run.save
    with monkeypatch.context() as patched:
        patched.setattr(Run, "save", lambda run, folder: (signal.raise_signal(signal.SIGINT), save(run, folder)))
        assert train.main(["mine", *TINY]) == 130
    assert train.main(["mine"]) == 0 and Run.load("mine").finished


def test_a_second_interrupt_stops_at_once_and_keeps_what_was_tested(place, monkeypatch, capsys):
    before_dialogue(monkeypatch, 5, lambda: monkeypatch.setattr(
        DialogueEnv, "step", lambda *_: fail(KeyboardInterrupt)))
    assert train.main(["mine", *TINY]) == 130
    assert "python -m demos.train mine\n" in capsys.readouterr().out
    assert result(place / "mine").tests["draw"]["dialogues"] == [1, 2, 3, 4] and Run.load("mine").n_dialogues == 4
    assert not list((place / "mine").glob(".*"))


def test_snapshots_are_written_now_and_then(monkeypatch):
    monkeypatch.setattr("demos.training.PAUSE", 1e9)
    saved, save = [], Run.save
    monkeypatch.setattr(Run, "save", lambda run, folder: (saved.append(run.n_dialogues), save(run, folder)))
    train.main(["mine", *TINY])
    assert saved == [0, 6]


# ---- what goes wrong

def test_learning_that_diverges_is_said_and_what_was_before_is_kept(place, monkeypatch, capsys):
    before_dialogue(monkeypatch, 4, lambda: fail(ValueError("the gradient has an entry of inf")))
    with pytest.raises(SystemExit):
        train.main(["mine", *TINY])
    shown = capsys.readouterr()
    assert "learning ended after 3 dialogues: the gradient has an entry of inf; mine holds" in shown.err
    assert [line.split()[0] for line in shown.out.splitlines()] == ["dialogues", *"123", "handcrafted", "random"]
    assert Run.load("mine").n_dialogues == 3


def test_a_full_disk_and_a_broken_matplotlib_lose_nothing_that_was_kept_or_told(place, monkeypatch, capsys):
    def full(run, folder):
        if run.n_dialogues == 6:
            raise OSError(errno.ENOSPC, "No space left on device", "mine/snapshot.npz")
        save(run, folder)
    save = Run.save
    monkeypatch.setattr(Run, "save", full)
    with pytest.raises(SystemExit):
        train.main(["mine", *TINY])
    shown = capsys.readouterr()
    assert "No space left on device: 'mine/snapshot.npz'" in shown.err and "\n6  " in shown.out
    monkeypatch.undo()
    monkeypatch.chdir(place)
    monkeypatch.setattr(train, "draw", lambda *_: fail(ValueError("Key backend: 'bogus'")))
    assert "backend: 'bogus'" in refusal(capsys, "mine")
    assert len(result(place / "mine").tests["greedy"]["reward"]) == 6


@pytest.mark.parametrize("options, words", [
    (["--agent", "acr"], "did you mean acer?"), (["--agnt", "gp"], "did you mean --agent?"),
    (["--dialogues", "0"], "whole number from 1 to 1000000000"), (["--dialogues", "ten"], "'ten'"),
    (["--error-rate", "1.5"], "from 0 to 1"), (["--error-rate", "nan"], "nan"), (["--nbest", "101"], "from 1 to 100"),
    (["--seed", "-1"], "--seed"), (["--test-dialogues", "0"], "--test-dialogues"), (["--environment", "7"], "7"),
    (["a", "b"], "b"), (["other"], "other holds thing and no run"), (["other/thing"], "other/thing"),
    (["other/thing/x"], "other/thing")])
def test_a_mistake_is_one_clear_line_before_anything_is_trained(options, words, place, capsys):
    (place / "other").mkdir()
    (place / "other" / "thing").write_text("in the way")
    assert words in refusal(capsys, *options)
    assert [path.name for path in place.rglob("*")] == ["other", "thing"]


def test_a_run_that_does_not_fit_is_refused(place, monkeypatch, capsys):
    train.main(["mine", *TINY, "--seed", "5"])
    for option, value, words in (("--seed", "0", "seed of mine is 5, expected 0"),
                                 ("--dialogues", "5", "dialogues of mine is 6, expected 5"),
                                 ("--agent", "gp", "agent of mine is acer, expected gp"),
                                 ("--mask", "bye", "mask of mine is all"), ("--set", "gamma=0.5", "overrides of mine")):
        assert words in refusal(capsys, "mine", option, value)
    snapshot = place / "mine" / SNAPSHOT
    whole = snapshot.read_bytes()
    monkeypatch.setattr(demos, "__version__", "99")
    assert "cannot be used: its version is" in refusal(capsys, "mine")
    snapshot.write_bytes(whole[:-200])
    assert "snapshot.npz is damaged, or no snapshot of this project" in refusal(capsys, "mine")


def test_a_remark_is_made_only_where_something_is_worth_it():
    fine = {"entropy": 0.4, "binding": 0.5, "critic_error": 0.1}
    assert remark([]) == remark([fine]) == remark([{"test": "greedy"}]) == ""
    assert "diverging: its squared error rose from 0.1 to 3" in remark([fine, fine | {"critic_error": 3.0}])
    assert remark([fine | {"critic_error": 0.001}, fine]) == ""                  # 100 times the least, but small
    assert "entropy of the policy fell to 0.003" in remark([fine, fine | {"entropy": 0.003}])
    assert "binds in 97 %" in remark([fine | {"binding": 0.97}])
