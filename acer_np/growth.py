"""An action set that grows under a policy that has learned: new belief entries, actions or payload slots.

The paper: "the entire policy would have to be retrained". With one output per slot nothing has to be: new inputs get
zero rows and new outputs zero columns, so that on beliefs without the new entries every old logit and Q is what it
was. A new slot then starts at one half, told or not, whatever else is told: the policy over the old payloads is the
marginal of the new one.
"""
import numpy as np

from acer_np.adam import AdamState, Learner
from acer_np.agent import ReplayAgent
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.replay import Batch

NEVER = -30.0            # logit of a slot that an old behaviour could not tell: a probability of 1e-13


def grown(agent: ReplayAgent, n_belief: int, heads: SummaryHeads | MasterHeads, belief_places: np.ndarray,
          summary_places: np.ndarray, slot_places: np.ndarray = ()) -> ReplayAgent:
    """A new agent of the larger sizes that knows what the old one knew, with its moments, memory and random streams.

    Args:
        belief_places: (D,) where each old entry stands in the new belief.
        summary_places: (S,) where each old summary action stands among the new ones.
        slot_places: (slots,) where each old payload slot stands among the new ones.
    """
    beliefs, summary, slots = (np.asarray(places, int) for places in (belief_places, summary_places, slot_places))
    if getattr(agent.heads, "payload_outputs", "slots") != "slots":
        raise ValueError("payload_outputs is 'payloads', expected 'slots': one output per payload cannot grow")
    sizes = [(agent.network.n_belief, n_belief), (agent.heads.n_summary, heads.n_summary),
             (n_slots(agent.heads), n_slots(heads))]
    for name, places, (old, new) in zip(("belief_places", "summary_places", "slot_places"),
                                        (beliefs, summary, slots), sizes):
        if len(places) != old or len(set(places)) != old or not ((places >= 0) & (places < new)).all():
            raise ValueError(f"{name} is {places}, expected {old} different places below {new}: nothing may be removed")
    if isinstance(heads, MasterHeads) and (summary[:agent.heads.n_methods] >= heads.n_methods).any():
        raise ValueError(f"summary_places is {summary}, expected methods to remain methods")
    new = type(agent)(n_belief, heads, agent.config)
    outputs = np.concatenate([summary, heads.n_summary + slots])

    def embedded(flat: np.ndarray) -> np.ndarray:
        larger = np.zeros(new.network.size if len(flat) == agent.network.size else new.network.n_policy, flat.dtype)
        for name, array in agent.network.views(flat).items():
            target = new.network.views(larger)[name]
            where = [np.arange(size) for size in array.shape]
            if name in ("W1", "W_critic1"):
                where[0] = beliefs
            if array.shape[-1] == len(outputs) and name[1:] in ("_policy", "_critic"):
                where[-1] = outputs
            target[np.ix_(*where)] = array
        return larger

    params, average, adam = agent.learner
    new.learner = Learner(embedded(params), embedded(average), AdamState(adam.step, *map(embedded, adam[1:])))
    new.replay.dialogues.extend(_replaced(batch, agent.heads, new, beliefs, summary, slots)
                                for batch in agent.replay.dialogues)
    for ours, theirs in ((new.rng, agent.rng), (new.test_rng, agent.test_rng)):
        ours.bit_generator.state = theirs.bit_generator.state
    new.n_dialogues = agent.n_dialogues
    return new


def n_slots(heads: SummaryHeads | MasterHeads) -> int:
    return heads.n_payload_slots if isinstance(heads, MasterHeads) else 0


def _replaced(batch: Batch, old: SummaryHeads | MasterHeads, new: ReplayAgent, beliefs: np.ndarray,
              summary: np.ndarray, slots: np.ndarray) -> Batch:
    """An old dialogue as the new sizes have it: what was not there was 0, forbidden, and never told."""
    n, heads = len(batch.actions), new.heads

    def at(places: np.ndarray, values: np.ndarray, width: int, rest: float = 0.0) -> np.ndarray:
        wide = np.full((n, width), rest, values.dtype)
        wide[:, places] = values
        return wide

    actions = summary[old.summary_of(batch.actions)]
    if isinstance(heads, MasterHeads):
        told = old.locate(batch.actions)[1][:, None] >> np.arange(len(slots)) & 1
        actions = heads.index(actions, (told << slots).sum(axis=1))
    return batch._replace(beliefs=at(beliefs, batch.beliefs, new.network.n_belief), actions=actions,
                          masks=at(summary, batch.masks, heads.n_summary), mu=at(summary, batch.mu, heads.n_summary),
                          payload_logits=at(slots, batch.payload_logits, n_slots(heads), NEVER))
