"""What several tests of the simulator share: domains, files, beliefs, users whose choices are fixed."""
import json
import sqlite3
from contextlib import closing
from copy import copy
from types import SimpleNamespace

import numpy as np

from simulator.actions import Actions
from simulator.acts import Act, Item
from simulator.belief import FocusTracker
from simulator.belief_vector import BeliefVector
from simulator.cambridge import cambridge_restaurants
from simulator.domain import Domain
from simulator.env import DialogueEnv
from simulator.error_model import Channel
from simulator.goal import Goal
from simulator.persona import Persona
from simulator.user import User
from tests.simulator.written import parse_act as act


DOMAIN = cambridge_restaurants()
TRACKER, VECTOR = FocusTracker(DOMAIN), BeliefVector(DOMAIN)
SUMMARY = Actions(DOMAIN, TRACKER, "summary", np.random.default_rng(0))
MASTER = Actions(DOMAIN, TRACKER, "master", np.random.default_rng(0))
A, B, C = "golden pagoda", "the silk junk", "red lacquer"          # chinese, in the centre, cheap; in table order
GOAL = {"food": "chinese", "area": "centre", "pricerange": "cheap"}
WISHES = "inform(food=chinese, area=centre, pricerange=cheap)"
OFFER = f"inform(name={A}, area=centre, food=chinese, pricerange=cheap)"
NOTHING = "inform(name=none, food=chinese, area=centre, pricerange=cheap)"
NEVER = Persona(*[0.0] * len(Persona._fields))._replace(patience=5)
AGENDA = ["inform(type=restaurant)", "inform(food=chinese)", "inform(area=centre)", "inform(pricerange=cheap)", "bye()"]
METHODS = ["none", "byconstraints", "byname", "finished", "byalternatives", "restart"]
DISCOURSE_ACTS = ["ack", "hello", "none", "repeat", "silence", "thankyou"]


# ---- acts, domains and files

def act_of(kind, /, *slots, **pairs):
    """act_of("request", "phone") and act_of("inform", food="thai") spell the usual acts."""
    return Act(kind, (*map(Item, slots), *(Item(slot, value) for slot, value in pairs.items())))


def small_domain(system_requestable, values, rows):
    """values: slot -> its values; rows: one text per venue, with a letter for each slot."""
    venues = tuple({"name": f"v{i}"} | dict(zip(values, row)) for i, row in enumerate(rows))
    informable = {slot: tuple(letters) for slot, letters in values.items()} | {"name": tuple(v["name"] for v in venues)}
    return Domain("small", "pub", informable, (*values, "name"), system_requestable, DOMAIN.methods,
                  DOMAIN.discourse_acts, venues)


def write_files(folder, name, ontology, columns, rows, table=None):
    """An ontology and a database such as PyDial's; returns both paths."""
    ontology_path, database_path = folder / f"{name}-rules.json", folder / f"{name}-dbase.db"
    ontology_path.write_text(ontology if isinstance(ontology, str) else json.dumps(ontology), encoding="utf-8")
    with closing(sqlite3.connect(database_path)) as database:
        quoted = ", ".join(f'"{column}"' for column in columns)
        database.execute(f'CREATE TABLE "{table or name}" ({quoted})')
        database.executemany(f'INSERT INTO "{table or name}" VALUES ({", ".join("?" * len(columns))})', rows)
        database.commit()
    return ontology_path, database_path


def cambridge_files(folder, **changes):
    domain = cambridge_restaurants()
    ontology = {"type": domain.type, "informable": domain.informable, "requestable": domain.requestable,
                "system_requestable": ["food", "pricerange", "area"], "method": domain.methods,
                "discourseAct": domain.discourse_acts, **changes}
    columns = ["id", *domain.venues[0]]
    rows = [(i, *venue.values()) for i, venue in enumerate(domain.venues)]
    return write_files(folder, "CamRestaurants", ontology, columns, rows)


def san_francisco(folder):
    """SFRestaurants in shape and dirt: 271 rows, 242 names, NULLs, numbers, values that the ontology lacks."""
    sizes = {"goodformeal": 4, "area": 155, "food": 59, "price": 96, "near": 9, "name": 242}
    informable = {slot: [f"{slot} {i}" for i in range(n)] for slot, n in sizes.items()}
    informable |= {"pricerange": ["cheap", "expensive", "moderate"], "allowedforkids": ["0", "1"]}
    requestable = ["name", "phone", "near", "postcode", "addr", "area", "food", "pricerange", "goodformeal",
                   "allowedforkids", "price"]
    asked = ["near", "area", "food", "pricerange", "goodformeal", "allowedforkids"]
    rng = np.random.default_rng(0)
    rows = []
    for i in range(271):
        row = {slot: str(rng.choice(values)) for slot, values in informable.items()}
        row |= {"name": f"Name {i % 242}", "near": row["near"] if i < 106 else None, "phone": 4150000 + i,
                "food": "" if i % 12 == 3 else row["food"], "addr": f"{i} main st., suite {i}", "postcode": None,
                "area": "atlantis" if i == 7 else row["area"], "allowedforkids": i % 2 if i > 10 else None}
        rows.append([i, *(row[slot] for slot in requestable)])
    ontology = {"type": "restaurant", "informable": informable, "requestable": requestable,
                "system_requestable": asked, "method": METHODS, "discourseAct": DISCOURSE_ACTS}
    return write_files(folder, "SFRestaurants", ontology, ["id", *requestable], rows)


