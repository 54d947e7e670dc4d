"""A dialogue for people to read: English and acts, what was heard, what is believed."""
from typing import NamedTuple

from simulator.acts import Act
from simulator.belief import Belief
from simulator.domain import Domain
from simulator.error_model import Heard
from simulator.goal import SUCCESS_REWARD, Goal
from simulator.speak import system_utterance, user_utterance

MISHEARD = "   <- misheard"


class Turn(NamedTuple):
    """One exchange."""

    action: str                      # the name of the system's action
    system_act: Act
    user_act: Act | None             # what the user said in reply (nothing to a bye) ...
    heard: Heard                     # ... and what the system heard
    belief: Belief                   # after hearing it


def transcript(env) -> str:
    """The dialogue of an environment so far, with how it ended."""
    if not env.log:
        raise ValueError("dialogue is empty, expected reset before transcript")
    lines = [("goal", describe_goal(env.user.goal))]
    for turn in env.log:
        lines += [("", ""), *tell(turn, env.domain)]
    ending = ["", result(env)] if env.over else []
    return "\n".join([*(f"{label:<9}{text}".rstrip() for label, text in lines), *ending])


def result(env) -> str:
    """How the last dialogue of an environment ended."""
    success = env.user.goal.achieved(env.domain)
    return (f"{'success' if success else 'failure'} after {env.turns} turns, "
            f"reward {SUCCESS_REWARD * success - env.turns:g}")


def tell(turn: Turn, domain: Domain) -> list[tuple[str, str]]:
    """A turn as labelled lines: English and acts, the action, what was heard if it differs, the belief."""
    lines = [("system", system_utterance(turn.system_act, domain)),
             ("", str(turn.system_act) + (f"   [{turn.action}]" if turn.action else ""))]
    if turn.user_act is None:
        return lines
    lines += [("user", user_utterance(turn.user_act, domain)), ("", str(turn.user_act))]
    if [act for act, _ in turn.heard] != [turn.user_act]:
        lines += [("heard", f"{mass:.2f} {act}{MISHEARD * (act != turn.user_act)}") for act, mass in turn.heard]
    if turn.user_act.type != "bye":
        lines.append(("belief", describe_belief(turn.belief)))
    return lines


def describe_goal(goal: Goal) -> str:
    wishes = [f"{slot}={value}" for slot, value in goal.constraints.items()]
    wishes += [f"name!={name}" for name in goal.excluded]
    answers = [f"{slot}={value or '?'}" for slot, value in goal.requests.items()]
    return f"{', '.join(wishes)}; wants to know {', '.join(answers)}"


def describe_belief(belief: Belief) -> str:
    """Slots believed enough to search with, open requests and the method."""
    parts = [f"{slot}={value} {mass:.2f}" for slot, value, mass in belief.accepted]
    parts += [f"{slot}? {mass:.2f}" for slot, mass in belief.requested.items() if mass > 0.01]
    return ", ".join([*parts, belief.top_method])
