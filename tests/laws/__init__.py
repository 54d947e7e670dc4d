"""Properties of the maths that any right implementation has, ours or yours; see tests/README.md."""
