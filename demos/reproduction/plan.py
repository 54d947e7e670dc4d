"""The plan: which settings make which figure or table, and which units of work they need."""
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from acer_np import ACERConfig
from demos.records import DIAGNOSTICS, Line, Record, record_of, seeds_of
from demos.settings import Setting, make_config, on_schedule, with_overrides
from demos.training import OLD_GOALS, Run, milestones
from simulator import ENVIRONMENTS, load_domain

Unit = tuple[Setting, int]                   # a setting and a seed
INF = float("inf")

BASE = Setting(dialogues=4000, test_dialogues=200)
NO_MASK = replace(BASE, mask="none")
NOISY = replace(BASE, error_rate=0.15, nbest=5, final_error_rates=(0.0, 0.1, 0.2, 0.3, 0.4, 0.5))
SPACES = {"": "summary", ", master": "master"}           # by what a label ends in
DOMAINS = {"CR": "CamRestaurants", "SFR": "SFRestaurants", "LAP": "Laptops11"}
PARTS_SEEDS = {"summary": 5, "master": 10}
BENCHMARK_TESTS = 500
BENCHMARK_SEEDS = {"acer": 5, "gp": 10, "a2c": 5, "enac": 5, "handcrafted": 1}
EXPLORING = dict(centre="behaviour", epsilon=0.1, capacity=128, learning_rate=0.3, kl_limit=0.01)   # eNAC on hard tasks


class Experiment(NamedTuple):
    """A figure or table: what it is about, how it is drawn, its lines by label, and what is drawn."""

    about: str
    kind: str                                # of picture or table: learning, robustness, sweep, parts, table, ...
    lines: dict[str, Line]
    metric: str = "success"


def acers(base: Setting) -> dict[str, Setting]:
    """The paper's ACER and ours; in the master space the paper's has one output per payload."""
    paper = replace(base, preset="paper", payload_outputs="payloads" if base.space == "master" else "slots")
    return {"paper": paper, "ours": base}


def systems(base: Setting, *names: str, seeds: int = 15) -> dict[str, Line]:
    """The systems of the paper; its GP still samples Q when it is tested, so there is a line of draws, too."""
    lines: dict[str, Line] = {}
    for name in names:
        agent, _, space = name.partition(", ")
        setting = replace(base, agent=agent.lower(), space=space or "summary")
        if agent == "ACER":
            lines |= {f"{name} ({who})": Line(acer, seeds) for who, acer in acers(setting).items()}
        else:
            lines[name] = Line(setting, seeds)
        if agent == "GP":
            lines[f"{name}, draws"] = Line(setting, seeds, "draw")
    return lines | {"handcrafted": Line(replace(base, agent="handcrafted", mask="all"), 1)}      # it asks for no mask


def sweep(letter: str, name: str, values: tuple, seeds: int = 15) -> dict[str, Line]:
    """The paper's ACER without the mask, with several values of one hyperparameter."""
    base = acers(NO_MASK)["paper"]
    return {f"{letter} = {value:g} (paper)": Line(with_overrides(base, **{name: value}), seeds)
            for value in values} | systems(NO_MASK)


def updates() -> dict[str, Line]:
    """n updates per dialogue for the paper's ACER, each as long as one, or all sharing its step (α / n).

    Only the first 1000 dialogues of the schedule, for n = 50 costs as much as 50 runs.
    """
    base = on_schedule(acers(NO_MASK)["paper"], 1000)
    alpha, lines = make_config(base).learning_rate, {}
    for n, words, longer in ((1, "", 1), (10, "", 10), (30, "", 30), (50, "", 50), (10, " with α / n", 1)):
        setting = with_overrides(base, updates_per_dialogue=n, learning_rate=longer * alpha)
        lines[f"n = {n}{words} (paper)"] = Line(setting, 5)
    return lines


# What ours changes, one idea each; the test asks whether all that differs from ACERConfig.paper() is here.
DEPARTURES = {
    "ε-greedy from 0.95": ("behaviour", "epsilon"), "δ = 1 on sums": ("scale", "kl_limit"),
    "one body for policy and critic": ("critic_body",), "values without limits": ("value_limit",),
    "α = 0.001": ("learning_rate",), "λ = 1": ("trace_decay",), "β = 0.99": ("average_decay",),
    "all weights of std 0.01": ("body_init",), "constant η = 0.01": ("final_entropy_weight",)}
