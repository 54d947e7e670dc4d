"""The ε-greedy behaviour and the probabilities it stores."""
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.behaviour import (Behaviour, epsilon_greedy, first_actions, mu_of, mu_of_all, sample_action, summary_mask,
                               summary_of)
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from tests.strategies import either_heads, frozen, random_actions, random_masks, seeds, spelled_out, wide_mu

epsilon_values = st.one_of(st.just(0.0), st.floats(1e-6, 1))
spaces = st.sampled_from(["actions", "summary"])
BUILT_IN = MasterHeads(4, 8, 11)


def random_behaviour(seed, heads, epsilon, over, n=4):
    rng = np.random.default_rng(seed)
    masks = random_masks(rng, n, len(heads.sizes))
    greedy, epsilons = random_actions(rng, heads, masks), np.full(n, epsilon)
    payloads = rng.normal(size=(n, heads.width - len(heads.sizes)))
    frozen(masks, greedy, epsilons, payloads)
    mu = epsilon_greedy(masks, epsilons, greedy, heads.sizes, over, frozen(heads.payload_policy(payloads)))
    return rng, masks, epsilons, greedy, payloads, mu


def test_summary_space_by_hand():
    # Two of three actions allowed, ε = 0.4: 0.2 each, and 0.6 more for the greedy one.
    mu = epsilon_greedy(np.array([[True, False, True]]), np.array([0.4]), np.array([2]), np.ones(3, int))
    assert_allclose(mu_of_all(mu, np.ones(3, int)), [[0.2, 0.0, 0.8]], rtol=1e-15)


def test_master_space_by_hand():
    # One method with 4 payloads and two others, one of them forbidden; ε = 0.5, a* = payload 1.
    # Over actions: 5 are allowed, 0.1 each, and 0.5 more for a*. Over summary actions: 0.25 for the other and
    # 0.25 + 0.5 for the method, whose payloads have their own probabilities, whatever that of a* is.
    sizes, mask, nu = np.array([4, 1, 1]), np.array([[True, False, True]]), np.array([[0.1, 0.2, 0.3, 0.4]])
    arguments = (mask, np.array([0.5]), np.array([1]), sizes)
    expected = {"actions": [[0.1, 0.6, 0.1, 0.1, 0, 0.1]], "summary": [[0.075, 0.15, 0.225, 0.3, 0, 0.25]]}
    for over, mu in expected.items():
        assert_allclose(mu_of_all(epsilon_greedy(*arguments, over, nu), sizes), mu, rtol=1e-14)
    assert_allclose(mu_of_all(epsilon_greedy(*arguments), sizes), expected["actions"], rtol=1e-14)


@given(seeds, either_heads, epsilon_values, spaces)
def test_every_probability_is_the_one_spelled_out_action_by_action(seed, heads, epsilon, over):
    _, masks, epsilons, greedy, payloads, mu = random_behaviour(seed, heads, epsilon, over)
    full = mu_of_all(mu, heads.sizes)
    assert_allclose(full, wide_mu(heads, masks, epsilons, greedy, over, payloads), atol=1e-15)
    assert_allclose(full.sum(axis=1), 1.0, atol=1e-14)
    for a in range(heads.n_actions):
        assert_array_equal(mu_of(mu, np.full(len(masks), a), heads.sizes), full[:, a])


@given(seeds, either_heads, epsilon_values)
def test_importance_weights_keep_their_bounds_when_the_greedy_action_is_the_policys(seed, heads, epsilon):
    rng, masks, epsilons, *_ = random_behaviour(seed, heads, epsilon, "actions")
    logits = rng.normal(size=(len(masks), heads.width))
    policy = heads.policy(logits, masks)
    greedy = heads.greedy(policy)
    mu = epsilon_greedy(masks, epsilons, greedy, heads.sizes, "actions")
    allowed = masks @ heads.sizes
    total = np.zeros(len(masks))
    for a in range(heads.n_actions):
        actions = np.full(len(masks), a)
        pi_a, mu_a = heads.pi_of(policy, actions), mu_of(mu, actions, heads.sizes)
        best = greedy == a
        assert (pi_a[best] <= mu_a[best] / (1 - epsilon + epsilon / allowed[best]) * (1 + 1e-9)).all()
        possible = ~best & (mu_a > 0)
        assert (pi_a[possible] <= mu_a[possible] * allowed[possible] / (2 * max(epsilon, 1e-6)) * (1 + 1e-9)).all()
        total += np.where(mu_a > 0, mu_a * (pi_a / np.where(mu_a > 0, mu_a, 1)), 0)
    assert_allclose(total, 1.0 if epsilon else heads.pi_of(policy, greedy), atol=1e-12)


