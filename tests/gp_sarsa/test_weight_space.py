"""The weight-space form: equal to explicit regression, whatever is delayed; draws have the posterior's covariance."""
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa.layout import ActionLayout
from gp_sarsa.cholesky import gain
from gp_sarsa.weight_space import WeightSpacePosterior, bytes_needed
from tests.gp_sarsa.cases import FORMS, BasisVectors, every_linear_form, random_dialogues, seeds

LAYOUT = ActionLayout(n_methods=2, n_payload_slots=3, n_others=3)
NOISE = 1.5


def posterior_after(dialogues, n_belief=5, layout=LAYOUT, **settings):
    """Rewards of the random dialogues serve as targets."""
    posterior = WeightSpacePosterior(n_belief, layout, NOISE, **settings)
    for dialogue in dialogues:
        posterior.update(*dialogue)
    return posterior


def explicit_features(layout, belief, action):
    """One long vector for (b, a): a block for each summary action, b ⊗ payload or b in it, zero elsewhere."""
    n_slots, n_informs = layout.n_payload_slots, layout.n_methods * 2 ** layout.n_payload_slots
    blocks = [np.zeros((len(belief), n_slots + 1)) for _ in range(layout.n_methods)]
    blocks += [np.zeros(len(belief)) for _ in range(layout.n_others)]
    if action >= n_informs:
        blocks[layout.n_methods + action - n_informs] = belief
    else:
        method, payload = divmod(action, 2 ** n_slots)
        told = np.array([payload >> i & 1 for i in range(n_slots)] + [payload == 0], float)
        blocks[method] = np.outer(belief, told / np.linalg.norm(told))
    return np.concatenate([block.ravel() for block in blocks])


def explicit_regression(layout, dialogues, belief):
    """(A,) means and (A, A) covariance at a belief, from one big precision matrix."""
    Phi = np.array([explicit_features(layout, b, a) for beliefs, actions, _ in dialogues
                    for b, a in zip(beliefs, actions)])
    S = np.linalg.inv(np.eye(Phi.shape[1]) + Phi.T @ Phi / NOISE ** 2)
    m = S @ Phi.T @ np.concatenate([targets for _, _, targets in dialogues]) / NOISE ** 2
    query = np.array([explicit_features(layout, belief, a) for a in range(layout.n_actions)])
    return query @ m, query @ S @ query.T


# ---------------------------------------------------------------------------------------------- mean and variance

@given(seeds, st.integers(0, 3), st.sampled_from([0, 1, 3, 8, 64]), st.integers(1, 12))
def test_it_is_regression_on_explicit_features_however_much_is_delayed(seed, n_slots, max_pending, n_dialogues):
    rng, layout = np.random.default_rng(seed), ActionLayout(2, n_slots, 2)
    dialogues = random_dialogues(rng, n_dialogues, n_belief=5, layout=layout)
    belief = rng.random(5) * (rng.random(5) < 0.8)
    posterior = posterior_after(dialogues, layout=layout, max_pending=max_pending)
    mean, covariance = explicit_regression(layout, dialogues, belief)
    assert_allclose(posterior.mean(belief), mean, atol=1e-11)
    assert_allclose(posterior.variance(belief), np.diag(covariance), atol=1e-12)


def test_the_large_matrix_is_touched_only_when_enough_has_been_collected():
    posterior = WeightSpacePosterior(2, ActionLayout(0, 0, 1), NOISE, max_pending=5)
    blocks, prior = posterior.others, posterior.others.S0.copy()
    for pending, untouched in ((2, True), (4, True), (0, False), (2, False)):
        before = blocks.S0.copy()
        posterior.update(np.eye(2), np.zeros(2, int), np.ones(2))
        assert blocks.n_pending[0] == pending
        assert np.array_equal(blocks.S0, prior) == untouched
        assert np.array_equal(blocks.S0, before) == (pending > 0)
        assert np.count_nonzero(blocks.A) == pending            # unit beliefs: one entry each
    posterior.update(np.ones((1, 2)), np.zeros(1, int), np.ones(1))
    posterior.update(np.eye(2), np.zeros(2, int), np.ones(2))
    assert blocks.n_pending[0] == 5                              # exactly full is not too full


@pytest.mark.parametrize("n_belief, layout", [(37, ActionLayout(1, 8, 0)), (150, ActionLayout(0, 0, 1))])
def test_a_covariance_larger_than_a_strip_is_updated_everywhere(n_belief, layout):
    rng = np.random.default_rng(2)
    dialogues = random_dialogues(rng, 4, n_belief=n_belief, layout=layout)
    now, later = (posterior_after(dialogues, n_belief, layout, max_pending=K) for K in (0, 64))
    for belief in rng.random((3, n_belief)) * (rng.random((3, n_belief)) < 0.3):
        assert_allclose(now.variance(belief), later.variance(belief), atol=1e-12)
        assert_allclose(now.variance(belief), np.diag(explicit_regression(layout, dialogues, belief)[1]), atol=1e-11)


