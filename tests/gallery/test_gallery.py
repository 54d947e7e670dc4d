"""Every wrong version is rejected by the laws that the table names, and every right one by none."""
from pathlib import Path

import matplotlib.image
import pytest

from tests.gallery import __main__, matrix
from tests.gallery.catalogue import VERSIONS
from tests.gallery.right import RIGHT
from tests.laws import ours
from tests.laws.catalogue import LAWS, SUBJECTS, laws_of
from tests.laws.law import plain, random_cases, try_law

HERE = Path(__file__).parent
TABLE = (HERE / "README.md").read_text(encoding="utf-8")


def named(item):
    return item.__name__ if callable(item) else str(item)


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: f"{version.subject}: {version.name}")
def test_some_law_rejects_it_and_the_table_says_which(version):
    assert any(matrix.rejections(version))
    assert matrix.row(version) in TABLE


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: f"{version.subject}: {version.name}")
def test_its_story_says_what_is_wrong_what_one_sees_and_where_it_was_met(version):
    what, *rest = version.story
    assert what.endswith(".") and len([line for line in rest if line.startswith("Seen: ")]) == 1
    assert len([line for line in rest if line.startswith("Met: ")]) == 1


@pytest.mark.parametrize("subject, function", RIGHT + ours.ABLATIONS, ids=named)
def test_every_law_lets_a_right_version_pass(subject, function):
    for law in laws_of(subject):
        for case in random_cases(law, matrix.N_CASES)[:80]:
            trial = try_law(law, plain(function), case)
            assert not trial.broken, (law.name, case, trial)


def test_every_subject_has_a_right_version_that_is_not_ours_and_a_wrong_one():
    assert {subject for subject, _ in RIGHT} == {version.subject for version in VERSIONS} == set(SUBJECTS)


def test_no_law_is_idle():
    """Each rejects some wrong version: a law that rejects none would be weight."""
    for subject in SUBJECTS:
        counts = [matrix.rejections(version) for version in VERSIONS if version.subject == subject]
        idle = [law.name for law, column in zip(laws_of(subject), zip(*counts)) if not any(column)]
        assert not idle, subject


def test_no_single_property_is_enough():
    """What the fixed point, the bound and the law without traces each let pass."""
    names = [law.name for law in laws_of("retrace_targets")]
    fixed, bound, no_traces = map(names.index, ("exact values are a fixed point",
                                                "a target leaves its value by no more than the errors",
                                                "without traces the target looks one step ahead"))
    of = {version.name: matrix.rejections(version) for version in VERSIONS}
    explodes, wrong_turn = of["products of traces cut at 5"], of["the trace of the turn before"]
    assert explodes[fixed] == explodes[no_traces] == 0 < explodes[bound]
    assert wrong_turn[fixed] == wrong_turn[bound] == 0 < wrong_turn[no_traces]


def test_names_are_used_once():
    for names in ([law.name for law in LAWS], [version.name for version in VERSIONS]):
        assert len(names) == len(set(names))


def test_the_command_prints_and_draws_the_matrix(tmp_path, capsys):
    __main__.main(["--out", str(tmp_path / "new" / "gallery.png")])
    printed = capsys.readouterr().out
    assert all(f"  {version.name} " in printed for version in VERSIONS) and all(law.name in printed for law in LAWS)
    drawn = matplotlib.image.imread(tmp_path / "new" / "gallery.png")
    assert drawn.shape == matplotlib.image.imread(HERE / "matrix.png").shape


def test_the_table_is_as_the_command_writes_it():
    assert matrix.as_table() == TABLE, "python -m tests.gallery --readme writes it anew"
