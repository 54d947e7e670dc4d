"""The network: its flat parameters, forward pass and hand-written gradients."""
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import issparse

from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.network import Network, compressed
from tests.strategies import bodies, central_differences, either_heads, far_from_kinks, frozen, seeds

hidden_sizes = st.sampled_from([(4,), (4, 3), (3, 4, 2), ()])


def random_network(seed, heads, hidden=(4, 3), n=3, critic_body="own", critic_width=None):
    """A network, dense parameters (biases too) and beliefs that keep every unit away from the kink of its ReLU."""
    rng = np.random.default_rng(seed)
    network = Network(5, heads, hidden, critic_body, critic_width)
    while True:
        params, beliefs = rng.normal(size=network.size), rng.normal(size=(n, 5))
        if far_from_kinks(network, params, beliefs, margin=1e-3):
            return rng, network, *frozen(params, beliefs)


def test_a_tiny_network_by_hand():
    # x = (1, 2); hidden: 1·1 + 2·1 - 1 = 2 and 1·1 - 2·1 = -1 -> 0; logit 2·3 + 0·5 + 1 = 7;
    # Q = 2·(-2) + 0·4 + 0.5 = -3.5.
    network = Network(2, SummaryHeads(1), hidden=(2,), critic_body="shared")
    params = np.array([1.0, 1.0, 1.0, -1.0, -1.0, 0.0, 3.0, 5.0, 1.0, -2.0, 4.0, 0.5])
    forward = network.forward(params, np.array([[1.0, 2.0]]))
    assert_array_equal(forward.layers[0], [[1.0, 2.0]])
    assert_array_equal(forward.layers[1], [[2.0, 0.0]])
    assert_array_equal(forward.logits, [[7.0]])
    assert_array_equal(forward.critic, [[-3.5]])
    # d logit = 1: head (2, 0) and 1; hidden (3, 0), the second unit being off; dW1 = x (3, 0).
    # d Q = 10: head (20, 0) and 10; hidden (-20, 0).
    objectives = [(np.array([[1.0]]), None), (np.array([[0.0]]), np.array([[10.0]]))]
    policy, critic = network.backward(params, forward, objectives)
    assert_array_equal(policy, [3, 0, 6, 0, 3, 0, 2, 0, 1, 0, 0, 0])
    assert_array_equal(critic, [-20, 0, -40, 0, -20, 0, 0, 0, 0, 20, 0, 10])


def test_a_tiny_network_whose_critic_has_a_body_of_its_own_by_hand():
    # The same policy: logit 7. The critic's hidden units: 1·2 + 2·0 + 0 = 2 and 1·0 + 2·(-1) + 3 = 1;
    # Q = 2·(-2) + 1·4 + 0.5 = 0.5.
    network = Network(2, SummaryHeads(1), hidden=(2,), critic_body="own")
    params = np.array([1.0, 1.0, 1.0, -1.0, -1.0, 0.0, 3.0, 5.0, 1.0, 2.0, 0.0, 0.0, -1.0, 0.0, 3.0, -2.0, 4.0, 0.5])
    forward = network.forward(params, np.array([[1.0, 2.0]]))
    assert_array_equal(forward.logits, [[7.0]])
    assert_array_equal(forward.critic_layers[1], [[2.0, 1.0]])
    assert_array_equal(forward.critic, [[0.5]])
    # d Q = 10: head (20, 10) and 10; hidden (-20, 40); dW = x (-20, 40) = (-20, 40; -40, 80). Nothing for the policy.
    policy, critic = network.backward(params, forward,
                                      [(np.array([[1.0]]), None), (np.zeros((1, 1)), np.array([[10.0]]))])
    assert_array_equal(policy, [3, 0, 6, 0, 3, 0, 2, 0, 1, *np.zeros(9)])
    assert_array_equal(critic, [*np.zeros(9), -20, 40, -40, 80, -20, 40, 20, 10, 10])


def test_a_unit_exactly_at_zero_passes_no_gradient():
    network = Network(1, SummaryHeads(1), hidden=(1,), critic_body="shared")
    params = np.array([0.0, 0.0, 1.0, 0.0, 1.0, 0.0])
    gradient = network.backward(params, network.forward(params, np.ones((1, 1))), [(np.ones((1, 1)), np.ones((1, 1)))])
    assert_array_equal(gradient, [[0, 0, 0, 1, 0, 1]])


