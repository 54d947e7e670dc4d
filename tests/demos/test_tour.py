"""The command of the tour, and the pictures that are kept."""
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from demos import tour
from demos.tours import belief


@pytest.fixture
def tiny(monkeypatch):
    """A run short enough for tests, in the place of the tour's own."""
    monkeypatch.setattr(belief, "SETTING", replace(belief.SETTING, dialogues=20, test_dialogues=1))


def test_every_idea_is_drawn_and_told(tmp_path, capsys, tiny):
    assert tour.main(["--out", str(tmp_path / "new")]) == 0
    told = capsys.readouterr().out
    for name in tour.IDEAS:
        assert (tmp_path / "new" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert f"{name}.png\n" in told and name in tour.__doc__
    assert all(len(line) <= 120 for line in told.splitlines())
    assert "acer-mask-none, mean over its seeds." in told and "after 4000 dialogues" in " ".join(told.split())


def test_one_idea_alone_is_drawn_and_twice_the_same(tmp_path, capsys):
    for folder in ("a", "b"):
        assert tour.main(["ladder", "--out", str(tmp_path / folder)]) == 0
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["ladder.png"]
    assert (tmp_path / "a" / "ladder.png").read_bytes() == (tmp_path / "b" / "ladder.png").read_bytes()


def test_help_and_mistakes_end_with_the_usual_codes(tmp_path, capsys):
    (tmp_path / "file").touch()
    for arguments, code in ((["--help"], 0), (["nonsense"], 2), (["ladder", "--out", str(tmp_path / "file" / "x")], 2),
                            (["training", "--out", str(tmp_path), "--curve", str(tmp_path / "file")], 2),
                            (["training", "--out", str(tmp_path), "--curve", str(tmp_path / "none")], 2)):
        with pytest.raises(SystemExit) as end:
            tour.main(arguments)
        assert end.value.code == code
        assert len(capsys.readouterr().err.splitlines()) == bool(code)


def test_a_saved_result_can_be_looked_into(tmp_path, capsys):
    rows = [f"{n},1,greedy,1.5,0.1,{binding},0.2,{entropy},0.03" for n, binding, entropy in ((20, 1, 2), (40, 0.5, 1))]
    rows.insert(1, "20,1,draw,,,,,,")                        # which has no diagnostics of its own
    (tmp_path / "acer.csv").write_text('# {"config": {"kl_limit": 0.25}}\n'
                                       "dialogues,seed,test,rho,truncated,binding,kl_growth,entropy,critic_error\n"
                                       + "\n".join(rows))
    assert tour.main(["training", "--curve", str(tmp_path / "acer.csv"), "--out", str(tmp_path)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "100 % of the first updates and 50 % of the last, after 40 dialogues" in told
    assert "the entropy went from 2.00 to 1.00" in told


def test_nothing_is_loaded_to_draw_with_before_something_is_drawn():
    modules = "demos.tour, demos.tours." + ", demos.tours.".join(tour.IDEAS)
    code = f"import sys, {modules}; assert 'matplotlib' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(tour.__file__).parent.parent).returncode == 0


def test_the_kept_pictures_are_those_of_the_ideas():
    kept = (Path(tour.__file__).parent / "tours" / "pictures").glob("*.png")
    assert {path.stem for path in kept} == set(tour.IDEAS)
