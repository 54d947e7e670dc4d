"""Laws of Retrace: of one ended dialogue, of one that was cut off, and of several one behind the other."""
import numpy as np

from tests.laws import dialogues
from tests.laws.law import law


def flat(*arrays):
    return np.concatenate([np.ravel(array) for array in arrays])


def errors(rewards, q_a, v, gamma, after=0.0):
    """δ_t = r_t + γ V_{t+1} - Q_t, with the value `after` the last turn."""
    return rewards + gamma * np.append(v[1:], after) - q_a


def by_definition(rewards, q_a, v, rho_a, gamma, trace_decay, after=0.0):
    """Qret_i = Q_i + Σ_{t≥i} γ^(t-i) (Π_{s=i+1..t} λ min(1, ρ_s)) δ_t."""
    delta, c, n = errors(rewards, q_a, v, gamma, after), trace_decay * np.minimum(1.0, rho_a), len(v)
    return np.array([q_a[i] + sum(gamma ** (t - i) * np.prod(c[i + 1:t + 1]) * delta[t] for t in range(i, n))
                     for i in range(n)])


def one_by_one(compute, arrays, ended):
    """compute(*arrays of one dialogue) for each dialogue, one behind the other."""
    cuts = np.flatnonzero(ended)[:-1] + 1
    return np.concatenate([compute(*part) for part in zip(*(np.split(array, cuts) for array in arrays))])


@law("traces", dialogues.ratios)
def a_trace_is_at_most_the_decay_and_never_negative(f, rho_a, trace_decay):
    """0 ≤ c_t ≤ λ, so that a product of traces cannot grow."""
    actual = f(rho_a, trace_decay)
    return actual, np.clip(actual, 0.0, trace_decay)


@law("traces", dialogues.ratios)
def a_trace_is_the_decay_times_the_ratio_below_one(f, rho_a, trace_decay):
    """c_t = λ ρ_t where ρ_t ≤ 1."""
    below = rho_a <= 1
    return f(rho_a, trace_decay)[below], trace_decay * rho_a[below]


@law("traces", dialogues.ratios)
def a_trace_is_the_decay_where_the_policy_does_it_more_often(f, rho_a, trace_decay):
    """c_t = λ where ρ_t ≥ 1."""
    above = rho_a >= 1
    return f(rho_a, trace_decay)[above], np.full(above.sum(), trace_decay)


