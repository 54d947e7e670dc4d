"""Wrong versions of the softmax, the behaviour and the importance weights."""
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

    Seen: π sums to more than 1, masked actions can be drawn, V leaks the Q of masked actions.
    Met: PyDial's ACER (helloric/pydial3 34988f4) adds 1e-5 after the softmax; openai/baselines adds eps to μ.
    """
    return softmax(logits, masks) + 1e-5


@wrong("masked_softmax")
def the_mask_multiplies_the_logits(logits, masks):
    """Masked logits are multiplied by 0 instead of being set to -∞.

    Seen: a masked action has the weight exp 0 = 1, often more than the allowed ones.
    Met: habit, from masking by multiplication.
    """
    return softmax(logits * masks, np.ones_like(masks))


@wrong("masked_softmax")
def masked_after_the_softmax(logits, masks):
    """The mask is laid over the finished probabilities, which are not normalised again.

    Seen: π sums to less than 1, the less the more is masked.
    Met: habit.
    """
    return softmax(logits, np.ones_like(masks)) * masks


@wrong("masked_softmax")
def exponentials_that_overflow(logits, masks):
    """The largest logit is not subtracted first.

    Seen: nan as soon as a logit passes 709.
    Met: habit, the textbook formula typed as printed.
    """
    e = np.exp(logits) * masks
    return e / e.sum(axis=1, keepdims=True)


@wrong("masked_softmax")
def normalised_over_the_turns(logits, masks):
    """The sum runs over the first axis, the turns, not over the actions.

    Seen: right for square-looking data in a quick check of the total; every row is off.
    Met: habit, a forgotten axis=-1.
    """
    e = np.exp(logits) * masks
    return e / np.maximum(e.sum(axis=0, keepdims=True), 1e-300)


@wrong("epsilon_greedy")
def best_of_all_actions_before_the_mask(values, masks, epsilon):
    """The best action is looked for before the mask is applied.

    Seen: probability on a forbidden action.
    Met: google-deepmind/trfl issue 27 has an example.
    """
    return (1 - epsilon) * best_allowed(values, np.ones_like(masks)) + epsilon * uniform(masks)


@wrong("epsilon_greedy")
def epsilon_shared_among_all_actions(values, masks, epsilon):
    """ε is divided by the number of all actions instead of the allowed ones.

    Seen: μ of the allowed actions sums to less than 1, so ρ is too large.
    Met: PyDial's A2C and eNAC (helloric/pydial3 34988f4).
    """
    return (1 - epsilon) * best_allowed(values, masks) + epsilon * masks / masks.shape[1]


@wrong("epsilon_greedy")
def exploration_never_hits_the_best(values, masks, epsilon):
    """The best action is stored with 1 - ε, though a uniform draw may hit it too.

    Seen: μ sums to less than 1; ρ of greedy actions is too large, most of all when ε is large.
    Met: habit.
    """
    best = best_allowed(values, masks)
    return np.where(best > 0, 1 - epsilon, epsilon * uniform(masks))


@wrong("epsilon_greedy")
def the_softmax_is_stored(values, masks, epsilon):
    """Actions are drawn ε-greedily, but the softmax of the values is stored as μ.

    Seen: fresh dialogues look on-policy, traces are not cut, Qret estimates the behaviour's value.
    Met: TonghanWang/DOP issue 21 asks about it; the paper says "save values of π".
    """
    return softmax(values, masks)


@wrong("epsilon_greedy")
def epsilon_applied_twice(values, masks, epsilon):
    """The mixture with ε is mixed with ε once more.

    Seen: more exploration is stored than was done, ρ of explored actions is too small.
    Met: TonghanWang/DOP issue 21.
    """
    once = (1 - epsilon) * best_allowed(values, masks) + epsilon * uniform(masks)
    return (1 - epsilon) * once + epsilon * uniform(masks)


@wrong("epsilon_greedy")
def the_worst_action_is_preferred(values, masks, epsilon):
    """The preferred action is the one with the lowest value.

    Seen: an agent that learns and behaves as if it had learned the opposite.
    Met: thomason-jesse/nlu_pipeline (1577ff8) minimised a similarity; mended later.
    """
    return (1 - epsilon) * best_allowed(-values, masks) + epsilon * uniform(masks)


@wrong("mixed_behaviour")
def the_policy_is_stored_for_the_behaviour(pi, masks, epsilon):
    """π is stored, though a share ε of the actions was drawn evenly.

    Seen: nothing in a learning curve at first; ρ is 1 for data that is nearly random.
    Met: the paper's algorithm 1 saves "values of π"; TonghanWang/DOP issue 21.
    """
    return pi


@wrong("mixed_behaviour")
def explores_over_masked_actions_too(pi, masks, epsilon):
    """The even part covers all actions.

    Seen: forbidden actions are drawn, and μ of allowed ones is too small.
    Met: habit.
    """
    return (1 - epsilon) * pi + epsilon / pi.shape[1]


@wrong("mixed_behaviour")
def epsilon_and_its_rest_swapped(pi, masks, epsilon):
    """ε weighs the policy and 1 - ε the even part.

    Seen: an agent that explores more, the more it should have learned.
    Met: habit.
    """
    return epsilon * pi + (1 - epsilon) * uniform(masks)


@wrong("mixed_behaviour")
def a_floor_and_a_new_norm(pi, masks, epsilon):
    """Each allowed probability is raised to ε / n at least, and the row normalised, instead of mixing.

    Seen: close to the mixture for small ε, so unnoticed; the stored μ is not what was drawn from.
    Met: habit.
    """
    raised = np.maximum(pi, epsilon * uniform(masks))
    return raised / raised.sum(axis=1, keepdims=True)


@wrong("importance_weights")
def the_ratio_upside_down(pi, mu, actions):
    """μ / π.

    Seen: actions that π likes are weighed down.
    Met: habit; min(c, μ/π) looks plausible in a log.
    """
    rows = np.arange(len(pi))
    return mu[rows, actions] / pi[rows, actions]


@wrong("importance_weights")
def another_action_in_the_numerator(pi, mu, actions):
    """π is evaluated at its own best action, μ at the action taken.

    Seen: a ratio of two different actions; its mean over μ is not 1.
    Met: ray-project/ray issue 7107 and awarebayes/RecNN issue 7, with a freshly drawn action.
    """
    rows = np.arange(len(pi))
    return pi.max(axis=1) / mu[rows, actions]


@wrong("importance_weights")
def both_from_the_same_pass(pi, mu, actions):
    """The stored μ is not used: new and old probability come from the same policy.

    Seen: ρ is always 1, the off-policy part is dead.
    Met: tensorforce/tensorforce issue 312; meta-pytorch/torchforge pull request 571.
    """
    rows = np.arange(len(pi))
    return pi[rows, actions] / np.where(pi[rows, actions] > 0, pi[rows, actions], 1.0)


@wrong("importance_weights")
def a_constant_in_the_denominator(pi, mu, actions):
    """10⁻⁶ is added to μ against division by 0, which cannot happen for an action that was taken.

    Seen: ρ below 1 on-policy, the more so the rarer the action.
    Met: openai/baselines adds eps to μ; chainerrl removed it (8b59a090).
    """
    rows = np.arange(len(pi))
    return pi[rows, actions] / (mu[rows, actions] + 1e-6)


@wrong("importance_weights")
def a_column_against_a_row(pi, mu, actions):
    """π comes as (n, 1) and μ as (n,), so the quotient is (n, n).

    Seen: no error; harmless if only summed, wrong as soon as it is multiplied.
    Met: floodsung/a2c_cartpole_pytorch issue 3; RITCHIEHuang/DeepRL_Algorithms issue 13.
    """
    rows = np.arange(len(pi))
    return pi[rows, actions][:, None] / mu[rows, actions]


@wrong("importance_weights")
def normalised_over_the_batch(pi, mu, actions):
    """The weights are divided by their mean over the minibatch.

    Seen: smaller variance, and a bias that depends on which other dialogues were drawn.
    Met: habit, weighted importance sampling where plain weights are meant.
    """
    rows = np.arange(len(pi))
    rho = pi[rows, actions] / mu[rows, actions]
    return rho / max(rho.mean(), 1e-300)
