"""An action set that grows: where the old beliefs and actions are in a larger space.

New belief entries and payload slots have never been seen, so their posterior is the prior. Old points keep their
covariances: the inner product of two old beliefs gains only zeros, and the cosine of two old payloads counts only the
slots that they tell. So growing afterwards equals having had the larger space from the beginning.

This holds while k(x, x') depends only on x and x'. A payload divided by √(all slots) instead of √(slots told) breaks
the law, and so does a belief kernel that averages over the entries: both shrink when the space grows.
"""
from typing import NamedTuple

import numpy as np

from gp_sarsa.layout import ActionLayout


class Growth(NamedTuple):
    """The new sizes, and the places in them of what there was."""
    n_belief: int
    layout: ActionLayout
    beliefs: np.ndarray             # (D,) of each old belief entry
    actions: np.ndarray             # (A,) of each old action
    summary: np.ndarray             # (S,) of each old summary action
    coordinates: np.ndarray         # (P,) of each old payload feature; the empty payload's is the last in both


def growth_between(old_n_belief: int, old: ActionLayout, n_belief: int, layout: ActionLayout, belief_places: np.ndarray,
                   summary_places: np.ndarray, slot_places: np.ndarray) -> Growth:
    """The growth, or a ValueError if anything of the old space has no place of its own in the new one."""
    beliefs, summary, slots = (np.asarray(places, int) for places in (belief_places, summary_places, slot_places))
    for name, places, n_old, n_new in (("belief_places", beliefs, old_n_belief, n_belief),
                                       ("summary_places", summary, old.n_summary, layout.n_summary),
                                       ("slot_places", slots, old.n_payload_slots, layout.n_payload_slots)):
        if places.shape != (n_old,) or len({place for place in places.tolist() if 0 <= place < n_new}) < n_old:
            raise ValueError(f"{name} is {places}, expected {n_old} places below {n_new}, no two alike")
    if not np.array_equal(summary < layout.n_methods, np.arange(old.n_summary) < old.n_methods):
        raise ValueError(f"summary_places is {summary}, expected methods to remain methods, and others others")
    old_summary, old_payload = old.split(np.arange(old.n_actions))
    payload = (old_payload[:, None] >> np.arange(len(slots)) & 1) @ 2 ** slots
    new = summary[old_summary]
    actions = np.where(new < layout.n_methods, new * layout.n_payloads + payload,
                       new + layout.n_methods * (layout.n_payloads - 1))
    return Growth(n_belief, layout, beliefs, actions, summary, np.append(slots, layout.n_payload_slots))
