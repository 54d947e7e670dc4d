"""The small dialogue of the tour, whose truth is known, and what is estimated and believed about it."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from demos.tours import bias, ladder, posterior
from demos.tours.small_dialogue import (ASK, GAMMA, OFFER_A, OFFER_B, beliefs, between, careful, careless,
                                        every_dialogue, hears_a, play, probability, true_q)
from gp_sarsa.points import Points

distances = st.floats(0, 1, allow_subnormal=False)
nets = np.arange(-6, 7)


def returns(rewards):
    """(E,) discounted return of every column."""
    return GAMMA ** np.arange(len(rewards)) @ rewards


# The dialogue


def test_beliefs_by_hand():
    # Two answers for A: 0.49 to 0.09, so p = 0.49 / 0.58; then A is heard with 0.7 p + 0.3 (1 - p) = 0.370 / 0.58.
    assert_allclose(probability(np.array([0, 1, -1, 2])), [0.5, 0.7, 0.3, 0.49 / 0.58])
    assert_allclose(hears_a(2), 0.370 / 0.58)
    assert_allclose(beliefs(nets).sum(axis=1), 1)


def test_policies_by_hand():
    assert_allclose(careless(np.array([3, 0, -1])), [[0.8, 0.16, 0.04], [0.8, 0.1, 0.1], [0.8, 0.04, 0.16]])
    assert_allclose(careful(2), [0.05, 0.95 * 0.98, 0.95 * 0.02])
    assert_allclose(between(0.25)(1), 0.75 * careless(1) + 0.25 * careful(1))


def test_values_of_the_last_two_turns_by_hand():
    # Last turn: asking earns -1. After one answer V = 0.8 (-1) + 0.16 (13) + 0.04 (5) = 1.48, whichever it was.
    q = true_q(careless, 2)
    assert_allclose(q[1, :, ASK], -1)
    assert_allclose(q[1, 3, 1:], [13, 5])
    assert_allclose(q[0, 2], [-1 + 0.99 * 1.48, 9, 9])


def test_every_dialogue_of_two_turns_by_hand():
    # An offer at once, A or B, right or wrong: 4. Asking, two answers, then again 4 ways to offer or 2 answers: 12.
    (nets, actions, rewards), chances = every_dialogue(careless, 2)
    assert actions.shape == (2, 16)
    assert_allclose(chances.sum(), 1)
    asked = actions[0] == ASK
    assert_allclose(chances[asked].sum(), 0.8)
    assert_allclose(chances[(actions[1] == OFFER_B) & (nets[1] == 1) & (rewards[1] == 19)], 0.8 * 0.5 * 0.04 * 0.3)
    assert not rewards[1, ~asked].any()


@pytest.mark.parametrize("policy", [careless, careful, between(0.3)])
def test_values_are_the_mean_return_of_all_dialogues(policy):
    for turns, net in ((1, 0), (3, -1), (6, 1)):
        (_, actions, rewards), chances = every_dialogue(policy, turns, net)
        for action in (ASK, OFFER_A, OFFER_B):
            chosen = chances * (actions[0] == action)
            assert_allclose(chosen @ returns(rewards) / chosen.sum(), true_q(policy, turns)[0, turns + net, action])


def test_dialogues_that_are_played_are_like_those_that_are_counted():
    rng = np.random.default_rng(0)
    played = [play(rng, careful) for _ in range(1500)]
    earned = [returns(dialogue.rewards) for dialogue in played if dialogue.actions[0] == ASK]
    assert_allclose(np.mean(earned), true_q(careful, 60)[0, 60, ASK], atol=4 * np.std(earned) / np.sqrt(len(earned)))
    assert all(dialogue.actions[-1] != ASK and (dialogue.actions[:-1] == ASK).all() for dialogue in played)


# Retrace, and the other estimates


def test_what_flows_back_by_hand():
    # ρ of the first turn weighs nothing. Retrace: min(1, 8) to turn 2, times min(1, ½) to turn 1.
    expected = {"one step (λ = 0)": (0, 0, 1), "Retrace (λ = 1)": (0.5, 1, 1), "traces cut at c = 5": (2.5, 5, 1),
                "weighted return": (4, 8, 1), "plain return": (1, 1, 1)}
    for name, share in ladder.flows(np.array([3.0, 0.5, 8.0])).items():
        assert_allclose(share, expected.pop(name))
    assert not expected


@given(distances)
def test_with_the_true_critic_only_the_plain_return_has_a_bias(distance):
    found = bias.moments(distance, trust=1.0, turns=3)
    plain, _ = found.pop("plain return")
    assert_allclose([b for b, _ in found.values()], 0, atol=1e-9)
    assert plain < 0 if distance > 0.01 else True


@given(distances, st.floats(-1, 2))
def test_the_weighted_return_needs_no_critic_and_at_the_behaviour_no_whole_trace_does(distance, trust):
    assert_allclose(bias.moments(distance, trust, turns=3)["weighted return"][0], 0, atol=1e-9)
    found = bias.moments(0.0, trust, turns=3)
    for name in ("Retrace (λ = 1)", "traces cut at c = 5", "plain return"):
        assert_allclose(found[name][0], 0, atol=1e-9)


@given(distances, st.floats(-1, 2))
def test_one_step_has_the_bias_of_the_critic(distance, trust):
    """r + γ V with V too small by a factor: of Q = -1 + γ V it misses that share of γ V."""
    truth = true_q(between(distance), 3)[0, 3 + bias.START, ASK]
    assert_allclose(bias.moments(distance, trust, turns=3)["one step (λ = 0)"][0], (trust - 1) * (truth + 1), atol=1e-9)


def test_away_from_the_behaviour_retrace_deviates_less_and_importance_weights_more():
    near, far = ({name: spread for name, (_, spread) in bias.moments(distance).items()} for distance in (0.0, 1.0))
    retrace, weighted = "Retrace (λ = 1)", "weighted return"
    assert far[retrace] < near[retrace] < near[weighted] < far[weighted]


# GP-SARSA


@pytest.mark.parametrize("name", posterior.KERNELS)
def test_regression_on_returns_is_what_temporal_differences_give(name):
    rng = np.random.default_rng(3)
    dialogues = [play(rng, careless) for _ in range(6)]
    nets, actions, rewards = map(np.concatenate, zip(*dialogues))
    later = np.concatenate([posterior.returns_to_go(dialogue.rewards, GAMMA) for dialogue in dialogues])
    points, lengths = Points(beliefs(nets), actions), [len(dialogue.rewards) for dialogue in dialogues]
    ours = posterior.from_returns(posterior.KERNELS[name], points, later)
    defined = posterior.from_differences(posterior.KERNELS[name], points, rewards, lengths)
    prior = posterior.from_returns(posterior.KERNELS[name], Points(*(x[:0] for x in points)), later[:0])
    for action in posterior.SHOWN:
        assert_allclose(ours[action], defined[action], atol=1e-8)
        assert_allclose(prior[action][1][-1], posterior.PRIOR_STD ** 2)              # where p = 1


def test_the_truth_along_the_path():
    true = posterior.truth()
    assert_allclose(true[OFFER_A], 20 * posterior.PATH - 1, atol=1e-12)
    assert_allclose(true[ASK][50], true_q(careless, 60)[0, 60, ASK])
    assert_allclose(true[ASK], true[ASK][::-1])
