"""A run is a folder: a new one, one that goes on, or a policy that is trained once and kept.

It holds snapshot.npz, from which the run goes on; result.json, what its tests found, as one line; and pictures.
"""
import argparse
import sys
from dataclasses import fields, replace
from itertools import count
from pathlib import Path

from demos.agents import make_env
from demos.files import write_whole
from demos.options import QUICK, SURROUNDINGS, check_demonstrator, domain_of, setting_of
from demos.records import Record, from_line, record_of, to_line
from demos.settings import TRAINABLE, Setting
from demos.training import SNAPSHOT, Run, train
from simulator import Domain

RUNS = Path("runs")
RESULT = "result.json"


def opened(args: argparse.Namespace) -> tuple[Run, Path]:
    """The run in the folder that was given, if the options agree with it, or else a new one; and its folder."""
    domain, folder = domain_of(args), args.folder
    if folder and (folder / SNAPSHOT).exists():
        run = Run.load(folder, domain, getattr(args, "dialogues", 0))
        check_agreement(folder, run.setting, setting_of(args, run.setting, domain))
        if args.seed not in (None, run.seed):
            raise ValueError(f"seed of {folder} is {run.seed}, expected {args.seed}, as the options ask")
        return run, folder
    setting = setting_of(args, Setting(), domain)
    check_demonstrator(setting)
    run = Run(setting, args.seed or 0, domain)
    return run, prepared(folder) if folder else fresh(f"{setting.name[:200]}-seed{run.seed}")


def fresh(name: str) -> Path:
    """A new folder: code may have changed since a run of that name."""
    for number in count(1):
        folder = RUNS / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir(parents=True)
            return folder
        except FileExistsError:
            continue


def prepared(folder: Path) -> Path:
    """The folder, made if need be; nothing of anybody else's may be in it."""
    folder.mkdir(parents=True, exist_ok=True)
    others = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if others:
        raise ValueError(f"{folder} holds {others[0]} and no run, expected a run, or a folder that is new or empty")
    return folder


def write_result(run: Run, folder: Path) -> Record:
    """What its tests have found so far, as one line."""
    record = record_of(run.setting, run.seed, run.curve, run.seconds,
                       run.domain.fingerprint if run.setting.domain else "")
    write_whole(folder / RESULT, to_line(record))
    return record


def read_result(folder: Path) -> Record:
    """The inverse of write_result."""
    path = folder / RESULT
    try:
        return from_line(path.read_text(encoding="utf-8"))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path} is damaged, or no result of this project: {error}") from error


# ---- policies to talk to

def policy_of(args: argparse.Namespace) -> Run:
    """The policy that the options ask for; one from a folder may meet another environment than it was trained in."""
    domain = domain_of(args)
    if args.folder is None:
        return trained(setting_of(args, QUICK, domain), domain)
    run = Run.load(args.folder, domain)
    here = setting_of(args, run.setting, domain)
    there = {name: getattr(run.setting, name) for name in SURROUNDINGS}
    check_agreement(args.folder, run.setting, replace(here, **there))
    run.env = make_env(here, run.env.domain)
    return run


def check_agreement(folder: Path, saved: Setting, asked: Setting) -> None:
    """A ValueError where the options ask for something else than was trained."""
    for field in fields(Setting):
        theirs, ours = getattr(saved, field.name), getattr(asked, field.name)
        if theirs != ours:
            raise ValueError(f"{field.name} of {folder} is {theirs}, expected {ours}, as the options ask")


def trained(setting: Setting, domain: Domain | None = None) -> Run:
    """A finished run: the one that was kept, or else it is trained now and kept for the next time.

    One that is damaged, or comes from other code or settings, is as good as none.
    """
    if setting.agent not in TRAINABLE:
        return Run(setting, 0, domain)
    folder = RUNS / "policies" / f"{setting.name[:200]}-nbest{setting.nbest}-{setting.dialogues}"
    try:
        run = Run.load(folder, domain)
        check_agreement(folder, run.setting, setting)
    except ValueError as error:
        if (folder / SNAPSHOT).exists():
            print(f"Training again: {error}", file=sys.stderr)
        run = Run(setting, 0, domain)
    if not run.finished:
        print(f"Training {setting.name} on {setting.dialogues} dialogues; it will be kept in {folder}", file=sys.stderr)
        train(run, folder)                               # if interrupted, it is kept as it is and goes on from there
    return run


def described(run: Run) -> str:
    """Who is talking."""
    return run.setting.name + (f" after {run.n_dialogues} dialogues of training" if run.n_dialogues else "")
