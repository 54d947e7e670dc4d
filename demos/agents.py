"""Settings, and any agent in its environment: the place where simulator and learners meet."""
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace

import numpy as np

import demos
from acer_np.a2c import A2CAgent, A2CConfig
from acer_np.acer import ACERAgent, ACERConfig
from acer_np.enac import ENACAgent, ENACConfig
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from gp_sarsa.agent import GPAgent, GPConfig
from gp_sarsa.layout import ActionLayout
from simulator.actions import INFORMS
from simulator.acts import Act
from simulator.env import DialogueEnv
from simulator.policies import handcrafted, uniform_random

LEARNERS = {"acer": (ACERAgent, ACERConfig), "a2c": (A2CAgent, A2CConfig), "enac": (ENACAgent, ENACConfig),
            "gp": (GPAgent, GPConfig)}
AGENTS = (*LEARNERS, "handcrafted", "random")
# In the master space, and without the mask with ε from 0.5. Payloads drawn from the payload policy leave ρ near 1, so
# that whole traces (λ = 1) reach far; ε-greedy over all 1035 actions makes every payload improbable under π and cuts
# them. Telling everything saves about one turn, 0.05 of scaled reward; at the paper's 0.01 the entropy of eight free
# choices is worth as much.
ACER_MASTER = dict(explore_over="summary", trace_decay=1.0, entropy_weight=0.003)


@dataclass(frozen=True)
class Setting:
    """What is trained and how it is tested; together with a seed it determines every number of a run."""

    agent: str = "acer"
    space: str = "summary"
    mask: bool = True
    error_rate: float = 0.0
    nbest: int = 1
    dialogues: int = 2000                                  # to train on
    test_dialogues: int = 200                              # per test
    final_error_rates: tuple[float, ...] = ()              # to test at as well, once training is over
    overrides: tuple[tuple[str, object], ...] = ()         # hyperparameters that differ from the agent's defaults

    @property
    def name(self) -> str:
        """acer-summary-nomask-rho_max=20: what tells settings apart, for people and for file names."""
        noise = f"-error{100 * self.error_rate:g}" if self.error_rate else ""
        changes = "".join(f"-{name}={value}" for name, value in self.overrides)
        return f"{self.agent}-{self.space}-{'mask' if self.mask else 'nomask'}{noise}{changes}"

    @classmethod
    def from_json(cls, values: dict) -> "Setting":
        """The setting whose asdict went through JSON, which has no tuples."""
        return cls(**values | {"final_error_rates": tuple(values["final_error_rates"]),
                               "overrides": tuple((name, value) for name, value in values["overrides"])})


def with_overrides(setting: Setting, **values) -> Setting:
    """The setting with other hyperparameters; defaults are left out, so that equal runs have equal settings."""
    default = make_config(replace(setting, overrides=()))
    chosen = dict(setting.overrides) | values
    kept = {name: value for name, value in chosen.items() if value != getattr(default, name)}
    return replace(setting, overrides=tuple(sorted(kept.items())))


def make_config(setting: Setting):
    """All hyperparameters of the learner; exploration ends when training does."""
    _, config_type = LEARNERS[setting.agent]
    explores = any(field.name == "epsilon_dialogues" for field in fields(config_type))
    values = {"epsilon_dialogues": setting.dialogues} if explores else {}
    if (setting.agent, setting.space) == ("acer", "master"):
        values |= ACER_MASTER if setting.mask else ACER_MASTER | {"epsilon_start": 0.5}
    return config_type(**values | dict(setting.overrides))


def configuration(setting: Setting, seed: int) -> dict:
    """Everything that a result depends on, for its record."""
    config = asdict(make_config(setting)) if setting.agent in LEARNERS else {}
    return {"version": demos.__version__, "seed": seed, "setting": asdict(setting), "config": config}


def make_env(setting: Setting) -> DialogueEnv:
    """The built-in domain under this setting."""
    return DialogueEnv(action_space=setting.space, error_rate=setting.error_rate, nbest=setting.nbest,
                       mask="all" if setting.mask else "none", seed=0)


def make_agent(setting: Setting, env: DialogueEnv, seed: int):
    """An untrained agent whose sizes fit the environment; its random stream is none of the dialogues' streams."""
    if setting.agent == "handcrafted":
        return FixedPolicy(lambda mask: handcrafted(env.system))
    if setting.agent == "random":
        rng = np.random.default_rng([seed, 2])
        return FixedPolicy(lambda mask: uniform_random(mask, rng))
    n_methods, n_others = len(INFORMS), len(env.system.actions.summary) - len(INFORMS)
    n_payload_slots = len(env.domain.payload_slots) if setting.space == "master" else 0
    if setting.agent == "gp":
        actions = ActionLayout(n_methods, n_payload_slots, n_others)
    elif setting.space == "master":
        actions = MasterHeads(n_methods, n_payload_slots, n_others, make_config(setting).payload_outputs)
    else:
        actions = SummaryHeads(env.n_actions)
    agent_type, _ = LEARNERS[setting.agent]
    return agent_type(env.n_belief, actions, make_config(setting), seed=[seed, 2], fingerprint=env.domain.fingerprint)


class FixedPolicy:
    """A policy that does not learn, with an agent's act."""

    def __init__(self, choose: Callable[[np.ndarray], int | Act]):
        self.choose = choose

    def act(self, belief: np.ndarray, mask: np.ndarray, greedy: bool = False) -> int | Act:
        return self.choose(mask)
