"""The reproduction of the paper: which experiments, where their results are kept, what they say and how they look."""
