"""ACER, A2C with replay and eNAC in plain NumPy: they know arrays, not dialogues."""
