"""Wrong versions of retrace_of_padded."""
import numpy as np

from tests.gallery.parts import clipped, recursion


def columns_taken_for_rows(rewards, q_a, v, rho_a, gamma, trace_decay, lengths):
    """The recursion runs over the dialogues instead of over the turns.

    Symptom: no error; each turn is credited with the same turn of other dialogues.
    """
    c, q_ret, following = clipped(rho_a, trace_decay), np.zeros_like(rewards), 0.0
    for j in reversed(range(len(lengths))):
        q_ret[:, j] = rewards[:, j] + gamma * following
        following = v[:, j] + c[:, j] * (q_ret[:, j] - q_a[:, j])
    return q_ret


def one_behind_the_other(rewards, q_a, v, rho_a, gamma, trace_decay, lengths):
    """The batch is flattened, so each column is followed by the next.

    Symptom: right for a batch of one, and where padding is longer than traces.
    """
    c, (values, all_v) = clipped(rho_a, trace_decay).T.ravel(), (q_a.T.ravel(), v.T.ravel())
    flat = recursion(rewards.T.ravel(), gamma, lambda t, q: all_v[t] + c[t] * (q - values[t]))
    return flat.reshape(rewards.T.shape).T
