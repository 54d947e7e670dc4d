"""Wrong versions of state_value."""
import numpy as np


def the_best_action_for_the_mean(pi, q):
    """V = max_a Q instead of the mean over π.

    Symptom: silently Q-learning; V is too high, and no advantage is positive.
    """
    return q.max(axis=1)


def the_value_of_the_likeliest_action(pi, q):
    """V = Q of the action with the highest π.

    Symptom: right for a greedy policy only.
    """
    return q[np.arange(len(q)), pi.argmax(axis=1)]


def every_action_counts_alike(pi, q):
    """V is the plain mean of Q.

    Symptom: right while π is uniform, early in training.
    """
    return q.mean(axis=1)


def rare_actions_are_ignored(pi, q):
    """Actions below 5 % are left out of V.

    Symptom: none while the policy is soft.
    """
    return (np.where(pi < 0.05, 0.0, pi) * q).sum(axis=1)
