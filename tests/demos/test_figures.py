"""Every figure and table is drawn from saved results alone."""
import dataclasses

import numpy as np
import pytest

from demos import reproduce
from demos.reproduction import figures, tables
from demos.reproduction.claims import CLAIMS, LOGS, SOURCES
from demos.reproduction.plan import EXPERIMENTS, Experiment, Line, due_after, plan, select, for_hard_tasks
from demos.reproduction.store import Curve, Results
from demos.settings import TRAINABLE, Setting, with_overrides
from demos.training import Outcome, modes_of

SECONDS = {"training": 60.0, "testing": 30.0}
WATCHED = dict.fromkeys((*figures.WATCHED, "kl", "g_norm", "k_norm"), 0.5)


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """Made-up results of every experiment, two seeds each."""
    folder, rng = tmp_path_factory.mktemp("all"), np.random.default_rng(0)
    results = Results(folder)
    for setting, seed in plan(select(list(EXPERIMENTS), 2)):
        total = setting.dialogues if setting.agent in TRAINABLE else 0
        tests = [(n, setting.error_rate) for n in due_after(setting, total)]
        tests += [(total, rate) for rate in setting.final_error_rates]
        rows = [{"dialogues": n, "error_rate": rate, "test": mode, "success": rng.uniform(0.8, 1),
                 "reward": rng.uniform(10, 14), "turns": rng.uniform(5, 8)}
                | (WATCHED if setting.agent == "acer" and mode == "greedy" else {})
                for n, rate in tests for mode in modes_of(setting)]
        results.write(setting, seed, rows, SECONDS)
    return folder


# ---- all of them

def test_all_figures_and_tables_come_from_saved_results_alone(everything, monkeypatch, capsys):
    monkeypatch.setattr(reproduce, "run_here", None)
    before = {path.name: path.read_bytes() for path in everything.iterdir()}
    assert reproduce.main(["--seeds", "2", "--results", str(everything)]) == 0
    shown = capsys.readouterr().out
    assert {path.name for path in everything.glob("*.png")} == {
        f"{'figure_' * name.isdigit()}{name}-2seeds.png" for name in EXPERIMENTS}
    for path in everything.glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size > 10_000
    assert before.items() <= {path.name: path.read_bytes() for path in everything.iterdir()}.items()
    for claim in CLAIMS:
        assert f"| {claim.figure} | {claim.claimed} |" in shown
    assert "| GP, master | 1.00 | 0.50 | 12,429 |" in shown and "| ACER, master (paper) | 1.00 | 0.50 | 387 |" in shown
    assert "| success (%), greedy / draws, after | 200 | 400 | 1000 | 2000 | 4000 | reward |" in shown


def test_every_figure_has_labelled_axes_a_caption_and_distinct_lines(everything):
    for name, experiment in select(list(EXPERIMENTS), 2).items():
        curves = tables.read_curves(Results(everything), experiment)
        figure = figures.drawn(curves, experiment)
        assert "2 seeds" in figure._supxlabel.get_text() and "95 %" in figure._supxlabel.get_text()
        assert any(axes.get_xlabel() for axes in figure.axes)
        if experiment.kind in ("learning", "robustness"):
            legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
            assert legend == list(curves) and figure.axes[0].get_ylabel() == figures.AXES[experiment.metric]
            looks = [(line.get_color(), line.get_linestyle(), line.get_marker()) for line in figure.axes[0].lines]
            without_colour = [look[1:] for look in looks]
            assert len(set(looks)) == len(looks) == len(curves) and len(set(without_colour)) == len(looks)


def test_where_all_are_draws_dashes_tell_the_spaces_and_a_schedule_is_no_change(everything):
    for name, experiment in select(["overview", "slips", "laptops"], 2).items():
        axes = figures.drawn(tables.read_curves(Results(everything), experiment), experiment).axes[0]
        if name == "overview":
            assert [line.get_linestyle() for line in axes.lines] == ["-", "--"] * 2
        else:                                                # from below; the steps of laptops are small in ours
            filled = [bars[0].get_markerfacecolor() != "white" for bars in axes.containers]
            assert filled[::-1] == ["ours" in label for label in experiment.lines]


