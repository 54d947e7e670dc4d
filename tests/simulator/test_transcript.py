"""What people read of a dialogue: goals, beliefs and turns, word by word, and whole transcripts."""
from simulator.goal import Goal
from simulator.transcript import Turn, describe_belief, describe_goal, tell
from tests.simulator.strategies import DOMAIN, OFFER, WISHES, A, after, opened
from tests.simulator.written import parse_act as act


def test_a_goal_tells_wishes_exclusions_and_open_and_answered_requests():
    goal = Goal({"food": "thai", "area": "dontcare"}, {"name": "a", "phone": None}, ["x", "y"])
    assert describe_goal(goal) == "food=thai, area=dontcare, name!=x, name!=y; wants to know name=a, phone=?"


def test_a_belief_tells_what_is_accepted_what_is_asked_for_and_the_method():
    assert describe_belief(after(("hello()", "hello()"))) == "byconstraints"
    belief = after(("hello()", ("inform(food=thai, area=north)", 0.6), ("inform(food=thai)", 0.4)),
                   (OFFER, ("request(phone)", 0.9), ("request(addr)", 0.1)))
    belief = belief._replace(requested=belief.requested | {"postcode": 0.01})      # too little to mention
    assert describe_belief(belief) == "area=north 0.60, food=thai 1.00, phone? 0.90, addr? 0.10, byname"


def turn(heard, user_act=WISHES, action=""):
    user_act = user_act and act(user_act)
    return tell(Turn(action, act("request(area)"), user_act, [(act(text), mass) for text, mass in heard],
                     after(("hello()", "inform(area=north)"))), DOMAIN)


def test_a_turn_tells_what_was_heard_only_if_it_differs():
    labels = ["system", "", "user", "", "belief"]
    assert [label for label, _ in turn([(WISHES, 1.0)])] == labels
    assert turn([(WISHES, 0.75), ("ack()", 0.25)])[4:6] == [("heard", f"0.75 {WISHES}"),
                                                           ("heard", "0.25 ack()   <- misheard")]
    assert turn([("ack()", 1.0)])[4:] == [("heard", "1.00 ack()   <- misheard"),
                                          ("belief", "area=north 1.00, byconstraints")]


def test_a_turn_tells_the_action_and_no_belief_after_a_goodbye():
    assert turn([(WISHES, 1.0)])[1] == ("", "request(area)")
    assert turn([(WISHES, 1.0)], action="request_area")[1] == ("", "request(area)   [request_area]")
    assert [label for label, _ in turn([("bye()", 1.0)], "bye()")] == ["system", "", "user", ""]
    assert [label for label, _ in turn([], None)] == ["system", ""]


def test_the_transcript_tells_goal_acts_actions_beliefs_and_the_end():
    env = opened(("name", "phone"))
    env.step(env.system.actions.index("request_area"))
    env.channel.error_rate = 1.0
    env.step(act(OFFER))
    env.channel.error_rate = 0.0
    env.step(act(f"inform(name={A}, phone=123)"))
    lines = env.transcript().splitlines()
    wishes = f"food=chinese, area=centre, pricerange=cheap, name={A}"
    assert lines[0] == f"goal     {wishes}; wants to know name={A}, phone=123"
    asked = lines.index("system   Which part of town would suit you?")
    assert lines[asked - 1:asked + 2:2] == ["", "         request(area)   [request_area]"]
    asked = lines.index("user     Could you tell me the phone number?")
    assert lines[asked - 1:asked + 2:2] == [f"         {OFFER}", "         request(phone)"]
    assert lines[asked + 2].startswith("heard    1.00 ") and lines[asked + 2].endswith(")   <- misheard")
    assert sum(line.startswith("heard") for line in lines) == 1
    assert any(line.startswith("belief   area=centre 1.00") for line in lines)
    assert lines[-4:] == ["user     Goodbye.", "         bye()", "", "success after 4 turns, reward 16"]


def test_the_transcript_of_a_dialogue_under_way_has_no_end():
    env = opened(("name", "phone"), other_venue=1)
    env.step(act(OFFER))
    assert f"name!={A}; wants to know name=?, phone=?" in env.transcript() and "reward" not in env.transcript()
