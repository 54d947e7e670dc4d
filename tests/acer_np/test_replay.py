"""Minibatches of whole dialogues: the memory, the checks, and the way from turns to dialogues and back."""
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_array_equal

from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.network import Network
from acer_np.replay import Batch, Replay, by_dialogue, by_turn, checked, dialogues_of, join
from tests.strategies import either_heads, frozen, random_batch, seeds


def labelled(number, n_turns):
    """A dialogue in which everything tells which dialogue and turn it belongs to."""
    turns = np.arange(n_turns)
    return Batch(np.stack([np.full(n_turns, number), turns], axis=1), np.ones((n_turns, 2), bool), turns,
                 100.0 * number + turns, np.full((n_turns, 2), 0.5), np.zeros((n_turns, 0)), np.array([n_turns]))


def remembered(capacity, n_dialogues, n_turns=2):
    replay = Replay(capacity)
    replay.dialogues.extend(labelled(number, n_turns) for number in range(n_dialogues))
    return replay


def same(one, other):
    for name, left, right in zip(Batch._fields, one, other):
        assert_array_equal(left, right, err_msg=name)
        assert left.dtype == right.dtype, name


# ---- the memory

def test_beyond_its_capacity_the_oldest_dialogue_goes():
    assert [d.beliefs[0, 0] for d in remembered(3, 5).dialogues] == [2, 3, 4]


@given(seeds, st.integers(1, 12), st.integers(1, 12))
def test_a_minibatch_holds_different_dialogues_whole_and_in_order(seed, n_dialogues, n):
    batch = remembered(12, n_dialogues, n_turns=3).sample(n, np.random.default_rng(seed))
    which = batch.beliefs[::3, 0]
    assert len(which) == len(set(which)) == min(n, n_dialogues)
    assert_array_equal(batch.lengths, np.full(len(which), 3))
    assert_array_equal(batch.beliefs[:, 0], np.repeat(which, 3))
    assert_array_equal(batch.actions, np.tile([0, 1, 2], len(which)))
    assert_array_equal(batch.rewards, 100 * batch.beliefs[:, 0] + batch.actions)


def test_every_dialogue_is_drawn_equally_often():
    replay, rng = remembered(10, 10, n_turns=1), np.random.default_rng(0)
    drawn = np.concatenate([replay.sample(3, rng).beliefs[:, 0] for _ in range(2000)])
    assert (np.abs(np.bincount(drawn.astype(int), minlength=10) - 600) < 5 * np.sqrt(600 * 0.7)).all()


def test_an_empty_memory_has_nothing_to_learn_from():
    with pytest.raises(ValueError, match="the memory holds 0 dialogues, expected at least one"):
        Replay(3).sample(4, np.random.default_rng(0))


# ---- turns and dialogues

def test_dialogues_stand_in_columns_with_zeros_below():
    flat, lengths = frozen(np.array([1, 2, 3, 4, 5, 6], np.float32), np.array([2, 1, 3]))
    assert_array_equal(by_dialogue(flat, lengths), [[1, 3, 4], [2, 0, 5], [0, 0, 6]])
    assert by_dialogue(flat, lengths).dtype == np.float32
    assert_array_equal(by_turn(by_dialogue(flat, lengths), lengths), flat)


@given(seeds, either_heads, st.sampled_from([np.float32, np.float64]))
def test_a_batch_falls_into_its_dialogues_and_is_whole_again(seed, heads, dtype):
    batch = random_batch(np.random.default_rng(seed), Network(3, heads, dtype=dtype))
    dialogues = dialogues_of(batch)
    assert_array_equal([len(d.actions) for d in dialogues], batch.lengths)
    assert_array_equal(np.concatenate([d.lengths for d in dialogues]), batch.lengths)
    assert all(len(column) == len(d.actions) for d in dialogues for column in d[:-1])
    same(join(dialogues), batch)


# ---- checks

@given(seeds, either_heads)
def test_a_good_batch_passes_in_the_precision_asked_for(seed, heads):
    batch = random_batch(np.random.default_rng(seed), Network(3, heads))
    same(checked(batch, 3, heads, np.float64), batch)
    single = checked(batch, 3, heads, np.float32)
    assert all(getattr(single, name).dtype == np.float32 for name in ("beliefs", "rewards", "mu", "payload_logits"))
    if heads.n_actions < 256:
        loose = batch._replace(masks=batch.masks.astype(np.int8), actions=batch.actions.astype(np.uint8),
                               lengths=list(batch.lengths))
        same(checked(loose, 3, heads, np.float64), batch)


