"""PyDial's pair of files becomes a domain, whatever its shape; files that do not fit are refused by name."""
import json
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from simulator.cambridge import cambridge_restaurants
from simulator.env import DialogueEnv
from simulator.loader import load_domain

METHODS = ["none", "byconstraints", "byname", "finished", "byalternatives", "restart"]
DISCOURSE_ACTS = ["ack", "hello", "none", "repeat", "silence", "thankyou"]


def write_files(folder, name, ontology, columns, rows, table=None):
    """An ontology and a database such as PyDial's; returns both paths."""
    ontology_path, database_path = folder / f"{name}-rules.json", folder / f"{name}-dbase.db"
    ontology_path.write_text(ontology if isinstance(ontology, str) else json.dumps(ontology), encoding="utf-8")
    with closing(sqlite3.connect(database_path)) as database:
        quoted = ", ".join(f'"{column}"' for column in columns)
        database.execute(f'CREATE TABLE "{table or name}" ({quoted})')
        database.executemany(f'INSERT INTO "{table or name}" VALUES ({", ".join("?" * len(columns))})', rows)
        database.commit()
    return ontology_path, database_path


def cambridge_files(folder, **changes):
    domain = cambridge_restaurants()
    ontology = {"type": domain.type, "informable": domain.informable, "requestable": domain.requestable,
                "system_requestable": ["food", "pricerange", "area"], "method": domain.methods,
                "discourseAct": domain.discourse_acts, **changes}
    columns = ["id", *domain.venues[0]]
    rows = [(i, *venue.values()) for i, venue in enumerate(domain.venues)]
    return write_files(folder, "CamRestaurants", ontology, columns, rows)


def san_francisco(folder):
    """SFRestaurants in shape and dirt: 271 rows, 242 names, NULLs, numbers, values that the ontology lacks."""
    sizes = {"goodformeal": 4, "area": 155, "food": 59, "price": 96, "near": 9, "name": 242}
    informable = {slot: [f"{slot} {i}" for i in range(n)] for slot, n in sizes.items()}
    informable |= {"pricerange": ["cheap", "expensive", "moderate"], "allowedforkids": ["0", "1"]}
    requestable = ["name", "phone", "near", "postcode", "addr", "area", "food", "pricerange", "goodformeal",
                   "allowedforkids", "price"]
    asked = ["near", "area", "food", "pricerange", "goodformeal", "allowedforkids"]
    rng = np.random.default_rng(0)
    rows = []
    for i in range(271):
        row = {slot: str(rng.choice(values)) for slot, values in informable.items()}
        row |= {"name": f"Name {i % 242}", "near": row["near"] if i < 106 else None, "phone": 4150000 + i,
                "food": "" if i % 12 == 3 else row["food"], "addr": f"{i} main st., suite {i}", "postcode": None,
                "area": "atlantis" if i == 7 else row["area"], "allowedforkids": i % 2 if i > 10 else None}
        rows.append([i, *(row[slot] for slot in requestable)])
    ontology = {"type": "restaurant", "informable": informable, "requestable": requestable,
                "system_requestable": asked, "method": METHODS, "discourseAct": DISCOURSE_ACTS}
    return write_files(folder, "SFRestaurants", ontology, ["id", *requestable], rows)


def laptops(folder):
    """Laptops11 in shape: 123 rows, 11 slots that the system asks for, 21 that the user may ask for."""
    sizes = {"warranty": 3, "isforbusinesscomputing": 2, "name": 123, "family": 4, "batteryrating": 3, "platform": 5,
             "processorclass": 10, "pricerange": 3, "driverange": 3, "sysmemory": 7, "weightrange": 3, "utility": 7}
    informable = {slot: [f"{slot[0]}{i}" for i in range(n)] for slot, n in sizes.items()}
    informable |= {"driverange": ["small", "medium", "large"], "weightrange": ["light", "medium", "heavy"],
                   "batteryrating": ["standard", "good", "exceptional"], "isforbusinesscomputing": ["false", "true"]}
    asked = [slot for slot in sizes if slot != "name"]
    requestable = [*asked, "name", "price", "weight", "battery", "drive", "dimension", "display", "design", "processor",
                   "memory"]
    rng = np.random.default_rng(1)
    rows = [[f"laptop {i}" if slot == "name" else str(rng.choice(informable.get(slot, [f"{slot} {i}"])))
             for slot in requestable] for i in range(123)]
    informable["name"] = [f"laptop {i}" for i in range(123)]
    ontology = {"type": "laptop", "informable": informable, "requestable": requestable, "system_requestable": asked,
                "method": METHODS, "discourseAct": DISCOURSE_ACTS}
    return write_files(folder, "Laptops11", ontology, requestable, rows)


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
    env = DialogueEnv(domain)
    assert (env.n_belief, env.n_actions) == (636, 24)
    assert DialogueEnv(domain, action_space="master").n_actions == 4116


