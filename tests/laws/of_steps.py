"""Laws of what moves the parameters: the trust region, Adam and the running average."""
import numpy as np

from tests.laws import vectors
from tests.laws.law import law


def dot(a, b):
    return (a * b).sum(axis=-1)


@law("trust_region", vectors.steps)
def the_step_keeps_the_limit(f, g, k, kl_limit):
    """k · z ≤ δ in every row. ACTUAL: k · z."""
    actual = dot(k, f(g, k, kl_limit))
    return actual, np.minimum(actual, kl_limit)


@law("trust_region", vectors.steps)
def a_step_within_the_limit_is_left_alone(f, g, k, kl_limit):
    """z = g where k · g ≤ δ. ACTUAL: those rows of z."""
    within = dot(k, g) <= kl_limit
    return f(g, k, kl_limit)[within], g[within]


@law("trust_region", vectors.steps)
def a_step_beyond_the_limit_ends_on_it(f, g, k, kl_limit):
    """k · z = δ where k · g > δ: no more is taken away than must be. ACTUAL: k · z of those rows."""
    beyond = dot(k, g) > kl_limit
    return dot(k, f(g, k, kl_limit))[beyond], np.full(beyond.sum(), kl_limit)


@law("trust_region", vectors.step_and_rival)
def no_other_step_within_the_limit_is_nearer(f, g, k, kl_limit, rival):
    """z is nearest to g: (g - z) · (y - z) ≤ 0 for every y with k · y ≤ δ, here the rival. ACTUAL: the left side."""
    z = f(g[None], k[None], kl_limit)[0]
    actual = dot(g - z, rival - z)
    return actual, np.minimum(actual, 0.0)


@law("trust_region", vectors.steps)
def only_along_the_divergence_is_something_taken_away(f, g, k, kl_limit):
    """g - z is a multiple of k, 0 or more. ACTUAL: g - z; DESIRED: the part of it along k."""
    away = g - f(g, k, kl_limit)
    square = dot(k, k)
    return away, (np.maximum(0.0, dot(away, k)) / np.where(square > 0, square, 1.0))[:, None] * k


@law("trust_region", vectors.steps)
def without_divergence_nothing_is_taken_away(f, g, k, kl_limit):
    """z = g where k = 0, as in the first update, when the average is a copy; for δ = 0 too. ACTUAL: z for k = 0."""
    return f(g, np.zeros_like(k), kl_limit), g


@law("trust_region", vectors.steps)
def every_row_is_projected_alone(f, g, k, kl_limit):
    """The other rows, and their number, do not matter. DESIRED: your answers row by row."""
    return f(g, k, kl_limit), np.concatenate([f(g[[t]], k[[t]], kl_limit) for t in range(len(g))])


@law("running_average", vectors.averages)
def the_distance_to_the_parameters_shrinks_by_the_decay(f, average, params, average_decay):
    """new - ω = β (ω_a - ω). ACTUAL: the left side."""
    return f(average, params, average_decay) - params, average_decay * (average - params)


@law("running_average", vectors.averages)
def the_average_lies_between_the_old_one_and_the_parameters(f, average, params, average_decay):
    """In every coordinate."""
    actual = f(average, params, average_decay)
    return actual, np.clip(actual, np.minimum(average, params), np.maximum(average, params))


@law("running_average", vectors.averages)
def the_average_does_not_share_memory_with_the_parameters(f, average, params, average_decay):
    """Or it would follow every later step. ACTUAL: the average after the parameters were overwritten with 7."""
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


@law("adam_updates", vectors.updates, 1e-5)
def each_update_is_one_step_along_the_sum_of_its_terms(f, params, terms, learning_rate):
    """Adam's definition, with the weighted means written out; ascent, β 0.9 and 0.999, floor 10⁻⁸."""
    return f(params, terms, learning_rate), adam_by_definition(params, terms.sum(axis=1), learning_rate)


@law("adam_updates", vectors.updates, 1e-5)
def the_first_update_moves_uphill_by_the_learning_rate(f, params, terms, learning_rate):
    """p + α sign(d) after one update, whatever the size of d. ACTUAL: your answer for the first update alone."""
    return f(params, terms[:1], learning_rate), params + learning_rate * np.sign(terms[0].sum(axis=0))


@law("adam_updates", vectors.updates, 1e-5)
def only_the_sum_of_the_terms_matters(f, params, terms, learning_rate):
    """Policy, entropy and critic are one gradient. DESIRED: your answer with each update's terms added first."""
    return f(params, terms, learning_rate), f(params, terms.sum(axis=1, keepdims=True), learning_rate)


@law("adam_updates", vectors.updates, 1e-5)
def a_constant_gradient_moves_evenly(f, params, terms, learning_rate):
    """Three equal updates move by 3 α sign(d), because both means are corrected for their start."""
    return f(params, np.repeat(terms[:1], 3, axis=0), learning_rate), \
        params + 3 * learning_rate * np.sign(terms[0].sum(axis=0))


@law("adam_updates", vectors.updates, 1e-5)
def the_scale_of_the_gradients_does_not_matter(f, params, terms, learning_rate):
    """ACTUAL: your answer with all gradients times 100."""
    return f(params, 100 * terms, learning_rate), f(params, terms, learning_rate)
