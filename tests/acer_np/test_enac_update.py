"""eNAC's update: against features by central differences, and scores centred on π or on what acted."""
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.learner import Learner
from acer_np.enac import ENACConfig, enac_update
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.network import Network
from acer_np.replay import Batch
from tests.strategies import (either_heads, far_from_kinks, frozen, log_payload, n_summary, random_learner, seeds,
                              spelled_out, wide_entropy, wide_log_policy)


def actor(seed, heads, n_dialogues=4, dtype=np.float64):
    """A network without a critic, after seven updates."""
    return random_learner(seed, heads, critic_width=0, dtype=dtype, n_dialogues=n_dialogues, steps=7)


def primal_regression(phi, returns, ridge):
    """w and J by ordinary least squares on the features themselves, the penalty as further rows."""
    n, p = phi.shape
    penalty = np.sqrt(ridge * np.mean((phi ** 2).sum(axis=1))) * np.eye(p)
    rows = np.vstack([np.column_stack([phi, np.ones(n)]), np.column_stack([penalty, np.zeros(p)])])
    solution = np.linalg.lstsq(rows, np.append(returns, np.zeros(p)), rcond=None)[0]
    return solution[:p], solution[p]


def one_turn_each(network, actions, returns):
    """Dialogues of one turn in the same situation."""
    n = len(actions)
    return Batch(*frozen(np.ones((n, network.n_belief)), np.ones((n, network.heads.n_actions), bool), np.array(actions),
                         np.array(returns, float), np.full((n, network.heads.n_actions), 1 / network.heads.n_actions),
                         np.zeros((n, 0)), np.ones(n, int)))


def log_pi_of(network, params, batch):
    return wide_log_policy(network.heads, network.forward(params, batch.beliefs).logits, batch.masks)


def log_taken(network, params, batch):
    """(n,) log π(a_t|b_t)."""
    return log_pi_of(network, params, batch)[np.arange(len(batch.actions)), batch.actions]


def log_over_behaviour(network, params, batch):
    """(n,) log π(a_t|b_t) less its mean under μ, of the summary action and, where there is one, of the payload."""
    heads, s = network.heads, n_summary(network.heads)
    logits = network.forward(params, batch.beliefs).logits
    log_s, log_p = wide_log_policy(SummaryHeads(s), logits[:, :s], batch.masks), log_payload(heads, logits[:, s:])
    log_nu, found = log_payload(heads, batch.payload_logits), []
    for t, action in enumerate(batch.actions):
        summary, payload = spelled_out(heads)[action]
        found.append(log_s[t, summary] - sum(mu * log for mu, log in zip(batch.mu[t], log_s[t]) if mu > 0))
        found[t] += 0.0 if payload is None else log_p[t, payload] - np.exp(log_nu[t]) @ log_p[t]
    return np.array(found)


CENTRES = {"policy": log_taken, "behaviour": log_over_behaviour}


def features(network, params, batch, gamma, centre="policy"):
    """(E, P) φ by central differences of Σ_t γ^{t-1} log π(a_t|b_t), less its mean where that is not 0 for all π."""
    starts = [sum(batch.lengths[:e]) for e in range(len(batch.lengths))]

    def weighted(params):
        logs = CENTRES[centre](network, params, batch)
        return np.array([sum(gamma ** t * logs[start + t] for t in range(length))
                         for start, length in zip(starts, batch.lengths)])

    return np.stack([(weighted(params + h) - weighted(params - h)) / 2e-6 for h in 1e-6 * np.eye(len(params))], axis=1)


@settings(max_examples=15)
@given(seeds, either_heads, st.sampled_from([0.0, 0.6, 1.0]), st.sampled_from([0.01, 0.3]),
       st.sampled_from([1e-4, 1e4]), st.sampled_from(list(CENTRES)))
