"""Wrong versions of the softmax and of the behaviour."""
import numpy as np

from tests.gallery.version import wrong


def uniform(masks):
    return masks / masks.sum(axis=1, keepdims=True)


def softmax(logits, masks):
    logits = np.where(masks, logits, -np.inf)
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def best_allowed(values, masks):
    return np.eye(values.shape[1])[np.where(masks, values, -np.inf).argmax(axis=1)]


@wrong("masked_softmax")
def a_constant_is_added_to_be_safe(logits, masks):
    """10⁻⁵ is added to every probability, to protect the logarithm.

    Symptom: π sums to more than 1, masked actions can be drawn, V leaks the Q of masked actions.
    Found in: PyDial's ACER (helloric/pydial3 34988f4) adds 1e-5 after the softmax; openai/baselines adds eps to μ.
    """
    return softmax(logits, masks) + 1e-5


@wrong("masked_softmax")
def the_mask_multiplies_the_logits(logits, masks):
    """Masked logits are multiplied by 0 instead of being set to -∞.

    Symptom: a masked action has the weight exp 0 = 1, often more than an allowed one.
    """
    return softmax(logits * masks, np.ones_like(masks))


@wrong("masked_softmax")
def masked_after_the_softmax(logits, masks):
    """The mask is laid over the finished probabilities, which are not normalised again.

    Symptom: π sums to less than 1.
    """
    return softmax(logits, np.ones_like(masks)) * masks


@wrong("masked_softmax")
def exponentials_that_overflow(logits, masks):
    """The largest logit is not subtracted first.

    Symptom: nan as soon as a logit passes 709.
    """
    e = np.exp(logits) * masks
    return e / e.sum(axis=1, keepdims=True)


@wrong("masked_softmax")
def normalised_over_the_turns(logits, masks):
    """The sum runs over the turns, not over the actions.

    Symptom: shapes are right, but columns sum to 1 instead of rows.
    """
    e = np.exp(logits) * masks
    return e / np.maximum(e.sum(axis=0, keepdims=True), 1e-300)


@wrong("epsilon_greedy")
def best_of_all_actions_before_the_mask(values, masks, epsilon):
    """The best action is looked for before the mask is applied.

    Symptom: probability on a forbidden action.
    Found in: google-deepmind/trfl issue 27 has an example.
    """
    return (1 - epsilon) * best_allowed(values, np.ones_like(masks)) + epsilon * uniform(masks)


@wrong("epsilon_greedy")
def epsilon_shared_among_all_actions(values, masks, epsilon):
    """ε is divided by the number of all actions instead of the allowed ones.

    Symptom: μ of the allowed actions sums to less than 1, so ρ is too large.
    Found in: PyDial's A2C and eNAC (helloric/pydial3 34988f4).
    """
    return (1 - epsilon) * best_allowed(values, masks) + epsilon * masks / masks.shape[1]


@wrong("epsilon_greedy")
def exploration_never_hits_the_best(values, masks, epsilon):
    """The best action is stored with 1 - ε, though a uniform draw may hit it too.

    Symptom: μ sums to less than 1; ρ of greedy actions is too large, most of all when ε is large.
    """
    best = best_allowed(values, masks)
    return np.where(best > 0, 1 - epsilon, epsilon * uniform(masks))


@wrong("epsilon_greedy")
def the_softmax_is_stored(values, masks, epsilon):
    """Actions are drawn ε-greedily, but the softmax of the values is stored as μ.

    Symptom: fresh dialogues look on-policy, traces are not cut, Qret estimates the behaviour's value.
    Found in: TonghanWang/DOP issue 21 asks about it; the paper says "save values of π".
    """
    return softmax(values, masks)


@wrong("epsilon_greedy")
def epsilon_applied_twice(values, masks, epsilon):
    """The mixture with ε is mixed with ε once more.

    Symptom: more exploration is stored than was done, ρ of explored actions is too small.
    Found in: TonghanWang/DOP issue 21.
    """
    once = (1 - epsilon) * best_allowed(values, masks) + epsilon * uniform(masks)
    return (1 - epsilon) * once + epsilon * uniform(masks)


@wrong("epsilon_greedy")
def the_worst_action_is_preferred(values, masks, epsilon):
    """The preferred action is the one with the lowest value.

    Symptom: the agent learns, and does the opposite.
    Found in: thomason-jesse/nlu_pipeline (1577ff8) minimised a similarity; mended later.
    """
    return (1 - epsilon) * best_allowed(-values, masks) + epsilon * uniform(masks)


@wrong("mixed_behaviour")
def the_policy_is_stored_for_the_behaviour(pi, masks, epsilon):
    """π is stored, though a share ε of the actions was drawn evenly.

    Symptom: ρ is 1 for data that is nearly random.
    Found in: the paper's algorithm 1 saves "values of π"; TonghanWang/DOP issue 21.
    """
    return pi


@wrong("mixed_behaviour")
def explores_over_masked_actions_too(pi, masks, epsilon):
    """The even part covers all actions.

    Symptom: forbidden actions are drawn, and μ of allowed ones is too small.
    """
    return (1 - epsilon) * pi + epsilon / pi.shape[1]


@wrong("mixed_behaviour")
def epsilon_and_its_rest_swapped(pi, masks, epsilon):
    """ε weighs the policy and 1 - ε the even part.

    Symptom: the agent explores more the longer it trains.
    """
    return epsilon * pi + (1 - epsilon) * uniform(masks)


@wrong("mixed_behaviour")
def a_floor_and_a_new_norm(pi, masks, epsilon):
    """Each allowed probability is raised to ε / n at least, and the row normalised, instead of mixing.

    Symptom: close to the mixture for small ε; the stored μ is not what was drawn from.
    """
    raised = np.maximum(pi, epsilon * uniform(masks))
    return raised / raised.sum(axis=1, keepdims=True)
