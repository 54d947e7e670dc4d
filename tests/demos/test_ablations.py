"""Learners with one part replaced: each is its original where the part has no work, and differs where it has."""
import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose

from acer_np import A2CConfig, ACERConfig, ENACConfig, SummaryHeads
from acer_np.a2c import a2c_update
from acer_np.acer import acer_update
from acer_np.learner import AdamState, Learner
from acer_np.enac import enac_update
from acer_np.network import Network
from acer_np.replay import Batch
from demos.ablations import (ABLATIONS, EntropyHeads, blind_at_the_end, lambda_targets, long_traces, pydial_a2c,
                            three_steps, without_correction, without_last_turns)
from demos.settings import Setting
from demos.training import Run
from tests.demos.commands import finished

NETWORK = Network(20, SummaryHeads(6), (8, 8))
CONFIG = ACERConfig(dtype="float64", value_limit=np.inf)


def start(network=NETWORK):
    """A learner, and seven dialogues of up to five turns whose actions were drawn uniformly."""
    rng = np.random.default_rng(0)
    params = network.initial(rng, "he") + rng.normal(scale=0.3, size=network.size)
    learner, lengths = Learner.start(params, network.n_policy), np.array([3, 1, 5, 2, 4, 1, 2])
    n = lengths.sum()
    mu = np.full((n, 6), 1 / 6) + 1e-6 * rng.permutation(n)[:, None] * [1, -1, 0, 0, 0, 0]     # no two dialogues alike
    batch = Batch(rng.normal(size=(n, 20)), np.ones((n, 6), bool), rng.integers(6, size=n), rng.normal(size=n), mu,
                  np.zeros((n, 0)), lengths)
    return learner, batch


def moved(name, config=CONFIG):
    """How far each parameter goes in one update of a variant and of ACER."""
    learner, batch = start()
    updates = ABLATIONS[name], acer_update
    return [update(NETWORK, learner, batch, config)[0].params - learner.params for update in updates]


# ---- targets: two turns, rewards -1 and 20, V = 6 and 5, Q = 4 and 3, ρ = 2 and 4, γ = 0.5, λ = 1, c = 5

TURNS = Batch(None, None, None, np.array([-1.0, 20.0]), None, None, np.array([2]))
Q, V, RHO = np.array([4.0, 3.0]), np.array([6.0, 5.0]), np.array([2.0, 4.0])
BY_HAND = ACERConfig(gamma=0.5, trace_decay=1.0)


def test_traces_cut_at_c_by_hand():
    # -1 + 0.5 (4 (20 - 3) + 5) = 35.5, where Retrace has -1 + 0.5 (1 (20 - 3) + 5) = 10.
    assert_allclose(long_traces(TURNS, Q, V, RHO, BY_HAND), [35.5, 20])
    assert_allclose(long_traces(TURNS, Q, V, RHO, dataclasses.replace(BY_HAND, rho_max=1.0)), [10, 20])
    # -1 + 0.5 (0.5 · 4 (20 - 3) + 5) = 18.5
    assert_allclose(long_traces(TURNS, Q, V, RHO, dataclasses.replace(BY_HAND, trace_decay=0.5)), [18.5, 20])


def test_v_zeroed_before_the_end_by_hand():
    # -1 + 0.5 (1 (20 - 3) + 0) = 7.5: the V of the last turn, in which something can still be won, counts as 0.
    assert_allclose(blind_at_the_end(TURNS, Q, V, RHO, BY_HAND), [7.5, 20])
    assert_allclose(V, [6, 5])


def test_lambda_returns_by_hand():
    # -1 + 0.5 · 4 · 20 = 39 with λ = 1, and -1 + 0.5 · 5 = 1.5 with λ = 0.
    assert_allclose(lambda_targets(TURNS, Q, V, RHO, BY_HAND), [39, 20])
    assert_allclose(lambda_targets(TURNS, Q, V, RHO, dataclasses.replace(BY_HAND, trace_decay=0.0)), [1.5, 20])


def test_the_truncated_term_alone_by_hand():
    batch = TURNS._replace(actions=np.array([1, 0]))
    weights = without_correction(SummaryHeads(2), batch, None, None, None, V, np.array([7.0, 3.0]), RHO,
                                 dataclasses.replace(BY_HAND, rho_max=3.0))
    assert_allclose(weights, [[0, 2 * (7 - 6)], [3 * (3 - 5), 0]])


# ---- updates

@pytest.mark.parametrize("name", ["no-correction", "advantage-taken"])
def test_the_correction_sleeps_without_truncation(name):
    assert_allclose(*moved(name, dataclasses.replace(CONFIG, rho_max=np.inf)), atol=1e-12)
    changed, usual = moved(name, dataclasses.replace(CONFIG, rho_max=0.5))
    assert not np.allclose(changed, usual, atol=1e-5)


@pytest.mark.parametrize("name", ["lambda-returns", "traces-cut-at-c", "blind-at-the-end", "pi-for-mu", "no-last-turn"])
def test_each_slip_changes_the_update(name):
    changed, usual = moved(name, dataclasses.replace(CONFIG, trace_decay=1.0, rho_max=2.0))
    assert not np.allclose(changed, usual, atol=1e-5)


def test_pi_for_mu_makes_every_weight_one():
    learner, batch = start()
    assert_allclose(ABLATIONS["pi-for-mu"](NETWORK, learner, batch, CONFIG)[1].rho, 1)
    assert abs(acer_update(NETWORK, learner, batch, CONFIG)[1].rho - 1) > 0.01


