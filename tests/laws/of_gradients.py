"""Laws of the three gradients at the logits: truncated with its correction, of the KL divergence, of the entropy."""
from functools import partial

import numpy as np

from tests.laws import turns
from tests.laws.law import definition, identity, invariance


def at_every_action(f, pi, mu, q, rho_max):
    """(A, A) the gradient at one belief for each action that might have been taken, with Qret = Q: exact targets."""
    return with_targets(f, pi, mu, q, rho_max, q)


def with_targets(f, pi, mu, q, rho_max, q_ret):
    """(A, A) the same for (A,) other targets; an action that could not be taken has a row of zeros."""
    tried = np.flatnonzero(mu > 0)
    rows = np.zeros((len(pi), len(pi)))
    rows[tried] = f(*(np.tile(x, (len(tried), 1)) for x in (pi, mu, q)), q_ret[tried], tried, rho_max)
    return rows


def taken(pi, mu, actions):
    """One-hot rows of the actions taken, and their ρ as a column."""
    rows = np.arange(len(pi))
    return np.eye(pi.shape[1])[actions], (pi[rows, actions] / mu[rows, actions])[:, None]


@identity("truncated_gradient", turns.one_belief)
def truncation_and_correction_together_are_unbiased(f, pi, mu, q, rho_max):
    """With Qret = Q, Σ_a μ(a) gradient(a) = π (Q - V) for every c. ACTUAL: the left side."""
    return mu @ at_every_action(f, pi, mu, q, rho_max), pi * (q - pi @ q)


@identity("truncated_gradient", partial(turns.one_belief, smallest=0))
def the_correction_takes_over_actions_never_tried(f, pi, mu, q, rho_max):
    """Σ_a μ(a) gradient(a) = π (Q - V), even where μ(a) = 0 for some actions. ACTUAL: the left side."""
    return mu @ at_every_action(f, pi, mu, q, rho_max), pi * (q - pi @ q)


@invariance("truncated_gradient", turns.one_belief)
def the_correction_is_the_same_whatever_was_done(f, pi, mu, q, rho_max):
    """With Qret = V only the correction is left. ACTUAL: a row for each action that might have been taken."""
    actual = with_targets(f, pi, mu, q, rho_max, np.full(len(q), pi @ q))
    return actual, np.tile(mu @ actual, (len(q), 1))


@identity("truncated_gradient", turns.critic_turns)
def a_higher_target_pushes_the_action_taken_by_the_truncated_weight(f, pi, mu, q, q_ret, actions, rho_max):
    """Raising Qret by 1 adds min(c, ρ_t) (1[a = a_t] - π(a)). ACTUAL: what it adds."""
    onehot, rho = taken(pi, mu, actions)
    return f(pi, mu, q, q_ret + 1, actions, rho_max) - f(pi, mu, q, q_ret, actions, rho_max), \
        np.minimum(rho_max, rho) * (onehot - pi)


@identity("truncated_gradient", turns.critic_turns)
def on_policy_there_is_nothing_to_correct(f, pi, mu, q, q_ret, actions, rho_max):
    """For π = μ and c ≥ 1: (Qret - V) (1[a = a_t] - π(a)). ACTUAL: your answer for π = μ and c + 1."""
    onehot, _ = taken(mu, mu, actions)
    return f(mu, mu, q, q_ret, actions, rho_max + 1), (q_ret - (mu * q).sum(axis=1))[:, None] * (onehot - mu)


@identity("truncated_gradient", turns.critic_turns)
def without_truncation_there_is_no_correction(f, pi, mu, q, q_ret, actions, rho_max):
    """For c above every ρ: ρ_t (Qret - V) (1[a = a_t] - π(a)). ACTUAL: your answer for c = 10⁹."""
    onehot, rho = taken(pi, mu, actions)
    return f(pi, mu, q, q_ret, actions, 1e9), rho * (q_ret - (pi * q).sum(axis=1))[:, None] * (onehot - pi)


@invariance("truncated_gradient", turns.critic_turns)
def a_constant_added_to_all_values_cancels(f, pi, mu, q, q_ret, actions, rho_max):
    """The gradient depends on advantages only. ACTUAL: your answer for Q + 2 and Qret + 2."""
    return f(pi, mu, q + 2, q_ret + 2, actions, rho_max), f(pi, mu, q, q_ret, actions, rho_max)


