"""Policies to talk to: trained once and then kept, outside version control; and what they think of their actions."""
import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from acer_np.behaviour import summary_mask
from demos.agents import AGENTS, LEARNERS, Setting
from demos.console import number
from demos.train import train
from demos.training import Run
from gp_sarsa.agent import GPAgent
from simulator.actions import Actions

FOLDER = Path("runs", "policies")
# A few seconds of training; noise leads it to more of the beliefs that people will lead it to.
QUICK = Setting(agent="gp", dialogues=1000, error_rate=0.15, nbest=5, test_dialogues=20)


def trained(setting: Setting) -> Run:
    """A finished run: the one that was kept, or else it is trained now and kept for the next time."""
    if setting.agent not in LEARNERS:
        return Run(setting, seed=0)
    path = FOLDER / f"{setting.name}-nbest{setting.nbest}-{setting.dialogues}.npz"
    run = (kept(setting, path) if path.exists() else None) or Run(setting, seed=0)
    if not run.finished:
        print(f"Training {setting.name} on {setting.dialogues} dialogues; it will be kept in {path}", file=sys.stderr)
        path.parent.mkdir(parents=True, exist_ok=True)
        train(run, path)                                 # if interrupted, it is kept as it is and goes on from there
    return run


def kept(setting: Setting, path: Path) -> Run | None:
    """The run in a file; one that is damaged, or comes from other code or settings, is as good as none."""
    try:
        run = Run.load(path)
        if run.setting == setting:
            return run
        print(f"Training again: {path} was made with {run.setting}", file=sys.stderr)
    except ValueError as error:
        print(f"Training again: {error}", file=sys.stderr)
    return None


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which policy to use."""
    parser.add_argument("--agent", choices=AGENTS, default=QUICK.agent, help="which kind of policy (%(default)s)")
    parser.add_argument("--space", choices=("summary", "master"), default=QUICK.space, help="of actions (%(default)s)")
    parser.add_argument("--dialogues", type=number(int, 1), default=QUICK.dialogues,
                        help="to train it on, unless that was done before (%(default)s)")
    parser.add_argument("--policy", type=Path, metavar="FILE", help="use this snapshot of demos.train --save instead")


def wanted(args: argparse.Namespace, **noise: float) -> Run:
    """The policy that the options ask for, trained under the given noise."""
    if args.policy:
        return Run.load(args.policy)
    return trained(replace(QUICK, agent=args.agent, space=args.space, dialogues=args.dialogues, **noise))


def described(run: Run) -> str:
    """Who is talking."""
    return run.setting.name + (f" after {run.n_dialogues} dialogues of training" if run.n_dialogues else "")


def opinions(agent, belief: np.ndarray, mask: np.ndarray) -> dict[str, np.ndarray]:
    """What a learner thinks of each action, (A,) each: π and Q, or mean and deviation of Q, in units of reward."""
    if isinstance(agent, GPAgent):
        return {"mean": agent.posterior.mean(belief), "std": np.sqrt(agent.posterior.variance(belief))}
    if not hasattr(agent, "network"):
        return {}
    every, heads = np.arange(len(mask)), agent.heads
    beliefs, masks = (np.tile(row, (len(every), 1)) for row in (belief, summary_mask(mask, heads.sizes)))
    forward = agent.network.forward(agent.learner.params, beliefs)
    found = {"pi": heads.pi_of(heads.policy(forward.logits, masks), every)}
    if forward.critic.shape[1] == heads.width:           # a critic that is a V has no opinion of single actions
        found["Q"] = heads.q_of(forward.critic, every) / agent.config.reward_scale
    return found


def favourites(agent, actions: Actions, belief: np.ndarray, mask: np.ndarray, n: int) -> list[tuple[str, ...]]:
    """A table of the best n allowed actions, the header first; empty for an agent without opinions.

    What a network would do comes before all: in the master space an inform is chosen for the sum of its payloads.
    """
    columns = opinions(agent, belief, mask)
    if not columns:
        return []
    first, *_ = columns.values()
    choice = agent.act(belief, mask, greedy=True) if "pi" in columns else None
    best = sorted(np.flatnonzero(mask), key=lambda action: (action != choice, -first[action]))[:n]
    return [("action", *columns),
            *((actions.name(action), *(f"{column[action]:.2f}" for column in columns.values())) for action in best)]
