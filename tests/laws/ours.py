"""Our functions under the names of the subjects, and other right ways that we have to compute some of them.

The only file here that knows acer_np and gp_sarsa.
"""
import numpy as np

from acer_np import gradients, retrace
from acer_np.acer import ACERConfig, acer_update, gradient_weights
from acer_np.enac import compatible_regression
from acer_np.exploration import mixture, most_probable
from acer_np.heads import SummaryHeads
from acer_np.learner import AdamState, Learner, adam_ascent, soft_average
from acer_np.master_heads import MasterHeads, MasterPolicy
from acer_np.network import Network
from acer_np.replay import Batch
from acer_np.trust_region import project
from gp_sarsa.kernels import ProductKernel, linear, payload_cosine
from gp_sarsa.exact import posterior_by_definition
from gp_sarsa.layout import ActionLayout
from gp_sarsa.points import Points, returns_to_go
from gp_sarsa.posterior import KernelPosterior
from gp_sarsa.weight_space import WeightSpacePosterior
from tests.laws.of_retrace import one_by_one

traces, lambda_returns = retrace.traces, retrace.lambda_returns
trust_region, running_average = project, soft_average
mixed_behaviour = mixture


def masked_softmax(logits, masks):
    return gradients.masked_softmax(logits, masks).pi


def epsilon_greedy(values, masks, epsilon):
    return mixture(most_probable(masked_softmax(values, masks)), masks, epsilon)


def importance_weights(pi, mu, actions):
    rows = np.arange(len(pi))
    return gradients.importance_weights(pi[rows, actions], mu[rows, actions])


def state_value(pi, q):
    return gradients.row_dot(pi, q)


def retrace_targets(rewards, q_a, v, rho_a, gamma, trace_decay):
    return retrace.retrace_targets(rewards, q_a, v, traces(rho_a, trace_decay), gamma)


def retrace_at_a_cut(rewards, q_a, v, rho_a, gamma, trace_decay, bootstrap):
    return retrace.retrace_targets(rewards, q_a, v, traces(rho_a, trace_decay), gamma, bootstrap)


def retrace_of_many(rewards, q_a, v, rho_a, gamma, trace_decay, ended):
    return one_by_one(lambda *x: retrace_targets(*x, gamma, trace_decay), (rewards, q_a, v, rho_a), ended)


def retrace_of_padded(rewards, q_a, v, rho_a, gamma, trace_decay, lengths):
    """Columns side by side: zeros after the end are an end, so nothing needs to know the lengths."""
    return retrace_targets(rewards, q_a, v, rho_a, gamma, trace_decay)


def truncated_gradient(pi, mu, q, q_ret, actions, rho_max):
    heads, rho_a = SummaryHeads(pi.shape[1]), importance_weights(pi, mu, actions)
    batch = Batch(None, None, actions, None, None, None, None)
    weights = gradient_weights(heads, batch, with_logs(pi), with_logs(mu), q, state_value(pi, q), q_ret, rho_a,
                               ACERConfig(rho_max=rho_max, value_limit=np.inf))
    return heads.log_gradient(with_logs(pi), weights)


def with_logs(pi):
    return gradients.Softmax(pi, np.log(pi, out=np.zeros_like(pi), where=pi > 0))


def kl_gradient(pi_average, pi):
    return gradients.kl_gradient(with_logs(pi_average), with_logs(pi))


def entropy_gradient(pi):
    return gradients.entropy_gradient(with_logs(pi))


def factorised_score(pi_s, pi_p, n_methods, actions, payloads):
    """One output per payload; as many slots as that takes."""
    slots = int(np.ceil(np.log2(pi_p.shape[1])))
    heads = MasterHeads(n_methods, slots, pi_s.shape[1] - n_methods, "payloads")
    padded = np.pad(pi_p, ((0, 0), (0, heads.n_payloads - pi_p.shape[1])))
    G = heads.onehot(heads.index(actions, payloads), np.ones(len(actions)))
    score = heads.log_gradient(MasterPolicy(with_logs(pi_s), with_logs(padded)), G)
    return score[:, :pi_s.shape[1] + pi_p.shape[1]]


