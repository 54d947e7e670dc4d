"""The benchmark runs and prints its ratios."""
import numpy as np

from acer_np.batch import checked
from acer_np.master_heads import MasterHeads
from acer_np.network import Network
from demos import benchmark_gp
from demos.benchmark import main, random_dialogues


def test_a_short_run_prints_every_space_and_precision(capsys, monkeypatch):
    monkeypatch.setattr(benchmark_gp, "main", lambda argv: print("gp was measured") or 0)
    for arguments, measured in ((["acer", "--repeats", "1"], False), (["--repeats", "1"], True)):
        assert main(arguments) == 0
        shown = capsys.readouterr().out
        assert ("gp was measured" in shown) == measured
        lines = shown.splitlines()
        for space in ("summary", "master", "payloads"):
            for precision in ("float32", "float64"):
                assert any(line.startswith(space) and precision in line for line in lines)
        assert sum(line.startswith("master / summary") for line in lines) == 2


def test_its_dialogues_are_a_valid_minibatch():
    network = Network(20, MasterHeads(2, 3, 3))
    batch = checked(random_dialogues(network, np.random.default_rng(0)), network)
    assert len(batch.lengths) == 64 and 250 < len(batch.beliefs) < 550
