"""The plan: the paper's protocol, each change what its label says, and names that people can read."""
import dataclasses
import subprocess
import sys

from acer_np import ACERConfig
from demos.records import Line
from demos.reproduction.plan import (BASE, CORE, DEPARTURES, DOMAINS, EXPERIMENTS, EXPLORING, LONG_STEPS, NO_MASK,
                                     PARTS_SEEDS, due_after, plan, select)
from demos.settings import TRAINABLE, Setting, make_config

PAPER = dataclasses.replace(NO_MASK, preset="paper")


def test_figures_share_their_runs():
    assert plan(select(["3"])) == plan(select(["4"])) == plan(select(["3", "4", "5"]))
    assert plan(select(["13"])) == plan(select(["14"]))
    for figure in ("6", "12", "diagnostics"):
        assert {PAPER, NO_MASK} <= {line.setting for line in EXPERIMENTS[figure].lines.values()}
    assert set(plan(select(["diagnostics"]))) < set(plan(select(["6"])))
    shared = {line.setting for name in ("ablation", "departures") for label, line in EXPERIMENTS[name].lines.items()
              if label == "ACER (ours)"}
    assert len(shared) == 1


def test_every_unit_is_there_once():
    units = plan(EXPERIMENTS)
    assert len(set(units)) == len(units)


def test_a_plan_goes_seed_by_seed_and_tests_fixed_policies_once():
    units = plan(select(["3"], seeds=2, dialogues=40))
    assert [seed for _, seed in units] == sorted(seed for _, seed in units)
    assert {setting.dialogues for setting, _ in units} == {40}
    assert [seed for setting, seed in units if setting.agent == "handcrafted"] == [0]
    assert len(units) == 2 * 5 + 1


def test_the_protocol_is_that_of_the_paper():
    seeds = {"7": 10, "8": 10, "10": 5}
    for figure in map(str, range(3, 15)):
        for line in EXPERIMENTS[figure].lines.values():
            learns = line.setting.agent in TRAINABLE
            n, spacing = (1000, 100) if figure == "10" and learns else (4000, 200)         # ... but for the dearest
            assert (line.setting.dialogues, line.setting.test_dialogues) == (n, 200)
            assert line.seeds == (seeds.get(figure, 15) if learns else 1)
            assert due_after(line.setting, n) == list(range(spacing, n + 1, spacing))
    noisy = EXPERIMENTS["13"].lines["GP, master, draws"]
    assert (noisy.setting.error_rate, noisy.setting.nbest, noisy.setting.mask, noisy.mode) == (0.15, 5, "all", "draw")
    assert noisy.setting.space == "master" and noisy.setting.final_error_rates == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)


def test_figures_of_systems_have_both_acers():
    for figure in ("3", "4", "5", "6", "11", "12", "13", "14"):
        lines = {label: line.setting for label, line in EXPERIMENTS[figure].lines.items()}
        paper = {label: setting for label, setting in lines.items() if "(paper)" in label}
        ours = {label for label in lines if "(ours)" in label}
        assert {label.replace("(paper)", "(ours)") for label in paper} == ours
        for label, setting in paper.items():
            ours = lines[label.replace("(paper)", "(ours)")]
            assert (setting.preset, ours.preset, ours.payload_outputs) == ("paper", "ours", "slots")
            assert setting.payload_outputs == ("payloads" if setting.space == "master" else "slots")


def test_every_sweep_changes_what_it_says():
    for figure, letter, name in (("7", "c", "rho_max"), ("8", "δ", "kl_limit"), ("9", "β", "average_decay")):
        for label, line in EXPERIMENTS[figure].lines.items():
            if label != "handcrafted":
                value = float(label.removesuffix(" (paper)").removeprefix(f"{letter} = "))
                assert make_config(line.setting) == ACERConfig.paper(**{name: value})
                assert (line.setting.mask, line.setting.dialogues) == ("none", 4000)