def acer_gradients(logits, average_logits, mu, q, actions, rewards, gamma, trace_decay, rho_max, kl_limit):
    """The direction of acer_update in a network without hidden layers whose beliefs are one-hot: a row per turn.

    Its bias repeats the sum of the rows, so that k·g is twice as large for one turn; δ must be, too.
    """
    (n, width), seen = logits.shape, []
    network = Network(n, SummaryHeads(width), (), dtype=np.float64)
    params, average = np.zeros(network.size), np.zeros(network.n_policy)
    p, p_average = network.views(params), network.views(average)
    p["W_policy"][:], p["W_critic"][:], p_average["W_policy"][:] = logits, q, average_logits
    batch = Batch(np.eye(n), np.ones((n, width), bool), actions, rewards, mu, np.zeros((n, 0)), np.array([n]))
    config = ACERConfig(gamma=gamma, trace_decay=trace_decay, rho_max=rho_max, kl_limit=2 * kl_limit, scale="sum",
                        value_limit=np.inf, entropy_weight=0.0, final_entropy_weight=0.0, dtype="float64")
    acer_update(network, Learner(params, average, AdamState.start(params)), batch, config,
                step=lambda params, direction, adam, rate: seen.append(direction) or (params, adam))
    direction = network.views(seen[0])
    return direction["W_policy"], direction["W_critic"]


def natural_gradient(features, returns):
    alpha, _ = compatible_regression(features @ features.T, returns, ridge=0.0)
    return features.T @ alpha


def adam_updates(params, terms, learning_rate):
    state = AdamState.start(params)
    for direction in terms.sum(axis=1):
        params, state = adam_ascent(params, direction, state, learning_rate)
    return params


def payload_kernel(payloads, others):
    bits, layout = 2 ** np.arange(payloads.shape[1]), ActionLayout(1, payloads.shape[1], 0)
    return payload_cosine(layout, (payloads @ bits).astype(int), (others @ bits).astype(int))


THREE_ACTIONS = ActionLayout(0, 0, 3)
LINEAR = ProductKernel(linear, THREE_ACTIONS)


def gp_posterior(beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma, noise_std, **form):
    """Dialogue by dialogue, on a growing Cholesky factor."""
    posterior = KernelPosterior(LINEAR, beliefs.shape[1], noise_std, **form)
    for b, a, r in zip(*(np.split(x, np.cumsum(lengths)[:-1]) for x in (beliefs, actions, rewards))):
        posterior.update(b, a, returns_to_go(r, gamma))
    return posterior.predict(query_beliefs, query_actions)


def gp_posterior_sparse(*case):
    """On a dictionary of novel points."""
    return gp_posterior(*case[:-1], novelty_threshold=case[-1])


def gp_posterior_by_definition(beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma, noise_std):
    """From temporal differences and their correlated noise."""
    data, query = Points(beliefs, actions), Points(query_beliefs, query_actions)
    return posterior_by_definition(LINEAR, data, list(lengths), rewards, query, gamma, noise_std)


def gp_posterior_weight_space(beliefs, actions, rewards, lengths, query_beliefs, query_actions, gamma, noise_std):
    """As Bayesian linear regression, one for each action."""
    posterior = WeightSpacePosterior(beliefs.shape[1], THREE_ACTIONS, noise_std)
    returns = [returns_to_go(r, gamma) for r in np.split(rewards, np.cumsum(lengths)[:-1])]
    posterior.update(beliefs, actions, np.concatenate(returns))
    points = list(zip(query_beliefs, query_actions))
    return [posterior.mean(b)[a] for b, a in points], [posterior.variance(b)[a] for b, a in points]


ABLATIONS = [("gp_posterior", gp_posterior_by_definition), ("gp_posterior", gp_posterior_weight_space)]
