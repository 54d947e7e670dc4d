"""PyDial's pair of files becomes a domain, whatever its shape; files that do not fit are refused by name."""
import re
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from simulator.loader import load_domain
from tests.simulator.strategies import DOMAIN, cambridge_files, ontology_of, write_files

SLOTS = ["name", "área"]
BAR = ontology_of(informable={"name": ["a", "b"], "área": ["x"]}, requestable=SLOTS, system_requestable=["área"])


def changed(path, *statements):
    """Executes statements in a database."""
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


def test_the_built_in_domain_survives_a_trip_through_files_and_neither_file_is_changed(tmp_path):
    paths = cambridge_files(tmp_path)
    before = [path.read_bytes() for path in paths]
    loaded = load_domain(*paths)
    assert loaded.fingerprint == DOMAIN.fingerprint
    assert loaded.venues[0].keys() == set(DOMAIN.requestable)             # without the column id
    assert [path.read_bytes() for path in paths] == before and sorted(tmp_path.iterdir()) == sorted(paths)


def test_files_and_tables_are_found_whatever_their_case(tmp_path):
    ontology_path, database_path = cambridge_files(tmp_path)
    other = ontology_path.rename(tmp_path / "mine.json")                 # then the database gives the name of the table
    assert len(load_domain(str(other), str(database_path)).venues) == 110
    upper = other.rename(tmp_path / "CAMRESTAURANTS-x-y.json")
    elsewhere = database_path.rename(tmp_path / "50% off #1? [a].db")     # marks that mean something in an address
    assert load_domain(upper, elsewhere).name == "CAMRESTAURANTS"


def test_texts_are_trimmed_and_lower_cased_and_numbers_bytes_and_nothing_become_texts(tmp_path):
    ontology = BAR | {"type": "Bar", "informable": {"Name": ["A", "B "], "Area": ["North", 7]},
                      "requestable": ["name", "area", "Phone"], "system_requestable": ["area"]}
    rows = [(" North", "A", 1, 4150000), (7, b"b", None, None), ("Atlantis", "A", 2, "")]
    paths = write_files(tmp_path, "Bars", ontology, ["AREA", "Name", "extra", "phone"], rows)
    paths[0].write_bytes(b"\xef\xbb\xbf" + paths[0].read_bytes())        # the mark that some editors put first
    domain = load_domain(*paths)
    assert domain.informable == {"name": ("a", "b"), "area": ("north", "7")} and domain.type == "bar"
    assert [tuple(map(venue.get, ("name", "area", "phone"))) for venue in domain.venues] == [
        ("a", "north", "4150000"), ("b", "7", ""), ("a", "atlantis", "")]


def test_columns_and_tables_are_read_by_the_spelling_of_the_schema(tmp_path):
    domain = load_domain(*write_files(tmp_path, "äpfel", BAR, ["NAME", "ÁREA"], [("A", "X"), ("b", "y")], "ÄPFEL"))
    assert [venue["área"] for venue in domain.venues] == ["x", "y"]


def test_names_from_the_files_cannot_become_statements(tmp_path):
    evil = 'name"; DROP TABLE bars; --'
    paths = write_files(tmp_path, "bars", BAR | {"requestable": [*SLOTS, evil]}, SLOTS, [("a", "x")])
    with pytest.raises(ValueError, match="table bars of .* has the columns name, área, expected .*drop table"):
        load_domain(*paths)
    changed(paths[1], f"""ALTER TABLE bars ADD COLUMN "{evil.replace('"', '""')}" DEFAULT 'fine'""")
    assert load_domain(*paths).venues[0][evil.lower()] == "fine"


# ---- what is refused

@pytest.mark.parametrize("changes, message", [
    ({"type": 3}, "'type' of ontology @ is 3, expected a str"),
    ({"method": None}, "'method' of ontology @ is None, expected a list"),
    ({"informable": ["food"]}, r"'informable' of ontology @ is \['food'\], expected a dict"),
    ({"informable": {"food": "thai"}}, "'informable food' of ontology @ holds 'thai', expected a list of texts"),
    ({"informable": {"food": ["thai", None]}}, "'informable food' of ontology @ holds None"),
    ({"informable": {"food": ["thai", ["greek"]]}}, r"'informable food' of ontology @ holds \['greek'\]"),
    ({"informable": {**DOMAIN.informable, "food": ["thai", "Thai"]}},
     "domain of @ and .*: informable food of domain CamRestaurants holds 'thai' twice"),
    ({"method": ["none", ""]}, "'method' of ontology @ holds '', expected a list of texts, none empty"),
    ({"requestable": ["name", "area", "food", "pricerange", "x"]},
     "table CamRestaurants of database .* has the columns addr, .*, expected 'x' once")])
