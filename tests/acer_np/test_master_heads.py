"""The heads of the master space: cases by hand, what the payload may do, and one output per slot."""
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.heads import SummaryHeads
from acer_np.master_heads import MOST_PAYLOAD_SLOTS, MasterHeads
from tests.strategies import frozen, random_actions, random_masks, random_mu, seeds, spelled_out, truncations


def random_outputs(seed, heads, n=3, scale=1.5):
    """Logits of two policies, Q outputs and masks for n turns."""
    rng = np.random.default_rng(seed)
    logits, others, q = frozen(*(scale * rng.normal(size=(n, heads.width)) for _ in range(3)))
    return rng, logits, others, q, random_masks(rng, n, heads.n_summary)


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


@given(seeds)
def test_shifting_value_between_summary_and_payload_changes_nothing(seed):
    heads = MasterHeads(2, 2, 3, "payloads")
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
    acted = random_mu(rng, masks)
    mu, actions = heads.behaviour(acted, rng.normal(size=(3, 2))), random_actions(rng, heads, acted)
    v = heads.value(policy, q)
    for d in (heads.entropy_gradient(policy), heads.kl_gradient(average, policy),
              heads.bias_correction(policy, mu, q, v, rho_max, np.inf),
              heads.log_gradient(policy, heads.onehot(actions, np.ones(3)))):
        assert_array_equal(d[:, 5:], 0.0)
        assert np.isfinite(d).all()


@given(seeds, truncations, st.sampled_from([0.5, np.inf]), st.sampled_from(["slots", "payloads"]))
def test_without_payload_slots_they_are_the_heads_of_the_summary_space(seed, rho_max, limit, outputs):
    """The payload is always empty; an output for it changes nothing and gets no gradient."""
    master, plain = MasterHeads(2, 0, 3, outputs), SummaryHeads(5)
    assert master.n_actions == 5 and master.width == (5 if outputs == "slots" else 6)
    rng, logits, others, q, masks = random_outputs(seed, master)
    q = np.hstack([q[:, :5], 0 * q[:, 5:]])
    acted, actions, values = random_mu(rng, masks), random_actions(rng, plain, masks), rng.normal(size=3)
    found, expected = [], []
    for heads, results in ((master, found), (plain, expected)):
        l, o, c = (x[:, :heads.width] for x in (logits, others, q))
        policy, average, mu = heads.policy(l, masks), heads.policy(o, masks), heads.behaviour(acted, l[:, 5:])
        v = heads.value(policy, c)
        results += [heads.pi_of(policy, actions), heads.pi_of(mu, actions), heads.q_of(c, actions), v,
                    heads.greedy(policy), heads.draw(policy, np.random.default_rng(seed)), heads.entropy(policy),
                    heads.kl_divergence(average, policy), heads.summary_masks(masks), heads.summary_of(actions)]
        wide = [heads.entropy_gradient(policy), heads.kl_gradient(average, policy), heads.onehot(actions, values),
                heads.log_gradient(policy, heads.onehot(actions, values)),
                heads.bias_correction(policy, mu, c, v, rho_max, limit)]
        results += [x[:, :5] for x in wide]
        if heads is master:
            assert all(np.abs(x[:, 5:]).max(initial=0.0) < 1e-14 for i, x in enumerate(wide) if i not in (2, 4))
    for ours, theirs in zip(found, expected, strict=True):
        assert_allclose(ours, theirs, atol=1e-15)


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
    for sizes in ((0, 1, 1), (1, 1, 0), (1, -1, 1), (1, MOST_PAYLOAD_SLOTS + 1, 1)):
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


@given(seeds)
def test_slots_are_payloads_whose_logits_and_values_add_up(seed):
    """The same policy in the paper's layout gives the same numbers, and its gradients sum to those of the slots."""
    slots, payloads = MasterHeads(2, 3, 2, "slots"), MasterHeads(2, 3, 2, "payloads")
    rng, logits, q, _, masks = random_outputs(seed, slots, n=4, scale=1.0)
    share = np.array([[float(payload // 2 ** slot % 2) for payload in range(8)] for slot in range(3)])

    def wide(x):
        return np.hstack([x[:, :4], x[:, 4:] @ share])

    def narrow(x):
        return np.hstack([x[:, :4], x[:, 4:] @ share.T])

    policy, same = slots.policy(logits, masks), payloads.policy(wide(logits), masks)
    acted, drawn_from = random_mu(rng, masks), np.hstack([np.zeros((4, 4)), rng.normal(size=(4, 3))])
    mu, same_mu = slots.behaviour(acted, drawn_from[:, 4:]), payloads.behaviour(acted, wide(drawn_from)[:, 4:])
    v = slots.value(policy, q)
    assert_allclose(v, payloads.value(same, wide(q)), atol=1e-12)
    assert_array_equal(slots.greedy(policy), payloads.greedy(same))
    for found, expected in (
            (slots.entropy_gradient(policy), payloads.entropy_gradient(same)),
            (slots.kl_gradient(policy, policy), payloads.kl_gradient(same, same)),
            (slots.bias_correction(policy, mu, q, v, 0.5, 1.0),
             payloads.bias_correction(same, same_mu, wide(q), v, 0.5, 1.0))):
        assert_allclose(found, narrow(expected), atol=1e-12)


def test_payload_outputs_are_payloads_or_slots():
    with pytest.raises(ValueError, match="payload_outputs is 'bits'"):
        MasterHeads(2, 2, 2, "bits")
