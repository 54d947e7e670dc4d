"""A conversation in English with a policy, line by line; who types the lines does not matter to it."""
from collections.abc import Callable

import numpy as np

from demos.console import listen
from demos.training import Outcome
from simulator.acts import DONTCARE, NO_VENUE, Act, Item
from simulator.goal import SUCCESS_REWARD
from simulator.speak import system_utterance
from simulator.system import System
from simulator.understand import understand_user

NO, REPEAT, BYE, SOMETHING_ELSE = (Act(kind) for kind in ("negate", "repeat", "bye", "reqalts"))
NO_PREFERENCE = Act("inform", (Item(None, DONTCARE),))


class Conversation:
    """What the environment does with a simulated user, for someone who speaks English and is always heard correctly.

    A turn is an answer of the system to what it understood, the goodbye included. That it did not understand, or its
    last words once more for someone who asks for them, are no turn: belief and policy have nothing to do with it.

    What was said in vain is not said again until something changes. Asked once more for what is known, simulated users
    often add a new wish, and policies count on that; people repeat themselves, and so would the policy, for ever.
    """

    def __init__(self, system: System, agent, max_turns: float = float("inf")):
        self.system, self.agent, self.max_turns = system, agent, max_turns
        system.reset()
        self.understood: tuple[Act, ...] = ()
        self.vector = self.mask = self.known = None      # what the last choice was made from
        self.vain: list[Act] = []                        # said since anything new was learned
        self.turns, self.over = 0, False

    @property
    def words(self) -> str:
        """What the system said last."""
        return system_utterance(self.system.said, self.system.domain)

    def answer(self, text: str) -> str:
        """Hears a line and replies to it."""
        domain, said = self.system.domain, self.system.said
        self.understood = meant(understand_user(text, domain, said), said, self.system.belief.venue)
        if not self.understood:
            sorry = system_utterance(Act("null"), domain)
            return f"{sorry} {self.words}" if said.type in ("request", "confirm", "select") else sorry
        if self.understood != (REPEAT,):
            self.hear()
            too_late = self.turns == self.max_turns
            if too_late or BYE in self.understood:
                self.system.say(BYE)
            else:
                self.decide()
            self.turns, self.over = self.turns + (not too_late), self.system.said == BYE
        return self.words

    def hear(self) -> None:
        """Moves the belief. The tracker keeps a denied value until another replaces it; here it is forgotten."""
        for act in self.understood:
            if act.type == "deny" and len(act.items) == 1:
                self.system.forget(act.items[0].slot, act.items[0].value)
        self.system.hear([(self.understood, 1.0)])

    def decide(self) -> None:
        """Lets the policy choose as it is tested, and again without an action that would say the same in vain."""
        belief, actions = self.system.belief, self.system.actions
        known = belief.goal, belief.requested, belief.top_method, belief.venue
        self.vain, self.known = self.vain if known == self.known else [], known
        self.vector, self.mask = self.system.observe()
        allowed, action = self.mask, self.agent.act(self.vector, self.mask, "greedy")
        while self.system.say(action) in self.vain:
            self.mask = self.mask & ~np.isin(actions.summary, actions.parts(action)[0]).repeat(actions.sizes)
            if not self.mask.any():
                self.vain, self.mask = [], allowed
            action = self.agent.act(self.vector, self.mask, "greedy")
        if not isinstance(action, Act):                  # the handcrafted policy composes its own, and may insist
            self.vain.append(self.system.said)

    def outcome(self, success: bool) -> Outcome:
        """In the terms of a test."""
        return Outcome(float(success), SUCCESS_REWARD * success - self.turns, float(self.turns))


def converse(talk: Conversation, explain: Callable[[str], str]) -> None:
    """Until a goodbye, with what someone types; an empty line, help and commands, which begin with /, are explained."""
    print(f"system  {talk.words}")
    while not talk.over:
        line = listen("you")
        if line == "/quit":
            raise EOFError
        spoken = line and line[0] != "/" and line.lower() != "help"
        print(f"system  {talk.answer(line)}" if spoken else explain(line))


def meant(acts: tuple[Act, ...], said: Act, venue: str | None) -> tuple[Act, ...]:
    """What people mean by a bare no, which simulated users hardly ever say and the tracker passes over.

    It rules out what the system wants confirmed or selected, and turns down a venue that was not spoken of before.
    It is no preference when asked for one, and a goodbye when asked whether there is anything else.
    """
    rest = tuple(act for act in acts if act not in (NO, Act("deny", (Item("name", said.value("name")),))))
    if rest == acts:
        return acts
    if said.type in ("confirm", "select"):
        return (*(Act("deny", (item,)) for item in said.items), *rest)
    offered = said.value("name") not in (NO_VENUE, venue)
    instead = {"request": NO_PREFERENCE, "inform": SOMETHING_ELSE if offered else NO, "reqmore": BYE}
    return rest or (instead.get(said.type, NO),)
