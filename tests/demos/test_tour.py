"""The command of the tour, what it says, and the pictures that are kept."""
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from demos import tour
from demos.__main__ import COMMANDS
from demos.diagnostics import WATCHED
from demos.records import record_of
from demos.reproduction import plan
from demos.reproduction.store import Results
from demos.style import png
from demos.tours import belief, training


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """A short run, the first two turns of a dialogue, two made-up runs, and coarse pictures."""
    results, moments = Results(tmp_path / "results"), belief.moments
    for seed, success in ((0, (0.5, 0.9)), (1, (0.7, 1.0))):
        rows = [{"dialogues": 200 * i, "test": "greedy", "success": share, "reward": 0.0}
                | dict.fromkeys(WATCHED, 0.25 * i) for i, share in enumerate(success, 1)]
        results.add(record_of(training.SETTING, seed, rows, {}))
    monkeypatch.setattr(training, "RESULTS", results)
    monkeypatch.setattr(belief, "SETTING", replace(belief.SETTING, dialogues=20, test_dialogues=1))
    monkeypatch.setattr(belief, "moments", lambda run, seed: moments(run, seed)[:2])
    monkeypatch.setattr(tour, "png", lambda picture: picture.set_dpi(30) or png(picture))


def test_every_idea_is_drawn_and_told_in_short_sentences(tmp_path, capsys, tiny):
    assert tour.main(["--out", str(tmp_path / "new")]) == 0
    told = capsys.readouterr().out
    for name, part in zip(tour.IDEAS, told.split("\n\n")):
        assert (tmp_path / "new" / f"{name}.png").read_bytes().startswith(b"\x89PNG") and name in tour.__doc__
        first, *words = part.splitlines()
        assert first == f"{name}: {tmp_path / 'new' / name}.png" and max(map(len, words)) <= 80
        for sentence in re.split(r"(?<=\.) ", " ".join(words)):
            assert len(sentence.split()) <= 26, sentence         # a sign or a unit counts as a word here
    assert ("2 runs of ACER without the mask. After 200 dialogues their success ranges from 50 to 70 %. After 400 it "
            "ranges from 90 to 100 %. The trust region binds in 25 % of the updates before the first test, and in 50 % "
            "before the last. The mean entropy of π goes from 0.25 to 0.50.") in " ".join(told.split())


def test_the_training_that_is_shown_is_that_of_figure_6(tmp_path, monkeypatch, capsys):
    assert training.SETTING == plan.NO_MASK
    monkeypatch.setattr(training, "RESULTS", Results(tmp_path))
    with pytest.raises(SystemExit):
        tour.main(["training", "--out", str(tmp_path)])
    assert "no run of acer-summary-mask-none: run python -m demos.reproduce --figure 6" in capsys.readouterr().err


def test_one_idea_alone_is_drawn_and_twice_the_same(tmp_path, tiny):
    for folder in ("a", "b"):
        assert tour.main(["ladder", "--out", str(tmp_path / folder)]) == 0
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["ladder.png"]
    assert (tmp_path / "a" / "ladder.png").read_bytes() == (tmp_path / "b" / "ladder.png").read_bytes()


def test_nothing_is_loaded_to_draw_with_before_something_is_drawn():
    names = (*COMMANDS, "pictures", *(f"tours.{name}" for name in tour.IDEAS))
    modules = ", ".join(f"demos.{name}" for name in names if name != "reproduce")
    code = f"import sys, {modules}; assert not {{'matplotlib', 'demos.reproduction.plan'}} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(tour.__file__).parent.parent).returncode == 0


def test_the_kept_pictures_are_those_of_the_ideas():
    kept = (Path(tour.__file__).parent / "tours" / "pictures").glob("*.png")
    assert {path.stem for path in kept} == set(tour.IDEAS)
