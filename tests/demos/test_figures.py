"""Every figure and table is drawn from saved results alone."""
import numpy as np
import pytest

from demos import figures, reproduce
from demos.agents import LEARNERS, Setting, with_overrides
from demos.claims import CLAIMS
from demos.experiments import EXPERIMENTS, plan, select
from demos.intervals import Interval
from demos.results import Curve, Results
from demos.tables import claims_table, cost_table, learning_table, noise_table, read_curves, show, variants_table
from demos.training import milestones
from tests.test_reproduce import SECONDS, SETTING


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """Made-up results of every experiment, two seeds each."""
    folder, rng = tmp_path_factory.mktemp("all"), np.random.default_rng(0)
    results = Results(folder)
    for setting, seed in plan(select(list(EXPERIMENTS), 2)):
        tests = [(n, setting.error_rate) for n in milestones(4000 if setting.agent in LEARNERS else 0)]
        tests += [(tests[-1][0], rate) for rate in setting.final_error_rates]
        rows = [{"dialogues": n, "error_rate": rate, "success": rng.uniform(0.8, 1), "reward": rng.uniform(10, 14),
                 "turns": rng.uniform(5, 8)} for n, rate in tests]
        results.write(setting, seed, rows, SECONDS)
    return folder


def test_all_figures_and_tables_come_from_saved_results_alone(everything, monkeypatch, capsys):
    monkeypatch.setattr(reproduce, "run_here", None)
    assert reproduce.main(["--seeds", "2", "--results", str(everything)]) == 0
    shown = capsys.readouterr().out
    assert {path.name for path in everything.glob("*.png")} == {
        *(f"figure_{n}-2seeds.png" for n in range(3, 15)), "ablation-2seeds.png", "readings-2seeds.png"}
    for path in everything.glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size > 10_000
    for claim in CLAIMS:
        assert f"| {claim.figure} | {claim.claimed} |" in shown
    assert "| GP, master | 1.00 | 12,429 |" in shown


def test_the_tables_are_functions_of_the_saved_results(everything):
    results, experiments = Results(everything), select(["12"], 2)
    curves = {"12": read_curves(results, experiments["12"])}
    assert claims_table(curves) == claims_table(curves) and claims_table(curves).count("\n| 12 |") == 6
    assert cost_table(results, experiments).splitlines()[2:] == [
        "| ACER | 1.00 |  |", "| ACER, master | 1.00 | 387 |", "| GP | 1.00 |  |", "| GP, master | 1.00 | 12,429 |"]


def test_the_tables_by_hand():
    # Two seeds that end at 50 and 100 % with rewards 4 and 8: an interval over two seeds runs from one to the other.
    scores = {"success": np.array([[0.1, 0.2, 0.3, 0.4, 0.5], [0.1, 0.2, 0.3, 0.6, 1.0]]),
              "reward": np.array([[0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 3.0, 8.0]])}
    learning = Curve(SETTING, np.array([200, 400, 1000, 2000, 4000]), scores)
    fixed = Curve(Setting(agent="handcrafted"), np.zeros(1), {"success": np.ones((1, 1)), "reward": np.full((1, 1), 14.0)})
    lines = {"ACER": learning, "A2C": learning, "eNAC": learning, "GP": learning, "GP, tested on its mean": learning}
    table = learning_table({"3": lines | {"handcrafted": fixed}}).splitlines()
    assert table[0] == "| success (%) after | 400 | 1000 | 2000 | 4000 | reward at the end |" and len(table) == 8
    assert table[2] == ("| ACER, summary, mask | 20.0 [20.0, 20.0] | 30.0 [30.0, 30.0] | 50.0 [40.0, 60.0] | "
                        "75.0 [50.0, 100.0] | 6.00 [4.00, 8.00] |")
    assert table[-1].split(" | ")[1:] == ["100.0 [100.0, 100.0]"] * 4 + ["14.00 [14.00, 14.00] |"]
    acer = learning._replace(setting=Setting())
    worse = Curve(with_overrides(Setting(), rho_max=1.0), learning.x, {"success": scores["success"] - [[0.02], [0.04]]})
    master = Curve(Setting(space="master"), learning.x, {"success": scores["success"] - [[0.1], [0.1]]})
    other = master._replace(setting=with_overrides(master.setting, rho_max=1.0))
    rows = variants_table({"ACER": acer, "worse": worse, "master": master, "other": other, "handcrafted": fixed})
    assert rows.splitlines()[2:] == [
        "| ACER | 37.0 [30.0, 44.0] |  | 75.0 [50.0, 100.0] |  |",
        "| worse | 34.0 [28.0, 40.0] | -3.0 [-4.0, -2.0] | 72.0 [48.0, 96.0] | -3.0 [-4.0, -2.0] |",
        "| master | 27.0 [20.0, 34.0] |  | 65.0 [40.0, 90.0] |  |",
        "| other | 27.0 [20.0, 34.0] | 0.0 [0.0, 0.0] | 65.0 [40.0, 90.0] | 0.0 [0.0, 0.0] |",
        "| handcrafted | 100.0 [100.0, 100.0] |  | 100.0 [100.0, 100.0] |  |"]
    assert show(Interval(-0.04, -0.06, 0.04)) == "0.0 [-0.1, 0.0]"