PARTS = {
    "λ-returns, not Retrace": dict(variant="lambda-returns"), "one-step targets (λ = 0)": dict(trace_decay=0.0),
    "no truncation (c = ∞)": dict(rho_max=INF), "no bias correction": dict(variant="no-correction"),
    "no trust region (δ = ∞)": dict(kl_limit=INF), "no replay (the last 64 dialogues)": dict(capacity=64),
    "no entropy": dict(entropy_weight=0.0)}
CORE = ("no trust region (δ = ∞)", "no bias correction", "λ-returns, not Retrace", "one-step targets (λ = 0)")
LONG_STEPS = {"α = 0.002": dict(learning_rate=0.002),
              "α = 0.002, no trust region": dict(learning_rate=0.002, kl_limit=INF)}
SLIPS = {
    "average that never moves": dict(average_decay=1.0), "traces cut at c, not 1": dict(variant="traces-cut-at-c"),
    "V zeroed before the end": dict(variant="blind-at-the-end"), "π of the update for μ": dict(variant="pi-for-mu"),
    "correction with the taken action's advantage": dict(variant="advantage-taken"),
    "three Adam steps": dict(variant="three-steps")}


def changed(setting: Setting, variant: str = "", **overrides) -> Setting:
    """The setting with another part or other hyperparameters."""
    return with_overrides(replace(setting, variant=variant or setting.variant), **overrides)


def departures() -> dict[str, dict]:
    """Each departure of ours from the paper, taken back."""
    paper = ACERConfig.paper()
    return {label: {name: getattr(paper, name) for name in names} for label, names in DEPARTURES.items()}


def compared(base: Setting, changes: dict[str, dict], seeds: int, control: int = 0) -> dict[str, Line]:
    """Our ACER, with more seeds if wanted, and with each change."""
    return {"ACER (ours)": Line(base, control or seeds)} | {label: Line(changed(base, **change), seeds)
                                                 for label, change in changes.items()}


def parts(changes: dict[str, dict]) -> dict[str, Line]:
    """Half a training without the mask, tested greedily, in both spaces: a space shows what the other one hides."""
    return {f"{label}{words}": line for words, space in SPACES.items() for label, line in compared(
        on_schedule(replace(NO_MASK, space=space), 2000, tests=("greedy",)), changes, PARTS_SEEDS[space], 15).items()}


def causes() -> dict[str, Line]:
    """Interventions that might bring about what the paper saw: systems of figures 3, 11, 12, then ACER of figure 8."""
    paper, slip = acers(NO_MASK)["paper"], {label: SLIPS[label] for label in ("three Adam steps",)}
    changes = {f"δ = {value:g} on sums": dict(kl_limit=value) for value in (1.0, 100.0, 1e3, 1e4, INF)}
    changes |= {f"δ = {value:g} on means": dict(kl_limit=value, scale="mean") for value in (1e-4, 1e-3, 0.01, 0.1, 1.0)}
    changes |= {"β = 0.9, δ = 0.001 on means": dict(average_decay=0.9, kl_limit=1e-3, scale="mean")} | slip
    changes |= {"average that starts elsewhere": dict(variant="stray-average"),
                "replay without the last turn": dict(variant="no-last-turn")}
    lines = systems(BASE, "ACER", "A2C", "eNAC", seeds=10)
    for label, variant in (("A2C", "pydial-a2c"), ("eNAC", "pydial-enac")):
        for words, part in (("", ""), (" as PyDial has it", variant)):
            setting = replace(lines[label].setting, variant=part)
            explored = with_overrides(setting, behaviour="greedy", epsilon=0.95)             # as in the paper
            lines |= {f"{label}{words}": Line(setting, 10), f"{label}{words}, ε-greedy from 0.95": Line(explored, 10)}
    for words, base in (("mask", BASE), ("no mask", NO_MASK)):
        master = acers(replace(base, space="master"))["paper"]
        lines[f"one output per payload slot, {words}"] = Line(replace(master, payload_outputs="slots"), 5)
    return lines | {label: Line(changed(paper, **change), 5) for label, change in changes.items()}


def task(agent: str, domain: str, number: int) -> Setting:
    """A task of the benchmark; the handcrafted policy does not ask for a mask."""
    mask = {"mask": "all"} if agent == "handcrafted" else {}
    setting = Setting(agent=agent, domain=domain, dialogues=4000, test_dialogues=BENCHMARK_TESTS,
                      **ENVIRONMENTS[number] | mask)
    return with_overrides(setting, **EXPLORING) if agent == "enac" else setting


