"""Wrong versions of Retrace where a dialogue is cut off, or another one follows."""
import numpy as np

from tests.gallery.retrace import clipped, recursion
from tests.gallery.version import wrong


@wrong("retrace_at_a_cut")
def bootstraps_from_the_last_visited_belief(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """V of the last belief in the window instead of V of the belief after it.

    Symptom: targets of rollouts that did not end use the wrong belief.
    Found in: seungeunrho/minimalRL (c8efed8), acer.py; pull request 16, closed unmerged, mends it.
    """
    c = clipped(rho_a, trace_decay)
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]), v[-1])


@wrong("retrace_at_a_cut")
def a_cut_taken_for_an_end(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """V after the cut is taken for 0.

    Symptom: values near a time limit are too low.
    Found in: hill-a/stable-baselines issue 1004; Kaixhin/ACER (c0eae34) at its episode cap.
    """
    c = clipped(rho_a, trace_decay)
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]))


@wrong("retrace_at_a_cut")
def the_value_after_the_cut_counts_twice(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """It is in the last error, and the carried sum of errors starts at it, too.

    Symptom: none when the window ends with the dialogue.
    Found in: simonsays1980/rl-triton pull request 4, where the test's oracle had the same slip.
    """
    c, errors = clipped(rho_a, trace_decay), rewards + gamma * np.append(v[1:], bootstrap) - q_a
    return q_a + recursion(errors, gamma, lambda t, error: c[t] * error, bootstrap)


@wrong("retrace_at_a_cut")
def the_value_after_the_cut_is_not_discounted(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """V after the cut is added to the last reward without γ.

    Symptom: none for γ = 1.
    """
    c = clipped(rho_a, trace_decay)
    return recursion(np.append(rewards[:-1], rewards[-1] + bootstrap), gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]))


@wrong("retrace_of_many")
def dialogues_run_into_one_another(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """The first value of the next dialogue follows the last turn of this one.

    Symptom: success in one dialogue is credited to the one before.
    Found in: pytorch/rl issue 4209, mended in 4210.
    """
    c = clipped(rho_a, trace_decay)
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]))


@wrong("retrace_of_many")
def the_mark_of_the_end_comes_one_turn_late(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """The mask is that of the turn before, so the chain is cut one turn too late.

    Symptom: values flow across the end, and the first turn of each dialogue is cut off.
    Found in: opendilab/DI-engine pull request 21, which mended it.
    """
    c, late = clipped(rho_a, trace_decay), np.append(False, ended[:-1])
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]) if t == 0 or not late[t - 1] else 0.0)


@wrong("retrace_of_many")
def only_the_trace_is_cut_at_the_end(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """The error is not passed across the end, but V of the next dialogue is.

    Symptom: the last turn is credited with the next user's value.
    Found in: pytorch/rl issue 4209.
    """
    c = np.where(np.append(True, ended[:-1]), 0.0, clipped(rho_a, trace_decay))
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]))


@wrong("retrace_of_padded")
def columns_taken_for_rows(rewards, q_a, v, rho_a, gamma, trace_decay, lengths):
    """The recursion runs over the dialogues instead of over the turns.

    Symptom: no error; each turn is credited with the same turn of other dialogues.
    """
    c, q_ret, following = clipped(rho_a, trace_decay), np.zeros_like(rewards), 0.0
    for j in reversed(range(len(lengths))):
        q_ret[:, j] = rewards[:, j] + gamma * following
        following = v[:, j] + c[:, j] * (q_ret[:, j] - q_a[:, j])
    return q_ret


@wrong("retrace_of_padded")
def one_behind_the_other(rewards, q_a, v, rho_a, gamma, trace_decay, lengths):
    """The batch is flattened, so each column is followed by the next.

    Symptom: right for a batch of one, and where padding is longer than traces.
    """
    c, (values, all_v) = clipped(rho_a, trace_decay).T.ravel(), (q_a.T.ravel(), v.T.ravel())
    flat = recursion(rewards.T.ravel(), gamma, lambda t, q: all_v[t] + c[t] * (q - values[t]))
    return flat.reshape(rewards.T.shape).T
