"""Wrong versions of traces."""
import numpy as np


def traces_cut_at_5(rho_a, trace_decay):
    """Cut at the truncation of the policy gradient, c = 5, instead of 1.

    Symptom: no bias, but products of up to 5^25: targets explode.
    Found in: the paper's algorithm 2 as printed; formulas with min(c, ·) on vietanh.dev/glossary/retrace.
    """
    return trace_decay * np.minimum(5.0, rho_a)


def traces_never_cut(rho_a, trace_decay):
    """λ ρ: plain importance sampling.

    Symptom: enormous variance over long dialogues.
    """
    return trace_decay * rho_a


def the_decay_inside_the_minimum(rho_a, trace_decay):
    """min(λ, ρ) instead of λ min(1, ρ).

    Symptom: none at λ = 1; for a smaller λ, traces are too long.
    """
    return np.minimum(trace_decay, rho_a)


def the_decay_is_never_used(rho_a, trace_decay):
    """min(1, ρ): λ is not used.

    Symptom: learning curves do not depend on λ.
    Found in: Kaixhin/ACER (c0eae34), which reads the option and does not use it.
    """
    return np.minimum(1.0, rho_a)
