"""Growing leaves every old logit and Q as it was, and keeps memory, moments and random streams."""
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from acer_np import MasterHeads, SummaryHeads
from acer_np.beyond.growth import grown
from tests.strategies import AGENTS, everything, play, seeds, spelled_out, wide_mu, wide_q

SPACES = {"summary": (SummaryHeads(3), SummaryHeads(5)), "master": (MasterHeads(2, 2, 2), MasterHeads(3, 4, 3))}
spaces = st.sampled_from(list(SPACES))
kinds = st.sampled_from(list(AGENTS))
N_OLD, N_NEW = 4, 6


def small(kind, space, seed, n_dialogues=3, **changes):
    """An agent that has learned a little, with parameters and beliefs of few binary digits, so that sums are exact."""
    agent_type, config = AGENTS[kind]
    values = dict(hidden=(5, 4), minibatch=2, capacity=9, horizon=10, dtype="float64")
    agent = agent_type(N_OLD, SPACES[space][0], config(**values | changes), seed)
    rng = np.random.default_rng(seed)
    play(agent, rng, n_dialogues)
    learner = agent.learner
    agent.learner = learner._replace(params=rng.integers(-8, 9, agent.network.size) / 8,
                                     average=rng.integers(-8, 9, agent.network.n_policy) / 8)
    return agent


def random_places(space, seed):
    """Places in any order, methods among methods; none of the arithmetic of the code."""
    rng, (old, new) = np.random.default_rng(seed), SPACES[space]
    beliefs = rng.permutation(N_NEW)[:N_OLD]
    if space == "summary":
        return beliefs, rng.permutation(new.n_actions)[:old.n_actions], np.zeros(0, int)
    methods = rng.permutation(new.n_methods)[:old.n_methods]
    others = new.n_methods + rng.permutation(new.n_others)[:old.n_others]
    return beliefs, np.concatenate([methods, others]), rng.permutation(new.n_payload_slots)[:old.n_payload_slots]


def larger(agent, space, places):
    return grown(agent, N_NEW, SPACES[space][1], *places)


