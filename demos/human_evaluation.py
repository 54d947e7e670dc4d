"""The paper's study: a person gets a task and, unknowingly, one of three policies, and says whether it succeeded.

    python -m demos.human_evaluation
    python -m demos.human_evaluation --report
    python -m demos.human_evaluation --simulate 200
"""
import argparse
import csv
import io
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np

from demos.console import Parser, aligned, counted, exit_code, listen, number
from demos.conversation import Conversation, converse
from demos.files import append_line, from_csv
from demos.options import MOST
from demos.runs import trained
from demos.settings import Setting
from demos.statistics import Interval, mean_interval, proportion, show
from demos.training import Outcome, Run, play
from simulator import Domain, Item
from simulator.goal import SUCCESS_REWARD, Goal
from simulator.lexicon import words
from simulator.speak import article, noun_phrase, user_utterance
from simulator.understand import understand_system

STUDY = Setting(error_rate=0.15, nbest=5, dialogues=2000, test_dialogues=20, tests=("greedy",))
SYSTEMS = {"GP, summary": replace(STUDY, agent="gp"), "ACER, summary": STUDY,
           "ACER, master": replace(STUDY, space="master")}
PAPER = {"GP, summary": ("89.7 %", "11.29 (7.54)", "6.61 (3.12)"),               # table I
         "ACER, summary": ("88.7 %", "11.39 (7.17)", "6.42 (2.84)"),
         "ACER, master": ("89.1 %", "11.83 (8.05)", "5.98 (3.22)")}
HEADER = ",".join(("time", "system", "seed", "task", *Outcome._fields)) + "\n"
RESULTS = Path("runs", "human_evaluation.csv")
HELP = "Say goodbye when you have what you need, or give up. /task shows the task, /quit leaves without a result."


def instructions(goal: Goal, domain: Domain) -> str:
    """A goal as a task for a person."""
    wishes = noun_phrase([Item(*pair) for pair in goal.constraints.items()], domain.type, domain)
    facts = ", ".join(words(domain)[slot].noun for slot in goal.requests)
    return f"Your task: find {article(wishes)}, and learn its {facts}."


def meet(run: Run, seed: int) -> str:
    """Draws a user of the simulator; its goal is the task."""
    run.env.reset(seed=seed)
    return instructions(run.env.user.goal, run.env.domain)


# ---- the results, a table that grows by whole lines

def read(path: Path) -> list[tuple[str, Outcome]]:
    """The dialogues so far; refuses a file that holds anything else, and names the line."""
    found, text = [], path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    try:
        if text and not text.startswith(HEADER):
            raise ValueError
        for row in from_csv(text):
            success, reward, turns = outcome = Outcome(*(float(row[name]) for name in Outcome._fields))
            possible = success in (0, 1) and turns.is_integer() and reward == SUCCESS_REWARD * success - turns
            if row["system"] not in SYSTEMS or not possible:
                raise ValueError
            found.append((row["system"], outcome))
    except (csv.Error, LookupError, TypeError, ValueError):
        at = len(found) + 2 if text.startswith(HEADER) else 1
        raise ValueError(f"{path} does not hold results of this study: line {at} is no {HEADER.strip()} with a system "
                         f"of {'; '.join(SYSTEMS)}") from None
    return found


def append(path: Path, system: str, seed: int, task: str, outcome: Outcome) -> None:
    """One more line."""
    row = io.StringIO()
    csv.writer(row, lineterminator="\n").writerow(
        [datetime.now().isoformat(timespec="seconds"), system, seed, task, *outcome])
    append_line(path, row.getvalue(), HEADER)


def report(results: list[tuple[str, Outcome]]) -> str:
    """The paper's table from these dialogues, beside its own values: means with 95 % intervals; the paper has standard
    deviations in round brackets."""
    table = [("", "dialogues", "success (%)", "reward", "turns", "paper: success", "reward", "turns")]
    for system in SYSTEMS:
        outcomes, ours = [outcome for name, outcome in results if name == system], ("-", "-", "-")
        if outcomes:
            success, reward, turns = np.array(outcomes).T
            rate = Interval(*(100 * np.array(proportion(int(success.sum()), len(success)))))
            ours = show(rate), show(mean_interval(reward), 2), show(mean_interval(turns), 2)
        table.append((system, len(outcomes), *ours, *PAPER[system]))
    return aligned(table)


