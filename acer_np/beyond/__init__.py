"""Beyond the paper: learning from demonstrations, and an action set that grows."""
