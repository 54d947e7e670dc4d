"""Files of a domain with a catch: odd spellings, views, cuts and damage."""
import re
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from simulator.loader import load_domain
from tests.simulator.strategies import DISCOURSE_ACTS, METHODS, cambridge_files, write_files

BAR = {"type": "bar", "informable": {"name": ["a", "b"], "área": ["x"]}, "requestable": ["name", "área"],
       "system_requestable": ["área"], "method": METHODS, "discourseAct": DISCOURSE_ACTS}


def changed(path, *statements):
    """Executes statements in a database."""
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


def test_columns_are_read_by_the_spelling_of_the_schema(tmp_path):
    domain = load_domain(*write_files(tmp_path, "Bars", BAR, ["NAME", "ÁREA"], [("A", "X"), ("b", "y")]))
    assert [venue["área"] for venue in domain.venues] == ["x", "y"]


def test_a_table_is_found_by_the_spelling_of_the_schema(tmp_path):
    paths = write_files(tmp_path, "äpfel", BAR, ["name", "área"], [("a", "x")], table="ÄPFEL")
    assert len(load_domain(*paths).venues) == 1


def test_columns_that_differ_in_case_alone_are_refused(tmp_path):
    paths = write_files(tmp_path, "Bars", BAR, ["name", "ÁREA", "área"], [("a", "x", "y")])
    with pytest.raises(ValueError, match="table Bars of .* has the columns name, área, área, expected 'área' once"):
        load_domain(*paths)


@pytest.mark.parametrize("name", [None, "", "None", "dontcare"])
def test_a_venue_without_a_name_is_refused(tmp_path, name):
    paths = write_files(tmp_path, "Bars", BAR, ["name", "área"], [("a", "x"), (name, "x")])
    shown = repr((name or "").lower())
    with pytest.raises(ValueError, match=f"name of a venue of domain Bars is {shown}, expected one to speak of"):
        load_domain(*paths)


def test_a_view_is_no_table_for_it_may_have_no_end(tmp_path):
    paths = write_files(tmp_path, "Bars", BAR, ["name", "área"], [], table="other")
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS name, i AS área FROM n"
    changed(paths[1], f"CREATE VIEW Bars AS {endless}")
    with pytest.raises(ValueError, match="has the tables other, expected Bars"):
        load_domain(*paths)


def test_a_database_that_was_cut_anywhere_is_refused(tmp_path):
    ontology_path, database_path = cambridge_files(tmp_path)
    whole = database_path.read_bytes()
    for end in [*range(100, len(whole), len(whole) // 40), *range(len(whole) - 4096, len(whole), 400), len(whole) - 1]:
        database_path.write_bytes(whole[:end])
        with pytest.raises(ValueError, match="^database .*CamRestaurants-dbase.db.*, expected ") as refusal:
            load_domain(ontology_path, database_path)
    assert str(refusal.value).endswith(f"is {len(whole) - 1} bytes long, expected {len(whole)}")
    database_path.write_bytes(whole)
    assert len(load_domain(ontology_path, database_path).venues) == 110


def damaged(rng, content):
    """The bytes with something cut out, overwritten, repeated or exchanged."""
    content, at, n = bytearray(content), int(rng.integers(len(content))), int(rng.integers(1, 40))
    match rng.integers(5):
        case 0:
            return bytes(content[:at])
        case 1:
            content[at:at + n] = b""
        case 2:
            content[at:at + n] = rng.bytes(n)
        case 3:
            content[at:at] = content[at // 2:at // 2 + n]
        case 4:
            content[at:at + 1] = rng.choice([b"[", b"{", b"}", b'"', b"null", b"1e999", b"-1", b"\x00", b"\xff"])
    return bytes(content)


@pytest.mark.parametrize("which", [0, 1])
def test_damaged_files_are_refused_in_one_sentence_or_make_a_domain(tmp_path, which):
    paths = cambridge_files(tmp_path)
    whole, refused = paths[which].read_bytes(), 0
    for seed in range(50):
        content = damaged(np.random.default_rng(seed), whole)
        paths[which].write_bytes(content)
        try:
            assert load_domain(*paths).venues
        except ValueError as error:
            refused += 1
            assert re.fullmatch("(?s).{20,}expected .+", str(error)) and len(str(error)) < 1000
        assert paths[which].read_bytes() == content
    assert 20 < refused < 50
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in paths)
