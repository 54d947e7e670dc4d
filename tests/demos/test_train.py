"""The training command: every agent, stopping and resuming, refusals."""
import json
import signal
from functools import partial
from pathlib import Path

import pytest

import demos
from demos import train
from demos.diagnostics import remark
from demos.files import from_csv
from demos.settings import TRAINABLE
from demos.training import Run
from simulator.env import DialogueEnv

TINY = ["--dialogues", "6", "--test-dialogues", "3"]


def run_main(folder, *options):
    return train.main([*TINY, "--out", str(folder), *options])


# ---- the command

@pytest.mark.parametrize("space", ["summary", "master"])
@pytest.mark.parametrize("agent", [*TRAINABLE, "handcrafted", "random"])
def test_every_agent_trains_in_both_spaces_and_leaves_its_files(agent, space, tmp_path, capsys):
    assert run_main(tmp_path, "--agent", agent, "--space", space, "--seed", "5") == 0
    rows = [(int(row["dialogues"]), row["test"]) for row in from_csv((tmp_path / "curve.csv").read_text())]
    tested = [(n, mode) for n in (1, 2, 3, 4, 5, 6) for mode in ("greedy", "draw")]
    assert rows == (tested if agent in TRAINABLE else [(0, "greedy")])
    record = json.loads((tmp_path / "run.json").read_text())
    assert record["version"] == demos.__version__ and record["seed"] == 5 and record["setting"]["agent"] == agent
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert {path.name for path in tmp_path.iterdir()} == {"curve.csv", "curve.png", "run.json",
                                                          *["training.png"] * (agent == "acer")}
    shown = capsys.readouterr().out
    for word in ("handcrafted", "random", "goal ", "system ", "user ", "belief ", "turns, reward", str(tmp_path)):
        assert word in shown


def test_the_diagnostics_of_acer_are_in_the_table(tmp_path):
    run_main(tmp_path)
    header = (tmp_path / "curve.csv").read_text().splitlines()[0]
    for name in ("rho", "truncated", "kl_growth", "binding", "entropy", "critic_error"):
        assert name in header.split(",")


# ---- what is worth noticing

def test_a_remark_is_made_only_where_something_is_worth_it():
    fine = {"entropy": 0.4, "binding": 0.5, "critic_error": 0.1}
    assert remark([]) == remark([fine]) == remark([{"test": "greedy"}]) == ""
    assert "diverging: its squared error is 3" in remark([fine, fine | {"critic_error": 3.0}])
    assert remark([fine | {"critic_error": 0.001}, fine]) == ""                  # 100 times the least, but small
    assert "entropy of the policy is gone (0.003)" in remark([fine, fine | {"entropy": 0.003}])
    assert "binds in 97 %" in remark([fine | {"binding": 0.97}])


# ---- stopping and resuming

def before_dialogue(monkeypatch, n, happens):
    """Something happens just before the n-th training dialogue."""
    train_on_one, count = Run._train_on_one, [0]

    def patched(run):
        count[0] += 1
        if count[0] == n:
            happens()
        return train_on_one(run)
    monkeypatch.setattr(Run, "_train_on_one", patched)


