"""Wrong versions of truncated_gradient."""
import numpy as np

from tests.gallery import right
from tests.gallery.parts import at_the_logits, parts


def no_correction(pi, mu, q, q_ret, actions, rho_max):
    """The second term is left out.

    Symptom: a bias that vanishes while every ρ is below c, so learning curves look fine.
    """
    onehot, w, advantage, _, _ = parts(pi, mu, q, q_ret, actions, rho_max)
    return at_the_logits(pi, (w * advantage)[:, None] * onehot)


def one_advantage_for_all_actions(pi, mu, q, q_ret, actions, rho_max):
    """The correction uses the advantage of the action taken for every action.

    Symptom: the correction should remove a bias, and adds one.
    Found in: dchetelat/acer (fdac933); chainerrl, mended in d84c46c8 with a remark on the pseudo-code; the paper's
        algorithm 2 computes A' for a_t only.
    """
    onehot, w, advantage, correction, each = parts(pi, mu, q, q_ret, actions, rho_max)
    taken = (onehot * each).sum(axis=1, keepdims=True)
    return at_the_logits(pi, (w * advantage)[:, None] * onehot + correction * taken)


def correction_of_the_action_taken_only(pi, mu, q, q_ret, actions, rho_max):
    """The sum over all actions is replaced by its term at a_t.

    Symptom: actions that the behaviour never takes are never corrected.
    Found in: the paper's algorithm 2 as printed, where C is outside any sum.
    """
    onehot, w, advantage, correction, each = parts(pi, mu, q, q_ret, actions, rho_max)
    return at_the_logits(pi, ((w * advantage)[:, None] + correction * each) * onehot)


def correction_without_its_probability(pi, mu, q, q_ret, actions, rho_max):
    """The weight is [1 - c/ρ(a)]_+ without the factor π(a).

    Symptom: rare actions are corrected far too much.
    Found in: chainerrl, mended in f6aa7cf2.
    """
    onehot, w, advantage, correction, each = parts(pi, mu, q, q_ret, actions, rho_max)
    return at_the_logits(pi, (w * advantage)[:, None] * onehot + correction / np.where(pi > 0, pi, 1.0) * each)


def correction_differentiated_through_its_weight(pi, mu, q, q_ret, actions, rho_max):
    """The gradient flows through π in π [1 - c/ρ]_+ A' log π, which is a constant there.

    Symptom: an extra factor log π + 1.
    Found in: Kaixhin/ACER (c0eae34); seungeunrho/minimalRL, mended in 36d0f5b.
    """
    onehot, w, advantage, correction, each = parts(pi, mu, q, q_ret, actions, rho_max)
    factor = 1 + np.log(np.where(pi > 0, pi, 1.0))
    return at_the_logits(pi, (w * advantage)[:, None] * onehot + correction * each * factor)


def correction_averaged_over_actions(pi, mu, q, q_ret, actions, rho_max):
    """The sum over actions is a mean.

    Symptom: a correction that is too small by the number of actions.
    """
    onehot, w, advantage, correction, each = parts(pi, mu, q, q_ret, actions, rho_max)
    return at_the_logits(pi, (w * advantage)[:, None] * onehot + correction * each / pi.shape[1])


def correction_with_the_ratio_upside_down(pi, mu, q, q_ret, actions, rho_max):
    """[1 - c ρ(a)]_+ instead of [1 - c/ρ(a)]_+.

    Symptom: corrects exactly the actions that need none.
    """
    onehot, w, advantage, _, each = parts(pi, mu, q, q_ret, actions, rho_max)
    correction = pi * np.maximum(0.0, 1 - rho_max * pi / np.where(mu > 0, mu, 1.0))
    return at_the_logits(pi, (w * advantage)[:, None] * onehot + correction * each)


def correction_without_the_positive_part(pi, mu, q, q_ret, actions, rho_max):
    """π - c μ is not cut at 0.

    Symptom: actions below the truncation are pushed the wrong way.
    """
    onehot, w, advantage, _, each = parts(pi, mu, q, q_ret, actions, rho_max)
    return at_the_logits(pi, (w * advantage)[:, None] * onehot + (pi - rho_max * mu) * each)


