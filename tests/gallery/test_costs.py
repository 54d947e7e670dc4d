"""What slips cost in learning: the lines of the gallery are those of the saved results."""
from pathlib import Path

import pytest

from demos.reproduction.plan import EXPERIMENTS
from demos.reproduction.store import Results
from tests.gallery import gradients, retrace, steps, weights

RESULTS = Results(Path(__file__).parents[2] / "demos" / "results")
SLIPS = {"average that never moves": steps.an_average_that_never_moves,
         "traces cut at c, not 1": retrace.products_of_traces_cut_at_5,
         "V zeroed before the end": retrace.the_last_value_is_set_to_zero,
         "π of the update for μ": weights.both_from_the_same_pass,
         "correction with the taken action's advantage": gradients.one_advantage_for_all_actions,
         "three Adam steps": steps.a_step_for_each_term}


def success(label):
    """Mean over the seeds, in per cent, of the last greedy test."""
    return 100 * RESULTS.curve(EXPERIMENTS["slips"].lines[label]).scores["success"][:, -1].mean()


def cost(label):
    return (f"Cost: {success(label):.1f} % success after 1000 dialogues without the mask, against "
            f"{success('ACER (ours)'):.1f} % (5 seeds).")


def test_every_slip_of_the_experiment_is_in_the_gallery():
    assert set(SLIPS) == set(EXPERIMENTS["slips"].lines) - {"ACER (ours)"}


@pytest.mark.parametrize("label", SLIPS)
def test_the_gallery_says_what_a_slip_costs(label):
    assert cost(label) in SLIPS[label].story
