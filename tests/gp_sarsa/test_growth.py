"""Growing afterwards and then learning = having had the larger space from the beginning, in all forms."""
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from gp_sarsa import ActionLayout, GPAgent, GPConfig, WeightSpacePosterior, grown
from gp_sarsa.growth import growth_between
from tests.gp_sarsa.cases import FORMS, every_form, make_agent, moments, play, random_dialogues, says, seeds

layouts = st.builds(ActionLayout, st.integers(0, 2), st.integers(0, 2), st.integers(1, 2))


def named(layout, methods, slots, others):
    """The names of all actions in the order of their indices, payloads as sets of slots."""
    payloads = [frozenset(slots[i] for i in range(layout.n_payload_slots) if payload // 2 ** i % 2)
                for payload in range(2 ** layout.n_payload_slots)]
    return [(method, payload) for method in methods for payload in payloads] + list(others)


def random_growth(rng, old, n_old, more):
    """A larger space in which what there was stands in any order: what `growth_between` takes, and action places.

    The action places are found by name, without arithmetic on indices.
    """
    n_before = {"method": old.n_methods, "slot": old.n_payload_slots, "other": old.n_others}
    sizes = {word: (n, n + rng.integers(more + 1).item()) for word, n in n_before.items()}
    layout = ActionLayout(*(n for _, n in sizes.values()))
    names = {word: [f"{word} {i}" for i in range(n)] for word, (_, n) in sizes.items()}
    kept = {word: [names[word][i] for i in rng.permutation(n)[:n_before[word]]] for word, (_, n) in sizes.items()}
    before, after = named(old, *kept.values()), named(layout, *names.values())
    n_belief = n_old + int(rng.integers(more + 1))
    all_summary = names["method"] + names["other"]
    places = (rng.permutation(n_belief)[:n_old], [all_summary.index(name) for name in kept["method"] + kept["other"]],
              [names["slot"].index(name) for name in kept["slot"]])
    return (n_old, old, n_belief, layout, *places), np.array([after.index(name) for name in before])


def widened(beliefs, n_belief, places):
    wide = np.zeros((len(beliefs), n_belief))
    wide[:, places] = beliefs
    return wide


@every_form
@settings(max_examples=20)
@given(seed=seeds, old=layouts)
def test_growing_and_then_learning_is_having_had_the_larger_space_from_the_beginning(form, seed, old):
    rng = np.random.default_rng(seed)
    sizes_and_places, action_places = random_growth(rng, old, 3, 2)
    _, _, n_belief, layout, belief_places, *_ = sizes_and_places
    small, large = FORMS[form](1.5, 3, old), FORMS[form](1.5, n_belief, layout)
    for beliefs, actions, returns in random_dialogues(rng, 5, n_belief=3, layout=old):
        small.update(beliefs, actions, returns)
        large.update(widened(beliefs, n_belief, belief_places), action_places[actions], returns)
    later = small.grown(growth_between(*sizes_and_places))
    assert_allclose(moments(later), moments(large), atol=1e-10)
    for dialogue in random_dialogues(rng, 3, n_belief=n_belief, layout=layout):
        for posterior in (later, large):
            posterior.update(*dialogue)
    assert_allclose(moments(later), moments(large), atol=1e-10)


def test_a_new_slot_by_hand():
    # One belief entry, one method; slot A told with return 6.5, the empty payload with 3.25, σ² = 2.25, k = 1: means
    # 2 and 1. A slot B is put before A: payloads {}, {B}, {A}, {A, B}; {A, B} has the cosine 1/√2 with A.
    old, new = ActionLayout(1, 1, 0), ActionLayout(1, 2, 0)
    agent = GPAgent(1, old, posterior=WeightSpacePosterior(1, old, 1.5))
    agent.posterior.update(np.ones((2, 1)), np.array([1, 0]), np.array([6.5, 3.25]))
    larger = grown(agent, 1, new, [0], [0], [1])
    assert_allclose(larger.posterior.mean(np.ones(1)), [1, 0, 2, 2 ** 0.5], atol=1e-14)
    assert_allclose(larger.posterior.variance(np.ones(1)), [1 - 1 / 3.25, 1, 1 - 1 / 3.25, 1 - 0.5 / 3.25], atol=1e-14)
    larger.posterior.update(np.ones((1, 1)), np.array([1]), np.array([-6.5]))
    assert_allclose(larger.posterior.mean(np.ones(1)), [1, -2, 2, 0], atol=1e-14)


@every_form
def test_a_grown_agent_goes_on_where_the_old_one_was_and_the_old_one_is_unchanged(form):
    agent = make_agent(ActionLayout(2, 1, 1), n_belief=3, form=form)
    play(agent, np.random.default_rng(0), 12, lambda belief, action: belief[0] * action)
    before = moments(agent.posterior)
    agent.act(np.ones(3), np.ones(5, bool))                     # a dialogue under way stays with the old agent
    larger = grown(agent, 4, ActionLayout(2, 2, 2), [0, 1, 2], [0, 1, 2], [0])
    assert (larger.n_dialogues, larger.n_belief, larger.layout.n_actions, larger.config) == (12, 4, 10, agent.config)
    streams = [larger.rng.bit_generator.state, larger.test_rng.bit_generator.state]
    assert streams == [agent.rng.bit_generator.state, agent.test_rng.bit_generator.state]
    play(larger, np.random.default_rng(1), 12, tests_between=2)
    assert streams == [agent.rng.bit_generator.state, agent.test_rng.bit_generator.state]
    agent.observe(1.0, False)
    assert_array_equal(moments(agent.posterior), before)
    again = make_agent(larger.layout, n_belief=4, form=form)
    again.restore(*larger.state())                              # the settings of the posterior are those of before
    assert_array_equal(moments(again.posterior), moments(larger.posterior))
    config = GPConfig(scale_dialogues=9)
    assert grown(larger, 4, larger.layout, range(4), range(4), range(2), config).config is config


OLD = ActionLayout(2, 1, 2)


@pytest.mark.parametrize("n_belief, layout, beliefs, summary, slots, told", [
    (2, OLD, [0, 1, 2], range(4), [0], "belief_places is [0 1 2], expected 3 places below 2, no two alike"),
    (3, OLD, [0, 1, 1], range(4), [0], "belief_places is [0 1 1], expected 3 places below 3"),
    (3, OLD, [0, 1, -1], range(4), [0], "belief_places is [ 0  1 -1], expected 3"),
    (3, ActionLayout(2, 1, 1), range(3), range(4), [0], "summary_places is [0 1 2 3], expected 4 places below 3"),
    (3, OLD, range(3), range(4), [], "slot_places is [], expected 1 places below 1"),
    (3, ActionLayout(2, 0, 2), range(3), range(4), [0], "slot_places is [0], expected 1 places below 0"),
    (3, ActionLayout(3, 1, 2), range(3), range(4), [0], "summary_places is [0 1 2 3], expected methods to remain"),
    (3, ActionLayout(1, 1, 3), range(3), range(4), [0], "summary_places is [0 1 2 3], expected methods to remain")])
def test_what_would_remove_something_is_refused(n_belief, layout, beliefs, summary, slots, told):
    with says(told):
        grown(make_agent(OLD, n_belief=3), n_belief, layout, beliefs, summary, slots)
