"""The commands: python -m demos.NAME, of which each explains itself by --help."""
import ast
import textwrap
from pathlib import Path

import demos
from demos.console import WIDTH, Parser

COMMANDS = ("train", "watch", "chat", "compare", "tour", "human_evaluation", "reproduce", "costs")


def commands() -> str:
    """Each command with the first line of what it says of itself."""
    texts = {name: Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8") for name in COMMANDS}
    return "\n".join(textwrap.fill(ast.get_docstring(ast.parse(text)).splitlines()[0], WIDTH,
                                   initial_indent=f"  {name:<18}", subsequent_indent=20 * " ")
                     for name, text in texts.items())


def main(argv: list[str] | None = None) -> int:
    p = Parser(f"{__doc__}\n\n{commands()}", prog="python -m demos")
    p.add_argument("--version", action="version", version=f"acer-np {demos.__version__}")
    p.parse_args(argv)
    p.print_help()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
