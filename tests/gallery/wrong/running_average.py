"""Wrong versions of running_average."""


def an_average_that_never_moves(average, params, average_decay):
    """The new value is bound to the loop's variable and forgotten.

    Symptom: the trust region stays around the first, random policy.
    Found in: Kaixhin/ACER (c0eae34); younggyoseo/pytorch-acer (d37932c), whose pull request 3 is open.
    """
    for w_average, w in zip(average, params):
        w_average = average_decay * w_average + (1 - average_decay) * w  # noqa: F841  the slip
    return average


def the_parameters_themselves(average, params, average_decay):
    """The average is the same array as the parameters.

    Symptom: the divergence is always 0, so no step is limited.
    Found in: andri27-ts/Reinforcement-Learning issue 14; thesouther/MARL issue 8.
    """
    return params


def the_decay_on_the_wrong_side(average, params, average_decay):
    """β weighs the new parameters, 1 - β the average.

    Symptom: the average follows at once, so the limit hardly binds with β = 0.99.
    """
    return (1 - average_decay) * average + average_decay * params


def a_sum_instead_of_a_mean(average, params, average_decay):
    """The old average is not weighed down.

    Symptom: the average grows without limit.
    """
    return average + (1 - average_decay) * params
