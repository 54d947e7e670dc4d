"""PyDial's pair of files becomes a domain, whatever its shape; files that do not fit are refused by name."""
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from simulator.cambridge import cambridge_restaurants
from simulator.env import DialogueEnv
from simulator.loader import load_domain
from simulator.policies import uniform_random
from tests.simulator.strategies import DISCOURSE_ACTS, METHODS, cambridge_files, laptops, san_francisco, write_files


def played(domain):
    """An environment in which some random dialogues were played."""
    env, rng = DialogueEnv(domain, error_rate=0.2, nbest=3, seed=0), np.random.default_rng(0)
    for _ in range(5):
        (_, info), total = env.reset(), 0.0
        while not env.over:
            _, reward, *_, info = env.step(uniform_random(info["action_mask"], rng))
            total += reward
        assert total == 20 * info["success"] - info["turns"]
    return env


def test_the_built_in_domain_survives_a_trip_through_files(tmp_path):
    loaded, domain = load_domain(*cambridge_files(tmp_path)), cambridge_restaurants()
    assert loaded.fingerprint == domain.fingerprint
    assert loaded.venues[0].keys() == set(domain.requestable)             # without the column id
    env = DialogueEnv(loaded, action_space="master")
    assert (env.n_belief, env.n_actions) == (268, 1035)


def test_a_domain_of_the_shape_of_sfrestaurants_is_loaded_with_its_dirt(tmp_path):
    domain = load_domain(*san_francisco(tmp_path))
    assert (len(domain.venues), len({venue["name"] for venue in domain.venues})) == (271, 242)
    assert domain.venues[0]["name"] == "name 0"                           # lower-cased
    assert domain.venues[200]["near"] == domain.venues[0]["postcode"] == ""         # NULL
    assert (domain.venues[0]["phone"], domain.venues[12]["allowedforkids"]) == ("4150000", "0")
    assert domain.venues[7]["area"] == "atlantis"
    env = played(domain)
    assert (env.n_belief, env.n_actions) == (636, 24)
    assert DialogueEnv(domain, action_space="master").n_actions == 4116


def test_a_domain_of_the_shape_of_laptops_is_loaded_without_enumerating_payloads(tmp_path):
    domain = load_domain(*laptops(tmp_path))
    assert (len(domain.venues), len(domain.requestable), len(domain.payload_slots)) == (123, 21, 20)
    env = played(domain)
    assert (env.n_belief, env.n_actions) == (257, 39)


def test_files_and_tables_are_found_whatever_their_case(tmp_path):
    ontology_path, database_path = cambridge_files(tmp_path)
    other = ontology_path.rename(tmp_path / "mine.json")                 # then the database gives the name of the table
    assert len(load_domain(str(other), str(database_path)).venues) == 110
    upper = other.rename(tmp_path / "CAMRESTAURANTS-x-y.json")
    elsewhere = database_path.rename(tmp_path / "50% off #1? [a].db")     # marks that mean something in an address
    assert load_domain(upper, elsewhere).name == "CAMRESTAURANTS"


def test_columns_are_found_whatever_their_case_and_texts_are_trimmed(tmp_path):
    ontology = {"type": "Bar", "informable": {"Name": ["A", "B "], "Area": ["North", 7]},
                "requestable": ["name", "area"], "system_requestable": ["area"], "method": METHODS,
                "discourseAct": DISCOURSE_ACTS}
    paths = write_files(tmp_path, "Bars", ontology, ["AREA", "Name", "extra"], [(" North", "A", 1), (7, b"b", None)])
    domain = load_domain(*paths)
    assert domain.informable == {"name": ("a", "b"), "area": ("north", "7")} and domain.type == "bar"
    assert domain.venues == ({"name": "a", "area": "north"}, {"name": "b", "area": "7"})


def test_loading_changes_neither_file(tmp_path):
    paths = cambridge_files(tmp_path)
    before = [path.read_bytes() for path in paths]
    load_domain(*paths)
    assert [path.read_bytes() for path in paths] == before
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in paths)


def test_names_from_the_files_cannot_become_statements(tmp_path):
    evil = 'name"; DROP TABLE bars; --'
    ontology = {"type": "bar", "informable": {"name": ["a"], "area": ["x"]}, "requestable": ["name", "area", evil],
                "system_requestable": ["area"], "method": METHODS, "discourseAct": DISCOURSE_ACTS}
    paths = write_files(tmp_path, "bars", ontology, ["name", "area"], [("a", "x")])
    with pytest.raises(ValueError, match="table bars of .* has the columns area, name, expected .*drop table"):
        load_domain(*paths)
    ontology["requestable"] = ["name", "area", 'odd"column']
    (tmp_path / "two").mkdir()
    paths = write_files(tmp_path / "two", "bars", ontology, ["name", "area"], [("a", "x")])
    with closing(sqlite3.connect(paths[1])) as database:
        database.execute("ALTER TABLE bars ADD COLUMN \"odd\"\"column\" DEFAULT 'fine'")
    assert load_domain(*paths).venues[0]['odd"column'] == "fine"


