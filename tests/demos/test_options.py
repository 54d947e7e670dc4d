"""The options that say what is trained and where: shared by train, watch and chat."""
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from demos import chat, train, watch
from demos.agents import check_memory, make_env
from demos.console import Parser
from demos.options import QUICK, add_options, setting_of
from demos.settings import Setting

ROOT = Path(__file__).parent.parent.parent
TINY = ["--dialogues", "6", "--test-dialogues", "3"]


def setting_from(*options, default=Setting()):
    p = Parser()
    add_options(p, default)
    return setting_of(p.parse_args(options), default, None)


def refusal(main, capsys, *options):
    """The one line with which a command refuses its options."""
    with pytest.raises(SystemExit) as stopped:
        main(list(options))
    message = capsys.readouterr().err
    assert stopped.value.code == 2 and message.count("\n") == 1
    return message


# ---- environments

@pytest.mark.parametrize("n, expected", [(1, (0.0, 1, "sampled", "default", "sampled", "all")),
                                         (2, (0.0, 1, "sampled", "default", "sampled", "bye")),
                                         (5, (0.15, 5, "dstc2", "set1", "unfriendly", "all")),
                                         (6, (0.3, 5, "dstc2", "set3", "sampled", "all"))])
def test_an_environment_is_short_for_six_options(n, expected):
    def surroundings(*options, default):
        found = setting_from("--environment", str(n), *options, default=default)
        return found.error_rate, found.nbest, found.channel, found.tables, found.user, found.mask
    assert surroundings(default=Setting()) == surroundings(default=QUICK) == expected    # none of QUICK's noise is left
    assert surroundings("--nbest", "2", default=QUICK) == (expected[0], 2, *expected[2:])


def test_single_options_reach_the_environment():
    setting = setting_from("--mask", "none", "--error-rate", "0.5", "--nbest", "3", "--space", "master", "--channel",
                           "dstc2", "--tables", "set3", "--user", "unfriendly")
    assert setting == Setting(mask="none", error_rate=0.5, nbest=3, space="master", channel="dstc2", tables="set3",
                              user="unfriendly")
    env = make_env(setting)
    assert (env.channel.error_rate, env.channel.nbest) == (0.5, 3) and env.system.actions.is_master
    assert env.reset(seed=0)[1]["action_mask"].all()


# ---- hyperparameters

def test_hyperparameters_are_set_checked_and_recorded(tmp_path, capsys):
    options = ["--set", "kl_limit=inf", "--set", "hidden=9,8", "--set", "behaviour=greedy", "--set", "head_init=0.5"]
    assert train.main([*TINY, "--out", str(tmp_path), *options, "--preset", "paper", "--set", "minibatch=3"]) == 0
    record = json.loads((tmp_path / "run.json").read_text())
    config = record["config"]
    assert (config["kl_limit"], config["hidden"], config["minibatch"], config["head_init"]) == (np.inf, [9, 8], 3, 0.5)
    assert config["epsilon"] == 0.95 and record["setting"]["preset"] == "paper" and "numpy" in record["made with"]
    for option, words in (("kl_limit=-1", "kl_limit is -1.0, expected"), ("kl=1", "hyperparameter is 'kl', expected"),
                          ("minibatch=2.5", "minibatch is 2.5"), ("minibatch", "minibatch is ''"), ("=3", "''"),
                          ("hidden=a", "hidden"), ("hidden=0", "hidden"), ("gamma=x", "gamma is 'x'"),
                          ("dtype=int8", "int8"), ("paper=3", "'paper'")):
        assert words in refusal(train.main, capsys, "--set", option)
    assert "no hyperparameters" in refusal(train.main, capsys, "--agent", "random", "--set", "gamma=1")
    assert "expected ours for agent gp" in refusal(train.main, capsys, "--agent", "gp", "--preset", "paper")


def test_a_hyperparameter_at_its_default_is_as_good_as_not_given():
    assert setting_from("--set", "gamma=0.99", "--set", "minibatch=64") == Setting()


