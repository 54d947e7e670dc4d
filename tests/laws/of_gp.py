"""Laws of GP-SARSA: Q ~ GP(0, ⟨b, b'⟩ δ(a, a')), and of the kernel between payloads."""
import numpy as np

from tests.laws import vectors
from tests.laws.law import definition, identity, invariance

TOLERANCE = 1e-7        # for forms that grow a factor turn by turn, or leave out what is novel by less than rounding


def gram(beliefs, actions, other_beliefs, other_actions):
    return beliefs @ other_beliefs.T * (actions[:, None] == other_actions[None, :])


def prior(case):
    return (case["query_beliefs"] ** 2).sum(axis=1)


def answer(f, case, **changes):
    """(2, m) means and variances, some arguments of the case replaced."""
    return f(*(case | changes).values())


def only(case, rows, lengths):
    """The arguments that leave just these turns, as dialogues of these lengths."""
    return dict(lengths=np.array(lengths)) | {name: case[name][rows] for name in ("beliefs", "actions", "rewards")}


@definition("gp_posterior", vectors.talks, TOLERANCE)
def it_is_regression_on_the_returns(f, **case):
    """Mean k*ᵀ (K + σ²I)⁻¹ R and variance k** - k*ᵀ (K + σ²I)⁻¹ k*, R being the returns of ended dialogues."""
    x, gamma = (case["beliefs"], case["actions"]), case["gamma"]
    returns = [sum(gamma ** (t - i) * r[t] for t in range(i, len(r)))
               for r in np.split(case["rewards"], np.cumsum(case["lengths"])[:-1]) for i in range(len(r))]
    inverse = np.linalg.inv(gram(*x, *x) + case["noise_std"] ** 2 * np.eye(len(returns)))
    cross = gram(*x, case["query_beliefs"], case["query_actions"])
    desired = np.array([cross.T @ inverse @ returns, prior(case) - np.diag(cross.T @ inverse @ cross)])
    return answer(f, case), desired


@identity("gp_posterior", vectors.talks, TOLERANCE)
def one_turn_shrinks_its_reward_by_the_noise(f, **case):
    """After a dialogue of one turn with k = ⟨b, b⟩: mean r k/(k+σ²), variance k σ²/(k+σ²) at that point."""
    first, variance = only(case, [0], [1]), case["noise_std"] ** 2
    b, a, r = first["beliefs"], first["actions"], first["rewards"][0]
    k = b[0] @ b[0]
    return answer(f, case, **first, query_beliefs=b, query_actions=a), np.array([[r], [variance]]) * k / (k + variance)


@identity("gp_posterior", vectors.talks, TOLERANCE)
def an_action_never_taken_keeps_its_prior(f, **case):
    """Mean 0 and variance ⟨b, b⟩ at a third action."""
    return answer(f, case, query_actions=np.array([2, 2])), np.array([np.zeros(2), prior(case)])


@identity("gp_posterior", vectors.talks, TOLERANCE)
def the_variance_lies_between_zero_and_the_prior(f, **case):
    """0 ≤ variance ≤ ⟨b, b⟩. ACTUAL: the variances."""
    actual = answer(f, case)[1]
    return actual, np.clip(actual, 0.0, prior(case))


@identity("gp_posterior", vectors.talks, TOLERANCE)
def another_dialogue_never_raises_the_variance(f, **case):
    """ACTUAL: the variances after the first dialogue was played twice. Bound: after it was played once."""
    n = case["lengths"][0]
    once = answer(f, case, **only(case, np.arange(n), [n]))[1]
    twice = answer(f, case, **only(case, np.tile(np.arange(n), 2), [n, n]))[1]
    return twice, np.minimum(twice, once)


@invariance("gp_posterior", vectors.talks, TOLERANCE)
def the_mean_follows_the_rewards_and_the_variance_ignores_them(f, **case):
    """-3 r gives -3 times the mean, and the same variance. ACTUAL: your answer for -3 r."""
    return answer(f, case, rewards=-3 * case["rewards"]), answer(f, case) * np.array([[-3.0], [1.0]])


@invariance("gp_posterior", vectors.talks, TOLERANCE)
def the_order_of_dialogues_does_not_matter(f, **case):
    """ACTUAL: your answer for the dialogues in reverse order."""
    dialogues = np.split(np.arange(len(case["rewards"])), np.cumsum(case["lengths"])[:-1])
    return answer(f, case, **only(case, np.concatenate(dialogues[::-1]), case["lengths"][::-1])), answer(f, case)


@identity("payload_kernel", vectors.payloads)
def a_payload_is_like_itself(f, payloads, others):
    """k(P, P) = 1 for every payload, also for the empty one. ACTUAL: the diagonal."""
    return np.diag(f(payloads, payloads)), np.ones(len(payloads))


@definition("payload_kernel", vectors.payloads)
def it_is_the_cosine_of_the_slots_told(f, payloads, others):
    """k(P, P') √(|P| |P'|) = |P ∩ P'|. ACTUAL: the left side."""
    sizes = np.sqrt(np.outer(payloads.sum(axis=1), others.sum(axis=1)))
    return f(payloads, others) * sizes, np.array([[sum(p * o) for o in others] for p in payloads])


@identity("payload_kernel", vectors.payloads)
def the_empty_payload_is_like_no_other(f, payloads, others):
    """k(∅, P) = 0 for P ≠ ∅, and k(∅, ∅) = 1. ACTUAL: the row of ∅."""
    return f(np.zeros_like(others[:1]), others)[0], (others.sum(axis=1) == 0).astype(float)


@identity("payload_kernel", vectors.payloads)
def it_is_a_covariance(f, payloads, others):
    """K is symmetric and has no negative eigenvalue. ACTUAL: K, and its lowest eigenvalue in the last row."""
    both = np.concatenate([payloads, others])
    K = f(both, both)
    lowest = np.linalg.eigvalsh((K + K.T) / 2)[0]
    return np.vstack([K, np.full(len(K), lowest)]), np.vstack([(K + K.T) / 2, np.full(len(K), max(lowest, 0.0))])


@identity("gp_posterior_sparse", vectors.talks_of_few_beliefs, TOLERANCE)
def points_that_repeat_cost_nothing(f, **case):
    """Where every point is new or known, the dictionary has all of them, and the posterior is the exact one."""
    exact = {name: value for name, value in case.items() if name != "novelty_threshold"}
    return answer(f, case), it_is_regression_on_the_returns.check(lambda *_: None, **exact)[1]


SPARSE = dict(subject="gp_posterior_sparse", draw=vectors.sparse_talks)
variance_of_sparse = the_variance_lies_between_zero_and_the_prior._replace(**SPARSE)
prior_of_sparse = an_action_never_taken_keeps_its_prior._replace(**SPARSE)
