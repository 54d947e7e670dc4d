"""Wrong versions of a whole update of ACER, of the score of an action in two levels, and of eNAC's regression."""
import numpy as np

from tests.gallery import right
from tests.gallery.version import wrong


def split(case):
    """The case without δ, its actions as one-hot rows, and the right update without a trust region."""
    *case, kl_limit = case
    free, critic = right.update_of()(*case, 1e9)
    return np.eye(case[0].shape[1])[case[4]], free, critic, kl_limit


def divergence(case):
    return right.softmax(case[0], axis=1) - right.softmax(case[1], axis=1)


@wrong("acer_gradients")
def the_divergence_of_the_action_taken(*case):
    """k has the entry of the action taken only.

    Symptom: the projection is right for its k, but the divergence of the other actions is not limited.
    Found in: Kaixhin/ACER, 01f612b to c0eae34.
    """
    onehot, g, critic, kl_limit = split(case)
    k = onehot * divergence(case)
    return right.update_of(truncated_gradient=lambda *_: g, kl_gradient=lambda *_: k)(*case[:-1], kl_limit)


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
    _, g, critic, _ = split(case)
    return g, critic


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
