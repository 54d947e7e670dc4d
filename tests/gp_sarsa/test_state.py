"""A state of GP-SARSA resumes bit for bit, and one that does not fit is refused and changes nothing."""
import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from gp_sarsa import GPAgent, WeightSpacePosterior
from tests.gp_sarsa.cases import MASTER, SUMMARY, make_agent, moments, play

every_form = pytest.mark.parametrize("form", [None, "exact", "sparse", "gaussian"])


def reward(belief, action):
    return belief[0] * action - 1.0


def through_a_file(state, path):
    """The state as a file gives it back: the header through JSON, the arrays through .npz."""
    header, arrays = state
    np.savez(path, **arrays)
    with np.load(path, allow_pickle=False) as file:
        return json.loads(json.dumps(header)), {name: file[name] for name in file.files}


def same_state(one, other):
    assert one[0] == other[0] and one[1].keys() == other[1].keys()
    for name, array in one[1].items():
        assert_array_equal(array, other[1][name])


def played(n_dialogues=8, **settings):
    agent = make_agent(**settings)
    play(agent, np.random.default_rng(0), n_dialogues, reward)
    return agent


@every_form
@pytest.mark.parametrize("layout", [SUMMARY, MASTER])
def test_resuming_from_a_state_is_as_if_never_stopped(layout, form, tmp_path):
    never, rng = make_agent(layout, form=form), np.random.default_rng(3)
    play(never, rng, 40, reward, tests_between=2)
    resumed = make_agent(layout, seed=77, form=form)
    resumed.restore(*through_a_file(never.state(), tmp_path / "gp.npz"))
    assert resumed.n_dialogues == 40
    for agent in (never, resumed):
        agent.taken = play(agent, np.random.default_rng(4), 30, reward, tests_between=2)
    assert never.taken == resumed.taken
    assert_array_equal(moments(never), moments(resumed))
    same_state(never.state(), resumed.state())


@every_form
def test_a_state_does_not_change_when_training_goes_on_here_or_there(form):
    agent = played(form=form)
    state, before = agent.state(), moments(agent)
    copy = (dict(state[0]), {name: array.copy() for name, array in state[1].items()})
    other = make_agent(form=form)
    other.restore(*state)
    for learner in (agent, other):
        play(learner, np.random.default_rng(1), 30, reward)
    same_state(state, copy)
    agent.restore(*state)
    assert_array_equal(moments(agent), before)


@every_form
def test_a_new_agent_has_a_state_and_a_used_one_can_go_back_to_it(form):
    agent = make_agent(form=form)
    new = agent.state()
    play(agent, np.random.default_rng(0), 5)
    agent.restore(*new)
    assert agent.n_dialogues == 0
    assert_array_equal(moments(agent), moments(make_agent(form=form)))
    same_state(agent.state(), make_agent(form=form).state())


def test_a_dialogue_under_way_has_no_state_and_restoring_drops_it():
    agent, belief, mask = make_agent(), np.ones(6), np.ones(5, bool)
    state = agent.state()
    for done in (True, False):
        agent.act(belief, mask)
        with pytest.raises(ValueError, match="the dialogue under way is 1 turns long, expected none"):
            agent.state()
        agent.observe(1.0, done)
        agent.restore(*state)
    agent.act(belief, mask)


def refuses(agent, header, arrays, match):
    before = agent.state()
    with pytest.raises(ValueError, match=match):
        agent.restore(header, arrays)
    same_state(agent.state(), before)


@pytest.mark.parametrize("stranger, match", [
    (make_agent(n_belief=7), "n_belief is 6, expected 7"),
    (make_agent(MASTER), "layout is .*, expected .*'n_payload_slots': 3"),
    (make_agent(gamma=0.5), "config is .*, expected .*'gamma': 0.5"),
    (make_agent(form="exact"), "posterior is .*'WeightSpacePosterior'.*, expected .*'KernelPosterior'"),
    (GPAgent(6, SUMMARY, posterior=WeightSpacePosterior(6, SUMMARY, 4.0)), "posterior is .*5.0.*, expected .*4.0")])
def test_a_state_of_another_agent_is_refused(stranger, match):
    refuses(stranger, *played().state(), match)


def test_a_state_of_another_form_or_algorithm_is_refused():
    refuses(make_agent(form="exact"), *played(form="sparse").state(), "v is object .., expected finite float64")
    refuses(make_agent(form="sparse"), *played(form="exact").state(), "m is object .., expected finite float64")
    header, arrays = played().state()
    refuses(make_agent(), header | {"algorithm": "ACERAgent"}, arrays, "algorithm is 'ACERAgent', expected 'GPAgent'")
    refuses(make_agent(), {}, arrays, "algorithm is None, expected 'GPAgent'")


@every_form
def test_states_with_wrong_contents_are_refused_and_the_agent_is_unchanged(form):
    agent, (header, arrays) = played(3, seed=5, form=form), played(form=form).state()
    for broken in ({"rng": {}}, {"test_rng": 3}, {"rng": header["rng"] | {"state": {"state": "many", "inc": 1}}},
                   {"n_dialogues": -1}, {"n_dialogues": "many"}, {"n_dialogues": 2.5}):
        refuses(agent, header | broken, arrays, "the header is wrong in .*, expected n_dialogues, rng")
        refuses(agent, {name: value for name, value in header.items() if name not in broken}, arrays, "the header is")
    for name, array in arrays.items():
        for wrong in (array[..., :-1], array.astype(complex), array[None]):
            refuses(agent, header, arrays | {name: wrong}, f"{name.partition('.')[0]}.* is .*, expected finite")
        if array.dtype == float:
            refuses(agent, header, arrays | {name: np.full_like(array, np.nan)}, f"{name} is .*, expected finite")
        refuses(agent, header, {other: value for other, value in arrays.items() if other != name}, "expected finite")


def test_a_header_goes_through_json_and_shows_the_settings():
    header = json.loads(json.dumps(played(noise_std=4.0).state()[0]))
    assert header["config"]["noise_std"] == 4.0 and header["n_dialogues"] == 8
