"""The simulated user: a stack of things to say, and one rule per kind of system act."""
import numpy as np

from simulator.acts import DONTCARE, NO_VENUE, Act, Item
from simulator.domain import Domain
from simulator.goal import GoalGenerator
from simulator.persona import USERS, draw_persona

BYE, REQALTS = Act("bye"), Act("reqalts")


class User:
    """Agenda-based user: the top of the agenda (its last entry) is what they say next.

    Goals and personas come from one random stream with a fixed number of draws per dialogue, choices during the
    dialogue from another. So the k-th user of a seed is the same person whatever policy and channel they meet.
    """

    def __init__(self, domain: Domain, persona_rng: np.random.Generator, rng: np.random.Generator,
                 kind: str = "sampled"):
        if kind not in USERS:
            raise ValueError(f"user is {kind!r}, expected one of {', '.join(USERS)}")
        self.domain, self.persona_rng, self.rng, self.kind = domain, persona_rng, rng, kind
        self.goals = GoalGenerator(domain)

    def reset(self) -> None:
        """A new person with a new goal, who will say the type and the constraints, and bye in the end."""
        self.goal = self.goals.draw(self.persona_rng)
        self.p = draw_persona(self.kind, self.persona_rng)
        self.patience, self.first_offer = self.p.patience, True
        self.last_heard, self.last_said = None, BYE
        wishes = [Item("type", self.domain.type), *(Item(*pair) for pair in self.goal.constraints.items())]
        self.agenda = [BYE, *(Act("inform", (item,)) for item in reversed(wishes))]

    def respond(self, act: Act) -> Act:
        """Hear a system act, think, and say exactly one act."""
        if act.type == "null" or act == self.last_heard:
            self.patience -= 1                            # never recovers
        self.last_heard = act
        if self.patience < 1:
            self.agenda = [BYE]
        else:
            getattr(self, f"on_{act.type}")(act)
        self.last_said = self.speak(act)
        return self.last_said

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def pick(self, options: list):
        return options[int(self.rng.random() * len(options))]

    def push(self, kind: str, *items: Item) -> None:
        self.agenda.append(Act(kind, items))

    # ---- one rule per kind of system act

    def on_hello(self, act: Act) -> None:
        if self.chance(self.p.greeting):
            self.push("hello")

    def on_null(self, act: Act) -> None:
        self.agenda.append(self.last_said)

    def on_request(self, act: Act) -> None:
        """Users answer a question, unless they have an offer and questions of their own."""
        slot, goal, p = act.items[0].slot, self.goal, self.p
        still_open = goal.open_requests()
        if goal.venue and still_open:
            return self.push("request", Item(still_open[0]), Item("name", goal.venue))
        if slot not in self.domain.system_requestable:
            return self.push("negate")
        for i in reversed(range(len(self.agenda))):
            if self.agenda[i].type == "inform" and self.agenda[i].items[0].slot == slot:
                return self.agenda.append(self.agenda.pop(i))
        draw = 1.0 if slot in goal.constraints else self.rng.random()           # who has a wish does not evade
        if draw < p.other_constraint:
            self.push("inform", Item(*self.pick(list(goal.constraints.items()))))
        elif draw < p.other_constraint + p.bare_dontcare:
            self.push("inform", Item(None, DONTCARE))
        else:
            self.push("inform", Item(slot, goal.constraints.setdefault(slot, DONTCARE)))

    def on_confirm(self, act: Act) -> None:
        slot = act.items[0].slot
        if slot not in self.goal.constraints:
            self.push("negate", Item(slot, DONTCARE))
        elif self.agrees(act):
            combine = self.agenda[-1].type == "inform" and self.chance(self.p.affirm_combination)
            self.push("affirm", *(self.agenda.pop().items if combine else ()))

    def on_select(self, act: Act) -> None:
        slot = act.items[0].slot
        self.push("inform", Item(slot, self.goal.constraints.get(slot, DONTCARE)))

    def on_reqmore(self, act: Act) -> None:
        goal, p, still_open = self.goal, self.p, self.goal.open_requests()
        if len(self.agenda) > 1:
            top = self.agenda[-1]
            if top.type == "inform" and top.items[0].slot != "type" and self.chance(p.affirm_with_pending):
                self.agenda[-1] = Act("affirm", top.items)
        elif not still_open:
            if self.chance(p.no_after_reqmore):
                self.push("negate")
        elif goal.venue:
            self.agenda += [Act("request", (Item(slot),)) for slot in still_open]
        elif self.chance(p.yes_after_reqmore):
            self.push("affirm")
        elif goal.excluded:
            self.push("reqalts")
        else:
            wishes = [Item(*pair) for pair in goal.constraints.items() if pair[1] != DONTCARE]
            self.push("inform", Item("type", self.domain.type), *wishes)

    def on_inform(self, act: Act) -> None:
        """An offer, some details, or the news that nothing matches."""
        goal, venue = self.goal, act.value("name")
        listed = [item.value for item in act.items if item.slot == "name" and item.negated]
        if venue not in (NO_VENUE, goal.venue):
            goal.requests = dict.fromkeys(goal.requests)  # answers about another venue are worth nothing
        if not self.agrees(act):
            return
        if listed:
            self.settle_for(listed, act)
        elif venue == NO_VENUE:
            return self.change_goal(act)
        elif not self.accepts(venue, act):
            return
        told = {item.slot: item.value for item in act.items} | {"name": goal.constraints["name"]}
        goal.requests.update((slot, told[slot]) for slot in goal.requests if slot in told)   # "not available" counts
        self.after_good_inform(bool(listed))

    def accepts(self, venue: str, act: Act) -> bool:
        """The first offer may make the user want something else; every other fitting offer is taken."""
        draw = self.rng.random() if self.first_offer else 1.0
        self.first_offer = False
        if draw < self.p.other_venue:
            self.goal.excluded.append(venue)
            self.push("reqalts")
        elif draw < self.p.other_venue + self.p.change_goal:
            self.change_goal(act)
        else:
            self.goal.constraints["name"] = venue
        return self.goal.constraints.get("name") == venue

    def settle_for(self, listed: list[str], act: Act) -> None:
        """"Nothing except X, Y": the user takes one of them and gives up what the system did not mention."""
        goal = self.goal
        wanted = goal.constraints.get("name")
        allowed = [name for name in listed if name not in goal.excluded and wanted in (None, name)]
        if not allowed:
            goal.forget_names()
            allowed = listed
        given_up = [slot for slot in goal.constraints if act.value(slot) is None]
        goal.constraints |= dict.fromkeys(given_up, DONTCARE) | {"name": self.pick(allowed)}
        self.agenda = [a for a in self.agenda if a.type != "inform" or a.items[0].slot not in given_up]
        self.first_offer = False

    def after_good_inform(self, settled: bool) -> None:
        """What satisfied users say: thanks, pending wishes, a question, or in the end bye."""
        p, goal = self.p, self.goal
        if self.chance(p.inform_to_confirm):
            self.agenda = [Act("confirm", a.items) if a.type == "inform" and a.items[0].value != DONTCARE else a
                           for a in self.agenda]
        draw, still_open = self.rng.random(), goal.open_requests()
        if draw < p.thankyou + p.ack:
            self.push("thankyou" if draw < p.thankyou else "ack")
        elif not (len(self.agenda) > 1 and self.chance(p.deal_with_pending)) and still_open:
            n = 1
            while n < len(still_open) and self.chance(p.add_slot_to_request):
                n += 1
            name = [Item("name", goal.venue)] if settled else []
            self.push("request", *map(Item, still_open[:n]), *name)

    def change_goal(self, act: Act) -> None:
        """One constraint that the system mentioned is relaxed or gets a new value, which may match nothing."""
        goal, p, slots = self.goal, self.p, self.domain.system_requestable
        options = [item.slot for item in act.items if item.slot in slots and item.value != DONTCARE]
        slot = self.pick(options or [s for s in goal.constraints if s in slots])
        goal.forget_names()
        new = [v for v in self.domain.informable[slot] if v not in goal.used.get(slot, ())]
        value = DONTCARE if self.chance(p.relax) or not new else self.pick(new)
        goal.used.setdefault(slot, set()).add(value)
        goal.constraints[slot] = value
        if act.value("name") == NO_VENUE or self.chance(p.tell_change):
            return self.push("reqalts", Item(slot, value))
        if value == DONTCARE:                             # a silent change: the user just wants something else
            goal.excluded.append(act.value("name"))
        else:
            goal.requests[slot] = None
        self.push("reqalts")

    def agrees(self, act: Act) -> bool:
        """Does what the system says fit the goal? If not, or if they ask back, the reply is put on the agenda."""
        goal, asked_back = self.goal, False
        unstated = [] if act.value("name") == NO_VENUE else goal.unstated(act)
        for item, clash in goal.compare(act, self.domain):
            if clash:
                self.object_to(item, unstated)
                return False
            if unstated and act.type == "inform" and not asked_back and self.chance(self.p.ask_back):
                self.push("confirm", self.pick(unstated))
                asked_back = True
        if asked_back:                                    # what was said counts as answered, even if it was never asked
            goal.requests.update((item.slot, item.value) for item in act.items)
        return not asked_back

    def object_to(self, item: Item, unstated: list[Item]) -> None:
        """Correct a wrong item, or give up; all answers are void."""
        goal, p = self.goal, self.p
        if self.chance((1 - self.patience / p.patience) ** 2):
            self.agenda = [BYE]
            return
        right = Item(item.slot, goal.constraints.get(item.slot))
        draw = self.rng.random()
        if unstated and self.chance(p.ask_instead_of_correct):
            self.push("confirm", self.pick(unstated))
        elif item.slot == "name" and item.value in goal.excluded:
            self.push("reqalts")
        elif draw < p.correct_by_negate:
            self.push("negate", right)
        elif draw < p.correct_by_negate + p.correct_by_deny:
            self.push("deny", item, right)
        else:
            self.push("inform", right)
        goal.requests = dict.fromkeys(goal.requests)

    # ---- from agenda to speech

    def speak(self, system_act: Act) -> Act:
        """Pop one act, and perhaps attach the next wishes to it."""
        act = self.agenda.pop() if self.agenda else BYE
        if any(item.negated for item in act.items):
            return REQALTS                                # "not that one": asking for another is how it is said
        kind = act.type
        if len(self.agenda) > 1 and kind in ("inform", "confirm", "affirm", "negate"):
            said = {item.slot for item in act.items}      # what has just been said need not be said again
            self.agenda = [a for a in self.agenda if a.type not in ("inform", "confirm", "affirm")
                           or not any(item.slot in said for item in a.items)]
        if system_act.type == "reqmore":
            return act
        items = act.items
        if (kind == "inform" and system_act.type in ("request", "select") and items[0].value == DONTCARE
                and self.chance(self.p.no_slot_with_dontcare)):
            items = (Item(None, DONTCARE),)
        if kind == "request" and len(items) == 1 and self.goal.venue and self.chance(self.p.add_name_to_request):
            items += (Item("name", self.goal.venue),)
        if kind in ("inform", "negate", "hello", "affirm"):
            while self.agenda and self.agenda[-1].type == "inform" and self.chance(self.p.inform_combination):
                items += self.agenda.pop().items
        return act if items is act.items else Act(kind, items)
