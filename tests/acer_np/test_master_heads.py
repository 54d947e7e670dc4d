"""The heads of the master space: cases by hand, what the payload may do, and one output per slot."""
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.master_heads import MOST_PAYLOAD_SLOTS, MasterHeads
from tests.strategies import spelled_out


def test_master_heads_by_hand():
    # One method, one slot (2 payloads), one other action. π_s = (1/4, 3/4), π_p = (1/3, 2/3):
    # π = (1/12, 2/12, 9/12). Q_s = (1, 2), Q_p = (3, 6): Q = (4, 7, 2) and V = (4 + 14 + 18)/12 = 3.
    heads = MasterHeads(n_methods=1, n_payload_slots=1, n_others=1, payload_outputs="payloads")
    policy = heads.policy(np.log([[1.0, 3.0, 1.0, 2.0]] * 3), np.ones((3, 2), bool))
    q, actions = np.array([[1.0, 2.0, 3.0, 6.0]] * 3), np.arange(3)
    assert heads.n_actions == 3 and heads.width == 4
    assert_allclose(heads.pi_of(policy, actions), [1 / 12, 2 / 12, 9 / 12], rtol=1e-14)
    assert_allclose(heads.q_of(q, actions), [4.0, 7.0, 2.0], rtol=1e-15)
    assert_allclose(heads.value(policy, q), 3.0, rtol=1e-14)
    assert_array_equal(heads.greedy(policy), [2, 2, 2])
    # Drawn with μ_s = (1/2, 1/2) and ν = (1/5, 4/5): μ = (1, 4, 5)/10.
    acted = heads.behaviour(np.full((3, 2), 0.5), np.log([[1.0, 4.0]] * 3))
    assert_allclose(heads.pi_of(acted, actions), [0.1, 0.4, 0.5], rtol=1e-14)
    assert_array_equal(heads.onehot(actions, np.array([5.0, 6.0, 7.0])), [[5, 0, 5, 0], [6, 0, 0, 6], [0, 7, 0, 0]])
    # Score of action 1: onehot(A) - π_s beside onehot(P) - π_p; of action 2: onehot(A) - π_s beside zero.
    scores = heads.log_gradient(policy, heads.onehot(actions, np.ones(3)))
    assert_allclose(scores[1], [3 / 4, -3 / 4, -1 / 3, 1 / 3], rtol=1e-14)
    assert_allclose(scores[2], [-1 / 4, 1 / 4, 0, 0], atol=1e-15)


