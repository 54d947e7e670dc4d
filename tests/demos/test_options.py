"""The options that say what is trained and where: shared by train, watch and chat."""
from dataclasses import fields

import numpy as np
import pytest

from demos import chat, train, watch
from demos.agents import make_env
from demos.console import Parser
from demos.options import QUICK, add_options, setting_of
from demos.settings import TRAINABLE, Setting, make_config
from tests.demos.commands import domain_files, refused

TINY = ["--dialogues", "2", "--test-dialogues", "1"]


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """An empty folder, and no pictures, which take their time."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(train, "draw", lambda *_: None)


def setting_from(*options, default=Setting()):
    p = Parser("")
    add_options(p, default, "", "")
    return setting_of(p.parse_args(options), default, None)


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
    setting = setting_from("--mask", "none", "--error-rate", "0.5", "--nbest", "3", "--space", "master")
    assert setting == Setting(mask="none", error_rate=0.5, nbest=3, space="master")
    env = make_env(setting)
    assert (env.channel.error_rate, env.channel.nbest) == (0.5, 3) and env.system.actions.is_master
    assert env.reset(seed=0)[1]["action_mask"].all()


# ---- hyperparameters

def test_hyperparameters_are_set():
    setting = setting_from("--set", "kl_limit=inf", "--set", "hidden=9,8", "--set", "behaviour=greedy", "--set",
                           "minibatch=3", "--preset", "paper")
    config = make_config(setting)
    assert (config.kl_limit, config.hidden, config.behaviour, config.minibatch) == (np.inf, (9, 8), "greedy", 3)
    assert config.epsilon == 0.95 and isinstance(config.minibatch, int)


@pytest.mark.parametrize("options, words", [
    (["kl_limit=-1"], "kl_limit is -1.0, expected"), (["kl=1"], "hyperparameter of acer is 'kl', expected"),
    (["kl_limt=1"], "did you mean kl_limit?"), (["minibatch=2.5"], "minibatch is 2.5"),
    (["minibatch"], "minibatch is ''"),
    (["=3"], "''"), (["hidden=a"], "hidden"), (["hidden=0"], "hidden"), (["gamma=x"], "gamma is 'x'"),
    (["dtype=int8"], "int8"), (["learning_rate=1e30"], "learning_rate is 1e+30, expected at most 1e+09, or inf"),
    (["capacity=" + "9" * 30], "capacity is 1e+30, expected at most"), (["reward_scale=nan"], "reward_scale is nan"),
    (["gamma=1", "--agent", "random"], "no hyperparameters"),
    (["noise_std=1e200", "--agent", "gp"], "noise_std is 1e+200"),
    (["gamma=1", "--agent", "gp", "--preset", "paper"], "expected ours for agent gp")])
def test_a_hyperparameter_that_makes_no_sense_is_refused_by_name(options, words, capsys):
    assert words in refused(train.main, capsys, "--set", *options)


@pytest.mark.parametrize("agent", TRAINABLE)
def test_all_hyperparameters_of_an_agent_are_listed_with_value_and_meaning(agent, capsys):
    with pytest.raises(SystemExit) as end:
        train.main(["--agent", agent, "--set", "help", "--dialogues", "77"])
    shown, config = capsys.readouterr().out, make_config(Setting(agent=agent, dialogues=77))
    rows = [line.split() for line in shown.splitlines() if line[0] != " "]
    assert not end.value.code and [row[0].split("=")[0] for row in rows] == [field.name for field in fields(config)]
    assert "gamma=0.99 " in shown and "γ\n" in shown and max(map(len, shown.splitlines())) <= 100
    assert agent == "gp" or "horizon=77 " in shown
    assert agent != "a2c" or "where the importance weight of a turn is cut" in shown


def test_a_hyperparameter_at_its_default_is_as_good_as_not_given():
    assert setting_from("--set", "gamma=0.99", "--set", "minibatch=64") == Setting()
    one, other = ("--set", "gamma=0.9"), ("--set", "minibatch=32")
    assert setting_from(*one, *other) == setting_from(*other, *one)                  # nor does the order matter


# ---- domains

def test_a_run_in_another_domain_is_used_in_that_domain_only(tmp_path, capsys):
    toys, others = (["--domain", *domain_files(tmp_path, name)] for name in ("toys", "other"))
    assert train.main(["mine", *TINY, *toys]) == 0
    assert "toy" in capsys.readouterr().out
    for main in (train.main, watch.main, chat.main):
        built_in = refused(main, capsys, "mine")
        assert "its domain is toys, expected the built-in" in built_in and "--domain" in built_in
        other = refused(main, capsys, "mine", *others)
        assert "its domain is toys, expected" in other and "built-in" not in other
    assert train.main(["mine", *toys]) == 0 == watch.main(["mine", *toys])
    domain_files(tmp_path, "toys", "abcdefg")
    assert "expected toys with the same contents" in refused(train.main, capsys, "mine", *toys)
    assert "1 files, expected" in refused(train.main, capsys, *toys[:2])


def test_a_policy_may_be_watched_elsewhere_but_must_be_the_one_asked_for(capsys):
    assert train.main(["mine", *TINY]) == 0
    assert watch.main(["mine", "--environment", "6"]) == 0
    assert "acer-summary-mask after 2 dialogues of training, 30 % error" in capsys.readouterr().out
    assert "agent of mine" in refused(watch.main, capsys, "mine", "--agent", "gp")


