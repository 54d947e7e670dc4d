"""Wrong versions of GP-SARSA and of the kernel between payloads."""
import numpy as np

from tests.gallery.version import wrong


def gram(beliefs, actions, other_beliefs, other_actions):
    return beliefs @ other_beliefs.T * (actions[:, None] == other_actions[None, :])


def td_matrix(lengths, gamma):
    """H: 1 on the diagonal, -γ beside it within a dialogue."""
    H = np.eye(sum(lengths)) - gamma * np.eye(sum(lengths), k=1)
    for end in np.cumsum(lengths)[:-1]:
        H[end - 1, end] = 0.0
    return H


def posterior(H, noise, case, kernel=gram):
    """Mean and variance from r = H q + ε with Cov ε = noise."""
    beliefs, actions, rewards, _, query_beliefs, query_actions, _, _ = case
    cross = H @ kernel(beliefs, actions, query_beliefs, query_actions)
    G = np.linalg.pinv(H @ kernel(beliefs, actions, beliefs, actions) @ H.T + noise)
    return cross.T @ G @ rewards, (query_beliefs ** 2).sum(axis=1) - np.diag(cross.T @ G @ cross)


@wrong("gp_posterior")
def white_noise(*case):
    """Independent noise σ² I on the rewards, instead of σ² H Hᵀ.

    Seen: it still learns; returns of long dialogues are trusted too much.
    Met: the older GPTD model for deterministic moves; habit.
    """
    H = td_matrix(case[3], case[6])
    return posterior(H, case[7] ** 2 * np.eye(len(H)), case)


@wrong("gp_posterior")
def the_last_row_missing(*case):
    """The last turn of a dialogue gives no equation, as if a next value were always needed.

    Seen: the final reward is lost, so success and failure look alike.
    Met: habit, differences of neighbours only.
    """
    keep = np.ones(len(case[2]), bool)
    keep[np.cumsum(case[3]) - 1] = False
    H = td_matrix(case[3], case[6])[keep]
    return posterior(H, case[7] ** 2 * H @ H.T, (*case[:2], case[2][keep], *case[3:]))


@wrong("gp_posterior")
def dialogues_chained_together(*case):
    """The last turn of a dialogue is followed by the first of the next.

    Seen: a success raises the value of the user before.
    Met: habit, one long array of turns.
    """
    H = td_matrix([sum(case[3])], case[6])
    return posterior(H, case[7] ** 2 * H @ H.T, case)


@wrong("gp_posterior")
def a_plus_before_the_discount(*case):
    """r = Q + γ Q' instead of Q - γ Q'.

    Seen: values alternate in sign along a dialogue.
    Met: habit.
    """
    H = td_matrix(case[3], -case[6])
    return posterior(H, case[7] ** 2 * H @ H.T, case)


@wrong("gp_posterior")
def the_noise_is_not_squared(*case):
    """σ in the place of σ².

    Seen: nothing at σ = 1; with σ = 5 the data is trusted five times too much.
    Met: habit.
    """
    H = td_matrix(case[3], case[6])
    return posterior(H, case[7] * H @ H.T, case)


@wrong("gp_posterior")
def actions_forgotten_in_the_kernel(*case):
    """Only beliefs are compared, so what one action brought is expected of all.

    Seen: all actions have the same value; the greedy one is the first.
    Met: habit.
    """
    H = td_matrix(case[3], case[6])
    return posterior(H, case[7] ** 2 * H @ H.T, case, lambda b, a, b2, a2: b @ b2.T)


@wrong("gp_posterior")
def a_deviation_for_the_variance(*case):
    """The standard deviation is returned as the variance.

    Seen: too much exploration where σ is below 1, too little above.
    Met: thomason-jesse/nlu_pipeline (1577ff8) the other way round; mended later.
    """
    H = td_matrix(case[3], case[6])
    mean, variance = posterior(H, case[7] ** 2 * H @ H.T, case)
    return mean, np.sqrt(np.maximum(variance, 0.0))


@wrong("gp_posterior")
def what_was_learned_for_what_is_left(*case):
    """k*ᵀ C k* is returned as the variance; it is what must be taken off the prior.

    Seen: the more data, the more exploration.
    Met: thomason-jesse/nlu_pipeline (1577ff8, e3f06d9) uses an entry of C.
    """
    H = td_matrix(case[3], case[6])
    mean, variance = posterior(H, case[7] ** 2 * H @ H.T, case)
    return mean, (case[4] ** 2).sum(axis=1) - variance


