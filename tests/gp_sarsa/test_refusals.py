"""Bad dialogues and queries are refused by every form, which stays as it was; the checks themselves."""
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from gp_sarsa.points import check_mask
from tests.gp_sarsa.cases import FORMS, N_BELIEF, after, every_form, moments, random_dialogues, says


def experienced(form):
    return after(FORMS[form](1.5), random_dialogues(np.random.default_rng(5), 3))


@every_form
@pytest.mark.parametrize("beliefs, actions, returns, told", [
    ([[np.nan] * 4], [8], [1.0], "beliefs is nan somewhere, expected finite numbers"),
    ([[1.0] * 4], [8], [-np.inf], "returns is -inf somewhere, expected finite numbers"),
    ([[1.0] * 4, [1.0] * 4], [0, 10], [1.0, 1.0], "actions is [ 0 10], expected whole numbers from 0 to 9"),
    ([[1.0] * 4], [8, 9], [1.0, 2.0], "(beliefs, actions, returns) is ((1, 4), (2,), (2,)), expected (2, 4)"),
    ([[1.0] * 3], [8], [1.0], "is ((1, 3), (1,), (1,)), expected (1, 4)"),
    ([[1.0] * 4], [8], 1.0, "is ((1, 4), (1,), ()), expected (1, 4)")])
def test_bad_dialogues_are_refused_and_nothing_is_learned(form, beliefs, actions, returns, told):
    posterior = experienced(form)
    before = moments(posterior)
    with says(told):
        posterior.update(beliefs, actions, returns)
    assert_array_equal(moments(posterior), before)


@every_form
def test_an_update_that_fails_half_way_has_changed_nothing(form, monkeypatch):
    """The Cholesky factorisation of the second group fails, when the first has been worked out."""
    posterior, cholesky, calls = experienced(form), np.linalg.cholesky, []
    before = moments(posterior)

    def fails_later(matrix):
        calls.append(matrix)
        if len(calls) == 2:
            raise MemoryError("not today")
        return cholesky(matrix)

    monkeypatch.setattr(np.linalg, "cholesky", fails_later)
    with pytest.raises(MemoryError):
        posterior.update(np.ones((3, N_BELIEF)), np.array([0, 8, 9]), np.ones(3))
    assert len(calls) == 2
    assert_array_equal(moments(posterior), before)


@every_form
@pytest.mark.parametrize("belief", [np.ones(3), np.array([1, 1, 1, np.nan]), np.ones((1, 4))])
def test_a_belief_of_another_shape_or_that_is_not_finite_is_refused_wherever_it_is_asked_about(form, belief):
    posterior = FORMS[form](1.5)
    for ask in (posterior.mean, posterior.variance, lambda b: posterior.sample(b, 1.0, np.random.default_rng(0))):
        with says(f"belief is {belief.shape} {belief}, expected (4,) finite numbers"):
            ask(belief)


@every_form
def test_dialogues_may_be_lists_are_left_as_they_were_and_may_be_changed_afterwards(form):
    dialogues, posterior, lists = random_dialogues(np.random.default_rng(6), 3), FORMS[form](1.5), FORMS[form](1.5)
    copies = [tuple(part.copy() for part in dialogue) for dialogue in dialogues]
    for dialogue in dialogues:
        posterior.update(*dialogue)
        lists.update(*(part.tolist() for part in dialogue))
    before = moments(posterior)
    assert_array_equal(moments(lists), before)
    for dialogue, copy in zip(dialogues, copies):
        for part, same in zip(dialogue, copy):
            assert_array_equal(part, same)
            part[:] = 0
    posterior.mean(np.ones(N_BELIEF))[:] = posterior.variance(np.ones(N_BELIEF))[:] = 99.0
    assert_array_equal(moments(posterior), before)


@every_form
def test_learning_from_no_points_changes_nothing(form):
    posterior = FORMS[form](1.5)
    posterior.update(np.zeros((0, N_BELIEF)), np.zeros(0, int), np.zeros(0))
    assert_array_equal(moments(posterior), moments(FORMS[form](1.5)))


@pytest.mark.parametrize("mask", [[True, False, True], np.array([1, 0, 1], np.int8), np.array([1, 0, 1], np.uint64)])
def test_masks_of_bool_and_of_zeros_and_ones_are_the_same(mask):
    checked = check_mask(mask, 3)
    assert checked.dtype == bool and checked.tolist() == [True, False, True]


@pytest.mark.parametrize("mask", [np.ones(3), np.ones(2, bool), np.zeros(3, bool), np.zeros(3, int), [0, 1, 2],
                                  [0, 1, -1], np.ones((1, 3), bool), np.array(["a", "b", "c"]), None])
def test_other_masks_are_refused_by_name(mask):
    with pytest.raises(ValueError, match="mask is .*, expected 3 bool, or whole numbers 0 and 1, not all 0"):
        check_mask(mask, 3)
