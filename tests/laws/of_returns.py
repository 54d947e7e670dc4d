"""Laws of V, of the return and of the λ-return."""
import numpy as np

from tests.laws import dialogues, turns
from tests.laws.law import definition, identity, invariance


@definition("state_value", turns.values)
def the_value_is_the_mean_over_the_policy(f, pi, q):
    """V = Σ_a π(a) Q(a)."""
    return f(pi, q), np.array([sum(p * value for p, value in zip(*row)) for row in zip(pi, q)])


@identity("state_value", turns.values)
def the_value_lies_between_what_can_happen(f, pi, q):
    """min Q ≤ V ≤ max Q over the actions that π takes."""
    actual = f(pi, q)
    return actual, np.clip(actual, np.where(pi > 0, q, np.inf).min(axis=1), np.where(pi > 0, q, -np.inf).max(axis=1))


@invariance("state_value", turns.values)
def the_value_is_linear(f, pi, q):
    """V of -2 Q + 1 is -2 V + 1. ACTUAL: V of -2 Q + 1."""
    return f(pi, -2 * q + 1), -2 * f(pi, q) + 1


@definition("returns_to_go", dialogues.rewards)
def each_turn_is_worth_the_discounted_rewards_from_it_on(f, rewards, gamma):
    """R_i = Σ_{t≥i} γ^(t-i) r_t; the discount counts from turn i, not from the first turn."""
    n = len(rewards)
    return f(rewards, gamma), np.array([sum(gamma ** (t - i) * rewards[t] for t in range(i, n)) for i in range(n)])


@identity("returns_to_go", dialogues.rewards)
def neighbouring_returns_differ_by_a_reward(f, rewards, gamma):
    """R_t - γ R_{t+1} = r_t, and R is 0 after the end. ACTUAL: the left side."""
    actual = f(rewards, gamma)
    return actual - gamma * np.append(actual[1:], 0.0), rewards


@invariance("returns_to_go", dialogues.rewards)
def what_was_said_before_does_not_matter(f, rewards, gamma):
    """Dropping the first turn leaves the other returns as they are. ACTUAL: those of the shorter dialogue."""
    whole = f(rewards, gamma)
    return (f(rewards[1:], gamma) if len(rewards) > 1 else whole[1:]), whole[1:]


@definition("lambda_returns", dialogues.weighted_rewards)
def it_is_the_weighted_sum_of_later_steps(f, rewards, v, rho_a, gamma, trace_decay):
    """R_i = Σ_{t≥i} (γλ)^(t-i) (Π_{s=i+1..t} ρ_s) [r_t + γ (1-λ) V_{t+1}]."""
    n, steps = len(v), rewards + gamma * (1 - trace_decay) * np.append(v[1:], 0.0)
    return f(rewards, v, rho_a, gamma, trace_decay), np.array(
        [sum((gamma * trace_decay) ** (t - i) * np.prod(rho_a[i + 1:t + 1]) * steps[t] for t in range(i, n))
         for i in range(n)])


@identity("lambda_returns", dialogues.weighted_rewards)
def lambda_0_looks_one_step_ahead(f, rewards, v, rho_a, gamma, trace_decay):
    """With λ = 0, R_t = r_t + γ V_{t+1}: a one-step target of Q(b, a) needs no ρ."""
    return f(rewards, v, rho_a, gamma, 0.0), rewards + gamma * np.append(v[1:], 0.0)


@identity("lambda_returns", dialogues.weighted_rewards)
def lambda_1_weighs_every_reward_by_the_ratios_up_to_it(f, rewards, v, rho_a, gamma, trace_decay):
    """With λ = 1, R_i = Σ_{t≥i} γ^(t-i) (Π_{s=i+1..t} ρ_s) r_t: no V is used."""
    n = len(v)
    desired = [sum(gamma ** (t - i) * np.prod(rho_a[i + 1:t + 1]) * rewards[t] for t in range(i, n)) for i in range(n)]
    return f(rewards, v, rho_a, gamma, 1.0), np.array(desired)


@identity("lambda_returns", dialogues.weighted_rewards)
def on_policy_it_is_the_weighted_mean_of_n_step_returns(f, rewards, v, rho_a, gamma, trace_decay):
    """With ρ = 1, R_i = (1-λ) Σ_n λ^(n-1) R_i(n), where R_i(n) beyond the end is the whole return."""
    n, lam, following = len(v), trace_decay, np.append(v[1:], 0.0)

    def n_step(i, steps):
        end = min(i + steps, n)
        return sum(gamma ** (t - i) * rewards[t] for t in range(i, end)) + gamma ** (end - i) * following[end - 1]

    desired = [sum((1 - lam) * lam ** (m - 1) * n_step(i, m) for m in range(1, n - i))
               + lam ** (n - i - 1) * n_step(i, n) for i in range(n)]
    return f(rewards, v, np.ones(n), gamma, trace_decay), np.array(desired)


@identity("lambda_returns", dialogues.one_more_turn)
def the_mean_over_the_behaviour_is_that_of_the_policy(f, r1, r2, v2, pi, mu, gamma, trace_decay):
    """Over two turns Σ_a μ(a) R_1(a) = r_1 + γ [(1-λ) V_2 + λ Σ_a π(a) r_2(a)]. ACTUAL: the left side."""
    v, rho = np.array([0.0, v2]), pi / mu
    actual = sum(mu[a] * f(np.array([r1, r2[a]]), v, np.array([1.0, rho[a]]), gamma, trace_decay)[0]
                 for a in range(len(pi)))
    return actual, r1 + gamma * ((1 - trace_decay) * v2 + trace_decay * pi @ r2)


@invariance("lambda_returns", dialogues.weighted_rewards)
def the_first_ratio_plays_no_part(f, rewards, v, rho_a, gamma, trace_decay):
    """The first action is given, so ρ_1 does not matter. ACTUAL: your answer for 2 ρ_1 + 1."""
    other = np.append(2 * rho_a[:1] + 1, rho_a[1:])
    return f(rewards, v, other, gamma, trace_decay), f(rewards, v, rho_a, gamma, trace_decay)
