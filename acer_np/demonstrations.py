"""Learning from dialogues of another policy: imitate its choices, and keep its dialogues to go on from off-policy.

The first makes a policy that is useful at once; the second needs no special care, for the memory keeps the μ of
whoever acted: a demonstrator without doubt has μ = 1 at its choice, so that ρ = π ≤ 1.
"""
import numpy as np

from acer_np.adam import Learner, adam_ascent
from acer_np.agent import ReplayAgent
from acer_np.network import Network, compressed
from acer_np.replay import Batch, Replay, dialogues_of


def imitation_update(network: Network, learner: Learner, batch: Batch, learning_rate: float) -> tuple[Learner, float]:
    """The learner after one step up the mean log-likelihood of the choices, and that likelihood before it.

        L = 1/n Σ_t log π(a_t|b_t),      ∂L/∂l = (onehot(a_t) - π) / n

    The average policy moves to where the policy is: there is nothing yet that it should be kept near to.
    """
    heads, now = network.heads, network.forward(learner.params, compressed(batch.beliefs))
    policy = heads.policy(now.logits, batch.masks)
    share = np.full(len(batch.actions), 1 / len(batch.actions), network.dtype)
    d_logits = heads.log_gradient(policy, heads.at_actions(batch.actions, share))
    direction, = network.backward(learner.params, now, [(d_logits, None)])
    params, adam = adam_ascent(learner.params, direction, learner.adam, learning_rate)
    likelihood = float(np.log(np.maximum(heads.pi_of(policy, batch.actions), 1e-30)).mean())
    return Learner(params, params[:network.n_policy].copy(), adam), likelihood


def imitate(agent: ReplayAgent, demonstrations: Batch, n_updates: int, learning_rate: float = 2e-3) -> list[float]:
    """Fits the policy to the choices, on minibatches of dialogues; returns the mean log-likelihood before every step.

    Adam starts anew afterwards: its moments were those of another objective.
    """
    memory, likelihoods = Replay(len(demonstrations.lengths)), []
    memory.dialogues.extend(dialogues_of(agent.checked(demonstrations)))
    for _ in range(n_updates):
        batch = memory.sample(agent.config.minibatch, agent.rng)
        agent.learner, likelihood = imitation_update(agent.network, agent.learner, batch, learning_rate)
        likelihoods.append(likelihood)
    agent.learner = Learner.start(agent.learner.params, agent.network.n_policy)
    return likelihoods


def remember(agent: ReplayAgent, demonstrations: Batch) -> None:
    """Puts the dialogues into the memory, as if the agent had had them itself with the demonstrator's μ."""
    agent.replay.dialogues.extend(dialogues_of(agent.checked(demonstrations)))
