"""Compute and draw the paper's figures 3 to 14, its cost table and an ablation, from saved results where they exist.

    python -m demos.reproduce --figure 3 4 5 --jobs 2

Every setting and seed is a unit of work with a file of its own: stop at any time, run the same command to go on.
"""
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import FIRST_COMPLETED, Executor, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from statistics import fmean

from demos.console import Parser, Progress, aligned, clock, number
from demos.experiments import BASE, EXPERIMENTS, Experiment, Unit, measure, plan, select
from demos.figures import SCALE, Curves, png
from demos.files import write_whole
from demos.intervals import bootstrap, interquartile_mean
from demos.results import Damaged, Results, Stale
from demos.tables import claims_table, cost_table, learning_table, noise_table, read_curves, show, variants_table


def parser() -> Parser:
    p = Parser(prog="python -m demos.reproduce", description=__doc__)
    p.add_argument("--figure", nargs="+", default=["all"], choices=["all", *EXPERIMENTS], metavar="N",
                   help=f"all (the default), or some of {', '.join(EXPERIMENTS)}")
    p.add_argument("--list", action="store_true", help="explain the figures and what they cost, and do nothing")
    p.add_argument("--seeds", type=number(int, 1), help="repetitions (15; in figures 7, 8, readings 10, in 10: 5)")
    p.add_argument("--dialogues", type=number(int, 1), default=BASE.dialogues, help="to train on (%(default)s)")
    p.add_argument("--test-dialogues", type=number(int, 1), default=BASE.test_dialogues, help="per test (%(default)s)")
    p.add_argument("--jobs", type=number(int, 1), default=os.cpu_count(), help="processes at a time (%(default)s)")
    p.add_argument("--results", type=Path, default=Path(__file__).with_name("results"), metavar="FOLDER",
                   help="where results are kept and figures drawn (%(default)s)")
    return p


def missing(units: list[Unit], results: Results) -> list[Unit]:
    """What is left to compute; refuses a folder that holds other results under the same names."""
    left, stale = [], []
    for unit in units:
        try:
            results.read(*unit)
        except FileNotFoundError:
            left.append(unit)
        except Damaged as error:
            print(f"{error}; it will be computed again", file=sys.stderr)
            left.append(unit)
        except Stale as error:
            stale.append(error)
    if stale:
        raise Stale(f"{len(stale)} of {len(units)} results are stale and will not be mixed with new ones: {stale[0]}. "
                    "Remove them, or choose another folder with --results")
    return left


def run(units: list[Unit], results: Results, executor: Executor) -> None:
    """Computes the units with any executor, and stores each as soon as it is done."""
    known = {unit: results.seconds(unit[0]) for unit in units}
    usual = fmean([seconds for seconds in known.values() if seconds] or [1.0])
    weights = {unit: seconds or usual for unit, seconds in known.items()}
    futures = {executor.submit(measure, *unit): unit for unit in units}
    waiting, done_weight = set(futures), 0.0
    with Progress() as progress:
        while waiting:
            done, waiting = wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED)
            for future in done:
                rows, seconds, problem = future.result()
                results.write(*futures[future], rows, seconds)
                done_weight += weights[futures[future]]
                if problem:
                    print(problem, file=sys.stderr)
            left = clock(progress.elapsed * (sum(weights.values()) / done_weight - 1)) if done_weight else "?"
            progress.show(f"{len(units) - len(waiting)}/{len(units)} units of work, {clock(progress.elapsed)} gone, "
                          f"{left} left")


def worker() -> None:
    """Leaves Ctrl-C to the parent, and ends with it even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()


def run_here(units: list[Unit], results: Results, jobs: int) -> None:
    """On this machine, in processes that start afresh; an interrupt ends them, too."""
    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), worker)
    try:
        run(units, results, pool)
    except BaseException:
        for process in set(multiprocessing.active_children()) - set(others):
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def scores(curves: Curves) -> str:
    """The last point of each line; success with its interquartile mean, too."""
    table = [("", "success (%)", "interquartile mean", "reward", "turns")]
    for label, (_, _, values) in curves.items():
        end = {name: SCALE[name] * values[name][:, -1] for name in SCALE}
        success, reward, turns = (show(bootstrap(end[name])) for name in SCALE)
        table.append((label, success, show(bootstrap(end["success"], interquartile_mean)), reward, turns))
    return aligned(table)


def report(experiments: dict[str, Experiment], results: Results) -> None:
    """Draws and prints everything from the saved results."""
    curves = {name: read_curves(results, experiment) for name, experiment in experiments.items()}
    for name, experiment in experiments.items():
        seeds = "" if experiment.seeds == EXPERIMENTS[name].seeds else f"-{experiment.seeds}seeds"
        path = results.folder / f"{'figure_' * name.isdigit()}{name}{seeds}.png"
        write_whole(path, png(experiment.draw(curves[name], experiment.about)))
        print(f"{experiment.about} ({path})\n{scores(curves[name])}\n")
    tables = [learning_table(curves), *(noise_table(curves[name]) for name in ("14",) if name in curves),
              *(variants_table(curves[name]) for name in ("readings", "ablation") if name in curves),
              claims_table(curves), cost_table(results, experiments)]
    print(*(table for table in tables if table.count("\n") > 1), sep="\n\n")


def listing(experiments: dict[str, Experiment], results: Results) -> str:
    """Each experiment with the CPU minutes that its units took, or would take, where a time was measured."""
    def minutes(some: dict[str, Experiment]) -> str:
        times = [results.seconds(setting) for setting, _ in plan(some)]
        return "not measured" if None in times else f"{sum(times) / 60:.1f}"

    rows = [(f"{name}: {experiment.about}", len(experiment.lines), experiment.seeds, minutes({name: experiment}))
            for name, experiment in experiments.items()]
    total = ("together, with the runs that figures share counted once", "", "", minutes(experiments))
    return aligned([("figure", "settings", "seeds", "CPU minutes"), *rows, total])


def main(argv: list[str] | None = None) -> int:
    p = parser()
    args = p.parse_args(argv)
    names = list(EXPERIMENTS) if "all" in args.figure else args.figure
    experiments = select(names, args.seeds, dialogues=args.dialogues, test_dialogues=args.test_dialogues)
    try:
        results = Results(args.results)
        if args.list:
            print(listing(experiments, results))
            return 0
        left = missing(plan(experiments), results)
        if left:
            run_here(left, results, min(args.jobs, len(left)))
        report(experiments, results)
        return 0
    except (Damaged, Stale, OSError) as error:
        p.error(str(error))
    except BrokenProcessPool:
        p.exit(1, "a worker process died; run the same command to go on\n")
    except KeyboardInterrupt:
        p.exit(130, "stopped; finished units are kept, run the same command to go on\n")


if __name__ == "__main__":
    sys.exit(main())
