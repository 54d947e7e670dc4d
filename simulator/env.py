"""The dialogue as an environment, with Gymnasium's conventions: reset, step, and an action mask in info."""
from collections.abc import Sequence
from numbers import Integral

import numpy as np

from simulator.acts import Act
from simulator.cambridge import cambridge_restaurants
from simulator.domain import Domain
from simulator.error_model import Channel
from simulator.goal import SUCCESS_REWARD
from simulator.system import HELLO, System
from simulator.transcript import Turn, transcript
from simulator.user import User

_SET1 = dict(error_rate=0.15, nbest=5, channel="dstc2", tables="set1")
ENVIRONMENTS = {                               # of the PyDial benchmark, as it was until 2020: its "no mask" masks bye
    1: dict(mask="all"),
    2: dict(mask="bye"),
    3: dict(mask="all", **_SET1),
    4: dict(mask="bye", **_SET1),
    5: dict(mask="all", **_SET1, user="unfriendly"),
    6: dict(mask="all", **_SET1 | dict(error_rate=0.30, tables="set3")),
}


class DialogueEnv:
    """A system talks to a simulated user over a noisy channel: one step is one system act and the user's answer.

    The rewards of a dialogue sum to 20 x success - turns; a closing turn follows the user's goodbye. The turn limit is
    part of the task: it ends the dialogue (terminated, not truncated), mostly as a failure.

    action_space: "summary" or "master" (actions.py). mask: which actions are masked while they make no sense: "all",
    only "bye", or "none". user: "sampled", "unfriendly" or "fixed" (persona.py). error_rate, nbest, channel and tables:
    how the user is heard (error_model.py).

    The seed has four random streams: personas, the user's choices, the channel, the system's draws. So the k-th user is
    the same person for every policy and error rate.
    """

    def __init__(self, domain: Domain | None = None, action_space: str = "summary", error_rate: float = 0.0,
                 nbest: int = 1, mask: str = "all", max_turns: int = 25, seed: int | Sequence[int] | None = None,
                 user: str = "sampled", channel: str = "sampled", tables: str = "default"):
        if not (domain is None or isinstance(domain, Domain)):
            raise ValueError(f"domain is {domain!r}, expected a Domain, such as load_domain returns")
        if not (isinstance(max_turns, Integral) and max_turns >= 1):
            raise ValueError(f"max_turns is {max_turns!r}, expected a whole number of at least 1")
        self.domain, self.max_turns = domain or cambridge_restaurants(), max_turns
        persona, choices, noise, draws = streams(seed)
        self.system = System(self.domain, action_space, mask, draws)
        self.user = User(self.domain, persona, choices, user)
        self.channel = Channel(self.domain, noise, error_rate, nbest, channel, tables)
        self.n_actions, self.n_belief = self.system.actions.n, self.system.encoder.size
        self.turns, self.log, self.over = 0, [], True

    def reset(self, seed: int | Sequence[int] | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        """(vector, info): a new user with a new goal has answered the system's hello; there are no options."""
        if seed is not None:
            self.user.persona_rng, self.user.rng, self.channel.rng, self.system.actions.rng = streams(seed)
        self.system.reset()
        self.user.reset()
        self.turns, self.log, self.over = 0, [], False
        vector, _, _, _, info = self.step(HELLO)                # said whatever the policy is, and free of charge
        return vector, info

    def step(self, action: int | Act) -> tuple[np.ndarray, float, bool, bool, dict]:
        """One turn, in the order in which things happen. An index becomes an act; an Act is said as it is."""
        if self.over:
            raise ValueError("dialogue is over, expected reset before step")
        system_act, user_act, heard = self.system.say(action), None, []     # system.py
        if system_act.type != "bye":                                        # a goodbye has no answer
            user_act = self.user.respond(system_act)                        # user.py
            heard = self.channel.hear(user_act)                             # error_model.py
            self.system.hear(heard)                                         # belief.py
        self.log.append(Turn(self.system.action, system_act, user_act, heard, self.system.belief))
        return self._outcome(user_act)

    def _outcome(self, user_act: Act | None) -> tuple[np.ndarray, float, bool, bool, dict]:
        """(vector, reward, terminated, truncated, info) after the user's answer."""
        at_limit = self.turns == self.max_turns
        if user_act is not None and user_act.type != "bye" and not at_limit:
            self.turns += 1
            vector, mask = self.system.observe()
            return vector, -1.0, False, False, {"action_mask": mask}
        closing = user_act is not None and not at_limit                     # the user's bye opens one more turn
        self.turns, self.over = self.turns + closing, True
        success = self.user.goal.achieved(self.domain)
        info = {"action_mask": np.ones(self.n_actions, bool), "success": success, "turns": self.turns}
        return np.zeros(self.n_belief), SUCCESS_REWARD * success - 1 - closing, True, False, info

    def transcript(self) -> str:
        """The dialogue so far, with how it ended."""
        return transcript(self)


def streams(seed: int | Sequence[int] | None) -> list[np.random.Generator]:
    """For personas, the user's choices, the channel and the system's draws."""
    try:
        return [np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(4)]
    except (TypeError, ValueError):
        raise ValueError(f"seed is {seed!r}, expected a whole number of at least 0, or several") from None
