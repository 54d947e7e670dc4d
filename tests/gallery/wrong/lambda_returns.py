"""Wrong versions of lambda_returns."""
import numpy as np

from tests.gallery import right
from tests.gallery.parts import recursion


def the_value_is_not_weighed_down(rewards, v, rho_a, gamma, trace_decay):
    """V_{t+1} enters with weight 1 instead of 1 - λ.

    Symptom: right for λ = 0; otherwise returns grow with the length.
    """
    return recursion(rewards, gamma, lambda t, R: v[t] + trace_decay * rho_a[t] * R)


def lambda_and_its_rest_swapped(rewards, v, rho_a, gamma, trace_decay):
    """λ weighs the value, 1 - λ the return.

    Symptom: right for λ = ½; λ = 1 looks one step ahead.
    """
    return recursion(rewards, gamma, lambda t, R: trace_decay * v[t] + (1 - trace_decay) * rho_a[t] * R)


def the_ratio_of_the_action_already_given(rewards, v, rho_a, gamma, trace_decay):
    """ρ_t instead of ρ_{t+1} multiplies what follows turn t.

    Symptom: Q(b, a) is corrected for a, which it is conditioned on.
    Found in: LyWangPX/Reinforcement-Learning-2nd-Edition-by-Sutton-Exercise-Solutions issue 44; rlax renamed rho_t to
        rho_tm1 (890bd75).
    """
    shifted = np.append(1.0, rho_a[:-1])
    return recursion(rewards, gamma, lambda t, R: (1 - trace_decay) * v[t] + trace_decay * shifted[t] * R)


def ratios_cut_at_one(rewards, v, rho_a, gamma, trace_decay):
    """min(1, ρ) replaces ρ, without the correction by Q that makes this right in Retrace.

    Symptom: smaller variance, and a bias towards small returns.
    Found in: PyDial's A2C (helloric/pydial3 34988f4) clips its ratios.
    """
    return recursion(rewards, gamma, lambda t, R: (1 - trace_decay) * v[t] + trace_decay * min(1.0, rho_a[t]) * R)


def weights_the_value_by_the_ratio_too(rewards, v, rho_a, gamma, trace_decay):
    """ρ_{t+1} multiplies V_{t+1} as well, which is a mean over π already.

    Symptom: the one-step target scales with ρ.
    Found in: the paper, which weighs its one-step estimate r + γ V.
    """
    return recursion(rewards, gamma, lambda t, R: rho_a[t] * ((1 - trace_decay) * v[t] + trace_decay * R))


def ratios_cut_at_ten(rewards, v, rho_a, gamma, trace_decay):
    """min(10, ρ) instead of ρ.

    Symptom: none until a rare action was taken.
    """
    return right.lambda_returns(rewards, v, np.minimum(10.0, rho_a), gamma, trace_decay)