def test_a_caption_counts_the_seeds(everything):
    curves = tables.read_curves(Results(everything), select(["slips"], 2)["slips"])
    first, second, third, *_ = curves.values()
    third = third._replace(scores={name: np.repeat(values, 3, axis=0) for name, values in third.scores.items()})
    second = second._replace(scores={name: values[:1] for name, values in second.scores.items()})
    for some, words in (((first,), "2"), ((first, third), "2 or 6"), ((first, second, third), "1, 2 or 6")):
        picture = figures.drawn(dict(zip("abc", some)), EXPERIMENTS["slips"])
        assert picture._supxlabel.get_text().startswith(f"{words} seeds, 200")


def test_demonstrations_have_a_panel_for_each_task_and_growth_a_line_from_where_it_starts_anew(everything):
    def drawn(name):
        experiment, = select([name], 2).values()
        figure = figures.drawn(tables.read_curves(Results(everything), experiment), experiment)
        return [axes for axes in figure.axes if axes.get_title()]
    panels = drawn("demonstrations")
    assert [axes.get_title() for axes in panels] == ["summary, no mask", "summary, mask", "master, no mask",
                                                     "master, mask", "LAP", "A2C", "GP"]
    for axes in panels:
        lines = [line.get_label() for line in axes.get_lines()]
        assert lines == (["N = 100", "N = 0"] if axes in panels[5:] else [
            "N = 20", "N = 100", "N = 500", "imitation alone", "memory alone", "a poor demonstrator", "N = 0"])
        assert axes.get_xlim() == (0, 1000)
    for axes in drawn("growth"):
        lines = {line.get_label(): line.get_xdata() for line in axes.get_lines()}
        assert list(lines)[1:] == ["grown, all goals", "grown, old goals", "from the start", "anew"]
        assert lines["anew"][0] == lines["from the start"][0] + 1000 and axes.get_xlim() == (0, 2000)


def test_a_caption_of_one_seed_claims_no_interval(everything):
    for experiment in select(["3"], 1).values():
        figure = figures.drawn(tables.read_curves(Results(everything), experiment), experiment)
        assert figure._supxlabel.get_text() == "1 seeds, 200 test dialogues each."


