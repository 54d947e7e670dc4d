"""The update at its limits: tight and loose, without truncation, in single precision, and what it refuses."""
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.batch import Batch
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.network import Network
from acer_np.update import Learner, UpdateConfig, acer_update, critic_targets
from tests.strategies import either_heads, seeds
from tests.test_update import direction_of, random_learner


@given(seeds, either_heads)
def test_a_tight_limit_binds_and_a_loose_one_does_not(seed, heads):
    network, learner, batch = random_learner(seed, heads)
    free, watch = acer_update(network, learner, batch, UpdateConfig(kl_limit=np.inf))
    tight, tight_watch = acer_update(network, learner, batch, UpdateConfig(kl_limit=max(0.0, watch.kl_growth - 0.5)))
    loose, loose_watch = acer_update(network, learner, batch, UpdateConfig(kl_limit=abs(watch.kl_growth) + 0.5))
    assert watch.binding == loose_watch.binding == 0
    assert_array_equal(direction_of(learner, loose), direction_of(learner, free))
    assert tight_watch.binding == (watch.kl_growth > 0)
    if watch.kl_growth > 1e-6:
        assert (direction_of(learner, tight) != direction_of(learner, free)).any()


def test_the_first_update_is_unconstrained():
    network, learner, batch = random_learner(0, SummaryHeads(5))
    start = Learner.start(network, learner.params)
    assert_array_equal(start.average, learner.params[:network.n_policy])
    assert not np.shares_memory(start.average, start.params)
    bound, watch = acer_update(network, start, batch, UpdateConfig(kl_limit=0.0))
    free, _ = acer_update(network, start, batch, UpdateConfig(kl_limit=np.inf))
    assert watch.kl_growth == watch.k_norm == watch.kl == 0
    assert_array_equal(bound.params, free.params)


@given(seeds, either_heads)
def test_uniform_behaviour_and_policy_need_neither_truncation_nor_correction(seed, heads):
    if not isinstance(heads, SummaryHeads):
        return
    network, learner, batch = random_learner(seed, heads)
    params = learner.params.copy()
    network.views(params)["W_policy"][:] = 0
    network.views(params)["b_policy"][:] = 0
    learner, batch = learner._replace(params=params), batch._replace(epsilons=np.ones(len(batch.actions)))
    plain, watch = acer_update(network, learner, batch, UpdateConfig(rho_max=np.inf, bias_correction=False))
    assert_allclose(watch.rho, 1.0, rtol=1e-12)
    for rho_max in (1.0 + 1e-9, 5.0, np.inf):
        found, _ = acer_update(network, learner, batch, UpdateConfig(rho_max=rho_max))
        assert_allclose(direction_of(learner, found), direction_of(learner, plain), atol=1e-12)


