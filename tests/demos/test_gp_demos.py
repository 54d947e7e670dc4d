"""The tour of GP-SARSA, run with its own main."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from demos import gp_tour


def test_the_tour_draws_its_figure_and_comes_closer_to_the_truth(tmp_path, capsys):
    assert gp_tour.main(["--out", str(tmp_path / "new" / "tour.png")]) == 0
    assert (tmp_path / "new" / "tour.png").read_bytes().startswith(b"\x89PNG")
    table = [line.split()[-4:] for line in capsys.readouterr().out.splitlines() if "kernel" in line]
    errors = np.array(table, float)
    assert errors.shape == (4, 4)
    assert np.all(errors[:, -1] < 0.25 * errors[:, 0])


def test_the_true_q_of_the_tour_is_what_its_dialogues_earn():
    """Averages over many dialogues at the first belief, p = ½, where offers are a coin toss worth 9."""
    rng, truth = np.random.default_rng(0), gp_tour.true_q()
    dialogues = [gp_tour.play(rng) for _ in range(20_000)]
    returns = np.array([gp_tour.returns_to_go(d.rewards, gp_tour.GAMMA)[0] for d in dialogues])
    asked = np.array([d.actions[0] == gp_tour.ASK for d in dialogues])
    assert_allclose(returns[asked].mean(), truth[gp_tour.ASK][50], atol=0.25)
    assert_allclose(returns[~asked].mean(), truth[gp_tour.OFFER_A][50], atol=0.5)
    assert truth[gp_tour.OFFER_A][50] == 9


def test_help_and_mistakes_end_with_the_usual_codes(tmp_path, capsys):
    (tmp_path / "file").touch()
    for arguments, code in ((["--help"], 0), (["--seed", "-1"], 2), (["--out", str(tmp_path / "file" / "new")], 2)):
        with pytest.raises(SystemExit) as end:
            gp_tour.main(arguments)
        assert end.value.code == code
        assert len(capsys.readouterr().err.splitlines()) == bool(code)
