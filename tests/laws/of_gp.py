"""Laws of GP-SARSA: Q ~ GP(0, ⟨b, b'⟩ δ(a, a')), and of the kernel between payloads."""
import numpy as np

from tests.laws import cases
from tests.laws.law import law

TOLERANCE = 1e-7        # for forms that grow a factor turn by turn, or leave out what is novel by less than rounding


def gram(beliefs, actions, other_beliefs, other_actions):
    return beliefs @ other_beliefs.T * (actions[:, None] == other_actions[None, :])


def order(lengths, dialogues):
    """The rows of the dialogues in another order."""
    rows = np.split(np.arange(lengths.sum()), np.cumsum(lengths)[:-1])
    return np.concatenate([rows[i] for i in dialogues])


@law("gp_posterior", cases.talks, TOLERANCE)
def it_is_regression_on_the_returns(f, beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma, noise_std):
    """With noise σ² H Hᵀ and ended dialogues: mean k*ᵀ (K + σ²I)⁻¹ R, variance k** - k*ᵀ (K + σ²I)⁻¹ k*."""
    returns = [sum(gamma ** (t - i) * r[t] for t in range(i, len(r)))
               for r in np.split(rewards, np.cumsum(lengths)[:-1]) for i in range(len(r))]
    inverse = np.linalg.inv(gram(beliefs, actions, beliefs, actions) + noise_std ** 2 * np.eye(len(rewards)))
    cross = gram(beliefs, actions, query_beliefs, query_actions)
    prior = np.diag(gram(query_beliefs, query_actions, query_beliefs, query_actions))
    desired = np.array([cross.T @ inverse @ returns, prior - np.diag(cross.T @ inverse @ cross)])
    return f(beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma, noise_std), desired


@law("gp_posterior", cases.talks, TOLERANCE)
def one_turn_shrinks_its_reward_by_the_noise(f, beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma,
                                             noise_std):
    """After the first turn alone, as a dialogue, with k = ⟨b, b⟩: mean r k/(k+σ²), variance k σ²/(k+σ²) there."""
    b, a, k = beliefs[:1], actions[:1], beliefs[0] @ beliefs[0]
    return f(b, a, rewards[:1], np.array([1]), b, a, gamma, noise_std), \
        np.array([[rewards[0]], [noise_std ** 2]]) * k / (k + noise_std ** 2)


@law("gp_posterior", cases.talks, TOLERANCE)
def an_action_never_taken_keeps_its_prior(f, beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma,
                                          noise_std):
    """Mean 0 and variance ⟨b, b⟩ at a third action."""
    desired = np.array([np.zeros(2), (query_beliefs ** 2).sum(axis=1)])
    return f(beliefs, actions, rewards, lengths, query_beliefs, np.array([2, 2]), gamma, noise_std), desired


@law("gp_posterior", cases.talks, TOLERANCE)
def the_variance_lies_between_zero_and_the_prior(f, beliefs, actions, rewards, lengths, query_beliefs, query_actions,
                                                 gamma, noise_std):
    """0 ≤ variance ≤ ⟨b, b⟩. ACTUAL: the variances."""
    actual = f(beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma, noise_std)[1]
    return actual, np.clip(actual, 0.0, (query_beliefs ** 2).sum(axis=1))


@law("gp_posterior", cases.talks, TOLERANCE)
def another_dialogue_never_raises_the_variance(f, beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma,
                                               noise_std):
    """ACTUAL: the variances after the first dialogue played twice; bound: after playing it once."""
    n, query = lengths[0], (query_beliefs, query_actions, gamma, noise_std)
    once = f(beliefs[:n], actions[:n], rewards[:n], lengths[:1], *query)[1]
    twice = f(*(np.concatenate([x[:n], x[:n]]) for x in (beliefs, actions, rewards)), np.array([n, n]), *query)[1]
    return twice, np.minimum(twice, once)


@law("gp_posterior", cases.talks, TOLERANCE)
def the_mean_follows_the_rewards_and_the_variance_ignores_them(f, beliefs, actions, rewards, lengths, query_beliefs,
                                                               query_actions, gamma, noise_std):
    """Rewards times -3 give the mean times -3 and the same variance. ACTUAL: the answer for rewards times -3."""
    query = (query_beliefs, query_actions, gamma, noise_std)
    return f(beliefs, actions, -3 * rewards, lengths, *query), \
        f(beliefs, actions, rewards, lengths, *query) * np.array([[-3.0], [1.0]])


@law("gp_posterior", cases.talks, TOLERANCE)
def the_order_of_dialogues_does_not_matter(f, beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma,
                                           noise_std):
    """ACTUAL: the answer for the dialogues in reverse order."""
    rows, query = order(lengths, range(len(lengths))[::-1]), (query_beliefs, query_actions, gamma, noise_std)
    return f(beliefs[rows], actions[rows], rewards[rows], lengths[::-1].copy(), *query), \
        f(beliefs, actions, rewards, lengths, *query)


@law("payload_kernel", cases.payloads)
def a_payload_is_like_itself(f, payloads, others):
    """k(P, P) = 1 for every payload, the empty one included. ACTUAL: the diagonal."""
    return np.diag(f(payloads, payloads)), np.ones(len(payloads))


@law("payload_kernel", cases.payloads)
def it_is_the_cosine_of_the_slots_told(f, payloads, others):
    """k(P, P') √(|P| |P'|) = |P ∩ P'|. ACTUAL: the left side."""
    sizes = np.sqrt(np.outer(payloads.sum(axis=1), others.sum(axis=1)))
    return f(payloads, others) * sizes, np.array([[sum(p * o) for o in others] for p in payloads])


@law("payload_kernel", cases.payloads)
def the_empty_payload_is_like_no_other(f, payloads, others):
    """k(∅, P) = 0 for P ≠ ∅, and k(∅, ∅) = 1. ACTUAL: the row of ∅."""
    return f(np.zeros_like(others[:1]), others)[0], (others.sum(axis=1) == 0).astype(float)


@law("payload_kernel", cases.payloads, 1e-9)
def it_is_a_covariance(f, payloads, others):
    """Symmetric and without negative eigenvalues. ACTUAL: K, and its lowest eigenvalue in the last row."""
    both = np.concatenate([payloads, others])
    K = f(both, both)
    lowest = np.linalg.eigvalsh((K + K.T) / 2)[0]
    return np.vstack([K, np.full(len(K), lowest)]), np.vstack([(K + K.T) / 2, np.full(len(K), max(lowest, 0.0))])