def test_the_list_explains_every_figure_with_its_cost(everything, capsys):
    assert reproduce.main(["--list", "--seeds", "2", "--results", str(everything)]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name, experiment in EXPERIMENTS.items():
        assert any(line.startswith(f"{name}: {experiment.about}") for line in lines)
    # Two ACERs in two spaces with two seeds and one reference, 90 seconds each.
    assert [line.split()[-3:] for line in lines if line.startswith("11:")] == [["5", "9", "13.5"]]
    n_units = len(plan(select(list(EXPERIMENTS), 2)))
    assert lines[-1].startswith("together") and lines[-1].split()[-2:] == [str(n_units), f"{1.5 * n_units}"]
    assert reproduce.main(["--list", "--figure", "11", "--results", str(everything / "nowhere")]) == 0
    assert "0.0 for 0 of 61" in capsys.readouterr().out


def test_the_curve_of_one_run_has_both_tests_and_the_references():
    rows = [{"dialogues": n, "error_rate": 0.0, "test": mode, "success": 0.5, "reward": 1.0, "turns": 5.0}
            for n in (10, 20) for mode in ("greedy", "draw")]
    figure = figures.learning_curve(Setting(), rows, {"handcrafted": Outcome(1.0, 14.0, 6.0)})
    for axes, height in zip(figure.axes, (100, 14)):
        assert [line.get_label() for line in axes.lines] == [
            "acer-summary-mask, greedy", "acer-summary-mask, draw", "handcrafted"]
        assert [len(line.get_xdata()) for line in axes.lines[:2]] == [2, 2] and axes.lines[2].get_ydata()[0] == height


# ---- tables by hand

def curve(setting, success, x=(200, 400, 1000, 2000, 4000), **scores):
    """Of made-up successes, one row per seed."""
    return Curve(Line(setting, len(success)), np.array(x), {"success": np.array(success)} | scores)


SCORES = np.array([[0.1, 0.2, 0.3, 0.4, 0.5], [0.1, 0.2, 0.3, 0.6, 1.0]])     # an interval runs from seed to seed


def test_the_learning_table_by_hand(tmp_path):
    results, setting = Results(tmp_path), Setting()
    for seed, (success, reward) in enumerate(((0.5, 4.0), (1.0, 8.0))):
        results.write(setting, seed, [
            {"dialogues": n, "error_rate": 0.0, "test": mode, "success": value, "reward": reward, "turns": 6.0}
            for n, share in ((300, 0.5), (1000, 1.0)) for mode, value in (("greedy", share * success), ("draw", 0.25))],
            SECONDS)
    results.write(dataclasses.replace(setting, agent="handcrafted"), 0, [
        {"dialogues": 0, "error_rate": 0.0, "test": mode, "success": 1.0, "reward": 14.0, "turns": 6.0}
        for mode in ("greedy", "draw")], SECONDS)
    lines = {"ACER (ours)": Line(setting, 2), "ACER, draws": Line(setting, 2, "draw"),
             "handcrafted": Line(dataclasses.replace(setting, agent="handcrafted"), 1)}
    rows = tables.learning_lines({"3": Experiment("", "learning", lines)})
    assert list(rows) == ["ACER (ours), mask", "handcrafted, mask"]
    assert tables.learning_table(results, rows).splitlines() == [
        "| success (%), greedy / draws, after | 1000 | reward | version 1.0.0; reward |",
        "| --- | --- | --- | --- |",
        "| ACER (ours), mask | 75.0 [50.0, 100.0] / 25.0 | 6.00 [4.00, 8.00] | 93.5, 95.9, 98.5, 99.7, 99.6; 13.85 |",
        "| handcrafted, mask | 100.0 / 100.0 | 14.00 | 100.0, 100.0, 100.0, 100.0, 100.0; 13.88 |"]
    elsewhere = dataclasses.replace(setting, domain="Laptops11")
    for seed, rows in results.read(setting).items():
        results.write(elsewhere, seed, rows, SECONDS)
    assert tables.learning_table(results, {"there": Line(elsewhere, 2)}).splitlines()[0] == (
        "| success (%), greedy / draws, after | 1000 | reward |")                # version 1.0.0 was never there


def test_version_1_stands_beside_ours_and_not_beside_the_papers():
    gp = Setting(agent="gp", mask="none")
    assert tables.version_1(Line(gp)) == "56.2, 74.0, 94.1, 98.2, 98.8; 13.28"
    assert tables.version_1(Line(dataclasses.replace(gp, space="master"))) == "78.8, 83.7, 93.9, 96.4, 98.2; 13.23"
    assert tables.version_1(Line(Setting(preset="paper"))) == "" == tables.version_1(Line(Setting(agent="random")))
    assert tables.version_1(Line(Setting(domain="Laptops11"))) == ""


def test_the_table_of_variants_by_hand():
    acer, slip = Setting(), with_overrides(Setting(dialogues=1000), horizon=4000)
    bound = {"binding": np.array([[np.nan, 0.2], [0.4, 0.6]])}
    rewards = np.array([[0.0, 12.0], [0.0, 14.0]])
    rows = tables.variants_table({
        "ACER": curve(acer, SCORES, reward=rewards, **bound),
        "worse": curve(with_overrides(acer, rho_max=1.0), SCORES - [[0.02], [0.04]], reward=rewards - [[1.0], [1.25]]),
        "few": curve(dataclasses.replace(acer, variant="three-steps"), SCORES[:1] - 0.1, reward=rewards[:1]),
        "base": curve(slip, SCORES, reward=rewards),
        "slip": curve(dataclasses.replace(slip, variant="three-steps"), SCORES, reward=rewards)})
    assert rows.splitlines()[2:] == [
        "| ACER | 37.0 [30.0, 44.0] |  | 75.0 [50.0, 100.0] |  | 13.00 [12.00, 14.00] |  | 22.5 [10.0, 35.0] | 40 |",
        "| worse | 34.0 [28.0, 40.0] | -3.0 [-4.0, -2.0] | 72.0 [48.0, 96.0] | -3.0 [-4.0, -2.0] | "
        "11.88 [11.00, 12.75] | -1.12 [-1.25, -1.00] | 22.5 [10.0, 35.0] |  |",
        "| few | 20.0 | -10.0 | 40.0 | -10.0 | 12.00 | 0.00 | 10.0 |  |",
        "| base | 37.0 [30.0, 44.0] |  | 75.0 [50.0, 100.0] |  | 13.00 [12.00, 14.00] |  | 22.5 [10.0, 35.0] |  |",
        "| slip | 37.0 [30.0, 44.0] | 0.0 [0.0, 0.0] | 75.0 [50.0, 100.0] | 0.0 [0.0, 0.0] | 13.00 [12.00, 14.00] | "
        "0.00 [0.00, 0.00] | 22.5 [10.0, 35.0] |  |"]
    large = tables.variants_table({"small": curve(for_hard_tasks(acer), SCORES, reward=rewards),
                                   "large": curve(acer, SCORES - 0.1, reward=rewards)}).splitlines()[-1]
    assert large.split(" | ")[1:3] == ["27.0 [20.0, 34.0]", "-10.0 [-10.0, -10.0]"]   # small steps come first


def test_the_table_of_ways_by_hand():
    taught, grown = Setting(demonstrations=20), Setting(without=("phone",), grow_after=1000)
    rows = tables.ways_table({
        "N = 20: LAP": curve(taught, [[0.1, 0.2, 0.3]], (0, 250, 1000)), "N = 0: LAP": curve(Setting(), SCORES),
        "N = 20: GP": curve(taught, [[0.6, 0.7, 0.9], [0.8, 0.7, 1.0]], (0, 200, 1000))})
    assert rows.splitlines() == ["| success (%) | LAP | GP |", "| --- | --- | --- |",
                                 "| N = 20 | 10.0 / 20.0 / 30.0 | 70.0 / 70.0 / 95.0 |",
                                 "| N = 0 | - / 10.0 / 30.0 |  |"]
    rows = tables.ways_table({
        "grown: ACER": curve(grown, [[0.1, 0.2, 0.3, 0.4]], (200, 1000, 1200, 2000)),
        "from the start: ACER": curve(Setting(), [[0.5, 0.6, 0.7, 0.8, 0.9]], (200, 1000, 1200, 2000, 4000))})
    assert rows.splitlines()[2:] == ["| grown | 20.0 / 30.0 / 40.0 |", "| from the start | 60.0 / 70.0 / 80.0 |",
                                     "| anew | - / 50.0 / 60.0 |"]


def test_the_noise_table_by_hand():
    line = curve(Setting(), SCORES[:, :2], x=(0.0, 0.5), reward=np.array([[14.0, 8.0], [12.0, 8.0]]))
    assert tables.noise_table({"ACER": line}).splitlines() == [
        "| reward at an error rate of | 0 % | 50 % |", "| --- | --- | --- |",
        "| ACER | 13.0 [12.0, 14.0] | 8.0 [8.0, 8.0] |"]


def test_the_benchmark_table_by_hand():
    rewards = np.array([[0.0, 10.0], [0.0, 12.0]])
    ends = {agent: curve(Setting(agent=agent), [[0.1, 0.9], [0.1, level]], (2000, 4000), reward=rewards)
            for agent, level in (("acer", 0.8), ("gp", 0.7), ("a2c", 0.9), ("enac", 1.0), ("handcrafted", 1.0))}
    lines = {f"{agent}, {domain}, {number}{words}": line for agent, line in ends.items() for words in ("", ", draws")
             for domain in ("CR", "SFR", "LAP") for number in range(1, 7)}
    lines["acer, CR, 4, draws"] = ends["enac"]
    table = tables.benchmark_table(lines).splitlines()
    assert len(table) == 2 + 18
    assert table[5] == ("| CR, 4 | 85.0 / 11.00; 95.0 / 11.00 | 80.0 / 11.00 | 90.0 / 11.00 | 95.0 / 11.00 | "
                        "95.0 / 11.00 | 70.0 (gp) | acer 92.3 / 11.28 (5, M2); dqn 93.1 / 11.46 (5, M2) |")


def test_pydials_rows_are_27_and_plausible():
    assert len(LOGS) == len({tuple(log.values()) for log in LOGS}) == 27
    assert {log["source"] for log in LOGS} == set(SOURCES)
    for log in LOGS:
        for when in ("early", "late"):
            success, reward = (float(log[f"{when}_{score}"]) for score in ("success", "reward"))
            assert 50 < success <= 100 and 20 * success / 100 - 25 < reward < 20 * success / 100 - 3
