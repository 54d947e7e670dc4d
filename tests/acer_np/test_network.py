"""The network: its flat parameters, forward pass and hand-written gradients."""
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
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


# ---- by hand

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
    only_policy = network.forward(params[:network.n_policy], np.array([[1.0, 2.0]]))
    assert only_policy.logits == 7.0 and only_policy.critic is None
    # d logit = 1: head (2, 0) and 1; hidden (3, 0), the second unit being off; dW1 = x (3, 0).
    # d Q = 10: head (20, 0) and 10; hidden (-20, 0).
    objectives = [(np.array([[1.0]]), None), (np.array([[0.0]]), np.array([[10.0]]))]
    policy, critic = network.backward(params, forward, objectives)
    assert_array_equal(policy, [3, 0, 6, 0, 3, 0, 2, 0, 1, 0, 0, 0])
    assert_array_equal(critic, [-20, 0, -40, 0, -20, 0, 0, 0, 0, 20, 0, 10])


def test_a_unit_exactly_at_zero_passes_no_gradient():
    network = Network(1, SummaryHeads(1), hidden=(1,), critic_body="shared")
    params = np.array([0.0, 0.0, 1.0, 0.0, 1.0, 0.0])
    gradient = network.backward(params, network.forward(params, np.ones((1, 1))), [(np.ones((1, 1)), np.ones((1, 1)))])
    assert_array_equal(gradient, [[0, 0, 0, 1, 0, 1]])


# ---- parameters

@pytest.mark.parametrize("heads, size, n_policy", [(SummaryHeads(15), 43050, 42285),
                                                   (MasterHeads(4, 8, 11, "payloads"), 69162, 55341)])
def test_the_papers_networks_have_their_number_of_parameters(heads, size, n_policy):
    own = Network(268, heads)
    assert own.n_policy == n_policy and own.size == 2 * n_policy
    network = Network(268, heads, critic_body="shared")
    assert network.size == size and network.n_policy == n_policy


@pytest.mark.parametrize("critic_body, own",
                         [("shared", []), ("own", ["W_critic1", "b_critic1", "W_critic2", "b_critic2"])])
def test_views_cover_the_flat_vector_once_with_the_critic_last(critic_body, own):
    network = Network(5, MasterHeads(2, 2, 3), (4, 3), critic_body)
    flat = np.arange(network.size, dtype=float)
    views, omega = network.views(flat), network.views(flat[:network.n_policy])
    assert list(views) == ["W1", "b1", "W2", "b2", "W_policy", "b_policy", *own, "W_critic", "b_critic"]
    assert_array_equal(np.concatenate([view.ravel() for view in views.values()]), flat)
    assert list(omega) == list(views)[:6] and np.shares_memory(omega["b_policy"], flat)


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


# ---- forward and backward

@settings(max_examples=30)
@given(seeds, either_heads, hidden_sizes, bodies, st.sampled_from([None, 0, 1]))
def test_gradients_are_central_differences_through_the_whole_network(seed, heads, hidden, critic_body, critic_width):
    rng, network, params, beliefs = random_network(seed, heads, hidden, 3, critic_body, critic_width)
    width = heads.width if critic_width is None else critic_width
    d_logits, d_critic, d_other = frozen(*(rng.normal(size=(3, n)) for n in (heads.width, width, heads.width)))

    def outputs(x):
        forward = network.forward(x, beliefs)
        return (d_logits * forward.logits).sum() + (d_critic * forward.critic).sum()

    forward = network.forward(params, beliefs)
    assert forward.critic.shape == (3, width) and (width > 0 or network.size == network.n_policy)
    both, policy = network.backward(params, forward, [(d_logits, d_critic), (d_other, None)])
    assert_allclose(both, central_differences(outputs, params), atol=1e-6)
    assert_array_equal(policy[network.n_policy:], 0.0)
    assert_allclose(network.backward(params, forward, [(d_other, 0 * d_critic)])[0], policy, atol=1e-12)