@pytest.mark.parametrize("heads", [SummaryHeads(15), BUILT_IN, MasterHeads(2, 3, 3)])
def test_indices_and_pairs_of_summary_action_and_payload_correspond(heads):
    for a, (summary, payload) in enumerate(spelled_out(heads)):
        assert summary_of(np.array([a]), heads.sizes)[0] == summary
        assert first_actions(heads.sizes)[summary] + (payload or 0) == a
    assert heads.n_actions == len(spelled_out(heads))


def test_the_built_in_master_space_has_1035_actions():
    assert BUILT_IN.n_actions == 1035
    assert_array_equal(first_actions(BUILT_IN.sizes), [0, 256, 512, 768, *range(1024, 1035)])


@pytest.mark.parametrize("over", ["actions", "summary"])
def test_actions_are_drawn_as_often_as_stated(over):
    heads, rng = MasterHeads(2, 1, 3), np.random.default_rng(5)
    masks, n_draws = np.array([[True, False, True, True, False]]), 6000
    mu = epsilon_greedy(masks, np.array([0.7]), np.array([1]), heads.sizes, over, np.array([[0.2, 0.8]], np.float32))
    counts = np.bincount([sample_action(mu, heads.sizes, rng) for _ in range(n_draws)], minlength=heads.n_actions)
    expected = mu_of_all(mu, heads.sizes)[0]
    assert (counts[expected == 0] == 0).all()
    assert (np.abs(counts / n_draws - expected) <= 4 * np.sqrt(expected / n_draws)).all()


@given(seeds, either_heads, spaces)
def test_without_exploration_the_greedy_action_is_certain_and_with_it_alone_all_are_alike(seed, heads, over):
    rng, _, _, greedy, payloads, mu = random_behaviour(seed, heads, 0.0, over, n=1)
    drawn, behind = np.array([sample_action(mu, heads.sizes, rng)]), heads.sizes[summary_of(greedy, heads.sizes)][0]
    if over == "actions" or behind == 1:
        assert drawn == greedy and mu_of(mu, greedy, heads.sizes)[0] == 1.0
    else:                                # the summary action is certain, the payload is drawn
        assert summary_of(drawn, heads.sizes) == summary_of(greedy, heads.sizes)
        assert mu_of(mu, drawn, heads.sizes)[0] == heads.payload_policy(payloads)[0, drawn[0] % behind]
    _, masks, _, _, _, mu = random_behaviour(seed, heads, 1.0, "actions", n=1)
    full = mu_of_all(mu, heads.sizes)
    assert_allclose(full[full > 0], 1 / (masks @ heads.sizes)[0], rtol=1e-15)


def test_the_same_generator_draws_the_same_action_as_a_python_int():
    mu = epsilon_greedy(np.ones((1, 5), bool), np.array([0.9]), np.array([3]), np.ones(5, int))
    draws = [[sample_action(mu, np.ones(5, int), rng) for _ in range(20)] for rng in map(np.random.default_rng, (1, 1))]
    assert draws[0] == draws[1] and all(type(a) is int for a in draws[0])


def test_masks_of_all_actions_shrink_to_masks_of_summary_actions():
    heads = MasterHeads(2, 1, 2)
    mask = np.array([True, True, False, False, True, False])
    assert_array_equal(summary_mask(mask, heads.sizes), [True, False, True, False])
    with pytest.raises(ValueError, match=r"mask has shape \(5,\), expected \(6,\)"):
        summary_mask(mask[:5], heads.sizes)
    with pytest.raises(ValueError, match="allows some payloads of an action and forbids others"):
        summary_mask(np.array([True, False, True, True, True, True]), heads.sizes)


def test_single_precision_stays_single():
    mu = epsilon_greedy(np.ones((1, 3), bool), np.array([0.5], np.float32), np.array([0]), np.ones(3, int))
    assert mu.summary.dtype == mu.payload.dtype == mu.spike.dtype == np.float32
    assert mu_of(mu, np.array([1]), np.ones(3, int)).dtype == mu_of_all(mu, np.ones(3, int)).dtype == np.float32
    over_summary = epsilon_greedy(np.ones((1, 3), bool), np.array([0.5], np.float32), np.array([0]), np.ones(3, int),
                                  "summary", np.ones((1, 1), np.float32))
    assert over_summary.summary.dtype == over_summary.spike.dtype == np.float32
    assert isinstance(sample_action(mu, np.ones(3, int), np.random.default_rng(0)), int)
    assert isinstance(mu, Behaviour)


def test_an_unknown_way_to_explore_is_refused():
    with pytest.raises(ValueError, match="explore_over is 'payloads', expected \"actions\" or \"summary\""):
        epsilon_greedy(np.ones((1, 3), bool), np.array([0.5]), np.array([0]), np.ones(3, int), "payloads")
