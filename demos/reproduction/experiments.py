"""The paper's evaluation as a plan: which settings make which figure, and which units of work they need."""
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from demos import figures
from demos.agents import Setting, make_config, with_overrides
from demos.results import Rows, seeds_of
from demos.training import Run

Unit = tuple[Setting, int]                   # a setting and a seed

BASE = Setting(dialogues=4000, test_dialogues=200)
NO_MASK = replace(BASE, mask=False)
NOISY = replace(BASE, error_rate=0.15, nbest=5, final_error_rates=(0.0, 0.1, 0.2, 0.3, 0.4, 0.5))
# Where our ACER differs from the paper's, or the paper is silent and PyDial is not.
PAPER = dict(learning_rate=0.001, average_decay=0.99, capacity=2000, trace_decay=1.0, value_limit=np.inf,
             body_init=0.01, payload_outputs="payloads")


class Experiment(NamedTuple):
    """A figure: its title, the settings of its lines by label, how many seeds it has, and what draws it."""

    about: str
    lines: dict[str, Setting]
    draw: Callable
    seeds: int = 15


def systems(base: Setting, *labels: str) -> dict[str, Setting]:
    """The systems of the paper; its GP still samples when tested, so ours does where nothing else is said."""
    gp, acer, master = replace(base, agent="gp"), replace(base, agent="acer"), {"space": "master"}
    every = {"ACER": acer, "ACER, master": replace(acer, **master), "A2C": replace(base, agent="a2c"),
             "eNAC": replace(base, agent="enac"), "GP": with_overrides(gp, test_scale=1.0),
             "GP, master": with_overrides(replace(gp, **master), test_scale=1.0),
             "GP, tested on its mean": with_overrides(gp, test_scale=0.0)}
    return {label: every[label] for label in labels} | {"handcrafted": replace(base, agent="handcrafted")}


def sweep(letter: str, name: str, values: tuple) -> dict[str, Setting]:
    """ACER without the mask, with several values of one hyperparameter."""
    lines = {f"{letter} = {value:g}": with_overrides(NO_MASK, **{name: value}) for value in values}
    return lines | systems(NO_MASK)


def ablated() -> dict[str, Setting]:
    """ACER without the mask, and without each of its parts."""
    changes = {"ACER": {}, "λ-returns, not Retrace": dict(critic_target="lambda_return"),
               "one-step targets (λ = 0)": dict(trace_decay=0.0),
               "traces cut at c, not 1": dict(trace_max=make_config(NO_MASK).rho_max),
               "no truncation (c = ∞)": dict(rho_max=np.inf), "no bias correction": dict(bias_correction=False),
               "no trust region (δ = ∞)": dict(kl_limit=np.inf), "no replay": dict(capacity=1, minibatch=1),
               "no entropy": dict(entropy_weight=0.0), "all values as in the paper": PAPER}
    return {label: with_overrides(NO_MASK, **change) for label, change in changes.items()} | systems(NO_MASK)


def readings() -> dict[str, Setting]:
    """ACER with the mask in both spaces, and with each departure from the paper taken back."""
    changes = {"α = 0.001": "learning_rate", "β = 0.99": "average_decay", "λ = 1": "trace_decay",
               "targets without limits": "value_limit", "memory of 2000 dialogues": "capacity",
               "all weights of std 0.01": "body_init"}
    master = replace(BASE, space="master")
    return {"ACER": BASE, **{label: with_overrides(BASE, **{name: PAPER[name]}) for label, name in changes.items()},
            "all of these": with_overrides(BASE, **PAPER | {"payload_outputs": "slots"}), "ACER, master": master,
            "master, ε-greedy over 1035 actions": with_overrides(master, explore_over="actions"),
            "master, entropy 0.01": with_overrides(master, entropy_weight=0.01),
            "master, one output per payload": with_overrides(master, payload_outputs="payloads")} | systems(BASE)


LEARNING = systems(BASE, "ACER", "A2C", "eNAC", "GP", "GP, tested on its mean")
ROBUST = systems(NOISY, "ACER", "ACER, master", "eNAC", "GP", "GP, master")
EXPERIMENTS = {
    "3": Experiment("Success in the summary space with the mask", LEARNING, figures.figure_3),
    "4": Experiment("Reward in the summary space with the mask", LEARNING, figures.figure_4),
    "5": Experiment("Turns in the summary space with the mask", LEARNING, figures.figure_5),
    "6": Experiment("Success in the summary space without the mask",
                    systems(NO_MASK, "ACER", "A2C", "eNAC", "GP", "GP, tested on its mean"), figures.figure_6),
    "7": Experiment("ACER without the mask: truncation c",
                    sweep("c", "rho_max", (1.0, 5.0, 10.0, 20.0)), figures.figure_7, seeds=10),
    "8": Experiment("ACER without the mask: trust region δ",
                    sweep("δ", "kl_limit", (0.5, 1.0, 10.0, 50.0)), figures.figure_8, seeds=10),
    "9": Experiment("ACER without the mask: averaging β",
                    sweep("β", "average_decay", (0.5, 0.9, 0.95, 0.99)), figures.figure_9),
    "10": Experiment("ACER without the mask: n updates per dialogue",
                     sweep("n", "updates_per_dialogue", (1, 10, 30, 50)), figures.figure_10, seeds=5),
    "11": Experiment("ACER in both spaces, with the mask", systems(BASE, "ACER", "ACER, master"), figures.figure_11),
    "12": Experiment("ACER and GP in both spaces, without the mask",
                     systems(NO_MASK, "ACER", "ACER, master", "GP", "GP, master"), figures.figure_12),
    "13": Experiment("Success at other error rates than the 15 % of training", ROBUST, figures.figure_13),
    "14": Experiment("Reward at other error rates than the 15 % of training", ROBUST, figures.figure_14),
    "readings": Experiment("ACER with the mask, and with each departure from the paper taken back", readings(),
                           figures.ablation, seeds=10),
    "ablation": Experiment("ACER without the mask, and without each of its parts", ablated(), figures.ablation)}


def select(names: list[str], seeds: int | None = None, **sizes: int) -> dict[str, Experiment]:
    """Some of the experiments, if wanted with another number of seeds, dialogues or test_dialogues."""
    return {name: experiment._replace(seeds=seeds or experiment.seeds, lines={
                label: replace(setting, **sizes) for label, setting in experiment.lines.items()})
            for name, experiment in EXPERIMENTS.items() if name in names}


def plan(experiments: dict[str, Experiment]) -> list[Unit]:
    """Every unit once, however many figures it serves; seed by seed, so that half of it is a plan with fewer seeds."""
    units = dict.fromkeys((setting, seed) for experiment in experiments.values()
                          for setting in experiment.lines.values() for seed in seeds_of(setting, experiment.seeds))
    return sorted(units, key=lambda unit: unit[1])


def measure(setting: Setting, seed: int) -> tuple[Rows, dict[str, float], str]:
    """One unit of work, a pure function: its rows, its CPU seconds, and what went wrong.

    An update that is not finite is a result too: the agent stays what it is and fails or passes the remaining tests.
    """
    run, problem = Run(setting, seed), ""
    try:
        for _ in run.train():
            pass
    except ValueError as error:
        problem = f"{setting.name}, seed {seed}: learning ended after {run.n_dialogues} dialogues: {error}"
        run.stay()
    return run.curve, run.seconds, problem
