"""The minibatch: its checks, and the way from turns to dialogues and back."""
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_array_equal

from acer_np.batch import by_dialogue, by_turn, checked
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.network import Network
from tests.strategies import either_heads, frozen, random_batch, seeds


def test_dialogues_stand_in_columns_with_zeros_below():
    flat, lengths = frozen(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), np.array([2, 1, 3]))
    assert_array_equal(by_dialogue(flat, lengths), [[1, 3, 4], [2, 0, 5], [0, 0, 6]])
    assert_array_equal(by_turn(by_dialogue(flat, lengths), lengths), flat)


@given(seeds, st.lists(st.integers(1, 6), min_size=1, max_size=5))
def test_turns_come_back_in_order_and_precision(seed, lengths):
    lengths = np.array(lengths)
    flat = np.random.default_rng(seed).normal(size=lengths.sum()).astype(np.float32)
    padded = by_dialogue(flat, lengths)
    assert padded.shape == (lengths.max(), len(lengths)) and padded.dtype == np.float32
    assert_array_equal(by_turn(padded, lengths), flat)
    for column, start, length in zip(padded.T, np.cumsum(lengths) - lengths, lengths):
        assert_array_equal(column[:length], flat[start:start + length])


@given(seeds, either_heads)
def test_a_good_batch_passes_in_the_precision_of_the_network(seed, heads):
    network = Network(3, heads, hidden=(2,))
    batch = random_batch(np.random.default_rng(seed), network)
    for field, expected in zip(checked(batch, network), batch):
        assert_array_equal(field, expected)
    single = checked(batch, Network(3, heads, hidden=(2,), dtype=np.float32))
    assert single.rewards.dtype == single.epsilons.dtype == single.payloads.dtype == np.float32


def spoiled(batch, name, index, value):
    array = getattr(batch, name).copy()
    array[index] = value
    return batch._replace(**{name: array})


@pytest.mark.parametrize("heads", [SummaryHeads(5), MasterHeads(2, 2, 3)])
def test_bad_batches_are_refused_by_name_and_value(heads):
    network = Network(3, heads, hidden=(2,))
    batch = random_batch(np.random.default_rng(0), network)
    n, last = len(batch.beliefs), heads.n_actions - 1
    for name in ("masks", "actions", "rewards", "epsilons", "greedy", "payloads"):
        array = getattr(batch, name)
        with pytest.raises(ValueError, match=rf"^{name} has shape \({n - 1}, ?.*expected \({n},"):
            checked(batch._replace(**{name: array[:-1]}), network)
    with pytest.raises(ValueError, match=rf"masks has shape \({n}, 4\), expected \({n}, 5\)"):
        checked(batch._replace(masks=batch.masks[:, :4]), network)
    with pytest.raises(ValueError, match="masks has type float64, expected bool"):
        checked(batch._replace(masks=batch.masks.astype(float)), network)
    width = heads.width - 5
    with pytest.raises(ValueError, match=rf"payloads has shape \({n}, {width + 1}\), expected \({n}, {width}\)"):
        checked(batch._replace(payloads=np.zeros((n, width + 1))), network)
    if width:
        with pytest.raises(ValueError, match="payloads holds nan"):
            checked(spoiled(batch, "payloads", (1, 0), np.nan), network)
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match=f"rewards holds {bad}"):
            checked(spoiled(batch, "rewards", 1, bad), network)
    for bad in (-0.1, 1.1, np.nan):
        with pytest.raises(ValueError, match=f"epsilons runs from .*{bad}.*expected 0 to 1"):
            checked(spoiled(batch, "epsilons", 1, bad), network)
    for name in ("actions", "greedy"):
        for bad in (-1, last + 1):
            with pytest.raises(ValueError, match=rf"{name} runs from .*{bad}.*expected 0 to {last}"):
                checked(spoiled(batch, name, 1, bad), network)
        with pytest.raises(ValueError, match=rf"{name} has type float64, expected whole numbers"):
            checked(batch._replace(**{name: getattr(batch, name).astype(float)}), network)
        masks = np.ones_like(batch.masks)
        masks[1, -1] = False
        with pytest.raises(ValueError, match=rf"{name} holds {last}, which the mask of that turn forbids"):
            first = batch._replace(masks=masks, actions=np.zeros(n, int), greedy=np.zeros(n, int))
            checked(spoiled(first, name, 1, last), network)


def test_the_extremes_of_every_range_are_allowed():
    network = Network(3, SummaryHeads(4), hidden=(2,))
    batch = random_batch(np.random.default_rng(1), network)
    n = len(batch.beliefs)
    batch = batch._replace(masks=np.ones((n, 4), bool), actions=np.arange(n) % 2 * 3, greedy=np.arange(n) % 2 * 3,
                           epsilons=np.arange(n) % 2 * 1.0)
    assert checked(batch, network).rewards is not None


@pytest.mark.parametrize("lengths", [[], [0, 3], [1, 1], [1, 3], [-1, 4], [[1, 2]]])
def test_lengths_must_be_positive_and_add_up(lengths):
    network = Network(3, SummaryHeads(4), hidden=(2,))
    batch = random_batch(np.random.default_rng(0), network, n_dialogues=1, longest=1)
    three = batch._replace(**{name: np.repeat(getattr(batch, name), 3, axis=0) for name in batch._fields[:-1]})
    kept = checked(three._replace(lengths=[1, 2]), network).lengths
    assert isinstance(kept, np.ndarray) and kept.tolist() == [1, 2]
    with pytest.raises(ValueError, match="lengths is .* expected positive numbers that sum to the 3 turns"):
        checked(three._replace(lengths=np.array(lengths, dtype=int)), network)


def test_a_batch_without_turns_is_refused():
    network = Network(3, SummaryHeads(4), hidden=(2,))
    batch = random_batch(np.random.default_rng(0), network)
    empty = batch._replace(**{name: getattr(batch, name)[:0] for name in batch._fields})
    with pytest.raises(ValueError, match="lengths is "):
        checked(empty, network)
