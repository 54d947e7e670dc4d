"""Every figure and table is drawn from saved results; tables by hand."""
from dataclasses import replace

import numpy as np
import pytest

from demos import reproduce
from demos.pictures import AXES, draw, learning_curve
from demos.records import Curve, Line, record_of, to_line
from demos.reproduction import figures, tables
from demos.reproduction.claims import CLAIMS, LOGS
from demos.reproduction.plan import EXPERIMENTS, Experiment, due_after, plan, select
from demos.reproduction.store import Results
from demos.settings import TRAINABLE, Setting
from demos.style import BLUE, GREY, SKY, figure, png
from demos.training import Outcome, modes_of

SECONDS = {"training": 60.0, "testing": 30.0}
WATCHED = dict.fromkeys(figures.WATCHED, 0.5)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Made-up results of every experiment, two seeds each, read once."""
    rng, found = np.random.default_rng(0), Results(tmp_path_factory.mktemp("all"))
    lines = {}
    for setting, seed in plan(select(list(EXPERIMENTS), 2)):
        total = setting.dialogues if setting.agent in TRAINABLE else 0
        tests = [(n, setting.error_rate) for n in due_after(setting, total)]
        tests += [(total, rate) for rate in setting.final_error_rates]
        rows = [{"dialogues": n, "error_rate": rate, "test": mode, "success": rng.uniform(0.8, 1),
                 "reward": rng.uniform(10, 14)} | WATCHED for n, rate in tests for mode in modes_of(setting)]
        lines.setdefault(found.path(setting.domain), []).append(to_line(record_of(setting, seed, rows, SECONDS)))
    for path, some in lines.items():
        path.write_text("".join(some))
    return found


def drawn(results, name, seeds=2):
    experiment, = select([name], seeds).values()
    return figures.drawn({label: results.curve(line) for label, line in experiment.lines.items()}, experiment)


def legend(picture):
    """The labels of its only legend, which covers no data unless it has a place of its own."""
    legends = [*picture.legends, *(axes.get_legend() for axes in picture.axes if axes.get_legend() and not axes.axison)]
    assert len(legends) == 1
    return [text.get_text() for text in legends[0].get_texts()]


# ---- pictures

def test_the_report_has_all_tables_and_pictures_and_the_list_all_costs(results, monkeypatch, capsys):
    experiments = select(list(EXPERIMENTS), 2)
    monkeypatch.setattr(figures, "drawn", lambda *_: None)
    monkeypatch.setattr(reproduce, "png", lambda _: b"a picture")
    reproduce.report(experiments, results, "-2-seeds")
    shown = capsys.readouterr().out
    assert {path.name for path in results.folder.glob("*.png")} == {
        f"{'figure_' * name.isdigit()}{name}-2-seeds.png" for name, each in EXPERIMENTS.items()
        if each.kind in figures.KINDS}
    for claim in CLAIMS:
        assert f"| {claim.figure} | {claim.claimed} |" in shown
    assert "| GP, master | 1.00 | 0.50 | 12,429 |" in shown and "| ACER, master (paper) | 1.00 | 0.50 | 387 |" in shown
    lines = reproduce.listing(experiments, results).splitlines()
    assert all(any(line.startswith(f"{name}: {each.about}") for line in lines) for name, each in EXPERIMENTS.items())
    # Two ACERs in two spaces with two seeds and one reference, 90 seconds each.
    assert [line.split()[-3:] for line in lines if line.startswith("11:")] == [["5", "9", "13.5"]]
    n_units = len(plan(experiments))
    assert lines[-1].startswith("together") and lines[-1].split()[-2:] == [str(n_units), f"{1.5 * n_units}"]


def test_kinds_without_a_picture_have_none():
    assert figures.drawn({}, Experiment("a table", "table", {})) is None
    assert {each.kind for each in EXPERIMENTS.values()} >= set(figures.KINDS)


@pytest.mark.parametrize("name", ["3", "8", "12", "13", "overview"])
def test_lines_are_told_apart_without_colour_and_where_they_are_many_have_bars_for_bands(name, results):
    picture, experiment = drawn(results, name), EXPERIMENTS[name]
    axes, = picture.axes
    assert legend(picture) == list(experiment.lines) and axes.get_ylabel() == AXES[experiment.metric]
    assert axes.get_xlabel() == ("error rate of the tests" if name == "13" else "training dialogues")
    assert experiment.metric != "success" or axes.get_ylim()[1] <= 101
    lines = dict(zip(experiment.lines, axes.lines))
    assert len({(line.get_linestyle(), line.get_marker()) for line in lines.values()}) == len(lines)
    bars = {type(each).__name__ == "LineCollection" for each in axes.collections}
    assert bars == {name not in ("8", "overview")}                # of six lines and more, not of four
    if name == "overview":                                        # draws are dotted where not all are
        assert [lines[label].get_linestyle() for label in lines if "ACER" in label or "GP" in label] == ["-", "--"] * 2
    elif name != "8":                                             # where dashes tell the values apart
        assert all((line.get_linestyle() == ":") == ("draws" in label) for label, line in lines.items())


def test_parts_have_a_column_per_space_every_run_and_the_runs_that_collapsed():
    whole, good, bad = Setting(), [0.9, 0.7, 0.9], [0.9, 0.1, 0.2]      # the last three tests decide
    lines = {"ACER (ours)": (whole, (good, good)),
             "no replay": (replace(whole, overrides=(("capacity", 64),)), (good, bad)),
             "ACER (ours), master": (replace(whole, space="master"), (bad, bad))}
    curves = {label: Curve(Line(setting, 2), np.array([1, 2, 3]), {"success": np.array(values)})
              for label, (setting, values) in lines.items()}
    picture = figures.drawn(curves, Experiment("parts", "parts", lines))
    summary, master = picture.axes
    assert [axes.get_title() for axes in picture.axes] == ["summary space", "master space"]
    assert [text.get_text() for text in summary.texts] == ["0 of 2", "1 of 2", "collapsed"]
    assert [text.get_text() for text in master.texts] == ["2 of 2", "collapsed"]
    assert [text.get_text() for text in summary.get_yticklabels()] == ["no replay", "ACER (ours)"]
    for axes, baseline, colour in ((summary, 250 / 3, BLUE), (master, 40, SKY)):
        dotted, = (line for line in axes.lines if line.get_linestyle() == ":")
        assert dotted.get_xdata() == pytest.approx([baseline] * 2)
        mean = axes.containers[0][0]
        assert (mean.get_color(), mean.get_markerfacecolor(), *mean.get_ydata()) == (colour, colour, 1)
    changed = summary.containers[1][0]
    runs = [line.get_xdata() for line in summary.lines if line.get_label() == "a run"]
    assert (changed.get_markerfacecolor(), *changed.get_ydata()) == ("white", 0)
    assert runs[1] == pytest.approx([250 / 3, 40]) and changed.get_xdata() == pytest.approx([(250 / 3 + 40) / 2])
    assert legend(picture) == ["a run", "mean of ACER (ours)", "unchanged", "one change"]
    assert picture._supxlabel.get_text().endswith("Collapsed: success below 65 % in the last three tests.")


def test_diagnostics_tell_both_acers_and_their_limits_apart(results):
    picture = drawn(results, "diagnostics")
    assert [axes.get_title() for axes in picture.axes] == list(figures.WATCHED.values())
    assert legend(picture) == ["ACER (paper)", "ACER (ours)", "δ of ACER (paper)", "δ of ACER (ours)"]
    paper, ours, *limits = picture.axes[list(figures.WATCHED).index("kl_growth")].lines
    assert paper.get_color() != ours.get_color() and paper.get_linestyle() != ours.get_linestyle()
    assert [line.get_ydata()[0] for line in limits] == [1, 0.01]
    assert [line.get_color() for line in limits] == [paper.get_color(), ours.get_color()]


def test_the_benchmark_has_full_names_and_all_symbols_in_its_legend(results):
    picture = drawn(results, "benchmark")
    assert legend(picture)[:5] == ["ACER", "GP-SARSA", "A2C", "eNAC", "handcrafted"]
    assert sorted(label.removeprefix("PyDial's ") for label in legend(picture)[5:]) == [
        "ACER", "DQN", "GP-SARSA", "eNAC", "handcrafted"]
    assert [axes.get_ylabel() for axes in picture.axes[::6]] == [
        f"{domain}: reward" for domain in ("CamRestaurants", "SFRestaurants", "Laptops11")]
    theirs = [line for axes in picture.axes for line in axes.lines if line.get_label().startswith("PyDial")]
    assert len(theirs) == len(LOGS) and all(line.get_xdata() > 4000 for line in theirs)
    assert "greedy. Means" in picture._supxlabel.get_text() and "Hollow symbols" in picture._supxlabel.get_text()


def test_ways_to_learn_have_a_panel_for_each_task_and_one_legend(results):
    *panels, place = drawn(results, "demonstrations").axes
    assert [axes.get_title() for axes in panels] == ["summary, no mask", "summary, mask", "master, no mask",
                                                     "master, mask", "Laptops11", "A2C, no mask", "GP, no mask"]
    ways = ["N = 20", "N = 100", "N = 500", "imitation only", "memory only", "a poor demonstrator", "N = 0"]
    for axes in panels:
        assert [line.get_label() for line in axes.lines] == (["N = 100", "N = 0"] if axes in panels[5:] else ways)
        assert (axes.get_xlim(), axes.get_ylim()) == ((0, 1000), (50, 101))
    assert legend(place.figure) == ways and not place.axison
    picture = drawn(results, "growth")
    assert legend(picture) == ["grown, all goals", "grown, old goals", "from the start", "anew", "the domain grows"]
    for axes in picture.axes:
        lines = {line.get_label(): line.get_xdata() for line in axes.lines}
        assert lines["anew"][0] == lines["from the start"][0] + 1000 and axes.get_xlim() == (0, 2000)
        assert list(lines["the domain grows"]) == [1000, 1000]


def test_a_caption_counts_the_seeds_and_tells_how_they_were_tested():
    def caption(*lines):
        return figures.caption({str(i): Curve(Line(Setting(agent=agent), 1, mode), None, {"success": np.zeros((n, 1))})
                                for i, (n, mode, agent) in enumerate(lines)})
    few, many, draws, rule = (2, "greedy", "acer"), (6, "old goals", "acer"), (6, "draw", "gp"), (1, "greedy", "random")
    t = " Means with 95 % t-intervals over the seeds."
    assert caption(few, few, rule) == f"2 seeds. Tests: 200 dialogues each, greedy.{t}"
    assert caption(few, many, draws) == (
        f"2 or 6 seeds. Tests: 200 dialogues each, greedy, with drawn actions where a label says draws.{t}")
    assert caption(draws, rule) == f"6 seeds. Tests: 200 dialogues each, with drawn actions.{t}"
    assert caption((1, "greedy", "a2c")) == "1 seed. Tests: 200 dialogues each, greedy."


def test_a_line_is_a_mean_with_its_interval_by_hand():
    # 0.2 ± 12.706 · 0.1 and 0.3 ± 0, in per cent; a single test is a level line.
    axes = figure(3, 3).subplots()
    draw(axes, {"acer": curve(Setting(), [[0.1, 0.3], [0.3, 0.3]], (5, 9)), "rule": curve(Setting(), [[1.0]], (0,))},
         "success", bands=False)
    mean, level = axes.lines
    low, high = np.transpose(axes.collections[0].get_segments()[0])[1]
    assert list(mean.get_xdata()) == [5, 9] and mean.get_ydata() == pytest.approx([20, 30])
    assert (low, high) == pytest.approx((20 - 127.06, 20 + 127.06), abs=0.01) and list(level.get_ydata()) == [100, 100]


def test_the_curve_of_one_run_has_both_tests_and_the_references():
    rows = [{"dialogues": n, "error_rate": 0.0, "test": mode, "success": 0.5, "reward": 1.0}
            for n in (10, 20) for mode in ("greedy", "draw")]
    picture = learning_curve(record_of(Setting(), 0, rows, SECONDS), {"handcrafted": Outcome(1.0, 14.0, 6.0)})
    for axes, height in zip(picture.axes, (100, 14)):
        assert [line.get_label() for line in axes.lines] == ["greedy", "draw", "handcrafted"]
        assert [len(line.get_xdata()) for line in axes.lines[:2]] == [2, 2] and axes.lines[2].get_ydata()[0] == height
    assert legend(picture) == ["greedy", "draw", "handcrafted"]


def test_a_file_is_short_its_areas_exact_and_panels_have_smaller_titles_than_figures(results):
    picture, read = drawn(results, "6"), pytest.importorskip("matplotlib.image").imread
    picture.axes[0].axvspan(1000, 2000, color=GREY)
    picture.axes[0].set_title("a panel")
    content, path, plain = png(picture), results.folder / "a.png", results.folder / "b.png"
    path.write_bytes(content)
    picture.savefig(plain)
    assert len(content) < 0.7 * plain.stat().st_size
    ours, theirs = np.rint(255 * read(path)), np.rint(255 * read(plain))
    assert ours.shape == theirs.shape and np.abs(ours - theirs).max() <= 33
    grey = (theirs[..., :3] == int(GREY[1:3], 16)).all(axis=-1)
    assert grey.sum() > 10_000 and (ours == theirs)[grey].all()
    assert picture.axes[0].title.get_fontsize() < picture._suptitle.get_fontsize()


# ---- tables by hand

def curve(setting, success, x=(200, 400, 1000, 2000, 4000), **scores):
    """Of made-up successes, one row per seed."""
    return Curve(Line(setting, len(success)), np.array(x), {"success": np.array(success)} | scores)


def test_the_learning_table_by_hand(tmp_path):
    # Two seeds: an interval reaches 12.706 times half of their distance to both sides.
    results, acer, rule = Results(tmp_path), Setting(), Setting(agent="handcrafted")
    for setting, seed, success, reward in (acer, 0, 0.5, 4.0), (acer, 1, 1.0, 8.0), (rule, 0, 1.0, 14.0):
        results.add(record_of(setting, seed, [
            {"dialogues": n, "test": mode, "success": value, "reward": reward} for n, share in ((300, 0.5), (1000, 1.0))
            for mode, value in (("greedy", share * success), ("draw", 0.25))], SECONDS))
    lines = {"ACER (ours)": Line(acer, 2), "ACER, draws": Line(acer, 2, "draw"), "handcrafted": Line(rule, 1)}
    rows = tables.learning_lines({"3": Experiment("", "learning", lines)})
    assert list(rows) == ["ACER (ours), mask", "handcrafted, mask"]
    assert tables.learning_table(results, rows).splitlines() == [
        "| success (%) | mean of all tests | after 1000: greedy / draws | reward at the end |",
        "| --- | --- | --- | --- |",
        "| ACER (ours), mask | 56.2 [-182.0, 294.5] | 75.0 / 25.0 | 6.00 [-19.41, 31.41] |",
        "| handcrafted, mask | 75.0 | 100.0 / 25.0 | 14.00 |"]


def test_the_table_of_ways_by_hand():
    taught, grown = Setting(demonstrations=20), Setting(without=("phone",), grow_after=1000)
    rows = tables.ways_table({
        "N = 20: LAP": curve(taught, [[0.1, 0.2, 0.3]], (0, 250, 1000)),
        "N = 0: LAP": curve(Setting(), [[0.1, 0.2, 0.3, 0.4, 0.5]]),
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
    line = curve(Setting(), [[0.1, 0.1]] * 2, x=(0.0, 0.5), reward=np.array([[14.0, 8.0], [12.0, 8.0]]))
    assert tables.noise_table({"ACER": line}).splitlines() == [
        "| reward at an error rate of | 0 % | 50 % |", "| --- | --- | --- |",
        "| ACER | 13.0 [0.3, 25.7] | 8.0 [8.0, 8.0] |"]


def test_the_tables_of_the_benchmark_by_hand():
    ends = {agent: curve(Setting(agent=agent), [[0.1, 0.9]] * 2, (2000, 4000), reward=np.array([[0.0, a], [0.0, b]]))
            for agent, a, b in (("acer", 11, 11), ("gp", 10, 12), ("a2c", 9, 9), ("enac", 1, 1), ("handcrafted", 9, 9))}
    lines = {f"{agent}, {domain}, {number}{words}": line for agent, line in ends.items() for words in ("", ", draws")
             for domain in ("CR", "SFR", "LAP") for number in range(1, 7)}
    lines["acer, CR, 4, draws"] = ends["enac"]
    table = tables.benchmark_table(lines).splitlines()
    assert len(table) == 2 + 18
    assert table[5] == ("| CR, 4 | 11.00 [11.00, 11.00] ↑ / 1.00 | 11.00 [-1.71, 23.71] / 11.00 | "
                        "9.00 [9.00, 9.00] / 9.00 | 1.00 [1.00, 1.00] / 1.00 | 9.00 | "
                        "acer 11.28 (5, M2); dqn 11.46 (5, M2) |")
    acer, gp, *_ = tables.aggregate_table(lines).splitlines()[2:]
    assert acer.startswith("| acer | 11.00 [11.00, 11.00] |  | 0.50 [") and gp.endswith("| 1.00 [1.00, 1.00] |")


def test_pydials_rows_are_27_and_plausible():
    assert len(LOGS) == len({tuple(log.values()) for log in LOGS}) == 27
    for log in LOGS:
        for when in ("early", "late"):
            success, reward = (float(log[f"{when}_{score}"]) for score in ("success", "reward"))
            assert 50 < success <= 100 and 20 * success / 100 - 25 < reward < 20 * success / 100 - 3
