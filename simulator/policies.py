"""Policies to compare with: a handcrafted one, and uniform random play."""
import numpy as np

from simulator.actions import ENOUGH_SLOTS
from simulator.acts import Act, Item
from simulator.system import System

SURE, LOST, CLOSE = 0.8, 0.3, 0.2     # in between, the handcrafted policy confirms, or offers a choice if it is close


def handcrafted(system: System) -> Act:
    """Rules in order of urgency; they compose acts directly and ignore the mask."""
    belief, actions = system.belief, system.actions
    if belief.top_method == "byconstraints" and len(belief.accepted) >= ENOUGH_SLOTS:
        return actions.inform("inform", None, belief, stick=False)
    if belief.top_method == "byalternatives":
        return actions.inform("inform_alternatives", None, belief)
    if belief.top_method == "byname":
        named = system.tracker.likeliest(belief.goal, "name")[1] >= SURE
        if named or belief.venue is not None:
            return actions.inform("inform_byname" if named else "inform_requested", None, belief)
    if belief.top_method == "finished":
        return Act("bye")
    if belief.venue is not None and max(belief.discourse.get("thankyou", 0), belief.discourse.get("ack", 0)) > 0.5:
        return Act("reqmore")
    return check_understanding(system) or answer_or_ask(system)


def check_understanding(system: System) -> Act | None:
    """Confirm a likely value, or let the user choose between two that are close."""
    for slot in system.domain.system_requestable:
        values = system.tracker.best(system.belief.goal, slot)
        (value, mass), (second, second_mass) = [*values, (None, 0.0), (None, 0.0)][:2]
        if LOST < mass < SURE:
            if mass - second_mass < CLOSE:
                return Act("select", (Item(slot, value), Item(slot, second)))
            return Act("confirm", (Item(slot, value),))
    return None


def answer_or_ask(system: System) -> Act:
    """Offer once the venues can no longer be told apart; until then ask for what is missing."""
    belief = system.belief
    if not belief.match.discriminable:
        asked = belief.offer_happened and system.actions.requested(belief)
        return system.actions.inform("inform_requested" if asked else "inform", None, belief, stick=False)
    unknown = next(slot for slot in system.domain.system_requestable     # with all known, nothing would discriminate
                   if max(belief.goal.get(slot, {}).values(), default=0.0) < SURE)
    return Act("request", (Item(unknown),))


def uniform_random(mask: np.ndarray, rng: np.random.Generator) -> int:
    """Any allowed action."""
    allowed = np.flatnonzero(mask)
    return int(allowed[rng.integers(len(allowed))])
