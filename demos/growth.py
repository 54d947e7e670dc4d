"""An agent that is to tell new slots, or to ask for them: where what it knows stands in the larger domain.

    python -m demos.train --agent gp --space master --without phone postcode --grow-after 1000 --dialogues 2000
"""
from collections.abc import Sequence

from acer_np.growth import grown
from demos.agents import Setting, heads_of, layout_of
from gp_sarsa import GPAgent
from gp_sarsa import grown as grown_gp
from simulator.env import DialogueEnv


def places(old: Sequence[str], new: Sequence[str], what: str) -> list[int]:
    """Where each old name is among the new ones."""
    for name in old:
        if name not in new:
            raise ValueError(f"{what} of the larger domain lacks {name!r}, expected all of the smaller one's")
    return [new.index(name) for name in old]


def grow(agent, setting: Setting, old: DialogueEnv, new: DialogueEnv):
    """The agent of one environment for a larger one; all that is new is found by name."""
    (before, after), master = ((env.system for env in (old, new))), setting.space == "master"
    slots = places(old.domain.payload_slots, new.domain.payload_slots, "payload")
    where = (places(before.encoder.names, after.encoder.names, "belief"),
             places(before.actions.summary, after.actions.summary, "action set"), slots if master else ())
    if isinstance(agent, GPAgent):
        return grown_gp(agent, new.n_belief, layout_of(setting, new), *where)
    return grown(agent, new.n_belief, heads_of(setting, new), *where)
