"""Exact GP-SARSA: kernels, an incremental posterior and its sparse and weight-space forms."""
from one_thread import use_one_thread

use_one_thread("numpy", "scipy.linalg")
