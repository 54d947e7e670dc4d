"""Wrong versions of importance_weights."""
import numpy as np


def the_ratio_upside_down(pi, mu, actions):
    """μ / π.

    Symptom: actions that π likes are weighed down.
    """
    rows = np.arange(len(pi))
    return mu[rows, actions] / pi[rows, actions]


def another_action_in_the_numerator(pi, mu, actions):
    """π is evaluated at its own best action, μ at the action taken.

    Symptom: a ratio of two different actions; its mean over μ is not 1.
    Found in: ray-project/ray issue 7107 and awarebayes/RecNN issue 7, with a freshly drawn action.
    """
    rows = np.arange(len(pi))
    return pi.max(axis=1) / mu[rows, actions]


def both_from_the_same_pass(pi, mu, actions):
    """The stored μ is not used: new and old probability come from the same policy.

    Symptom: ρ is always 1, so nothing is corrected.
    Found in: tensorforce/tensorforce issue 312; meta-pytorch/torchforge pull request 571.
    """
    rows = np.arange(len(pi))
    return pi[rows, actions] / np.where(pi[rows, actions] > 0, pi[rows, actions], 1.0)


def a_constant_in_the_denominator(pi, mu, actions):
    """10⁻⁶ is added to μ against division by 0, which cannot happen for an action taken.

    Symptom: ρ is below 1 on-policy, most of all for rare actions.
    Found in: openai/baselines adds eps to μ; chainerrl removed it (8b59a090).
    """
    rows = np.arange(len(pi))
    return pi[rows, actions] / (mu[rows, actions] + 1e-6)


def a_column_against_a_row(pi, mu, actions):
    """π comes as (n, 1) and μ as (n,), so the quotient is (n, n).

    Symptom: no error; a sum hides it, a product does not.
    Found in: floodsung/a2c_cartpole_pytorch issue 3; RITCHIEHuang/DeepRL_Algorithms issue 13.
    """
    rows = np.arange(len(pi))
    return pi[rows, actions][:, None] / mu[rows, actions]


def normalised_over_the_batch(pi, mu, actions):
    """The weights are divided by their mean over the minibatch.

    Symptom: smaller variance, and a bias that depends on which other dialogues were drawn.
    """
    rows = np.arange(len(pi))
    rho = pi[rows, actions] / mu[rows, actions]
    return rho / max(rho.mean(), 1e-300)


def cut_at_twenty(pi, mu, actions):
    """min(20, ρ), with μ raised to 10⁻³.

    Symptom: none until a rare action was taken.
    """
    rows = np.arange(len(pi))
    return np.minimum(20.0, pi[rows, actions] / np.maximum(1e-3, mu[rows, actions]))