@identity("truncated_gradient", turns.critic_turns)
def shifting_all_logits_does_nothing(f, pi, mu, q, q_ret, actions, rho_max):
    """So each row of a gradient at the logits sums to 0. ACTUAL: the sums."""
    return f(pi, mu, q, q_ret, actions, rho_max).sum(axis=1), np.zeros(len(pi))


@invariance("truncated_gradient", turns.critic_turns)
def the_gradients_of_several_turns_are_those_of_each(f, pi, mu, q, q_ret, actions, rho_max):
    """One row per turn, which does not depend on the other turns. DESIRED: your answers turn by turn."""
    rows = [f(*(x[[t]] for x in (pi, mu, q, q_ret, actions)), rho_max) for t in range(len(pi))]
    return f(pi, mu, q, q_ret, actions, rho_max), np.concatenate(rows)


def complex_step(function, pi):
    """∂ function / ∂ l at l = log π, exactly: the imaginary part of function(l + ih) / h for a tiny h."""
    gradient = np.zeros_like(pi)
    for index in np.ndindex(pi.shape):
        logits = np.log(pi).astype(complex)
        logits[index] += 1e-30j
        gradient[index] = function(logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))).imag / 1e-30
    return gradient


@definition("kl_gradient", turns.two_policies)
def it_is_the_derivative_of_the_divergence(f, pi_average, pi):
    """∂/∂l of KL(π̄ ‖ π) = Σ π̄ (log π̄ - log π), the average policy first. DESIRED: by complex steps."""
    return f(pi_average, pi), complex_step(lambda log_pi: (pi_average * (np.log(pi_average) - log_pi)).sum(), pi)


@identity("kl_gradient", turns.two_policies)
def a_policy_that_is_its_average_feels_no_pull(f, pi_average, pi):
    """It is 0 where π = π̄. ACTUAL: your answer for π against itself."""
    return f(pi, pi), np.zeros_like(pi)


@identity("kl_gradient", turns.two_policies)
def the_divergence_grows_away_from_the_average(f, pi_average, pi):
    """k · (log π - log π̄) ≥ 0, because the divergence is convex in the logits. ACTUAL: the left side."""
    actual = (f(pi_average, pi) * (np.log(pi) - np.log(pi_average))).sum(axis=1)
    return actual, np.maximum(actual, 0.0)


@identity("kl_gradient", turns.masked_policies)
def a_masked_action_has_no_divergence(f, pi_average, pi, masked):
    """Where π = π̄ = 0 the gradient is 0; elsewhere it is the same as without that action."""
    with_masked = [np.insert(p, masked, 0.0)[None] for p in (pi_average, pi)]
    return f(*with_masked), np.insert(f(pi_average[None], pi[None]), masked, 0.0, axis=1)


@definition("entropy_gradient", turns.one_policy)
def it_is_the_derivative_of_the_entropy(f, pi):
    """∂/∂l of H = -Σ π log π. DESIRED: by complex steps."""
    return f(pi), complex_step(lambda log_pi: -(np.exp(log_pi) * log_pi).sum(), pi)


@identity("entropy_gradient", turns.one_policy)
def a_step_along_it_raises_the_entropy(f, pi):
    """So Σ_a (∂H/∂l)(a) log π(a) ≤ 0. ACTUAL: the left side."""
    actual = (f(pi) * np.log(pi)).sum(axis=1)
    return actual, np.minimum(actual, 0.0)


@identity("entropy_gradient", turns.one_policy)
def nothing_is_more_even_than_uniform(f, pi):
    """It is 0 at the uniform policy. ACTUAL: your answer there."""
    return f(np.full_like(pi, 1 / pi.shape[1])), np.zeros_like(pi)


@identity("entropy_gradient", turns.masked_policy)
def a_masked_action_has_no_entropy(f, pi, masked):
    """Where π = 0 the gradient is 0; elsewhere it is the same as without that action."""
    return f(np.insert(pi, masked, 0.0)[None]), np.insert(f(pi[None]), masked, 0.0, axis=1)
