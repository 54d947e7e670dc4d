"""Which policy a command works with: the options that describe it, and policies that are trained once and kept."""
import argparse
import sys
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

import numpy as np

from demos.agents import make_env
from demos.console import number
from demos.demonstrations import DOUBTS
from demos.settings import AGENTS, TRAINABLE, Setting, make_config, with_overrides
from demos.training import Run, train
from simulator import ENVIRONMENTS, Domain, load_domain
from simulator.actions import Actions
from simulator.error_model import CHANNELS, TABLES
from simulator.persona import USERS

FOLDER = Path("runs", "policies")
MOST = 10 ** 9                   # of anything that is counted on a command line
# A few seconds of training; noise leads it to more of the beliefs that people will lead it to.
QUICK = Setting(agent="gp", dialogues=1000, error_rate=0.15, nbest=5, test_dialogues=20, tests=("greedy",))
LEARN_FROM = ("both", "imitation", "memory")
SURROUNDINGS = ("mask", "error_rate", "nbest", "channel", "tables", "user")      # which a policy need not be trained in


# ---- options: what is not given is not in the namespace, so that a saved run can tell what is asked of it

def add_options(parser: argparse.ArgumentParser, default: Setting) -> None:
    """What is trained, in which environment."""
    add = partial(parser.add_argument, default=argparse.SUPPRESS)
    add("--agent", choices=AGENTS, help=f"what to train, or only to test ({default.agent})")
    add("--preset", choices=("ours", "paper"), help=f"of ACER's hyperparameters ({default.preset})")
    add("--set", action="append", metavar="NAME=VALUE", help="a hyperparameter, as in --set kl_limit=inf")
    add("--space", choices=("summary", "master"), help=f"of actions ({default.space})")
    add("--dialogues", type=number(int, 1, MOST), help=f"to train on ({default.dialogues})")
    add("--demonstrations", type=number(int, 0, MOST), help="dialogues of another policy to learn from first "
        f"({default.demonstrations})")
    add("--demonstrator", metavar="NAME|FILE", help=f"{', '.join(DOUBTS)}, or a snapshot ({default.demonstrator})")
    add("--learn-from", choices=LEARN_FROM, help=f"what a network makes of them ({default.learn_from})")
    add("--without", nargs="+", metavar="SLOT", help="slots that the domain lacks at first; --grow-after adds them")
    add("--grow-after", type=number(int, 1, MOST), metavar="N", help="dialogues after which it has them")
    add("--domain", nargs="+", type=Path, metavar="FILE",
        help="ONTOLOGY.json DATABASE.db [LEXICON.json] of PyDial's kind (a built-in one)")
    add("--environment", type=int, choices=ENVIRONMENTS, help="of the PyDial benchmark, short for the six that follow")
    add("--mask", choices=("all", "bye", "none"), help=f"which actions wait until they make sense ({default.mask})")
    add("--error-rate", type=number(float, 0, 1), help=f"how often the user is misheard ({default.error_rate:g})")
    add("--nbest", type=number(int, 1, 100), help=f"longest list of hypotheses heard ({default.nbest})")
    add("--channel", choices=CHANNELS, help=f"how hypotheses are made ({default.channel})")
    add("--tables", choices=TABLES, help=f"of the dstc2 channel ({default.tables})")
    add("--user", choices=USERS, help=f"what simulated users are like ({default.user})")


def add_policy_options(parser: argparse.ArgumentParser) -> None:
    """Which policy to talk to."""
    add_options(parser, QUICK)
    parser.add_argument("--policy", type=Path, metavar="FILE", help="use this snapshot of demos.train --save instead")


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
        check_plan(setting)
        return with_overrides(setting, **dict(hyperparameter(setting, text) for text in texts))
    if texts or setting.preset != "ours" or setting.demonstrations or setting.without:
        raise ValueError(f"agent is {setting.agent}, expected one that learns: it has no hyperparameters, and no use "
                         "for demonstrations or growth")
    return replace(setting, tests=("greedy",))


