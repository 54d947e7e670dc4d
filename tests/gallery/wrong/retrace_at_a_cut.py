"""Wrong versions of retrace_at_a_cut."""
import numpy as np

from tests.gallery.parts import clipped, recursion, retrace


def bootstraps_from_the_last_visited_belief(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """V of the last belief in the window instead of V of the belief after it.

    Symptom: targets of rollouts that did not end use the wrong belief.
    Found in: seungeunrho/minimalRL (c8efed8), acer.py; pull request 16, closed unmerged, mends it.
    """
    return retrace(rewards, q_a, v, clipped(rho_a, trace_decay), gamma, v[-1])


def a_cut_taken_for_an_end(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """V after the cut is taken for 0.

    Symptom: values near a time limit are too low.
    Found in: hill-a/stable-baselines issue 1004; Kaixhin/ACER (c0eae34) at its episode cap.
    """
    return retrace(rewards, q_a, v, clipped(rho_a, trace_decay), gamma)


def the_value_after_the_cut_counts_twice(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """It is in the last error, and the carried sum of errors starts at it, too.

    Symptom: none when the window ends with the dialogue.
    Found in: simonsays1980/rl-triton pull request 4, where the test's oracle had the same slip.
    """
    c, errors = clipped(rho_a, trace_decay), rewards + gamma * np.append(v[1:], bootstrap) - q_a
    return q_a + recursion(errors, gamma, lambda t, error: c[t] * error, bootstrap)


def the_value_after_the_cut_is_not_discounted(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """V after the cut is added to the last reward without γ.

    Symptom: none for γ = 1.
    """
    return retrace(np.append(rewards[:-1], rewards[-1] + bootstrap), q_a, v, clipped(rho_a, trace_decay), gamma)
