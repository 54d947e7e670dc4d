"""ACER, A2C with replay and eNAC in NumPy and SciPy; the agents see only arrays."""
from acer_np.a2c import A2CAgent, A2CConfig              # the baseline with a value function
from acer_np.acer import ACERAgent, ACERConfig           # the algorithm of the paper; ACERConfig.paper() has its values
from acer_np.enac import ENACAgent, ENACConfig           # the baseline with natural gradients
from acer_np.heads import SummaryHeads                   # one output per action
from acer_np.master_heads import MasterHeads             # actions that carry a payload, in two factors

__all__ = ["A2CAgent", "A2CConfig", "ACERAgent", "ACERConfig", "ENACAgent", "ENACConfig", "MasterHeads", "SummaryHeads"]
