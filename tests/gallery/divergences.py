"""Wrong versions of the KL gradient and of the entropy gradient."""
import numpy as np

from tests.gallery.version import wrong


@wrong("kl_gradient")
def the_other_divergence(pi_average, pi):
    """KL(π ‖ π_a) instead of KL(π_a ‖ π).

    Seen: close to the right one while the policies are; an average with a zero makes it infinite.
    Met: Kaixhin/ACER mended it in 1cce3ca and 11eb611; openai/spinningup issues 192, 264 and 443.
    """
    log_ratio = np.log(np.where(pi > 0, pi, 1.0)) - np.log(np.where(pi_average > 0, pi_average, 1.0))
    return pi * (log_ratio - (pi * log_ratio).sum(axis=1, keepdims=True))


@wrong("kl_gradient")
def towards_the_average(pi_average, pi):
    """The sign is turned, as for a loss whose g was not turned with it.

    Seen: the trust region pushes outwards.
    Met: doubts in Kaixhin/ACER issues 1 and 11.
    """
    return pi_average - pi


@wrong("kl_gradient")
def at_the_probabilities(pi_average, pi):
    """-π_a / π, the derivative with respect to π(a), taken for that at the logits.

    Seen: huge where π is small, nan where it is masked; never 0, not even at π = π_a.
    Met: habit; openai/baselines works in that space on purpose, with g in the same space.
    """
    return -pi_average / pi


@wrong("kl_gradient")
def against_itself(pi_average, pi):
    """The average is the same object as the policy.

    Seen: the divergence is always 0, and nothing is constrained.
    Met: andri27-ts/Reinforcement-Learning issue 14; thesouther/MARL issue 8.
    """
    return np.zeros_like(pi)


def log_of(pi):
    return np.log(np.where(pi > 0, pi, 1.0))


@wrong("entropy_gradient")
def downhill(pi):
    """The sign of a loss in a sum that is maximised.

    Seen: the policy collapses within a few updates.
    Met: Kaixhin/ACER, mended in df11f86.
    """
    return pi * (log_of(pi) - (pi * log_of(pi)).sum(axis=1, keepdims=True))


@wrong("entropy_gradient")
def at_each_probability(pi):
    """-(log π + 1), the derivative with respect to π(a), taken for that at the logits.

    Seen: the rarest action is pushed hardest, without limit; rows do not sum to 0.
    Met: habit.
    """
    return -(log_of(pi) + 1)


@wrong("entropy_gradient")
def the_entropy_of_the_row_forgotten(pi):
    """-π (log π + 1): the sum over the row is left out.

    Seen: pushes all logits even at the uniform policy.
    Met: habit, a chain rule through the numerator alone.
    """
    return -pi * (log_of(pi) + 1)


@wrong("entropy_gradient")
def zero_times_minus_infinity(pi):
    """The formula without care for π = 0.

    Seen: nan in every parameter after the first masked action.
    Met: habit.
    """
    entropy = -(pi * np.log(pi)).sum(axis=1, keepdims=True)
    return -pi * (np.log(pi) + entropy)
