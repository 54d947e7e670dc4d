"""Wrong versions of adam_updates."""
import numpy as np

from tests.gallery.parts import adam


def a_step_for_each_term(params, terms, learning_rate):
    """Policy, entropy and critic each take a step of their own on one shared state.

    Symptom: up to three times the learning rate; even the direction can be reversed.
    Found in: PyDial's acer.py (helloric/pydial3 34988f4).
    """
    return adam(params, terms.reshape(-1, len(params)), learning_rate)


def down_the_slope(params, terms, learning_rate):
    """Descends along a gradient of what should grow.

    Symptom: the policy gets worse, steadily.
    """
    return adam(params, terms.sum(axis=1), learning_rate, sign=-1.0)


def means_that_start_at_zero(params, terms, learning_rate):
    """The two means are not corrected for their start at 0.

    Symptom: first steps three times too long.
    """
    return adam(params, terms.sum(axis=1), learning_rate, correct=False)


def a_clock_that_stands_still(params, terms, learning_rate):
    """The count of steps is not advanced, so the correction is always that of the first step.

    Symptom: steps grow in the first hundreds of updates.
    Found in: pytorch-a3c issue 12 reports a counter per process.
    """
    return adam(params, terms.sum(axis=1), learning_rate, clock=1)


def divided_by_the_square(params, terms, learning_rate):
    """The root is forgotten.

    Symptom: large gradients take small steps and small ones huge steps.
    """
    return adam(params, terms.sum(axis=1), learning_rate, root=np.asarray)


def the_two_decays_swapped(params, terms, learning_rate):
    """β₁ = 0.999 and β₂ = 0.9.

    Symptom: right for the first step and for a constant gradient.
    """
    return adam(params, terms.sum(axis=1), learning_rate, beta1=0.999, beta2=0.9)


def the_gradient_as_it_is(params, terms, learning_rate):
    """The gradient itself is added: plain ascent instead of Adam.

    Symptom: steps that scale with the rewards.
    Found in: the paper's algorithm 2, while its experiments use Adam.
    """
    return params + learning_rate * terms.sum(axis=(0, 1))


def the_floor_inside_the_root(params, terms, learning_rate):
    """√(v̂ + 10⁻⁸) instead of √v̂ + 10⁻⁸.

    Symptom: gradients below 10⁻⁴ take small steps.
    """
    return adam(params, terms.sum(axis=1), learning_rate, root=lambda v: np.sqrt(v + 1e-8))