def test_a_domain_of_the_shape_of_laptops_is_loaded_without_enumerating_payloads(tmp_path):
    domain = load_domain(*laptops(tmp_path))
    assert (len(domain.venues), len(domain.requestable), len(domain.payload_slots)) == (123, 21, 20)
    env = DialogueEnv(domain)
    assert (env.n_belief, env.n_actions) == (257, 39)


@pytest.mark.parametrize("make", [san_francisco, laptops])
def test_dialogues_run_in_other_domains(tmp_path, make):
    env = DialogueEnv(load_domain(*make(tmp_path)), error_rate=0.2, nbest=3, seed=0)
    rng = np.random.default_rng(0)
    for _ in range(5):
        (_, info), ended, total = env.reset(), False, 0.0
        while not ended:
            _, reward, ended, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
            total += reward
        assert total == 20 * info["success"] - info["turns"]


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
    with pytest.raises(ValueError, match="no column of table .*called .*drop table"):
        load_domain(*paths)
    ontology["requestable"] = ["name", "area", 'odd"column']
    (tmp_path / "two").mkdir()
    paths = write_files(tmp_path / "two", "bars", ontology, ["name", "area"], [("a", "x")])
    with closing(sqlite3.connect(paths[1])) as database:
        database.execute("ALTER TABLE bars ADD COLUMN \"odd\"\"column\" DEFAULT 'fine'")
    assert load_domain(*paths).venues[0]['odd"column'] == "fine"


@pytest.mark.parametrize("key", ["type", "informable", "requestable", "system_requestable", "method", "discourseAct"])
def test_an_ontology_without_a_needed_key_is_refused(tmp_path, key):
    ontology_path, database_path = cambridge_files(tmp_path)
    ontology = json.loads(ontology_path.read_text())
    del ontology[key]
    ontology_path.write_text(json.dumps(ontology))
    with pytest.raises(ValueError, match=f"CamRestaurants-rules.json has no key '{key}'; it has "):
        load_domain(ontology_path, database_path)


@pytest.mark.parametrize("changes, message", [
    ({"type": 3}, "'type' is 3; a text"),
    ({"informable": ["food"]}, r"'informable' is \['food'\]; an object"),
    ({"informable": {"food": "thai"}}, "'informable food' is a str; a list"),
    ({"informable": {"food": ["thai", None]}}, "'informable food' holds None"),
    ({"informable": {"food": ["thai", ["greek"]]}}, r"'informable food' holds \['greek'\]"),
    ({"requestable": {"food": 1}}, "'requestable' is a dict; a list"),
    ({"method": ["none", ""]}, "'method' holds ''"),
    ({"discourseAct": []}, "discourse_acts is empty"),
    ({"requestable": ["name", "area", "food", "pricerange", "area"]}, "requestable holds 'area' twice"),
    ({"system_requestable": ["food", "phone"]}, "slot 'phone' must be both informable and requestable"),
    ({"requestable": ["name", "area", "food", "pricerange", "x"]}, "no column of table .* called 'x'; it has addr")])
def test_an_ontology_of_the_wrong_shape_is_refused(tmp_path, changes, message):
    with pytest.raises(ValueError, match=f"CamRestaurants-.*{message}"):
        load_domain(*cambridge_files(tmp_path, **changes))


def test_duplicate_values_are_refused_even_if_their_case_differs(tmp_path):
    foods = {**cambridge_restaurants().informable, "food": ["thai", "Thai"]}
    with pytest.raises(ValueError, match="informable food holds 'thai' twice"):
        load_domain(*cambridge_files(tmp_path, informable=foods))


def test_files_that_are_missing_or_no_such_files_are_refused(tmp_path):
    ontology_path, database_path = cambridge_files(tmp_path)
    text, empty = tmp_path / "CamRestaurants.db", tmp_path / "empty.db"
    text.write_text("this is a text, and long enough to be taken for a database header, were it one" * 20)
    empty.write_bytes(b"")
    for ontology, database, message in (
            (tmp_path / "no.json", database_path, "ontology .*no.json cannot be read: No such file"),
            (tmp_path, database_path, "ontology .* cannot be read"),
            (ontology_path, tmp_path / "no.db", "database .*no.db cannot be read: there is no such file"),
            (ontology_path, tmp_path, "database .* cannot be read"),
            (database_path, database_path, "ontology .*dbase.db is not JSON"),
            (ontology_path, text, "database .*CamRestaurants.db is not a readable SQLite file"),
            (ontology_path, empty, "database .*empty.db has no table called 'CamRestaurants' or 'empty'; it has none")):
        with pytest.raises(ValueError, match=message):
            load_domain(ontology, database)
    assert not (tmp_path / "no.db").exists()


@pytest.mark.parametrize("text, message", [("{", "not JSON"), ("\xff", "not JSON"), ("[]", "holds a list; a JSON")])
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
    with pytest.raises(ValueError, match="venues is empty"):
        load_domain(ontology_path, database_path)
    with closing(sqlite3.connect(database_path)) as database:
        database.execute("ALTER TABLE CamRestaurants RENAME TO Bars")
    with pytest.raises(ValueError, match="dbase.db has no table called 'CamRestaurants'; it has bars"):
        load_domain(ontology_path, database_path)