# ---- people

def yes(question: str) -> bool:
    while True:
        reply = listen(f"{question} (yes/no) ").lower()
        if reply[:1] in ("y", "n"):
            return reply[0] == "y"


def talk_to_person(run: Run, task: str) -> Outcome:
    """A dialogue, judged by the person."""
    talk = Conversation(run.env.system, run.agent, run.env.max_turns)
    print(f"\n{task}\n{HELP}\n")
    converse(talk, lambda line: f"{task}\n{HELP}")
    return talk.outcome(yes("\nDid the system give you what the task asks for?"))


def study(runs: dict[str, Run], results: Path, seed: int | None) -> None:
    """Dialogues until the person has had enough."""
    rng, another = np.random.default_rng(seed), True
    while another:
        system, user = str(rng.choice(list(runs))), int(rng.integers(2 ** 32))
        task = meet(runs[system], user)
        append(results, system, user, task, talk_to_person(runs[system], task))
        another = yes("Thank you. Another task?")


# ---- simulated users

def talk_to_simulated_user(run: Run) -> Outcome:
    """With the user who was met last."""
    domain, user, said = run.env.domain, run.env.user, run.env.log[0].user_act
    talk = Conversation(run.env.system, run.agent, run.env.max_turns)
    while True:
        reply = talk.answer(user_utterance(said, domain))
        if talk.over:
            return talk.outcome(user.goal.achieved(domain))
        said = user.respond(understand_system(reply, domain))


def simulate(runs: dict[str, Run], n: int, results: Path | None, seed: int) -> str:
    """Dialogues in English beside the same in acts, both without noise."""
    found = {"English": [], "acts": []}
    for i in counted(range(n), "dialogues"):
        system = list(runs)[i % len(runs)]
        run = runs[system]
        run.env.channel.error_rate = 0.0
        task, english = meet(run, seed + i), talk_to_simulated_user(run)
        if results:
            append(results, system, seed + i, task, english)
        found["English"].append((system, english))
        found["acts"].append((system, play(run.env, run.agent, seed + i)))
    tables = [f"In {kind}, {100 * np.mean([one.success for _, one in some]):.1f} % successful:\n{report(some)}\n"
              for kind, some in found.items()]
    alike = sum(english == acts for english, acts in zip(*found.values()))
    return "\n".join([*tables, f"{alike} of {n} dialogues are alike in English and in acts."])


def evaluate(args: argparse.Namespace) -> None:
    results = args.results or RESULTS
    before = read(results)                               # what cannot take results is refused before anyone talks
    if args.report:
        return print(report(before))
    runs = {system: trained(replace(setting, dialogues=args.dialogues)) for system, setting in SYSTEMS.items()}
    if args.simulate:
        print(simulate(runs, args.simulate, args.results, args.seed or 0))
    else:
        study(runs, results, args.seed)


def main(argv: list[str] | None = None) -> int:
    p = Parser(__doc__, prog="python -m demos.human_evaluation", usage="%(prog)s [options]")
    what = p.add_mutually_exclusive_group()
    what.add_argument("--report", action="store_true", help="Show the results so far.")
    what.add_argument("--simulate", type=number(int, 1, MOST), metavar="N", help="Let N simulated users talk.")
    p.add_argument("--results", type=Path, metavar="FILE",
                   help=f"Keep results in FILE ({RESULTS}; those of simulated users are not kept).")
    p.add_argument("--dialogues", type=number(int, 1, MOST), default=STUDY.dialogues, metavar="N",
                   help="Train each policy on N dialogues, unless it was trained before (%(default)s).")
    p.add_argument("--seed", type=number(int, 0, 2 ** 32 - 1), metavar="N",
                   help="Draw tasks and systems by this seed (a new one; 0 for simulated users).")
    return exit_code(p, argv, evaluate)


if __name__ == "__main__":
    raise SystemExit(main())
