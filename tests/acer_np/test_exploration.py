"""The behaviour policy: its probabilities by hand and in every limit, and draws that come as often as they say."""
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.exploration import draw, linear, mixture, most_probable
from tests.strategies import either_heads, frozen, n_summary, random_masks, random_mu, seeds, wide_log_policy, wide_mu

shares = st.one_of(st.just(0.0), st.just(1.0), st.floats(1e-6, 1))


class Fixed:
    """A generator whose next numbers are known."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def random(self, shape):
        return np.array([self.numbers.pop(0) for _ in range(np.prod(shape))]).reshape(shape)


# ---- μ

def test_mixtures_by_hand():
    # Two of three actions allowed, ε = 0.4: 0.2 each; and 0.6 of what is preferred: all for the mode, or π's shares.
    masks, pi = frozen(np.array([[True, False, True]]), np.array([[0.25, 0.0, 0.75]]))
    assert_allclose(mixture(most_probable(pi), masks, 0.4), [[0.2, 0.0, 0.8]], rtol=1e-15)
    assert_allclose(mixture(pi, masks, 0.4), [[0.35, 0.0, 0.65]], rtol=1e-15)


@given(seeds, shares)
def test_a_mixture_sums_to_one_is_zero_where_masked_and_never_less_than_its_share_elsewhere(seed, epsilon):
    rng = np.random.default_rng(seed)
    masks = random_masks(rng, 4, 6)
    preferred = frozen(random_mu(rng, masks))
    mu = mixture(preferred, frozen(masks), epsilon)
    assert_allclose(mu.sum(axis=1), 1.0, atol=1e-15)
    assert (mu[~masks] == 0).all()
    assert (mu >= epsilon * masks / masks.sum(axis=1, keepdims=True)).all() and (mu >= (1 - epsilon) * preferred).all()
    assert_array_equal(mixture(preferred, masks, 0.0), preferred)
    assert_array_equal(mixture(preferred, masks, 1.0), mixture(most_probable(preferred), masks, 1.0))


def test_the_mode_is_the_first_of_the_most_probable_in_its_own_precision():
    found = most_probable(np.array([[0.2, 0.5, 0.3], [0.4, 0.2, 0.4], [0.0, 0.0, 1.0]], np.float32))
    assert_array_equal(found, [[0, 1, 0], [1, 0, 0], [0, 0, 1]])
    assert found.dtype == np.float32


@given(seeds, either_heads, st.floats(0.01, 1), st.booleans())
def test_importance_weights_have_mean_one_under_the_behaviour_in_both_spaces(seed, heads, epsilon, greedy):
    """E_μ[ρ] = Σ_a μ(a) ρ(a) = 1 by enumeration, for a μ made from one policy and a π that is another."""
    rng, n = np.random.default_rng(seed), 3
    masks = random_masks(rng, n, n_summary(heads))
    logits, old = rng.normal(size=(2, n, heads.width))
    acting, now = heads.policy(old, masks), heads.policy(logits, masks)
    preferred = heads.summary(acting)
    mu = mixture(most_probable(preferred) if greedy else preferred, masks, epsilon)
    behaviour, payload_logits = heads.behaviour(mu, old[:, n_summary(heads):]), old[:, n_summary(heads):]
    total = mean = 0.0
    for a in range(heads.n_actions):
        taken = np.full(n, a)
        mu_a, pi_a = heads.pi_of(behaviour, taken), heads.pi_of(now, taken)
        assert_allclose(mu_a, wide_mu(heads, mu, payload_logits)[:, a], atol=1e-15)
        assert_allclose(pi_a, np.exp(wide_log_policy(heads, logits, masks))[:, a], atol=1e-14)
        total, mean = total + mu_a, mean + mu_a * np.divide(pi_a, mu_a, out=np.zeros(n), where=mu_a > 0)
    assert_allclose(total, 1.0, atol=1e-13)
    assert_allclose(mean, 1.0, atol=1e-12)


# ---- draws

def test_a_draw_is_where_the_random_number_falls_among_the_sums():
    # 0.25 + 0 + 0.5 + 0.25: [0, ¼) draws 0, [¼, ¾) draws 2, [¾, 1) draws 3; action 1 is never drawn.
    p = frozen(np.array([[0.25, 0.0, 0.5, 0.25]]))
    just_below = np.nextafter(0.25, 0), np.nextafter(0.75, 0), np.nextafter(1.0, 0)
    for u, action in ((0.0, 0), (just_below[0], 0), (0.25, 2), (0.5, 2), (just_below[1], 2), (0.75, 3),
                      (just_below[2], 3)):
        assert draw(p, Fixed(u)) == action
    assert_array_equal(draw(np.repeat(p, 3, axis=0), Fixed(0.8, 0.1, 0.3)), [3, 0, 2])


@pytest.mark.parametrize("u", [0.0, np.nextafter(1.0, 0)])
def test_an_action_of_probability_zero_is_not_drawn_at_either_end_even_if_the_sum_is_not_quite_one(u):
    for p in ([0.0, 0.4, 0.6, 0.0], [0.0, 0.1, 0.1, 0.0], [0.0, 0.7, 0.7, 0.0]):
        assert draw(np.array([p], np.float32), Fixed(u)) in (1, 2)
    thirds = np.array([[1 / 3, 1 / 3, 1 / 3, 0.0]], np.float32)
    assert draw(thirds, Fixed(u)) == (0 if u == 0 else 2)


@given(seeds, either_heads)
def test_draws_of_the_heads_come_as_often_as_their_policy_says(seed, heads):
    rng, n = np.random.default_rng(seed), 4000
    masks = random_masks(rng, 1, n_summary(heads))
    mu, payload_logits = random_mu(rng, masks), rng.normal(size=(1, heads.width - n_summary(heads)))
    behaviour = heads.behaviour(mu.repeat(n, axis=0), payload_logits.repeat(n, axis=0))
    counts = np.bincount(heads.draw(behaviour, rng), minlength=heads.n_actions)
    expected = wide_mu(heads, mu, payload_logits)[0]
    assert (counts[expected == 0] == 0).all()
    assert (np.abs(counts - n * expected) <= 6 * np.sqrt(n * expected * (1 - expected)) + 3).all()


def test_the_same_generator_draws_the_same_actions():
    p = np.random.default_rng(0).dirichlet(np.ones(5), size=30)
    one, again, other = (draw(p, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert_array_equal(one, again)
    assert (one != other).any()


# ---- schedules

def test_a_line_by_hand():
    assert_allclose([linear(0.9, 0.1, x) for x in (0, 0.25, 0.5, 1, 1.25, 100)], [0.9, 0.7, 0.5, 0.1, 0.1, 0.1])
    assert linear(0.0, 1.0, 0.25) == 0.25
