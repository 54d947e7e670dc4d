"""Talk in English to a policy, which is trained first if need be.

    python -m demos.chat
"""
import argparse

from demos.agents import favourites
from demos.console import Parser, aligned, exit_code, listen
from demos.conversation import Conversation
from demos.options import add_policy_options
from demos.runs import described, policy_of
from simulator import Domain
from simulator.belief import Belief

HELP = """  Say what you are looking for, answer, ask, change your mind; a goodbye ends the conversation.
  /belief   what the system believes that you want
  /why      the actions it thought best when it chose its last words
  /acts     what it understood last and what it said, as dialogue acts
  /restart  begins a new conversation
  /quit     ends it without a goodbye"""
N_ACTIONS, BAR = 5, 10           # how many actions /why shows, and the length of a bar that stands for certainty


def bars(belief: Belief, domain: Domain) -> str:
    """The belief, one line per value."""
    blocks = {slot: belief.goal.get(slot, {}) for slot in domain.informable}
    blocks |= {"asked for": belief.requested, "method": belief.method}
    rows, width = [], max(map(len, blocks)) + 2
    for block, masses in blocks.items():
        likely = sorted((-mass, value) for value, mass in masses.items() if mass > 0.005)
        for i, (mass, value) in enumerate(likely):
            rows.append(f"  {'' if i else block:<{width}}{value:<20}{'#' * round(BAR * -mass):<{BAR}} {-mass:.2f}")
        if not likely and block in domain.system_requestable:
            rows.append(f"  {block:<{width}}not known")
    return "\n".join(rows)


def explain(command: str, talk: Conversation) -> str:
    """The answer to a command."""
    if command == "/belief":
        return bars(talk.system.belief, talk.system.domain)
    if command == "/acts":
        return f"  understood  {' '.join(map(str, talk.understood)) or 'nothing'}\n  said        {talk.system.said}"
    if command == "/why" and talk.mask is None:
        return "  It has not had to choose yet."
    if command == "/why":
        table = favourites(talk.agent, talk.system.actions, talk.vector, talk.mask, N_ACTIONS)
        return "  " + (aligned(table).replace("\n", "\n  ") or "This policy does not weigh its actions.")
    return HELP if command == "/help" else f"  There is no {command}; /help shows what there is."


def chat(args: argparse.Namespace) -> None:
    """Conversations, until a goodbye or /quit."""
    run, talk = policy_of(args), None
    print(f"This is {described(run)}; /help shows what you can do.\n")
    while not talk or not talk.over:
        if not talk:
            talk = Conversation(run.env.system, run.agent)
            print(f"system  {talk.words}")
        line = listen("you")
        command = line.split()[0].lower() if line.startswith("/") else "/help" * (line.lower() == "help")
        if command == "/quit":
            return
        if command == "/restart":
            talk = None
        elif command:
            print(explain(command, talk))
        else:
            print(f"system  {talk.answer(line)}" if line else "  Say something, or /help.")


def main(argv: list[str] | None = None) -> int:
    p = Parser(__doc__, prog="python -m demos.chat", usage="%(prog)s [FOLDER] [options]")
    add_policy_options(p)
    return exit_code(p, argv, chat)


if __name__ == "__main__":
    raise SystemExit(main())
