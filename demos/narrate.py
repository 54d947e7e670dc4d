"""A dialogue for people: English, dialogue acts, what was heard, the belief and the chosen action."""
from simulator.env import DialogueEnv, describe_belief, describe_goal
from simulator.speak import system_utterance, user_utterance


def narrate(env: DialogueEnv) -> str:
    """The last dialogue of the environment, turn by turn."""
    lines = [f"goal     {describe_goal(env.user.goal)}"]
    for turn in env.log:
        chosen = f"   [{turn.action}]" if turn.action else ""
        lines += ["", f"system   {system_utterance(turn.system_act, env.domain)}",
                  f"         {turn.system_act}{chosen}"]
        if turn.user_act is not None:
            lines += [f"user     {user_utterance(turn.user_act, env.domain)}", f"         {turn.user_act}"]
        if [act for act, _ in turn.heard] not in ([], [turn.user_act]):
            lines.append("heard    " + ", ".join(f"{mass:.2f} {act}" for act, mass in turn.heard))
        if turn.user_act is not None and turn.user_act.type != "bye":
            lines.append(f"belief   {describe_belief(turn.belief)}")
    return "\n".join(lines)
