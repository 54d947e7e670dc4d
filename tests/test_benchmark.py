"""The benchmark runs and prints its ratios."""
import numpy as np

from acer_np.batch import checked
from acer_np.heads import MasterHeads
from acer_np.network import Network
from demos.benchmark import main, random_dialogues


def test_a_short_run_prints_every_space_and_precision(capsys):
    for arguments in (["acer", "--repeats", "1"], ["--repeats", "1"]):
        assert main(arguments) == 0
        lines = capsys.readouterr().out.splitlines()
        for space in ("summary", "master"):
            for precision in ("float32", "float64"):
                assert any(line.startswith(space) and precision in line for line in lines)
        assert sum(line.startswith("master / summary") for line in lines) == 2


def test_its_dialogues_are_a_valid_minibatch():
    network = Network(20, MasterHeads(2, 3, 3))
    batch = checked(random_dialogues(network, np.random.default_rng(0)), network)
    assert len(batch.lengths) == 64 and 250 < len(batch.beliefs) < 550