def test_the_step_is_along_the_regressions_weights(seed, heads, gamma, ridge, kl_limit, centre):
    """Features by central differences, the regression on them in primal form, and the step spelled out."""
    network, learner, batch = actor(seed, heads)
    assume(far_from_kinks(network, learner.params, batch.beliefs))
    phi = features(network, learner.params, batch, gamma, centre)
    assume(np.abs(phi).max() > 0.01)
    edges = np.append(0, np.cumsum(batch.lengths))
    returns = np.array([sum(gamma ** t * r for t, r in enumerate(batch.rewards[start:end]))
                        for start, end in zip(edges, edges[1:])])
    w, baseline = primal_regression(phi, returns, ridge)
    longest = 0.7 / (1 + 7 / 14)                # after seven updates
    step = min(longest, np.sqrt(2 * kl_limit / np.mean((phi @ w) ** 2)))
    config = ENACConfig(gamma=gamma, ridge=ridge, kl_limit=kl_limit, learning_rate=0.7, halving=14, centre=centre)
    updated, watch = enac_update(network, learner, batch, config)
    assert_allclose(updated.params - learner.params, step * w, atol=2e-6 * (1 + np.abs(w).max()))
    assert_allclose(watch, [wide_entropy(log_pi_of(network, learner.params, batch)).mean(), baseline,
                            np.mean((returns - baseline - phi @ w) ** 2), step, step == longest], atol=2e-5)
    assert updated.average is learner.average and updated.adam.step == 8
    assert updated.adam.mean is learner.adam.mean and updated.adam.square is learner.adam.square
    assert watch._fields == ("entropy", "baseline", "regression_error", "step", "capped")
    assert all(isinstance(value, float) for value in watch)


def test_a_short_step_has_the_divergence_that_was_asked_for(kl_limit=1e-4):
    network = Network(2, SummaryHeads(2), hidden=(4,), critic_width=0)
    params = np.zeros(network.size)                       # π = (1/2, 1/2)
    network.views(params)["W1"][:] = 1.0
    batch = one_turn_each(network, [0, 1], [1.0, -1.0])
    config = ENACConfig(kl_limit=kl_limit, learning_rate=9.0)
    updated, _ = enac_update(network, Learner.start(params, network.n_policy), batch, config)
    old, new = (log_pi_of(network, vector, batch)[0] for vector in (params, updated.params))
    assert np.exp(old) @ (old - new) == pytest.approx(kl_limit, rel=0.02)
    assert new[0] > old[0]


def test_a_single_dialogue_or_turns_without_a_choice_teach_nothing():
    network, learner, batch = actor(0, SummaryHeads(5), n_dialogues=1)
    updated, watch = enac_update(network, learner, batch, ENACConfig())
    assert_allclose(updated.params, learner.params, atol=1e-14)
    assert watch.regression_error == pytest.approx(0.0, abs=1e-20)
    network, learner, batch = actor(1, SummaryHeads(5))
    forced = batch._replace(masks=np.eye(5, dtype=bool)[batch.actions])
    with np.errstate(all="raise"):
        updated, watch = enac_update(network, learner, forced, ENACConfig())
    assert_array_equal(updated.params, learner.params)
    assert watch.capped == 1.0


@pytest.mark.parametrize("heads", [SummaryHeads(5), MasterHeads(2, 2, 3)])
def test_single_precision_stays_single_and_agrees_with_double(heads):
    network, learner, batch = actor(4, heads, dtype=np.float32)
    updated, _ = enac_update(network, learner, batch, ENACConfig())
    assert updated.params.dtype == np.float32
    double = replace(network, dtype=np.float64)
    expected, _ = enac_update(double, learner._replace(params=learner.params.astype(float)), batch, ENACConfig())
    assert_allclose(updated.params, expected.params, atol=1e-5)


def test_an_endless_step_is_refused():
    network, learner, batch = actor(5, SummaryHeads(5))
    message = "returns is .* to .*, expected a finite natural gradient"
    with pytest.raises(ValueError, match=message), np.errstate(all="ignore"):
        enac_update(network, learner, batch, ENACConfig(learning_rate=np.inf, kl_limit=np.inf))
