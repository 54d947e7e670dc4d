"""ACER, A2C with replay and eNAC in plain NumPy: they know arrays, not dialogues."""
from acer_np.a2c import A2CAgent, A2CConfig              # the baseline with a value function
from acer_np.acer import ACERAgent, ACERConfig           # the algorithm of the paper; ACERConfig.paper() has its values
from acer_np.enac import ENACAgent, ENACConfig           # the baseline with natural gradients
from acer_np.heads import SummaryHeads                   # one output per action
from acer_np.master_heads import MasterHeads             # actions that carry a payload, in two factors
from acer_np.machine import keep_memory, use_one_thread  # called below

__all__ = ["A2CAgent", "A2CConfig", "ACERAgent", "ACERConfig", "ENACAgent", "ENACConfig", "MasterHeads", "SummaryHeads"]

use_one_thread("numpy", "scipy.linalg")
keep_memory()
