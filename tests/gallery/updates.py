"""Wrong versions of a whole update of ACER, of the score of an action in two levels, and of eNAC's regression."""
import numpy as np

from tests.gallery import right
from tests.gallery.version import wrong


def without_limit(case):
    return right.update_of()(*case[:-1], 1e9)


@wrong("acer_gradients")
def the_divergence_of_the_action_taken(*case):
    """The multiplier, and what it multiplies, know the action taken only.

    Symptom: the divergence of the other actions is not limited.
    Found in: Kaixhin/ACER, 01f612b to c0eae34.
    """
    logits, average_logits, mu, q, actions, *_, rho_max, kl_limit = case
    rows, (pi, average) = np.arange(len(q)), right.softmax([logits, average_logits], axis=2)
    g, critic = without_limit(case)
    v, p, p_average = (pi * q).sum(axis=1), pi[rows, actions], average[rows, actions]
    onehot = np.eye(q.shape[1])[actions]
    advantage = (critic + onehot * q).sum(axis=1) - v
    of_taken = np.minimum(rho_max, p / mu[rows, actions]) * advantage / p \
        + (np.maximum(0.0, 1 - rho_max * mu / pi) * (q - v[:, None])).sum(axis=1)
    k = -p_average / p
    multiplier = np.maximum(0.0, (k * of_taken - kl_limit) / k ** 2)
    return g + (multiplier * p_average)[:, None] * (onehot - pi), critic


@wrong("acer_gradients")
def the_divergence_towards_the_average(*case):
    """The sign of k is turned, the sign of g is not.

    Symptom: steps away from the average are not limited.
    """
    return right.update_of(kl_gradient=lambda average, pi: average - pi)(*case)


@wrong("acer_gradients")
def no_trust_region(*case):
    """g itself is returned.

    Symptom: none while the average policy is close.
    """
    return without_limit(case)


@wrong("acer_gradients")
def the_gradients_are_means(*case):
    """Both gradients are divided by the number of turns.

    Symptom: right for one turn; the longer the dialogue, the smaller its step.
    """
    policy, critic = right.update_of()(*case)
    return policy / len(policy), critic / len(critic)


@wrong("acer_gradients")
def the_critic_moves_away(*case):
    """The sign of a loss at the critic: Q - Qret.

    Symptom: values diverge.
    """
    policy, critic = right.update_of()(*case)
    return policy, -critic


@wrong("acer_gradients")
def the_critic_learns_v(*case):
    """The error Qret - Q moves the values of all actions by their share π(a) in V.

    Symptom: Q of all actions becomes alike.
    Found in: chainerrl, mended in 3d9b93a2.
    """
    policy, critic = right.update_of()(*case)
    return policy, critic.sum(axis=1, keepdims=True) * right.softmax(case[0], axis=1)


@wrong("factorised_score")
def a_payload_is_scored_at_every_action(pi_s, pi_p, n_methods, actions, payloads):
    """The payload's score is added for actions that have none, too.

    Symptom: the payload head learns from turns in which it did nothing.
    """
    return np.hstack([np.eye(pi_s.shape[1])[actions] - pi_s, np.eye(pi_p.shape[1])[payloads] - pi_p])


@wrong("factorised_score")
def methods_are_scored_by_their_payload_only(pi_s, pi_p, n_methods, actions, payloads):
    """A method with a payload is scored at the payload only.

    Symptom: how often a method is taken is not learned.
    """
    used = (actions < n_methods)[:, None]
    return np.hstack([~used * (np.eye(pi_s.shape[1])[actions] - pi_s), used * (np.eye(pi_p.shape[1])[payloads] - pi_p)])


@wrong("natural_gradient")
def the_plain_gradient(features, returns):
    """Φᵀ (R - J) without the inverse of the Fisher matrix.

    Symptom: step lengths depend on the parametrisation.
    """
    return features.T @ (returns - returns.mean())


@wrong("natural_gradient")
def no_baseline_in_the_regression(features, returns):
    """The regression has no constant.

    Symptom: the mean return is explained by the features.
    """
    return np.linalg.lstsq(features, returns, rcond=None)[0]


@wrong("natural_gradient")
def the_mean_return_for_the_baseline(features, returns):
    """The mean is subtracted from the returns, but not from the features.

    Symptom: right where the features have mean 0.
    """
    return np.linalg.lstsq(features, returns - returns.mean(), rcond=None)[0]


@wrong("natural_gradient")
def a_ridge_that_is_felt(features, returns):
    """(ΦᵀΦ + 1) instead of ΦᵀΦ.

    Symptom: small features are ignored.
    """
    x, R = features - features.mean(axis=0), returns - returns.mean()
    return np.linalg.solve(x.T @ x + np.eye(x.shape[1]), x.T @ R)
