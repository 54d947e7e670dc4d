"""Policies to compare with: a handcrafted one, a deterministic belief follower, and uniform random play."""
import numpy as np

from simulator.actions import ENOUGH_SLOTS
from simulator.acts import Act, Item
from simulator.env import DialogueEnv

SURE, LOST, CLOSE = 0.8, 0.3, 0.2     # in between, the handcrafted policy confirms, or offers a choice if it is close


def handcrafted(env: DialogueEnv) -> Act:
    """Rules in order of urgency; they compose acts directly and ignore the mask."""
    belief, actions = env.belief, env.actions
    if belief.top_method == "byconstraints" and len(belief.accepted) >= ENOUGH_SLOTS:
        return actions.inform("inform", None, belief, stick=False)
    if belief.top_method == "byalternatives":
        return actions.inform("inform_alternatives", None, belief)
    if belief.top_method == "byname":
        named = env.tracker.likeliest(belief.goal, "name")[1] >= SURE
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
        (value, mass), (second, second_mass) = [*env.tracker.best(env.belief.goal, slot), (None, 0.0), (None, 0.0)][:2]
        if LOST < mass < SURE:
            if mass - second_mass < CLOSE:
                return Act("select", (Item(slot, value), Item(slot, second)))
            return Act("confirm", (Item(slot, value),))
    return None


def answer_or_ask(env: DialogueEnv) -> Act:
    """Offer once the venues can no longer be told apart; until then ask for what is missing."""
    belief = env.belief
    if not belief.match.discriminable:
        asked = belief.offer_happened and env.actions.requested(belief)
        return env.actions.inform("inform_requested" if asked else "inform", None, belief, stick=False)
    for slot in env.domain.system_requestable:
        if max(belief.goal.get(slot, {}).values(), default=0.0) < SURE:
            return Act("request", (Item(slot),))
    return Act("reqmore")


def belief_follower(env: DialogueEnv, mask: np.ndarray, payload: tuple[str, ...] | None = None) -> int | Act:
    """Take the first inform that is allowed, else ask for the first unknown slot; payload: for the master space."""
    actions, known = env.actions, {slot for slot, _, _ in env.belief.accepted}
    for method in ("bye", "inform_alternatives", "inform_byname", "inform"):
        action = actions.join(method, payload if method != "bye" else None)
        if mask[action]:
            return action
    most_telling_first = sorted(actions.slots, key=lambda slot: -len(env.domain.informable[slot]))
    for slot in most_telling_first:
        if slot not in known:
            return actions.join(f"request_{slot}")
    return actions.inform("inform", payload, env.belief)


def uniform_random(mask: np.ndarray, rng: np.random.Generator) -> int:
    """Any allowed action."""
    return int(rng.choice(np.flatnonzero(mask)))
