"""Learning from dialogues of another policy: imitate its choices, and learn off-policy from its dialogues.

Imitation makes a policy that is useful at once. Off-policy learning needs no special care, because the memory keeps the
μ of whoever acted. A deterministic demonstrator has μ = 1 at its choice, so ρ = π ≤ 1.
"""
import numpy as np

from acer_np.learner import BETA2, AdamState, Learner, adam_ascent
from acer_np.agent import ReplayAgent
from acer_np.checks import as_actions, as_mask, check_range
from acer_np.exploration import mixture
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.network import Network, compressed
from acer_np.replay import Batch, Replay, dialogues_of

CERTAIN_LOGIT = 30.0            # logit of a slot that is certainly told: all but 1e-13 of the probability


def demonstrated_behaviour(heads: SummaryHeads | MasterHeads, choices: np.ndarray, masks: np.ndarray,
                           doubt: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """(n, S) μ and (n, width - S) payload logits of a demonstrator: the choice, or with `doubt` any summary action.

    If the choice informs, every inform has its payload; otherwise payloads are drawn uniformly.

    Args:
        choices: (n,) actions.
        masks: (n, S) bool.
    """
    check_range("doubt", doubt, 0, 1)
    masks = as_mask(masks, "masks")
    choices = as_actions("choices", choices, heads, masks=masks)
    summary = heads.summary_of(choices)[:, None]
    told = heads.onehot(choices, np.ones(len(choices)))[:, heads.n_summary:]
    informs = summary < getattr(heads, "n_methods", 0)
    mu = mixture(np.arange(heads.n_summary) == summary, masks, doubt)
    return mu, np.where(informs, CERTAIN_LOGIT * (2 * told - 1), 0.0)


def imitation_update(network: Network, learner: Learner, batch: Batch, learning_rate: float,
                     scale: str = "mean") -> tuple[Learner, float]:
    """The learner after one step up the log-likelihood of the choices, and the mean log-likelihood before it.

        L = 1/n Σ_t log π(a_t|b_t),      ∂L/∂l = (onehot(a_t) - π) / n,     without the 1/n for "sum"

    The average policy moves along with π: so far there is no policy to stay near to.
    """
    heads, now = network.heads, network.forward(learner.params, compressed(batch.beliefs))
    policy = heads.policy(now.logits, batch.masks)
    share = np.full(len(batch.actions), 1 / len(batch.actions) if scale == "mean" else 1, network.dtype)
    d_logits = heads.log_gradient(policy, heads.onehot(batch.actions, share))
    direction, = network.backward(learner.params, now, [(d_logits, None)])
    params, adam = adam_ascent(learner.params, direction, learner.adam, learning_rate)
    likelihood = np.log(np.maximum(heads.pi_of(policy, batch.actions), np.finfo(network.dtype).tiny)).mean()
    return Learner(params, params[:network.n_policy].copy(), adam), float(likelihood)


def imitate(agent: ReplayAgent, demonstrations: Batch, n_updates: int, learning_rate: float = 2e-3) -> list[float]:
    """Fits the policy to the choices, on minibatches of dialogues; returns the mean log-likelihood before every step.

    `imitate` sets all schedules to their final values, and keeps Adam's mean squares. The gradients of a policy without
    doubt are small and mostly noise. Without those squares Adam would magnify them and lead the policy away from what
    was imitated. The gradients of imitation have the scale of the agent's own, so the squares fit both.
    """
    check_range("learning_rate", learning_rate, 0, np.inf)
    memory, likelihoods = _memory_of(agent, demonstrations), []
    learner, scale = Learner.start(agent.learner.params, agent.network.n_policy), getattr(agent.config, "scale", "sum")
    for _ in range(n_updates):
        batch = memory.sample(agent.config.minibatch, agent.rng)
        learner, likelihood = imitation_update(agent.network, learner, batch, learning_rate, scale)
        likelihoods.append(likelihood)
    end = agent.config.horizon * agent.config.updates_per_dialogue
    agent.learner = learner._replace(adam=_begun_again(learner.adam, end))
    return likelihoods


def evaluate_policy(agent: ReplayAgent, demonstrations: Batch, n_updates: int) -> None:
    """Teaches the critic the value of the policy, by the agent's own updates with the policy held.

    Otherwise the first updates would follow an untrained critic. Of Adam's state, too, only the critic's part is new.
    """
    memory, held, n = _memory_of(agent, demonstrations), agent.learner, agent.network.n_policy
    learner = Learner.start(held.params, n)
    for _ in range(n_updates):
        batch = memory.sample(agent.config.minibatch, agent.rng)
        learner, _ = agent.update(agent.network, learner, batch, agent.config)
        learner = learner._replace(params=np.append(held.params[:n], learner.params[n:]), average=held.average)
    critic = _begun_again(learner.adam, held.adam.step)
    agent.learner = learner._replace(adam=critic._replace(square=np.append(held.adam.square[:n], critic.square[n:])))


def remember(agent: ReplayAgent, demonstrations: Batch) -> None:
    """Puts the dialogues, with the demonstrator's μ, into the agent's memory."""
    agent.replay.dialogues.extend(dialogues_of(agent.checked(demonstrations)))


def _begun_again(adam: AdamState, step: int) -> AdamState:
    """Adam after `step` steps, with the unbiased mean squares of its gradients and no momentum."""
    return AdamState(step, np.zeros_like(adam.mean), adam.square / (1 - BETA2 ** max(1, adam.step)))


def _memory_of(agent: ReplayAgent, demonstrations: Batch) -> Replay:
    """A memory of just these dialogues, or a ValueError if this agent cannot learn from them."""
    memory = Replay(len(demonstrations.lengths))
    memory.dialogues.extend(dialogues_of(agent.checked(demonstrations)))
    return memory
