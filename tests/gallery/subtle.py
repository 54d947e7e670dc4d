"""Wrong versions that are right in small cases with simple numbers."""
import numpy as np

from tests.gallery import policies, right
from tests.gallery.version import wrong


@wrong("masked_softmax")
def a_hundred_is_taken_off(logits, masks):
    """100 is subtracted from masked logits instead of ∞.

    Symptom: a masked action can be drawn where its logit is high.
    """
    return policies.softmax(logits - 100.0 * ~masks, np.ones_like(masks))


@wrong("state_value")
def rare_actions_are_ignored(pi, q):
    """Actions below 5 % are left out of V.

    Symptom: none while the policy is soft.
    """
    return (np.where(pi < 0.05, 0.0, pi) * q).sum(axis=1)


@wrong("lambda_returns")
def ratios_cut_at_ten(rewards, v, rho_a, gamma, trace_decay):
    """min(10, ρ) instead of ρ.

    Symptom: none until a rare action was taken.
    """
    return right.lambda_returns_forwards(rewards, v, np.minimum(10.0, rho_a), gamma, trace_decay)


@wrong("importance_weights")
def cut_at_twenty(pi, mu, actions):
    """min(20, ρ), with μ raised to 10⁻³.

    Symptom: none until a rare action was taken.
    """
    rows = np.arange(len(pi))
    return np.minimum(20.0, pi[rows, actions] / np.maximum(1e-3, mu[rows, actions]))


@wrong("retrace_targets")
def errors_of_four_turns_only(rewards, q_a, v, rho_a, gamma, trace_decay):
    """Errors more than four turns ahead are dropped.

    Symptom: the first turns of long dialogues do not learn how these ended.
    """
    columns, n = (rewards, q_a, v, rho_a), len(v)
    return [right.retrace_turn_by_turn(*(x[t:] for x in columns), gamma, trace_decay)[0] if t + 5 >= n else
            right.cut_with_one_turn_more(*(x[t:t + 5] for x in columns), gamma, trace_decay, v[t + 5])[0]
            for t in range(n)]


@wrong("retrace_targets")
def targets_kept_within_twenty(rewards, q_a, v, rho_a, gamma, trace_decay):
    """Targets are clipped to ±20.

    Symptom: none while returns are small.
    """
    return np.clip(right.retrace_turn_by_turn(rewards, q_a, v, rho_a, gamma, trace_decay), -20.0, 20.0)


@wrong("retrace_of_many")
def what_is_carried_is_lost_every_25_turns(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """A window of 25 turns is taken for the end of a dialogue.

    Symptom: none in short dialogues.
    """
    windows = ended | (np.arange(len(ended)) % 25 == 24)
    return right.many_with_a_mask(rewards, q_a, v, rho_a, gamma, trace_decay, windows)


@wrong("truncated_gradient")
def rare_actions_have_no_gradient(pi, mu, q, q_ret, actions, rho_max):
    """Logits of actions below 1 % get no gradient, and μ is raised to 1 %.

    Symptom: an action that became rare stays rare.
    """
    floored = np.maximum(mu, 0.01)
    return np.where(pi < 0.01, 0.0, right.gradient_turn_by_turn(pi, floored, q, q_ret, actions, rho_max))


@wrong("adam_updates")
def the_floor_inside_the_root(params, terms, learning_rate):
    """√(v̂ + 10⁻⁸) instead of √v̂ + 10⁻⁸.

    Symptom: gradients below 10⁻⁴ take small steps.
    """
    m = v = np.zeros_like(params)
    for t, d in enumerate(terms.sum(axis=1), start=1):
        m, v = m + 0.1 * (d - m), v + 0.001 * (d * d - v)
        params = params + learning_rate * m / (1 - 0.9 ** t) / np.sqrt(v / (1 - 0.999 ** t) + 1e-8)
    return params


@wrong("gp_posterior")
def the_last_nine_points(beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma, noise_std):
    """Only the last nine points are kept.

    Symptom: what was learned is forgotten.
    """
    ends = np.cumsum(lengths)[:-1]
    returns = np.concatenate([right.returns_as_a_filter(r, gamma) for r in np.split(rewards, ends)])[-9:]
    return right.gp_one_return_at_a_time(beliefs[-9:], actions[-9:], returns, np.ones(len(returns), int), query_beliefs,
                                         query_actions, 0.0, noise_std)
