"""The belief as a vector: what the policies see."""
import numpy as np

from simulator.acts import DONTCARE
from simulator.belief import Belief
from simulator.domain import Domain

NONE = "NONE"                    # the entry for "the user has said nothing about this slot"
INFO_GROUPS = 5                  # inform_info looks at the surest 1, 2, ..., 5 slots


class BeliefVector:
    """Encodes beliefs: the complete distributions, and what the database says about the surest constraints.

    `slices` names the blocks of the vector, `names` its entries.
    """

    def __init__(self, domain: Domain):
        self.domain = domain
        blocks = {slot: (*values, NONE, DONTCARE) for slot, values in domain.informable.items()} | {
            "method": domain.methods,
            "discourse": domain.discourse_acts,
            "requested": domain.requestable,
            "last_action_inform_none": ("",),
            "offer_happened": ("",),
            "inform_info": tuple(f"top {k}: {what}" for k in range(1, INFO_GROUPS + 1)
                                 for what in ("no venue", "1 venue", "2-4 venues", "more venues", "discriminable"))}
        self.slices: dict[str, slice] = {}
        self.names: list[str] = []
        self._at: dict[str, dict[str, int]] = {}
        for block, entries in blocks.items():
            start = len(self.names)
            self.slices[block] = slice(start, start + len(entries))
            self._at[block] = {entry: start + i for i, entry in enumerate(entries)}
            self.names += [f"{block}={entry}" if entry else block for entry in entries]
        self.size = len(self.names)
        self._silence = np.zeros(self.size)
        self._silence[[self._at[slot][NONE] for slot in domain.informable]] = 1.0

    def encode(self, belief: Belief) -> np.ndarray:
        """(size,) float64. Values that the ontology does not list, and a goodbye, have no entry and are left out."""
        vector = self._silence.copy()
        blocks = belief.goal | {"method": belief.method, "discourse": belief.discourse, "requested": belief.requested,
                                "last_action_inform_none": {"": belief.said_none},
                                "offer_happened": {"": belief.offer_happened}}
        for block, masses in blocks.items():
            at = self._at[block]
            if NONE in at:
                vector[at[NONE]] = max(0.0, 1 - sum(masses.values()))
            for entry, mass in masses.items():
                if entry in at:
                    vector[at[entry]] = mass
        vector[self.slices["inform_info"]] = self.inform_info(belief)
        return vector

    def inform_info(self, belief: Belief) -> list[float]:
        """For the surest 1, 2, ..., 5 accepted slots: how many venues match, and can another question split them?"""
        surest = [accepted[:2] for accepted in sorted(belief.accepted, key=lambda accepted: -accepted[2])]
        return [entry for k in range(1, INFO_GROUPS + 1) for entry in self.domain.match(surest[:k]).info]