def correction_by_division(pi, mu, q, q_ret, actions, rho_max):
    """π (1 - c/(π/μ))_+ is computed by division: 0/0 for an action that neither policy takes.

    Symptom: nan as soon as an action is masked.
    Found in: chainerrl, mended in ac573dd8.
    """
    onehot, w, advantage, _, each = parts(pi, mu, q, q_ret, actions, rho_max)
    correction = pi * np.maximum(0.0, 1 - rho_max / (pi / mu))
    return at_the_logits(pi, (w * advantage)[:, None] * onehot + correction * each)


def truncated_at_one(pi, mu, q, q_ret, actions, rho_max):
    """min(1, ρ) of the traces is used for min(c, ρ).

    Symptom: for c > 1, weights between 1 and c are neither used nor corrected.
    Found in: pfnet/pfrl issue 198 discusses which constant goes where.
    """
    onehot, w, advantage, correction, each = parts(pi, mu, q, q_ret, actions, rho_max)
    return at_the_logits(pi, (np.minimum(1.0, w) * advantage)[:, None] * onehot + correction * each)


def never_truncated(pi, mu, q, q_ret, actions, rho_max):
    """The first term has the whole ρ, and the correction is added all the same.

    Symptom: actions with a large ρ count twice.
    """
    onehot, _, advantage, correction, each = parts(pi, mu, q, q_ret, actions, rho_max)
    rho = (onehot * pi).sum(axis=1) / (onehot * mu).sum(axis=1)
    return at_the_logits(pi, (rho * advantage)[:, None] * onehot + correction * each)


def targets_instead_of_values(pi, mu, q, q_ret, actions, rho_max):
    """Q(b, a_t) was overwritten by Qret, and the correction and V use it.

    Symptom: none where the critic is right.
    Found in: IntelLabs/coach (2c60cb5), acer_agent.py, where both are one array.
    """
    q[np.arange(len(q)), actions] = q_ret
    onehot, w, advantage, correction, each = parts(pi, mu, q, q_ret, actions, rho_max)
    return at_the_logits(pi, (w * advantage)[:, None] * onehot + correction * each)


def no_baseline_in_the_correction(pi, mu, q, q_ret, actions, rho_max):
    """The correction uses Q(a) instead of Q(a) - V.

    Symptom: the first term has a baseline and the second has none, so they do not cancel.
    """
    onehot, w, advantage, correction, _ = parts(pi, mu, q, q_ret, actions, rho_max)
    return at_the_logits(pi, (w * advantage)[:, None] * onehot + correction * q)


def at_the_log_probabilities(pi, mu, q, q_ret, actions, rho_max):
    """The weights of log π(a) are returned without the step through the softmax.

    Symptom: all logits drift together; rows do not sum to 0.
    """
    onehot, w, advantage, correction, each = parts(pi, mu, q, q_ret, actions, rho_max)
    return (w * advantage)[:, None] * onehot + correction * each


def one_mean_value_for_the_whole_batch(pi, mu, q, q_ret, actions, rho_max):
    """Qret (n,) meets V (n, 1), and the (n, n) advantages are averaged over the turns.

    Symptom: no error, right for a batch of one turn.
    Found in: seungeunrho/minimalRL (c8efed8) has such a broadcast where it does no harm;
        PacktPublishing/Deep-Reinforcement-Learning-Hands-On issue 33.
    """
    onehot, w, _, correction, each = parts(pi, mu, q, q_ret, actions, rho_max)
    advantage = (q_ret - (pi * q).sum(axis=1)[:, None]).mean(axis=0)
    return at_the_logits(pi, (w * advantage)[:, None] * onehot + correction * each)


def rare_actions_have_no_gradient(pi, mu, q, q_ret, actions, rho_max):
    """Logits of actions below 1 % get no gradient, and μ is raised to 1 %.

    Symptom: an action that became rare stays rare.
    """
    floored = np.maximum(mu, 0.01)
    return np.where(pi < 0.01, 0.0, right.truncated_gradient(pi, floored, q, q_ret, actions, rho_max))
