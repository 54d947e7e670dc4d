"""Comparing runs: seeds become one line, settings are told apart, what is unfinished is named."""
from dataclasses import replace

import numpy as np
import pytest

from demos import compare
from demos.records import Record, to_line
from demos.settings import Setting, with_overrides
from tests.demos.commands import refused

SHORT = Setting(dialogues=30)


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(folder, setting=SHORT, seed=0, success=(0.5, 0.7, 0.9)):
    """A folder with a result; reward is 20 x success - 5."""
    tests = {"greedy": {"dialogues": [10, 20, 30][:len(success)], "success": list(success),
                        "reward": [20 * x - 5 for x in success]}}
    path = compare.Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    record = Record(setting.differences(), seed, tests if success else {}, {}, "3", "")
    (path / "result.json").write_text(to_line(record))
    return path


def curves_of(*folders):
    groups = compare.grouped(compare.read(folders))
    return dict(zip(compare.labels(groups), map(compare.curve, groups)))


def test_the_command_prints_the_means_of_seeds_and_draws_them(place, capsys):
    for seed, success in ((0, (0.5, 0.7, 0.9)), (1, (0.6, 0.8, 1.0))):
        put(f"runs/a-{seed}", SHORT, seed, success)
    put("runs/b", replace(SHORT, agent="gp"))
    assert compare.main(["runs/a-0", "runs/b", "runs/a-1"]) == 0
    _, ours, gp, _, last = capsys.readouterr().out.splitlines()
    # Means 0.7 and 0.8: 75, and t (0.975, 1 degree) 12.71 times the error 5 beside it; rewards are 20 times that - 5.
    assert ours.split() == "acer 2 30 75.0 [11.5, 138.5] 75.0 [11.5, 138.5] 10.00 [-2.71, 22.71]".split()
    assert gp.split() == "gp 1 30 70.0 70.0 9.00".split() and last == "The picture is runs/compare.png"
    assert (place / "runs" / "compare.png").read_bytes().startswith(b"\x89PNG")


def test_labels_say_what_differs():
    settings = {"a": SHORT, "b": with_overrides(SHORT, rho_max=9.0), "c": replace(SHORT, mask="none", space="master")}
    assert list(curves_of(*(put(name, setting) for name, setting in settings.items()))) == [
        "summary, mask=all, rho_max=5.0", "summary, mask=all, rho_max=9.0", "master, mask=none, rho_max=5.0"]
    assert list(curves_of(put("a"))) == ["acer-summary-mask"]


def test_a_seed_that_comes_twice_is_other_code_and_the_folder_tells_which():
    folders = [put(f"runs/x-seed{seed}{again}", SHORT, seed) for again in ("", "-2") for seed in (0, 1, 2)][:5]
    found = curves_of(*folders, put("runs/y", replace(SHORT, agent="gp")))
    assert {label: len(curve.scores["success"]) for label, curve in found.items()} == {
        "acer runs/x-seed0": 3, "acer runs/x-seed0-2": 2, "gp": 1}


def test_lines_go_as_far_as_all_their_runs():
    found = curves_of(put("a", seed=0), put("b", seed=1, success=(0.1, 0.3)), put("c", replace(SHORT, dialogues=31)))
    assert [curve.x.tolist() for curve in found.values()] == [[10, 20], [10, 20, 30]]
    assert list(found) == ["dialogues=30", "dialogues=31"]
    assert np.array_equal(found["dialogues=30"].scores["success"], [[0.5, 0.7], [0.1, 0.3]])


def test_what_has_no_result_is_named_and_left_out(place, capsys):
    (place / "tour").mkdir()
    (place / "picture.png").touch()
    put("untested", success=())
    folders = [put("a"), *map(compare.Path, ("tour", "picture.png", "nowhere", "untested"))]
    assert list(compare.read(folders)) == [folders[0]]
    assert capsys.readouterr().err == "tour, nowhere, untested is left out, for it holds no result of a test\n"
    assert "nowhere, picture.png holds no result" in refused(compare.main, capsys, "nowhere", "picture.png")
    (place / "a" / "result.json").write_text("{}")
    assert "a/result.json is damaged, or no result of this project" in refused(compare.main, capsys, "a")


@pytest.mark.parametrize("settings", [[SHORT, with_overrides(SHORT, rho_max=9.0)], [SHORT, replace(SHORT, agent="gp")],
                                      [replace(SHORT, variant=str(i)) for i in range(18)]])
def test_no_two_lines_look_alike(settings):
    curves = curves_of(*(put(str(i), setting) for i, setting in enumerate(settings)))
    page = compare.picture(curves)
    for axes, values in zip(page.axes, ([50, 70, 90], [5, 9, 13])):
        assert len({(line.get_color(), line.get_linestyle()) for line in axes.lines}) == len(settings)
        assert np.allclose(axes.lines[0].get_ydata(), values)
    assert [text.get_text() for text in page.legends[0].get_texts()] == list(curves)
