"""Wrong versions of kl_gradient."""
import numpy as np


def the_other_divergence(pi_average, pi):
    """KL(π ‖ π̄) instead of KL(π̄ ‖ π).

    Symptom: close to the right gradient while the policies are close; infinite where π̄ = 0.
    Found in: Kaixhin/ACER mended it in 1cce3ca and 11eb611; openai/spinningup issues 192, 264 and 443.
    """
    log_ratio = np.log(np.where(pi > 0, pi, 1.0)) - np.log(np.where(pi_average > 0, pi_average, 1.0))
    return pi * (log_ratio - (pi * log_ratio).sum(axis=1, keepdims=True))


def towards_the_average(pi_average, pi):
    """The sign is turned, as in a loss, but the sign of g is not.

    Symptom: the trust region pushes outwards.
    Found in: Kaixhin/ACER issues 1 and 11 discuss the sign.
    """
    return pi_average - pi


def at_the_probabilities(pi_average, pi):
    """-π̄ / π: the derivative with respect to π(a), not to the logits.

    Symptom: huge where π is small, nan where an action is masked, and not 0 at π = π̄.
    """
    return -pi_average / pi


def a_constant_added_to_the_policy(pi_average, pi):
    """10⁻⁶ is added to π where π̄ is divided by it.

    Symptom: not 0 at π = π̄, and too small for rare actions.
    Found in: openai/baselines.
    """
    at_probability = -pi_average / (pi + 1e-6)
    return pi * (at_probability - (pi * at_probability).sum(axis=1, keepdims=True))


def against_itself(pi_average, pi):
    """The average is the same object as the policy.

    Symptom: the divergence is always 0, so no step is limited.
    Found in: andri27-ts/Reinforcement-Learning issue 14; thesouther/MARL issue 8.
    """
    return np.zeros_like(pi)


def the_mean_over_actions(pi_average, pi):
    """The divergence is averaged over actions instead of summed.

    Symptom: too small by the number of actions, so the limit hardly binds.
    Found in: PyTorch's kl_div with reduction="mean", against which its documentation warns.
    """
    return (pi - pi_average) / pi.shape[1]
