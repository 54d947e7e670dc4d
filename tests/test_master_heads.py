"""The heads of the master space: cases by hand, what the payload may do, and one output per slot."""
import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.behaviour import epsilon_greedy
from acer_np.master_heads import MasterHeads
from tests.strategies import random_actions, seeds, truncations
from tests.test_heads import random_outputs


def test_master_heads_by_hand():
    # One method, one slot (2 payloads), one other action. π_s = (1/4, 3/4), π_p = (1/3, 2/3):
    # π = (1/12, 2/12, 9/12). Q_s = (1, 2), Q_p = (3, 6): Q = (4, 7, 2) and V = (4 + 14 + 18)/12 = 3.
    heads = MasterHeads(n_methods=1, n_payload_slots=1, n_others=1)
    policy = heads.policy(np.log([[1.0, 3.0, 1.0, 2.0]] * 3), np.ones((3, 2), bool))
    q, actions = np.array([[1.0, 2.0, 3.0, 6.0]] * 3), np.arange(3)
    assert heads.n_actions == 3 and heads.width == 4
    assert_allclose(heads.pi_of(policy, actions), [1 / 12, 2 / 12, 9 / 12], rtol=1e-14)
    assert_allclose(heads.q_of(q, actions), [4.0, 7.0, 2.0], rtol=1e-15)
    assert_allclose(heads.value(policy, q), 3.0, rtol=1e-14)
    assert_array_equal(heads.greedy(policy), [2, 2, 2])
    assert_allclose(heads.payload_policy(np.log([[1.0, 2.0]])), [[1 / 3, 2 / 3]], rtol=1e-14)
    assert_array_equal(heads.at_actions(actions, np.array([5.0, 6.0, 7.0])), [[5, 0, 5, 0], [6, 0, 0, 6], [0, 7, 0, 0]])
    # Score of action 1: onehot(A) - π_s beside onehot(P) - π_p; of action 2: onehot(A) - π_s beside zero.
    scores = heads.log_gradient(policy, heads.at_actions(actions, np.ones(3)))
    assert_allclose(scores[1], [3 / 4, -3 / 4, -1 / 3, 1 / 3], rtol=1e-14)
    assert_allclose(scores[2], [-1 / 4, 1 / 4, 0, 0], atol=1e-15)


def test_master_correction_by_hand():
    # π_s = (3/4, 1/4) and π_p = (1/3, 2/3): π = (3, 6, 3)/12; Q = (4, 7, 2), V = (12 + 42 + 6)/12 = 5.
    # Q - V = (-1, 2, -3). c = 1, ε = 1/2: μ = 1/6 each, π - μ = (1, 4, 1)/12; 1/2 more at a* leaves nothing there.
    heads = MasterHeads(1, 1, 1)
    policy = heads.policy(np.log([[9.0, 3.0, 1.0, 2.0]]), np.ones((1, 2), bool))
    q = np.array([[1.0, 2.0, 3.0, 6.0]])
    v = heads.value(policy, q)
    assert_allclose(v, 5.0, rtol=1e-14)
    for greedy, g in ((0, [0, 8, -3]), (1, [-1, 0, -3]), (2, [-1, 8, 0])):
        mu = epsilon_greedy(np.ones((1, 2), bool), np.array([0.5]), np.array([greedy]), heads.sizes)
        expected = np.array([[g[0] + g[1], g[2], g[0], g[1]]]) / 12
        assert_allclose(heads.bias_correction(policy, q, v, mu, 1.0), expected, atol=1e-15)
    # Over summary actions, ε = 1/2, A* the other one, ν = (1/4, 3/4): μ = (1/16, 3/16, 3/4), π - μ = (9, 15, -24)/48.
    mu = epsilon_greedy(np.ones((1, 2), bool), np.array([0.5]), np.array([2]), heads.sizes, "summary",
                        np.array([[0.25, 0.75]]))
    expected = np.array([[-9 + 30, 0, -9, 30]]) / 48
    assert_allclose(heads.bias_correction(policy, q, v, mu, 1.0), expected, atol=1e-15)


@given(seeds)
def test_shifting_value_between_summary_and_payload_changes_nothing(seed):
    heads = MasterHeads(2, 2, 3)
    rng, logits, _, q, masks = random_outputs(seed, heads)
    policy, shift = heads.policy(logits, masks), rng.normal()
    shifted = q.copy()
    shifted[:, :2] -= shift
    shifted[:, 5:] += shift
    assert_allclose(heads.value(policy, shifted), heads.value(policy, q), atol=1e-12)
    for a in range(heads.n_actions):
        assert_allclose(heads.q_of(shifted, np.full(3, a)), heads.q_of(q, np.full(3, a)), atol=2e-13)


