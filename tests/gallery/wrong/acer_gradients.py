"""Wrong versions of acer_gradients."""
import numpy as np

from tests.gallery import right


def the_divergence_of_the_action_taken(*case):
    """The multiplier, and what it multiplies, know the action taken only.

    Symptom: the divergence of the other actions is not limited.
    Found in: Kaixhin/ACER, 01f612b to c0eae34.
    """
    logits, average_logits, mu, q, actions, *_, rho_max, kl_limit = case
    rows, (pi, average) = np.arange(len(q)), right.softmax([logits, average_logits], axis=2)
    g, critic = right.acer_gradients(*case[:-1], 1e9)
    v, p, p_average = (pi * q).sum(axis=1), pi[rows, actions], average[rows, actions]
    onehot = np.eye(q.shape[1])[actions]
    advantage = (critic + onehot * q).sum(axis=1) - v
    of_taken = np.minimum(rho_max, p / mu[rows, actions]) * advantage / p \
        + (np.maximum(0.0, 1 - rho_max * mu / pi) * (q - v[:, None])).sum(axis=1)
    k = -p_average / p
    multiplier = np.maximum(0.0, (k * of_taken - kl_limit) / k ** 2)
    return g + (multiplier * p_average)[:, None] * (onehot - pi), critic


def no_trust_region(*case):
    """g itself is returned.

    Symptom: none while the average policy is close.
    """
    return right.acer_gradients(*case[:-1], 1e9)


def the_gradients_are_means(*case):
    """Both gradients are divided by the number of turns.

    Symptom: right for one turn; the longer the dialogue, the smaller its step.
    """
    policy, critic = right.acer_gradients(*case)
    return policy / len(policy), critic / len(critic)


def the_critic_moves_away(*case):
    """The sign of a loss at the critic: Q - Qret.

    Symptom: values diverge.
    """
    policy, critic = right.acer_gradients(*case)
    return policy, -critic


def the_critic_learns_v(*case):
    """The error Qret - Q moves the values of all actions by their share π(a) in V.

    Symptom: Q of all actions becomes alike.
    Found in: chainerrl, mended in 3d9b93a2.
    """
    policy, critic = right.acer_gradients(*case)
    return policy, critic.sum(axis=1, keepdims=True) * right.softmax(case[0], axis=1)
