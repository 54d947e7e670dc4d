"""What the tests of GP-SARSA draw, and the agents they play with; there are no tests in here."""
import re

import numpy as np
import pytest
from hypothesis import strategies as st

from gp_sarsa import (ActionLayout, GPAgent, GPConfig, KernelPosterior, ProductKernel, WeightSpacePosterior, gaussian,
                      linear, returns_to_go)

LAYOUT = ActionLayout(n_methods=2, n_payload_slots=2, n_others=2)
SUMMARY, MASTER = ActionLayout(2, 0, 3), ActionLayout(2, 3, 3)
N_BELIEF = 4

seeds = st.integers(0, 2 ** 32 - 1)


def quadratic(dot, xx, yy):
    """(⟨b, b'⟩ + 1)², a kernel of our own."""
    return (dot + 1) ** 2


KERNELS = {"linear": ProductKernel(linear, LAYOUT), "quadratic": ProductKernel(quadratic, LAYOUT),
           "gaussian": ProductKernel(gaussian(0.5), LAYOUT)}


def with_kernel(kernel, *threshold):
    return lambda noise_std, n=N_BELIEF, layout=LAYOUT: KernelPosterior(ProductKernel(kernel, layout), n, noise_std,
                                                                        *threshold)


FORMS = {"weight space": lambda noise_std, n=N_BELIEF, layout=LAYOUT: WeightSpacePosterior(n, layout, noise_std, 7),
         "exact": with_kernel(linear), "sparse": with_kernel(linear, 1e-8),
         "gaussian": with_kernel(gaussian(0.5), 0.05)}
every_form = pytest.mark.parametrize("form", FORMS)
every_linear_form = pytest.mark.parametrize("form", [form for form in FORMS if form != "gaussian"])


def random_dialogues(rng, n_dialogues, max_turns=6, n_belief=N_BELIEF, layout=LAYOUT):
    """A list of (beliefs, actions, rewards)."""
    lengths = rng.integers(1, max_turns + 1, size=n_dialogues)
    return [(rng.random((T, n_belief)) * (rng.random((T, n_belief)) < 0.7), rng.integers(layout.n_actions, size=T),
             rng.normal(0, 3, size=T)) for T in lengths]


def says(text):
    return pytest.raises(ValueError, match=re.escape(text))


def after(posterior, dialogues, gamma=0.9):
    """The posterior, which has learned from dialogues with rewards."""
    for beliefs, actions, rewards in dialogues:
        posterior.update(beliefs, actions, returns_to_go(rewards, gamma))
    return posterior


def make_agent(layout=SUMMARY, seed=0, n_belief=6, form=None, **settings):
    """A GP agent; it makes its own posterior unless a form says otherwise."""
    posterior = form and FORMS[form](5.0, n_belief, layout)
    return GPAgent(n_belief, layout, GPConfig(**settings), seed, posterior)


def play(agent, rng, n_dialogues, reward=lambda belief, action: -1.0, tests_between=0):
    """Dialogues of one to five turns with random sparse beliefs and masks; returns the actions taken."""
    taken, n_actions, n_belief = [], agent.layout.n_actions, agent.n_belief
    for _ in range(n_dialogues):
        turns = rng.integers(1, 6)
        for t in range(turns):
            belief = rng.random(n_belief) * (rng.random(n_belief) < 0.7)
            mask = rng.random(n_actions) < 0.8
            mask[rng.integers(n_actions)] = True
            taken.append(agent.act(belief, mask))
            for mode in ("greedy", "draw")[:tests_between]:
                agent.act(belief, mask, mode)
            agent.observe(reward(belief, taken[-1]), t == turns - 1)
        agent.learn()
    return taken


def moments(posterior, n=3):
    beliefs = np.random.default_rng(99).random((n, posterior.n_belief))
    return np.array([(posterior.mean(b), posterior.variance(b)) for b in beliefs])


class BasisVectors:
    """Stands in for a Generator: of all the normal numbers drawn, number `position` is 1 and the others are 0."""

    def __init__(self, position):
        self.position, self.drawn = position, 0

    def standard_normal(self, size):
        numbers = np.arange(np.prod(size)) + self.drawn == self.position
        self.drawn += numbers.size
        return numbers.reshape(size).astype(float)
