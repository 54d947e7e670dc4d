"""Bad dialogues and queries are refused by every form, which stays as it was; the checks themselves."""
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa import KernelPosterior
from gp_sarsa.points import check_arrays, check_belief, check_mask, check_points
from tests.gp_sarsa.cases import FORMS, KERNELS, N_BELIEF, every_form, query_points, random_dialogues, says


def moments(posterior):
    beliefs = np.random.default_rng(8).random((3, N_BELIEF))
    return np.array([(posterior.mean(belief), posterior.variance(belief)) for belief in beliefs])


@every_form
@pytest.mark.parametrize("beliefs, actions, returns, told", [
    ([[np.nan] * 4], [8], [1.0], "beliefs is nan somewhere, expected finite numbers"),
    ([[1.0] * 4], [8], [-np.inf], "returns is -inf somewhere, expected finite numbers"),
    ([[1.0] * 4, [1.0] * 4], [0, 10], [1.0, 1.0], "actions is [ 0 10], expected whole numbers from 0 to 9"),
    ([[1.0] * 4], [8, 9], [1.0, 2.0], "(beliefs, actions, returns) is ((1, 4), (2,), (2,)), expected (2, 4)"),
    ([[1.0] * 3], [8], [1.0], "is ((1, 3), (1,), (1,)), expected (1, 4)")])
def test_bad_dialogues_are_refused_and_nothing_is_learned(form, beliefs, actions, returns, told):
    posterior = FORMS[form](1.5)
    for dialogue in random_dialogues(np.random.default_rng(5), 3):
        posterior.update(*dialogue)
    before = moments(posterior)
    with says(told):
        posterior.update(np.array(beliefs), np.array(actions), np.array(returns))
    assert_array_equal(moments(posterior), before)


@every_form
def test_an_update_that_fails_half_way_has_changed_nothing(form, monkeypatch):
    """The Cholesky factorisation of the second group fails, when the first has been worked out."""
    posterior, cholesky, calls = FORMS[form](1.5), np.linalg.cholesky, []
    for dialogue in random_dialogues(np.random.default_rng(5), 3):
        posterior.update(*dialogue)
    before = moments(posterior)

    def fails_later(matrix):
        calls.append(matrix)
        if len(calls) == 2:
            raise np.linalg.LinAlgError("not today")
        return cholesky(matrix)

    monkeypatch.setattr(np.linalg, "cholesky", fails_later)
    with pytest.raises(np.linalg.LinAlgError):
        posterior.update(np.ones((3, N_BELIEF)), np.array([0, 8, 9]), np.ones(3))
    assert len(calls) == 2
    assert_array_equal(moments(posterior), before)


@every_form
@pytest.mark.parametrize("belief", [np.ones(3), np.ones(5), np.array([1, 1, 1, np.nan]), np.ones((1, 4))])
def test_a_belief_of_another_size_or_that_is_not_finite_is_refused_wherever_it_is_asked_about(form, belief):
    posterior = FORMS[form](1.5)
    for ask in (posterior.mean, posterior.variance, lambda b: posterior.sample(b, 1.0, np.random.default_rng(0))):
        with says(f"belief is {belief.shape} {belief}, expected (4,) finite numbers"):
            ask(belief)


def test_a_query_that_makes_no_sense_is_refused():
    posterior = KernelPosterior(KERNELS["linear"], N_BELIEF, 1.0)
    for beliefs, actions in ((np.full((1, 4), np.nan), [0]), (np.ones((2, 4)), [0]), (np.ones((1, 3)), [0])):
        with pytest.raises(ValueError, match="expected"):
            posterior.predict(beliefs, np.array(actions))


@every_form
def test_dialogues_are_left_as_they_were_and_may_be_changed_afterwards(form):
    dialogues, posterior = random_dialogues(np.random.default_rng(6), 3), FORMS[form](1.5)
    copies = [tuple(part.copy() for part in dialogue) for dialogue in dialogues]
    for dialogue in dialogues:
        posterior.update(*dialogue)
    before = moments(posterior)
    for dialogue, copy in zip(dialogues, copies):
        for part, same in zip(dialogue, copy):
            assert_array_equal(part, same)
            part[:] = 0
    assert_array_equal(moments(posterior), before)


@every_form
def test_learning_from_no_points_changes_nothing(form):
    posterior = FORMS[form](1.5)
    posterior.update(np.zeros((0, N_BELIEF)), np.zeros(0, int), np.zeros(0))
    assert_array_equal(moments(posterior), moments(FORMS[form](1.5)))


# ---------------------------------------------------------------------------------------------- the checks themselves

def test_beliefs_may_be_lists_or_whole_numbers():
    assert check_belief([1, 0], 2).dtype == float
    check_points([[1, 0]], [0], [3], 2)


@pytest.mark.parametrize("mask", [[True, False, True], np.array([1, 0, 1], np.int8), np.array([1, 0, 1], np.uint64)])
def test_masks_of_bool_and_of_zeros_and_ones_are_the_same(mask):
    checked = check_mask(mask, 3)
    assert checked.dtype == bool and checked.tolist() == [True, False, True]


@pytest.mark.parametrize("mask", [np.ones(3), np.ones(2, bool), np.zeros(3, bool), np.zeros(3, int), [0, 1, 2],
                                  [0, 1, -1], np.ones((1, 3), bool), np.array(["a", "b", "c"]), None])
def test_other_masks_are_refused_by_name(mask):
    with pytest.raises(ValueError, match="mask is .*, expected 3 bool, or whole numbers 0 and 1, not all 0"):
        check_mask(mask, 3)


def test_arrays_of_a_state_are_compared_by_name_type_and_shape():
    like = {"m": np.zeros(2), "n": np.zeros(1, int)}
    good = {"m": np.ones(2), "n": np.ones(1, int)}
    check_arrays(good | {"more": np.zeros(9)}, like)
    for name, bad, told in (("m", np.ones(3), "m is float64 (3,), expected finite float64 (2,)"),
                            ("m", np.ones(2, np.float32), "m is float32 (2,)"), ("n", np.ones(1), "n is float64 (1,)"),
                            ("m", np.array([1, np.nan]), "m is float64 (2,), expected finite"),
                            ("n", None, "n is object (), expected finite int64 (1,)")):
        with says(told):
            check_arrays(good | {name: bad}, like)


def test_a_query_of_the_kernel_form_by_pairs():
    rng = np.random.default_rng(0)
    posterior, query = FORMS["exact"](1.5), query_points(rng)
    for dialogue in random_dialogues(rng, 3):
        posterior.update(*dialogue)
    mean, variance = posterior.predict(*query)
    for i, (belief, action) in enumerate(zip(*query)):
        assert_allclose(posterior.mean(belief)[action], mean[i], rtol=1e-12, atol=1e-14)
        assert_allclose(posterior.variance(belief)[action], variance[i], rtol=1e-12)
