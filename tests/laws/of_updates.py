"""Laws of a whole update of ACER, of the score of an action in two levels, and of the natural gradient of eNAC."""
import numpy as np

from tests.laws import dialogues, turns, vectors
from tests.laws.law import definition, identity, invariance
from tests.laws.of_gradients import complex_step, taken
from tests.laws.of_retrace import by_definition


def softmax(logits):
    return np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)


def targets(logits, mu, q, actions, rewards, gamma, trace_decay):
    """π, V, one-hot actions, ρ as a column, and Qret."""
    pi = softmax(logits)
    v, (onehot, rho) = (pi * q).sum(axis=1), taken(pi, mu, actions)
    return pi, v, onehot, rho, by_definition(rewards, (onehot * q).sum(axis=1), v, rho[:, 0], gamma, trace_decay)


@definition("acer_gradients", dialogues.updates)
def the_critic_moves_towards_retrace_at_the_actions_taken(f, rho_max, kl_limit, average_logits, **case):
    """(Qret - Q) 1[a = a_t] at the critic's outputs, uphill on -½ (Qret - Q)². ACTUAL: the critic's half."""
    _, _, onehot, _, q_ret = targets(**case)
    actual = f(case["logits"], average_logits, *list(case.values())[1:], rho_max, kl_limit)[1]
    return actual, onehot * (q_ret[:, None] - case["q"])


@definition("acer_gradients", dialogues.updates)
def the_policy_moves_along_the_projected_gradient(f, rho_max, kl_limit, average_logits, **case):
    """∂/∂l of Σ_t min(c, ρ_t) (Qret_t - V_t) log π(a_t) + Σ_a (π - c μ)_+ (Q - V) log π(a), projected with δ."""
    pi, v, onehot, rho, q_ret = targets(**case)
    weights = np.minimum(rho_max, rho) * (q_ret - v)[:, None] * onehot \
        + np.maximum(pi - rho_max * case["mu"], 0.0) * (case["q"] - v[:, None])
    g = complex_step(lambda log_pi: (weights * log_pi).sum(), pi)
    k = complex_step(lambda log_pi: -(softmax(average_logits) * log_pi).sum(), pi)
    excess = max(0.0, (g * k).sum() - kl_limit) / max((k * k).sum(), 1e-300)
    return f(case["logits"], average_logits, *list(case.values())[1:], rho_max, kl_limit)[0], g - excess * k


@identity("acer_gradients", dialogues.updates_of_one_turn)
def the_divergence_of_all_actions_is_limited(f, logits, average_logits, mu, q, rho_max, kl_limit):
    """One turn: (π - π̄) · gradient ≤ δ, whatever action was taken. ACTUAL: the left side for each of them."""
    def one_turn(action):
        rows = (x[None] for x in (logits, average_logits, mu, q))
        return f(*rows, np.array([action]), q[[action]], 1.0, 1.0, rho_max, kl_limit)[0, 0]

    actual = np.array([(softmax(logits) - softmax(average_logits)) @ one_turn(a) for a in range(len(q))])
    return actual, np.minimum(actual, kl_limit)


@definition("factorised_score", turns.two_levels)
def it_is_the_derivative_of_the_log_probability(f, pi_s, pi_p, n_methods, actions, payloads):
    """∂/∂l of log π_s(a) + 1[a is a method] log π_p(P). DESIRED: by complex steps."""
    rows, informs = np.arange(len(actions)), actions < n_methods
    desired = [complex_step(lambda log_pi: log_pi[rows, actions].sum(), pi_s),
               complex_step(lambda log_pi: (informs * log_pi[rows, payloads]).sum(), pi_p)]
    return f(pi_s, pi_p, n_methods, actions, payloads), np.hstack(desired)


@identity("factorised_score", turns.one_belief_of_two_levels)
def its_mean_over_the_policy_is_zero(f, pi_s, pi_p, n_methods):
    """Σ π(a) score(a) = 0 over all actions, a method with each of its payloads. ACTUAL: the sum."""
    pairs = [(a, p) for a in range(len(pi_s)) for p in (range(len(pi_p)) if a < n_methods else [0])]
    weights = np.array([pi_s[a] * (pi_p[p] if a < n_methods else 1.0) for a, p in pairs])
    tiled = (np.tile(x, (len(pairs), 1)) for x in (pi_s, pi_p))
    actual = weights @ f(*tiled, n_methods, *np.array(pairs).T)
    return actual, np.zeros_like(actual)


@identity("factorised_score", turns.two_levels)
def without_a_payload_nothing_is_learned_of_payloads(f, pi_s, pi_p, n_methods, actions, payloads):
    """The part at the logits of π_p is 0 where a is no method. ACTUAL: this part."""
    actual = f(pi_s, pi_p, n_methods, actions, payloads)[actions >= n_methods, pi_s.shape[1]:]
    return actual, np.zeros_like(actual)


@definition("natural_gradient", vectors.regressions, 1e-7)
def its_residuals_have_nothing_in_common_with_the_features(f, features, returns):
    """With J the mean of R - φ·w: Σ φ (R - J - φ·w) = 0, the normal equations. ACTUAL: the left side."""
    residuals = returns - features @ f(features, returns)
    actual = features.T @ (residuals - residuals.mean())
    return actual, np.zeros_like(actual)


@identity("natural_gradient", vectors.regressions, 1e-7)
def returns_that_are_linear_give_their_weights(f, features, returns):
    """R = φ·w + 3 gives w back, here w = 1, 2, 3, ...; without noise no ridge is needed."""
    w = np.arange(1.0, features.shape[1] + 1)
    return f(features, features @ w + 3), w


@invariance("natural_gradient", vectors.regressions, 1e-7)
def a_constant_added_to_all_returns_is_baseline(f, features, returns):
    """ACTUAL: your answer for R + 10."""
    return f(features, returns + 10), f(features, returns)
