"""What the tests of the commands share: a finished run, the line with which a command refuses something, a domain."""
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from demos.training import Run


def finished(run: Run) -> Run:
    for _ in run.train():
        pass
    return run


def refused(main, capsys, *options: str) -> str:
    """The one line with which a command refuses its options."""
    with pytest.raises(SystemExit) as stopped:
        main(list(options))
    message = capsys.readouterr().err
    assert stopped.value.code == 2 and message.count("\n") == 1
    return message


def domain_files(folder: Path, name: str, venues: str = "abcdefgh") -> list[str]:
    """PyDial's two files for a domain of toys."""
    slots = {"size": ["big", "small"], "colour": ["red", "blue"], "name": list("abcdefgh")}
    ontology = {"type": "toy", "informable": slots, "requestable": list(slots), "system_requestable": ["size", "colour"],
                "method": ["none", "byconstraints", "byname", "byalternatives", "finished", "restart"],
                "discourseAct": ["none", "hello", "repeat", "silence", "thankyou", "ack"]}
    rules, database = folder / f"{name}-rules.json", folder / f"{name}-dbase.db"
    rules.write_text(json.dumps(ontology))
    database.unlink(missing_ok=True)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(f"CREATE TABLE {name} (name TEXT, size TEXT, colour TEXT)")
        connection.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)",
                               zip(venues, ["big", "small"] * 4, ["red"] * 4 + ["blue"] * 4))
    return [str(rules), str(database)]
