"""What a run is: a setting, which says only what differs from the usual one, and the hyperparameters that follow."""
from dataclasses import dataclass, fields, replace
from pathlib import Path

from acer_np import A2CAgent, A2CConfig, ACERAgent, ACERConfig, ENACAgent, ENACConfig
from gp_sarsa import GPAgent, GPConfig

TRAINABLE = {"acer": (ACERAgent, ACERConfig), "a2c": (A2CAgent, A2CConfig), "enac": (ENACAgent, ENACConfig),
             "gp": (GPAgent, GPConfig)}
AGENTS = (*TRAINABLE, "handcrafted", "random")


@dataclass(frozen=True)
class Setting:
    """What is trained and how it is tested; together with a seed and the domain it determines every number of a run."""

    agent: str = "acer"
    preset: str = "ours"                                   # or "paper": the values of ACERConfig.paper()
    space: str = "summary"
    domain: str = ""                                       # its name; none for the built-in one
    mask: str = "all"                                      # what is masked: all, bye, none
    error_rate: float = 0.0
    nbest: int = 1
    channel: str = "sampled"
    tables: str = "default"                                # of the dstc2 channel
    user: str = "sampled"
    dialogues: int = 2000                                  # to train on
    test_dialogues: int = 200                              # per test
    tests: tuple[str, ...] = ("greedy", "draw")            # how the policy is tested
    final_error_rates: tuple[float, ...] = ()              # to test at as well, once training is over
    payload_outputs: str = "slots"                         # of the master heads; the paper has "payloads"
    variant: str = ""                                      # a part of ACER that is replaced
    overrides: tuple[tuple[str, object], ...] = ()         # hyperparameters that differ from the preset's
    demonstrations: int = 0                                # dialogues of another policy to learn from first
    demonstrator: str = "handcrafted"                      # or "poor", or a snapshot
    learn_from: str = "both"                               # "imitation" of the demonstrator, "memory" of its dialogues
    without: tuple[str, ...] = ()                          # slots that the domain lacks at first
    grow_after: int = 0                                    # dialogues after which it gets them

    @property
    def name(self) -> str:
        """acer-summary-mask-none-rho_max=20: what tells settings apart, for people and for the names of folders."""
        default, words = Setting(), [self.agent, self.space, "mask" if self.mask == "all" else f"mask-{self.mask}"]
        words += [f"error{100 * self.error_rate:g}"] if self.error_rate else []
        names = "preset", "domain", "channel", "tables", "user", "variant", "payload_outputs"
        words += [getattr(self, name) for name in names if getattr(self, name) != getattr(default, name)]
        if self.demonstrations:
            words += [f"demos{self.demonstrations}"]
            words += [Path(getattr(self, name)).stem for name in ("demonstrator", "learn_from")
                      if getattr(self, name) != getattr(default, name)]
        words += [f"grown{self.grow_after}", *self.without] if self.without else []
        words += [f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else value}"
                  for name, value in self.overrides]
        return "-".join(words)

    def differences(self) -> dict:
        """What differs from the usual setting, the hyperparameters under their own names."""
        usual = Setting()
        changed = {field.name: getattr(self, field.name) for field in fields(self)
                   if getattr(self, field.name) != getattr(usual, field.name)}
        overrides = dict(changed.pop("overrides", ()))
        return changed | ({"overrides": overrides} if overrides else {})

    @classmethod
    def from_differences(cls, changed: dict) -> "Setting":
        """The inverse of differences."""
        def frozen(value):
            return tuple(value) if isinstance(value, list) else value
        overrides = tuple((name, frozen(value)) for name, value in changed.get("overrides", {}).items())
        return cls(**{name: frozen(value) for name, value in changed.items()} | {"overrides": overrides})


def with_overrides(setting: Setting, **values) -> Setting:
    """The setting with other hyperparameters; defaults are left out, so that equal runs have equal settings."""
    chosen = replace(setting, overrides=tuple((dict(setting.overrides) | values).items()))
    config, default = make_config(chosen), make_config(replace(setting, overrides=()))
    kept = {name: getattr(config, name) for name, _ in chosen.overrides
            if getattr(config, name) != getattr(default, name)}
    return replace(setting, overrides=tuple(sorted(kept.items())))


def make_config(setting: Setting):
    """All hyperparameters of the learner; what falls in the course of training has fallen when it ends."""
    _, config_type = TRAINABLE[setting.agent]
    names = [field.name for field in fields(config_type)]
    for name, _ in setting.overrides:
        if name not in names:
            raise ValueError(f"hyperparameter of {setting.agent} is {name!r}, expected one of {', '.join(names)}")
    values = ({"horizon": setting.dialogues} if "horizon" in names else {}) | dict(setting.overrides)
    presets = {"ours": config_type} | ({"paper": config_type.paper} if hasattr(config_type, "paper") else {})
    if setting.preset not in presets:
        raise ValueError(f"preset is {setting.preset!r}, expected {' or '.join(presets)} for agent {setting.agent}")
    return presets[setting.preset](**values)


def on_schedule(setting: Setting, dialogues: int, **changes) -> Setting:
    """Fewer or more dialogues by the schedule of all that were planned: what falls has fallen when those end."""
    config = make_config(setting)
    horizon = {"horizon": config.horizon} if hasattr(config, "horizon") else {}
    return with_overrides(replace(setting, dialogues=dialogues, **changes), **horizon)
