"""The numbers behind the pictures of truncation, trust region, one update, belief and training."""
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from acer_np.acer import acer_update
from demos import diagnostics
from demos.ablations import without_correction
from demos.settings import Setting
from demos.style import BLUE, GREEN, RED
from demos.tours import belief, truncation, trust_region, update
from demos.training import Run, play

seeds = st.integers(0, 2 ** 32 - 1)
levels = st.floats(0.05, 50)


def policies(seed):
    """π, μ and Q of four actions."""
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(4)) * 0.96 + 0.01, rng.uniform(-1, 1, 4)


# Truncation and correction


def test_the_spread_of_a_sample_by_hand():
    # V = 0 and ρ = 2, ⅔: the draws are (1, -1) and (⅓, -⅓), of which the mean is (½, -½) and the variance twice 1/12.
    mean, spread = truncation.moments(np.array([0.5, 0.5]), np.array([0.25, 0.75]), np.array([1.0, -1.0]), np.inf)
    assert_allclose([*mean, spread], [0.5, -0.5, 6 ** -0.5])


@given(seeds, levels)
def test_with_the_correction_nothing_is_lost(seed, c):
    """The truth by its definition: the slope of Σ π Q along each logit, from differences."""
    pi, mu, q = policies(seed)

    def value(logits):
        weights = np.exp(logits)
        return weights @ q / weights.sum()
    steps = 1e-5 * np.eye(4)
    truth = [(value(np.log(pi) + step) - value(np.log(pi) - step)) / 2e-5 for step in steps]
    assert_allclose(truncation.moments(pi, mu, q, c)[0], truth, atol=1e-8)


@given(seeds, levels)
def test_without_it_the_part_above_c_is_lost(seed, c):
    pi, mu, q = policies(seed)
    with_it, spread = truncation.moments(pi, mu, q, c)
    alone, same = truncation.moments(pi, mu, q, c, without_correction)
    if c >= (pi / mu).max():
        assert_allclose(alone, with_it)
    else:
        assert np.abs(alone - with_it).max() > 0
    assert_allclose(spread, same)


# The trust region


def test_without_the_trust_region_the_limit_is_left():
    g, k = trust_region.gradients()
    z, whole = (k @ step(g, k, trust_region.DELTA) for step, _, _ in trust_region.STEPS.values())
    assert z == pytest.approx(trust_region.DELTA) and whole > 2 * trust_region.DELTA


@given(st.floats(1e-6, 0.1), st.floats(1, 1000))
def test_the_limit_of_sums_is_that_of_means_times_the_square_of_their_number(limit, n):
    g, k = trust_region.gradients()
    assert_allclose(trust_region.kept(limit * n ** 2, n), trust_region.kept(limit, 1), rtol=1e-6)
    assert_allclose(trust_region.kept(limit, 1), min(1, limit / (k @ g)))


# One update


@pytest.fixture(scope="module")
def middle():
    return update.learner()


def test_the_terms_sum_to_what_the_update_hands_on(middle):
    network, now, batch = middle
    handed = []

    def step(params, gradient, state, rate):
        handed.append(gradient)
        return params, state
    acer_update(network, now, batch, update.CONFIG, step=step)
    parts = update.terms(network, now, batch, update.CONFIG)
    assert_allclose(sum(parts.values()), handed[0][:network.n_policy], atol=1e-15)
    assert_allclose(sum(update.shares(parts).values()), 1)


@pytest.mark.parametrize("name, changes", [("correction", {"rho_max": 1e6}), ("trust region", {"kl_limit": np.inf}),
                                           ("entropy", {"entropy_weight": 0.0})])
def test_a_term_that_is_switched_off_adds_nothing(middle, name, changes):
    parts = update.terms(*middle, replace(update.CONFIG, **changes))
    assert not parts.pop(name).any()
    assert all(part.any() for part in parts.values())


def test_the_memory_of_the_update_is_that_of_the_behaviour(middle):
    _, _, batch = middle
    assert_allclose(batch.mu[:, 0], 0.8)
    assert_allclose(np.unique(batch.rewards.round(12)), [-0.05, 0.95])
    assert batch.lengths.sum() == len(batch.actions)


# Belief and training


@pytest.fixture(scope="module")
def run():
    run = Run(Setting(agent="acer", dialogues=10, error_rate=0.5, nbest=3, test_dialogues=1, tests=("greedy",)), seed=0)
    for _ in run.train():
        pass
    return run


def test_moments_tell_what_was_heard_and_what_is_done(run):
    found = belief.moments(run, 0)
    for moment, turn in zip(found, run.env.log):
        assert_allclose(sum(mass for mass, _, _ in moment.heard), 1)
        right = [act == turn.user_act for act, _ in turn.heard]
        assert [colour for _, _, colour in moment.heard] == [GREEN if each else RED for each in right]
        assert moment.policy[0][2] == BLUE and moment.policy[0][0] == max(mass for mass, _, _ in moment.policy)
        assert len(moment.believed) <= belief.MOST
        assert len(moment.policy) == min(belief.MOST, run.env.n_actions - moment.n_masked)
    assert any(colour == RED for moment in found for _, _, colour in moment.heard)
    assert len(found) + 1 == len(run.env.log)


def test_weights_are_one_for_what_the_policy_did_itself():
    run = Run(Setting(agent="acer", dialogues=3, test_dialogues=1), seed=0)
    run.agent.learn = lambda: None
    for i in range(3):
        play(run.env, run.agent, [0, i], "train")
    assert_allclose(diagnostics.remembered_weights(run.agent), 1, rtol=1e-5)


def test_a_panel_has_a_place_for_its_caller_and_five_diagnostics_with_the_last_run_on_top(run):
    scores = {name: np.array([[4.0, 1], [3, 2]]) for name in diagnostics.WATCHED}
    _, *others = diagnostics.WATCHED.values()
    for picture, first in ((diagnostics.panel(np.array([200, 400]), scores, 0.01, "two runs"), ""),
                           (diagnostics.panel_of(run), "how far the memory is from π")):
        assert [axes.get_title() for axes in picture.axes] == [first, *others]
    assert sum(bar.get_height() for bar in picture.axes[0].patches) == len(diagnostics.remembered_weights(run.agent))
    thin, thick = diagnostics.panel(np.array([200, 400]), scores, 0.01, "").axes[1].lines
    assert thick.get_linewidth() > thin.get_linewidth()
    assert [list(line.get_ydata()) for line in (thin, thick)] == [[4, 1], [3, 2]]
