"""Retrace and the λ-return."""
import numpy as np
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import solve

from acer_np.retrace import lambda_returns, retrace_targets, traces
from tests.strategies import decays, frozen, retrace_forward_view, seeds

lengths = st.integers(1, 25)


def random_dialogue(seed, *shape, highest_trace=1.0):
    """r, Q, V and c of one dialogue (T,) or of several side by side (T, B)."""
    rng = np.random.default_rng(seed)
    return frozen(*(rng.normal(size=shape) for _ in range(3)), rng.uniform(0, highest_trace, shape))


def test_three_turns_by_hand():
    # Last: 8. Middle: 1 + ½ (6 + ½ (8 - 2)) = 5.5. First: -1 + ½ (3 + 1 (5.5 - 4)) = 1.25. The first trace is not used.
    r, q, v = np.array([-1.0, 1.0, 8.0]), np.array([7.0, 4.0, 2.0]), np.array([5.0, 3.0, 6.0])
    trace = np.array([9.0, 1.0, 0.5])
    for compute in (retrace_targets, retrace_forward_view):
        assert_allclose(compute(r, q, v, trace, 0.5), [1.25, 5.5, 8.0], rtol=1e-15)


def test_traces_by_hand():
    rho = np.array([0.25, 1.0, 3.0, np.inf])
    assert_array_equal(traces(rho, 1.0), [0.25, 1.0, 1.0, 1.0])
    assert_array_equal(traces(rho, 0.5), [0.125, 0.5, 0.5, 0.5])
    assert_array_equal(traces(rho, 0.0), np.zeros(4))


@given(seeds, lengths, decays, st.sampled_from([1.0, 5.0]))
def test_recursion_is_forward_view_is_bidiagonal_system(seed, length, gamma, highest_trace):
    r, q, v, trace = random_dialogue(seed, length, highest_trace=highest_trace)
    q_ret = retrace_targets(r, q, v, trace, gamma)
    scale = 1 + np.abs(q_ret).max()
    assert_allclose(retrace_forward_view(r, q, v, trace, gamma), q_ret, atol=1e-11 * scale)
    # (I - γ superdiag(c_2..c_T)) (Qret - Q) = r + γ V_next - Q
    system = np.eye(length) - gamma * np.diag(trace[1:], 1)
    errors = r + gamma * np.append(v[1:], 0) - q
    assert_allclose(q + solve(system, errors), q_ret, atol=1e-10 * scale)


@given(seeds, st.integers(2, 25), decays, st.integers(1, 24))
def test_a_dialogue_cut_anywhere_goes_on_from_what_it_was_worth_there(seed, length, gamma, cut):
    """Cut after some turns, with V of the next turn and its own error handed back as the bootstrap."""
    r, q, v, trace = random_dialogue(seed, length)
    whole, cut = retrace_targets(r, q, v, trace, gamma), min(cut, length - 1)
    worth = v[cut] + trace[cut] * (whole[cut] - q[cut])
    found = retrace_targets(r[:cut], q[:cut], v[:cut], trace[:cut], gamma, bootstrap=worth)
    assert_allclose(found, whole[:cut], atol=1e-12)


@given(seeds, lengths, decays)
def test_dialogues_side_by_side_are_those_one_by_one(seed, length, gamma):
    arrays = random_dialogue(seed, length, 3)
    rho = np.exp(arrays[3])
    for compute in (retrace_targets, retrace_forward_view):
        together = compute(*arrays, gamma)
        for b in range(3):
            assert_array_equal(together[:, b], compute(*(x[:, b] for x in arrays), gamma))
    together = lambda_returns(arrays[0], arrays[2], rho, gamma, 0.5)
    for b in range(3):
        assert_array_equal(together[:, b], lambda_returns(arrays[0][:, b], arrays[2][:, b], rho[:, b], gamma, 0.5))


@given(seeds, lengths, st.integers(1, 5), decays)
def test_zeros_after_the_end_change_nothing(seed, length, padding, gamma):
    arrays = random_dialogue(seed, length)
    padded = [np.append(x, np.zeros(padding)) for x in arrays]
    for compute in (retrace_targets, retrace_forward_view):
        assert_allclose(compute(*padded, gamma)[:length], compute(*arrays, gamma), atol=1e-15)
        assert_array_equal(compute(*padded, gamma)[length:], 0.0)
    (r, _, v, rho), (r_long, _, v_long, rho_long) = arrays, padded
    found = lambda_returns(r_long, v_long, rho_long, gamma, 0.7)[:length]
    assert_array_equal(found, lambda_returns(r, v, rho, gamma, 0.7))


@given(seeds, lengths, decays)
def test_the_last_target_is_the_last_reward_and_the_first_trace_is_never_used(seed, length, gamma):
    r, q, v, trace = random_dialogue(seed, length)
    q_ret = retrace_targets(r, q, v, trace, gamma)
    assert q_ret[-1] == r[-1]
    changed = trace.copy()
    changed[0] = 7.0
    assert_array_equal(retrace_targets(r, q, v, changed, gamma), q_ret)
    assert_array_equal(retrace_targets(r, q, v, trace, 0.0), r)