def laptops(folder):
    """Laptops11 in shape: 123 rows, 11 slots that the system asks for, 21 that the user may ask for."""
    sizes = {"warranty": 3, "isforbusinesscomputing": 2, "name": 123, "family": 4, "batteryrating": 3, "platform": 5,
             "processorclass": 10, "pricerange": 3, "driverange": 3, "sysmemory": 7, "weightrange": 3, "utility": 7}
    informable = {slot: [f"{slot[0]}{i}" for i in range(n)] for slot, n in sizes.items()}
    informable |= {"driverange": ["small", "medium", "large"], "weightrange": ["light", "medium", "heavy"],
                   "batteryrating": ["standard", "good", "exceptional"], "isforbusinesscomputing": ["false", "true"]}
    asked = [slot for slot in sizes if slot != "name"]
    requestable = [*asked, "name", "price", "weight", "battery", "drive", "dimension", "display", "design", "processor",
                   "memory"]
    rng = np.random.default_rng(1)
    rows = [[f"laptop {i}" if slot == "name" else str(rng.choice(informable.get(slot, [f"{slot} {i}"])))
             for slot in requestable] for i in range(123)]
    informable["name"] = [f"laptop {i}" for i in range(123)]
    ontology = {"type": "laptop", "informable": informable, "requestable": requestable, "system_requestable": asked,
                "method": METHODS, "discourseAct": DISCOURSE_ACTS}
    return write_files(folder, "Laptops11", ontology, requestable, rows)


# ---- beliefs and users

def after(*turns, belief=None, tracker=TRACKER):
    """The belief after some turns, each (system act, heard act) or (system act, (heard act, mass), ...)."""
    belief = belief or tracker.initial()
    for system, *heard in turns:
        heard = heard if isinstance(heard[0], tuple) else [(heard[0], 1.0)]
        belief = tracker.update(belief, act(system), [(act(text), mass) for text, mass in heard])
    return belief


def groups(belief):
    return VECTOR.encode(belief)[VECTOR.slices["inform_info"]].reshape(5, 5).tolist()


def allowed(belief):
    return {SUMMARY.summary[i] for i in np.flatnonzero(SUMMARY.mask(belief))}


_TEMPLATE = User(DOMAIN, np.random.default_rng(0), np.random.default_rng(1), "fixed")


def make_user(constraints=GOAL, requests=("name",), agenda=None, answers=None, **probabilities):
    """A user for whom every choice has probability 0 but the given ones; agenda: from top to bottom."""
    user = copy(_TEMPLATE)
    user.rng = np.random.default_rng(1)
    user.goals = SimpleNamespace(draw=lambda rng: Goal(dict(constraints), dict.fromkeys(requests)))
    user.reset()
    user.p = NEVER._replace(**probabilities)
    user.goal.requests.update(answers or {})
    if agenda is not None:
        user.agenda = [act(text) for text in reversed(agenda)]
    return user


def reply(user, text):
    return str(user.respond(act(text)))


def agenda(user):
    return [str(a) for a in reversed(user.agenda)]


def content(requests=("name",), accepted=None, **more):
    """A user with nothing but bye on its agenda, perhaps with an accepted venue."""
    user = make_user(requests=requests, agenda=["bye()"], **more)
    if accepted:
        user.goal.constraints["name"], user.goal.requests["name"], user.first_offer = accepted, accepted, False
    return user


# ---- channels and environments

def channel(seed=0, **settings):
    return Channel(DOMAIN, np.random.default_rng(seed), **settings)


def confusions(text, n=3000, **settings):
    noisy = channel(error_rate=1.0, **settings)
    return [noisy.confuse(act(text)) for _ in range(n)]


def opened(requests=("name",), max_turns=25, **probabilities):
    """An environment whose user has told all of its wishes and makes no choice but those given."""
    env = DialogueEnv(seed=0, max_turns=max_turns)
    env.user.goals.draw = lambda rng: Goal(dict(GOAL), dict.fromkeys(requests))
    env.reset()
    env.user.p = NEVER._replace(**probabilities)
    env.user.agenda = [act("bye()")]
    return env