@settings(max_examples=30)
@given(seeds, either_heads, hidden_sizes)
def test_the_gram_matrix_is_that_of_explicit_gradients(seed, heads, hidden):
    rng, network, params, beliefs = random_network(seed, heads, hidden)
    d_logits = frozen(rng.normal(size=(3, heads.width)))
    forward = network.forward(params, beliefs)
    single = [np.where(np.arange(3)[:, None] == t, d_logits, 0.0) for t in range(3)]
    explicit = network.backward(params, forward, [(d, None) for d in single])
    gram = network.policy_gram(params, forward, d_logits)
    assert_allclose(gram, explicit @ explicit.T, rtol=1e-12, atol=1e-12 * np.abs(gram).max())


# ---- beliefs of mostly zeros

def sparse_beliefs(rng, n, width, n_entries):
    """(n, width) with n_entries non-zero ones in all."""
    beliefs = np.zeros(n * width)
    beliefs[rng.choice(n * width, n_entries, replace=False)] = rng.normal(size=n_entries)
    return frozen(beliefs.reshape(n, width))


@settings(max_examples=25)
@given(seeds, st.integers(0, 6), hidden_sizes, bodies)
def test_leaving_out_the_zeros_of_beliefs_changes_nothing(seed, n_entries, hidden, critic_body):
    rng, network = np.random.default_rng(seed), Network(12, MasterHeads(2, 2, 3, "payloads"), hidden, critic_body)
    beliefs, params = sparse_beliefs(rng, 5, 12, n_entries), rng.normal(size=network.size)
    short = compressed(beliefs)
    assert issparse(short) and short.nnz == n_entries
    found, expected = network.forward(params, short), network.forward(params, beliefs)
    assert_allclose(found.logits, expected.logits, atol=1e-12)
    assert_allclose(found.critic, expected.critic, atol=1e-12)
    objectives = [(rng.normal(size=(5, 9)), None), (rng.normal(size=(5, 9)), rng.normal(size=(5, 9)))]
    assert_allclose(network.backward(params, found, objectives), network.backward(params, expected, objectives),
                    atol=1e-11)


def test_only_beliefs_that_are_nine_tenths_zero_are_shortened():
    rng = np.random.default_rng(0)
    dense = sparse_beliefs(rng, 9, 11, 10)
    assert compressed(dense) is dense
    assert issparse(compressed(sparse_beliefs(rng, 10, 10, 10)))


# ---- precision and refusals

@pytest.mark.parametrize("n_entries", [1, 10])
def test_single_precision_stays_single(n_entries):
    rng, network = np.random.default_rng(1), Network(5, SummaryHeads(3), (4, 3), dtype=np.float32)
    params, ones = network.initial(rng), np.ones((2, 3), np.float32)
    forward = network.forward(params, compressed(sparse_beliefs(rng, 2, 5, n_entries)))
    gram = network.policy_gram(params, forward, ones) if n_entries > 1 else ones          # only for dense beliefs
    for array in (params, *forward.layers, forward.logits, forward.critic, gram,
                  network.backward(params, forward, [(ones, ones)])):
        assert array.dtype == np.float32


def test_bad_arguments_are_refused():
    network = Network(5, SummaryHeads(3), (4,), dtype=np.float32)
    params = network.initial(np.random.default_rng(0))
    for bad in (np.nan, np.inf, 1e39, -1e300):
        beliefs = np.array([[0, 0, bad, 0, 0], *np.zeros((3, 5))])
        for given_beliefs in (beliefs, compressed(beliefs)):
            with pytest.raises(ValueError) as refusal, np.errstate(all="raise"):
                network.forward(params, given_beliefs)
            assert str(refusal.value) == f"beliefs holds {bad}, expected finite numbers in float32"


def test_parameters_that_have_diverged_are_refused_with_what_may_be_the_cause():
    network = Network(5, SummaryHeads(3), (4,), dtype=np.float32)
    params = np.float32(1e30) * network.initial(np.random.default_rng(0))
    message = r"params holds numbers up to .*e\+\d+, expected logits that are finite: learning_rate, body_init or an"
    with pytest.raises(ValueError, match=message), np.errstate(all="raise", under="ignore"):
        network.forward(params, np.ones((1, 5)))
