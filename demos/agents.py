"""Any agent in its environment: the place where simulator and learners meet."""
from collections.abc import Callable, Sequence
from dataclasses import astuple

import numpy as np

from acer_np import MasterHeads, SummaryHeads
from acer_np.beyond.growth import grown
from demos.ablations import ABLATIONS
from demos.settings import TRAINABLE, Setting, make_config
from gp_sarsa import ActionLayout, GPAgent, grown as grown_gp
from simulator import Act, DialogueEnv, Domain, handcrafted, uniform_random
from simulator.actions import INFORMS, Actions


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


def places(old: Sequence[str], new: Sequence[str]) -> list[int]:
    """Where each old name is among the new ones."""
    return [new.index(name) for name in old]


def grow(agent, setting: Setting, old: DialogueEnv, new: DialogueEnv):
    """The agent of one environment for a larger one; all that is new is found by name.

    A network forgets the dialogues of before: their users never wanted what is new, and replayed they would teach that
    it need not be told.
    """
    (before, after), master = ((env.system for env in (old, new))), setting.space == "master"
    where = (places(before.encoder.names, after.encoder.names),
             places(before.actions.summary, after.actions.summary),
             places(old.domain.payload_slots, new.domain.payload_slots) if master else ())
    if isinstance(agent, GPAgent):
        return grown_gp(agent, new.n_belief, layout_of(setting, new), *where)
    larger = grown(agent, new.n_belief, heads_of(setting, new), *where)
    larger.replay.dialogues.clear()
    return larger


class FixedPolicy:
    """A policy that does not learn, with what an agent needs to be tested and saved."""

    def __init__(self, choose: Callable[[np.ndarray], int | Act]):
        self.choose = choose

    def act(self, belief: np.ndarray, mask: np.ndarray, mode: str = "greedy") -> int | Act:
        return self.choose(mask)

    def state(self) -> tuple[dict, dict[str, np.ndarray]]:
        return {}, {}

    def restore(self, header: dict, arrays: dict[str, np.ndarray]) -> None:
        """There is nothing to restore."""


def favourites(agent, actions: Actions, belief: np.ndarray, mask: np.ndarray, n: int) -> list[tuple[str, ...]]:
    """A table of the best n allowed actions, the header first; empty for an agent without action_table.

    What a network would do comes before all: in the master space an inform is chosen for the sum of its payloads.
    """
    columns = agent.action_table(belief, mask) if hasattr(agent, "action_table") else {}
    if not columns:
        return []
    first, *_ = columns.values()
    choice = agent.act(belief, mask, "greedy")
    best = sorted(np.flatnonzero(mask), key=lambda action: (action != choice, -first[action]))[:n]
    return [("action", *columns),
            *((actions.name(action), *(f"{column[action]:.2f}" for column in columns.values())) for action in best)]