@given(seeds, truncations)
def test_where_no_inform_is_allowed_the_payload_gets_no_gradient(seed, rho_max):
    heads = MasterHeads(2, 2, 3)
    rng, logits, others, q, _ = random_outputs(seed, heads)
    masks = np.zeros((3, 5), bool)
    masks[:, 3:] = True
    policy, average = heads.policy(logits, masks), heads.policy(others, masks)
    mu = epsilon_greedy(masks, np.full(3, 0.5), random_actions(rng, heads, masks), heads.sizes)
    v = heads.value(policy, q)
    for d in (heads.entropy_gradient(policy), heads.kl_gradient(average, policy),
              heads.bias_correction(policy, q, v, mu, rho_max),
              heads.log_gradient(policy, heads.at_actions(mu.greedy, np.ones(3)))):
        assert_array_equal(d[:, 5:], 0.0)
        assert np.isfinite(d).all()


def test_a_master_space_without_methods_slots_or_others_is_refused():
    for sizes in ((0, 1, 1), (1, 0, 1), (1, 1, 0)):
        with pytest.raises(ValueError, match=rf"n_methods={sizes[0]}.* needs at least one"):
            MasterHeads(*sizes)


def test_one_output_per_slot_by_hand():
    # One method, two slots, one other action. π_s = (1/2, 1/2); slots are told with probabilities 3/4 and 1/2, so
    # π_p of nothing, slot 0, slot 1, both = (1/8, 3/8, 1/8, 3/8), and Q_p = 0, 2, 3, 5.
    heads = MasterHeads(1, 2, 1, "slots")
    logits, masks = np.array([[0.0, 0.0, np.log(3.0), 0.0]]), np.ones((1, 2), bool)
    q = np.array([[1.0, -1.0, 2.0, 3.0]])
    policy = heads.policy(logits, masks)
    assert_allclose(policy.payload.pi, [[1 / 8, 3 / 8, 1 / 8, 3 / 8]], rtol=1e-13)
    assert heads.width == 4 and heads.n_actions == 5
    actions = np.arange(5)
    assert_allclose(heads.q_of(np.repeat(q, 5, axis=0), actions), [1, 3, 4, 6, -1])
    # V = 1/2 (1 + 3/4·2 + 1/2·3) + 1/2 (-1) = 1.5
    assert_allclose(heads.value(policy, q), [1.5], rtol=1e-13)
    # d log π(slot 0 alone) = told - probability, slot by slot: (1 - 3/4, 0 - 1/2)
    gradient = heads.log_gradient(policy, heads.at_actions(np.array([1]), np.array([1.0])))
    assert_allclose(gradient, [[0.5, -0.5, 0.25, -0.5]], rtol=1e-13)


@given(seeds)
def test_slots_are_payloads_whose_logits_and_values_add_up(seed):
    """The same policy in the paper's layout gives the same numbers, and its gradients sum to those of the slots."""
    slots, payloads = MasterHeads(2, 3, 2, "slots"), MasterHeads(2, 3, 2)
    rng, logits, q, _, masks = random_outputs(seed, slots, n=4, scale=1.0)
    share = np.array([[float(payload // 2 ** slot % 2) for payload in range(8)] for slot in range(3)])

    def wide(x):
        return np.hstack([x[:, :4], x[:, 4:] @ share])

    def narrow(x):
        return np.hstack([x[:, :4], x[:, 4:] @ share.T])

    policy, same = slots.policy(logits, masks), payloads.policy(wide(logits), masks)
    mu = epsilon_greedy(masks, rng.uniform(0.1, 1, 4), slots.greedy(policy), slots.sizes, "summary",
                        slots.payload_policy(rng.normal(size=(4, 3))))
    v = slots.value(policy, q)
    assert_allclose(v, payloads.value(same, wide(q)), atol=1e-12)
    assert_array_equal(slots.greedy(policy), payloads.greedy(same))
    for found, expected in (
            (slots.entropy_gradient(policy), payloads.entropy_gradient(same)),
            (slots.kl_gradient(policy, policy), payloads.kl_gradient(same, same)),
            (slots.bias_correction(policy, q, v, mu, 0.5), payloads.bias_correction(same, wide(q), v, mu, 0.5))):
        assert_allclose(found, narrow(expected), atol=1e-12)


def test_payload_outputs_are_payloads_or_slots():
    with pytest.raises(ValueError, match="payload_outputs is 'bits'"):
        MasterHeads(2, 2, 2, "bits")