def check_plan(setting: Setting) -> None:
    """Refuses demonstrations or a growth that would come to nothing."""
    if setting.agent == "gp" and setting.learn_from != "both":
        raise ValueError(f"learn_from is {setting.learn_from!r}, expected 'both' for gp: it learns from returns alone")
    if setting.demonstrator not in DOUBTS and not Path(setting.demonstrator).is_file():
        raise ValueError(f"demonstrator is {setting.demonstrator!r}, expected {', '.join(DOUBTS)} or a snapshot")
    if bool(setting.without) != (0 < setting.grow_after < setting.dialogues):
        raise ValueError(f"grow_after is {setting.grow_after}, expected 1 to {setting.dialogues - 1} with some slots "
                         "to be --without, and 0 with none")


def hyperparameter(setting: Setting, text: str) -> tuple[str, object]:
    """(name, value) of NAME=VALUE: a number, a word, or whole numbers with commas where the default has several."""
    name, _, value = text.partition("=")
    default = getattr(make_config(setting), name, None)
    kinds = (lambda words: tuple(map(int, words.split(","))),) if isinstance(default, tuple) else (float,)
    for kind in (int, float) if isinstance(default, int) else kinds:
        try:
            return name, kind(value)
        except ValueError:
            pass
    return name, value


# ---- policies

def policy_of(args: argparse.Namespace) -> Run:
    """The policy that the options ask for; one from a file may meet another environment than it was trained in."""
    domain = domain_of(args)
    if args.policy is None:
        return trained(setting_of(args, QUICK, domain), domain)
    run = Run.load(args.policy, domain)
    here = setting_of(args, run.setting, domain)
    there = {name: getattr(run.setting, name) for name in SURROUNDINGS}
    check_agreement(args.policy, run.setting, replace(here, **there))
    run.env = make_env(here, domain)
    return run


def check_agreement(path: Path, saved: Setting, asked: Setting) -> None:
    """A ValueError where the options ask for something else than was saved."""
    for field in fields(Setting):
        theirs, ours = getattr(saved, field.name), getattr(asked, field.name)
        if theirs != ours:
            raise ValueError(f"{field.name} of snapshot {path} is {theirs}, expected {ours}, as the options ask")


def trained(setting: Setting, domain: Domain | None = None) -> Run:
    """A finished run: the one that was kept, or else it is trained now and kept for the next time.

    One that is damaged, or comes from other code or settings, is as good as none.
    """
    if setting.agent not in TRAINABLE:
        return Run(setting, 0, domain)
    path = FOLDER / f"{setting.name}-nbest{setting.nbest}-{setting.dialogues}.npz"
    run = None
    if path.exists():
        try:
            run = Run.load(path, domain)
            check_agreement(path, run.setting, setting)
        except ValueError as error:
            print(f"Training again: {error}", file=sys.stderr)
            run = None
    run = run or Run(setting, 0, domain)
    if not run.finished:
        print(f"Training {setting.name} on {setting.dialogues} dialogues; it will be kept in {path}", file=sys.stderr)
        path.parent.mkdir(parents=True, exist_ok=True)
        train(run, path)                                 # if interrupted, it is kept as it is and goes on from there
    return run


def described(run: Run) -> str:
    """Who is talking."""
    return run.setting.name + (f" after {run.n_dialogues} dialogues of training" if run.n_dialogues else "")


def favourites(agent, actions: Actions, belief: np.ndarray, mask: np.ndarray, n: int) -> list[tuple[str, ...]]:
    """A table of the best n allowed actions, the header first; empty for an agent without action_table.

    What a network would do comes before all: in the master space an inform is chosen for the sum of its payloads.
    """
    columns = agent.action_table(belief, mask) if hasattr(agent, "action_table") else {}
    if not columns:
        return []
    first, *_ = columns.values()
    choice = agent.act(belief, mask, "greedy")
    best = sorted(np.flatnonzero(mask), key=lambda action: (action != choice, -first[action]))[:n]
    return [("action", *columns),
            *((actions.name(action), *(f"{column[action]:.2f}" for column in columns.values())) for action in best)]