@pytest.mark.parametrize("heads, size, n_policy", [(SummaryHeads(15), 43050, 42285),
                                                   (MasterHeads(4, 8, 11, "payloads"), 69162, 55341)])
def test_the_papers_networks_have_their_number_of_parameters(heads, size, n_policy):
    own = Network(268, heads)
    assert own.n_policy == n_policy and own.size == 2 * n_policy
    network = Network(268, heads, critic_body="shared")
    assert network.size == size and network.n_policy == n_policy
    shapes = {name: view.shape for name, view in network.views(np.zeros(size)).items()}
    assert shapes == {"W1": (268, 130), "b1": (130,), "W2": (130, 50), "b2": (50,), "W_policy": (50, heads.width),
                      "b_policy": (heads.width,), "W_critic": (50, heads.width), "b_critic": (heads.width,)}


@pytest.mark.parametrize("critic_body, own",
                         [("shared", []), ("own", ["W_critic1", "b_critic1", "W_critic2", "b_critic2"])])
def test_views_cover_the_flat_vector_once_with_the_critic_last(critic_body, own):
    network = Network(5, MasterHeads(2, 2, 3), (4, 3), critic_body)
    flat = np.arange(network.size, dtype=float)
    views = network.views(flat)
    assert list(views) == ["W1", "b1", "W2", "b2", "W_policy", "b_policy", *own, "W_critic", "b_critic"]
    assert_array_equal(np.concatenate([view.ravel() for view in views.values()]), flat)
    views["b_critic"][-1] = -1.0
    assert flat[-1] == -1.0
    omega = network.views(flat[:network.n_policy])
    assert list(omega) == list(views)[:6]
    assert_array_equal(omega["b_policy"], views["b_policy"])


@given(seeds, either_heads, hidden_sizes, bodies)
def test_the_forward_pass_is_the_textbooks_turn_by_turn(seed, heads, hidden, critic_body):
    _, network, params, beliefs = random_network(seed, heads, hidden, critic_body=critic_body)
    forward, p, own = network.forward(params, beliefs), network.views(params), "_critic" * (critic_body == "own")
    for body, head, layers, outputs in (("", "policy", forward.layers, forward.logits),
                                        (own, "critic", forward.critic_layers, forward.critic)):
        for t, h in enumerate(beliefs):
            for i in range(1, len(hidden) + 1):
                weights, bias = p[f"W{body}{i}"], p[f"b{body}{i}"]
                h = np.array([max(0.0, sum(h * weights[:, j]) + bias[j]) for j in range(hidden[i - 1])])
                assert_allclose(layers[i][t], h, atol=1e-12)
            assert_allclose(outputs[t], h @ p[f"W_{head}"] + p[f"b_{head}"], atol=1e-12)
    only_policy = network.forward(params[:network.n_policy], beliefs)
    assert only_policy.critic is None
    assert_array_equal(only_policy.logits, forward.logits)


@given(seeds, either_heads, hidden_sizes, bodies)
def test_gradients_are_central_differences_through_the_whole_network(seed, heads, hidden, critic_body):
    rng, network, params, beliefs = random_network(seed, heads, hidden, critic_body=critic_body)
    d_logits, d_critic, d_other = frozen(*(rng.normal(size=(3, heads.width)) for _ in range(3)))

    def outputs(x):
        forward = network.forward(x, beliefs)
        return (d_logits * forward.logits).sum() + (d_critic * forward.critic).sum()

    forward = network.forward(params, beliefs)
    both, policy_alone = network.backward(params, forward, [(d_logits, d_critic), (d_other, None)])
    assert_allclose(both, central_differences(outputs, params), atol=1e-6)
    assert_array_equal(policy_alone[network.n_policy:], 0.0)
    assert_allclose(network.backward(params, forward, [(d_other, np.zeros_like(d_other))])[0], policy_alone, atol=1e-12)


