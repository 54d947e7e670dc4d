"""Every wrong version is rejected by some law, as the page says, and every right one by none."""
from pathlib import Path

import pytest

from tests.gallery import matrix, right
from tests.gallery.catalogue import VERSIONS
from tests.laws import check, ours
from tests.laws.catalogue import LAWS, SUBJECTS, laws_of

PAGE = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")


def named(item):
    return item.__name__ if callable(item) else str(item)


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: f"{version.subject}: {version.name}")
def test_some_law_rejects_it_and_its_story_says_what_one_sees(version):
    assert any(matrix.rejections(version))
    what, *rest = version.story
    assert what.endswith(".") and len([line for line in rest if line.startswith("Symptom: ")]) == 1


@pytest.mark.parametrize("subject, function", ours.ABLATIONS + [(name, getattr(right, name)) for name in SUBJECTS],
                         ids=named)
def test_every_law_lets_a_right_version_pass(subject, function):
    check(subject, function, examples=40)


def test_every_subject_has_a_wrong_version():
    assert {version.subject for version in VERSIONS} == set(SUBJECTS)


def test_no_law_of_the_maths_is_idle():
    """Each rejects some wrong version: a law that rejects none would be weight."""
    for subject in SUBJECTS:
        counts = [matrix.rejections(version) for version in VERSIONS if version.subject == subject]
        idle = [law.name for law, column in zip(laws_of(subject), zip(*counts)) if not any(column)]
        assert set(idle) <= {"it keeps the contract"}, subject


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


def test_the_matrix_has_all_versions_and_laws():
    text = matrix.as_text()
    assert all(f"  {version.name} " in text for version in VERSIONS) and all(law.name in text for law in LAWS)


def test_the_page_is_as_the_command_writes_it():
    assert matrix.as_page() == PAGE, "python -m tests.gallery --readme writes it anew"