@pytest.mark.parametrize("changes, message", [
    ({"type": 3}, "'type' of ontology @ is 3, expected a str"),
    ({"method": None}, "'method' of ontology @ is None, expected a list"),
    ({"informable": ["food"]}, r"'informable' of ontology @ is \['food'\], expected a dict"),
    ({"informable": {"food": "thai"}}, "'informable food' of ontology @ holds 'thai', expected a list of texts"),
    ({"informable": {"food": ["thai", None]}}, "'informable food' of ontology @ holds None"),
    ({"informable": {"food": ["thai", ["greek"]]}}, r"'informable food' of ontology @ holds \['greek'\]"),
    ({"requestable": {"food": 1}}, "'requestable' of ontology @ is {'food': 1}, expected a list"),
    ({"method": ["none", ""]}, "'method' of ontology @ holds '', expected a list of texts, none empty"),
    ({"discourseAct": []}, "discourse_acts of domain CamRestaurants is empty"),
    ({"requestable": ["name", "area", "food", "pricerange", "area"]},
     "requestable of domain CamRestaurants holds 'area' twice"),
    ({"system_requestable": ["food", "phone"]},
     "slot 'phone' of domain CamRestaurants is not informable and requestable"),
    ({"requestable": ["name", "area", "food", "pricerange", "x"]},
     "table CamRestaurants of database .* has the columns addr, .*, expected 'x' once")])
def test_an_ontology_of_the_wrong_shape_is_refused(tmp_path, changes, message):
    with pytest.raises(ValueError, match=message.replace("@", ".*CamRestaurants-rules.json")):
        load_domain(*cambridge_files(tmp_path, **changes))


def test_duplicate_values_are_refused_even_if_their_case_differs(tmp_path):
    foods = {**cambridge_restaurants().informable, "food": ["thai", "Thai"]}
    with pytest.raises(ValueError, match="informable food of domain CamRestaurants holds 'thai' twice"):
        load_domain(*cambridge_files(tmp_path, informable=foods))


def test_files_that_are_missing_or_no_such_files_are_refused(tmp_path):
    ontology_path, database_path = cambridge_files(tmp_path)
    text, empty = tmp_path / "CamRestaurants.db", tmp_path / "empty.db"
    text.write_text("this is a text, and long enough to be taken for a database header, were it one" * 20)
    empty.write_bytes(b"")
    for ontology, database, message in (
            (tmp_path / "no.json", database_path, "ontology is .*no.json, expected a readable file: No such file"),
            (tmp_path, database_path, "ontology is .*, expected a readable file"),
            (ontology_path, tmp_path / "no.db", "database is .*no.db, expected a file"),
            (ontology_path, tmp_path, "database is .*, expected a file"),
            (database_path, database_path, "ontology is .*dbase.db, expected JSON"),
            (ontology_path, text, "database is .*CamRestaurants.db, expected a readable SQLite file"),
            (ontology_path, empty, "database .*empty.db has the tables none, expected CamRestaurants or empty")):
        with pytest.raises(ValueError, match=message):
            load_domain(ontology, database)
    assert not (tmp_path / "no.db").exists()


@pytest.mark.parametrize("text, message", [
    ("{", "expected JSON"), ("\xff", "expected JSON"), ("[]", "is a list, expected a dict"),
    pytest.param("[" * 100_000, "expected JSON", id="deep")])
def test_an_ontology_that_is_no_json_object_is_refused(tmp_path, text, message):
    ontology_path, database_path = cambridge_files(tmp_path)
    ontology_path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=message):
        load_domain(ontology_path, database_path)


def test_a_database_without_the_table_or_without_rows_is_refused(tmp_path):
    ontology_path, database_path = cambridge_files(tmp_path)
    with closing(sqlite3.connect(database_path)) as database:
        database.execute("DELETE FROM CamRestaurants")
        database.commit()
    with pytest.raises(ValueError, match="venues of domain CamRestaurants is empty"):
        load_domain(ontology_path, database_path)
    with closing(sqlite3.connect(database_path)) as database:
        database.execute("ALTER TABLE CamRestaurants RENAME TO Bars")
    with pytest.raises(ValueError, match="dbase.db has the tables bars, expected CamRestaurants"):
        load_domain(ontology_path, database_path)