def test_three_steps_go_three_times_as_far_at_first():
    params, state = three_steps(np.zeros(2), np.array([6.0, -3.0]), AdamState.start(np.zeros(2)), 0.1)
    assert_allclose(params, [0.3, -0.3])
    assert state.step == 3


def test_a_stray_average_starts_elsewhere_and_then_follows():
    learner, batch = start()
    first, told = ABLATIONS["stray-average"](NETWORK, learner, batch, CONFIG)
    assert told.kl > 0.01 and acer_update(NETWORK, learner, batch, CONFIG)[1].kl < 1e-12
    updates = ABLATIONS["stray-average"], acer_update
    assert_allclose(*(update(NETWORK, first, batch, CONFIG)[0].average for update in updates))


def test_a_memory_without_last_turns_by_hand():
    batch = Batch(np.arange(6)[:, None], *(np.arange(6),) * 2, np.array([1.0, 2, 3, 10, 20, 40]), *(np.arange(6),) * 2,
                  np.array([3, 1, 2]))
    kept = without_last_turns(batch)
    assert_allclose(kept.rewards, [1, 5, 60])
    assert_allclose(kept.actions, [0, 1, 4])
    assert_allclose(kept.lengths, [2, 1])
    assert_allclose(batch.rewards, [1, 2, 3, 10, 20, 40])
    single = Batch(*(np.arange(2),) * 6, np.array([1, 1]))
    assert without_last_turns(single) is single


# ---- A2C and eNAC as PyDial has them

def test_a2c_keeps_the_first_v_of_a_dialogue():
    network = Network(20, SummaryHeads(6), (8, 8), critic_width=1)
    learner, batch = start(network)
    once, _ = pydial_a2c(network, learner, batch, A2CConfig())
    again, told = pydial_a2c(network, once, batch, A2CConfig())
    first = without_last_turns(batch)
    v = network.forward(learner.params, first.beliefs).critic[:, 0]
    assert_allclose(np.concatenate(list(again.average.values())), v)
    assert set(again.average) == {mu.tobytes() for mu in np.split(first.mu, np.cumsum(first.lengths)[:-1])}
    assert isinstance(learner.average, np.ndarray)
    # The critic's error: r + 0.99 V_kept(next) - V_now, the last turn of a dialogue without a next.
    following = np.append(v[1:], 0.0) * ~np.isin(np.arange(len(v)), np.cumsum(first.lengths) - 1)
    now = network.forward(once.params, first.beliefs).critic[:, 0]
    assert_allclose(told.critic_error, np.mean((first.rewards + 0.99 * following - now) ** 2))


def test_on_policy_a2c_differs_from_pydials_in_the_last_turn_and_the_kept_v_alone():
    # ρ = 1 takes the weights away, and V at first sight is V now: what is left is the memory without last turns.
    network = Network(20, SummaryHeads(6), (8, 8), critic_width=1)
    learner, batch = start(network)
    policy = network.heads.policy(network.forward(learner.params, batch.beliefs).logits, batch.masks)
    batch = batch._replace(mu=policy.pi)
    ours, _ = a2c_update(network, learner, without_last_turns(batch), A2CConfig())
    theirs, _ = pydial_a2c(network, learner, batch, A2CConfig())
    assert_allclose(theirs.params, ours.params, atol=1e-9)


def test_pydials_enac_explains_the_last_reward_with_scores_that_hold_the_entropy():
    network = Network(20, SummaryHeads(6), (8, 8), critic_width=0)
    learner, batch = start(network)
    kept = without_last_turns(batch)
    discount, ends = np.concatenate([0.99 ** np.arange(n) for n in kept.lengths]), np.cumsum(kept.lengths) - 1
    last = np.zeros_like(kept.rewards)
    last[ends] = kept.rewards[ends] / discount[ends]
    expected, _ = enac_update(dataclasses.replace(network, heads=EntropyHeads(6)), learner, kept._replace(rewards=last),
                              ENACConfig())
    theirs, _ = ABLATIONS["pydial-enac"](network, learner, batch, ENACConfig())
    assert_allclose(theirs.params, expected.params)
    assert not np.allclose(theirs.params, enac_update(network, learner, batch, ENACConfig())[0].params)


def test_scores_with_entropy_by_finite_differences():
    heads, rng = EntropyHeads(4), np.random.default_rng(0)
    logits, masks, weights = rng.normal(size=(1, 4)), np.ones((1, 4), bool), np.array([[0.0, 1.5, 0.0, 0.0]])

    def objective(x):
        policy = heads.policy(x, masks)
        return (weights * policy.log_pi).sum() + 1.5 * heads.entropy(policy).sum()

    steps = 1e-6 * np.eye(4)
    expected = [(objective(logits + d) - objective(logits - d)) / 2e-6 for d in steps]
    assert_allclose(heads.log_gradient(heads.policy(logits, masks), weights)[0], expected, atol=1e-8)


@pytest.mark.parametrize("name", ABLATIONS)
def test_every_variant_trains(name):
    agent = {"pydial-a2c": "a2c", "pydial-enac": "enac"}.get(name, "acer")
    run = finished(Run(Setting(agent=agent, variant=name, dialogues=6, test_dialogues=1), 0))
    assert np.isfinite(run.agent.learner.params).all() and run.agent.update is ABLATIONS[name]
