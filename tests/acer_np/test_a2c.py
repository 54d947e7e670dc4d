"""A2C: one-step errors and a whole update by hand, and its precision."""
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from acer_np.a2c import A2CConfig, a2c_update, td_errors
from acer_np.learner import Learner
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.network import Network
from acer_np.replay import Batch
from tests.strategies import direction_of, frozen, random_learner


def test_errors_by_hand():
    # Two dialogues, γ = 1/2: -1 + 4/2 - 2 = -1; -1 + 6/2 - 4 = -2; 20 - 6 = 14, for nothing follows the end;
    # and a dialogue of one turn: 3 - 5 = -2.
    found = td_errors(*frozen(np.array([-1.0, -1.0, 20.0, 3.0]), np.array([2.0, 4.0, 6.0, 5.0]), np.array([3, 1])), 0.5)
    assert_array_equal(found, [-1.0, -2.0, 14.0, -2.0])


def test_two_turns_by_hand():
    # Tables of logits and of V, a row per turn: π = (1/4, 3/4) and (1/2, 1/2), V = 2 and 4. Errors: -1 + 4/2 - 2 = -1
    # and 5 - 4 = 1. ρ = 3/4 : 3/4 = 1 for the second action, then 1/2 : 1/8 = 4 for the first, cut at 2: weighted -1
    # and 2. D = -((0, 1) - π) = (1/4, -1/4) and 2 ((1, 0) - π) = (1, -1). ∂H/∂l = (3/16 ln 3, -3/16 ln 3) and 0.
    network = Network(2, SummaryHeads(2), hidden=(), critic_width=1)
    params = np.array([0.0, np.log(3), 0.0, 0.0, 0.0, 0.0, 2.0, 4.0, 0.0])      # W_policy b_policy W_critic b_critic
    mu = np.array([[0.25, 0.75], [0.125, 0.875]])
    batch = Batch(np.eye(2), np.ones((2, 2), bool), np.array([1, 0]), np.array([-1.0, 5.0]), mu, np.zeros((2, 0)),
                  np.array([2]))
    config = A2CConfig(gamma=0.5, rho_max=2.0, entropy_weight=0.5, learning_rate=0.01)
    learner = Learner.start(params, network.n_policy)
    updated, watch = a2c_update(network, learner, batch, config)
    d = 1 / 4 + 3 / 32 * np.log(3)
    expected = np.array([d, -d, 1, -1, d + 1, -d - 1, -1, 2, 1])
    assert_allclose(direction_of(learner, updated), expected, rtol=1e-13)
    assert_allclose(updated.params - params, 0.01 * np.sign(expected), rtol=1e-6)
    assert updated.average is learner.average and updated.adam.step == 1
    assert_allclose(watch, [2.5, 0.5, (3 * np.log(2) - 0.75 * np.log(3)) / 2, 1.0], rtol=1e-13)
    assert watch._fields == ("rho", "truncated", "entropy", "critic_error")
    assert all(isinstance(value, float) for value in watch)


@pytest.mark.parametrize("heads", [SummaryHeads(5), MasterHeads(2, 2, 3)])
def test_single_precision_stays_single(heads):
    network, learner, batch = random_learner(1, heads, critic_width=1, dtype=np.float32)
    updated, _ = a2c_update(network, learner, batch, A2CConfig())
    assert updated.params.dtype == updated.adam.mean.dtype == np.float32