@law("retrace_targets", dialogues.dialogue)
def the_target_is_the_value_plus_every_later_error(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """The definition: Qret_i = Q_i + Σ_{t≥i} γ^(t-i) (Π_{s=i+1..t} λ min(1, ρ_s)) (r_t + γ V_{t+1} - Q_t)."""
    case = rewards, q_a, v, rho_a, gamma, trace_decay
    return f(*case), by_definition(*case)


@law("retrace_targets", dialogues.exact_dialogue)
def exact_values_are_a_fixed_point(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """If r_t = Q_t - γ V_{t+1} at every turn, there is nothing to correct: Qret = Q, whatever ρ."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay), q_a


@law("retrace_targets", dialogues.dialogue)
def a_target_leaves_its_value_by_no_more_than_the_errors(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """|Qret_i - Q_i| ≤ Σ_{t≥i} γ^(t-i) |r_t + γ V_{t+1} - Q_t|, because no trace exceeds 1. ACTUAL: the left side."""
    delta, n = np.abs(errors(rewards, q_a, v, gamma)), len(v)
    bound = np.array([sum(gamma ** (t - i) * delta[t] for t in range(i, n)) for i in range(n)])
    actual = np.abs(f(rewards, q_a, v, rho_a, gamma, trace_decay) - q_a)
    return actual, np.minimum(actual, bound)


@law("retrace_targets", dialogues.untrusted_dialogue)
def without_traces_the_target_looks_one_step_ahead(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """If π would never have taken the later actions (ρ = 0), Qret_t = r_t + γ V_{t+1}, whatever the first ρ."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay), rewards + gamma * np.append(v[1:], 0.0)


@law("retrace_targets", dialogues.trusted_dialogue)
def full_traces_and_q_equal_to_v_give_the_discounted_return(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """With λ = 1, ρ ≥ 1 and Q = V the values cancel: Qret_i = Σ_{t≥i} γ^(t-i) r_t."""
    n = len(v)
    desired = [sum(gamma ** (t - i) * rewards[t] for t in range(i, n)) for i in range(n)]
    return f(rewards, q_a, v, rho_a, gamma, trace_decay), np.array(desired)


@law("retrace_targets", dialogues.dialogue)
def nothing_follows_the_last_turn(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """Qret_T = r_T: no value and no trace enters the last target. ACTUAL: the last target."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay)[-1], rewards[-1]


@law("retrace_targets", dialogues.dialogue)
def the_first_ratio_is_never_used(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """Q(b, a) is about an action already given: halving ρ_1 changes nothing. ACTUAL: the answer with half of ρ_1."""
    other = np.append(rho_a[:1] / 2, rho_a[1:])
    return f(rewards, q_a, v, other, gamma, trace_decay), f(rewards, q_a, v, rho_a, gamma, trace_decay)


@law("retrace_targets", dialogues.dialogue)
def a_potential_added_to_all_values_is_added_to_the_targets(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """With Q_t + φ_t, V_t + φ_t and r_t + φ_t - γ φ_{t+1}, where φ_t = t and 0 after the end, Qret_t grows by φ_t."""
    phi = np.arange(1.0, len(v) + 1)
    shaped = f(rewards + phi - gamma * np.append(phi[1:], 0.0), q_a + phi, v + phi, rho_a, gamma, trace_decay)
    return shaped, f(rewards, q_a, v, rho_a, gamma, trace_decay) + phi


@law("retrace_targets", dialogues.dialogue)
def what_came_before_does_not_matter(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """Dropping the first turn leaves the other targets as they are. ACTUAL: those of the shorter dialogue."""
    whole = f(rewards, q_a, v, rho_a, gamma, trace_decay)[1:]
    return (f(rewards[1:], q_a[1:], v[1:], rho_a[1:], gamma, trace_decay) if len(v) > 1 else whole), whole


@law("retrace_targets", dialogues.dialogue)
def the_arguments_are_left_alone(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """Q is still the critic's after the call: the gradient needs both. ACTUAL: r, Q, V and ρ after the call."""
    given = [rewards.copy(), q_a.copy(), v.copy(), rho_a.copy()]
    f.raw(*given, gamma, trace_decay)
    return flat(*given), flat(rewards, q_a, v, rho_a)


@law("retrace_at_a_cut", dialogues.with_cut(dialogues.dialogue))
def the_target_is_the_value_plus_every_error_up_to_the_cut(f, rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """The definition, where V_{T+1} is the value of the belief after the cut."""
    case = rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap
    return f(*case), by_definition(*case)


@law("retrace_at_a_cut", dialogues.exact_cut)
def exact_values_are_a_fixed_point_at_a_cut(f, rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """If r_t = Q_t - γ V_{t+1} at every turn, the last one with the value after the cut, Qret = Q."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap), q_a


@law("retrace_at_a_cut", dialogues.with_cut(dialogues.dialogue))
def the_last_target_looks_one_step_ahead(f, rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """Qret_T = r_T + γ V_{T+1}, with V_{T+1} the value of the belief after the cut. ACTUAL: the last target."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap)[-1], rewards[-1] + gamma * bootstrap


@law("retrace_at_a_cut", dialogues.with_cut(dialogues.trusted_dialogue))
def full_traces_give_the_return_and_the_value_after_it(f, rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """With λ = 1, ρ ≥ 1 and Q = V: Qret_i = Σ_{t=i..T} γ^(t-i) r_t + γ^(T-i+1) V_{T+1}."""
    whole, n = np.append(rewards, bootstrap), len(v)
    desired = [sum(gamma ** (t - i) * whole[t] for t in range(i, n + 1)) for i in range(n)]
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap), np.array(desired)


@law("retrace_at_a_cut", dialogues.with_cut(dialogues.dialogue))
def a_dialogue_may_be_cut_anywhere(f, rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """Cut before turn s and handed V_s + c_s (Qret_s - Q_s), the turns before s keep their targets (s the middle)."""
    whole, s = f(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap), len(v) // 2
    if s == 0:
        return whole, whole
    handed = v[s] + trace_decay * min(1.0, rho_a[s]) * (whole[s] - q_a[s])
    return f(rewards[:s], q_a[:s], v[:s], rho_a[:s], gamma, trace_decay, handed), whole[:s]


@law("retrace_of_many", dialogues.dialogues)
def the_target_is_the_value_plus_every_error_of_its_dialogue(f, rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """The definition, dialogue by dialogue."""
    desired = one_by_one(lambda *x: by_definition(*x, gamma, trace_decay), (rewards, q_a, v, rho_a), ended)
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, ended), desired


@law("retrace_of_many", dialogues.dialogues)
def dialogues_together_are_those_one_by_one(f, rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """The targets of several dialogues are those of each one alone. DESIRED: your answers, dialogue by dialogue."""
    desired = one_by_one(lambda *x: f(*x[:4], gamma, trace_decay, x[4]), (rewards, q_a, v, rho_a, ended), ended)
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, ended), desired


@law("retrace_of_many", dialogues.dialogues)
def nothing_follows_the_last_turn_of_any(f, rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """Qret = r at the last turn of every dialogue. ACTUAL: the last targets."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, ended)[ended], rewards[ended]


@law("retrace_of_many", dialogues.exact_dialogues)
def exact_values_are_a_fixed_point_in_all(f, rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """If r_t = Q_t - γ V_{t+1}, and r_t = Q_t at the end of each dialogue, Qret = Q."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, ended), q_a
