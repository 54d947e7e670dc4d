"""Reads a domain from PyDial's pair of files: an ontology in JSON and a table of venues in SQLite."""
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from os import PathLike
from pathlib import Path

from simulator.domain import Domain
from simulator.lexicon import load_lexicon

LISTS = {"requestable": "requestable", "system_requestable": "system_requestable", "method": "methods",
         "discourseAct": "discourse_acts"}              # key of the ontology: field of Domain
KINDS = {"type": str, "informable": dict, **dict.fromkeys(LISTS, list)}


def load_domain(ontology_path: str | PathLike, database_path: str | PathLike,
                lexicon_path: str | PathLike | None = None) -> Domain:
    """The domain of two files such as CamRestaurants-rules.json and CamRestaurants-dbase.db, perhaps with a lexicon.

    The table must be called like the domain, i.e. like one of the files up to the first "-" or ".", and have a column
    for every slot. All texts are lower-cased; NULL becomes the empty text.
    """
    ontology_path, database_path = Path(ontology_path), Path(database_path)
    ontology = read_ontology(ontology_path)
    slots = dict.fromkeys([*ontology["informable"], *ontology["requestable"], *ontology["system_requestable"]])
    names = [path.name.split("-")[0].split(".")[0] for path in (ontology_path, database_path)]
    venues = _read_venues(database_path, names, tuple(slots))
    try:
        domain = Domain(name=names[0], venues=venues, **ontology)
    except ValueError as error:
        raise ValueError(f"domain of {ontology_path} and {database_path}: {error}") from None
    return domain if lexicon_path is None else replace(domain, lexicon=load_lexicon(lexicon_path, domain))


def read_ontology(path: Path) -> dict:
    """The six entries of the ontology as fields of Domain, lists as tuples of lower-case texts."""
    try:
        ontology = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"ontology is {path}, expected a JSON file: {error}") from None
    if not isinstance(ontology, dict):
        raise ValueError(f"ontology {path} is a {type(ontology).__name__}, expected a dict")
    for key, kind in KINDS.items():
        if not isinstance(ontology.get(key), kind):
            raise ValueError(f"{key!r} of ontology {path} is {ontology.get(key)!r:.80}, expected a {kind.__name__}")
    informable = {_text(slot): _texts(path, f"informable {slot}", values)
                  for slot, values in ontology["informable"].items()}
    return {"type": _text(ontology["type"]), "informable": informable,
            **{field: _texts(path, key, ontology[key]) for key, field in LISTS.items()}}


def _texts(path: Path, key: str, values: object) -> tuple[str, ...]:
    for value in values if isinstance(values, list) else [values]:
        if not (isinstance(values, list) and isinstance(value, (str, int, float)) and _text(value)):
            raise ValueError(f"{key!r} of ontology {path} holds {value!r:.80}, expected a list of texts, none empty")
    return tuple(map(_text, values))


def _text(value: object) -> str:
    """How values are written everywhere: lower-case; a missing one is the empty text."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return "" if value is None else str(value).strip().lower()


def _read_venues(path: Path, names: list[str], slots: tuple[str, ...]) -> tuple[dict[str, str], ...]:
    """One dictionary per row, in table order, with the slots of the ontology only."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            return _read_table(path, database, names, slots)
    except sqlite3.Error as error:
        raise ValueError(f"database is {path}, expected a readable SQLite file: {error}") from None


def _read_table(path: Path, database: sqlite3.Connection, names: list[str], slots: tuple[str, ...]) -> tuple[dict, ...]:
    """The rows of a table; views are passed over, for they may have no end.

    Names are spelt as the schema spells them, since SQLite takes unknown names for texts. SQLite does not notice a cut
    within a page, so the length of the file is checked.
    """
    n_pages, page_size = (database.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "page_size"))
    if path.stat().st_size < n_pages * page_size:
        raise ValueError(f"database {path} is {path.stat().st_size} bytes long, expected {n_pages * page_size}")
    found = database.execute("SELECT CAST(name AS TEXT) FROM sqlite_master WHERE type = 'table'")
    tables = {_text(name): name for name, in found}
    table = next((tables[name.lower()] for name in names if name.lower() in tables), None)
    if table is None:
        raise ValueError(f"database {path} has the tables {', '.join(sorted(tables)) or 'none'}, "
                         f"expected {' or '.join(dict.fromkeys(names))}")
    database.text_factory = bytes               # a text of the wrong encoding is no reason to refuse the table
    quoted = table.replace('"', '""')
    rows = database.execute(f'SELECT * FROM "{quoted}"')
    columns = [_text(column[0]) for column in rows.description]
    for slot in slots:
        if columns.count(slot) != 1:
            raise ValueError(f"table {table} of database {path} has the columns {', '.join(sorted(columns))}, "
                             f"expected {slot!r} once")
    return tuple({slot: text for slot, text in zip(columns, map(_text, row)) if slot in slots} for row in rows)