def new_index(space, summary, slots):
    """Where every old action is among the new ones, found by what it does: its method and the slots it tells."""
    old, new = SPACES[space]

    def meaning(heads, action, summary_names, slot_names):
        s, payload = spelled_out(heads)[action]
        told = [name for i, name in enumerate(slot_names) if payload is not None and payload // 2 ** i % 2]
        return summary_names[s], payload is None, frozenset(told)
    n_slots = getattr(new, "n_payload_slots", 0)
    after = [meaning(new, a, range(new.n_summary), range(n_slots)) for a in range(new.n_actions)]
    return np.array([after.index(meaning(old, a, summary.tolist(), slots.tolist())) for a in range(old.n_actions)])


def widened(beliefs, places, rest):
    wide = rest.copy()
    wide[:, places] = beliefs
    return wide


@settings(max_examples=25)
@given(seed=seeds, kind=kinds, space=spaces, shared=st.booleans())
def test_every_old_logit_and_value_is_what_it_was_whatever_the_new_entries_are(seed, kind, space, shared):
    agent = small(kind, space, seed, critic_body="shared" if shared else "own")
    places, rng = random_places(space, seed), np.random.default_rng(seed)
    new = larger(agent, space, places)
    beliefs = rng.integers(-2, 3, (7, N_OLD)) / 2
    wide = widened(beliefs, places[0], rng.integers(-2, 3, (7, N_NEW)) / 2)
    (old_heads, heads), (_, summary, slots) = SPACES[space], places
    outputs = np.concatenate([summary, heads.n_summary + slots])
    fresh = np.setdiff1d(np.arange(heads.width), outputs)
    for params, new_params in zip(agent.learner[:2], new.learner[:2]):
        before, after = agent.network.forward(params, beliefs), new.network.forward(new_params, wide)
        assert_array_equal(after.logits[:, outputs], before.logits)
        assert_array_equal(after.logits[:, fresh], np.where(fresh < heads.n_summary, 0.0, 0.1) * np.ones((7, 1)))
        if kind == "acer" and before.critic is not None:
            assert_array_equal(after.critic[:, outputs], before.critic)
            index = new_index(space, summary, slots)
            assert_array_equal(wide_q(heads, after.critic)[:, index], wide_q(old_heads, before.critic))
        elif kind == "a2c" and before.critic is not None:
            assert_array_equal(after.critic, before.critic)


@settings(max_examples=20)
@given(seed=seeds, kind=kinds, space=spaces)
def test_old_dialogues_are_replayed_with_their_own_behaviour(seed, kind, space):
    agent, places = small(kind, space, seed), random_places(space, seed)
    new = larger(agent, space, places)
    (old_heads, heads), (beliefs, summary, slots) = SPACES[space], places
    index = new_index(space, summary, slots)
    assert len(new.replay.dialogues) == len(agent.replay.dialogues) == 3
    for before, after in zip(agent.replay.dialogues, new.replay.dialogues):
        new.checked(after)
        assert_array_equal(after.actions, index[before.actions])
        assert_array_equal(after.rewards, before.rewards)
        assert_array_equal(after.lengths, before.lengths)
        assert_array_equal(after.beliefs, widened(before.beliefs, beliefs, np.zeros((len(before.actions), N_NEW))))
        assert_array_equal(after.masks[:, summary], before.masks)
        mu = wide_mu(heads, after.mu, after.payload_logits)
        assert_allclose(mu[:, index], wide_mu(old_heads, before.mu, before.payload_logits), atol=1e-12)
        never, fresh = np.setdiff1d(range(heads.n_actions), index), np.setdiff1d(range(heads.n_summary), summary)
        assert (mu[:, never] < 1e-12).all() and not after.masks[:, fresh].any()


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("kind", AGENTS)
def test_moments_counts_and_streams_are_carried_and_the_old_agent_stays_as_it_was(kind, space):
    agent, places = small(kind, space, 5), random_places(space, 5)
    before = everything(agent)
    new = larger(agent, space, places)
    assert everything(agent) == before
    assert (new.n_dialogues, new.learner.adam.step) == (3, agent.learner.adam.step) != (3, 0)
    for ours, theirs in ((new.rng, agent.rng), (new.test_rng, agent.test_rng)):
        assert ours is not theirs and ours.bit_generator.state == theirs.bit_generator.state
    for name in ("mean", "square"):
        ours, theirs = getattr(new.learner.adam, name), getattr(agent.learner.adam, name)
        assert np.sort(ours[ours != 0]).tolist() == np.sort(theirs[theirs != 0]).tolist()
        assert_array_equal(new.network.views(ours)["W1"][places[0]], agent.network.views(theirs)["W1"])
        assert_array_equal(new.network.views(ours)["b2"], agent.network.views(theirs)["b2"])
    play(new, np.random.default_rng(1), 3)                     # it goes on, from old and new dialogues alike
    assert np.isfinite(new.learner.params).all()


def test_a_variant_of_the_update_is_kept():
    agent = small("acer", "summary", 0)
    agent.update = lambda network, learner, batch, config: (learner, "seen")
    new = larger(agent, "summary", random_places("summary", 0))
    new.learn()
    assert new.diagnostics == ["seen"]


def test_a_new_slot_by_hand():
    """Two old slots, a and c, become a, b, c; the old inform told c alone, which is payload 2, and now payload 4."""
    agent = AGENTS["acer"][0](1, MasterHeads(1, 2, 1), AGENTS["acer"][1](hidden=(), dtype="float64"), 0)
    network = agent.network
    for head in ("W_policy", "W_critic"):
        network.views(agent.learner.params)[head][:] = [[1.0, 2.0, 3.0, 4.0]]       # inform, other, a, c
    while True:
        action = agent.act(np.ones(1), np.ones(5, bool))
        agent.observe(1.0, done=True)
        if action == 2:
            break
    new = grown(agent, 2, MasterHeads(1, 3, 1), [1], [0, 1], [0, 2])
    forward = new.network.forward(new.learner.params, np.array([[7.0, 1.0]]))
    assert forward.logits.tolist() == [[1, 2, 3, 0.1, 4]] and forward.critic.tolist() == [[1, 2, 3, 0, 4]]
    assert new.replay.dialogues[-1].actions.tolist() == [4]
    assert new.replay.dialogues[-1].payload_logits.tolist() == [[3, -30, 4]]
    assert new.replay.dialogues[-1].beliefs.tolist() == [[0, 1]]


@pytest.mark.parametrize("change, words", [
    (dict(n_belief=3), "belief_places is [0 1 2 3], expected 4 places below 3, no two alike"),
    (dict(belief_places=[0, 1, 2, 2]), "belief_places is [0 1 2 2], expected 4 places"),
    (dict(belief_places=[0, 1, 2]), "belief_places is [0 1 2], expected 4 places"),
    (dict(belief_places=[0, 1, 2, -1]), "belief_places is [ 0  1  2 -1], expected 4 places"),
    (dict(heads=MasterHeads(2, 1, 2)), "slot_places is [0 1], expected 2 places below 1"),
    (dict(heads=MasterHeads(2, 2, 1)), "summary_places is [0 1 2 3], expected 4 places below 3"),
    (dict(heads=MasterHeads(3, 2, 2)), "summary_places is [0 1 2 3], expected methods to remain methods"),
    (dict(summary_places=[0, 2, 1, 3]), "summary_places is [0 2 1 3], expected methods to remain methods"),
    (dict(heads=SummaryHeads(5)), "heads is SummaryHeads(n_actions=5), expected MasterHeads"),
    (dict(heads=MasterHeads(2, 2, 2, "payloads")), "one output per payload cannot grow")])
def test_what_would_remove_something_is_refused_in_one_sentence(change, words):
    agent = small("acer", "master", 3)
    before = everything(agent)
    values = dict(n_belief=N_OLD, heads=agent.heads, belief_places=range(4), summary_places=range(4),
                  slot_places=range(2)) | change
    with pytest.raises(ValueError, match=re.escape(words)):
        grown(agent, **values)
    assert everything(agent) == before