@given(seeds, either_heads, hidden_sizes)
def test_with_a_body_of_its_own_the_critic_and_the_policy_share_nothing(seed, heads, hidden):
    rng, network, params, beliefs = random_network(seed, heads, hidden, critic_body="own")
    (d_logits, d_critic), omega = rng.normal(size=(2, 3, heads.width)), slice(0, network.n_policy)
    nothing, forward = np.zeros((3, heads.width)), network.forward(params, beliefs)
    policy, critic = network.backward(params, forward, [(d_logits, None), (nothing, d_critic)])
    assert_array_equal(policy[network.n_policy:], 0.0)
    assert_array_equal(critic[omega], 0.0)
    assert policy[omega].any() and critic[network.n_policy:].any()
    moved = params.copy()
    moved[omega] += 1.0
    assert_array_equal(network.forward(moved, beliefs).critic, forward.critic)


@given(seeds, either_heads, bodies)
def test_the_backward_pass_is_linear_additive_over_turns_and_blind_to_their_order(seed, heads, critic_body):
    rng, network, params, beliefs = random_network(seed, heads, n=4, critic_body=critic_body)
    forward = network.forward(params, beliefs)
    (a, b), (a2, b2) = rng.normal(size=(2, 2, 4, heads.width))
    first, second, mixed = network.backward(params, forward, [(a, b), (a2, b2), (2 * a - 3 * a2, 2 * b - 3 * b2)])
    assert_allclose(mixed, 2 * first - 3 * second, atol=1e-11)
    assert_allclose(first, network.backward(params, forward, [(a, b)])[0], atol=1e-13)
    order = rng.permutation(4)
    shuffled = network.backward(params, network.forward(params, beliefs[order]), [(a[order], b[order])])[0]
    assert_allclose(shuffled, first, atol=1e-12)
    turns = [network.backward(params, network.forward(params, beliefs[[t]]), [(a[[t]], b[[t]])])[0] for t in range(4)]
    assert_allclose(sum(turns), first, atol=1e-12)


@given(seeds, either_heads, hidden_sizes)
def test_the_gram_matrix_is_that_of_explicit_gradients(seed, heads, hidden):
    rng, network, params, beliefs = random_network(seed, heads, hidden)
    d_logits = frozen(rng.normal(size=(3, heads.width)))
    forward = network.forward(params, beliefs)
    single = [np.where(np.arange(3)[:, None] == t, d_logits, 0.0) for t in range(3)]
    explicit = network.backward(params, forward, [(d, None) for d in single])
    gram = network.policy_gram(params, forward, d_logits)
    assert_allclose(gram, explicit @ explicit.T, rtol=1e-12, atol=1e-12 * np.abs(gram).max())


def sparse_beliefs(rng, n, width, n_entries):
    """(n, width) with n_entries non-zero ones in all."""
    beliefs = np.zeros(n * width)
    beliefs[rng.choice(n * width, n_entries, replace=False)] = rng.normal(size=n_entries)
    return frozen(beliefs.reshape(n, width))


@given(seeds, st.integers(0, 6), hidden_sizes, bodies)
def test_leaving_out_the_zeros_of_beliefs_changes_nothing(seed, n_entries, hidden, critic_body):
    rng, network = np.random.default_rng(seed), Network(12, MasterHeads(2, 2, 3, "payloads"), hidden, critic_body)
    beliefs, params = sparse_beliefs(rng, 5, 12, n_entries), 30 * network.initial(rng)
    short = compressed(beliefs)
    assert issparse(short) and short.nnz == n_entries
    assert_array_equal(short.toarray(), beliefs)
    found, expected = network.forward(params, short), network.forward(params, beliefs)
    assert_allclose(found.logits, expected.logits, atol=1e-13)
    assert_allclose(found.critic, expected.critic, atol=1e-13)
    objectives = [(rng.normal(size=(5, 9)), None), (rng.normal(size=(5, 9)), rng.normal(size=(5, 9)))]
    assert_allclose(network.backward(params, found, objectives), network.backward(params, expected, objectives),
                    atol=1e-12)


