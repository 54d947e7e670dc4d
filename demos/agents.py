"""Settings, and any agent in its environment: the place where simulator and learners meet."""
import json
import os
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path

import numpy as np

from acer_np import A2CAgent, A2CConfig, ACERAgent, ACERConfig, ENACAgent, ENACConfig, MasterHeads, SummaryHeads
from acer_np.beyond.growth import grown
from demos.ablations import ABLATIONS
from gp_sarsa import ActionLayout, GPAgent, GPConfig, bytes_needed, grown as grown_gp
from simulator import Act, DialogueEnv, Domain, handcrafted, uniform_random
from simulator.actions import INFORMS

TRAINABLE = {"acer": (ACERAgent, ACERConfig), "a2c": (A2CAgent, A2CConfig), "enac": (ENACAgent, ENACConfig),
            "gp": (GPAgent, GPConfig)}
AGENTS = (*TRAINABLE, "handcrafted", "random")
EDITION = 2                      # of results: raised when the same setting and seed begin to give other numbers
LARGE = 1e9                      # bytes of memory that a learner is said to need before it starts


@dataclass(frozen=True)
class Setting:
    """What is trained and how it is tested; together with a seed and the domain it determines every number of a run."""

    agent: str = "acer"
    preset: str = "ours"                                   # or "paper": the values of ACERConfig.paper()
    space: str = "summary"
    domain: str = ""                                       # its name; none for the built-in one
    mask: str = "all"                                      # what is masked: all, bye, none
    error_rate: float = 0.0
    nbest: int = 1
    channel: str = "sampled"
    tables: str = "default"                                # of the dstc2 channel
    user: str = "sampled"
    dialogues: int = 2000                                  # to train on
    test_dialogues: int = 200                              # per test
    tests: tuple[str, ...] = ("greedy", "draw")            # how the policy is tested
    final_error_rates: tuple[float, ...] = ()              # to test at as well, once training is over
    payload_outputs: str = "slots"                         # of the master heads; the paper has "payloads"
    variant: str = ""                                      # a part of ACER that is replaced
    overrides: tuple[tuple[str, object], ...] = ()         # hyperparameters that differ from the preset's
    demonstrations: int = 0                                # dialogues of another policy to learn from first
    demonstrator: str = "handcrafted"                      # or "poor", or a snapshot
    learn_from: str = "both"                               # "imitation" of the demonstrator, "memory" of its dialogues
    without: tuple[str, ...] = ()                          # slots that the domain lacks at first
    grow_after: int = 0                                    # dialogues after which it gets them

    @property
    def name(self) -> str:
        """acer-summary-nomask-rho_max=20: what tells settings apart, for people and for file names."""
        default, words = Setting(), [self.agent, self.space, "mask" if self.mask == "all" else f"mask-{self.mask}"]
        words += [f"error{100 * self.error_rate:g}"] if self.error_rate else []
        names = "preset", "domain", "channel", "tables", "user", "variant", "payload_outputs"
        words += [getattr(self, name) for name in names if getattr(self, name) != getattr(default, name)]
        if self.demonstrations:
            words += [f"demos{self.demonstrations}"]
            words += [Path(getattr(self, name)).stem for name in ("demonstrator", "learn_from")
                      if getattr(self, name) != getattr(default, name)]
        words += [f"grown{self.grow_after}", *self.without] if self.without else []
        return "-".join([*words, *(f"{name}={value}" for name, value in self.overrides)])

    @classmethod
    def from_json(cls, values: dict) -> "Setting":
        """The setting whose asdict went through JSON, which has no tuples."""
        def frozen(value):
            return tuple(map(frozen, value)) if isinstance(value, list) else value
        return cls(**{name: frozen(value) for name, value in values.items()})


def with_overrides(setting: Setting, **values) -> Setting:
    """The setting with other hyperparameters; defaults are left out, so that equal runs have equal settings."""
    default, chosen = asdict(make_config(replace(setting, overrides=()))), dict(setting.overrides) | values
    for name in chosen:
        if name not in default:
            raise ValueError(f"hyperparameter is {name!r}, expected one of {', '.join(default)}")
    kept = {name: value for name, value in chosen.items() if value != default[name]}
    return replace(setting, overrides=tuple(sorted(kept.items())))


def make_config(setting: Setting):
    """All hyperparameters of the learner; what falls in the course of training has fallen when it ends."""
    _, config_type = TRAINABLE[setting.agent]
    values = ({"horizon": setting.dialogues} if hasattr(config_type, "horizon") else {}) | dict(setting.overrides)
    presets = {"ours": config_type} | ({"paper": config_type.paper} if hasattr(config_type, "paper") else {})
    if setting.preset not in presets:
        raise ValueError(f"preset is {setting.preset!r}, expected {' or '.join(presets)} for agent {setting.agent}")
    return presets[setting.preset](**values)


