"""Wrong versions of mixed_behaviour."""
import numpy as np

from tests.gallery.parts import uniform


def the_policy_is_stored_for_the_behaviour(pi, masks, epsilon):
    """π is stored, though a share ε of the actions was drawn evenly.

    Symptom: ρ is 1 for data that is nearly random.
    Found in: the paper's algorithm 1 saves "values of π"; TonghanWang/DOP issue 21.
    """
    return pi


def explores_over_masked_actions_too(pi, masks, epsilon):
    """The even part covers all actions.

    Symptom: forbidden actions are drawn, and μ of allowed ones is too small.
    """
    return (1 - epsilon) * pi + epsilon / pi.shape[1]


def epsilon_and_its_rest_swapped(pi, masks, epsilon):
    """ε weighs the policy and 1 - ε the even part.

    Symptom: the agent explores more the longer it trains.
    """
    return epsilon * pi + (1 - epsilon) * uniform(masks)


def a_floor_and_a_new_norm(pi, masks, epsilon):
    """Each allowed probability is raised to ε / n at least, and the row normalised, instead of mixing.

    Symptom: close to the mixture for small ε; the stored μ is not what was drawn from.
    """
    raised = np.maximum(pi, epsilon * uniform(masks))
    return raised / raised.sum(axis=1, keepdims=True)