def test_only_beliefs_that_are_nine_tenths_zero_are_shortened():
    rng = np.random.default_rng(0)
    dense = sparse_beliefs(rng, 9, 11, 10)
    assert compressed(dense) is dense
    assert issparse(compressed(sparse_beliefs(rng, 10, 10, 10)))
    single = compressed(sparse_beliefs(rng, 4, 5, 2).astype(np.float32))
    network = Network(5, SummaryHeads(3), (4,), dtype=np.float32)
    forward = network.forward(network.initial(rng), single)
    assert single.dtype == forward.layers[0].dtype == forward.logits.dtype == np.float32


@pytest.mark.parametrize("critic_width", [0, 1, 2])
@pytest.mark.parametrize("critic_body", ["own", "shared"])
def test_the_critic_may_have_a_width_of_its_own(critic_width, critic_body):
    rng, network, params, beliefs = random_network(3, SummaryHeads(4), critic_body=critic_body,
                                                   critic_width=critic_width)
    forward = network.forward(params, beliefs)
    if critic_width == 0:
        assert network.size == network.n_policy
    network.expect_critic(critic_width)
    with pytest.raises(ValueError, match=f"the critic has {critic_width} outputs, expected 4"):
        network.expect_critic(4)
    Network(5, SummaryHeads(4)).expect_critic(4)
    assert forward.critic.shape == (3, critic_width) and forward.logits.shape == (3, 4)
    d_logits, d_critic = rng.normal(size=(3, 4)), rng.normal(size=(3, critic_width))

    def outputs(x):
        forward = network.forward(x, beliefs)
        return (d_logits * forward.logits).sum() + (d_critic * forward.critic).sum()

    assert_allclose(network.backward(params, forward, [(d_logits, d_critic)])[0], central_differences(outputs, params),
                    atol=1e-6)


def test_initial_weights_have_their_spread_and_biases_are_zero():
    network = Network(200, SummaryHeads(60), hidden=(150, 50))
    for body in ("he", 0.3):
        for name, view in network.views(network.initial(np.random.default_rng(0), body)).items():
            expected = np.sqrt(2 / len(view)) if body == "he" else body
            if name.endswith(("policy", "critic")):
                expected = 0.01
            if name.startswith("b"):
                assert_array_equal(view, 0.0)
            else:
                assert_allclose(view.std(), expected, rtol=0.05)
                assert abs(view.mean()) < 0.05 * expected
    assert_array_equal(network.initial(np.random.default_rng(0)), network.initial(np.random.default_rng(0), "he"))


def test_the_seed_decides_the_weights_and_precision_is_kept():
    network = Network(5, SummaryHeads(3), (4, 3), dtype=np.float32)
    params = network.initial(np.random.default_rng(1))
    assert_array_equal(params, network.initial(np.random.default_rng(1)))
    assert (params != network.initial(np.random.default_rng(2))).any()
    forward = network.forward(params, np.ones((2, 5)))
    ones = np.ones((2, 3), np.float32)
    for array in (params, *forward.layers, forward.logits, forward.critic,
                  network.backward(params, forward, [(ones, ones)]), network.policy_gram(params, forward, ones)):
        assert array.dtype == np.float32
    assert Network(5, SummaryHeads(3)).initial(np.random.default_rng(1)).dtype == np.float64


def test_the_description_of_a_network_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Network(5, SummaryHeads(3)).n_belief = 6


def test_bad_arguments_are_refused():
    network = Network(5, SummaryHeads(3), (4,))
    params = network.initial(np.random.default_rng(0))
    for shape in ((5,), (2, 4), (1, 2, 5)):
        with pytest.raises(ValueError, match=r"beliefs has shape .*expected \(n, 5\)"):
            network.forward(params, np.zeros(shape))
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match=f"beliefs holds {bad}"):
            network.forward(params, np.array([[0, 0, bad, 0, 0]]))
        with pytest.raises(ValueError, match=f"beliefs holds {bad}"):
            network.forward(params, compressed(np.array([[0, 0, bad, 0, 0], *np.zeros((3, 5))])))
    for size in (network.size - 1, network.n_policy + 1, 0):
        with pytest.raises(ValueError, match=rf"params has shape \({size},\), expected \({network.size},\), or \("):
            network.forward(np.zeros(size), np.zeros((1, 5)))
