"""A noisy dialogue turn by turn: what was heard, what is believed of it, what is allowed, and what the policy does."""
from typing import NamedTuple

import numpy as np

from demos.settings import Setting
from demos.style import BLUE, GREEN, GREY, RED, SKY, figure
from demos.training import TEST, TEST_KEY, Run, train
from simulator.speak import system_utterance, user_utterance

SETTING = Setting(agent="acer", dialogues=600, error_rate=0.3, nbest=3, test_dialogues=20, tests=("greedy",))
SEED, MOST, WIDTHS = 6, 6, (8, 4, 5)                         # which user; how many bars of each kind
Bars = list[tuple[float, str, str]]       # probability, label, colour


class Moment(NamedTuple):
    """What the system has heard before a choice, and the choice."""

    said: str
    heard: Bars                           # red what the user did not say
    believed: Bars
    policy: Bars                          # the likeliest of the allowed actions, blue the one that is taken
    n_masked: int


def believed(belief) -> Bars:
    """The likeliest values of all slots, and the requests that may be open."""
    bars = [(mass, f"{slot} = {value}", SKY) for slot, masses in belief.goal.items() for value, mass in masses.items()]
    bars += [(mass, f"{slot}?", SKY) for slot, mass in belief.requested.items()]
    return sorted((bar for bar in bars if bar[0] > 0.02), reverse=True)[:MOST]


def moments(run: Run, seed: int) -> list[Moment]:
    """A dialogue of the trained policy with a test user."""
    env, agent, found = run.env, run.agent, []
    vector, info = env.reset(seed=[TEST_KEY, TEST, seed])
    while not env.over:
        mask, turn = info["action_mask"], env.log[-1]
        (pi, q), action = agent.action_table(vector, mask).values(), agent.act(vector, mask, "greedy")
        said = (f"System: {system_utterance(turn.system_act, env.domain)}\n"
                f"User: {user_utterance(turn.user_act, env.domain)}")
        heard = [(mass, str(act), GREEN if act == turn.user_act else RED) for act, mass in turn.heard]
        policy = [(pi[a], f"{env.system.actions.name(a)}, Q = {q[a]:.1f}", BLUE if a == action else GREY)
                  for a in sorted(np.flatnonzero(mask), key=lambda a: -pi[a])[:MOST]]
        found.append(Moment(said, heard, believed(turn.belief), policy, int((~mask).sum())))
        vector, *_, info = env.step(action)
    return found


def show():
    run = Run(SETTING, seed=0)               # some hundred noisy dialogues, in a few seconds
    train(run, None)
    found = moments(run, SEED)
    wrong, masked = sum(m.heard[0][2] == RED for m in found), [m.n_masked for m in found]
    least, choice, _ = min(m.policy[0] for m in found)
    return (f"The dialogue has {len(found)} turns. The first hypothesis was wrong in {wrong} of them. Of "
            f"{run.env.n_actions} actions {min(masked)} to {max(masked)} were masked. The policy was least sure of "
            f"{choice.split(',')[0]}, with π = {least:.2f}.", draw(found))


def draw(found: list[Moment]):
    """A row per turn: heard, believed, chosen."""
    picture = figure(13, 0.4 + 1.9 * len(found), "A dialogue with an error rate of 30 %: heard, believed, chosen")
    for turn, (part, moment) in enumerate(zip(picture.subfigures(len(found), 1), found), 1):
        part.suptitle(f"Turn {turn}. {moment.said}", x=0.01, ha="left", fontsize="medium")
        titles = ("heard (hatched: misheard)", "believed (slot?: asked for)",
                  f"policy π (first: chosen), {moment.n_masked} actions masked")
        for axes, bars, title, width in zip(part.subplots(1, 3, width_ratios=WIDTHS), moment[1:4], titles, WIDTHS):
            for row, (mass, label, colour) in enumerate(bars):
                axes.barh(-row, mass, color=colour, alpha=0.6, edgecolor="white", hatch="//" * (colour == RED))
                axes.text(1.08, -row, f"{mass:.2f}  {label}", va="center", size=8, parse_math=False, in_layout=False)
            axes.set(xlim=(0, width), ylim=(-MOST + 0.4, 0.6), xticks=[], yticks=[])
            axes.set_title(title, fontsize="small", loc="left")
            axes.spines[["top", "right", "bottom"]].set_visible(False)
    return picture
