"""Exact GP-SARSA: kernels, an incremental posterior and its sparse and weight-space forms."""