def on_schedule(setting: Setting, dialogues: int, **changes) -> Setting:
    """Fewer or more dialogues by the schedule of all that were planned: what falls has fallen when those end."""
    config = make_config(setting)
    horizon = {"horizon": config.horizon} if hasattr(config, "horizon") else {}
    return with_overrides(replace(setting, dialogues=dialogues, **changes), **horizon)


def record_of(setting: Setting) -> dict:
    """Everything but the seed that a result depends on, as JSON gives it back."""
    config = asdict(make_config(setting)) if setting.agent in TRAINABLE else {}
    return json.loads(json.dumps({"edition": EDITION, "setting": asdict(setting), "config": config}))


def made_with() -> dict:
    """What the last bits of a result depend on, for its record."""
    return {"python": platform.python_version(), "numpy": np.__version__, "machine": platform.machine()}


def make_env(setting: Setting, domain: Domain | None = None) -> DialogueEnv:
    """The environment of this setting, in the built-in domain unless one is given."""
    return DialogueEnv(domain, action_space=setting.space, error_rate=setting.error_rate, nbest=setting.nbest,
                       mask=setting.mask, channel=setting.channel, tables=setting.tables, user=setting.user, seed=0)


def make_agent(setting: Setting, env: DialogueEnv, seed: int):
    """An untrained agent whose sizes fit the environment; its random stream is none of the dialogues' streams."""
    if setting.agent == "handcrafted":
        return FixedPolicy(lambda mask: handcrafted(env.system))
    if setting.agent == "random":
        rng = np.random.default_rng([seed, 2])
        return FixedPolicy(lambda mask: uniform_random(mask, rng))
    actions = layout_of(setting, env) if setting.agent == "gp" else heads_of(setting, env)
    if setting.agent == "gp":
        check_memory(bytes_needed(env.n_belief, actions), setting.name)
    agent_type, _ = TRAINABLE[setting.agent]
    agent = agent_type(env.n_belief, actions, make_config(setting), seed=[seed, 2])
    if setting.variant:
        agent.update = ABLATIONS[setting.variant]
    return agent


def layout_of(setting: Setting, env: DialogueEnv) -> ActionLayout:
    """The actions of an environment as GP-SARSA sees them."""
    n_others = len(env.system.actions.summary) - len(INFORMS)
    return ActionLayout(len(INFORMS), len(env.domain.payload_slots) if setting.space == "master" else 0, n_others)


def heads_of(setting: Setting, env: DialogueEnv) -> SummaryHeads | MasterHeads:
    """The actions of an environment as the outputs of a network."""
    if setting.space == "summary":
        return SummaryHeads(env.n_actions)
    return MasterHeads(*astuple(layout_of(setting, env)), setting.payload_outputs)


def places(old: Sequence[str], new: Sequence[str], what: str) -> list[int]:
    """Where each old name is among the new ones."""
    for name in old:
        if name not in new:
            raise ValueError(f"{what} of the larger domain lacks {name!r}, expected all of the smaller one's")
    return [new.index(name) for name in old]


def grow(agent, setting: Setting, old: DialogueEnv, new: DialogueEnv):
    """The agent of one environment for a larger one; all that is new is found by name.

    A network forgets the dialogues of before: their users never wanted what is new, and replayed they would teach that
    it need not be told.
    """
    (before, after), master = ((env.system for env in (old, new))), setting.space == "master"
    slots = places(old.domain.payload_slots, new.domain.payload_slots, "payload")
    where = (places(before.encoder.names, after.encoder.names, "belief"),
             places(before.actions.summary, after.actions.summary, "action set"), slots if master else ())
    if isinstance(agent, GPAgent):
        return grown_gp(agent, new.n_belief, layout_of(setting, new), *where)
    larger = grown(agent, new.n_belief, heads_of(setting, new), *where)
    larger.replay.dialogues.clear()
    return larger


def check_memory(needed: int, name: str) -> None:
    """Says what a large learner will take, and refuses what this machine does not have."""
    present = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else np.inf
    if needed > present:
        raise ValueError(f"memory is {present / 1e9:.1f} GB, expected {needed / 1e9:.1f} GB for {name}; the summary "
                         "space, or another agent, needs much less")
    if needed > LARGE:
        print(f"{name} needs {needed / 1e9:.1f} GB of memory, and twice that while it is saved", file=sys.stderr)


class FixedPolicy:
    """A policy that does not learn, with an agent's act."""

    def __init__(self, choose: Callable[[np.ndarray], int | Act]):
        self.choose = choose

    def act(self, belief: np.ndarray, mask: np.ndarray, mode: str = "greedy") -> int | Act:
        return self.choose(mask)
