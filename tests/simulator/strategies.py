"""What several tests of the simulator share: domains, files, beliefs, users whose choices are fixed."""
import json
import sqlite3
from collections import Counter
from contextlib import closing
from copy import copy
from itertools import cycle
from types import SimpleNamespace

import numpy as np

from simulator.actions import Actions
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
SUMMARY, MASTER = (Actions(DOMAIN, TRACKER, space, np.random.default_rng(0)) for space in ("summary", "master"))
A, B, C = "golden pagoda", "the silk junk", "red lacquer"          # chinese, in the centre, cheap; in table order
GOAL = {"food": "chinese", "area": "centre", "pricerange": "cheap"}
WISHES = "inform(food=chinese, area=centre, pricerange=cheap)"
OFFER = f"inform(name={A}, area=centre, food=chinese, pricerange=cheap)"
NOTHING = "inform(name=none, food=chinese, area=centre, pricerange=cheap)"
NEVER = Persona(*[0.0] * len(Persona._fields))._replace(patience=5)
AGENDA = ["inform(type=restaurant)", "inform(food=chinese)", "inform(area=centre)", "inform(pricerange=cheap)", "bye()"]


# ---- domains and files

def domain_of(informable, extra=(), venues=None, type="laptop", name="small"):
    """A domain in which the system may ask for all that is informable; venues take the values in turn if none come."""
    requestable = (*informable, *extra)
    columns = {slot: cycle(informable.get(slot, ("3 30",))) for slot in requestable}
    venues = venues or [{slot: next(column) for slot, column in columns.items()} for _ in range(4)]
    return Domain(name, type, informable, requestable, tuple(slot for slot in informable if slot != "name"),
                  DOMAIN.methods, DOMAIN.discourse_acts, tuple(venues))


def small_domain(values, rows):
    """values: slot -> a text of its values, a letter each; rows: one text per venue, with a letter for each slot."""
    venues = [{"name": f"v{i}"} | dict(zip(values, row)) for i, row in enumerate(rows)]
    return domain_of({slot: tuple(letters) for slot, letters in values.items()} |
                     {"name": tuple(venue["name"] for venue in venues)}, (), venues, "pub")


def actions_of(domain, space="summary"):
    return Actions(domain, FocusTracker(domain), space, np.random.default_rng(0))


def ontology_of(**entries):
    """An ontology as it stands in a file."""
    return {"type": "bar", "method": DOMAIN.methods, "discourseAct": DOMAIN.discourse_acts, **entries}


def write_files(folder, name, ontology, columns, rows, table=None):
    """An ontology and a database such as PyDial's; returns both paths."""
    ontology_path, database_path = folder / f"{name}-rules.json", folder / f"{name}-dbase.db"
    ontology_path.write_text(json.dumps(ontology), encoding="utf-8")
    with closing(sqlite3.connect(database_path)) as database:
        quoted = ", ".join(f'"{column}"' for column in columns)
        database.execute(f'CREATE TABLE "{table or name}" ({quoted})')
        database.executemany(f'INSERT INTO "{table or name}" VALUES ({", ".join("?" * len(columns))})', rows)
        database.commit()
    return ontology_path, database_path


def cambridge_files(folder, **changes):
    ontology = ontology_of(type=DOMAIN.type, informable=DOMAIN.informable, requestable=DOMAIN.requestable,
                           system_requestable=["food", "pricerange", "area"]) | changes
    rows = [(i, *venue.values()) for i, venue in enumerate(DOMAIN.venues)]
    return write_files(folder, "CamRestaurants", ontology, ["id", *DOMAIN.venues[0]], rows)


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


_TEMPLATE = User(DOMAIN, np.random.default_rng(0), np.random.default_rng(1), "fixed")


def make_user(constraints=GOAL, requests=("name",), agenda=None, answers=None, excluded=(), patience=5, seed=1,
              **probabilities):
    """A user for whom every choice has probability 0 but the given ones; agenda: from top to bottom."""
    user = copy(_TEMPLATE)
    user.rng = np.random.default_rng(seed)
    user.goals = SimpleNamespace(draw=lambda rng: Goal(dict(constraints), dict.fromkeys(requests), list(excluded)))
    user.reset()
    user.p, user.patience = NEVER._replace(**probabilities), patience
    user.goal.requests.update(answers or {})
    if agenda is not None:
        user.agenda = [act(text) for text in reversed(agenda)]
    return user


def content(requests=("name",), accepted=None, **more):
    """A user with nothing but bye on their agenda, perhaps with an accepted venue."""
    user = make_user(requests=requests, **{"agenda": ["bye()"]} | more)
    if accepted:
        user.goal.constraints["name"], user.goal.requests["name"], user.first_offer = accepted, accepted, False
    return user


def reply(user, text):
    return str(user.respond(act(text)))


def replies(text, n=200, **settings):
    """What users who are alike but for their luck say to the same act, and those users."""
    users = [content(seed=seed, **settings) for seed in range(n)]
    return Counter(reply(user, text) for user in users), users


def agenda(user):
    return [str(a) for a in reversed(user.agenda)]


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