def benchmark() -> dict[str, Line]:
    """Three domains and six environments, the same hyperparameters in all: tests on 500 users after each quarter."""
    return {f"{agent}, {short}, {number}{words}": Line(task(agent, domain, number), seeds, mode)
            for short, domain in DOMAINS.items() for number in ENVIRONMENTS for agent, seeds in BENCHMARK_SEEDS.items()
            for words, mode in (("", "greedy"), (", draws", "draw"))}


def hard() -> dict[str, Line]:
    """Half a training on Laptops11 without any mask, where hanging up is easy: parts and departures taken out."""
    free = on_schedule(replace(NO_MASK, domain="Laptops11"), 2000)
    lines = compared(free, {name: PARTS[name] for name in CORE} | departures() | LONG_STEPS, 5, 15)
    seeds = {CORE[0]: 15} | dict.fromkeys(LONG_STEPS, 10)
    return {label: line._replace(seeds=seeds.get(label, line.seeds)) for label, line in lines.items()}


def overview() -> dict[str, Line]:
    """Our ACER and GP-SARSA in both spaces, tested alike on draws: the figure of the top README."""
    lines = {f"{name}, {space} actions": Line(replace(NO_MASK, agent=agent, space=space), mode="draw")
             for agent, name in (("acer", "ACER"), ("gp", "GP-SARSA")) for space in ("summary", "master")}
    return lines | {"handcrafted": Line(replace(BASE, agent="handcrafted"), 1)}


def demonstrations() -> dict[str, Line]:
    """1000 dialogues after demonstrations of several numbers, used in several ways; without any it is the usual run."""
    tasks = {f"{space}, {words}": replace(base, space=space) for space in ("summary", "master")
             for words, base in (("no mask", NO_MASK), ("mask", BASE))} | {"Laptops11": task("acer", "Laptops11", 1)}
    ways = {f"N = {n}": dict(demonstrations=n) for n in (20, 100, 500)}
    ways |= {f"{way} only": dict(demonstrations=100, learn_from=way) for way in ("imitation", "memory")}
    ways |= {"a poor demonstrator": dict(demonstrations=100, demonstrator="poor")}
    settings = {f"{what}: {where}": on_schedule(base, 1000, **way)
                for where, base in tasks.items() for what, way in ways.items()}
    others = {f"{name}, no mask": replace(NO_MASK, agent=name.lower()) for name in ("A2C", "GP")}
    settings |= {f"N = 100: {name}": on_schedule(base, 1000, demonstrations=100) for name, base in others.items()}
    settings |= {f"N = 0: {where}": base for where, base in (tasks | others).items()}
    return {label: Line(setting, 5) for label, setting in settings.items()}


def growth() -> dict[str, Line]:
    """1000 dialogues without two slots and 1000 with them, beside the usual run, which has them from the start."""
    lines = {}
    for name in ("ACER", "GP"):
        for words, base in (("no mask", NO_MASK), ("mask", BASE)):
            whole = replace(base, agent=name.lower(), space="master")
            late = on_schedule(whole, 2000, without=("phone", "postcode"), grow_after=1000)
            late = with_overrides(late, scale_dialogues=2000) if name == "GP" else late
            lines |= {f"{what}: {name}, {words}": Line(late, 10, mode)
                      for what, mode in (("grown, all goals", "greedy"), ("grown, old goals", OLD_GOALS))}
            lines[f"from the start: {name}, {words}"] = Line(whole, 10)
    return lines


