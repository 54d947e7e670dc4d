"""Compute and draw the paper's figures 3 to 14, its cost table and more, from saved results where they exist.

    python -m demos.reproduce --figure 3 4 5 --jobs 2

Every setting and seed is a unit of work, stored when it is done: stop at any time, run the same command to go on.
Several commands may work on one folder; give them different figures, for each computes what it did not find.
"""
import argparse
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import FIRST_COMPLETED, Executor, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from demos.console import Parser, Progress, aligned, exit_code, number
from demos.files import write_whole
from demos.reproduction.plan import (BASE, BENCHMARK_TESTS, DOMAINS, EXPERIMENTS, Experiment, Unit, files_of, measure,
                                     plan, select)
from demos.reproduction.store import Results
from demos.style import png
from simulator import load_domain


def results_in(folder: Path | None, home: Path = Path(__file__).parents[1]) -> Results:
    """The results in a folder; an installed copy adds its own to those that came with it, in the working folder."""
    if folder or (home / "setup.cfg").exists():
        return Results(folder or home / "demos" / "results")
    return Results("results", home / "demos" / "results")


def missing(units: list[Unit], results: Results) -> list[Unit]:
    """What is left to compute."""
    return [(setting, seed) for setting, seed in units if seed not in results.units(setting)]


def possible(experiments: dict[str, Experiment], results: Results, domains: Path | None) -> dict[str, Experiment]:
    """Without those that need the files of a domain that is not at hand."""
    found = {}
    for name, experiment in experiments.items():
        left = missing(plan({name: experiment}), results)
        needed = sorted({setting.domain for setting, _ in left} - {""})
        files = [path for domain in needed for path in files_of(domain, domains or Path("FOLDER"))]
        lacking = [path for path in files if not path.is_file()]
        if lacking:
            print(f"{name} is left out: it needs {lacking[0]}, expected in --domains FOLDER", file=sys.stderr)
        else:
            found[name] = experiment
            for domain in needed:
                results.check_domain(domain, load_domain(*files_of(domain, domains)).fingerprint)
    return found


def run(units: list[Unit], results: Results, executor: Executor, domains: Path | None = None) -> None:
    """Computes the units with any executor, and stores each as soon as it is done."""
    waiting = {executor.submit(measure, *unit, domains) for unit in units}
    with Progress("units of work", len(units)) as progress:
        while waiting:
            done, waiting = wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED)
            for future in done:
                record, problem = future.result()
                results.add(record)
                if problem:
                    print(problem, file=sys.stderr)
            progress.show(len(units) - len(waiting))


def worker() -> None:
    """Leaves Ctrl-C to the parent, and ends with it even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()


def run_here(units: list[Unit], results: Results, jobs: int, domains: Path | None) -> None:
    """On this machine, in processes that start afresh; an interrupt ends them, too."""
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), worker)
    try:
        run(units, results, pool, domains)
    except BaseException as error:
        for process in multiprocessing.active_children():
            process.terminate()
        if isinstance(error, BrokenProcessPool):
            raise SystemExit("a worker process died; run the same command to go on") from error
        if isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt("stopped; finished units are kept, run the same command to go on") from error
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def report(experiments: dict[str, Experiment], results: Results, words: str = "") -> None:
    """Draws and prints everything from the saved results; pictures have these words in their names."""
    from demos.reproduction import figures, tables

    curves = {name: {label: results.curve(line) for label, line in experiment.lines.items()}
              for name, experiment in experiments.items()}
    for name, experiment in experiments.items():
        if experiment.kind in figures.KINDS:
            path = results.folder / f"{'figure_' * name.isdigit()}{name}{words}.png"
            write_whole(path, png(figures.drawn(curves[name], experiment)))
            print(f"{experiment.about} ({path})")
        if experiment.kind in ("parts", "table"):
            print(f"\n{name}: {experiment.about}\n\n{tables.changes_table(curves[name])}\n")
        if experiment.kind == "panels":
            print(f"\n{tables.ways_table(curves[name])}\n")
    parts = [tables.learning_table(results, tables.learning_lines(experiments)),
             *(tables.noise_table(curves[name]) for name in ("14",) if name in curves),
             tables.claims_table(results, experiments), tables.cost_table(results, experiments),
             *(table(curves["benchmark"]) for table in (tables.benchmark_table, tables.aggregate_table)
               if "benchmark" in curves)]
    print(*(table for table in parts if table.count("\n") > 1), sep="\n\n")


def listing(experiments: dict[str, Experiment], results: Results) -> str:
    """Each experiment with the CPU minutes that its units took, or would take, where a time was measured."""
    rows = [("figure", "lines", "units", "CPU minutes")]
    parts = [(f"{name}: {each.about}", len(each.lines), {name: each}) for name, each in experiments.items()]
    for words, n_lines, some in [*parts, ("together, with the runs that figures share counted once", "", experiments)]:
        units = plan(some)
        times = [sum(cost.values()) for setting, _ in units if (cost := results.cost(setting))]
        known = f" for {len(times)} of {len(units)}" if len(times) < len(units) else ""
        rows.append((words, n_lines, len(units), f"{sum(times) / 60:.1f}{known}"))
    return aligned(rows)


def reproduce(args: argparse.Namespace) -> None:
    """Computes what is missing, and draws everything that was asked for."""
    names = list(EXPERIMENTS) if "all" in args.figure else args.figure
    sizes = {name: getattr(args, name) for name in ("dialogues", "test_dialogues") if getattr(args, name)}
    experiments, results = select(names, args.seeds, **sizes), results_in(args.results)
    if args.list:
        return print(listing(experiments, results))
    experiments = possible(experiments, results, args.domains)
    left = missing(plan(experiments), results)
    results.folder.mkdir(parents=True, exist_ok=True)        # or an error, before anything is computed
    if left:
        run_here(left, results, min(args.jobs, len(left)), args.domains)
    report(experiments, results, "".join(f"-{n}-{name}" for name, n in {"seeds": args.seeds, **sizes}.items() if n))


def main(argv: list[str] | None = None) -> int:
    p = Parser(prog="python -m demos.reproduce", description=__doc__)
    p.add_argument("--figure", nargs="+", default=["all"], choices=["all", *EXPERIMENTS], metavar="NAME",
                   help=f"Draw all (the default), or some of {', '.join(EXPERIMENTS)}.")
    p.add_argument("--list", action="store_true", help="Explain the figures and what they cost, and do nothing.")
    p.add_argument("--seeds", type=number(int, 1), metavar="N", help="Train each line N times (15 for most).")
    p.add_argument("--dialogues", type=number(int, 1), metavar="N", help=f"Train on N dialogues ({BASE.dialogues}).")
    p.add_argument("--test-dialogues", type=number(int, 1), metavar="N",
                   help=f"Test on N users each time ({BASE.test_dialogues}; benchmark {BENCHMARK_TESTS}).")
    p.add_argument("--jobs", type=number(int, 1), default=os.cpu_count(), metavar="N",
                   help="Work in N processes (%(default)s).")
    p.add_argument("--domains", type=Path, metavar="FOLDER", help="Take PyDial's files from FOLDER, for benchmark, "
                   f"hard and demonstrations: NAME-rules.json and NAME-dbase.db of {', '.join(DOMAINS.values())}.")
    p.add_argument("--results", type=Path, metavar="FOLDER", help="Keep results and figures in FOLDER "
                   "(demos/results; results, in the working folder, for an installed copy).")
    return exit_code(p, argv, reproduce)


if __name__ == "__main__":
    raise SystemExit(main())