def test_no_truncation_is_the_limit_of_a_high_one():
    for heads in (SummaryHeads(5), MasterHeads(2, 2, 3)):
        network, learner, batch = random_learner(4, heads)
        infinite, _ = acer_update(network, learner, batch, UpdateConfig(rho_max=np.inf))
        high, _ = acer_update(network, learner, batch, UpdateConfig(rho_max=1e9))
        assert_allclose(direction_of(learner, infinite), direction_of(learner, high), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("heads", [SummaryHeads(5), MasterHeads(2, 2, 3)])
@pytest.mark.parametrize("trust_region", ["parameter", "logit"])
def test_single_precision_gives_the_same_update_in_single_precision(heads, trust_region):
    config = UpdateConfig(trust_region=trust_region)
    network, learner, batch = random_learner(1, heads)
    single_network, single, single_batch = random_learner(1, heads, dtype=np.float32)
    double, watch = acer_update(network, learner, batch, config)
    for beliefs in (batch.beliefs, single_batch.beliefs):
        found, single_watch = acer_update(single_network, single, single_batch._replace(beliefs=beliefs), config)
        for array in (found.params, found.average, found.adam.mean, found.adam.square):
            assert array.dtype == np.float32
        assert_allclose(found.adam.mean, double.adam.mean, rtol=1e-3, atol=1e-4 * np.abs(double.adam.mean).max())
        assert_allclose(single_watch, watch, rtol=1e-3, atol=1e-4)


def test_the_update_repeats_itself_and_learns_a_bandit():
    """One-turn dialogues where action 2 pays: its probability and its Q rise."""
    rng, network = np.random.default_rng(0), Network(2, SummaryHeads(3), hidden=(8,))
    actions = np.tile([0, 1, 2], 20)
    batch = Batch(np.ones((60, 2)), np.ones((60, 3), bool), actions, (actions == 2) * 1.0, np.ones(60),
                  np.zeros(60, int), np.zeros((60, 0)), np.ones(60, int))
    learner = Learner.start(network, network.initial(rng))
    again, config = learner, UpdateConfig(learning_rate=0.01, kl_limit=np.inf)
    for _ in range(150):
        learner, _ = acer_update(network, learner, batch, config)
    for _ in range(150):
        again, watch = acer_update(network, again, batch, config)
    assert_array_equal(learner.params, again.params)
    forward = network.forward(learner.params, np.ones((1, 2)))
    assert network.heads.policy(forward.logits, np.ones((1, 3), bool)).pi[0, 2] > 0.9
    assert_allclose(forward.critic[0], [0, 0, 1], atol=0.1)
    assert watch.critic_error < 0.01


def test_a_bad_batch_or_a_diverged_network_is_refused():
    network, learner, batch = random_learner(2, SummaryHeads(5))
    with pytest.raises(ValueError, match="rewards has shape"):
        acer_update(network, learner, batch._replace(rewards=batch.rewards[:-1]), UpdateConfig())
    with pytest.raises(ValueError, match="beliefs has shape"):
        acer_update(network, learner, batch._replace(beliefs=batch.beliefs[:, :2]), UpdateConfig())
    masks = np.ones_like(batch.masks)
    impossible = batch._replace(masks=masks, epsilons=np.zeros(len(masks)), actions=(batch.greedy + 1) % 5)
    with pytest.raises(ValueError, match="mu_a is 0.0 for the action taken at turn 0"):
        acer_update(network, learner, impossible, UpdateConfig())
    broken = learner.params.copy()
    broken[-1] = np.inf
    with pytest.raises(ValueError, match="the gradient is not finite"), np.errstate(invalid="ignore"):
        acer_update(network, learner._replace(params=broken), batch, UpdateConfig())
    # Only one action taken, with an enormous reward: part of the gradient overflows, the rest is zero.
    zeros = np.zeros(len(masks), int)
    enormous = batch._replace(masks=masks, actions=zeros, greedy=zeros, rewards=np.full(len(masks), 1e308))
    with pytest.raises(ValueError, match="the gradient is not finite"), np.errstate(all="ignore"):
        acer_update(network, learner, enormous, UpdateConfig())


@pytest.mark.parametrize("name, bad, good", [
    ("gamma", (-0.1, 1.1, np.nan), (0, 1)), ("average_decay", (-0.1, 1.1), (0, 1)),
    ("trace_decay", (-0.1, 1.1), (0, 1)),
    ("learning_rate", (-1.0, np.nan), (0, 1)), ("rho_max", (-1.0,), (0, np.inf)), ("kl_limit", (-1.0,), (0, np.inf)),
    ("trace_max", (-1.0,), (0, np.inf)), ("value_limit", (-1.0,), (0, np.inf)), ("entropy_weight", (-1.0,), (0, 1)),
    ("trust_region", ("kl",), ("parameter", "logit")), ("critic_target", ("td",), ("retrace", "lambda_return")),
    ("explore_over", ("all",), ("actions", "summary"))])
def test_hyperparameters_are_checked_by_name(name, bad, good):
    for value in good:
        assert getattr(UpdateConfig(**{name: value}), name) == value
    for value in bad:
        with pytest.raises(ValueError, match=f"{name} is '?{value}'?, expected"):
            UpdateConfig(**{name: value})


def test_the_defaults_are_the_papers_and_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        UpdateConfig().gamma = 1.0
    assert UpdateConfig() == UpdateConfig(learning_rate=0.001, gamma=0.99, rho_max=5, bias_correction=True, kl_limit=1,
                                          trust_region="parameter", average_decay=0.99, critic_target="retrace",
                                          trace_decay=1, trace_max=1, value_limit=np.inf, entropy_weight=0.01,
                                          explore_over="actions")


def two_turns(rewards):
    """A dialogue of two turns, of which critic_targets reads the rewards alone."""
    nothing = np.zeros(2)
    return Batch(np.zeros((2, 1)), np.ones((2, 2), bool), nothing.astype(int), np.array(rewards), nothing,
                 nothing.astype(int), np.zeros((2, 0)), np.array([2]))


def test_targets_stay_within_the_limits_of_returns_by_hand():
    # Q = (5, -5) and V = (4, 3) count as (1, -1) and (1, 1). Last turn 0.5; first -1 + 0.5 (1 + (0.5 + 1)) = 0.25,
    # where the paper has -1 + 0.5 (3 + (0.5 + 5)) = 3.25. A first reward of 1 gives 2.25, which is cut to 1.
    q_a, v, rho_a = np.array([5.0, -5.0]), np.array([4.0, 3.0]), np.ones(2)
    config = UpdateConfig(gamma=0.5, value_limit=1.0)
    assert_allclose(critic_targets(two_turns([-1.0, 0.5]), q_a, v, rho_a, config), [0.25, 0.5])
    assert_allclose(critic_targets(two_turns([1.0, 0.5]), q_a, v, rho_a, config), [1.0, 0.5])
    # A last reward of -3 is cut to -1, after it has entered the first turn as -3: -1 + 0.5 (1 + (-3 + 1)) = -1.5, cut.
    assert_allclose(critic_targets(two_turns([-1.0, -3.0]), q_a, v, rho_a, config), [-1.0, -1.0])
    free = UpdateConfig(gamma=0.5)
    assert_allclose(critic_targets(two_turns([-1.0, 0.5]), q_a, v, rho_a, free), [3.25, 0.5])
    assert_array_equal(q_a, [5.0, -5.0])
