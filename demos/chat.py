"""Talk in English to a policy, which is trained first if need be.

    python -m demos.chat
"""
import argparse

from demos.agents import favourites
from demos.console import Parser, aligned, exit_code
from demos.conversation import Conversation, converse
from demos.options import add_policy_options
from demos.runs import described, policy_of
from simulator.transcript import describe_belief

HELP = """  Say what you are looking for, answer, ask, change your mind; a goodbye ends the conversation.
  /belief   what the system believes that you want
  /why      the actions it thought best when it chose its last words
  /acts     what it understood last and what it said, as dialogue acts
  /quit     ends it without a goodbye"""
N_ACTIONS = 5                    # that /why shows


def explain(line: str, talk: Conversation) -> str:
    """The answer to a command, or the help."""
    command = line.lower().split()[0] if line else ""
    if command == "/belief":
        return f"  {describe_belief(talk.system.belief)}"
    if command == "/acts":
        return f"  understood  {' '.join(map(str, talk.understood)) or 'nothing'}\n  said        {talk.system.said}"
    if command == "/why" and talk.mask is None:
        return "  It has not had to choose yet."
    if command == "/why":
        table = favourites(talk.agent, talk.system.actions, talk.vector, talk.mask, N_ACTIONS)
        return "  " + (aligned(table).replace("\n", "\n  ") or "This policy does not weigh its actions.")
    return HELP


def chat(args: argparse.Namespace) -> None:
    """A conversation, until a goodbye or /quit."""
    run = policy_of(args)
    talk = Conversation(run.env.system, run.agent)
    print(f"This is {described(run)}; /help shows what you can do.\n")
    converse(talk, lambda line: explain(line, talk))


def main(argv: list[str] | None = None) -> int:
    p = Parser(__doc__, prog="python -m demos.chat", usage="%(prog)s [FOLDER] [options]")
    add_policy_options(p)
    return exit_code(p, argv, chat)


if __name__ == "__main__":
    raise SystemExit(main())
