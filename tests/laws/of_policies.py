"""Laws of the softmax, of the behaviour and of importance weights: what sums to one, and over which actions."""
from functools import partial

import numpy as np

from tests.laws import turns
from tests.laws.law import definition, identity, invariance


@identity("masked_softmax", turns.logits, 1e-12)
def probabilities_sum_to_one(f, logits, masks):
    """Σ_a π(a) = 1 to rounding, so no constant may be added. ACTUAL: the sums."""
    return f(logits, masks).sum(axis=1), np.ones(len(logits))


@identity("masked_softmax", turns.logits, 0.0)
def what_is_masked_has_no_probability(f, logits, masks):
    """π(a) = 0 exactly where the mask forbids a: a large negative logit may not be enough. ACTUAL: their π."""
    return f(logits, masks)[~masks], np.zeros((~masks).sum())


@definition("masked_softmax", turns.logits)
def two_probabilities_relate_as_their_exponentials(f, logits, masks):
    """π(a) exp l(b) = π(b) exp l(a) for allowed a and b. ACTUAL: the left sides, (n, A, A)."""
    both = masks[:, :, None] & masks[:, None, :]
    left = f(logits, masks)[:, :, None] * np.exp(logits)[:, None, :]
    return np.where(both, left, 0.0), np.where(both, left.transpose(0, 2, 1), 0.0)


@invariance("masked_softmax", turns.logits)
def a_constant_added_to_all_logits_changes_nothing(f, logits, masks):
    """Exponentials must not overflow. ACTUAL: π of l + 1000."""
    return f(logits + 1000.0, masks), f(logits, masks)


@invariance("masked_softmax", turns.logits)
def the_logit_of_a_masked_action_does_not_matter(f, logits, masks):
    """ACTUAL: π with the masked logits raised by 1000."""
    return f(np.where(masks, logits, logits + 1000.0), masks), f(logits, masks)


def sum_and_masked_mass(mu, masks):
    """(n, 2) the sum of each row, and the share of masked actions in it."""
    return np.column_stack([mu.sum(axis=1), np.abs(np.where(masks, 0.0, mu)).sum(axis=1)])


@identity("epsilon_greedy", turns.preferences, 1e-12)
def the_behaviour_is_a_distribution_over_allowed_actions(f, values, masks, epsilon):
    """Σ_a μ(a) = 1, and 0 where masked. ACTUAL: for each row, the sum and the share of masked actions."""
    return sum_and_masked_mass(f(values, masks, epsilon), masks), np.array([[1.0, 0.0]] * len(values))


@definition("epsilon_greedy", turns.preferences)
def every_allowed_action_has_its_share_of_epsilon(f, values, masks, epsilon):
    """μ(a) = ε / n for an allowed action that is not the best of the n allowed ones. ACTUAL: their μ."""
    others = masks & (values < np.where(masks, values, -np.inf).max(axis=1, keepdims=True))
    shares = np.repeat(epsilon / masks.sum(axis=1, keepdims=True), values.shape[1], axis=1)
    return f(values, masks, epsilon)[others], shares[others]


@definition("epsilon_greedy", turns.preferences)
def the_best_allowed_action_gets_the_rest(f, values, masks, epsilon):
    """μ(a*) = 1 - ε + ε / n, because a uniform draw may hit it, too. ACTUAL: μ(a*)."""
    best = masks & (values == np.where(masks, values, -np.inf).max(axis=1, keepdims=True))
    return f(values, masks, epsilon)[best], 1 - epsilon + epsilon / masks.sum(axis=1)


@invariance("epsilon_greedy", turns.preferences)
def the_value_of_a_masked_action_does_not_matter(f, values, masks, epsilon):
    """ACTUAL: μ with the masked values raised above all others."""
    return f(np.where(masks, values, values + 50.0), masks, epsilon), f(values, masks, epsilon)


@identity("mixed_behaviour", turns.masked_turns, 1e-12)
def the_mixture_is_a_distribution_over_allowed_actions(f, pi, masks, epsilon):
    """Σ_a μ(a) = 1, and 0 where masked. ACTUAL: for each row, the sum and the share of masked actions."""
    return sum_and_masked_mass(f(pi, masks, epsilon), masks), np.array([[1.0, 0.0]] * len(pi))


@identity("mixed_behaviour", turns.masked_turns)
def without_exploration_it_is_the_policy(f, pi, masks, epsilon):
    """ε = 0: μ = π."""
    return f(pi, masks, 0.0), pi


@identity("mixed_behaviour", turns.masked_turns)
def exploration_is_uniform_over_allowed_actions(f, pi, masks, epsilon):
    """ε = 1: μ = 1 / n for each of the n allowed actions."""
    return f(pi, masks, 1.0), masks / masks.sum(axis=1, keepdims=True)


@identity("mixed_behaviour", turns.masked_turns)
def it_moves_in_a_straight_line_with_epsilon(f, pi, masks, epsilon):
    """μ_ε = (1-ε) μ_0 + ε μ_1, because an action is drawn from μ_1 with probability ε."""
    return f(pi, masks, epsilon), (1 - epsilon) * f(pi, masks, 0.0) + epsilon * f(pi, masks, 1.0)


@identity("importance_weights", turns.turns)
def on_policy_every_weight_is_one(f, pi, mu, actions):
    """ρ = 1 where π = μ, so nothing may be added to either. ACTUAL: ρ for π = μ."""
    return f(mu, mu, actions), np.ones(len(mu))


@definition("importance_weights", turns.turns)
def a_weight_times_the_behaviour_is_the_policy(f, pi, mu, actions):
    """ρ_t μ(a_t) = π(a_t), of the action taken. ACTUAL: the left side."""
    rows = np.arange(len(pi))
    return f(pi, mu, actions) * mu[rows, actions], pi[rows, actions]


@identity("importance_weights", partial(turns.one_belief, smallest=0))
def the_mean_weight_is_the_mass_that_the_behaviour_covers(f, pi, mu, q, rho_max):
    """Σ_a μ(a) ρ(a) = Σ_a π(a), both over the actions that μ takes. ACTUAL: the left side."""
    tried = np.flatnonzero(mu)
    rho = f(np.tile(pi, (len(tried), 1)), np.tile(mu, (len(tried), 1)), tried)
    return mu[tried] @ rho, pi[tried].sum()


@invariance("importance_weights", turns.turns)
def the_weights_of_several_turns_are_those_of_each(f, pi, mu, actions):
    """One number per turn, which does not depend on the other turns. DESIRED: your answers turn by turn."""
    return f(pi, mu, actions), np.array([f(pi[[t]], mu[[t]], actions[[t]]).item() for t in range(len(pi))])
