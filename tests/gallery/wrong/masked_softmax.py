"""Wrong versions of masked_softmax."""
import numpy as np

from tests.gallery.parts import softmax


def a_constant_is_added_to_be_safe(logits, masks):
    """10⁻⁵ is added to every probability, to protect the logarithm.

    Symptom: π sums to more than 1, masked actions can be drawn, V leaks the Q of masked actions.
    Found in: PyDial's ACER (helloric/pydial3 34988f4) adds 1e-5 after the softmax; openai/baselines adds eps to μ.
    """
    return softmax(logits, masks) + 1e-5


def the_mask_multiplies_the_logits(logits, masks):
    """Masked logits are multiplied by 0 instead of being set to -∞.

    Symptom: a masked action has the weight exp 0 = 1, often more than an allowed one.
    """
    return softmax(logits * masks, np.ones_like(masks))


def masked_after_the_softmax(logits, masks):
    """The mask is laid over the finished probabilities, which are not normalised again.

    Symptom: π sums to less than 1.
    """
    return softmax(logits, np.ones_like(masks)) * masks


def exponentials_that_overflow(logits, masks):
    """The largest logit is not subtracted first.

    Symptom: nan as soon as a logit passes 709.
    """
    e = np.exp(logits) * masks
    return e / e.sum(axis=1, keepdims=True)


def normalised_over_the_turns(logits, masks):
    """The sum runs over the turns, not over the actions.

    Symptom: shapes are right, but columns sum to 1 instead of rows.
    """
    e = np.exp(logits) * masks
    return e / np.maximum(e.sum(axis=0, keepdims=True), 1e-300)


def a_hundred_is_taken_off(logits, masks):
    """100 is subtracted from masked logits instead of ∞.

    Symptom: a masked action can be drawn where its logit is high.
    """
    return softmax(logits - 100.0 * ~masks, np.ones_like(masks))
