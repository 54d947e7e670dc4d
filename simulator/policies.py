"""Policies to compare with: a handcrafted one, a deterministic belief follower, and uniform random play."""
from __future__ import annotations

import numpy as np

from simulator.actions import ENOUGH_SLOTS
from simulator.acts import Act, Item
from simulator.env import DialogueEnv

SURE, UNSURE, LOST, CLOSE = 0.8, 0.6, 0.3, 0.2     # when the handcrafted policy confirms or lets the user select


def handcrafted(env: DialogueEnv) -> Act:
    """Rules in order of urgency; they compose acts directly and ignore the mask."""
    belief, actions = env.belief, env.actions
    if belief.top_method == "byconstraints" and len(belief.accepted) >= ENOUGH_SLOTS:
        return offer(env)
    if belief.top_method == "byalternatives":
        return offer(env, alternative=True)
    if belief.top_method == "byname":
        names = actions.tracker.best(belief, "name")
        named = bool(names) and names[0][1] >= SURE
        if named or belief.venue is not None:
            return actions.inform("inform_byname" if named else "inform_requested", None, belief)
    if belief.top_method == "finished":
        return Act("bye")
    if belief.venue is not None and max(belief.discourse.get("thankyou", 0), belief.discourse.get("ack", 0)) > 0.5:
        return Act("reqmore")
    return check_understanding(env) or answer_or_ask(env)


def check_understanding(env: DialogueEnv) -> Act | None:
    """Confirm a likely value, or let the user choose between two that are close."""
    for slot in env.domain.system_requestable:
        (value, mass), (second, second_mass) = [*env.tracker.best(env.belief, slot), (None, 0.0), (None, 0.0)][:2]
        if LOST < mass < SURE:
            if mass <= UNSURE and mass - second_mass < CLOSE:
                return Act("select", (Item(slot, value), Item(slot, second)))
            return Act("confirm", (Item(slot, value),))
    return None


def answer_or_ask(env: DialogueEnv) -> Act:
    """Offer once the venues can no longer be told apart; until then ask for what is missing."""
    belief, slots = env.belief, env.domain.system_requestable
    match = env.actions.matches(belief)
    if len(match.venues) <= 1 or not match.discriminable or len(belief.accepted) == len(slots):
        if belief.offer_happened and env.actions.requested(belief):
            return env.actions.inform("inform_requested", None, belief)
        return offer(env)
    for slot in slots:
        if max(belief.goal.get(slot, {}).values(), default=0.0) < SURE:
            return Act("request", (Item(slot),))
    return Act("reqmore")


def offer(env: DialogueEnv, alternative: bool = False) -> Act:
    """Unlike the summary action, the handcrafted policy does not stick to the last venue."""
    venue = env.actions.find(env.belief, alternative, stick=False)
    return venue if isinstance(venue, Act) else env.actions.offer(venue, env.belief)


def belief_follower(env: DialogueEnv, mask: np.ndarray, payload: tuple[str, ...] | None = None) -> int | Act:
    """Take the first inform that is allowed, else ask for the first unknown slot; payload: for the master space."""
    actions, known = env.actions, {slot for slot, _, _ in env.belief.accepted}
    for method in ("bye", "inform_alternatives", "inform_byname", "inform"):
        action = actions.join(method, payload if method != "bye" else None)
        if mask[action]:
            return action
    for slot in sorted(actions.slots, key=lambda slot: -len(env.domain.informable[slot])):   # the most telling question first
        if slot not in known:
            return actions.join(f"request_{slot}")
    return actions.inform("inform", payload, env.belief)


def uniform_random(mask: np.ndarray, rng: np.random.Generator) -> int:
    """Any allowed action."""
    return int(rng.choice(np.flatnonzero(mask)))
