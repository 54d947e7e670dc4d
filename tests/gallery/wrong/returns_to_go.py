"""Wrong versions of returns_to_go."""
import numpy as np

from tests.gallery.parts import recursion


def discounted_from_the_start_of_the_dialogue(rewards, gamma):
    """The exponent of γ is the turn's own number, Σ_{i≥t} γ^i r_i.

    Symptom: late turns count too little.
    Found in: the paper's Monte-Carlo estimator as printed; its definition of the return is right.
    """
    weighted = gamma ** np.arange(len(rewards)) * rewards
    return np.cumsum(weighted[::-1])[::-1]


def the_whole_return_at_every_turn(rewards, gamma):
    """Every turn gets the return of the whole dialogue.

    Symptom: turns are blamed for what was said before them.
    Found in: PyDial's GP-SARSA (helloric/pydial3 34988f4), which pays the whole reward at the end, with γ = 1.
    """
    return np.full(len(rewards), gamma ** np.arange(len(rewards)) @ rewards)


def summed_forwards(rewards, gamma):
    """The sum runs over the turns before instead of those after.

    Symptom: the last turn gets the credit of all turns.
    """
    returns = rewards.copy()
    for t in range(1, len(rewards)):
        returns[t] += gamma * returns[t - 1]
    return returns


def the_last_reward_never_arrives(rewards, gamma):
    """The final reward is paid to the turn before, and the last turn is dropped.

    Symptom: the action that ended the dialogue is never learned from.
    Found in: PyDial's replay_buffer_episode_acer.py (helloric/pydial3 34988f4).
    """
    shifted = np.append(rewards[:-1], 0.0)
    shifted[-2:-1] += rewards[-1]
    return recursion(shifted, gamma, lambda t, R: R)


def standardised(rewards, gamma):
    """The mean is taken off, and the spread set to 1.

    Symptom: a critic loses the scale of values.
    """
    returns = recursion(rewards, gamma, lambda t, R: R)
    return (returns - returns.mean()) / (returns.std() + 1e-8)
