"""Wrong versions of gp_posterior."""
import numpy as np

from tests.gallery import right
from tests.gallery.parts import gram, posterior, td_matrix


def white_noise(*case):
    """Independent noise σ² I on the rewards, instead of σ² H Hᵀ.

    Symptom: it still learns, but trusts returns of long dialogues too much.
    Found in: the older GPTD model for deterministic moves.
    """
    return posterior(case, noise=case[7] ** 2 * np.eye(len(case[2])))


def the_last_row_missing(*case):
    """The last turn of a dialogue gives no equation.

    Symptom: success and failure look alike, because the final reward is missing.
    """
    keep = np.ones(len(case[2]), bool)
    keep[np.cumsum(case[3]) - 1] = False
    H = td_matrix(case[3], case[6])[keep]
    return posterior((*case[:2], case[2][keep], *case[3:]), H)


def dialogues_chained_together(*case):
    """The last turn of a dialogue is followed by the first of the next.

    Symptom: a success raises the value of the user before.
    """
    return posterior(case, td_matrix([sum(case[3])], case[6]))


def a_plus_before_the_discount(*case):
    """r = Q + γ Q' instead of Q - γ Q'.

    Symptom: values alternate in sign along a dialogue.
    """
    return posterior(case, td_matrix(case[3], -case[6]))


def the_noise_is_not_squared(*case):
    """σ instead of σ².

    Symptom: none at σ = 1; with σ = 5 the data is trusted five times too much.
    """
    H = td_matrix(case[3], case[6])
    return posterior(case, noise=case[7] * H @ H.T)


def actions_forgotten_in_the_kernel(*case):
    """The kernel compares beliefs only, so all actions share what one of them brought.

    Symptom: all actions have the same value; the greedy one is the first.
    """
    return posterior(case, kernel=lambda b, a, b2, a2: b @ b2.T)


def a_deviation_for_the_variance(*case):
    """The standard deviation is returned as the variance.

    Symptom: too much exploration where σ is below 1, too little above.
    Found in: thomason-jesse/nlu_pipeline (1577ff8), the other way round; mended later.
    """
    mean, variance = posterior(case)
    return mean, np.sqrt(np.maximum(variance, 0.0))


def what_was_learned_for_what_is_left(*case):
    """k*ᵀ C k* is returned as the variance; it should be subtracted from the prior.

    Symptom: the more data, the more exploration.
    Found in: thomason-jesse/nlu_pipeline (1577ff8, e3f06d9) with an entry of C.
    """
    mean, variance = posterior(case)
    return mean, (case[4] ** 2).sum(axis=1) - variance


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


def paid_only_at_the_end(*case):
    """Every turn gets reward 0, and the last one the dialogue's whole reward.

    Symptom: none in a dialogue of one turn; for γ = 1 all turns of a dialogue have the same target.
    Found in: PyDial's GP-SARSA (helloric/pydial3 34988f4).
    """
    ends, rewards = np.cumsum(case[3]) - 1, np.zeros(len(case[2]))
    rewards[ends] = [part.sum() for part in np.split(case[2], ends[:-1] + 1)]
    return posterior((*case[:2], rewards, *case[3:]))


def noise_measured_on_the_rewards(*case):
    """σ is the standard deviation of the rewards so far.

    Symptom: the variance depends on the rewards, so success and failure are explored differently.
    """
    H = td_matrix(case[3], case[6])
    return posterior(case, noise=(case[2].var() + 1e-6) * H @ H.T)


def the_last_nine_points(beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma, noise_std):
    """Only the last nine points are kept.

    Symptom: what was learned is forgotten.
    """
    ends = np.cumsum(lengths)[:-1]
    returns = np.concatenate([right.returns_to_go(r, gamma) for r in np.split(rewards, ends)])[-9:]
    return right.gp_posterior(beliefs[-9:], actions[-9:], returns, np.ones(len(returns), int), query_beliefs,
                                         query_actions, 0.0, noise_std)