def test_n_updates_have_the_step_size_of_one_each_or_share_it():
    for label, n, longer in (("n = 1", 1, 1), ("n = 10", 10, 10), ("n = 50", 50, 50), ("n = 10 with α / n", 10, 1)):
        config, one = make_config(EXPERIMENTS["10"].lines[f"{label} (paper)"].setting), ACERConfig.paper()
        assert config == dataclasses.replace(one, updates_per_dialogue=n, learning_rate=longer * one.learning_rate)


def test_the_departures_are_all_that_tells_ours_from_the_paper():
    ours, paper = dataclasses.asdict(ACERConfig()), dataclasses.asdict(ACERConfig.paper())
    assert sorted(name for names in DEPARTURES.values() for name in names) == sorted(
        name for name in ours if ours[name] != paper[name])
    lines = EXPERIMENTS["departures"].lines
    for label, names in DEPARTURES.items():
        for words, space in (("", "summary"), (", master", "master")):
            setting = lines[label + words].setting
            assert dataclasses.asdict(make_config(setting)) == ours | {name: paper[name] for name in names}
            assert (setting.space, setting.mask, setting.dialogues, setting.tests) == (space, "none", 2000, ("greedy",))
            assert lines[label + words].seeds == PARTS_SEEDS[space] and lines[f"ACER (ours){words}"].seeds == 15


def test_ablation_slips_and_causes_change_one_thing():
    inf = float("inf")
    for figure, label, variant, change in (
            ("ablation", "no trust region (δ = ∞)", "", {"kl_limit": inf}),
            ("ablation", "no truncation (c = ∞)", "", {"rho_max": inf}),
            ("ablation", "one-step targets (λ = 0)", "", {"trace_decay": 0}),
            ("ablation", "no entropy", "", {"entropy_weight": 0}),
            ("ablation", "no replay (the last 64 dialogues)", "", {"capacity": 64}),
            ("ablation", "no bias correction", "no-correction", {}),
            ("ablation", "λ-returns, not Retrace", "lambda-returns", {}),
            ("slips", "average that never moves", "", {"average_decay": 1}),
            ("slips", "traces cut at c, not 1", "traces-cut-at-c", {}),
            ("slips", "V zeroed before the end", "blind-at-the-end", {}),
            ("slips", "correction with the taken action's advantage", "advantage-taken", {}),
            ("slips", "π of the update for μ", "pi-for-mu", {}), ("slips", "three Adam steps", "three-steps", {})):
        setting = EXPERIMENTS[figure].lines[label].setting
        assert setting.variant == variant and make_config(setting) == ACERConfig(**change)
        assert (setting.mask, setting.dialogues) == ("none", 1000 if figure == "slips" else 2000)
    causes = {label: line.setting for label, line in EXPERIMENTS["causes"].lines.items()}
    for label, change in (("δ = 1 on sums", {}), ("δ = 1000 on sums", {"kl_limit": 1000}),
                          ("δ = inf on sums", {"kl_limit": inf}), ("replay without the last turn", {}),
                          ("δ = 0.01 on means", {"kl_limit": 0.01, "scale": "mean"})):
        assert make_config(causes[label]) == ACERConfig.paper(**change) and causes[label].mask == "none"
    for label, changes in (("A2C as PyDial has it", {"agent": "a2c", "variant": "pydial-a2c"}),
                           ("eNAC as PyDial has it", {"agent": "enac", "variant": "pydial-enac"}),
                           ("A2C", {"agent": "a2c"}), ("eNAC", {"agent": "enac"})):
        setting = dataclasses.replace(BASE, **changes)
        assert causes[label] == setting and causes[f"{label}, ε-greedy from 0.95"] == dataclasses.replace(
            setting, overrides=(("behaviour", "greedy"), ("epsilon", 0.95)))
    for mask in ("all", "none"):
        slots = causes[f"one output per payload slot, {'no ' * (mask == 'none')}mask"]
        assert slots == dataclasses.replace(BASE, space="master", preset="paper", mask=mask)


