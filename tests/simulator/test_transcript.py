"""What people read of a dialogue: goals, beliefs and turns, word by word, and whole transcripts."""
from simulator.goal import Goal
from simulator.transcript import Turn, describe_belief, describe_goal, tell
from tests.simulator.strategies import DOMAIN, OFFER, WISHES, A, act, after, opened


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


def test_a_transcript_tells_the_goal_every_turn_and_how_the_dialogue_ended_once_it_has():
    env = opened(("name", "phone"))
    env.step(act(OFFER))
    lines = env.transcript().splitlines()
    wishes = f"food=chinese, area=centre, pricerange=cheap, name={A}; wants to know name={A}, phone="
    assert lines[:3] == [f"goal     {wishes}?", "", "system   Hello! What kind of restaurant are you looking for?"]
    assert lines[-2:] == ["         request(phone)", "belief   food=chinese 1.00, phone? 1.00, byname"]
    env.step(act(f"inform(name={A}, phone=123)"))
    lines = env.transcript().splitlines()
    assert lines[0] == f"goal     {wishes}123" and lines.count("") == 4
    assert lines[-4:] == ["user     Goodbye.", "         bye()", "", "success after 3 turns, reward 17"]
