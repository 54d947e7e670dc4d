"""The README names things that exist, and its example runs."""
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAP = README.split("## From equation to code to test")[1].split("\n## ")[0]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in MAP.splitlines() if line.startswith("| ")][1:]


@pytest.mark.parametrize("paper, code, tests", ROWS)
def test_every_name_in_the_map_exists(paper, code, tests):
    for module, name in re.findall(r"`(\w+)\.(\w+)`", code):
        package = next(p for p in ("acer_np", "gp_sarsa") if (ROOT / p / f"{module}.py").exists())
        assert hasattr(importlib.import_module(f"{package}.{module}"), name)
    assert all((ROOT / path).exists() for path in re.findall(r"`(tests/\w+\.py)`", tests)) and "tests/" in tests


def test_every_file_in_the_reading_list_exists_and_none_is_missing():
    table = README.split("| read | for |")[1].split("\n\n")[0]
    named, folder = set(), ""
    for cell in re.findall(r"^\| (.*?) \|", table, re.MULTILINE):
        for path in re.findall(r"`([\w/]+\.py)`", cell):
            folder = path.rpartition("/")[0] or folder
            named.add(f"{folder}/{path.rpartition('/')[2]}")
    written = {str(path.relative_to(ROOT)) for package in ("simulator", "acer_np", "gp_sarsa")
               for path in (ROOT / package).glob("*.py") if path.name != "__init__.py"}
    assert named == written


def test_the_example_of_an_own_agent_runs(capsys):
    block = next(block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "flatnonzero" in block)
    exec(compile(block, "README.md", "exec"), {})
    assert "goal" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(set(re.findall(r"python -m demos\.(\w+)", README))))
def test_every_command_explains_itself(name, capsys):
    with pytest.raises(SystemExit) as end:
        importlib.import_module(f"demos.{name}").main(["--help"])
    assert end.value.code == 0 and "usage" in capsys.readouterr().out.lower()


def test_ci_runs_the_test_command_of_the_readme():
    command = next(line for line in README.splitlines() if line.endswith("-m pytest -q"))
    assert command in (ROOT / ".ci" / "run").read_text()
