"""Wrong versions of the traces and of Retrace on one ended dialogue."""
import numpy as np

from tests.gallery.version import wrong


def recursion(rewards, gamma, carry, following=0.0):
    """Qret_t = r_t + γ carry(t + 1, Qret_{t+1}), `following` standing behind the last turn."""
    q_ret = np.zeros(len(rewards))
    for t in reversed(range(len(rewards))):
        q_ret[t] = rewards[t] + gamma * following
        following = carry(t, q_ret[t])
    return q_ret


def clipped(rho_a, trace_decay):
    return trace_decay * np.minimum(1.0, rho_a)


@wrong("traces")
def traces_cut_at_5(rho_a, trace_decay):
    """Cut at the truncation of the policy gradient, c = 5, instead of 1.

    Symptom: no bias, but products of up to 5^25: targets explode.
    Found in: the paper's algorithm 2 as printed; formulas with min(c, ·) on vietanh.dev/glossary/retrace.
    """
    return trace_decay * np.minimum(5.0, rho_a)


@wrong("traces")
def traces_never_cut(rho_a, trace_decay):
    """λ ρ: plain importance sampling.

    Symptom: enormous variance over long dialogues.
    """
    return trace_decay * rho_a


@wrong("traces")
def the_decay_inside_the_minimum(rho_a, trace_decay):
    """min(λ, ρ) instead of λ min(1, ρ).

    Symptom: none at λ = 1; for a smaller λ, traces are too long.
    """
    return np.minimum(trace_decay, rho_a)


@wrong("traces")
def the_decay_is_never_used(rho_a, trace_decay):
    """min(1, ρ): λ is not used.

    Symptom: learning curves do not depend on λ.
    Found in: Kaixhin/ACER (c0eae34), which reads the option and does not use it.
    """
    return np.minimum(1.0, rho_a)


@wrong("retrace_targets")
def values_of_the_same_turn(rewards, q_a, v, rho_a, gamma, trace_decay):
    """V of the turn itself instead of V of the next one.

    Symptom: every target uses the wrong belief.
    Found in: seungeunrho/minimalRL (c8efed8) at the end of a rollout, see its pull request 16.
    """
    c = clipped(rho_a, trace_decay)
    return recursion(rewards, gamma, lambda t, q: v[max(t - 1, 0)] + c[t] * (q - q_a[t]))


@wrong("retrace_targets")
def the_last_value_is_set_to_zero(rewards, q_a, v, rho_a, gamma, trace_decay):
    """V of the last belief is multiplied by 1 - done; only the value after the end is 0.

    Symptom: the turn before the last is told that nothing good follows; the last advantage is too large.
    Found in: dchetelat/acer (fdac933), agent.py.
    """
    v = np.append(v[:-1], 0.0)
    c = clipped(rho_a, trace_decay)
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]))


@wrong("retrace_targets")
def traces_computed_and_not_used(rewards, q_a, v, rho_a, gamma, trace_decay):
    """The target itself is carried back instead of V + c (Qret - Q): a plain return.

    Symptom: no off-policy correction at all.
    Found in: younggyoseo/pytorch-acer (d37932c), algo/acer.py; acyclics/MPO issue 1.
    """
    return recursion(rewards, gamma, lambda t, q: q)


@wrong("retrace_targets")
def the_last_turn_is_sliced_off(rewards, q_a, v, rho_a, gamma, trace_decay):
    """The last turn is removed before the loss, and its value replaces its reward.

    Symptom: the final reward is never trained on.
    Found in: michaelnny/deep_rl_zoo issue 15.
    """
    c = clipped(rho_a, trace_decay)
    return np.append(recursion(rewards[:-1], gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]), v[-1]), q_a[-1])


@wrong("retrace_targets")
def products_of_traces_cut_at_5(rewards, q_a, v, rho_a, gamma, trace_decay):
    """Traces are cut at c = 5 of the policy gradient instead of 1.

    Symptom: the right fixed point, and targets that explode on the way to it.
    Found in: the paper's algorithm 2 as printed.
    """
    c = trace_decay * np.minimum(5.0, rho_a)
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]))


@wrong("retrace_targets")
def the_trace_of_the_turn_before(rewards, q_a, v, rho_a, gamma, trace_decay):
    """c_t instead of c_{t+1} weighs the error of turn t + 1.

    Symptom: Q(b, a) is corrected for a, which it is conditioned on; fixed point and bound hold.
    Found in: ai.stackexchange.com question 27443; rlax re-dated its inputs (fb8829e).
    """
    c = np.append(1.0, clipped(rho_a, trace_decay)[:-1])
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]))


@wrong("retrace_targets")
def a_discount_forgotten_on_one_term(rewards, q_a, v, rho_a, gamma, trace_decay):
    """r + γ V - c Q + γ c Qret: the second term lacks its γ.

    Symptom: none for γ = 1; otherwise a bias.
    Found in: a comment of google-deepmind/trfl, whose code was right; mended in fa0324c after issue 24.
    """
    c, q_ret = clipped(rho_a, trace_decay), rewards.copy()
    for t in reversed(range(len(rewards) - 1)):
        q_ret[t] += gamma * v[t + 1] - c[t + 1] * q_a[t + 1] + gamma * c[t + 1] * q_ret[t + 1]
    return q_ret


@wrong("retrace_targets")
def a_ratio_on_the_error_as_in_v_trace(rewards, q_a, v, rho_a, gamma, trace_decay):
    """min(1, ρ_t) multiplies the error of turn t itself, as V-trace does for V.

    Symptom: Q of actions that π avoids is not corrected.
    Found in: pytorch/rl pull request 4124, as a warning.
    """
    c, errors = clipped(rho_a, trace_decay), rewards + gamma * np.append(v[1:], 0.0) - q_a
    return q_a + recursion(np.minimum(1.0, rho_a) * errors, gamma, lambda t, error: c[t] * error)


@wrong("retrace_targets")
def errors_against_v_as_in_gae(rewards, q_a, v, rho_a, gamma, trace_decay):
    """The error is r + γ V_{t+1} - V_t, and the target V plus those: GAE's window with traces.

    Symptom: right where Q = V; as a target for V it makes Q of all actions alike.
    Found in: chainerrl trained V where Q was meant; mended in 3d9b93a2.
    """
    c = clipped(rho_a, trace_decay)
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - v[t]))


@wrong("retrace_targets")
def traces_multiplied_from_the_start(rewards, q_a, v, rho_a, gamma, trace_decay):
    """Each error is weighed by the product of all traces since the first turn, not since the turn in question.

    Symptom: late turns hardly learn.
    Found in: PyDial's A2C (helloric/pydial3 34988f4) carries one running product of ratios.
    """
    c = np.cumprod(np.append(1.0, clipped(rho_a, trace_decay)[1:]))
    return recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - q_a[t]))


@wrong("retrace_targets")
def targets_written_over_the_values(rewards, q_a, v, rho_a, gamma, trace_decay):
    """The targets are written into the array of Q.

    Symptom: the targets are right; the correction that follows uses Qret instead of Q.
    Found in: IntelLabs/coach (2c60cb5), acer_agent.py.
    """
    c, values = clipped(rho_a, trace_decay), q_a.copy()
    q_a[:] = recursion(rewards, gamma, lambda t, q: v[t] + c[t] * (q - values[t]))
    return q_a
