"""A noisy dialogue turn by turn: what was heard, what is believed of it, what is allowed, and what the policy does."""
from typing import NamedTuple

import numpy as np

from demos.tours.style import BLUE, GREEN, GREY, RED, SKY, figure
from demos.tours.training import small_run
from demos.training import TEST, TEST_KEY, Run
from simulator.speak import system_utterance, user_utterance

SEED, MOST = 6, 5                         # which user; how many bars of each kind
Bars = list[tuple[str, float]]            # label and probability


class Moment(NamedTuple):
    """What the system has heard before a choice, and the choice."""

    said: str
    heard: Bars
    right: list[bool]                     # of each hypothesis whether it is what the user said
    belief: Bars
    policy: Bars                          # the likeliest of the allowed actions, with Q in the label
    masked: int                           # number of actions that are not
    choice: str


def believed(belief) -> Bars:
    """The likeliest values of all slots, and the requests that may be open."""
    bars = [(f"{slot} = {value}", mass) for slot, masses in belief.goal.items() for value, mass in masses.items()]
    bars += [(f"{slot}?", mass) for slot, mass in belief.requested.items()]
    return sorted((bar for bar in bars if bar[1] > 0.02), key=lambda bar: -bar[1])[:MOST]


def moments(run: Run, seed: int) -> list[Moment]:
    """A dialogue of the trained policy with a test user."""
    env, agent, found, done = run.env, run.agent, [], False
    vector, info = env.reset(seed=[TEST_KEY, TEST, seed])
    while not done:
        mask, turn = info["action_mask"], env.log[-1]
        pi, q = agent.opinions(vector, mask).values()
        action, name = agent.act(vector, mask, "greedy"), env.system.actions.name
        best = sorted(np.flatnonzero(mask), key=lambda a: -pi[a])[:MOST]
        said = f"System: {system_utterance(turn.system_act, env.domain)}\nUser: {user_utterance(turn.user_act, env.domain)}"
        found.append(Moment(said, [(str(act), mass) for act, mass in turn.heard],
                            [act == turn.user_act for act, _ in turn.heard], believed(turn.belief),
                            [(f"{name(a)}, Q = {q[a]:.1f}", pi[a]) for a in best], int((~mask).sum()), name(action)))
        vector, _, terminated, truncated, info = env.step(action)
        done = terminated or truncated
    return found


def show():
    run = small_run()
    found = moments(run, SEED)
    wrong = sum(not moment.right[0] for moment in found)
    return (f"{len(found)} turns with a user who is misheard {100 * run.setting.error_rate:.0f} % of the time; the first "
            f"hypothesis was wrong {wrong} times. Between {min(m.masked for m in found)} and {max(m.masked for m in found)} "
            f"of {run.env.n_actions} actions were masked. The surest choice was {max(found, key=lambda m: m.policy[0][1]).choice} "
            f"with π = {max(m.policy[0][1] for m in found):.2f}, the least sure one had π = "
            f"{min(m.policy[0][1] for m in found):.2f}.", draw(found))


def draw(found: list[Moment]):
    """A row per turn: heard, believed, chosen."""
    picture = figure(14, 2.1 * len(found))
    for turn, (part, moment) in enumerate(zip(np.atleast_1d(picture.subfigures(len(found), 1)), found), 1):
        part.suptitle(f"{turn}.  " + moment.said.replace("\n", "\n     "), x=0.01, ha="left", fontsize="medium")
        heard, belief, policy = part.subplots(1, 3)
        colours = [GREEN if right else RED for right in moment.right]
        _bars(heard, moment.heard, colours, "heard (green: right, hatched red: misheard)", [not r for r in moment.right])
        _bars(belief, moment.belief, [SKY] * MOST, "believed")
        chosen = [BLUE if label.startswith(f"{moment.choice},") else GREY for label, _ in moment.policy]
        _bars(policy, moment.policy, chosen, f"policy π, chosen: {moment.choice} ({moment.masked} masked)")
    return picture


def _bars(axes, bars: Bars, colours: list[str], title: str, hatched: list[bool] | None = None) -> None:
    """Horizontal bars with their labels written over them, the first on top."""
    for row, ((label, mass), colour) in enumerate(zip(bars, colours)):
        axes.barh(-row, mass, 0.8, color=colour, alpha=0.45, edgecolor="white", hatch="//" if hatched and hatched[row] else None)
        axes.text(0.01, -row, f"{mass:.2f}  {label}", va="center", fontsize="small", parse_math=False).set_in_layout(False)
    axes.set(xlim=(0, 1), ylim=(-MOST + 0.4, 0.6), xticks=[], yticks=[])
    axes.set_title(title, fontsize="small", loc="left")
    axes.spines[["top", "right", "bottom"]].set_visible(False)
