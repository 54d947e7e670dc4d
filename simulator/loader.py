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


def load_domain(ontology_path: str | PathLike, database_path: str | PathLike,
                lexicon_path: str | PathLike | None = None) -> Domain:
    """The domain of two files such as CamRestaurants-rules.json and CamRestaurants-dbase.db, perhaps with a lexicon.

    The table must be called like the domain, i.e. like one of the files up to the first "-" or ".", and have a column
    for every slot. All texts are lower-cased; NULL becomes the empty text.
    """
    ontology_path, database_path = Path(ontology_path), Path(database_path)
    ontology = _read_ontology(ontology_path)
    slots = dict.fromkeys([*ontology["informable"], *ontology["requestable"], *ontology["system_requestable"]])
    names = [path.name.split("-")[0].split(".")[0] for path in (ontology_path, database_path)]
    venues = _read_venues(database_path, names, tuple(slots))
    try:
        domain = Domain(name=names[0], venues=venues, **ontology)
    except ValueError as error:
        raise ValueError(f"{ontology_path} and {database_path} make no domain: {error}") from None
    return domain if lexicon_path is None else replace(domain, lexicon=load_lexicon(lexicon_path, domain))


def _read_ontology(path: Path) -> dict:
    """The six entries of the ontology as fields of Domain, lists as tuples of lower-case texts."""
    try:
        ontology = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ValueError(f"ontology {path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"ontology {path} is not JSON: {error}") from None
    if not isinstance(ontology, dict):
        raise ValueError(f"ontology {path} holds a {type(ontology).__name__}; a JSON object is needed")
    for key in ("type", "informable", *LISTS):
        if key not in ontology:
            raise ValueError(f"ontology {path} has no key {key!r}; it has {', '.join(sorted(ontology)) or 'none'}")
    for key, kind, needed in (("type", str, "a text such as 'restaurant'"),
                              ("informable", dict, "an object from slots to lists of values")):
        if not isinstance(ontology[key], kind):
            raise ValueError(f"ontology {path}: {key!r} is {ontology[key]!r}; {needed} is needed")
    informable = {_text(slot): _texts(path, f"informable {slot}", values)
                  for slot, values in ontology["informable"].items()}
    return {"type": _text(ontology["type"]), "informable": informable,
            **{field: _texts(path, key, ontology[key]) for key, field in LISTS.items()}}


def _texts(path: Path, key: str, values: object) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise ValueError(f"ontology {path}: {key!r} is a {type(values).__name__}; a list of texts is needed")
    for value in values:
        if not isinstance(value, (str, int, float)) or not _text(value):
            raise ValueError(f"ontology {path}: {key!r} holds {value!r}; every entry must be a text that is not empty")
    return tuple(map(_text, values))


def _text(value: object) -> str:
    """How values are written everywhere: lower-case; a missing one is the empty text."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return "" if value is None else str(value).strip().lower()


def _read_venues(path: Path, names: list[str], slots: tuple[str, ...]) -> tuple[dict[str, str], ...]:
    """One dictionary per row, in table order, with the slots of the ontology only."""
    if not path.is_file():
        raise ValueError(f"database {path} cannot be read: there is no such file")
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            database.text_factory = bytes           # a text of the wrong encoding is no reason to refuse the table
            tables = database.execute("SELECT name FROM sqlite_master WHERE type IN (?, ?)", ("table", "view"))
            table = _identifier(path, "table", names, [_text(name) for name, in tables])
            columns = [_text(column[1]) for column in database.execute(f"PRAGMA table_info({table})")]
            wanted = [_identifier(path, f"column of table {table}", [slot], columns) for slot in slots]
            rows = database.execute(f"SELECT {', '.join(wanted)} FROM {table}")
            return tuple(dict(zip(slots, map(_text, row))) for row in rows)
    except sqlite3.Error as error:
        raise ValueError(f"database {path} is not a readable SQLite file: {error}") from None


def _identifier(path: Path, what: str, names: list[str], seen: list[str]) -> str:
    """The first of the names that the schema knows, quoted; nothing else ever becomes part of a statement."""
    for name in names:
        if name.lower() in seen:
            return '"' + name.lower().replace('"', '""') + '"'
    raise ValueError(f"database {path} has no {what} called {' or '.join(map(repr, dict.fromkeys(names)))}; "
                     f"it has {', '.join(sorted(seen)) or 'none'}")
