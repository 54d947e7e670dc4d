"""Wrong versions of the trust region, of the running average and of Adam."""
import numpy as np

from tests.gallery.version import wrong


def dot(a, b):
    return (a * b).sum(axis=-1, keepdims=True)


def over(numerator, denominator):
    """A quotient that is 0 where the denominator is."""
    return np.divide(numerator, denominator, out=np.zeros(np.broadcast_shapes(numerator.shape, denominator.shape)),
                     where=denominator != 0)


@wrong("trust_region")
def divided_by_the_wrong_square(g, k, kl_limit):
    """‖g‖² stands where ‖k‖² should.

    Seen: the limit is not kept, or far too much is taken away.
    Met: dchetelat/acer (fdac933): mended in the continuous agent, not in the discrete one.
    """
    return g - over(np.maximum(0.0, dot(k, g) - kl_limit), dot(g, g)) * k


@wrong("trust_region")
def divided_by_the_norm_once(g, k, kl_limit):
    """‖k‖ instead of ‖k‖².

    Seen: right where ‖k‖ is 1.
    Met: habit.
    """
    return g - over(np.maximum(0.0, dot(k, g) - kl_limit), np.sqrt(dot(k, k))) * k


@wrong("trust_region")
def the_number_without_its_direction(g, k, kl_limit):
    """The multiplier is subtracted as it is; k is forgotten.

    Seen: all entries shift alike.
    Met: chainerrl, mended in a3143297.
    """
    return g - over(np.maximum(0.0, dot(k, g) - kl_limit), dot(k, k))


@wrong("trust_region")
def always_on_the_limit(g, k, kl_limit):
    """max(0, ·) is missing.

    Seen: steps within the limit are stretched until they reach it.
    Met: Kaixhin/ACER, mended in debe450.
    """
    return g - over(dot(k, g) - kl_limit, dot(k, k)) * k


@wrong("trust_region")
def the_maximum_of_each_entry(g, k, kl_limit):
    """max(0, ·) is taken of the product with k, entry by entry.

    Seen: right while all entries of k are positive.
    Met: the KKT solution as the paper prints it.
    """
    return g - np.maximum(0.0, over(dot(k, g) - kl_limit, dot(k, k)) * k)


@wrong("trust_region")
def pushed_outwards(g, k, kl_limit):
    """The multiple of k is added.

    Seen: the divergence grows twice as fast.
    Met: doubts about signs in Kaixhin/ACER issues 1 and 11.
    """
    return g + over(np.maximum(0.0, dot(k, g) - kl_limit), dot(k, k)) * k


@wrong("trust_region")
def a_mean_against_a_sum(g, k, kl_limit):
    """g was divided by the number of rows, k and δ were not.

    Seen: the larger the batch, the less the limit binds; it never does in a log.
    Met: opendilab/DI-engine (d0b21d0) divides g; dchetelat/acer (fdac933) takes both means.
    """
    return g - len(g) * over(np.maximum(0.0, dot(k, g / len(g)) - kl_limit), dot(k, k)) * k


@wrong("trust_region")
def one_multiplier_from_the_mean_of_the_rows(g, k, kl_limit):
    """k · g and ‖k‖² are averaged over the rows, and every row is moved by the same multiple.

    Seen: rows within their limit are moved, others not enough.
    Met: Kaixhin/ACER (c0eae34), in which each row has the entry of the action taken only.
    """
    return g - over(np.maximum(0.0, dot(k, g).mean(axis=0) - kl_limit), dot(k, k).mean(axis=0)) * k


@wrong("trust_region")
def the_whole_step_made_shorter(g, k, kl_limit):
    """g is scaled until it keeps the limit, as a norm is clipped.

    Seen: the limit is kept, and directions that cost no divergence are lost with the rest.
    Met: habit, from gradient clipping.
    """
    return g * np.minimum(1.0, np.where(dot(k, g) > kl_limit, over(np.full(dot(k, g).shape, kl_limit), dot(k, g)), 1.0))