LEARNING = systems(BASE, "ACER", "A2C", "eNAC", "GP")
ROBUST = systems(NOISY, "ACER", "ACER, master", "eNAC", "GP", "GP, master")
EXPERIMENTS = {
    "overview": Experiment("Our ACER and GP-SARSA without the mask; tests draw from π, or from Q's posterior",
                           "learning", overview()),
    "3": Experiment("Success in the summary space with the mask", "learning", LEARNING),
    "4": Experiment("Reward in the summary space with the mask", "learning", LEARNING, "reward"),
    "5": Experiment("Turns in the summary space with the mask", "learning", LEARNING, "turns"),
    "6": Experiment("Success in the summary space without the mask", "learning",
                    systems(NO_MASK, "ACER", "A2C", "eNAC", "GP")),
    "7": Experiment("The paper's ACER without the mask: truncation c", "sweep",
                    sweep("c", "rho_max", (1.0, 5.0, 10.0, 20.0), 10)),
    "8": Experiment("The paper's ACER without the mask: trust region δ", "sweep",
                    sweep("δ", "kl_limit", (0.5, 1.0, 10.0, 50.0), 10)),
    "9": Experiment("The paper's ACER without the mask: averaging β", "sweep",
                    sweep("β", "average_decay", (0.5, 0.9, 0.95, 0.99))),
    "10": Experiment("The paper's ACER without the mask: n updates per dialogue, 1000 dialogues of 4000", "table",
                     updates()),
    "11": Experiment("ACER in both spaces, with the mask", "learning", systems(BASE, "ACER", "ACER, master")),
    "12": Experiment("ACER and GP in both spaces, without the mask", "learning",
                     systems(NO_MASK, "ACER", "ACER, master", "GP", "GP, master")),
    "13": Experiment("Success at other error rates than the 15 % of training", "robustness", ROBUST),
    "14": Experiment("Reward at other error rates than the 15 % of training", "robustness", ROBUST, "reward"),
    "ablation": Experiment("Our ACER without each of its parts: 2000 dialogues, no mask", "parts", parts(PARTS)),
    "departures": Experiment("Our ACER with each departure from the paper taken back: 2000 dialogues, no mask", "parts",
                             parts(departures())),
    "hard": Experiment("Our ACER on Laptops11 without the mask, without its parts, and with departures taken back",
                       "parts", hard()),
    "diagnostics": Experiment("What both ACERs do while they learn without the mask", "diagnostics",
                              {label: line for label, line in systems(NO_MASK, "ACER").items() if "ACER" in label}),
    "causes": Experiment("Interventions: systems with the mask, the paper's ACER in both spaces", "table", causes()),
    "slips": Experiment("Slips met in print and code: the first 1000 dialogues without the mask", "parts",
                        compared(on_schedule(NO_MASK, 1000), SLIPS, 15)),
    "benchmark": Experiment("The PyDial benchmark: three domains, six environments", "benchmark", benchmark()),
    "demonstrations": Experiment("Success after demonstrations of the handcrafted policy", "panels", demonstrations()),
    "growth": Experiment("Two slots more after 1000 dialogues in the master space", "panels", growth())}


def select(names: list[str], seeds: int | None = None, **sizes: int) -> dict[str, Experiment]:
    """Some of the experiments, if wanted with another number of seeds, dialogues or test_dialogues."""
    return {name: experiment._replace(lines={
                label: line._replace(setting=resized(line.setting, **sizes), seeds=seeds or line.seeds)
                for label, line in experiment.lines.items()})
            for name, experiment in EXPERIMENTS.items() if name in names}


def resized(setting: Setting, **sizes: int) -> Setting:
    """With other sizes; a domain grows after the same share of dialogues."""
    dialogues = sizes.get("dialogues", setting.dialogues)
    return replace(setting, grow_after=setting.grow_after * dialogues // setting.dialogues, **sizes)


def plan(experiments: dict[str, Experiment]) -> list[Unit]:
    """Every unit once, however many figures it serves; seed by seed, so that half of it is a plan with fewer seeds."""
    units = dict.fromkeys((line.setting, seed) for experiment in experiments.values()
                          for line in experiment.lines.values() for seed in seeds_of(line.setting, line.seeds))
    return sorted(units, key=lambda unit: unit[1])


def measure(setting: Setting, seed: int, domains: Path | None = None) -> tuple[Record, str]:
    """One unit of work, a pure function: its record, and what went wrong.

    An update that is not finite is a result too: the agent stays what it is and fails or passes the remaining tests.
    """
    domain = load_domain(*files_of(setting.domain, domains)) if setting.domain else None
    run, problem = Run(setting, seed, domain), ""
    run.due = due_after(setting, run.total)
    try:
        for _ in run.train():
            pass
    except ValueError as error:
        problem = f"{setting.name}, seed {seed}: learning ended after {run.n_dialogues} dialogues: {error}"
    run.stay()
    sizes = {"dialogues": setting.dialogues, "test_dialogues": setting.test_dialogues}
    watched = {line.setting for line in select(["diagnostics"], **sizes)["diagnostics"].lines.values()}
    return record_of(setting, seed, run.curve, run.seconds, domain.fingerprint if domain else "",
                     DIAGNOSTICS if setting in watched else ("binding",)), problem


def due_after(setting: Setting, total: int) -> list[int]:
    """After how many dialogues to test: four times as thoroughly as the benchmark does, or as often as in training."""
    thorough = setting.test_dialogues == BENCHMARK_TESTS
    return sorted({total * quarter // 4 for quarter in range(1, 5)}) if thorough else milestones(total)


def files_of(domain: str, folder: Path) -> tuple[Path, Path]:
    """PyDial's names for a domain's ontology and database."""
    return folder / f"{domain}-rules.json", folder / f"{domain}-dbase.db"