@given(seeds, lengths, decays)
def test_without_traces_the_target_looks_one_step_ahead(seed, length, gamma):
    r, q, v, trace = random_dialogue(seed, length)
    one_step = r + gamma * np.append(v[1:], 0)
    assert_allclose(retrace_targets(r, q, v, 0 * trace, gamma), one_step, atol=1e-12)
    assert_allclose(lambda_returns(r, v, np.exp(trace), gamma, 0.0), one_step, atol=1e-12)


def discounted_return(rewards, gamma):
    return np.array([sum(gamma ** (j - i) * rewards[j] for j in range(i, len(rewards))) for i in range(len(rewards))])


@given(seeds, lengths, decays)
def test_full_traces_with_q_equal_to_v_give_the_discounted_return(seed, length, gamma):
    r, q, _, _ = random_dialogue(seed, length)
    expected = discounted_return(r, gamma)
    assert_allclose(retrace_targets(r, q, q, np.ones(length), gamma), expected, atol=1e-11)
    assert_allclose(lambda_returns(r, q, np.ones(length), gamma, 1.0), expected, atol=1e-11)


@given(seeds, lengths, decays)
def test_exact_values_are_a_fixed_point_for_every_trace(seed, length, gamma):
    _, q, v, trace = random_dialogue(seed, length, highest_trace=5.0)
    consistent = q - gamma * np.append(v[1:], 0)
    assert_allclose(retrace_targets(consistent, q, v, trace, gamma), q, atol=1e-12)


@given(seeds, lengths, decays, st.floats(-10, 10))
def test_targets_scale_with_rewards_and_values(seed, length, gamma, factor):
    r, q, v, trace = random_dialogue(seed, length)
    assert_allclose(retrace_targets(factor * r, factor * q, factor * v, trace, gamma),
                    factor * retrace_targets(r, q, v, trace, gamma), atol=1e-11)


@given(seeds, st.sampled_from([0.0, 1.0, 5.0, np.inf]), decays)
def test_the_expected_operator_contracts_to_the_policys_values(seed, highest, trace_decay):
    """On a random MDP, all dialogues of two turns enumerated, Q^π is the fixed point and errors shrink by γ or more,
    for our traces and for any others that never exceed ρ."""
    rng, gamma, n_states, n_actions = np.random.default_rng(seed), 0.9, 2, 2
    pi, mu = (rng.dirichlet(np.ones(n_actions) * 2, size=n_states) for _ in range(2))
    moves = rng.dirichlet(np.ones(n_states), size=(n_states, n_actions))
    rewards = rng.normal(size=(2, n_states, n_actions))
    late_q = rewards[1]
    early_q = rewards[0] + gamma * moves @ (pi * late_q).sum(axis=1)

    def operator(early, late):
        """E_μ of the first target, for each first state and action."""
        expected = np.zeros((n_states, n_actions))
        v = (pi * late).sum(axis=1)
        for s, a, s2, a2 in np.ndindex(n_states, n_actions, n_states, n_actions):
            rho = np.array([1.0, pi[s2, a2] / mu[s2, a2]])
            trace = traces(rho, trace_decay) if highest == 1 else trace_decay * np.minimum(highest, rho)
            target = retrace_targets(np.array([rewards[0, s, a], rewards[1, s2, a2]]),
                                     np.array([early[s, a], late[s2, a2]]), np.array([0.0, v[s2]]), trace, gamma)
            expected[s, a] += moves[s, a, s2] * mu[s2, a2] * target[0]
        return expected

    assert_allclose(operator(early_q, late_q), early_q, atol=1e-12)
    error = rng.normal(size=late_q.shape)
    assert np.abs(operator(early_q, late_q + error) - early_q).max() <= gamma * np.abs(error).max() + 1e-12


def test_lambda_return_by_hand():
    # λ = ½, γ = ½. Last: 8. Middle: 1 + ½·½·6 + ½·½·2·8 = 6.5. First: -1 + ½·½·3 + ½·½·½·6.5 = 0.5625.
    found = lambda_returns(np.array([-1.0, 1.0, 8.0]), np.array([5.0, 3.0, 6.0]), np.array([9.0, 0.5, 2.0]), 0.5, 0.5)
    assert_allclose(found, [0.5625, 6.5, 8.0], rtol=1e-15)


@given(seeds, lengths, decays)
def test_the_whole_lambda_return_weighs_every_reward_by_the_product_of_ratios(seed, length, gamma):
    r, _, v, rho = random_dialogue(seed, length, highest_trace=2.0)
    expected = [sum(gamma ** (j - i) * np.prod(rho[i + 1:j + 1]) * r[j] for j in range(i, length))
                for i in range(length)]
    assert_allclose(lambda_returns(r, v, rho, gamma, 1.0), expected, atol=1e-9 * (1 + np.abs(expected).max()))


def test_single_precision_stays_single():
    arrays = [np.ones((3, 2), np.float32)] * 4
    assert retrace_targets(*arrays, 0.9).dtype == np.float32
    assert lambda_returns(*arrays[:3], 0.9, 0.5).dtype == traces(arrays[0], 0.5).dtype == np.float32