def test_the_scores_by_hand():
    # Mean 65, of the middle two 80. Resampled, the middle two are both 0 where three of four draws are: in 5 % of cases,
    # more than the 2.5 % that an interval leaves out; and both 100 as often.
    values = np.array([[0.0, 0.0], [0.0, 0.8], [0.0, 0.8], [0.0, 1.0]])
    curve = Curve(SETTING, np.arange(2), dict.fromkeys(("success", "reward", "turns"), values))
    head, row = reproduce.scores({"ACER": curve}).splitlines()
    assert "interquartile mean" in head and row.startswith("ACER  65.0 [20.0, 95.0]   80.0 [0.0, 100.0]  0.7 [0.2, 0.9]")


def test_every_figure_has_labelled_axes_a_caption_and_a_reference(everything):
    for name, experiment in select(list(EXPERIMENTS), 2).items():
        curves = read_curves(Results(everything), experiment)
        figure = experiment.draw(curves, experiment.about)
        assert "2 seeds" in figure.get_supxlabel() and "95 %" in figure.get_supxlabel()
        for axes in figure.axes:
            assert axes.get_xlabel()
        if name.isdigit():
            labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
            assert labels == list(curves) and "handcrafted" in labels and figure.axes[0].get_ylabel()
            assert experiment.draw is getattr(figures, f"figure_{name}")


def test_a_system_has_the_same_colour_everywhere_and_no_two_share_one(everything):
    seen = {}
    for experiment in select(list(EXPERIMENTS), 2).values():
        curves = read_curves(Results(everything), experiment)
        for label, colour in figures.colours(curves).items():
            if label in ("ACER", "ACER, master", "A2C", "eNAC", "GP", "GP, master", "handcrafted"):
                seen.setdefault(label, set()).add(str(colour))
    assert len(seen) == 7 and all(len(colours) == 1 for colours in seen.values())
    assert len(set.union(*seen.values())) == 7


def test_the_list_explains_every_figure_with_its_cost(everything, capsys):
    assert reproduce.main(["--list", "--seeds", "2", "--results", str(everything)]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name, experiment in EXPERIMENTS.items():
        assert any(line.startswith(f"{name}: {experiment.about}") for line in lines)
    # Two settings with two seeds and one with one, 90 seconds each.
    assert [line.split()[-1] for line in lines if line.startswith("11:")] == ["7.5"]
    # All units of the plan, each once.
    assert lines[-1].startswith("together") and lines[-1].split()[-1] == f"{1.5 * len(plan(select(list(EXPERIMENTS), 2)))}"
    assert reproduce.main(["--list", "--results", str(everything / "nowhere")]) == 0
    assert "not measured" in capsys.readouterr().out
