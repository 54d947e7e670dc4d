"""The benchmark of the hot loops runs and prints its times."""
import numpy as np
import pytest

from acer_np import MasterHeads
from acer_np.network import Network
from acer_np.replay import checked
from demos.benchmark import bare_products, main, median_ms, random_dialogues


def test_a_short_run_prints_every_space_precision_and_form(capsys):
    assert main(["--repeats", "1", "--dialogues", "4", "--growth", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for space in ("summary", "master", "payloads"):
        for precision in ("float32", "float64"):
            assert sum(line.startswith(f"{space}, {precision}") for line in lines) == 1
    assert [line.split()[:2] for line in lines if line.startswith(("summary ", "master "))] == [["master", "4"], ["summary", "4"]]
    assert [line.rsplit(maxsplit=3)[:2] for line in lines[-3:]] == [["weight space", "3"], ["sparse", "3"], ["exact", "3"]]


def test_a_section_alone_is_measured_alone(capsys):
    assert main(["gp", "--dialogues", "2", "--growth", "2"]) == 0
    assert "ACER" not in capsys.readouterr().out


def test_its_dialogues_are_a_valid_minibatch():
    heads = MasterHeads(2, 3, 3)
    network = Network(20, heads)
    batch = checked(random_dialogues(network, np.random.default_rng(0)), 20, heads, np.float64)
    assert len(batch.lengths) == 64 and 250 < len(batch.beliefs) < 550
    bare_products(network, network.initial(np.random.default_rng(0)), batch.beliefs)()


def test_the_median_leaves_out_the_first_round_and_one_slow_call():
    calls = []
    first, second = median_ms(3, lambda: calls.append("a"), lambda: calls.append("b"))
    assert calls == ["a", "b"] * 4 and 0 <= first < 1 and 0 <= second < 1


def test_mistakes_end_in_one_line(capsys):
    for arguments in (["dqn"], ["--repeats", "0"], ["--growth", "x"]):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        assert end.value.code == 2 and len(capsys.readouterr().err.splitlines()) == 1
