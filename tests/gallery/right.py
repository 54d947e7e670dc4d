"""A right version of every subject that shares no line with ours, named as in a file of yours."""
import numpy as np
from scipy.signal import lfilter
from scipy.special import softmax


def traces(rho_a, trace_decay):
    return np.where(rho_a < 1, rho_a, 1.0) * trace_decay


def retrace_as_a_linear_system(rewards, q_a, v, rho_a, gamma, trace_decay, traces=traces):
    """(I - γ superdiag(c_2 .. c_T)) (Qret - Q) = r + γ V_next - Q."""
    system = np.eye(len(v)) - gamma * np.diag(traces(rho_a, trace_decay)[1:], 1)
    return q_a + np.linalg.solve(system, rewards + gamma * np.append(v[1:], 0.0) - q_a)


def retrace_targets(rewards, q_a, v, rho_a, gamma, trace_decay):
    """Each target from its own walk to the end."""
    def target(t):
        if t + 1 == len(v):
            return rewards[t]
        return rewards[t] + gamma * (v[t + 1] + trace_decay * min(1, rho_a[t + 1]) * (target(t + 1) - q_a[t + 1]))
    return [target(t) for t in range(len(v))]


def retrace_at_a_cut(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """The belief after the cut as a last turn that is never traced, so only its V counts."""
    longer = [np.append(x, last) for x, last in ((rewards, 0.0), (q_a, 0.0), (v, bootstrap), (rho_a, 0.0))]
    return retrace_as_a_linear_system(*longer, gamma, trace_decay)[:-1]


def retrace_of_many(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """The recursion over all turns, where (1 - ended) stops what would cross an end."""
    q_ret, carry = rewards.copy(), 0.0
    for t in range(len(v) - 1, -1, -1):
        q_ret[t] += gamma * carry * (1 - ended[t])
        carry = v[t] + trace_decay * min(1.0, rho_a[t]) * (q_ret[t] - q_a[t])
    return q_ret


def retrace_of_padded(rewards, q_a, v, rho_a, gamma, trace_decay, lengths):
    """All dialogues at once; what lies beyond the end of one is never carried back into it."""
    q_ret, carry = np.zeros_like(rewards), np.zeros(len(lengths))
    for t in range(len(rewards) - 1, -1, -1):
        q_ret[t] = rewards[t] + gamma * np.where(t + 1 < lengths, carry, 0.0)
        carry = v[t] + trace_decay * np.minimum(1.0, rho_a[t]) * (q_ret[t] - q_a[t])
    return q_ret


def lambda_returns(rewards, v, rho_a, gamma, trace_decay):
    """Σ_{t≥i} (γλ)^(t-i) (Π ρ) (r_t + γ (1-λ) V_{t+1})."""
    steps = rewards + gamma * (1 - trace_decay) * np.append(v[1:], 0.0)
    return [sum((gamma * trace_decay) ** (t - i) * np.prod(rho_a[i + 1:t + 1]) * steps[t] for t in range(i, len(v)))
            for i in range(len(v))]


def returns_to_go(rewards, gamma):
    return lfilter([1.0], [1.0, -gamma], rewards[::-1])[::-1]


def state_value(pi, q):
    return np.einsum("na,na->n", pi, q)


def masked_softmax(logits, masks):
    return softmax(np.where(masks, logits, -np.inf), axis=1)


def epsilon_greedy(values, masks, epsilon):
    mu = np.zeros(values.shape)
    for t, (row, mask) in enumerate(zip(values, masks)):
        allowed = np.flatnonzero(mask)
        for a in allowed:
            mu[t, a] += epsilon / len(allowed)
        mu[t, max(allowed, key=lambda a: row[a])] += 1 - epsilon
    return mu


def mixed_behaviour(pi, masks, epsilon):
    return pi + epsilon * (masks / masks.sum(axis=1)[:, None] - pi)


def importance_weights(pi, mu, actions):
    return np.exp([np.log(p[a]) - np.log(m[a]) for p, m, a in zip(pi, mu, actions)])


def truncated_gradient(pi, mu, q, q_ret, actions, rho_max):
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


def kl_gradient(pi_average, pi):
    return through_the_jacobian(pi, -pi_average / np.where(pi > 0, pi, 1.0))


def entropy_gradient(pi):
    return through_the_jacobian(pi, -np.log(np.where(pi > 0, pi, 1.0)) - 1)


def trust_region(g, k, kl_limit):
    """What g has along k is cut at the limit; what it has across k stays."""
    length = np.linalg.norm(k, axis=1, keepdims=True)
    unit = k / np.where(length > 0, length, 1.0)
    along = (g * unit).sum(axis=1, keepdims=True)
    return g + (np.minimum(along, kl_limit / np.maximum(length, 1e-300)) - along) * unit


def factorised_score(pi_s, pi_p, n_methods, actions, payloads):
    """Each level is one-hot minus probabilities, the second only where it was used."""
    used = (actions < n_methods)[:, None]
    return np.hstack([np.eye(pi_s.shape[1])[actions] - pi_s, used * (np.eye(pi_p.shape[1])[payloads] - pi_p)])


def update_of(importance_weights=importance_weights, state_value=state_value, retrace_targets=retrace_targets,
              truncated_gradient=truncated_gradient, kl_gradient=kl_gradient, trust_region=None):
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


acer_gradients = update_of()


def running_average(average, params, average_decay):
    average += (1 - average_decay) * (params - average)
    return average


def adam_updates(params, terms, learning_rate):
    """TensorFlow's form, whose floor is larger in the first steps."""
    m = v = np.zeros_like(params)
    for t, d in enumerate(terms.sum(axis=1), start=1):
        m, v = m + 0.1 * (d - m), v + 0.001 * (d * d - v)
        params = params + learning_rate * np.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t) * m / (np.sqrt(v) + 1e-8)
    return params


def natural_gradient(features, returns):
    return np.linalg.lstsq(np.column_stack([features, np.ones(len(features))]), returns, rcond=None)[0][:-1]


def gp_posterior(beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma, noise_std):
    """Conditions the joint covariance of all points on one return after the other."""
    b, a = np.concatenate([beliefs, query_beliefs]), np.append(actions, query_actions)
    m, S, n = np.zeros(len(a)), b @ b.T * (a[:, None] == a), len(rewards)
    returns = np.concatenate([returns_to_go(r, gamma) for r in np.split(rewards, np.cumsum(lengths)[:-1])])
    for t, target in enumerate(returns):
        gain = S[:, t] / (S[t, t] + noise_std ** 2)
        m, S = m + gain * (target - m[t]), S - np.outer(gain, S[t])
    return m[n:], np.diag(S)[n:]


def gp_posterior_sparse(*case):
    """No point is ever left out, whatever the threshold."""
    return gp_posterior(*case[:-1])


def payload_kernel(payloads, others):
    def cosine(p, o):
        p, o = set(np.flatnonzero(p)), set(np.flatnonzero(o))
        return float(p == o) if not p or not o else len(p & o) / np.sqrt(len(p) * len(o))
    return [[cosine(p, o) for o in others] for p in payloads]
