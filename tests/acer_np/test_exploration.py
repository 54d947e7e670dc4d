"""The behaviour policy by hand, and which action a random number draws."""
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.exploration import draw, mixture, most_probable
from tests.strategies import frozen


class Fixed:
    """A generator whose next numbers are known."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def random(self, shape):
        return np.array([self.numbers.pop(0) for _ in range(np.prod(shape))]).reshape(shape)


def test_mixtures_by_hand():
    # Two of three actions allowed, ε = 0.4: 0.2 each; and 0.6 of what is preferred: all for the mode, or π's shares.
    masks, pi = frozen(np.array([[True, False, True]]), np.array([[0.25, 0.0, 0.75]]))
    assert_allclose(mixture(most_probable(pi), masks, 0.4), [[0.2, 0.0, 0.8]], rtol=1e-15)
    assert_allclose(mixture(pi, masks, 0.4), [[0.35, 0.0, 0.65]], rtol=1e-15)


def test_the_mode_is_the_first_of_the_most_probable_in_its_own_precision():
    found = most_probable(np.array([[0.2, 0.5, 0.3], [0.4, 0.2, 0.4], [0.0, 0.0, 1.0]], np.float32))
    assert_array_equal(found, [[0, 1, 0], [1, 0, 0], [0, 0, 1]])
    assert found.dtype == np.float32


def test_a_draw_is_where_the_random_number_falls_among_the_sums():
    # 0.25 + 0 + 0.5 + 0.25: [0, ¼) draws 0, [¼, ¾) draws 2, [¾, 1) draws 3; action 1 is never drawn.
    p = frozen(np.array([[0.25, 0.0, 0.5, 0.25]]))
    just_below = np.nextafter(0.25, 0), np.nextafter(0.75, 0), np.nextafter(1.0, 0)
    for u, action in ((0.0, 0), (just_below[0], 0), (0.25, 2), (just_below[1], 2), (0.75, 3), (just_below[2], 3)):
        assert draw(p, Fixed(u)) == action
    assert_array_equal(draw(np.repeat(p, 3, axis=0), Fixed(0.8, 0.1, 0.3)), [3, 0, 2])


@pytest.mark.parametrize("u", [0.0, np.nextafter(1.0, 0)])
def test_an_action_of_probability_zero_is_never_drawn_even_if_the_sum_is_not_quite_one(u):
    for p in ([0.0, 0.4, 0.6, 0.0], [0.0, 0.1, 0.1, 0.0], [0.0, 0.7, 0.7, 0.0]):
        assert draw(np.array([p], np.float32), Fixed(u)) in (1, 2)
    # In single precision these sums end at 0.99999994, or would miss a probability of 1e-9.
    assert draw(np.array([[0.1] * 10 + [0.0]], np.float32), Fixed(u)) == (0 if u == 0 else 9)
    assert draw(np.array([[1.0, 1e-9, 0.0]], np.float32), Fixed(u)) == (0 if u == 0 else 1)
