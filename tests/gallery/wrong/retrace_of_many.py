"""Wrong versions of retrace_of_many."""
import numpy as np

from tests.gallery import right
from tests.gallery.parts import clipped, recursion, retrace


def dialogues_run_into_one_another(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """The first value of the next dialogue follows the last turn of this one.

    Symptom: success in one dialogue is credited to the one before.
    Found in: pytorch/rl issue 4209, mended in 4210.
    """
    return retrace(rewards, q_a, v, clipped(rho_a, trace_decay), gamma)


def the_mark_of_the_end_comes_one_turn_late(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """The mask is that of the turn before, so the chain is cut one turn too late.

    Symptom: values flow across the end, and the first turn of each dialogue is cut off.
    Found in: opendilab/DI-engine pull request 21, which mended it.
    """
    c, late = clipped(rho_a, trace_decay), np.append(False, ended[:-1])
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]) if t == 0 or not late[t - 1] else 0.0)


def only_the_trace_is_cut_at_the_end(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """The error is not passed across the end, but V of the next dialogue is.

    Symptom: the last turn is credited with the next user's value.
    Found in: pytorch/rl issue 4209.
    """
    c = np.where(np.append(True, ended[:-1]), 0.0, clipped(rho_a, trace_decay))
    return retrace(rewards, q_a, v, c, gamma)


def what_is_carried_is_lost_every_25_turns(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """A window of 25 turns is taken for the end of a dialogue.

    Symptom: none in short dialogues.
    """
    windows = ended | (np.arange(len(ended)) % 25 == 24)
    return right.retrace_of_many(rewards, q_a, v, rho_a, gamma, trace_decay, windows)