@wrong("gp_posterior")
def one_observation_behind(*case):
    """Mean and covariance are updated with the gain of the observation before.

    Seen: plausible values that lag, and variances that can turn negative.
    Met: thomason-jesse/nlu_pipeline (1577ff8, e3f06d9).
    """
    beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma, noise_std = case
    b, a = np.concatenate([beliefs, query_beliefs]), np.append(actions, query_actions)
    m, S, n = np.zeros(len(a)), gram(b, a, b, a), len(rewards)
    stale = np.zeros(len(a))
    for t, target in enumerate(np.linalg.solve(td_matrix(lengths, gamma), rewards)):
        scale = S[t, t] + noise_std ** 2
        m, S, stale = m + stale * (target - m[t]), S - np.outer(stale, stale) * scale, S[:, t] / scale
    return m[n:], np.diag(S)[n:]


@wrong("gp_posterior")
def paid_only_at_the_end(*case):
    """Every turn gets reward 0, and the last one the dialogue's whole reward.

    Seen: nothing for one turn; for γ = 1 all turns of a dialogue have one target.
    Met: PyDial's GP-SARSA (helloric/pydial3 34988f4).
    """
    ends, H = np.cumsum(case[3]) - 1, td_matrix(case[3], case[6])
    rewards = np.zeros(len(case[2]))
    rewards[ends] = [part.sum() for part in np.split(case[2], ends[:-1] + 1)]
    return posterior(H, case[7] ** 2 * H @ H.T, (*case[:2], rewards, *case[3:]))


@wrong("gp_posterior")
def noise_measured_on_the_rewards(*case):
    """σ is replaced by the standard deviation of the rewards at hand.

    Seen: the variance depends on what was earned, so success and failure are explored differently.
    Met: habit, from normalising rewards.
    """
    H = td_matrix(case[3], case[6])
    return posterior(H, (case[2].var() + 1e-6) * H @ H.T, case)


@wrong("payload_kernel")
def divided_by_the_root_of_the_norm(payloads, others):
    """‖p‖^½ with the Euclidean norm, so k(P, P) = √(slots told).

    Seen: long payloads start with a larger variance and are explored first.
    Met: the paper as printed; the 1-norm to the power ½ would be right.
    """
    def bar(p):
        size = np.linalg.norm(p, axis=1, keepdims=True) ** 0.5
        return np.append(p / np.where(size > 0, size, 1.0), size == 0, axis=1)
    return bar(payloads) @ bar(others).T


@wrong("payload_kernel")
def an_empty_payload_of_zeros(payloads, others):
    """The empty payload is the zero vector.

    Seen: its variance is 0, so its Q stays 0 for ever and it is never explored.
    Met: the paper leaves 0/0 open; habit.
    """
    sizes = np.sqrt(np.outer(payloads.sum(axis=1), others.sum(axis=1)))
    return payloads @ others.T / np.where(sizes > 0, sizes, 1.0)


@wrong("payload_kernel")
def slots_counted_and_not_divided(payloads, others):
    """The plain inner product.

    Seen: a payload of eight slots has eight times the variance of one.
    Met: habit.
    """
    empty = np.outer(payloads.sum(axis=1) == 0, others.sum(axis=1) == 0)
    return payloads @ others.T + empty


@wrong("payload_kernel")
def slots_that_agree(payloads, others):
    """The share of slots in which both agree, told or not.

    Seen: two payloads with nothing in common are nearly alike if there are many slots.
    Met: habit, Hamming similarity.
    """
    return (payloads[:, None, :] == others[None, :, :]).mean(axis=2)


@wrong("payload_kernel")
def the_share_of_the_first_that_is_in_the_second(payloads, others):
    """|P ∩ P'| / |P|, which is not symmetric.

    Seen: a Cholesky factor that reads one triangle gives another posterior than one that reads the other.
    Met: habit, precision or recall taken for a similarity.
    """
    empty = np.outer(payloads.sum(axis=1) == 0, others.sum(axis=1) == 0)
    return payloads @ others.T / np.maximum(payloads.sum(axis=1, keepdims=True), 1.0) + empty