def test_an_ontology_of_the_wrong_shape_is_refused(tmp_path, changes, message):
    with pytest.raises(ValueError, match=message.replace("@", ".*CamRestaurants-rules.json")):
        load_domain(*cambridge_files(tmp_path, **changes))


def test_files_that_are_missing_or_no_such_files_are_refused(tmp_path):
    ontology_path, database_path = cambridge_files(tmp_path)
    text, empty = tmp_path / "CamRestaurants.db", tmp_path / "empty.db"
    text.write_text("this is a text, and long enough to be taken for a database header, were it one" * 20)
    empty.write_bytes(b"")
    for ontology, database, message in (
            (tmp_path / "no.json", database_path, "ontology is .*no.json, expected a JSON file: .*No such file"),
            (tmp_path, database_path, "ontology is .*, expected a JSON file: .*directory"),
            (ontology_path, tmp_path / "no.db", "database is .*no.db, expected a readable SQLite file"),
            (ontology_path, tmp_path, "database is .*, expected a readable SQLite file"),
            (ontology_path, text, "database is .*CamRestaurants.db, expected a readable SQLite file"),
            (ontology_path, empty, "database .*empty.db has the tables none, expected CamRestaurants or empty")):
        with pytest.raises(ValueError, match=message):
            load_domain(ontology, database)
    assert not (tmp_path / "no.db").exists()
    for content, message in (*((damage, "expected a JSON file") for damage in (b"{", b"\xff", b"[" * 100_000)),
                             (b"[]", "is a list, expected a dict")):
        ontology_path.write_bytes(content)
        with pytest.raises(ValueError, match=f"ontology .*rules.json.* {message}"):
            load_domain(ontology_path, database_path)


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS name, i AS área FROM n"


@pytest.mark.parametrize("statements, message", [
    (["DELETE FROM Bars"], "venues of domain Bars is empty"),
    (["ALTER TABLE Bars RENAME TO other"], "dbase.db has the tables other, expected Bars"),
    (["ALTER TABLE Bars RENAME TO other", f"CREATE VIEW Bars AS {ENDLESS}"],          # a view may have no end
     "has the tables other, expected Bars"),
    (["ALTER TABLE Bars ADD COLUMN ÁREA"], "table Bars of .* has the columns name, área, área, expected 'área' once"),
    *[([f"INSERT INTO Bars VALUES ({name}, 'x')"], f"name of a venue of domain Bars is '{shown}', expected one to")
      for name, shown in (("NULL", ""), ("''", ""), ("'None'", "none"), ("'dontcare'", "dontcare"))]])
def test_a_table_that_does_not_fit_is_refused(tmp_path, statements, message):
    paths = write_files(tmp_path, "Bars", BAR, SLOTS, [("a", "x")])
    changed(paths[1], *statements)
    with pytest.raises(ValueError, match=message):
        load_domain(*paths)


def test_a_table_whose_name_lost_its_type_is_read(tmp_path):
    paths = write_files(tmp_path, "Bars", BAR, SLOTS, [("a", "x")])
    changed(paths[1], "PRAGMA writable_schema = 1", "UPDATE sqlite_master SET name = CAST(name AS BLOB)")
    assert [venue["name"] for venue in load_domain(*paths).venues] == ["a"]


def test_a_database_that_was_cut_anywhere_is_refused(tmp_path):
    ontology_path, database_path = cambridge_files(tmp_path)
    whole = database_path.read_bytes()
    for end in [*range(100, len(whole), len(whole) // 20), *range(len(whole) - 4096, len(whole), 800), len(whole) - 1]:
        database_path.write_bytes(whole[:end])
        with pytest.raises(ValueError, match="^database .*CamRestaurants-dbase.db.*, expected ") as refusal:
            load_domain(ontology_path, database_path)
    assert str(refusal.value).endswith(f"is {len(whole) - 1} bytes long, expected {len(whole)}")


def damaged(rng, content):
    """The bytes with something cut out, overwritten, repeated or exchanged."""
    at, n = rng.integers(len(content)), rng.integers(1, 40)
    new = (b"", rng.bytes(n), content[at // 2:at // 2 + n] + content[at:at + n],
           rng.choice([b"[", b"{", b"}", b'"', b"null", b"1e999", b"-1", b"\x00", b"\xff"]))[rng.integers(4)]
    return content[:at] + new + content[at + n:]


@pytest.mark.parametrize("which", [0, 1])
def test_damaged_files_are_refused_in_one_sentence_or_make_a_domain(tmp_path, which):
    paths = cambridge_files(tmp_path)
    whole, refused = paths[which].read_bytes(), 0
    for seed in range(50):
        paths[which].write_bytes(damaged(np.random.default_rng(seed), whole))
        try:
            assert load_domain(*paths).venues
        except ValueError as error:
            refused += 1
            assert re.fullmatch("(?s).{20,}expected .+", str(error)) and len(str(error)) < 1000
    assert 15 < refused < 50
