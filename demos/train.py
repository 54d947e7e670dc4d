"""Train and test one agent, with a learning curve and a sample dialogue at the end.

    python -m demos.train --agent acer --space master --dialogues 2000
"""
import argparse
import json
import shlex
import signal
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path

from demos.agents import AGENTS, LEARNERS, Setting, configuration
from demos.console import Parser, Progress, aligned, clock, number
from demos.reproduction.figures import learning_curve, png
from demos.files import to_csv, write_whole
from demos.training import TEST, TEST_KEY, Outcome, Run, evaluate, play

SAMPLE_USER = 1_000_000           # of the dialogue that is shown: one whom neither training nor tests have met


def parser() -> Parser:
    """Options without a default of their own take that of Setting: so a resumed run can tell which were given."""
    default = Setting()
    p = Parser(prog="python -m demos.train", description=__doc__, argument_default=argparse.SUPPRESS)
    p.add_argument("--agent", choices=AGENTS, help=f"what to train, or only to test ({default.agent})")
    p.add_argument("--space", choices=("summary", "master"), help=f"of actions ({default.space})")
    p.add_argument("--dialogues", type=number(int, 1), help=f"to train on ({default.dialogues})")
    p.add_argument("--error-rate", type=number(float, 0, 1), help=f"of what is heard ({default.error_rate:g})")
    p.add_argument("--nbest", type=number(int, 1), help=f"longest list of hypotheses heard ({default.nbest})")
    p.add_argument("--no-mask", dest="mask", action="store_false", help="allow every action at any time")
    p.add_argument("--test-dialogues", type=number(int, 1, SAMPLE_USER), help=f"per test ({default.test_dialogues})")
    p.add_argument("--seed", type=number(int, 0, 2 ** 32 - 1), help="of the learner and its training users (0)")
    p.add_argument("--save", type=Path, default=None, metavar="FILE", help="keep a snapshot here, to resume from")
    p.add_argument("--resume", type=Path, default=None, metavar="FILE", help="continue the run of this snapshot")
    p.add_argument("--out", type=Path, default=None, metavar="FOLDER", help="for curve and figure (runs/...)")
    return p


def open_run(args: argparse.Namespace) -> Run:
    """A new run, or the one to resume if the options given agree with it."""
    given = {field.name: getattr(args, field.name) for field in fields(Setting) if field.name in args}
    if args.resume is None:
        run = Run(Setting(**given), getattr(args, "seed", 0))
    else:
        run = Run.load(args.resume)
        for name, value in (given | {"seed": getattr(args, "seed", run.seed)}).items():
            saved = run.seed if name == "seed" else getattr(run.setting, name)
            if value != saved:
                raise ValueError(f"snapshot {args.resume} was made with {name} {saved}, not {value}; "
                                 "leave the option out to continue that run")
    if args.save:
        check_save(args, run)
    return run


def check_save(args: argparse.Namespace, run: Run) -> None:
    """Refuses early what would fail or destroy something later."""
    if run.setting.agent not in LEARNERS:
        raise ValueError(f"--save: the {run.setting.agent} policy does not learn, so there is nothing to save")
    if not args.save.absolute().parent.is_dir():
        raise ValueError(f"--save: folder {args.save.absolute().parent} does not exist")
    if args.save.exists() and args.save != args.resume:
        raise ValueError(f"--save: {args.save} exists already; --resume it, or choose another name")


@contextmanager
def stop_between_dialogues() -> Iterator[list]:
    """Ctrl-C fills the list, so that the dialogue under way is finished first; a second Ctrl-C stops at once."""
    asked: list[int] = []

    def ask(signal_number, _) -> None:
        asked.append(signal_number)
        signal.signal(signal.SIGINT, before)
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def train(run: Run, save: Path | None) -> None:
    """To the end with a progress line; snapshots after every test and when stopped."""
    first, recent = run.n_dialogues, deque(maxlen=100)
    with Progress() as progress, stop_between_dialogues() as asked:
        for outcome in run.train():
            recent.extend([outcome.success] if outcome else [])
            rate = (run.n_dialogues - first) / progress.elapsed
            progress.show(f"{run.n_dialogues}/{run.total} dialogues, {rate:.0f}/s, "
                          f"{clock((run.total - run.n_dialogues) / max(rate, 1e-9))} left, "
                          f"{100 * sum(recent) / max(1, len(recent)):.0f} % of the last {len(recent)} successful")
            if save and (asked or not run.recent):
                run.save(save)
            if asked and not run.finished:
                raise KeyboardInterrupt


def references(run: Run) -> dict[str, Outcome]:
    """The same test for two policies that do not learn."""
    runs = {name: Run(replace(run.setting, agent=name, overrides=()), run.seed) for name in ("handcrafted", "random")}
    return {name: evaluate(other.env, other.agent, run.setting.test_dialogues) for name, other in runs.items()}


def table(run: Run, others: dict[str, Outcome]) -> str:
    """All tests, with the policies to compare with at the end."""
    rows = [(row["dialogues"] or run.setting.agent, *(row[name] for name in Outcome._fields)) for row in run.curve]
    rows += [(name, *scores) for name, scores in others.items() if name != run.setting.agent]
    return aligned([("dialogues", "success", "reward", "turns"),
                    *((first, f"{100 * s:.1f} %", f"{r:.2f}", f"{t:.2f}") for first, s, r, t in rows)])


def write(run: Run, folder: Path, others: dict[str, Outcome]) -> None:
    """Curve and diagnostics, figure, and the record of what made them."""
    if run.curve:
        write_whole(folder / "curve.csv", to_csv(run.curve))
        write_whole(folder / "curve.png", png(learning_curve(run.setting, run.curve, others)))
    write_whole(folder / "run.json", json.dumps(configuration(run.setting, run.seed), indent=1) + "\n")


def how_to_resume(run: Run, save: Path | None, folder: Path) -> str:
    if not run.n_saved:
        return "nothing to resume from was saved (see --save)"
    options = ["--resume", str(save), "--save", str(save), "--out", str(folder)]
    return f"to go on from {run.n_saved}:\npython -m demos.train {shlex.join(options)}"


def train_and_report(run: Run, args: argparse.Namespace) -> int:
    """The exit code: 130 for a run that was stopped."""
    folder = args.out or Path("runs", f"{run.setting.name}-seed{run.seed}")
    folder.mkdir(parents=True, exist_ok=True)
    others, stopped = references(run), False
    try:
        train(run, args.save)
    except KeyboardInterrupt:
        stopped = True
    write(run, folder, others)
    print(table(run, others))
    if stopped:
        print(f"\nStopped after {run.n_dialogues} of {run.total} dialogues; {how_to_resume(run, args.save, folder)}")
        return 130
    play(run.env, run.agent, [TEST_KEY, TEST, SAMPLE_USER])
    print(f"\n{run.env.transcript()}\n\nThe curve, its figure and all settings are in {folder}/")
    return 0


def main(argv: list[str] | None = None) -> int:
    p = parser()
    args = p.parse_args(argv)
    try:
        run = open_run(args)
    except ValueError as error:
        p.error(str(error))
    try:
        return train_and_report(run, args)
    except OSError as error:
        p.error(str(error))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
