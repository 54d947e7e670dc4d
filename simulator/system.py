"""The system's side of a dialogue: what it believes, what it may do, and what it says."""
import numpy as np

from simulator.actions import Actions, action_name
from simulator.acts import NO_VENUE, SYSTEM_ACTS, Act
from simulator.belief import FocusTracker
from simulator.belief_vector import BeliefVector
from simulator.domain import Domain

HELLO = Act("hello")


class System:
    """Observes, says and hears, turn by turn; a simulated user or a person may be at the other end.

    `belief` is what it believes now, `said` its last act, `action` the name of the action behind that, if any.
    """

    def __init__(self, domain: Domain, action_space: str, mask: str, rng: np.random.Generator):
        self.domain, self.tracker, self.encoder = domain, FocusTracker(domain), BeliefVector(domain)
        self.actions = Actions(domain, self.tracker, action_space, rng)
        n_free = {"all": 0, "bye": self.actions.n - 1, "none": self.actions.n}      # that are never masked; bye is last
        if mask not in n_free:
            raise ValueError(f"mask is {mask!r}, expected one of {', '.join(n_free)}")
        self.n_free = n_free[mask]
        self.reset()

    def reset(self) -> None:
        """A new dialogue: hello has been said, and nothing is known."""
        self.belief, self.said, self.action = self.tracker.initial(), HELLO, ""
        self._masked = None

    def observe(self) -> tuple[np.ndarray, np.ndarray]:
        """What a policy sees: the belief as a vector (n_belief,), and the mask (n_actions,), True where allowed."""
        return self.encoder.encode(self.belief), self.mask().copy()

    def mask(self) -> np.ndarray:
        """(n_actions,) bool, True where allowed; computed once for each belief."""
        if self._masked is not self.belief:
            self._masked, self._mask = self.belief, self.actions.mask(self.belief)
            self._mask[:self.n_free] = True
        return self._mask

    def say(self, action: int | Act) -> Act:
        """The act of an action. A policy that composes its own acts may pass an Act, which no mask restrains."""
        if isinstance(action, Act):
            check_act(action)
            self.said, self.action = action, ""
            return action
        parts, mask = self.actions.parts(action), self.mask()
        name = action_name(*parts)
        if not mask[action]:
            allowed = ", ".join(str(i) for i in np.flatnonzero(mask)[:20])
            raise ValueError(f"action is {action} ({name}), expected one that the mask allows now: {allowed}")
        self.said, self.action = self.actions.act(*parts, self.belief), name
        return self.said

    def hear(self, heard: list) -> None:
        """Moves the belief by the hypotheses, with their probabilities, of what was answered to the last act."""
        if self.action.startswith("inform_alternatives"):
            self.belief = self.belief._replace(alternatives_due=False)      # one has just been given
        self.belief = self.tracker.update(self.belief, self.said, heard)

    def forget(self, slot: str | None, value: str) -> None:
        """No longer believes that the user wants this value."""
        goal = self.belief.goal
        if slot in goal:
            others = {other: mass for other, mass in goal[slot].items() if other != value}
            self.belief = self.belief._replace(goal=goal | {slot: others})


def check_act(act: Act) -> None:
    """Refuses an act that no user could answer."""
    incomplete = act.value("name") is None if act.type == "inform" else act.type in SYSTEM_ACTS[:3] and not act.items
    if act.type not in SYSTEM_ACTS or incomplete:
        raise ValueError(f"system act is {act}, expected one of {', '.join(SYSTEM_ACTS)}; the first three with a slot, "
                         f"inform with the name of a venue or name={NO_VENUE}")
