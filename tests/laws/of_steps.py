"""Laws of what moves the parameters: the trust region, Adam and the running average."""
import numpy as np

from tests.laws import vectors
from tests.laws.law import definition, identity, invariance


def dot(a, b):
    return (a * b).sum(axis=-1)


@identity("trust_region", vectors.steps, 1e-7)
def the_step_keeps_the_limit(f, g, k, kl_limit):
    """k · z ≤ δ in every row. ACTUAL: k · z."""
    actual = dot(k, f(g, k, kl_limit))
    return actual, np.minimum(actual, kl_limit)


@identity("trust_region", vectors.steps)
def a_step_within_the_limit_is_left_alone(f, g, k, kl_limit):
    """z = g where k · g ≤ δ. ACTUAL: those rows of z."""
    within = dot(k, g) <= kl_limit
    return f(g, k, kl_limit)[within], g[within]


@identity("trust_region", vectors.steps, 1e-7)
def a_step_beyond_the_limit_ends_on_it(f, g, k, kl_limit):
    """k · z = δ where k · g > δ. ACTUAL: k · z of those rows."""
    beyond = dot(k, g) > kl_limit
    return dot(k, f(g, k, kl_limit))[beyond], np.full(beyond.sum(), kl_limit)


@identity("trust_region", vectors.step_and_rival)
def no_other_step_within_the_limit_is_nearer(f, g, k, kl_limit, rival):
    """(g - z) · (y - z) ≤ 0 for every y with k · y ≤ δ, here the rival. ACTUAL: the left side."""
    z = f(g[None], k[None], kl_limit)[0]
    actual = dot(g - z, rival - z)
    return actual, np.minimum(actual, 0.0)


@identity("trust_region", vectors.steps)
def only_along_the_divergence_is_something_taken_away(f, g, k, kl_limit):
    """g - z is a multiple of k, 0 or more. ACTUAL: g - z. DESIRED: the part of g - z along k."""
    away = g - f(g, k, kl_limit)
    square = dot(k, k)
    return away, (np.maximum(0.0, dot(away, k)) / np.where(square > 0, square, 1.0))[:, None] * k


@invariance("trust_region", vectors.steps)
def the_other_rows_do_not_matter(f, g, k, kl_limit):
    """Neither do their number. DESIRED: your answers row by row."""
    return f(g, k, kl_limit), np.concatenate([f(g[[t]], k[[t]], kl_limit) for t in range(len(g))])


@definition("running_average", vectors.averages)
def the_distance_to_the_parameters_shrinks_by_the_decay(f, average, params, average_decay):
    """new - ω = β (ω̄ - ω). ACTUAL: the left side."""
    return f(average, params, average_decay) - params, average_decay * (average - params)


@identity("running_average", vectors.averages)
def the_average_lies_between_the_old_one_and_the_parameters(f, average, params, average_decay):
    """In every coordinate."""
    actual = f(average, params, average_decay)
    return actual, np.clip(actual, np.minimum(average, params), np.maximum(average, params))


@identity("running_average", vectors.averages)
def the_average_does_not_share_memory_with_the_parameters(f, average, params, average_decay):
    """ACTUAL: the average after the parameters were overwritten with 7."""
    before = np.array(f(average, params, average_decay))
    result = f.raw(average.copy(), params, average_decay)
    params[:] = 7.0
    return np.array(result, float), before


def adam_by_definition(params, gradients, learning_rate):
    """p + α Σ_t m̂_t / (√v̂_t + 10⁻⁸), m̂_t and v̂_t being weighted means of all d_s and d_s², with weights β^(t-s)."""
    moved = np.zeros_like(params)
    for t in range(len(gradients)):
        ages, so_far = np.arange(t, -1, -1), gradients[:t + 1]
        mean = np.average(so_far, axis=0, weights=0.9 ** ages)
        moved += mean / (np.sqrt(np.average(so_far ** 2, axis=0, weights=0.999 ** ages)) + 1e-8)
    return params + learning_rate * moved


@definition("adam_updates", vectors.updates, 1e-5)
def each_update_is_one_step_along_the_sum_of_its_terms(f, params, terms, learning_rate):
    """p + α m̂ / (√v̂ + 10⁻⁸) in each update, uphill; m̂ and v̂ are weighted means, with β 0.9 and 0.999."""
    return f(params, terms, learning_rate), adam_by_definition(params, terms.sum(axis=1), learning_rate)


@identity("adam_updates", vectors.updates, 1e-5)
def the_first_update_moves_uphill_by_the_learning_rate(f, params, terms, learning_rate):
    """p + α sign(d) after one update. ACTUAL: your answer for the first update without the others."""
    return f(params, terms[:1], learning_rate), params + learning_rate * np.sign(terms[0].sum(axis=0))


@invariance("adam_updates", vectors.updates, 1e-5)
def only_the_sum_of_the_terms_matters(f, params, terms, learning_rate):
    """Policy, entropy and critic add up to one gradient. DESIRED: your answer for the sums of the terms."""
    return f(params, terms, learning_rate), f(params, terms.sum(axis=1, keepdims=True), learning_rate)


@identity("adam_updates", vectors.updates, 1e-5)
def a_constant_gradient_moves_evenly(f, params, terms, learning_rate):
    """Three equal updates move by 3 α sign(d), because both means are corrected for their start at 0."""
    return f(params, np.repeat(terms[:1], 3, axis=0), learning_rate), \
        params + 3 * learning_rate * np.sign(terms[0].sum(axis=0))


@invariance("adam_updates", vectors.updates, 3e-3)
def the_scale_of_the_gradients_does_not_matter(f, params, terms, learning_rate):
    """The floor 10⁻⁸ is far below a small gradient. ACTUAL: your answer for all gradients divided by 1000."""
    return f(params, terms / 1000, learning_rate), f(params, terms, learning_rate)
