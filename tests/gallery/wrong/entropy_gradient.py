"""Wrong versions of entropy_gradient."""
import numpy as np

from tests.gallery.parts import log_of


def downhill(pi):
    """The sign of a loss, in a sum that is maximised.

    Symptom: the policy collapses within a few updates.
    Found in: Kaixhin/ACER, mended in df11f86.
    """
    return pi * (log_of(pi) - (pi * log_of(pi)).sum(axis=1, keepdims=True))


def at_each_probability(pi):
    """-(log π + 1): the derivative with respect to π(a), not to the logits.

    Symptom: the rarest action is pushed hardest; rows do not sum to 0.
    """
    return -(log_of(pi) + 1)


def the_entropy_of_the_row_forgotten(pi):
    """-π (log π + 1): the sum over the row is left out.

    Symptom: pushes all logits even at the uniform policy.
    """
    return -pi * (log_of(pi) + 1)


def zero_times_minus_infinity(pi):
    """The formula without care for π = 0.

    Symptom: nan in every parameter after the first masked action.
    """
    entropy = -(pi * np.log(pi)).sum(axis=1, keepdims=True)
    return -pi * (np.log(pi) + entropy)
