"""Right versions that share no line with ours: every law must let them pass."""
import numpy as np
from scipy.optimize import minimize
from scipy.signal import lfilter
from scipy.special import softmax


def traces(rho_a, trace_decay):
    return np.where(rho_a < 1, rho_a, 1.0) * trace_decay


def retrace_as_a_linear_system(rewards, q_a, v, rho_a, gamma, trace_decay, traces=traces):
    """(I - γ superdiag(c_2 .. c_T)) (Qret - Q) = r + γ V_next - Q."""
    system = np.eye(len(v)) - gamma * np.diag(traces(rho_a, trace_decay)[1:], 1)
    return q_a + np.linalg.solve(system, rewards + gamma * np.append(v[1:], 0.0) - q_a)


def retrace_turn_by_turn(rewards, q_a, v, rho_a, gamma, trace_decay):
    """Each target from its own walk to the end."""
    def target(t):
        if t + 1 == len(v):
            return rewards[t]
        return rewards[t] + gamma * (v[t + 1] + trace_decay * min(1, rho_a[t + 1]) * (target(t + 1) - q_a[t + 1]))
    return [target(t) for t in range(len(v))]


def cut_with_one_turn_more(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """The belief after the cut as a last turn that is never traced, so only its V counts."""
    longer = [np.append(x, last) for x, last in ((rewards, 0.0), (q_a, 0.0), (v, bootstrap), (rho_a, 0.0))]
    return retrace_as_a_linear_system(*longer, gamma, trace_decay)[:-1]


def many_with_a_mask(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """The recursion over all turns, where (1 - ended) stops what would cross an end."""
    q_ret, carry = rewards.copy(), 0.0
    for t in range(len(v) - 1, -1, -1):
        q_ret[t] += gamma * carry * (1 - ended[t])
        carry = v[t] + trace_decay * min(1.0, rho_a[t]) * (q_ret[t] - q_a[t])
    return q_ret


def padded_with_a_mask(rewards, q_a, v, rho_a, gamma, trace_decay, lengths):
    """All dialogues at once; what lies beyond the end of one is never carried back into it."""
    q_ret, carry = np.zeros_like(rewards), np.zeros(len(lengths))
    for t in range(len(rewards) - 1, -1, -1):
        q_ret[t] = rewards[t] + gamma * np.where(t + 1 < lengths, carry, 0.0)
        carry = v[t] + trace_decay * np.minimum(1.0, rho_a[t]) * (q_ret[t] - q_a[t])
    return q_ret


def lambda_returns_forwards(rewards, v, rho_a, gamma, trace_decay):
    """Σ_{t≥i} (γλ)^(t-i) (Π ρ) (r_t + γ (1-λ) V_{t+1})."""
    steps = rewards + gamma * (1 - trace_decay) * np.append(v[1:], 0.0)
    return [sum((gamma * trace_decay) ** (t - i) * np.prod(rho_a[i + 1:t + 1]) * steps[t] for t in range(i, len(v)))
            for i in range(len(v))]


def returns_as_a_filter(rewards, gamma):
    return lfilter([1.0], [1.0, -gamma], rewards[::-1])[::-1]


def value_by_einsum(pi, q):
    return np.einsum("na,na->n", pi, q)


def softmax_of_scipy(logits, masks):
    return softmax(np.where(masks, logits, -np.inf), axis=1)


def epsilon_greedy_action_by_action(values, masks, epsilon):
    mu = np.zeros(values.shape)
    for t, (row, mask) in enumerate(zip(values, masks)):
        allowed = np.flatnonzero(mask)
        for a in allowed:
            mu[t, a] += epsilon / len(allowed)
        mu[t, max(allowed, key=lambda a: row[a])] += 1 - epsilon
    return mu


def mixture_of_both(pi, masks, epsilon):
    return pi + epsilon * (masks / masks.sum(axis=1)[:, None] - pi)


def weights_in_logs(pi, mu, actions):
    return np.exp([np.log(p[a]) - np.log(m[a]) for p, m, a in zip(pi, mu, actions)])


def gradient_turn_by_turn(pi, mu, q, q_ret, actions, rho_max):
    """The formula as printed, action by action: π [1 - c/ρ]_+ with ρ = ∞ where μ = 0, and 1 where both are."""
    rows = []
    for p, m, values, target, taken in zip(pi, mu, q, q_ret, actions):
        v = sum(p * values)
        row = min(rho_max, p[taken] / m[taken]) * (target - v) * (np.eye(len(p))[taken] - p)
        for a in np.flatnonzero(p):
            kept = rho_max * m[a] / p[a]
            row = row + p[a] * max(0.0, 1 - kept) * (values[a] - v) * (np.eye(len(p))[a] - p)
        rows.append(row)
    return rows


def gradient_from_ratios(pi, rho, q, v, q_ret, actions, rho_max):
    """The same from ρ of every action, (n, A)."""
    rows, correction = np.arange(len(pi)), np.where(rho > 0, pi * np.maximum(0.0, 1 - rho_max / rho), 0.0)
    weights = correction * (q - v[:, None])
    weights[rows, actions] += np.minimum(rho_max, rho[rows, actions]) * (q_ret - v)
    return weights - weights.sum(axis=1, keepdims=True) * pi


def through_the_jacobian(pi, at_probabilities):
    """Σ_b ∂F/∂π(b) ∂π(b)/∂l(a), with ∂π(b)/∂l(a) = π(b) (1[a = b] - π(a))."""
    return [(np.diag(p) - np.outer(p, p)) @ d for p, d in zip(pi, at_probabilities)]


def kl_through_the_jacobian(pi_average, pi):
    return through_the_jacobian(pi, -pi_average / np.where(pi > 0, pi, 1.0))


def entropy_through_the_jacobian(pi):
    return through_the_jacobian(pi, -np.log(np.where(pi > 0, pi, 1.0)) - 1)


def projection_of_scipy(g, k, kl_limit):
    def nearest(g, k):
        limit = {"type": "ineq", "fun": lambda z: kl_limit - k @ z, "jac": lambda z: -k}
        return minimize(lambda z: 0.5 * ((z - g) ** 2).sum(), g, jac=lambda z: z - g, method="SLSQP", constraints=limit,
                        options={"ftol": 1e-18}).x
    return [nearest(*row) for row in zip(g, k)]


def score_by_outer_products(pi_s, pi_p, n_methods, actions, payloads):
    """Each level is one-hot minus probabilities, the second only where it was used."""
    used = (actions < n_methods)[:, None]
    return np.hstack([np.eye(pi_s.shape[1])[actions] - pi_s, used * (np.eye(pi_p.shape[1])[payloads] - pi_p)])


def update_of(importance_weights=weights_in_logs, state_value=value_by_einsum, retrace_targets=retrace_turn_by_turn,
              truncated_gradient=gradient_turn_by_turn, kl_gradient=kl_through_the_jacobian, trust_region=None):
    """A whole update of ACER from its parts."""
    def nearest(g, k, kl_limit):
        return g - max(0.0, g @ k - kl_limit) / max(k @ k, 1e-300) * k

    def acer_gradients(logits, average_logits, mu, q, actions, rewards, gamma, trace_decay, rho_max, kl_limit):
        (pi, average), rows = softmax([logits, average_logits], axis=2), np.arange(len(q))
        q_a = q[rows, actions]
        targets = np.array(retrace_targets(rewards, q_a.copy(), state_value(pi, q), importance_weights(pi, mu, actions),
                                           gamma, trace_decay))
        g = np.array(truncated_gradient(pi, mu, q.copy(), targets, actions, rho_max))
        k = np.array(kl_gradient(average, pi))
        z = trust_region(g, k, kl_limit) if trust_region else [nearest(*row, kl_limit) for row in zip(g, k)]
        return [np.array(z), np.eye(q.shape[1])[actions] * (targets - q_a)[:, None]]
    return acer_gradients


def average_in_place(average, params, average_decay):
    average += (1 - average_decay) * (params - average)
    return average


def adam_with_the_floor_before_the_correction(params, terms, learning_rate):
    """TensorFlow's form, whose floor is larger in the first steps."""
    m = v = np.zeros_like(params)
    for t, d in enumerate(terms.sum(axis=1), start=1):
        m, v = m + 0.1 * (d - m), v + 0.001 * (d * d - v)
        params = params + learning_rate * np.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t) * m / (np.sqrt(v) + 1e-8)
    return params


def regression_with_a_column_of_ones(features, returns):
    return np.linalg.lstsq(np.column_stack([features, np.ones(len(features))]), returns, rcond=None)[0][:-1]


def gp_one_return_at_a_time(beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma, noise_std):
    """Conditions the joint covariance of all points on one return after the other."""
    b, a = np.concatenate([beliefs, query_beliefs]), np.append(actions, query_actions)
    m, S, n = np.zeros(len(a)), b @ b.T * (a[:, None] == a), len(rewards)
    returns = np.concatenate([returns_as_a_filter(r, gamma) for r in np.split(rewards, np.cumsum(lengths)[:-1])])
    for t, target in enumerate(returns):
        gain = S[:, t] / (S[t, t] + noise_std ** 2)
        m, S = m + gain * (target - m[t]), S - np.outer(gain, S[t])
    return m[n:], np.diag(S)[n:]


def exact_is_sparse_enough(*case):
    """No point is ever left out, whatever the threshold."""
    return gp_one_return_at_a_time(*case[:-1])


def kernel_of_sets(payloads, others):
    def cosine(p, o):
        p, o = set(np.flatnonzero(p)), set(np.flatnonzero(o))
        return float(p == o) if not p or not o else len(p & o) / np.sqrt(len(p) * len(o))
    return [[cosine(p, o) for o in others] for p in payloads]


RIGHT = [("masked_softmax", softmax_of_scipy), ("epsilon_greedy", epsilon_greedy_action_by_action),
         ("mixed_behaviour", mixture_of_both), ("importance_weights", weights_in_logs),
         ("state_value", value_by_einsum), ("returns_to_go", returns_as_a_filter),
         ("lambda_returns", lambda_returns_forwards), ("traces", traces),
         ("retrace_targets", retrace_as_a_linear_system), ("retrace_targets", retrace_turn_by_turn),
         ("retrace_at_a_cut", cut_with_one_turn_more), ("retrace_of_many", many_with_a_mask),
         ("retrace_of_padded", padded_with_a_mask),
         ("truncated_gradient", gradient_turn_by_turn),
         ("kl_gradient", kl_through_the_jacobian), ("entropy_gradient", entropy_through_the_jacobian),
         ("factorised_score", score_by_outer_products),
         ("trust_region", projection_of_scipy), ("acer_gradients", update_of()), ("running_average", average_in_place),
         ("adam_updates", adam_with_the_floor_before_the_correction),
         ("natural_gradient", regression_with_a_column_of_ones),
         ("gp_posterior", gp_one_return_at_a_time), ("gp_posterior_sparse", exact_is_sparse_enough),
         ("payload_kernel", kernel_of_sets)]
