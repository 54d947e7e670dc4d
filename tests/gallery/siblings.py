"""Wrong versions of one subject as wrong versions of another that contains it: the same slip, met elsewhere."""
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from tests.gallery import right
from tests.gallery.catalogue import Version, versions_of
from tests.laws.of_retrace import column_by_column, one_by_one


def with_traces(traces):
    def retrace_targets(rewards, q_a, v, rho_a, gamma, trace_decay):
        return right.retrace_as_a_linear_system(rewards, q_a, v, rho_a, gamma, trace_decay, traces)
    return retrace_targets


def at_a_cut(retrace):
    def retrace_at_a_cut(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
        longer = [np.append(x, last) for x, last in ((rewards, 0.0), (q_a, bootstrap), (v, bootstrap), (rho_a, 0.0))]
        return retrace(*longer, gamma, trace_decay)[:-1]
    return retrace_at_a_cut


def of_many(retrace):
    def retrace_of_many(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
        return one_by_one(lambda *x: retrace(*x, gamma, trace_decay), (rewards, q_a, v, rho_a), ended)
    return retrace_of_many


def of_padded(retrace):
    def retrace_of_padded(rewards, q_a, v, rho_a, gamma, trace_decay, lengths):
        return column_by_column((rewards, q_a, v, rho_a), lengths, lambda *x: retrace(*x, gamma, trace_decay))
    return retrace_of_padded


def with_weights(importance_weights):
    """The truncated gradient, with ρ of every action from this function."""
    def truncated_gradient(pi, mu, q, q_ret, actions, rho_max):
        n, width = pi.shape
        rho = np.column_stack([importance_weights(pi, mu, np.full(n, a)) for a in range(width)])
        return right.gradient_from_ratios(pi, rho, q, (pi * q).sum(axis=1), q_ret, actions, rho_max)
    return truncated_gradient


def with_value(state_value):
    def truncated_gradient(pi, mu, q, q_ret, actions, rho_max):
        return right.gradient_from_ratios(pi, pi / mu, q, state_value(pi, q), q_ret, actions, rho_max)
    return truncated_gradient


def greedily(mixed_behaviour):
    def epsilon_greedy(values, masks, epsilon):
        best = right.epsilon_greedy(values, masks, 0.0)
        return mixed_behaviour(best, masks, epsilon)
    return epsilon_greedy


def on_returns(returns_to_go):
    """GP regression on the returns of this function: as rewards with γ = 0, every turn a dialogue."""
    def gp_posterior(beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma, noise_std):
        returns = np.concatenate([returns_to_go(r, gamma) for r in np.split(rewards, np.cumsum(lengths)[:-1])])
        return right.gp_posterior(beliefs, actions, returns, np.ones(len(returns), int), query_beliefs,
                                             query_actions, 0.0, noise_std)
    return gp_posterior


def in_an_update(name):
    return lambda function: right.update_of(**{name: function})


PARTS = ("importance_weights", "state_value", "retrace_targets", "truncated_gradient", "kl_gradient", "trust_region")
RETRACES = ("retrace_at_a_cut", at_a_cut), ("retrace_of_many", of_many), ("retrace_of_padded", of_padded)
LIFTS = [("traces", "retrace_targets", with_traces), *(("retrace_targets", name, lift) for name, lift in RETRACES),
         *(("traces", name, lambda traces, lift=lift: lift(with_traces(traces))) for name, lift in RETRACES),
         ("importance_weights", "truncated_gradient", with_weights), ("state_value", "truncated_gradient", with_value),
         ("mixed_behaviour", "epsilon_greedy", greedily), ("returns_to_go", "gp_posterior", on_returns),
         ("gp_posterior", "gp_posterior_sparse", lambda f: lambda *case: f(*case[:-1])),
         *((name, "acer_gradients", in_an_update(name)) for name in PARTS),
         ("traces", "acer_gradients", lambda traces: right.update_of(retrace_targets=with_traces(traces)))]


def lifted(version: Version, subject: str, lift: Callable) -> Version:
    """The version within another subject, under its own name and story."""
    function = lift(version.function)
    function.__name__, function.__doc__ = version.function.__name__, version.function.__doc__
    function.__module__ = version.function.__module__
    return Version(subject, function)


@lru_cache(maxsize=None)
def candidates(subject: str) -> list[Version]:
    """The wrong versions of a subject, and those of its parts."""
    return versions_of(subject) + [lifted(version, subject, lift) for part, whole, lift in LIFTS if whole == subject
                                   for version in versions_of(part)]
