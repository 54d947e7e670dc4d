"""Wrong versions of epsilon_greedy."""
import numpy as np

from tests.gallery.parts import best_allowed, softmax, uniform


def best_of_all_actions_before_the_mask(values, masks, epsilon):
    """The best action is looked for before the mask is applied.

    Symptom: probability on a forbidden action.
    Found in: google-deepmind/trfl issue 27 has an example.
    """
    return (1 - epsilon) * best_allowed(values, np.ones_like(masks)) + epsilon * uniform(masks)


def epsilon_shared_among_all_actions(values, masks, epsilon):
    """ε is divided by the number of all actions instead of the allowed ones.

    Symptom: μ of the allowed actions sums to less than 1, so ρ is too large.
    Found in: PyDial's A2C and eNAC (helloric/pydial3 34988f4).
    """
    return (1 - epsilon) * best_allowed(values, masks) + epsilon * masks / masks.shape[1]


def exploration_never_hits_the_best(values, masks, epsilon):
    """The best action is stored with 1 - ε, though a uniform draw may hit it too.

    Symptom: μ sums to less than 1; ρ of greedy actions is too large, most of all when ε is large.
    """
    best = best_allowed(values, masks)
    return np.where(best > 0, 1 - epsilon, epsilon * uniform(masks))


def the_softmax_is_stored(values, masks, epsilon):
    """Actions are drawn ε-greedily, but the softmax of the values is stored as μ.

    Symptom: fresh dialogues look on-policy, traces are not cut, Qret estimates the behaviour's value.
    Found in: TonghanWang/DOP issue 21 asks about it; the paper says "save values of π".
    """
    return softmax(values, masks)


def epsilon_applied_twice(values, masks, epsilon):
    """The mixture with ε is mixed with ε once more.

    Symptom: more exploration is stored than was done, ρ of explored actions is too small.
    Found in: TonghanWang/DOP issue 21.
    """
    once = (1 - epsilon) * best_allowed(values, masks) + epsilon * uniform(masks)
    return (1 - epsilon) * once + epsilon * uniform(masks)


def the_worst_action_is_preferred(values, masks, epsilon):
    """The preferred action is the one with the lowest value.

    Symptom: the agent learns, and does the opposite.
    Found in: thomason-jesse/nlu_pipeline (1577ff8) minimised a similarity; mended later.
    """
    return (1 - epsilon) * best_allowed(-values, masks) + epsilon * uniform(masks)
