"""Exact GP-SARSA: what an agent needs, a line each; the README says how it fits together."""
from gp_sarsa.agent import GPAgent, GPConfig, grown                     # acts, learns; its settings; a larger space
from gp_sarsa.kernels import ProductKernel, gaussian, linear            # covariances of Q
from gp_sarsa.layout import ActionLayout                                # how actions split into methods and payloads
from gp_sarsa.points import returns_to_go                               # from rewards to what is regressed on
from gp_sarsa.posterior import KernelPosterior                          # of any kernel, exact or sparse
from gp_sarsa.weight_space import WeightSpacePosterior, bytes_needed    # of the linear kernels, at constant cost

__all__ = ["ActionLayout", "GPAgent", "GPConfig", "KernelPosterior", "ProductKernel", "WeightSpacePosterior",
           "bytes_needed", "gaussian", "grown", "linear", "returns_to_go"]
