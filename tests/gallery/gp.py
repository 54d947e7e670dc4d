"""Wrong versions of GP-SARSA, exact and sparse."""
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
    G = np.linalg.inv(H @ kernel(beliefs, actions, beliefs, actions) @ H.T + noise)
    return cross.T @ G @ rewards, (query_beliefs ** 2).sum(axis=1) - np.diag(cross.T @ G @ cross)


@wrong("gp_posterior")
def white_noise(*case):
    """Independent noise σ² I on the rewards, instead of σ² H Hᵀ.

    Symptom: it still learns, but trusts returns of long dialogues too much.
    Found in: the older GPTD model for deterministic moves.
    """
    H = td_matrix(case[3], case[6])
    return posterior(H, case[7] ** 2 * np.eye(len(H)), case)


@wrong("gp_posterior")
def the_last_row_missing(*case):
    """The last turn of a dialogue gives no equation.

    Symptom: success and failure look alike, because the final reward is missing.
    """
    keep = np.ones(len(case[2]), bool)
    keep[np.cumsum(case[3]) - 1] = False
    H = td_matrix(case[3], case[6])[keep]
    return posterior(H, case[7] ** 2 * H @ H.T, (*case[:2], case[2][keep], *case[3:]))


@wrong("gp_posterior")
def dialogues_chained_together(*case):
    """The last turn of a dialogue is followed by the first of the next.

    Symptom: a success raises the value of the user before.
    """
    H = td_matrix([sum(case[3])], case[6])
    return posterior(H, case[7] ** 2 * H @ H.T, case)


@wrong("gp_posterior")
def a_plus_before_the_discount(*case):
    """r = Q + γ Q' instead of Q - γ Q'.

    Symptom: values alternate in sign along a dialogue.
    """
    H = td_matrix(case[3], -case[6])
    return posterior(H, case[7] ** 2 * H @ H.T, case)


@wrong("gp_posterior")
def the_noise_is_not_squared(*case):
    """σ instead of σ².

    Symptom: none at σ = 1; with σ = 5 the data is trusted five times too much.
    """
    H = td_matrix(case[3], case[6])
    return posterior(H, case[7] * H @ H.T, case)


@wrong("gp_posterior")
def actions_forgotten_in_the_kernel(*case):
    """The kernel compares beliefs only, so all actions share what one of them brought.

    Symptom: all actions have the same value; the greedy one is the first.
    """
    H = td_matrix(case[3], case[6])
    return posterior(H, case[7] ** 2 * H @ H.T, case, lambda b, a, b2, a2: b @ b2.T)


@wrong("gp_posterior")
def a_deviation_for_the_variance(*case):
    """The standard deviation is returned as the variance.

    Symptom: too much exploration where σ is below 1, too little above.
    Found in: thomason-jesse/nlu_pipeline (1577ff8), the other way round; mended later.
    """
    H = td_matrix(case[3], case[6])
    mean, variance = posterior(H, case[7] ** 2 * H @ H.T, case)
    return mean, np.sqrt(np.maximum(variance, 0.0))


@wrong("gp_posterior")
def what_was_learned_for_what_is_left(*case):
    """k*ᵀ C k* is returned as the variance; it should be subtracted from the prior.

    Symptom: the more data, the more exploration.
    Found in: thomason-jesse/nlu_pipeline (1577ff8, e3f06d9) with an entry of C.
    """
    H = td_matrix(case[3], case[6])
    mean, variance = posterior(H, case[7] ** 2 * H @ H.T, case)
    return mean, (case[4] ** 2).sum(axis=1) - variance


@wrong("gp_posterior")
def one_observation_behind(*case):
    """Mean and covariance are updated with the gain of the observation before.

    Symptom: plausible values that lag, and variances that can turn negative.
    Found in: thomason-jesse/nlu_pipeline (1577ff8, e3f06d9).
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

    Symptom: none in a dialogue of one turn; for γ = 1 all turns of a dialogue have the same target.
    Found in: PyDial's GP-SARSA (helloric/pydial3 34988f4).
    """
    ends, H = np.cumsum(case[3]) - 1, td_matrix(case[3], case[6])
    rewards = np.zeros(len(case[2]))
    rewards[ends] = [part.sum() for part in np.split(case[2], ends[:-1] + 1)]
    return posterior(H, case[7] ** 2 * H @ H.T, (*case[:2], rewards, *case[3:]))


@wrong("gp_posterior")
def noise_measured_on_the_rewards(*case):
    """σ is the standard deviation of the rewards so far.

    Symptom: the variance depends on the rewards, so success and failure are explored differently.
    """
    H = td_matrix(case[3], case[6])
    return posterior(H, (case[2].var() + 1e-6) * H @ H.T, case)


def novel_points(beliefs, actions, threshold):
    """Indices of points that those before explain by less than all but the threshold."""
    kept = []
    for t in range(len(beliefs)):
        K = gram(beliefs, actions, beliefs, actions)
        explained = K[t, kept] @ np.linalg.pinv(K[np.ix_(kept, kept)]) @ K[kept, t] if kept else 0.0
        if K[t, t] - explained > threshold:
            kept.append(t)
    return kept


@wrong("gp_posterior_sparse")
def what_is_not_novel_is_forgotten(*case):
    """A point that does not join the dictionary is dropped, and its return with it.

    Symptom: beliefs that come back often are believed after their first dialogue.
    """
    beliefs, actions, rewards, lengths, *query, gamma, noise_std, threshold = case
    kept = novel_points(beliefs, actions, threshold)
    returns = np.linalg.solve(td_matrix(lengths, gamma), rewards)
    known = beliefs[kept], actions[kept], returns[kept], None, *query, None, None
    return posterior(np.eye(len(kept)), noise_std ** 2 * np.eye(len(kept)), known)


@wrong("gp_posterior_sparse")
def only_the_dictionary_has_a_prior(*case):
    """The variance lacks what the dictionary does not explain of a point, as in the subset of regressors.

    Symptom: no exploration where nothing was seen.
    """
    kept, (mean, variance) = novel_points(case[0], case[1], case[8]), posterior_on_all(*case)
    cross = gram(case[0][kept], case[1][kept], case[4], case[5])
    K = gram(case[0][kept], case[1][kept], case[0][kept], case[1][kept])
    unexplained = (case[4] ** 2).sum(axis=1) - np.diag(cross.T @ np.linalg.pinv(K) @ cross)
    return mean, variance - unexplained


def posterior_on_all(*case):
    H = td_matrix(case[3], case[6])
    return posterior(H, case[7] ** 2 * H @ H.T, case[:8])
