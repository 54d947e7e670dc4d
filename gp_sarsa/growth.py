"""An action set that grows: where the old beliefs and actions are in a larger space.

New belief entries and payload slots have never been seen, so their posterior is the prior, and old points have the
covariances they had: the inner product of two old beliefs has only zeros to add, and the cosine of two old payloads
counts the slots that these tell. So growing afterwards is having had the larger space from the beginning. This holds
while k(x, x') depends on nothing but x and x'. A payload divided by √(all slots there are) instead of √(slots told), or
a belief kernel that is an average over the entries, would shrink with every growth: old Gram matrices would be wrong.
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


def growth_between(old_n_belief: int, old: ActionLayout, n_belief: int, layout: ActionLayout,
                   belief_places: np.ndarray, action_places: np.ndarray) -> Growth:
    """The growth, or a ValueError if anything of the old space has no place of its own in the new one."""
    beliefs, actions = np.asarray(belief_places), np.asarray(action_places)
    for name, places, n_old, n_new in (("belief_places", beliefs, old_n_belief, n_belief),
                                       ("action_places", actions, old.n_actions, layout.n_actions)):
        if places.shape != (n_old,) or len({*places.tolist()} & {*range(n_new)}) < n_old:
            raise ValueError(f"{name} is {places}, expected {n_old} places below {n_new}, no two alike")
    (summary, payload), (new_summary, new_payload) = old.split(np.arange(old.n_actions)), layout.split(actions)
    _, first = np.unique(summary, return_index=True)                # each summary action with the empty payload
    places, methods = new_summary[first], np.arange(old.n_summary) < old.n_methods
    coordinates = np.zeros(old.n_payload_features, int)
    if old.n_methods:
        alone = np.append(2 ** np.arange(old.n_payload_slots), 0)   # each slot alone, and the empty payload
        coordinates = layout.payload_features[new_payload[alone]].argmax(axis=1)
    same_features = layout.payload_features[new_payload][:, coordinates] == old.payload_features[payload]
    if not (np.array_equal(new_summary, places[summary]) and np.array_equal(places < layout.n_methods, methods)
            and same_features[methods[summary]].all()):
        raise ValueError(f"action_places is {actions}, expected every payload of a method to stay with that method and "
                         "to tell the same slots, and every other action to remain one")
    return Growth(n_belief, layout, beliefs, actions, places, coordinates)
