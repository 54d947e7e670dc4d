"""Train and test one agent, with a learning curve and a sample dialogue at the end.

    python -m demos.train --agent acer --space master --dialogues 2000
    python -m demos.train runs/acer-master-mask-seed0

A run is a folder. The first command makes a new one in runs/, and the second goes on with what is in it.
"""
import argparse
import shlex
from dataclasses import replace
from pathlib import Path

from demos.agents import make_agent, make_env
from demos.console import Parser, aligned, exit_code, number
from demos.diagnostics import panel_of, remark
from demos.files import write_whole
from demos.options import add_options
from demos.records import Record
from demos.runs import opened, write_result
from demos.settings import Setting
from demos.style import png
from demos.training import TEST, TEST_KEY, Outcome, Run, evaluate, modes_of, play, train

SAMPLE_USER = 1_000_000           # of the dialogue that is shown: one whom neither training nor tests have met


def references(run: Run) -> dict[str, Outcome]:
    """The same test for two policies that do not learn."""
    env, n = make_env(run.setting, run.domain), run.setting.test_dialogues
    return {name: evaluate(env, make_agent(replace(run.setting, agent=name), env, run.seed), n)
            for name in ("handcrafted", "random")}


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


def draw(run: Run, record: Record, folder: Path, others: dict[str, Outcome]) -> None:
    """The learning curve, and what ACER did meanwhile."""
    from demos.pictures import learning_curve    # here: Matplotlib loads slower than all the rest

    write_whole(folder / "curve.png", png(learning_curve(record, others)))
    if run.curve and "binding" in run.curve[-1]:                     # the diagnostics of ACER
        write_whole(folder / "training.png", png(panel_of(run)))


def train_and_report(args: argparse.Namespace) -> int:
    """The exit code: 130 for a run that was stopped. What was learned is told and kept before anything is drawn."""
    run, folder = opened(args)
    if run.finished:
        print(f"This run is finished: it had {run.total} dialogues; ask for more by --dialogues.")
    others, stopped = references(run), False
    try:
        train(run, folder)
    except KeyboardInterrupt:
        stopped = True
    except ValueError as error:
        raise ValueError(f"learning ended after {run.n_dialogues} dialogues: {error}; {folder} holds what was learned "
                         "before") from error
    finally:
        print(table(run, others))
    record = write_result(run, folder)
    if remark(run.curve):
        print(f"\nWorth noticing: {remark(run.curve)}.")
    if stopped:
        command = [str(folder), *(["--domain", *map(str, args.domain)] if "domain" in args else [])]
        print(f"\nStopped after {run.n_dialogues} of {run.total} dialogues; to go on:\n"
              f"python -m demos.train {shlex.join(command)}")
    else:
        play(run.env, run.agent, [TEST_KEY, TEST, SAMPLE_USER])
        print(f"\n{run.env.transcript()}\n\nThe run is in {folder}/", flush=True)
    draw(run, record, folder, others)
    return 130 if stopped else 0


def main(argv: list[str] | None = None) -> int:
    p = Parser(__doc__, prog="python -m demos.train", usage="%(prog)s [FOLDER] [options]")
    add = add_options(p, Setting(), "What to train, or a fixed policy to test",
                      "Where the run is: one that is there goes on, else it is a new one (runs/NAME-seedS).")
    add("--test-dialogues", type=number(int, 1, SAMPLE_USER), metavar="N",
        help=f"Test on N users each time ({Setting().test_dialogues}).")
    add("--seed", type=number(int, 0, 2 ** 32 - 1), default=None, metavar="N",
        help="Draw the learner and its training users by this seed (0).")
    return exit_code(p, argv, train_and_report)


if __name__ == "__main__":
    raise SystemExit(main())
