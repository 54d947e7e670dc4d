"""eNAC, the episodic natural actor-critic: the natural gradient as a regression of returns on scores.

The return of a dialogue is the expected return J, plus the advantages of its actions, plus noise. If advantages are
linear in the score of the policy, A(b, a) = w·∇log π(a|b), then

    R_e = J + φ_e·w + noise,      R_e = Σ_t γ^{t-1} r_t,      φ_e = Σ_t γ^{t-1} ∇log π(a_t|b_t)

and the w of least squares is the natural gradient F⁻¹ ∇J. There is no critic. The features have the discount of the
rewards: only then do the advantages add up to the return. The noise of a turn is uncorrelated with the scores of later
turns if those have mean zero.

Scores of π have mean zero only if π acted. So this agent draws its actions from π by default, and its memory is short.
Scores centred on the policy that acted, ∇l(a) - Σ_b μ(b) ∇l(b) with logits l and recorded μ, have mean zero whatever
acted. With them w compares an action with what μ does, and the agent may explore. Importance weights would serve as
well, but their product over a dialogue leaves few dialogues to learn from.
"""
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from acer_np.learner import Learner
from acer_np.agent import ReplayAgent
from acer_np.checks import check_config
from acer_np.network import Network
from acer_np.replay import Batch


@dataclass(frozen=True)
class ENACConfig:
    """All hyperparameters of eNAC; those of acting and of the network have ACER's defaults, but for critic_body."""

    learning_rate: float = 0.05          # α, the longest step at first, in natural gradients
    halving: int = 1500                  # updates until the longest step is half as long
    gamma: float = 0.99                  # γ
    ridge: float = 0.1                   # in units of the mean of ‖φ_e‖²
    kl_limit: float = 1e-3               # KL divergence of one step, for a whole dialogue
    centre: str = "policy"               # of the scores: π, or "behaviour", the μ on record
    behaviour: str = "draw"
    epsilon: float = 0.0                 # ε
    horizon: int = 4000
    updates_per_dialogue: int = 1        # n
    minibatch: int = 64                  # dialogues
    capacity: int = 256                  # dialogues; four minibatches
    hidden: tuple[int, ...] = (130, 50)
    critic_body: str = "shared"
    body_init: float | str = "he"
    reward_scale: float = 1 / 20
    dtype: str = "float32"

    def __post_init__(self) -> None:
        check_config(self)


class Diagnostics(NamedTuple):
    """What to watch while learning."""

    entropy: float             # mean entropy of π
    baseline: float            # J
    regression_error: float    # mean of (R - J - φ·w)²
    step: float                # in natural gradients
    capped: float              # 1 where the longest step, and not the KL divergence, was the limit


def discounts(lengths: np.ndarray, gamma: float) -> np.ndarray:
    """(n,) γ^{t-1} for the turns t = 1, 2, ... of every dialogue."""
    starts = np.cumsum(lengths) - lengths
    return gamma ** (np.arange(lengths.sum()) - np.repeat(starts, lengths))


def dialogue_sums(turns: np.ndarray, lengths: np.ndarray, axis: int = 0) -> np.ndarray:
    """Sums over the turns of each dialogue: the n entries along the axis become E."""
    return np.add.reduceat(turns, np.cumsum(lengths) - lengths, axis=axis)


def compatible_regression(gram: np.ndarray, returns: np.ndarray, ridge: float) -> tuple[np.ndarray, float]:
    """min_{w,J} Σ_e (R_e - J - φ_e·w)² + λ‖w‖² in dual form: w = Σ_e α_e φ_e is never formed here.

        ⎡ G + λ1  1 ⎤ ⎡ α ⎤   ⎡ R ⎤
        ⎣   1ᵀ    0 ⎦ ⎣ J ⎦ = ⎣ 0 ⎦,      G = Φ Φᵀ,    λ = ridge · s,   s = trace(G) / E

    The baseline J is not penalised: a constant added to all returns changes only J. Without a ridge w would fit the
    noise, because 64 dialogues face 42,285 weights. Solving for G/s and s α makes the solution independent of the size
    of the features.

    Args:
        gram: (E, E) G, inner products of the features φ_e.
        returns: (E,) R.
    """
    n = len(returns)
    size = np.trace(gram) / n or 1.0
    system = np.ones((n + 1, n + 1))
    system[:n, :n] = gram / size + ridge * np.eye(n)
    system[n, n] = 0.0
    solution = np.linalg.lstsq(system, np.append(returns, 0.0), rcond=None)[0]    # of least norm, if G is singular
    return solution[:n] / size, float(solution[n])


def natural_step(explained: np.ndarray, kl_limit: float, longest: float) -> float:
    """The length of the step along w: what the KL divergence of a dialogue allows, but at most the longest step.

        KL ≈ ½ α² w·F w,     w·F w ≈ mean of (φ_e·w)²

    The cap is for returns that hardly differ: their w is mostly noise, which the rule would magnify.
    """
    with np.errstate(divide="ignore", invalid="ignore"):        # where nothing is explained
        return min(longest, float(np.sqrt(2.0 * kl_limit / np.mean(explained ** 2))))


def enac_update(network: Network, learner: Learner, batch: Batch, config: ENACConfig) -> tuple[Learner, Diagnostics]:
    """The learner after one step along the natural gradient of a minibatch.

    The Gram matrix is computed from the inputs and gradients of the layers. One backward pass gives w, with every turn
    weighted by the α of its dialogue. The step is plain, because Adam would rescale w and so undo the metric; its state
    only counts the updates t. The longest step α / (1 + t/τ) shrinks, so the noise of w averages out in the end. With
    scores centred on μ the divergence weighs actions as μ did.
    """
    heads = network.heads
    now = network.forward(learner.params, batch.beliefs)
    policy = heads.policy(now.logits, batch.masks)
    discount = discounts(batch.lengths, config.gamma).astype(network.dtype)
    centre = policy if config.centre == "policy" else heads.behaviour(batch.mu, batch.payload_logits)

    def scores(weights: np.ndarray) -> np.ndarray:
        return heads.log_gradient(centre, heads.onehot(batch.actions, weights))

    by_turn = network.policy_gram(learner.params, now, scores(discount))
    gram = dialogue_sums(dialogue_sums(by_turn, batch.lengths), batch.lengths, axis=1)
    returns = dialogue_sums(discount * batch.rewards, batch.lengths)
    alpha, baseline = compatible_regression(gram, returns, config.ridge)
    explained = gram @ alpha

    weights = (discount * np.repeat(alpha, batch.lengths)).astype(network.dtype)
    natural_gradient = network.backward(learner.params, now, [(scores(weights), None)])[0]
    longest = config.learning_rate / (1.0 + learner.adam.step / config.halving)
    step = natural_step(explained, config.kl_limit, longest)
    params = learner.params + step * natural_gradient
    if not np.isfinite(params).all():
        raise ValueError(f"returns is {returns.min()} to {returns.max()}, expected a finite natural gradient")
    entropy, error = float(heads.entropy(policy).mean()), float(np.mean((returns - baseline - explained) ** 2))
    learner = learner._replace(params=params, adam=learner.adam._replace(step=learner.adam.step + 1))
    return learner, Diagnostics(entropy, baseline, error, step, float(step == longest))


class ENACAgent(ReplayAgent):
    """Draws its actions from π and learns by enac_update; it has no critic."""

    update = staticmethod(enac_update)
    critic_width = 0
