"""An action set that grows under a policy that has learned: new belief entries, actions or payload slots.

The paper: "the entire policy would have to be retrained". With one output per slot nothing has to be retrained. New
inputs get zero rows and new outputs zero columns, so every old logit and Q stays as it was. A new slot is told in about
half of the informs, whatever else they tell: the old policy over payloads is the marginal of the new one. A small bias
makes that a little more than half; without it a greedy policy would never tell the new slot.
"""
import numpy as np

from acer_np.learner import AdamState, Learner
from acer_np.agent import ReplayAgent
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.replay import Batch

NEVER = -30.0            # logit of a slot that an old behaviour could not tell: a probability of 1e-13
NEW_SLOT = 0.1             # logit of a new slot: a probability of 0.52


def grown(agent: ReplayAgent, n_belief: int, heads: SummaryHeads | MasterHeads, belief_places: np.ndarray,
          summary_places: np.ndarray, slot_places: np.ndarray = ()) -> ReplayAgent:
    """A new agent of the larger sizes with what this one has learned, its moments, memory and random streams.

    The old agent stays as it was, and keeps a dialogue under way.

    Args:
        belief_places: (D,) where each old entry stands in the new belief.
        summary_places: (S,) where each old summary action stands among the new ones.
        slot_places: (slots,) where each old payload slot stands among the new ones.
    """
    beliefs, summary, slots = (np.asarray(places, int) for places in (belief_places, summary_places, slot_places))
    _check(agent, n_belief, heads, beliefs, summary, slots)
    new = type(agent)(n_belief, heads, agent.config)
    outputs = np.concatenate([summary, heads.n_summary + slots])
    reading = ("W1", "W_critic1") if agent.network.hidden else ("W_policy", "W_critic")         # the belief

    def embedded(flat: np.ndarray) -> np.ndarray:
        larger = np.zeros(new.network.size if len(flat) == agent.network.size else new.network.n_policy, flat.dtype)
        there = new.network.views(larger)
        for name, array in agent.network.views(flat).items():
            where = [np.arange(size) for size in array.shape]
            if name in reading:
                where[0] = beliefs
            if there[name].shape[-1] == heads.width and name[1:] in ("_policy", "_critic"):     # not a V
                where[-1] = outputs
            there[name][np.ix_(*where)] = array
        return larger

    params, average, (step, mean, square) = agent.learner
    new.learner = Learner(embedded(params), embedded(average), AdamState(step, embedded(mean), embedded(square)))
    new_slots = np.setdiff1d(np.arange(heads.n_summary, heads.width), outputs)
    for flat in new.learner[:2]:
        new.network.views(flat)["b_policy"][new_slots] = NEW_SLOT
    new.replay.dialogues.extend(_replaced(batch, agent.heads, new, beliefs, summary, slots)
                                for batch in agent.replay.dialogues)
    for ours, theirs in ((new.rng, agent.rng), (new.test_rng, agent.test_rng)):
        ours.bit_generator.state = theirs.bit_generator.state
    new.n_dialogues, new.update = agent.n_dialogues, agent.update
    return new


def _check(agent: ReplayAgent, n_belief: int, heads: SummaryHeads | MasterHeads, beliefs: np.ndarray,
           summary: np.ndarray, slots: np.ndarray) -> None:
    """Refuses what is not growth: another kind of heads, or an old entry without a place of its own."""
    old = agent.heads
    if type(heads) is not type(old):
        raise ValueError(f"heads is {heads}, expected {type(old).__name__}, as the agent has")
    for some in (old, heads):
        if getattr(some, "payload_outputs", "slots") != "slots":
            raise ValueError(f"heads is {some}, expected payload_outputs='slots': one output per payload cannot grow")
    n_slots, n_new_slots = (some.width - some.n_summary for some in (old, heads))
    for name, places, n_old, n_new in (("belief_places", beliefs, agent.network.n_belief, n_belief),
                                       ("summary_places", summary, old.n_summary, heads.n_summary),
                                       ("slot_places", slots, n_slots, n_new_slots)):
        if places.shape != (n_old,) or len({*places.tolist()} & {*range(n_new)}) < n_old:
            raise ValueError(f"{name} is {places}, expected {n_old} places below {n_new}, no two alike")
    methods, old_methods = (getattr(some, "n_methods", 0) for some in (heads, old))
    if not np.array_equal(summary < methods, np.arange(old.n_summary) < old_methods):
        raise ValueError(f"summary_places is {summary}, expected methods to remain methods, and others others")


def _replaced(batch: Batch, old: SummaryHeads | MasterHeads, new: ReplayAgent, beliefs: np.ndarray,
              summary: np.ndarray, slots: np.ndarray) -> Batch:
    """An old dialogue in the new sizes: new entries were 0, new actions forbidden, new slots never told."""
    heads = new.heads

    def at(places: np.ndarray, values: np.ndarray, width: int, rest: float = 0.0) -> np.ndarray:
        wide = np.full((len(values), width), rest, values.dtype)
        wide[:, places] = values
        return wide

    actions = summary[old.summary_of(batch.actions)]
    if isinstance(heads, MasterHeads):
        told = old.locate(batch.actions)[1][:, None] >> np.arange(len(slots)) & 1
        actions = heads.index(actions, told @ 2 ** slots)
    return batch._replace(beliefs=at(beliefs, batch.beliefs, new.network.n_belief), actions=actions,
                          masks=at(summary, batch.masks, heads.n_summary), mu=at(summary, batch.mu, heads.n_summary),
                          payload_logits=at(slots, batch.payload_logits, heads.width - heads.n_summary, NEVER))