def test_master_correction_by_hand():
    # π_s = (3/4, 1/4) and π_p = (1/3, 2/3): π = (3, 6, 3)/12; Q = (4, 7, 2), V = (12 + 42 + 6)/12 = 5.
    # Q - V = (-1, 2, -3). μ_s = (1/4, 3/4), ν = (1/4, 3/4): μ = (1/16, 3/16, 3/4).
    # c = 1: π - μ = (9, 15, -24)/48. c = 1/2: π - μ/2 = (21, 39, -12)/96. c = 2: π - 2 μ = (6, 6, -60)/48.
    heads = MasterHeads(1, 1, 1, "payloads")
    policy = heads.policy(np.log([[9.0, 3.0, 1.0, 2.0]]), np.ones((1, 2), bool))
    q = np.array([[1.0, 2.0, 3.0, 6.0]])
    v = heads.value(policy, q)
    assert_allclose(v, 5.0, rtol=1e-14)
    mu = heads.behaviour(np.array([[0.25, 0.75]]), np.log([[1.0, 3.0]]))
    for c, g in ((1.0, (-9 / 48, 30 / 48)), (0.5, (-21 / 96, 78 / 96)), (2.0, (-6 / 48, 12 / 48))):
        found = heads.bias_correction(policy, mu, q, v, c, np.inf)
        assert_allclose(found, [[g[0] + g[1], 0, g[0], g[1]]], atol=1e-15)
    # Held within 6.5, Q = (4, 6.5, 2) and Q - V = (-1, 1.5, -3).
    assert_allclose(heads.bias_correction(policy, mu, q, v, 1.0, 6.5), np.array([[-9 + 22.5, 0, -9, 22.5]]) / 48,
                    atol=1e-15)
    # Where μ informs alone, the other action's correction is all of it: 1/4 (2 - 5), and held within 1, 1/4 (1 - 5).
    alone = heads.behaviour(np.array([[1.0, 0.0]]), np.log([[1.0, 2.0]]))
    assert_allclose(heads.bias_correction(policy, alone, q, v, 1.0, np.inf), [[0, -0.75, 0, 0]], atol=1e-15)
    assert_allclose(heads.bias_correction(policy, alone, q, v, 1.0, 1.0), [[0, -1.0, 0, 0]], atol=1e-15)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_correction_of_a_payload_that_the_behaviour_rarely_or_never_tells(dtype):
    # π informs with either payload, 1/2 each; Q = (1, 2), V = 0. μ informs and tells the second with ν = exp(-14) or
    # exp(-60), or never. c = 5000: (1/2 - 5000 exp(-14)) 2. c = ∞: nothing where ν > 0, and 1/2 · 2 where ν = 0.
    heads, masks = MasterHeads(1, 1, 1, "payloads"), np.array([[True, False]])
    q, policy = np.array([[0, 0, 1, 2]], dtype), heads.policy(np.zeros((1, 4), dtype), masks)
    for rarity, c, g in ((14, 5000.0, 1 - 1e4 * np.exp(-14)), (14, np.inf, 0), (60, np.inf, 0), (2000, np.inf, 1)):
        mu = heads.behaviour(masks.astype(dtype), np.array([[0, -rarity]], dtype))
        with np.errstate(all="raise", under="ignore"):
            found = heads.bias_correction(policy, mu, q, np.zeros(1, dtype), c, np.inf)
        assert_allclose(found, [[g, 0, 0, g]], rtol=1e-6)
    never = heads.behaviour(np.array([[0, 1]], dtype), np.zeros((1, 2), dtype))        # μ never informs at all
    assert_array_equal(heads.bias_correction(policy, never, q, np.zeros(1, dtype), np.inf, np.inf), [[1.5, 0, .5, 1]])


@pytest.mark.parametrize("heads", [MasterHeads(4, 8, 11), MasterHeads(2, 3, 3), MasterHeads(1, 0, 1)])
def test_indices_and_pairs_of_summary_action_and_payload_correspond(heads):
    pairs = spelled_out(heads)
    summary, payload, informs = heads.locate(np.arange(heads.n_actions))
    assert heads.n_actions == len(pairs)
    assert [(s, p if inform else None) for s, p, inform in zip(summary, payload, informs)] == pairs
    assert (payload[~informs] == 0).all()
    assert_array_equal(heads.index(summary, payload), np.arange(heads.n_actions))
    assert_array_equal(heads.index(summary, np.where(informs, payload, 1)), np.arange(heads.n_actions))


def test_a_mask_that_tells_payloads_apart_is_refused():
    heads = MasterHeads(2, 1, 2)
    assert_array_equal(heads.summary_masks(np.array([[1, 1, 0, 0, 1, 0]], bool)), [[True, False, True, False]])
    for bad in ([1, 0, 0, 0, 1, 1], [0, 1, 1, 1, 1, 1], [1, 1, 0, 1, 1, 1]):
        with pytest.raises(ValueError,
                           match="allows some payloads of an action and forbids others, expected all or none"):
            heads.summary_masks(np.array([bad], bool))


def test_sizes_out_of_range_are_refused():
    for sizes in ((0, 1, 1), (1, 1, 0), (1, -1, 1), (1, MOST_PAYLOAD_SLOTS + 1, 1), (1, 1, np.nan), (np.nan, 1, 1)):
        with pytest.raises(ValueError,
                           match=rf"heads is MasterHeads\(n_methods={sizes[0]}.*, expected at least one method"):
            MasterHeads(*sizes)
    assert MasterHeads(1, MOST_PAYLOAD_SLOTS, 1).n_actions == 4097


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
    gradient = heads.log_gradient(policy, heads.onehot(np.array([1]), np.array([1.0])))
    assert_allclose(gradient, [[0.5, -0.5, 0.25, -0.5]], rtol=1e-13)


def test_payload_outputs_are_payloads_or_slots():
    with pytest.raises(ValueError, match="payload_outputs is 'bits'"):
        MasterHeads(2, 2, 2, "bits")
