"""The dialogue as an environment, with Gymnasium's conventions: reset, step, and an action mask in info."""
from typing import NamedTuple

import numpy as np

from simulator.actions import Actions
from simulator.acts import NO_VENUE, Act
from simulator.belief import Belief, FocusTracker
from simulator.belief_vector import BeliefVector
from simulator.cambridge import cambridge_restaurants
from simulator.domain import Domain
from simulator.error_model import Channel, Heard
from simulator.goal import Goal
from simulator.speak import system_utterance, user_utterance
from simulator.user import User

SUCCESS_REWARD = 20.0
HELLO = Act("hello")
MISHEARD = "   <- misheard"


class Turn(NamedTuple):
    """One exchange, as the transcript tells it."""

    action: str                      # the name of the system's action
    system_act: Act
    user_act: Act | None             # what the user said in reply (nothing to a bye) ...
    heard: Heard                     # ... and what the system heard
    belief: Belief                   # after hearing it


class DialogueEnv:
    """A system talks to a simulated user: one step is one system act and the user's answer.

    Every turn costs 1, the closing one included, and a dialogue that meets the user's goal earns 20, so the total is
    20 x success - turns. The turn limit is part of the task: running into it ends the dialogue like hanging up does
    (terminated, not truncated), and it is a failure unless the goal happens to be met.

    Four random streams are spawned from the seed, for personas, the user's choices, the channel and the system's
    own draws, so the k-th user is the same person for every policy and error rate.
    """

    def __init__(self, domain: Domain | None = None, action_space: str = "summary", error_rate: float = 0.0,
                 nbest: int = 1, use_mask: bool = True, max_turns: int = 25, seed: int | None = None,
                 generator: str = "sampled", behaviour: str = "sampled"):
        if not (isinstance(max_turns, (int, np.integer)) and max_turns >= 1):
            raise ValueError(f"max_turns is {max_turns!r}; it must be a whole number of at least 1")
        self.domain = domain or cambridge_restaurants()
        self.use_mask, self.max_turns = use_mask, max_turns
        persona, choices, noise, system = np.random.default_rng(seed).spawn(4)
        self.tracker = FocusTracker(self.domain)
        self.encoder = BeliefVector(self.domain)
        self.actions = Actions(self.domain, self.tracker, action_space, system)
        self.user = User(self.domain, persona, choices, behaviour)
        self.channel = Channel(self.domain, noise, error_rate, nbest, generator)
        self.n_actions, self.n_belief = self.actions.n, self.encoder.size
        self.belief: Belief | None = None                # None outside a dialogue
        self.turns, self.log = 0, []

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, dict]:
        """A new user with a new goal, who has just answered the system's hello."""
        if seed is not None:
            streams = np.random.default_rng(seed).spawn(4)
            self.user.persona_rng, self.user.rng, self.channel.rng, self.actions.rng = streams
        self.user.reset()
        user_act = self.user.respond(HELLO)
        heard = self.channel.hear(user_act)
        self.belief = self.tracker.update(self.tracker.initial(), HELLO, heard)
        self.turns, self.log = 1, [Turn("", HELLO, user_act, heard, self.belief)]
        return self._observe()

    def step(self, action: int | Act) -> tuple[np.ndarray, float, bool, bool, dict]:
        """One turn: the system acts, the user answers, the answer is heard, the belief moves.

        A policy that composes its own words may pass an Act instead of an action's index.
        """
        name = self._check(action)
        system_act = action if isinstance(action, Act) else self.actions.to_act(action, self.belief)  # actions.py
        user_act, heard, belief = None, [], self.belief
        if name.startswith("inform_alternatives"):
            belief = belief._replace(alternatives_due=False)
        if system_act.type != "bye":
            user_act = self.user.respond(system_act)                        # user.py
            heard = self.channel.hear(user_act)                             # error_model.py
            belief = self.tracker.update(belief, system_act, heard)         # belief.py
        self.log.append(Turn(name, system_act, user_act, heard, belief))
        goodbye, at_limit = user_act is None or user_act.type == "bye", self.turns == self.max_turns
        cost = 2 if goodbye and user_act and not at_limit else 1            # the user's bye opens one more turn
        if not goodbye and not at_limit:
            self.belief, self.turns = belief, self.turns + 1
            vector, info = self._observe()
            return vector, -1.0, False, False, info
        self.belief, self.turns = None, self.turns + cost - 1
        success = self.user.goal.achieved(self.domain)
        info = {"action_mask": np.ones(self.n_actions, bool), "success": success, "turns": self.turns}
        return np.zeros(self.n_belief), SUCCESS_REWARD * success - cost, True, False, info

    def _check(self, action: int | Act) -> str:
        """The action's name; refuses what cannot be done now."""
        if self.belief is None:
            raise ValueError("step was called outside a dialogue; call reset first")
        if isinstance(action, Act):
            check_act(action, self.domain)
            return ""
        name = self.actions.name(action)
        if self.use_mask and not self._mask[action]:
            allowed = ", ".join(str(i) for i in np.flatnonzero(self._mask)[:20])
            raise ValueError(f"action {action} ({name}) is masked now; allowed are {allowed}")
        return name

    def _observe(self) -> tuple[np.ndarray, dict]:
        self._mask = self.actions.mask(self.belief) if self.use_mask else np.ones(self.n_actions, bool)
        return self.encoder.encode(self.belief), {"action_mask": self._mask}

    def transcript(self) -> str:
        """The dialogue so far, with how it ended."""
        if not self.log:
            raise ValueError("there is no dialogue to print yet; call reset first")
        lines = [("goal", describe_goal(self.user.goal))]
        for turn in self.log:
            lines += [("", ""), *tell(turn, self.domain)]
        end = ["", self.result()] if self.belief is None else []
        return "\n".join([*(f"{label:<9}{text}".rstrip() for label, text in lines), *end])

    def result(self) -> str:
        """How the last dialogue ended."""
        success = self.user.goal.achieved(self.domain)
        return (f"{'success' if success else 'failure'} after {self.turns} turns, "
                f"reward {SUCCESS_REWARD * success - self.turns:g}")


def check_act(act: Act, domain: Domain) -> None:
    """Refuses a system act that no user could answer."""
    if not hasattr(User, f"on_{act.type}"):
        raise ValueError(f"system act {act} cannot be answered: the user has no rule for {act.type!r}")
    if act.type in ("request", "confirm", "select") and not act.items:
        raise ValueError(f"system act {act} cannot be answered: it must say which slot it is about")
    if act.type == "inform" and act.value("name") is None:
        raise ValueError(f"system act {act} cannot be answered: it must name a venue, or say name={NO_VENUE}")
    for slot, _, _ in act.items:
        if slot not in domain.requestable and slot not in domain.informable:
            raise ValueError(f"system act {act}: slot {slot!r} is unknown in domain {domain.name}")


def tell(turn: Turn, domain: Domain) -> list[tuple[str, str]]:
    """A turn for people, as labelled lines: English and acts, the action, what was heard if it differs, the belief."""
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
    """Slots believed enough to search with, open requests and the method, for people."""
    parts = [f"{slot}={value} {mass:.2f}" for slot, value, mass in belief.accepted]
    parts += [f"{slot}? {mass:.2f}" for slot, mass in belief.requested.items() if mass > 0.01]
    return ", ".join([*parts, belief.top_method])
