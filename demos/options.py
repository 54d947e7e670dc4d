"""The options that say what is trained and where: what is not given is not in the namespace.

So a saved run can tell what is asked of it.
"""
import argparse
import inspect
import math
import re
import textwrap
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

from acer_np import ACERConfig
from demos.console import number
from demos.demonstrations import DOUBTS
from demos.settings import AGENTS, TRAINABLE, Setting, make_config, with_overrides
from demos.training import SNAPSHOT
from simulator import ENVIRONMENTS, Domain, load_domain

MOST = 10 ** 9                   # of anything that is counted on a command line
# A few seconds of training; noise leads it to more of the beliefs that people will lead it to.
QUICK = Setting(agent="gp", dialogues=1000, error_rate=0.15, nbest=5, test_dialogues=20, tests=("greedy",))
LEARN_FROM = ("both", "imitation", "memory")
SURROUNDINGS = ("mask", "error_rate", "nbest", "channel", "tables", "user")      # which a policy need not be trained in


def add_options(parser: argparse.ArgumentParser, default: Setting, whom: str, folder: str) -> Callable:
    """What is trained, in which environment; `whom` and `folder` say what the command does with it.

    Returns what adds an option to the first group.
    """
    def group(title: str) -> Callable:
        return partial(parser.add_argument_group(title).add_argument, default=argparse.SUPPRESS)
    add = of_run = group("the run")
    add("folder", nargs="?", type=Path, metavar="FOLDER", default=None, help=folder)
    add("--dialogues", type=number(int, 1, MOST), metavar="N", help=f"Train on N dialogues ({default.dialogues}).")
    add = group("the agent")
    add("--agent", choices=AGENTS, help=f"{whom} ({default.agent}).")
    add("--preset", choices=("ours", "paper"), help=f"Whose hyperparameters ACER has ({default.preset}).")
    add("--set", action="append", metavar="NAME=VALUE",
        help="Set a hyperparameter, as in --set kl_limit=inf; --set help lists those of the agent.")
    add("--space", choices=("summary", "master"),
        help=f"Which actions it has; master actions also choose what to tell ({default.space}).")
    add = group("the environment")
    add("--domain", nargs="+", type=Path, metavar="FILE", help="Take a domain of PyDial: its ontology (.json), its "
        "database (.db) and perhaps a lexicon (.json).")
    add("--environment", type=int, choices=ENVIRONMENTS, help="Take one of the PyDial benchmark, which sets all below.")
    add("--mask", choices=("all", "bye", "none"),
        help=f"Which actions are forbidden while they make no sense ({default.mask}).")
    add("--error-rate", type=number(float, 0, 1), metavar="P",
        help=f"How often users are misheard, from 0 to 1 ({default.error_rate:g}).")
    add("--nbest", type=number(int, 1, 100), metavar="N", help=f"How many hypotheses may be heard ({default.nbest}).")
    add = group("demonstrations and growth")
    add("--demonstrations", type=number(int, 0, MOST), metavar="N",
        help=f"Learn from N dialogues of another policy first ({default.demonstrations}).")
    add("--demonstrator", metavar="NAME",
        help=f"Which one: {', '.join(DOUBTS)}, or the folder of a run ({default.demonstrator}).")
    add("--learn-from", choices=LEARN_FROM, help="Whether a network imitates their choices, remembers them in its "
        f"memory, or both ({default.learn_from}).")
    add("--without", nargs="+", metavar="SLOT", help="Leave slots out at first; --grow-after adds them.")
    add("--grow-after", type=number(int, 1, MOST), metavar="N", help="Add these slots after N dialogues.")
    return of_run


def add_policy_options(parser: argparse.ArgumentParser) -> None:
    """Whom to talk to."""
    add_options(parser, QUICK, "Whom to talk to", "Talk to the policy of this run of demos.train; without it to one "
                "that is trained now and kept, or was before.")


def domain_of(args: argparse.Namespace) -> Domain | None:
    """The domain in the files that were given, if any."""
    paths = getattr(args, "domain", None)
    if paths and not 2 <= len(paths) <= 3:
        raise ValueError(f"--domain has {len(paths)} files, expected an ontology, a database and perhaps a lexicon")
    return load_domain(*paths) if paths else None


def setting_of(args: argparse.Namespace, default: Setting, domain: Domain | None) -> Setting:
    """The default, with what the options change."""
    given = {field.name: getattr(args, field.name) for field in fields(Setting) if field.name in args}
    given |= {"domain": domain.name} if domain else {}
    given |= {"without": tuple(given["without"])} if "without" in given else {}
    if "environment" in args:
        usual = {name: getattr(Setting(), name) for name in SURROUNDINGS}
        given = usual | ENVIRONMENTS[args.environment] | given
    setting, texts = replace(default, **given), getattr(args, "set", [])
    if setting.agent in TRAINABLE:
        if "help" in texts:
            print(explained(setting))
            raise SystemExit
        if setting.agent == "gp" and setting.learn_from != "both":
            raise ValueError(f"learn_from is {setting.learn_from!r}, expected 'both' for gp: it learns from returns")
        return with_overrides(setting, **dict(hyperparameter(setting, text) for text in texts))
    if texts or setting.preset != "ours" or setting.demonstrations or setting.without:
        raise ValueError(f"agent is {setting.agent}, expected one that learns: it has no hyperparameters, and no use "
                         "for demonstrations or growth")
    return replace(setting, tests=("greedy",))


def check_demonstrator(setting: Setting) -> None:
    """Only teaching needs it: a pupil goes on without."""
    if setting.demonstrator not in DOUBTS and not Path(setting.demonstrator, SNAPSHOT).exists():
        raise ValueError(f"demonstrator is {setting.demonstrator!r}, expected {', '.join(DOUBTS)}, or the folder of a "
                         f"run with its {SNAPSHOT}")


def hyperparameter(setting: Setting, text: str) -> tuple[str, object]:
    """(name, value) of NAME=VALUE: a number, a word, or whole numbers with commas where the default has several."""
    name, _, value = text.partition("=")
    default = getattr(make_config(setting), name, None)
    kinds = (lambda words: tuple(map(int, words.split(","))),) if isinstance(default, tuple) else (float,)
    for kind in (int, float) if isinstance(default, int) else kinds:
        try:
            number = kind(value)
        except ValueError:
            continue
        if not isinstance(number, tuple) and MOST < number < math.inf:
            raise ValueError(f"{name} is {number:g}, expected at most {MOST:g}, or inf where there shall be no limit")
        return name, number
    return name, value


def explained(setting: Setting) -> str:
    """The hyperparameters of an agent: name, value, and the comment beside the field, or beside ACER's of that name."""
    config, meanings = make_config(setting), {}
    for kind in (ACERConfig, type(config)):
        meanings |= dict(re.findall(r"^    (\w+): [^#\n]*# *(.*)$", inspect.getsource(kind), re.MULTILINE))
    rows = [(f"{field.name}={getattr(config, field.name)}", meanings.get(field.name, "")) for field in fields(config)]
    width = max(len(first) for first, _ in rows) + 2
    return "\n".join(textwrap.fill(meaning, 100, initial_indent=f"{first:<{width}}", subsequent_indent=" " * width)
                     or first for first, meaning in rows)
