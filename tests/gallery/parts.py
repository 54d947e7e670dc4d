"""What wrong versions have in common, right as it is here."""
import numpy as np


def uniform(masks):
    return masks / masks.sum(axis=1, keepdims=True)


def softmax(logits, masks):
    logits = np.where(masks, logits, -np.inf)
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def best_allowed(values, masks):
    return np.eye(values.shape[1])[np.where(masks, values, -np.inf).argmax(axis=1)]


def recursion(rewards, gamma, carry, following=0.0):
    """R_t = r_t + γ carry(t + 1, R_{t+1}), `following` standing behind the last turn."""
    returns = np.zeros(len(rewards))
    for t in reversed(range(len(rewards))):
        returns[t] = rewards[t] + gamma * following
        following = carry(t, returns[t])
    return returns


def clipped(rho_a, trace_decay):
    return trace_decay * np.minimum(1.0, rho_a)


def retrace(rewards, q_a, v, c, gamma, following=0.0):
    """Qret with the traces c."""
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]), following)


def parts(pi, mu, q, q_ret, actions, rho_max):
    """One-hot actions, min(c, ρ_t), Qret - V, the correction's weights (π - c μ)_+ and the advantages Q - V."""
    rows, v = np.arange(len(pi)), (pi * q).sum(axis=1)
    return (np.eye(pi.shape[1])[actions], np.minimum(rho_max, pi[rows, actions] / mu[rows, actions]), q_ret - v,
            np.maximum(pi - rho_max * mu, 0.0), q - v[:, None])


def at_the_logits(pi, weights):
    """∂/∂l Σ_a G(a) log π(a)."""
    return weights - weights.sum(axis=1, keepdims=True) * pi


def log_of(pi):
    return np.log(np.where(pi > 0, pi, 1.0))


def dot(a, b):
    return (a * b).sum(axis=-1, keepdims=True)


def over(numerator, denominator):
    """A quotient that is 0 where the denominator is."""
    return np.divide(numerator, denominator, out=np.zeros(np.broadcast_shapes(numerator.shape, denominator.shape)),
                     where=denominator != 0)


def adam(params, gradients, learning_rate, sign=1.0, beta1=0.9, beta2=0.999, correct=True, root=np.sqrt, clock=None):
    """Adam as a loop, with a place for each slip."""
    m = v = np.zeros_like(params)
    for t, d in enumerate(gradients, start=1):
        m, v, t = beta1 * m + (1 - beta1) * d, beta2 * v + (1 - beta2) * d ** 2, clock or t
        m_hat, v_hat = (m / (1 - beta1 ** t), v / (1 - beta2 ** t)) if correct else (m, v)
        params = params + sign * learning_rate * m_hat / (root(v_hat) + 1e-8)
    return params


def gram(beliefs, actions, other_beliefs, other_actions):
    return beliefs @ other_beliefs.T * (actions[:, None] == other_actions[None, :])


def td_matrix(lengths, gamma):
    """H: 1 on the diagonal, -γ beside it within a dialogue."""
    H = np.eye(sum(lengths)) - gamma * np.eye(sum(lengths), k=1)
    for end in np.cumsum(lengths)[:-1]:
        H[end - 1, end] = 0.0
    return H


def posterior(case, H=None, noise=None, kernel=gram):
    """Mean and variance from r = H q + ε with Cov ε = noise, σ² H Hᵀ if none is given."""
    beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma, noise_std = case
    H = td_matrix(lengths, gamma) if H is None else H
    cross = H @ kernel(beliefs, actions, query_beliefs, query_actions)
    G = np.linalg.inv(H @ kernel(beliefs, actions, beliefs, actions) @ H.T
                      + (noise_std ** 2 * H @ H.T if noise is None else noise))
    return cross.T @ G @ rewards, (query_beliefs ** 2).sum(axis=1) - np.diag(cross.T @ G @ cross)


def novel_points(beliefs, actions, threshold):
    """Indices of points that those before explain by less than all but the threshold."""
    kept = []
    for t in range(len(beliefs)):
        K = gram(beliefs, actions, beliefs, actions)
        explained = K[t, kept] @ np.linalg.pinv(K[np.ix_(kept, kept)]) @ K[kept, t] if kept else 0.0
        if K[t, t] - explained > threshold:
            kept.append(t)
    return kept
