"""Train and test one agent, with a learning curve and a sample dialogue at the end.

    python -m demos.train --agent acer --space master --dialogues 2000
"""
import argparse
import shlex
from dataclasses import replace
from pathlib import Path

import demos
from demos.console import Parser, aligned, exit_code, number
from demos.diagnostics import panel_of, remark
from demos.files import write_whole
from demos.options import add_options, check_agreement, domain_of, setting_of
from demos.settings import TRAINABLE, Setting
from demos.records import record_of, to_line
from demos.style import png
from demos.training import TEST, TEST_KEY, Outcome, Run, evaluate, modes_of, play, train

SAMPLE_USER = 1_000_000           # of the dialogue that is shown: one whom neither training nor tests have met


def open_run(args: argparse.Namespace) -> Run:
    """A new run, or the one to resume if the options given agree with it, for as many dialogues or more."""
    domain = domain_of(args)
    if args.resume is None:
        return Run(setting_of(args, Setting(), domain), args.seed or 0, domain)
    saved = Run.load(args.resume, domain, getattr(args, "dialogues", 0))
    check_agreement(args.resume, saved.setting, setting_of(args, saved.setting, domain))
    if args.seed not in (None, saved.seed):
        raise ValueError(f"seed of snapshot {args.resume} is {saved.seed}, expected {args.seed}; leave the option out")
    return saved


def check_save(save: Path | None, resume: Path | None, run: Run) -> None:
    """Refuses what would destroy something, or save nothing."""
    if save and run.setting.agent not in TRAINABLE:
        raise ValueError(f"--save: the {run.setting.agent} policy does not learn, so there is nothing to save")
    if save and save.is_file() and save != resume:
        raise ValueError(f"--save: {save} exists already; --resume it, or choose another name")


def references(run: Run) -> dict[str, Outcome]:
    """The same test for two policies that do not learn."""
    fixed = replace(run.setting, preset="ours", variant="", overrides=(), demonstrations=0, without=(), grow_after=0)
    runs = {name: Run(replace(fixed, agent=name), run.seed, run.domain) for name in ("handcrafted", "random")}
    return {name: evaluate(other.env, other.agent, run.setting.test_dialogues) for name, other in runs.items()}


def table(run: Run, others: dict[str, Outcome]) -> str:
    """All tests, three columns for each way to test, and the policies to compare with at the end."""
    def cells(scores: dict) -> list[str]:
        return [f"{100 * scores['success']:.1f} %", f"{scores['reward']:.2f}", f"{scores['turns']:.2f}"]
    tests = modes_of(run.setting)
    rows = {"dialogues": [cell for mode in tests for cell in (f"{mode}: success", "reward", "turns")]}
    for row in run.curve:
        if row["test"] in tests:
            rows.setdefault(row["dialogues"] if run.total else run.setting.agent, []).extend(cells(row))
    for name, outcome in others.items():
        rows.setdefault(name, cells(outcome._asdict()))
    return aligned([(first, *found) for first, found in rows.items()])


def write(run: Run, folder: Path, others: dict[str, Outcome]) -> None:
    """Curve and diagnostics, figures, and the record of what made them."""
    from demos.pictures import learning_curve    # here: Matplotlib loads slower than all the rest

    fingerprint = run.domain.fingerprint if run.setting.domain else ""
    record = record_of(run.setting, run.seed, run.curve, run.seconds, fingerprint)
    write_whole(folder / "result.json", to_line(record))
    write_whole(folder / "curve.png", png(learning_curve(record, others)))
    if run.curve and "binding" in run.curve[-1]:                     # the diagnostics of ACER
        write_whole(folder / "training.png", png(panel_of(run)))


def how_to_resume(run: Run, args: argparse.Namespace, folder: Path) -> str:
    if not args.save:
        return "nothing to resume from was saved (see --save)"
    files = ["--domain", *map(str, args.domain)] if "domain" in args else []
    options = ["--resume", str(args.save), "--save", str(args.save), "--out", str(folder), *files]
    return f"to go on from {run.n_saved}:\npython -m demos.train {shlex.join(options)}"


def about_resuming(run: Run) -> str:
    """What a run has behind it and before it, where that is not what one would expect."""
    planned = dict(run.setting.overrides).get("horizon", run.total)
    if run.finished:
        return f"This run is finished: it had {run.total} dialogues; ask for more by --dialogues.\n"
    if planned < run.total:
        return (f"Exploration and learning rate were planned for {planned} dialogues: after those, "
                f"the run goes on to {run.total} with what they have fallen to.\n")
    return ""


def train_and_report(args: argparse.Namespace) -> int:
    """The exit code: 130 for a run that was stopped."""
    run = open_run(args)
    check_save(args.save, args.resume, run)
    folder = args.out or Path("runs", f"{run.setting.name}-seed{run.seed}")
    folder.mkdir(parents=True, exist_ok=True)
    print(about_resuming(run) if args.resume else "", end="")
    others, stopped = references(run), False
    try:
        train(run, args.save)
    except KeyboardInterrupt:
        stopped = True
    write(run, folder, others)
    print(table(run, others))
    if remark(run.curve):
        print(f"\nWorth noticing: {remark(run.curve)}.")
    if stopped:
        print(f"\nStopped after {run.n_dialogues} of {run.total} dialogues; {how_to_resume(run, args, folder)}")
        return 130
    play(run.env, run.agent, [TEST_KEY, TEST, SAMPLE_USER])
    print(f"\n{run.env.transcript()}\n\nThe curve, its figures and all settings are in {folder}/")
    return 0


def main(argv: list[str] | None = None) -> int:
    p = Parser(prog="python -m demos.train", description=__doc__)
    add_options(p, Setting())
    p.add_argument("--test-dialogues", type=number(int, 1, SAMPLE_USER), default=argparse.SUPPRESS,
                   help=f"per test ({Setting().test_dialogues})")
    p.add_argument("--seed", type=number(int, 0, 2 ** 32 - 1), help="of the learner and its training users (0)")
    p.add_argument("--save", type=Path, metavar="FILE", help="keep a snapshot here, to resume from")
    p.add_argument("--resume", type=Path, metavar="FILE", help="continue the run of this snapshot")
    p.add_argument("--out", type=Path, metavar="FOLDER", help="for curve and figure (runs/...)")
    return exit_code(p, argv, train_and_report)


if __name__ == "__main__":
    raise SystemExit(main())
