"""Dialogues of another policy, and what each learner makes of them before its first own one.

    python -m demos.train --mask none --demonstrations 100 --dialogues 400
"""
from collections.abc import Callable
from copy import copy

import numpy as np

from acer_np import MasterHeads, SummaryHeads
from acer_np.beyond.demonstrations import demonstrated_behaviour, evaluate_policy, imitate, remember
from acer_np.replay import Batch, dialogues_of
from demos.agents import heads_of
from demos.settings import Setting
from gp_sarsa import GPAgent, returns_to_go
from simulator import Act, DialogueEnv, System, handcrafted
from simulator.actions import INFORMS, Actions
from simulator.belief import Belief

USERS, LOTS = 3, 4                   # second numbers of seeds: [seed, USERS, i] of a dialogue, [seed, LOTS] of draws
DOUBTS = {"handcrafted": 0.0, "poor": 1 / 3}      # of demonstrators that have a name: how often they do just anything
IMITATION_UPDATES = 300
CRITIC_UPDATES = 300

Choose = Callable[[np.ndarray, np.ndarray], int]


def handcrafted_action(system: System, mask: np.ndarray) -> int:
    """What the handcrafted policy would say, by an action; its choice follows from the belief.

    Where the mask forbids it, or no action says it, it takes the nearest action that is allowed. After an alternative,
    for example, it goes back to the first venue, but `inform` keeps to the last.
    """
    decided = copy(system)
    decided.actions = without_luck(system.actions)
    return saying(system.actions, handcrafted(decided), system.belief, mask)


def saying(actions: Actions, act: Act, belief: Belief, mask: np.ndarray) -> int:
    """The allowed action that says an act, or else what is nearest to it, the first among equals.

    An act of the same type is nearer than any other. Then comes one about the same venue or slot, then the one with the
    fewest items that only one of the two has. In the master space an inform tells the slots that the act tells.
    """
    def distance(name: str) -> tuple[bool, bool, int]:
        said = without_luck(actions).act(name, None, belief)
        return said.type != act.type, said.items[:1] != act.items[:1], len(set(said.items) ^ set(act.items))

    told = tuple(slot for slot in actions.domain.payload_slots if any(slot == item.slot for item in act.items))
    indices = {name: actions.index(name, told if actions.is_master and name in INFORMS else None)
               for name in actions.summary}
    return indices[min((name for name in actions.summary if mask[indices[name]]), key=distance)]


def without_luck(actions: Actions) -> Actions:
    """The same actions, but what they would draw is always drawn alike: what is said follows from the belief."""
    same = copy(actions)
    same.rng = np.random.default_rng(0)
    return same


def demonstrator_of(setting: Setting, env: DialogueEnv, load: Callable) -> tuple[Choose, float]:
    """What the demonstrator chooses at a belief under a mask, and how often it takes just any action instead.

    A trained one acts greedily, for then its μ is known whatever learner it is; `load` reads the folder of its run.
    """
    if setting.demonstrator in DOUBTS:
        return lambda belief, mask: handcrafted_action(env.system, mask), DOUBTS[setting.demonstrator]
    other = load(setting.demonstrator, env.domain)
    if (other.env.n_belief, other.env.n_actions) != (env.n_belief, env.n_actions):
        raise ValueError(f"demonstrator {setting.demonstrator} has {other.env.n_belief} belief entries and "
                         f"{other.env.n_actions} actions, expected {env.n_belief} and {env.n_actions}")
    return lambda belief, mask: other.agent.act(belief, mask, "greedy"), 0.0


def demonstrations(env: DialogueEnv, heads: SummaryHeads | MasterHeads, choose: Choose, doubt: float, n_dialogues: int,
                   seed: int) -> Batch:
    """Its dialogues with users whom neither training nor tests meet, with its μ and unscaled rewards."""
    turns, lengths, rng = [], [], np.random.default_rng([seed, LOTS])
    for i in range(n_dialogues):
        belief, info = env.reset(seed=[seed, USERS, i])
        before = len(turns)
        while not env.over:
            wide, here = info["action_mask"], belief
            masks = heads.summary_masks(wide[None])
            mu, payload_logits = demonstrated_behaviour(heads, np.array([choose(belief, wide)]), masks, doubt)
            action = int(heads.draw(heads.behaviour(mu, payload_logits), rng)[0])
            belief, reward, *_, info = env.step(action)
            turns.append((here, masks[0], action, reward, mu[0], payload_logits[0]))
        lengths.append(len(turns) - before)
    return Batch(*(np.array(column) for column in zip(*turns)), np.array(lengths))


def teach(agent, setting: Setting, env: DialogueEnv, seed: int, load: Callable) -> None:
    """Lets the agent learn from demonstrations: networks imitate and remember, for GP they are more returns."""
    choose, doubt = demonstrator_of(setting, env, load)
    batch = demonstrations(env, heads_of(setting, env), choose, doubt, setting.demonstrations, seed)
    if isinstance(agent, GPAgent):
        for dialogue in dialogues_of(batch):
            returns = returns_to_go(dialogue.rewards, agent.config.gamma)
            agent.posterior.update(dialogue.beliefs, dialogue.actions, returns)
        return
    batch = agent.checked(batch._replace(rewards=batch.rewards * agent.config.reward_scale))
    if setting.learn_from != "memory":
        imitate(agent, batch, IMITATION_UPDATES)
    if setting.learn_from == "both":
        evaluate_policy(agent, batch, CRITIC_UPDATES)
    if setting.learn_from != "imitation":
        remember(agent, batch)
