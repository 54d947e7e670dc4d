"""Wrong versions of V, of the return and of the λ-return."""
import numpy as np

from tests.gallery.version import wrong


def backwards(rewards, gamma, carry):
    """R_t = r_t + γ carry(t, R_t) of the turn after; nothing after the last."""
    returns, following = np.zeros(len(rewards)), 0.0
    for t in reversed(range(len(rewards))):
        returns[t] = rewards[t] + gamma * following
        following = carry(t, returns[t])
    return returns


@wrong("state_value")
def the_best_action_for_the_mean(pi, q):
    """V = max_a Q instead of the mean over π.

    Symptom: silently Q-learning; V is too high, and no advantage is positive.
    """
    return q.max(axis=1)


@wrong("state_value")
def the_value_of_the_likeliest_action(pi, q):
    """V = Q of the action with the highest π.

    Symptom: right for a greedy policy only.
    """
    return q[np.arange(len(q)), pi.argmax(axis=1)]


@wrong("state_value")
def every_action_counts_alike(pi, q):
    """V is the plain mean of Q.

    Symptom: right while π is uniform, early in training.
    """
    return q.mean(axis=1)


@wrong("returns_to_go")
def discounted_from_the_start_of_the_dialogue(rewards, gamma):
    """The exponent of γ is the turn's own number, Σ_{i≥t} γ^i r_i.

    Symptom: late turns count too little.
    Found in: the paper's Monte-Carlo estimator as printed; its definition of the return is right.
    """
    weighted = gamma ** np.arange(len(rewards)) * rewards
    return np.cumsum(weighted[::-1])[::-1]


@wrong("returns_to_go")
def the_whole_return_at_every_turn(rewards, gamma):
    """Every turn gets the return of the whole dialogue.

    Symptom: turns are blamed for what was said before them.
    Found in: PyDial's GP-SARSA (helloric/pydial3 34988f4), which pays the whole reward at the end, with γ = 1.
    """
    return np.full(len(rewards), gamma ** np.arange(len(rewards)) @ rewards)


@wrong("returns_to_go")
def summed_forwards(rewards, gamma):
    """The sum runs over the turns before instead of those after.

    Symptom: the last turn gets the credit of all turns.
    """
    returns = rewards.copy()
    for t in range(1, len(rewards)):
        returns[t] += gamma * returns[t - 1]
    return returns


@wrong("returns_to_go")
def the_last_reward_never_arrives(rewards, gamma):
    """The final reward is paid to the turn before, and the last turn is dropped.

    Symptom: the action that ended the dialogue is never learned from.
    Found in: PyDial's replay_buffer_episode_acer.py (helloric/pydial3 34988f4).
    """
    shifted = np.append(rewards[:-1], 0.0)
    shifted[-2:-1] += rewards[-1]
    return backwards(shifted, gamma, lambda t, R: R)


@wrong("returns_to_go")
def standardised(rewards, gamma):
    """The mean is taken off, and the spread set to 1.

    Symptom: a critic loses the scale of values.
    """
    returns = backwards(rewards, gamma, lambda t, R: R)
    return (returns - returns.mean()) / (returns.std() + 1e-8)


@wrong("lambda_returns")
def the_value_is_not_weighed_down(rewards, v, rho_a, gamma, trace_decay):
    """V_{t+1} enters with weight 1 instead of 1 - λ.

    Symptom: right for λ = 0; otherwise returns grow with the length.
    """
    return backwards(rewards, gamma, lambda t, R: v[t] + trace_decay * rho_a[t] * R)


@wrong("lambda_returns")
def lambda_and_its_rest_swapped(rewards, v, rho_a, gamma, trace_decay):
    """λ weighs the value, 1 - λ the return.

    Symptom: right for λ = ½; λ = 1 looks one step ahead.
    """
    return backwards(rewards, gamma, lambda t, R: trace_decay * v[t] + (1 - trace_decay) * rho_a[t] * R)


@wrong("lambda_returns")
def the_ratio_of_the_action_already_given(rewards, v, rho_a, gamma, trace_decay):
    """ρ_t instead of ρ_{t+1} multiplies what follows turn t.

    Symptom: Q(b, a) is corrected for a, which it is conditioned on.
    Found in: LyWangPX/Reinforcement-Learning-2nd-Edition-by-Sutton-Exercise-Solutions issue 44; rlax renamed rho_t to
        rho_tm1 (890bd75).
    """
    shifted = np.append(1.0, rho_a[:-1])
    return backwards(rewards, gamma, lambda t, R: (1 - trace_decay) * v[t] + trace_decay * shifted[t] * R)


@wrong("lambda_returns")
def ratios_cut_at_one(rewards, v, rho_a, gamma, trace_decay):
    """min(1, ρ) replaces ρ, without the correction by Q that makes this right in Retrace.

    Symptom: smaller variance, and a bias towards small returns.
    Found in: PyDial's A2C (helloric/pydial3 34988f4) clips its ratios.
    """
    return backwards(rewards, gamma, lambda t, R: (1 - trace_decay) * v[t] + trace_decay * min(1.0, rho_a[t]) * R)


@wrong("lambda_returns")
def weights_the_value_by_the_ratio_too(rewards, v, rho_a, gamma, trace_decay):
    """ρ_{t+1} multiplies V_{t+1} as well, which is a mean over π already.

    Symptom: the one-step target scales with ρ.
    Found in: the paper, which weighs its one-step estimate r + γ V.
    """
    return backwards(rewards, gamma, lambda t, R: rho_a[t] * ((1 - trace_decay) * v[t] + trace_decay * R))
