"""A simulated user who looks for a venue, a noisy channel, a belief tracker and the system's actions."""
from simulator.acts import Act, Item                                                   # what is said
from simulator.cambridge import cambridge_restaurants                                  # the built-in domain ...
from simulator.domain import Domain                                                    # ... one of your own ...
from simulator.env import ENVIRONMENTS, DialogueEnv                                    # reset, step, transcript
from simulator.loader import load_domain                                               # ... or one from two files
from simulator.policies import handcrafted, uniform_random                             # to compare with
from simulator.system import System                                                    # the side that talks to anyone

__all__ = ["Act", "DialogueEnv", "Domain", "ENVIRONMENTS", "Item", "System", "cambridge_restaurants", "handcrafted",
           "load_domain", "uniform_random"]
