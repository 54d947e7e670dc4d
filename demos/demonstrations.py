"""Dialogues of another policy, and what each learner makes of them before its first own one.

    python -m demos.train --mask none --demonstrations 100 --dialogues 400
"""
from collections.abc import Callable

import numpy as np

from acer_np import MasterHeads, SummaryHeads
from acer_np.beyond.demonstrations import demonstrated_behaviour, evaluate_policy, imitate, remember
from acer_np.replay import Batch, dialogues_of
from demos.agents import heads_of
from demos.settings import Setting
from gp_sarsa import GPAgent, returns_to_go
from simulator import DialogueEnv
from simulator.policies import handcrafted_action

USERS, LOTS = 3, 4                   # second numbers of seeds: [seed, USERS, i] of a dialogue, [seed, LOTS] of draws
DOUBTS = {"handcrafted": 0.0, "poor": 1 / 3}      # of demonstrators that have a name: how often they do just anything
IMITATION_UPDATES = 300
CRITIC_UPDATES = 300

Choose = Callable[[np.ndarray, np.ndarray], int]


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
        done, before = False, len(turns)
        while not done:
            wide, here = info["action_mask"], belief
            masks = heads.summary_masks(wide[None])
            mu, payload_logits = demonstrated_behaviour(heads, np.array([choose(belief, wide)]), masks, doubt)
            action = int(heads.draw(heads.behaviour(mu, payload_logits), rng)[0])
            belief, reward, terminated, truncated, info = env.step(action)
            turns.append((here, masks[0], action, reward, mu[0], payload_logits[0]))
            done = terminated or truncated
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
