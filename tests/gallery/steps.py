"""Wrong versions of the running average and of Adam."""
import numpy as np

from tests.gallery.version import wrong


@wrong("running_average")
def an_average_that_never_moves(average, params, average_decay):
    """The new value is bound to the loop's variable and forgotten.

    Symptom: the trust region stays around the first, random policy.
    Found in: Kaixhin/ACER (c0eae34); younggyoseo/pytorch-acer (d37932c), whose pull request 3 is open.
    """
    for w_average, w in zip(average, params):
        w_average = average_decay * w_average + (1 - average_decay) * w  # noqa: F841  the slip
    return average


@wrong("running_average")
def the_parameters_themselves(average, params, average_decay):
    """The average is the same array as the parameters.

    Symptom: the divergence is always 0, so no step is limited.
    Found in: andri27-ts/Reinforcement-Learning issue 14; thesouther/MARL issue 8.
    """
    return params


@wrong("running_average")
def the_decay_on_the_wrong_side(average, params, average_decay):
    """β weighs the new parameters, 1 - β the average.

    Symptom: the average follows at once, so the limit hardly binds with β = 0.99.
    """
    return (1 - average_decay) * average + average_decay * params


@wrong("running_average")
def a_sum_instead_of_a_mean(average, params, average_decay):
    """The old average is not weighed down.

    Symptom: the average grows without limit.
    """
    return average + (1 - average_decay) * params


def adam(params, gradients, learning_rate, sign=1.0, beta1=0.9, beta2=0.999, correct=True, root=np.sqrt, clock=None):
    """Adam as a loop, with a place for each slip."""
    m = v = np.zeros_like(params)
    for t, d in enumerate(gradients, start=1):
        m, v, t = beta1 * m + (1 - beta1) * d, beta2 * v + (1 - beta2) * d ** 2, clock or t
        m_hat, v_hat = (m / (1 - beta1 ** t), v / (1 - beta2 ** t)) if correct else (m, v)
        params = params + sign * learning_rate * m_hat / (root(v_hat) + 1e-8)
    return params


@wrong("adam_updates")
def a_step_for_each_term(params, terms, learning_rate):
    """Policy, entropy and critic each take a step of their own on one shared state.

    Symptom: up to three times the learning rate; even the direction can be reversed.
    Found in: PyDial's acer.py (helloric/pydial3 34988f4).
    """
    return adam(params, terms.reshape(-1, len(params)), learning_rate)


@wrong("adam_updates")
def down_the_slope(params, terms, learning_rate):
    """Descends along a gradient of what should grow.

    Symptom: the policy gets worse, steadily.
    """
    return adam(params, terms.sum(axis=1), learning_rate, sign=-1.0)


@wrong("adam_updates")
def means_that_start_at_zero(params, terms, learning_rate):
    """The two means are not corrected for their start at 0.

    Symptom: first steps three times too long.
    """
    return adam(params, terms.sum(axis=1), learning_rate, correct=False)


@wrong("adam_updates")
def a_clock_that_stands_still(params, terms, learning_rate):
    """The count of steps is not advanced, so the correction is always that of the first step.

    Symptom: steps grow in the first hundreds of updates.
    Found in: pytorch-a3c issue 12 reports a counter per process.
    """
    return adam(params, terms.sum(axis=1), learning_rate, clock=1)


@wrong("adam_updates")
def divided_by_the_square(params, terms, learning_rate):
    """The root is forgotten.

    Symptom: large gradients take small steps and small ones huge steps.
    """
    return adam(params, terms.sum(axis=1), learning_rate, root=np.asarray)


@wrong("adam_updates")
def the_two_decays_swapped(params, terms, learning_rate):
    """β₁ = 0.999 and β₂ = 0.9.

    Symptom: right for the first step and for a constant gradient.
    """
    return adam(params, terms.sum(axis=1), learning_rate, beta1=0.999, beta2=0.9)


@wrong("adam_updates")
def the_gradient_as_it_is(params, terms, learning_rate):
    """The gradient itself is added: plain ascent instead of Adam.

    Symptom: steps that scale with the rewards.
    Found in: the paper's algorithm 2, while its experiments use Adam.
    """
    return params + learning_rate * terms.sum(axis=(0, 1))