def interrupt(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("agent", TRAINABLE)
def test_stopped_and_resumed_is_never_stopped(agent, tmp_path, monkeypatch, capsys):
    options = ["--agent", agent, "--dialogues", "25", "--test-dialogues", "2", "--seed", "4"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    snapshot, final, straight = (str(tmp_path / name) for name in ("snapshot", "final", "straight"))
    assert train.main([*options, "--out", str(whole), "--save", straight]) == 0

    # Before the 8th, so between two tests: records since the last one wait in the snapshot.
    before_dialogue(monkeypatch, 8, lambda: signal.raise_signal(signal.SIGINT))
    capsys.readouterr()
    assert train.main([*options, "--out", str(parts), "--save", snapshot]) == 130
    shown = capsys.readouterr().out
    assert "8 of 25" in shown and f"--resume {snapshot}" in shown
    assert len(from_csv((parts / "curve.csv").read_text())) == 4
    monkeypatch.undo()

    assert train.main(["--resume", snapshot, "--out", str(parts), "--save", final]) == 0
    for name in ("curve.csv", "run.json", "curve.png"):
        assert (whole / name).read_bytes() == (parts / name).read_bytes()
    assert Path(final).read_bytes() == Path(straight).read_bytes()


def test_a_second_interrupt_stops_at_once_and_keeps_the_curve(tmp_path, monkeypatch, capsys):
    before_dialogue(monkeypatch, 5, lambda: monkeypatch.setattr(DialogueEnv, "step", interrupt))
    assert run_main(tmp_path, "--save", str(tmp_path / "snapshot")) == 130
    assert len(from_csv((tmp_path / "curve.csv").read_text())) == 8
    assert "to go on from 4" in capsys.readouterr().out
    assert Run.load(tmp_path / "snapshot").n_dialogues == 4
    assert not list(tmp_path.glob(".*"))


def test_an_interrupt_before_anything_was_saved_says_so(tmp_path, monkeypatch, capsys):
    before_dialogue(monkeypatch, 1, interrupt)
    assert run_main(tmp_path) == 130
    assert "nothing to resume from" in capsys.readouterr().out
    assert not (tmp_path / "curve.csv").exists()


def test_the_handler_of_interrupts_is_put_back(tmp_path):
    before = signal.getsignal(signal.SIGINT)
    run_main(tmp_path)
    assert signal.getsignal(signal.SIGINT) is before


def test_resuming_a_finished_run_says_so_and_repeats_its_report(tmp_path, capsys):
    run_main(tmp_path / "a", "--save", str(tmp_path / "snapshot"))
    first = capsys.readouterr().out
    assert train.main(["--resume", str(tmp_path / "snapshot"), "--out", str(tmp_path / "a")]) == 0
    notice, _, again = capsys.readouterr().out.partition("\n")
    assert notice == "This run is finished: it had 6 dialogues; ask for more by --dialogues." and again == first


@pytest.mark.parametrize("agent", TRAINABLE)
def test_a_finished_run_can_have_more_dialogues(agent, tmp_path, capsys):
    snapshot = tmp_path / "snapshot"
    run_main(tmp_path / "a", "--save", str(snapshot), "--agent", agent)
    capsys.readouterr()
    files = ["--resume", str(snapshot), "--save", str(snapshot), "--out", str(tmp_path)]
    assert train.main([*files, "--dialogues", "9"]) == 0
    assert ("planned for 6 dialogues" in capsys.readouterr().out) == (agent != "gp")        # whose schedule is its own
    run, before = Run.load(snapshot), from_csv((tmp_path / "a" / "curve.csv").read_text())
    assert run.finished and run.n_dialogues == run.agent.n_dialogues == 9
    assert [row["dialogues"] for row in run.curve[::2]] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert [str(row["reward"]) for row in run.curve[:12]] == [row["reward"] for row in before]
    assert "dialogues of snapshot" in refusal(capsys, "--resume", str(snapshot), "--dialogues", "8")


# ---- refusals

def refused(main, capsys, *options):
    """The one line with which a command refuses its options."""
    with pytest.raises(SystemExit) as stopped:
        main(list(options))
    message = capsys.readouterr().err
    assert stopped.value.code == 2 and message.count("\n") == 1
    return message


refusal = partial(refused, train.main)


@pytest.mark.parametrize("options, words", [
    (["--agent", "dqn"], "dqn"), (["--space", "large"], "large"), (["--dialogues", "0"], "whole number from 1"),
    (["--dialogues", "ten"], "'ten'"), (["--error-rate", "1.5"], "from 0 to 1"), (["--error-rate", "nan"], "nan"),
    (["--nbest", "0"], "--nbest"), (["--seed", "-1"], "--seed"), (["--test-dialogues", "0"], "--test-dialogues"),
    (["--resume", "nowhere.npz"], "nowhere.npz does not exist"), (["--colour"], "--colour"),
    (["--agent", "random", "--save", "x.npz"], "does not learn"), (["--dialogues", "1" + 23 * "0"], "to 1000000000"),
    (["--nbest", "1" + 23 * "0"], "from 1 to 100"), (["--environment", "7"], "--environment"),
    (["--no-mask"], "--no-mask")])
def test_a_mistake_is_one_clear_line(options, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert words in refusal(capsys, *options)
    assert not list(tmp_path.iterdir())


def test_snapshots_that_do_not_fit_are_refused(tmp_path, monkeypatch, capsys):
    snapshot = tmp_path / "snapshot"
    run_main(tmp_path, "--save", str(snapshot))
    for option, value, word in (("--seed", "9", "seed of snapshot"), ("--dialogues", "5", "is 6, expected 5"),
                                ("--agent", "gp", "is acer, expected gp"), ("--mask", "bye", "is all, expected bye"),
                                ("--set", "gamma=0.5", "overrides of snapshot")):
        assert word in refusal(capsys, "--resume", str(snapshot), option, value)
    assert "exists already" in refusal(capsys, "--save", str(snapshot))
    assert "no/such/x.npz" in refusal(capsys, "--save", "no/such/x.npz", "--out", str(tmp_path))
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert "file" in refusal(capsys, "--out", str(blocked))

    half = tmp_path / "half"
    half.write_bytes(snapshot.read_bytes()[:-200])
    assert "damaged" in refusal(capsys, "--resume", str(half))
    assert "damaged" in refusal(capsys, "--resume", str(blocked))
    monkeypatch.setattr(demos, "__version__", "99")
    assert "version" in refusal(capsys, "--resume", str(snapshot))
