"""Laws of Retrace: of one ended dialogue, of one that was cut off, of several behind or beside one another."""
import numpy as np

from tests.laws import dialogues
from tests.laws.law import definition, identity, invariance


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


@identity("traces", dialogues.weights)
def a_trace_is_at_most_the_decay_and_never_negative(f, rho_a, trace_decay):
    """0 ≤ c_t ≤ λ, so products of traces cannot grow."""
    actual = f(rho_a, trace_decay)
    return actual, np.clip(actual, 0.0, trace_decay)


@identity("traces", dialogues.weights)
def a_trace_is_the_decay_times_the_ratio_below_one(f, rho_a, trace_decay):
    """c_t = λ ρ_t where ρ_t ≤ 1."""
    below = rho_a <= 1
    return f(rho_a, trace_decay)[below], trace_decay * rho_a[below]


@identity("traces", dialogues.weights)
def a_trace_is_the_decay_where_the_policy_does_it_more_often(f, rho_a, trace_decay):
    """c_t = λ where ρ_t ≥ 1."""
    above = rho_a >= 1
    return f(rho_a, trace_decay)[above], np.full(above.sum(), trace_decay)


@definition("retrace_targets", dialogues.dialogue)
def the_target_is_the_value_plus_every_later_error(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """The definition: Qret_i = Q_i + Σ_{t≥i} γ^(t-i) (Π_{s=i+1..t} λ min(1, ρ_s)) (r_t + γ V_{t+1} - Q_t)."""
    case = rewards, q_a, v, rho_a, gamma, trace_decay
    return f(*case), by_definition(*case)


@identity("retrace_targets", dialogues.exact_dialogue)
def exact_values_are_a_fixed_point(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """If r_t = Q_t - γ V_{t+1} at every turn, Qret = Q for every ρ."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay), q_a


@identity("retrace_targets", dialogues.dialogue)
def a_target_leaves_its_value_by_no_more_than_the_errors(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """|Qret_i - Q_i| ≤ Σ_{t≥i} γ^(t-i) |r_t + γ V_{t+1} - Q_t|, because c ≤ 1. ACTUAL: the left side."""
    delta, n = np.abs(errors(rewards, q_a, v, gamma)), len(v)
    bound = np.array([sum(gamma ** (t - i) * delta[t] for t in range(i, n)) for i in range(n)])
    actual = np.abs(f(rewards, q_a, v, rho_a, gamma, trace_decay) - q_a)
    return actual, np.minimum(actual, bound)


@identity("retrace_targets", dialogues.untrusted_dialogue)
def without_traces_the_target_looks_one_step_ahead(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """If π never takes the later actions (ρ = 0), Qret_t = r_t + γ V_{t+1} for every first ρ."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay), rewards + gamma * np.append(v[1:], 0.0)


@identity("retrace_targets", dialogues.trusted_dialogue)
def full_traces_and_q_equal_to_v_give_the_discounted_return(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """With λ = 1, ρ ≥ 1 and Q = V, Qret_i = Σ_{t≥i} γ^(t-i) r_t: the values cancel."""
    n = len(v)
    desired = [sum(gamma ** (t - i) * rewards[t] for t in range(i, n)) for i in range(n)]
    return f(rewards, q_a, v, rho_a, gamma, trace_decay), np.array(desired)


@identity("retrace_targets", dialogues.dialogue)
def nothing_follows_the_last_turn(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """Qret_T = r_T, without any value or trace. ACTUAL: the last target."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay)[-1], rewards[-1]


@invariance("retrace_targets", dialogues.dialogue)
def the_first_ratio_is_never_used(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """Q(b, a) is about an action already given, so ρ_1 does not matter. ACTUAL: your answer for ρ_1 / 2."""
    other = np.append(rho_a[:1] / 2, rho_a[1:])
    return f(rewards, q_a, v, other, gamma, trace_decay), f(rewards, q_a, v, rho_a, gamma, trace_decay)


@invariance("retrace_targets", dialogues.dialogue)
def a_potential_added_to_all_values_is_added_to_the_targets(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """With Q_t + φ_t, V_t + φ_t and r_t + φ_t - γ φ_{t+1}, where φ_t = t and 0 after the end, Qret_t grows by φ_t."""
    phi = np.arange(1.0, len(v) + 1)
    shaped = f(rewards + phi - gamma * np.append(phi[1:], 0.0), q_a + phi, v + phi, rho_a, gamma, trace_decay)
    return shaped, f(rewards, q_a, v, rho_a, gamma, trace_decay) + phi


@invariance("retrace_targets", dialogues.dialogue)
def what_came_before_does_not_matter(f, rewards, q_a, v, rho_a, gamma, trace_decay):
    """ACTUAL: the targets of the dialogue without its first turn."""
    whole = f(rewards, q_a, v, rho_a, gamma, trace_decay)[1:]
    return (f(rewards[1:], q_a[1:], v[1:], rho_a[1:], gamma, trace_decay) if len(v) > 1 else whole), whole


@definition("retrace_at_a_cut", dialogues.with_cut(dialogues.dialogue))
def the_target_is_the_value_plus_every_error_up_to_the_cut(f, rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """Qret_i = Q_i + Σ_{t≥i} γ^(t-i) (Π c) (r_t + γ V_{t+1} - Q_t), V_{T+1} being the value after the cut."""
    case = rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap
    return f(*case), by_definition(*case)


@identity("retrace_at_a_cut", dialogues.exact_cut)
def exact_values_are_a_fixed_point_at_a_cut(f, rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """If r_t = Q_t - γ V_{t+1} at every turn, the last one included, Qret = Q."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap), q_a


@identity("retrace_at_a_cut", dialogues.with_cut(dialogues.dialogue))
def the_last_target_looks_one_step_ahead(f, rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """Qret_T = r_T + γ V_{T+1}, V_{T+1} being the value after the cut. ACTUAL: the last target."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap)[-1], rewards[-1] + gamma * bootstrap


@identity("retrace_at_a_cut", dialogues.with_cut(dialogues.trusted_dialogue))
def full_traces_give_the_return_and_the_value_after_it(f, rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """With λ = 1, ρ ≥ 1 and Q = V: Qret_i = Σ_{t=i..T} γ^(t-i) r_t + γ^(T-i+1) V_{T+1}."""
    whole, n = np.append(rewards, bootstrap), len(v)
    desired = [sum(gamma ** (t - i) * whole[t] for t in range(i, n + 1)) for i in range(n)]
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap), np.array(desired)


@invariance("retrace_at_a_cut", dialogues.with_cut(dialogues.dialogue))
def a_dialogue_may_be_cut_anywhere(f, rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    """Cut before turn s, with V_s + c_s (Qret_s - Q_s) as its value, the targets before s stay. ACTUAL: these."""
    whole, s = f(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap), len(v) // 2
    if s == 0:
        return whole, whole
    handed = v[s] + trace_decay * min(1.0, rho_a[s]) * (whole[s] - q_a[s])
    return f(rewards[:s], q_a[:s], v[:s], rho_a[:s], gamma, trace_decay, handed), whole[:s]


@definition("retrace_of_many", dialogues.dialogues)
def the_target_is_the_value_plus_every_error_of_its_dialogue(f, rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """Qret_i = Q_i + Σ_{t≥i} γ^(t-i) (Π c) (r_t + γ V_{t+1} - Q_t), up to the end of the dialogue of turn i."""
    desired = one_by_one(lambda *x: by_definition(*x, gamma, trace_decay), (rewards, q_a, v, rho_a), ended)
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, ended), desired


@invariance("retrace_of_many", dialogues.dialogues)
def dialogues_together_are_those_one_by_one(f, rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """DESIRED: your answers, dialogue by dialogue."""
    desired = one_by_one(lambda *x: f(*x[:4], gamma, trace_decay, x[4]), (rewards, q_a, v, rho_a, ended), ended)
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, ended), desired


@identity("retrace_of_many", dialogues.dialogues)
def nothing_follows_the_last_turn_of_any(f, rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """Qret = r at the last turn of every dialogue. ACTUAL: the last targets."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, ended)[ended], rewards[ended]


@identity("retrace_of_many", dialogues.exact_dialogues)
def exact_values_are_a_fixed_point_in_all(f, rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    """If r_t = Q_t - γ V_{t+1}, and r_t = Q_t at the end of each dialogue, Qret = Q."""
    return f(rewards, q_a, v, rho_a, gamma, trace_decay, ended), q_a


def column_by_column(columns, lengths, compute):
    """compute(*columns, cut to its length) of each dialogue, (T, B) with zeros after the end of each."""
    answer = np.zeros_like(columns[0])
    for j, n in enumerate(lengths):
        answer[:n, j] = compute(*(x[:n, j] for x in columns))
    return answer


def inside(answer, lengths):
    """The answer, with zeros after the end of each dialogue, where anything may stand."""
    return np.where(np.arange(len(answer))[:, None] < lengths, answer, 0.0)


@definition("retrace_of_padded", dialogues.padded)
def each_column_has_the_targets_of_its_dialogue(f, rewards, q_a, v, rho_a, gamma, trace_decay, lengths):
    """Qret_i = Q_i + Σ_{t≥i} γ^(t-i) (Π c) (r_t + γ V_{t+1} - Q_t), in each column up to its length."""
    desired = column_by_column((rewards, q_a, v, rho_a), lengths, lambda *x: by_definition(*x, gamma, trace_decay))
    return inside(f(rewards, q_a, v, rho_a, gamma, trace_decay, lengths), lengths), desired


@invariance("retrace_of_padded", dialogues.padded)
def the_neighbours_of_a_dialogue_do_not_matter(f, rewards, q_a, v, rho_a, gamma, trace_decay, lengths):
    """DESIRED: your answers for each column, without the others and without padding."""
    desired = column_by_column((rewards, q_a, v, rho_a), lengths, lambda *x: f(
        *(y[:, None] for y in x), gamma, trace_decay, np.array([len(x[0])]))[:, 0])
    return inside(f(rewards, q_a, v, rho_a, gamma, trace_decay, lengths), lengths), desired