# ---- domains

@pytest.fixture
def toys(tmp_path):
    return small_files(tmp_path, "toys")


def small_files(folder, name):
    """Another domain in PyDial's two files."""
    slots = {"size": ["big", "small"], "colour": ["red", "blue"], "name": list("abcdefgh")}
    ontology = {"type": "toy", "informable": slots, "requestable": list(slots),
                "system_requestable": ["size", "colour"],
                "method": ["none", "byconstraints", "byname", "byalternatives", "finished", "restart"],
                "discourseAct": ["none", "hello", "repeat", "silence", "thankyou", "ack"]}
    (folder / f"{name}-rules.json").write_text(json.dumps(ontology))
    with closing(sqlite3.connect(folder / f"{name}-dbase.db")) as database, database:
        database.execute(f"CREATE TABLE {name} (name TEXT, size TEXT, colour TEXT)")
        database.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)",
                             zip("abcdefgh", ["big", "small"] * 4, ["red"] * 4 + ["blue"] * 4))
    return ["--domain", str(folder / f"{name}-rules.json"), str(folder / f"{name}-dbase.db")]


def test_a_run_in_another_domain_is_used_in_that_domain_only(toys, tmp_path, capsys):
    snapshot, out = str(tmp_path / "snapshot"), ["--out", str(tmp_path / "out")]
    assert train.main([*TINY, *out, *toys, "--save", snapshot]) == 0
    assert json.loads((tmp_path / "out" / "run.json").read_text())["setting"]["domain"] == "toys"
    assert "toy" in capsys.readouterr().out
    for main, option in ((train.main, "--resume"), (watch.main, "--policy"), (chat.main, "--policy")):
        built_in = refusal(main, capsys, option, snapshot)
        assert "its domain is toys, expected the built-in" in built_in and "--domain" in built_in
        other = refusal(main, capsys, option, snapshot, *small_files(tmp_path, f"{main.__module__[6:]}2"))
        assert "its domain is toys, expected" in other and "built-in" not in other
    assert train.main(["--resume", snapshot, *toys, *out]) == 0 == watch.main(["--policy", snapshot, *toys])
    with closing(sqlite3.connect(toys[2])) as database, database:
        database.execute("DELETE FROM toys WHERE name = 'h'")
    assert "expected toys with the same contents" in refusal(train.main, capsys, "--resume", snapshot, *toys)
    assert "1 files, expected" in refusal(train.main, capsys, *toys[:2])


def test_a_policy_may_be_watched_elsewhere_but_must_be_the_one_asked_for(tmp_path, capsys):
    snapshot = str(tmp_path / "snapshot")
    assert train.main([*TINY, "--out", str(tmp_path), "--save", snapshot]) == 0
    assert watch.main(["--policy", snapshot, "--environment", "6"]) == 0
    assert "acer-summary-mask after 6 dialogues of training, 30 % error" in capsys.readouterr().out
    assert "agent of snapshot" in refusal(watch.main, capsys, "--policy", snapshot, "--agent", "gp")


# ---- cost

def test_what_does_not_fit_in_memory_is_refused_and_what_hardly_does_is_announced(monkeypatch, capsys):
    monkeypatch.setattr("os.sysconf", lambda name: {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 2 ** 20}[name])
    check_memory(1_600_000_000, "gp")                       # of 4.3 GB
    assert capsys.readouterr().err == "gp needs 1.6 GB of memory, and twice that while it is saved\n"
    check_memory(100_000_000, "gp")
    assert capsys.readouterr().err == ""
    with pytest.raises(ValueError, match="memory is 4.3 GB, expected 5.0 GB for gp"):
        check_memory(5_000_000_000, "gp")


@pytest.mark.parametrize("name", ["train", "watch", "chat", "human_evaluation"])
def test_no_command_loads_matplotlib_before_it_draws(name):
    script = f"import sys, demos.{name}; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT).returncode == 0