def test_the_benchmark_has_eighteen_tasks_with_its_own_protocol():
    lines = EXPERIMENTS["benchmark"].lines
    assert len(lines) == 18 * 5 * 2 and {line.setting.domain for line in lines.values()} == set(DOMAINS.values())
    assert {line.setting.agent: line.seeds for line in lines.values()} == {"acer": 5, "gp": 10, "a2c": 5, "enac": 5,
                                                                           "handcrafted": 1}
    for line in lines.values():
        assert due_after(line.setting, 4000) == [1000, 2000, 3000, 4000] and line.setting.test_dialogues == 500
        values = EXPLORING if line.setting.agent == "enac" else {}
        assert dict(line.setting.overrides) == values and line.setting.preset == "ours"      # the same in all tasks
    sixth = Setting("acer", domain="Laptops11", mask="all", error_rate=0.3, nbest=5, channel="dstc2", tables="set3",
                    dialogues=4000, test_dialogues=500)
    assert dataclasses.replace(lines["acer, LAP, 6"].setting, overrides=()) == sixth
    assert lines["gp, CR, 5"].setting.user == "unfriendly"
    assert {name for name in EXPERIMENTS for setting, _ in plan(select([name], 1)) if setting.domain} == {
        "benchmark", "demonstrations", "hard"}


def test_the_hard_task_is_the_first_half_of_a_training_on_laptops():
    seeds = {label: line.seeds for label, line in EXPERIMENTS["hard"].lines.items() if line.seeds > 5}
    assert seeds == {"ACER (ours)": 15, "no trust region (δ = ∞)": 15} | dict.fromkeys(LONG_STEPS, 10)
    lines = {label: line.setting for label, line in EXPERIMENTS["hard"].lines.items()}
    base = lines.pop("ACER (ours)")
    assert (base.domain, base.mask, base.dialogues, make_config(base)) == ("Laptops11", "none", 2000, ACERConfig())
    assert due_after(base, 2000) == list(range(200, 2001, 200))
    assert lines.keys() == {*CORE, *DEPARTURES, *LONG_STEPS}
    assert make_config(lines["α = 0.002, no trust region"]) == ACERConfig(learning_rate=0.002, kl_limit=float("inf"))
    assert lines["no bias correction"] == dataclasses.replace(base, variant="no-correction")
    assert make_config(lines["λ = 1"]) == ACERConfig(trace_decay=1)


def test_demonstrations_and_growth_are_compared_with_runs_of_other_figures():
    lines = EXPERIMENTS["demonstrations"].lines
    assert lines["N = 0: summary, no mask"] == Line(NO_MASK, 5)
    for label, line in lines.items():
        what, where = label.split(": ")
        base = lines[f"N = 0: {where}"].setting
        if what != "N = 0":
            expected = dataclasses.replace(base, dialogues=1000, demonstrations=int(what[4:]) if "N" in what else 100,
                                           learn_from=what.split()[0] if "only" in what else "both",
                                           demonstrator="poor" if "poor" in what else "handcrafted")
            assert dataclasses.replace(line.setting, overrides=()) == expected
            assert make_config(line.setting) == make_config(base) and line.seeds == 5
    assert len(lines) == 5 * 7 + 2 * 2
    lines = EXPERIMENTS["growth"].lines
    for where in ("ACER, mask", "ACER, no mask", "GP, mask", "GP, no mask"):
        grown, old = lines[f"grown, all goals: {where}"], lines[f"grown, old goals: {where}"]
        assert (grown.mode, old.mode, old.setting) == ("greedy", "old goals", grown.setting)
        assert (grown.setting.without, grown.setting.grow_after, grown.setting.dialogues) == (("phone", "postcode"),
                                                                                              1000, 2000)
        shared = {line.setting for figure in ("11", "12") for line in EXPERIMENTS[figure].lines.values()}
        assert where == "GP, mask" or lines[f"from the start: {where}"].setting in shared


def test_the_plan_loads_no_plotting():
    code = "import sys, demos.reproduce; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