def spoiled(batch, name, index, value):
    array = getattr(batch, name).copy()
    array[index] = value
    return batch._replace(**{name: array})


@pytest.mark.parametrize("heads", [SummaryHeads(5), MasterHeads(2, 2, 3)])
def test_bad_batches_are_refused_by_name_and_value(heads):
    batch = random_batch(np.random.default_rng(0), Network(3, heads))
    n, last = len(batch.beliefs), heads.n_actions - 1

    def refused(bad, message):
        with pytest.raises(ValueError, match=message):
            checked(bad, 3, heads, np.float64)

    for name in ("masks", "actions", "rewards", "mu", "payload_logits"):
        array = getattr(batch, name)
        refused(batch._replace(**{name: array[:-1]}), rf"^{name} has shape \({n - 1}, ?.*expected \({n},")
    for name, width, less in (("beliefs", 3, 2), ("masks", 5, 4), ("mu", 5, 4)):
        refused(batch._replace(**{name: getattr(batch, name)[:, :less]}),
                rf"{name} has shape \({n}, {less}\), expected \({n}, {width}\)")
    refused(batch._replace(masks=batch.masks.astype(float)), "masks has type float64, expected bool, or whole numbers")
    width = heads.width - 5
    refused(batch._replace(payload_logits=np.zeros((n, width + 1))),
            rf"payload_logits has shape \({n}, {width + 1}\), expected \({n}, {width}\)")
    for name in ("rewards", "beliefs", "mu", "payload_logits")[:3 + (width > 0)]:
        for bad in (np.nan, np.inf):
            refused(spoiled(batch, name, -1, bad), f"{name} holds {bad}, expected finite numbers")
    for bad in (-1, last + 1):
        refused(spoiled(batch, "actions", 1, bad), rf"actions is .*{bad}.*, expected whole numbers from 0 to {last}")
    refused(batch._replace(actions=batch.actions.astype(float)), "actions is .*expected whole numbers")
    with pytest.raises(ValueError, match="beliefs holds inf, expected finite numbers"), np.errstate(all="raise"):
        checked(spoiled(batch, "beliefs", -1, 1e39), 3, heads, np.float32)


def test_actions_that_could_not_have_been_taken_are_refused():
    batch = labelled(0, 2)._replace(actions=np.array([0, 1]))
    heads = SummaryHeads(2)
    assert checked(batch, 2, heads, np.float64)
    for name, values in (("masks", [[True, True], [True, False]]), ("mu", [[0.5, 0.5], [1.0, 0.0]])):
        with pytest.raises(ValueError, match=f"{name} forbids action 1, expected the actions taken to be possible"):
            checked(batch._replace(**{name: np.array(values)}), 2, heads, np.float64)


def test_a_behaviour_that_does_not_sum_to_one_over_the_allowed_actions_is_refused():
    batch, heads = labelled(0, 2)._replace(actions=np.zeros(2, int)), SummaryHeads(2)
    assert checked(batch._replace(mu=np.array([[0.5, 0.5], [0.6, 0.4005]])), 2, heads, np.float64)
    for row, off in (([0.6, 0.398], "0.002"), ([0.6, 0.6], "0.2")):
        with pytest.raises(ValueError, match=rf"mu sums to 1 ± {off} over the allowed actions of a turn, expected 1"):
            checked(batch._replace(mu=np.array([[0.5, 0.5], row])), 2, heads, np.float64)
    masks = np.array([[True, True], [True, False]])              # half of what was drawn is not allowed
    with pytest.raises(ValueError, match="mu sums to 1 ± 0.5"):
        checked(batch._replace(masks=masks), 2, heads, np.float64)


@pytest.mark.parametrize("lengths", [[], [0, 3], [1, 1], [1, 3], [-1, 4], [[1, 2]]])
def test_lengths_must_be_positive_and_add_up(lengths):
    three, heads = labelled(0, 3)._replace(actions=np.zeros(3, int)), SummaryHeads(2)
    kept = checked(three._replace(lengths=[1, 2]), 2, heads, np.float64).lengths
    assert isinstance(kept, np.ndarray) and kept.tolist() == [1, 2]
    with pytest.raises(ValueError, match="lengths is .* expected positive numbers that sum to the 3 turns"):
        checked(three._replace(lengths=np.array(lengths, dtype=int)), 2, heads, np.float64)


def test_a_batch_without_turns_is_refused():
    batch = labelled(0, 2)
    empty = batch._replace(**{name: getattr(batch, name)[:0] for name in batch._fields})
    with pytest.raises(ValueError, match="lengths is "):
        checked(empty, 2, SummaryHeads(2), np.float64)