@wrong("trust_region")
def no_guard_for_no_divergence(g, k, kl_limit):
    """0/0 where k = 0.

    Seen: harmless for δ > 0, where -∞ is cut at 0; nan for δ = 0.
    Met: PyDial's acer.py (helloric/pydial3 34988f4).
    """
    return g - np.maximum(0.0, (dot(k, g) - kl_limit) / dot(k, k)) * k


@wrong("running_average")
def an_average_that_never_moves(average, params, average_decay):
    """The new value is bound to the loop's variable and forgotten.

    Seen: the trust region stays around the first, random policy.
    Met: Kaixhin/ACER (c0eae34); younggyoseo/pytorch-acer (d37932c), whose pull request 3 is open.
    """
    for w_average, w in zip(average, params):
        w_average = average_decay * w_average + (1 - average_decay) * w  # noqa: F841  the slip
    return average


@wrong("running_average")
def the_parameters_themselves(average, params, average_decay):
    """The average is the same array as the parameters.

    Seen: no divergence, no constraint.
    Met: andri27-ts/Reinforcement-Learning issue 14; thesouther/MARL issue 8.
    """
    return params


@wrong("running_average")
def the_decay_on_the_wrong_side(average, params, average_decay):
    """β weighs the new parameters, 1 - β the average.

    Seen: an average that follows at once; with β = 0.99 the limit hardly binds.
    Met: habit; libraries differ in which side tau stands for.
    """
    return (1 - average_decay) * average + average_decay * params


@wrong("running_average")
def a_sum_in_the_place_of_a_mean(average, params, average_decay):
    """The old average is not weighed down.

    Seen: it grows without limit.
    Met: habit.
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

    Seen: up to three times the learning rate; the sum's direction can even turn round.
    Met: PyDial's acer.py (helloric/pydial3 34988f4).
    """
    return adam(params, terms.reshape(-1, len(params)), learning_rate)


@wrong("adam_updates")
def down_the_slope(params, terms, learning_rate):
    """Descends along a gradient of what should grow.

    Seen: the policy gets worse, steadily.
    Met: habit: optimisers minimise.
    """
    return adam(params, terms.sum(axis=1), learning_rate, sign=-1.0)


@wrong("adam_updates")
def means_that_start_at_zero(params, terms, learning_rate):
    """The two means are not corrected for their start at 0.

    Seen: first steps three times too long.
    Met: habit.
    """
    return adam(params, terms.sum(axis=1), learning_rate, correct=False)


@wrong("adam_updates")
def a_clock_that_stands_still(params, terms, learning_rate):
    """The count of steps is not advanced, so the correction is always that of the first step.

    Seen: steps grow in the first hundreds of updates.
    Met: habit; an issue of pytorch-a3c (12) reports a counter per process.
    """
    return adam(params, terms.sum(axis=1), learning_rate, clock=1)


@wrong("adam_updates")
def divided_by_the_square(params, terms, learning_rate):
    """The root is forgotten.

    Seen: large gradients take small steps and small ones huge steps.
    Met: habit.
    """
    return adam(params, terms.sum(axis=1), learning_rate, root=np.asarray)


@wrong("adam_updates")
def the_two_decays_swapped(params, terms, learning_rate):
    """β₁ = 0.999 and β₂ = 0.9.

    Seen: right for the first step and for a constant gradient; sluggish, then wild.
    Met: habit.
    """
    return adam(params, terms.sum(axis=1), learning_rate, beta1=0.999, beta2=0.9)


@wrong("adam_updates")
def the_gradient_as_it_is(params, terms, learning_rate):
    """The gradient itself is added: plain ascent in Adam's place.

    Seen: steps that scale with the rewards.
    Met: the paper's algorithm 2 adds α times the gradient; its experiments use Adam.
    """
    return params + learning_rate * terms.sum(axis=(0, 1))
