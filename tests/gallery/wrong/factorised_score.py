"""Wrong versions of factorised_score."""
import numpy as np


def a_payload_is_scored_at_every_action(pi_s, pi_p, n_methods, actions, payloads):
    """The payload's score is added for actions that have none, too.

    Symptom: the payload head learns from turns in which it did nothing.
    """
    return np.hstack([np.eye(pi_s.shape[1])[actions] - pi_s, np.eye(pi_p.shape[1])[payloads] - pi_p])


def methods_are_scored_by_their_payload_only(pi_s, pi_p, n_methods, actions, payloads):
    """A method with a payload is scored at the payload only.

    Symptom: how often a method is taken is not learned.
    """
    used = (actions < n_methods)[:, None]
    return np.hstack([~used * (np.eye(pi_s.shape[1])[actions] - pi_s), used * (np.eye(pi_p.shape[1])[payloads] - pi_p)])