def test_28000_turns_without_drift():
    """4000 dialogues of 7 turns against one batch solve."""
    rng, posterior = np.random.default_rng(0), WeightSpacePosterior(36, ActionLayout(0, 0, 1), 5.0)
    beliefs = rng.random((4000, 7, 36)) * (rng.random((4000, 7, 36)) < 0.3)
    targets = rng.normal(8, 6, size=(4000, 7))
    for b, R in zip(beliefs, targets):
        posterior.update(b, np.zeros(7, int), R)
    Phi, query = beliefs.reshape(-1, 36), rng.random(36)
    precision = np.eye(36) + Phi.T @ Phi / 25
    assert_allclose(posterior.mean(query), query @ np.linalg.solve(precision, Phi.T @ targets.ravel() / 25), rtol=1e-9)
    assert_allclose(posterior.variance(query), query @ np.linalg.solve(precision, query), rtol=1e-9)


def test_a_belief_of_zeros_says_nothing_and_learns_nothing():
    rng = np.random.default_rng(0)
    posterior = posterior_after(random_dialogues(rng, 4, n_belief=5, layout=LAYOUT))
    belief, nothing = rng.random(5), np.zeros(5)
    before = posterior.mean(belief), posterior.variance(belief)
    for action in (3, LAYOUT.n_actions - 1):
        posterior.update(nothing[None], np.array([action]), np.array([5.0]))
    assert_array_equal((posterior.mean(belief), posterior.variance(belief)), before)
    assert_array_equal([posterior.mean(nothing), posterior.variance(nothing), posterior.sample(nothing, 3.0, rng)], 0)


@settings(max_examples=20)
@given(seeds)
def test_the_gain_is_conditioning_of_a_gaussian(seed):
    """Weights and noisy values are jointly Gaussian; the conditional from the joint covariance is the oracle."""
    rng = np.random.default_rng(seed)
    root, F, m, R = rng.normal(size=(4, 4)), rng.normal(size=(4, 2)), rng.normal(size=4), rng.normal(size=2)
    S = root @ root.T
    joint = np.block([[S, S @ F], [F.T @ S, F.T @ S @ F + NOISE ** 2 * np.eye(2)]])
    inputs = [S @ F, F.T @ S @ F, R - F.T @ m]
    copies = [array.copy() for array in inputs]
    Z, z = gain(*inputs, NOISE)
    for array, copy in zip(inputs, copies):
        assert_array_equal(array, copy)
    assert_allclose(S - Z @ Z.T, np.linalg.inv(np.linalg.inv(joint)[:4, :4]), atol=1e-8)
    assert_allclose(Z @ z, S @ F @ np.linalg.solve(joint[4:, 4:], R - F.T @ m), atol=1e-10)


# ---------------------------------------------------------------------------------------------- draws

@every_linear_form
@settings(max_examples=20)
@given(seed=seeds, scale=st.floats(0.1, 4.0))
def test_a_joint_draw_has_the_covariance_of_the_posterior(form, seed, scale):
    """A draw is linear in its normal numbers: at the basis vectors it gives the columns of a root of the covariance."""
    rng = np.random.default_rng(seed)
    dialogues, belief = random_dialogues(rng, 5, n_belief=5, layout=LAYOUT), rng.random(5)
    posterior = FORMS[form](NOISE, 5, LAYOUT)
    for dialogue in dialogues:
        posterior.update(*dialogue)
    columns = np.array([posterior.sample(belief, scale, BasisVectors(i)) - posterior.mean(belief)
                        for i in range(LAYOUT.n_actions)]).T            # no form needs more numbers than that
    assert_allclose(columns @ columns.T, scale ** 2 * explicit_regression(LAYOUT, dialogues, belief)[1],
                    atol=1e-5 if form == "sparse" else 1e-9)


def test_negative_variances_are_set_to_zero():
    posterior, belief = WeightSpacePosterior(2, ActionLayout(1, 1, 1), NOISE), np.array([0.1, 0.0])
    posterior.others.S0[:] *= -1
    posterior.informs.S0[:, :, :, 0, 0] *= -1
    assert_allclose(posterior.variance(belief), [0.01, 0, 0], rtol=1e-14)
    assert np.isfinite(posterior.sample(belief, 1.0, np.random.default_rng(0))).all()


# ---------------------------------------------------------------------------------------------- memory

@pytest.mark.parametrize("layout", [LAYOUT, ActionLayout(0, 0, 2), ActionLayout(1, 4, 0)])
@pytest.mark.parametrize("max_pending", [0, 7])
def test_the_bytes_are_those_of_the_arrays(layout, max_pending):
    arrays = WeightSpacePosterior(5, layout, NOISE, max_pending).state()
    counters = sum(array.nbytes for name, array in arrays.items() if name.endswith("n_pending"))
    assert bytes_needed(5, layout, max_pending) == sum(array.nbytes for array in arrays.values()) - counters
