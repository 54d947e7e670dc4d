"""Wrong versions of trust_region."""
import numpy as np

from tests.gallery.parts import dot, over


def divided_by_the_wrong_square(g, k, kl_limit):
    """‖g‖² instead of ‖k‖².

    Symptom: the limit is not kept, or too much is taken away.
    Found in: dchetelat/acer (fdac933): mended in the continuous agent, not in the discrete one.
    """
    return g - over(np.maximum(0.0, dot(k, g) - kl_limit), dot(g, g)) * k


def a_constant_added_to_the_square(g, k, kl_limit):
    """10⁻⁶ is added to ‖k‖² against division by 0.

    Symptom: the limit is missed, the more the smaller k is.
    Found in: openai/baselines.
    """
    return g - np.maximum(0.0, dot(k, g) - kl_limit) / (dot(k, k) + 1e-6) * k


def divided_by_the_norm_once(g, k, kl_limit):
    """‖k‖ instead of ‖k‖².

    Symptom: right where ‖k‖ is 1.
    """
    return g - over(np.maximum(0.0, dot(k, g) - kl_limit), np.sqrt(dot(k, k))) * k


def the_number_without_its_direction(g, k, kl_limit):
    """The multiplier is subtracted without k.

    Symptom: all entries shift alike.
    Found in: chainerrl, mended in a3143297.
    """
    return g - over(np.maximum(0.0, dot(k, g) - kl_limit), dot(k, k))


def always_on_the_limit(g, k, kl_limit):
    """max(0, ·) is missing.

    Symptom: steps within the limit are stretched until they reach it.
    Found in: Kaixhin/ACER, mended in debe450.
    """
    return g - over(dot(k, g) - kl_limit, dot(k, k)) * k


def the_maximum_of_each_entry(g, k, kl_limit):
    """max(0, ·) is taken of the product with k, entry by entry.

    Symptom: right while all entries of k are positive.
    Found in: the KKT solution as printed in the paper.
    """
    return g - np.maximum(0.0, over(dot(k, g) - kl_limit, dot(k, k)) * k)


def pushed_outwards(g, k, kl_limit):
    """The multiple of k is added.

    Symptom: the divergence grows twice as fast.
    Found in: Kaixhin/ACER issues 1 and 11 discuss the sign.
    """
    return g + over(np.maximum(0.0, dot(k, g) - kl_limit), dot(k, k)) * k


def a_mean_against_a_sum(g, k, kl_limit):
    """g was divided by the number of rows, k and δ were not.

    Symptom: the larger the batch, the less the limit binds.
    Found in: opendilab/DI-engine (d0b21d0) divides g; dchetelat/acer (fdac933) takes both means.
    """
    return g - len(g) * over(np.maximum(0.0, dot(k, g / len(g)) - kl_limit), dot(k, k)) * k


def one_multiplier_from_the_mean_of_the_rows(g, k, kl_limit):
    """k · g and ‖k‖² are averaged over the rows, and every row is moved by the same multiple.

    Symptom: rows within their limit are moved, others not enough.
    Found in: Kaixhin/ACER (c0eae34), whose rows have the entry of the action taken only.
    """
    return g - over(np.maximum(0.0, dot(k, g).mean(axis=0) - kl_limit), dot(k, k).mean(axis=0)) * k


def the_whole_step_made_shorter(g, k, kl_limit):
    """g is scaled until it keeps the limit, as a norm is clipped.

    Symptom: the limit is kept, but directions without divergence are shortened, too.
    """
    return g * np.minimum(1.0, np.where(dot(k, g) > kl_limit, over(np.full(dot(k, g).shape, kl_limit), dot(k, g)), 1.0))


def no_guard_for_no_divergence(g, k, kl_limit):
    """0/0 where k = 0.

    Symptom: none for δ > 0, where -∞ is cut at 0; nan for δ = 0.
    Found in: PyDial's acer.py (helloric/pydial3 34988f4).
    """
    return g - np.maximum(0.0, (dot(k, g) - kl_limit) / dot(k, k)) * k
