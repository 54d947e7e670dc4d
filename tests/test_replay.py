"""The memory of whole dialogues: what goes in comes out, in order, no dialogue twice, and nothing half-recorded."""
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_array_equal

from acer_np.batch import Batch
from acer_np.heads import SummaryHeads
from acer_np.network import Network
from acer_np.replay import Replay, join, pack, split, unpack
from tests.strategies import frozen, random_batch, seeds


def remembered(capacity, n_dialogues, n_turns=2):
    """A memory of dialogues in which everything tells which dialogue and turn it belongs to."""
    replay = Replay(capacity, np.float64)
    for e in range(n_dialogues):
        for t in range(n_turns):
            replay.add_turn(np.array([e, t]), np.array([True, e % 2 == 0]), action=t, epsilon=e / 100, greedy=e,
                            payload=np.array([e, -t]))
            replay.add_reward(10 * e + t, done=t == n_turns - 1)
    return replay


def same(one, other):
    for name, left, right in zip(Batch._fields, one, other):
        assert_array_equal(left, right, err_msg=name)
        assert left.dtype == right.dtype, name


def a_batch(seed, dtype=np.float64):
    rng = np.random.default_rng(seed)
    batch = random_batch(rng, Network(7, SummaryHeads(4), dtype=dtype))
    return batch._replace(beliefs=frozen(batch.beliefs * (rng.random(batch.beliefs.shape) < 0.3)))


def test_a_dialogue_of_two_turns_by_hand():
    replay = Replay(3, np.float32)
    belief, mask, payload = np.array([0.5, 0.0]), np.array([True, True, False]), np.array([1.5])
    replay.add_turn(belief, mask, action=1, epsilon=0.25, greedy=0, payload=payload)
    belief[:], mask[:], payload[:] = 9, False, 9               # the memory has its own copies
    replay.add_reward(-0.05, done=False)
    assert len(replay.dialogues) == 0
    replay.add_turn(np.array([0.0, 1.0]), np.array([True, False, True]), action=2, epsilon=0.5, greedy=2,
                    payload=np.array([-2.0]))
    replay.add_reward(0.95, done=True)
    expected = Batch(np.array([[0.5, 0], [0, 1]], np.float32), np.array([[True, True, False], [True, False, True]]),
                     np.array([1, 2]), np.array([-0.05, 0.95], np.float32), np.array([0.25, 0.5], np.float32),
                     np.array([0, 2]), np.array([[1.5], [-2.0]], np.float32), np.array([2]))
    same(replay.dialogues[0], expected)
    same(replay.sample(5, np.random.default_rng(0)), expected)


def test_a_new_dialogue_starts_afresh():
    replay = remembered(5, 2, n_turns=3)
    assert [list(d.rewards) for d in replay.dialogues] == [[0, 1, 2], [10, 11, 12]]
    assert replay.turns == [] and replay.rewards == []


def test_beyond_its_capacity_the_oldest_dialogue_goes():
    assert [d.greedy[0] for d in remembered(3, 5).dialogues] == [2, 3, 4]


@given(seeds, st.integers(1, 12), st.integers(1, 12))
def test_a_minibatch_holds_different_dialogues_whole_and_in_order(seed, n_dialogues, n):
    batch = remembered(12, n_dialogues, n_turns=3).sample(n, np.random.default_rng(seed))
    which = batch.beliefs[::3, 0]
    assert len(which) == len(set(which)) == min(n, n_dialogues)
    assert_array_equal(batch.lengths, np.full(len(which), 3))
    assert_array_equal(batch.beliefs[:, 0], np.repeat(which, 3))
    assert_array_equal(batch.actions, np.tile([0, 1, 2], len(which)))
    assert_array_equal(batch.rewards, 10 * batch.greedy + batch.actions)
    assert_array_equal(batch.masks[:, 1], batch.greedy % 2 == 0)


def test_every_dialogue_is_drawn_equally_often():
    replay, rng = remembered(10, 10, n_turns=1), np.random.default_rng(0)
    counts = np.bincount(np.concatenate([replay.sample(3, rng).greedy for _ in range(2000)]), minlength=10)
    assert (np.abs(counts - 600) < 5 * np.sqrt(600 * 0.7)).all()            # five standard deviations


def test_the_generator_decides_the_minibatch():
    replay = remembered(20, 20)
    one, again, other = (replay.sample(4, np.random.default_rng(seed)) for seed in (3, 3, 4))
    same(one, again)
    assert not np.array_equal(one.greedy, other.greedy)


def test_calls_out_of_order_are_refused_and_leave_the_dialogue_as_it_was():
    replay = Replay(3, np.float64)
    with pytest.raises(ValueError, match="nothing to learn from; finish a dialogue first"):
        replay.sample(4, np.random.default_rng(0))
    with pytest.raises(ValueError, match="observe was called without an action; call act first"):
        replay.add_reward(1.0, done=True)
    replay.add_turn(np.zeros(2), np.ones(2, bool), 0, 0.5, 0, np.zeros(0))
    for attempt in (replay.expect_turn, lambda: replay.add_turn(np.ones(2), np.ones(2, bool), 1, 0.5, 1, np.ones(0))):
        with pytest.raises(ValueError, match="act was called twice; observe must tell"):
            attempt()
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match=f"reward is {bad}; it must be finite"):
            replay.add_reward(bad, done=True)
    with pytest.raises(ValueError, match="nothing to learn from"):
        replay.sample(4, np.random.default_rng(0))
    replay.add_reward(1.0, done=False)
    replay.expect_turn()
    with pytest.raises(ValueError, match="observe was called without an action"):
        replay.add_reward(1.0, done=True)
    replay.add_turn(np.ones(2), np.ones(2, bool), 1, 0.25, 1, np.ones(0))
    replay.add_reward(2.0, done=True)
    assert list(replay.dialogues[0].rewards) == [1.0, 2.0] and list(replay.dialogues[0].actions) == [0, 1]


@given(seeds, st.sampled_from([np.float32, np.float64]))
def test_a_batch_falls_into_its_dialogues_and_is_whole_again(seed, dtype):
    batch = a_batch(seed, dtype)
    dialogues = split(batch)
    assert_array_equal([len(d.actions) for d in dialogues], batch.lengths)
    assert_array_equal(np.concatenate([d.lengths for d in dialogues]), batch.lengths)
    assert all(len(column) == len(d.actions) for d in dialogues for column in d[:-1])
    same(join(dialogues), batch)


@given(seeds, st.sampled_from([np.float32, np.float64]))
def test_packing_for_a_file_keeps_every_bit_and_only_the_beliefs_that_are_not_zero(seed, dtype):
    batch = a_batch(seed, dtype)
    arrays = pack(batch)
    assert len(arrays["belief_values"]) == (batch.beliefs != 0).sum()
    assert {array.dtype.kind for array in arrays.values()} <= set("bif")
    same(unpack(arrays, 7), batch)


def test_a_belief_of_many_entries_is_packed_too():
    beliefs = np.zeros((1, 70_001))
    beliefs[0, -1] = 0.5
    zero = np.zeros(1, int)
    batch = Batch(beliefs, np.ones((1, 1), bool), zero, np.zeros(1), np.zeros(1), zero, np.zeros((1, 0)), np.ones(1, int))
    same(unpack(pack(batch), 70_001), batch)
    with pytest.raises(IndexError):
        unpack(pack(batch), 70_000)
