"""What PyDial itself scored on its benchmark: computed from public log files of its users, 4000 training dialogues."""
from typing import NamedTuple

SOURCES = {"M1": "zxsted/Pydial, results09", "M2": "paulaWesselmann/testing_pydial, _benchmarklogs",
           "M5": "Ratnesh-Rai/Pydial-Personalisation, README"}         # on GitHub


class Log(NamedTuple):
    """Success in percent and reward of the tests after 1000 and after 4000 dialogues, means over the seeds."""

    environment: int
    domain: str
    policy: str
    seeds: int
    early: tuple[float, float]
    late: tuple[float, float]
    source: str


LOGS = (
    Log(1, "CR", "handcrafted", 9, (100, 14.10), (100, 14.07), "M2"),
    Log(3, "CR", "handcrafted", 1, (96.0, 10.46), (96.9, 10.88), "M2"),          # late: the mean of its three tests
    Log(1, "CR", "acer", 1, (94.0, 12.87), (98.5, 13.52), "M2"),
    Log(3, "CR", "acer", 10, (89.0, 10.66), (93.8, 11.50), "M2"),
    Log(3, "CR", "acer", 6, (91.8, 11.32), (92.2, 11.23), "M2"),                 # 20 tests on 200 users
    Log(4, "CR", "acer", 5, (78.4, 7.54), (92.3, 11.28), "M2"),
    Log(1, "CR", "dqn", 5, (91.2, 12.13), (92.4, 12.19), "M2"),
    Log(1, "CR", "dqn", 1, (94.6, 12.9), (98.4, 13.7), "M5"),
    Log(3, "CR", "dqn", 8, (82.0, 9.64), (94.3, 12.10), "M2"),
    Log(4, "CR", "dqn", 5, (81.8, 8.28), (93.1, 11.46), "M2"),
    Log(1, "LAP", "gp", 10, (79.9, 6.89), (89.0, 9.31), "M1"),                   # tests on 1000 users
    Log(1, "LAP", "dqn", 10, (59.5, 5.09), (73.2, 7.56), "M1"),
    Log(1, "LAP", "enac", 10, (82.9, 8.77), (87.5, 10.00), "M1"),
    Log(1, "SFR", "enac", 10, (85.6, 9.62), (94.8, 11.84), "M1"),
    Log(1, "SFR", "multi-agent dqn", 10, (76.4, 8.21), (80.2, 8.96), "M1"),
    Log(1, "LAP", "multi-agent dqn", 10, (85.8, 9.89), (87.5, 10.05), "M1"),
    Log(2, "SFR", "multi-agent dqn", 10, (85.9, 10.09), (93.7, 11.63), "M1"),
    Log(2, "LAP", "multi-agent dqn", 10, (73.3, 6.95), (79.8, 8.15), "M1"),
    Log(3, "SFR", "multi-agent dqn", 10, (65.6, 5.11), (76.3, 6.50), "M1"),
    Log(3, "LAP", "multi-agent dqn", 10, (70.9, 5.94), (78.6, 7.01), "M1"),
    Log(3, "LAP", "multi-agent dqn, other", 10, (64.1, 4.77), (84.3, 8.11), "M1"),
    Log(4, "SFR", "multi-agent dqn", 10, (73.3, 6.39), (84.3, 9.01), "M1"),
    Log(4, "LAP", "multi-agent dqn", 10, (65.4, 5.05), (82.2, 8.42), "M1"),
    Log(5, "SFR", "multi-agent dqn", 10, (60.6, 2.52), (82.0, 6.50), "M1"),
    Log(5, "LAP", "multi-agent dqn", 10, (53.5, 1.35), (66.0, 3.25), "M1"),
    Log(6, "SFR", "multi-agent dqn", 10, (55.9, 2.09), (67.1, 3.96), "M1"),
    Log(6, "LAP", "multi-agent dqn", 10, (58.7, 2.49), (63.9, 3.47), "M1"))
