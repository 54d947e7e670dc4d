"""Wrong versions of Retrace where a dialogue is cut off, or another one follows."""
import numpy as np

from tests.gallery.retrace import clipped, recursion
from tests.gallery.version import wrong


@wrong("retrace_at_a_cut")
def bootstraps_from_the_last_visited_belief(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """V of the last belief in the window stands for that of the belief after it.

    Seen: the targets of every rollout that did not end are off by one belief.
    Met: seungeunrho/minimalRL (c8efed8), acer.py; pull request 16, closed unmerged, mends it.
    """
    c = clipped(rho_a, trace_decay)
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]), v[-1])


@wrong("retrace_at_a_cut")
def a_cut_taken_for_an_end(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """After the cut nothing is said to follow.

    Seen: values near a time limit are too low.
    Met: hill-a/stable-baselines issue 1004; Kaixhin/ACER (c0eae34) at its episode cap.
    """
    c = clipped(rho_a, trace_decay)
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]))


@wrong("retrace_at_a_cut")
def the_value_after_the_cut_counts_twice(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """It enters the last error and is also where the carried sum of errors starts.

    Seen: invisible when the window ends with the dialogue.
    Met: simonsays1980/rl-triton pull request 4, where the test's oracle had the same slip.
    """
    c, errors = clipped(rho_a, trace_decay), rewards + gamma * np.append(v[1:], bootstrap) - q_a
    return q_a + recursion(errors, gamma, lambda t, error: c[t] * error, bootstrap)


@wrong("retrace_at_a_cut")
def the_value_after_the_cut_is_not_discounted(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """It is added to the last reward as it is.

    Seen: nothing for γ = 1.
    Met: habit.
    """
    c = clipped(rho_a, trace_decay)
    return recursion(np.append(rewards[:-1], rewards[-1] + bootstrap), gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]))


@wrong("retrace_of_many")
def dialogues_run_into_one_another(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """Nothing marks where one dialogue ends, so the next one's first value follows its last turn.

    Seen: success in one dialogue is credited to the one before.
    Met: pytorch/rl issue 4209, mended in 4210.
    """
    c = clipped(rho_a, trace_decay)
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]))


@wrong("retrace_of_many")
def the_mark_of_the_end_comes_one_turn_late(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """The mask is that of the turn before, so the chain is cut one turn too late.

    Seen: values flow across the end, and the first turn of each dialogue is cut off.
    Met: opendilab/DI-engine pull request 21, which mended it.
    """
    c, late = clipped(rho_a, trace_decay), np.append(False, ended[:-1])
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]) if t == 0 or not late[t - 1] else 0.0)


@wrong("retrace_of_many")
def only_the_trace_is_cut_at_the_end(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """The error is not passed across the end, but V of the next dialogue is.

    Seen: the last turn hopes for what the next user will say.
    Met: pytorch/rl issue 4209 shows the shifted value; habit.
    """
    c = np.where(np.append(True, ended[:-1]), 0.0, clipped(rho_a, trace_decay))
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]))
