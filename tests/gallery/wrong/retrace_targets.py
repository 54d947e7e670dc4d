"""Wrong versions of retrace_targets."""
import numpy as np

from tests.gallery import right
from tests.gallery.parts import clipped, recursion, retrace


def values_of_the_same_turn(rewards, q_a, v, rho_a, gamma, trace_decay):
    """V of the turn itself instead of V of the next one.

    Symptom: every target uses the wrong belief.
    Found in: seungeunrho/minimalRL (c8efed8) at the end of a rollout, see its pull request 16.
    """
    c = clipped(rho_a, trace_decay)
    return recursion(rewards, gamma, lambda t, q: v[max(t - 1, 0)] + c[t] * (q - q_a[t]))


def the_last_value_is_set_to_zero(rewards, q_a, v, rho_a, gamma, trace_decay):
    """V of the last belief is multiplied by 1 - done; only the value after the end is 0.

    Symptom: the turn before the last is told that nothing good follows; the last advantage is too large.
    Found in: dchetelat/acer (fdac933), agent.py.
    """
    v = np.append(v[:-1], 0.0)
    return retrace(rewards, q_a, v, clipped(rho_a, trace_decay), gamma)


def traces_computed_and_not_used(rewards, q_a, v, rho_a, gamma, trace_decay):
    """The target itself is carried back instead of V + c (Qret - Q): a plain return.

    Symptom: no off-policy correction at all.
    Found in: younggyoseo/pytorch-acer (d37932c), algo/acer.py; acyclics/MPO issue 1.
    """
    return recursion(rewards, gamma, lambda t, q: q)


def the_last_turn_is_sliced_off(rewards, q_a, v, rho_a, gamma, trace_decay):
    """The last turn is removed before the loss, and its value replaces its reward.

    Symptom: the final reward is never trained on.
    Found in: michaelnny/deep_rl_zoo issue 15.
    """
    c = clipped(rho_a, trace_decay)
    return np.append(recursion(rewards[:-1], gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]), v[-1]), q_a[-1])


def products_of_traces_cut_at_5(rewards, q_a, v, rho_a, gamma, trace_decay):
    """Traces are cut at c = 5 of the policy gradient instead of 1.

    Symptom: the right fixed point, and targets that explode on the way to it.
    Found in: the paper's algorithm 2 as printed.
    """
    return retrace(rewards, q_a, v, trace_decay * np.minimum(5.0, rho_a), gamma)


def the_trace_of_the_turn_before(rewards, q_a, v, rho_a, gamma, trace_decay):
    """c_t instead of c_{t+1} weighs the error of turn t + 1.

    Symptom: Q(b, a) is corrected for a, which it is conditioned on; fixed point and bound hold.
    Found in: ai.stackexchange.com question 27443; rlax re-dated its inputs (fb8829e).
    """
    return retrace(rewards, q_a, v, np.append(1.0, clipped(rho_a, trace_decay)[:-1]), gamma)


def a_discount_forgotten_on_one_term(rewards, q_a, v, rho_a, gamma, trace_decay):
    """r + γ V - c Q + γ c Qret: the second term lacks its γ.

    Symptom: none for γ = 1; otherwise a bias.
    Found in: a comment of google-deepmind/trfl, whose code was right; mended in fa0324c after issue 24.
    """
    c, q_ret = clipped(rho_a, trace_decay), rewards.copy()
    for t in reversed(range(len(rewards) - 1)):
        q_ret[t] += gamma * v[t + 1] - c[t + 1] * q_a[t + 1] + gamma * c[t + 1] * q_ret[t + 1]
    return q_ret


def a_ratio_on_the_error_as_in_v_trace(rewards, q_a, v, rho_a, gamma, trace_decay):
    """min(1, ρ_t) multiplies the error of turn t itself, as V-trace does for V.

    Symptom: Q of actions that π avoids is not corrected.
    Found in: pytorch/rl pull request 4124, as a warning.
    """
    c, errors = clipped(rho_a, trace_decay), rewards + gamma * np.append(v[1:], 0.0) - q_a
    return q_a + recursion(np.minimum(1.0, rho_a) * errors, gamma, lambda t, error: c[t] * error)


def errors_against_v_as_in_gae(rewards, q_a, v, rho_a, gamma, trace_decay):
    """The error is r + γ V_{t+1} - V_t, and the target V plus those: GAE's window with traces.

    Symptom: right where Q = V; as a target for V it makes Q of all actions alike.
    Found in: chainerrl trained V where Q was meant; mended in 3d9b93a2.
    """
    c = clipped(rho_a, trace_decay)
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - v[t]))


def traces_multiplied_from_the_start(rewards, q_a, v, rho_a, gamma, trace_decay):
    """Each error is weighed by the product of all traces since the first turn, not since the turn in question.

    Symptom: late turns hardly learn.
    Found in: PyDial's A2C (helloric/pydial3 34988f4) carries one running product of ratios.
    """
    return retrace(rewards, q_a, v, np.cumprod(np.append(1.0, clipped(rho_a, trace_decay)[1:])), gamma)


def targets_written_over_the_values(rewards, q_a, v, rho_a, gamma, trace_decay):
    """The targets are written into the array of Q.

    Symptom: the targets are right; the correction that follows uses Qret instead of Q.
    Found in: IntelLabs/coach (2c60cb5), acer_agent.py.
    """
    c, values = clipped(rho_a, trace_decay), q_a.copy()
    q_a[:] = recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - values[t]))
    return q_a


def errors_of_four_turns_only(rewards, q_a, v, rho_a, gamma, trace_decay):
    """Errors more than four turns ahead are dropped.

    Symptom: the first turns of long dialogues do not learn how these ended.
    """
    columns, n = (rewards, q_a, v, rho_a), len(v)
    return [right.retrace_targets(*(x[t:] for x in columns), gamma, trace_decay)[0] if t + 5 >= n else
            right.retrace_at_a_cut(*(x[t:t + 5] for x in columns), gamma, trace_decay, v[t + 5])[0]
            for t in range(n)]


def targets_kept_within_twenty(rewards, q_a, v, rho_a, gamma, trace_decay):
    """Targets are clipped to ±20.

    Symptom: none while returns are small.
    """
    return np.clip(right.retrace_targets(rewards, q_a, v, rho_a, gamma, trace_decay), -20.0, 20.0)
