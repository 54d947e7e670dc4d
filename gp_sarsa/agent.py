"""GP-SARSA as a dialogue agent: act on a draw from the posterior of Q, learn from each finished dialogue."""
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from gp_sarsa.layout import ActionLayout
from gp_sarsa.returns import check_discount, returns_to_go
from gp_sarsa.snapshot import Dialogue, pack, read_snapshot, unpack, write_snapshot
from gp_sarsa.weight_space import WeightSpacePosterior, check_noise

FORMAT = "gp_sarsa snapshot 1"


@dataclass(frozen=True)
class GPConfig:
    """Hyperparameters; noise and returns are in units of unscaled reward (-1 per turn, +20 for success).

    Exploration ends. Q is the return of the policy that was followed, and one that explores soon leaves a useless turn
    that does not change the belief (a question already answered, the offer once more), so repeating it seems to cost 1.
    A policy that acts on the mean repeats it until the user hangs up; it learns that once the dialogues are its own.
    """
    gamma: float = 0.99                 # γ
    noise_std: float = 5.0              # σ, spread of a return around Q
    sampling: str = "joint"             # draw payloads of a method together, or each action alone ("marginal")
    scale_start: float = 3.0            # exploration: how far a draw strays from the mean, in standard deviations,
    scale_end: float = 0.0              # ... at first and in the end; 0 = act on the mean
    scale_dialogues: int = 1000         # ... linearly over so many dialogues
    test_scale: float = 0.0             # the same when testing; 1 = posterior sampling, as in PyDial

    def __post_init__(self):
        check_discount(self.gamma)
        check_noise(self.noise_std)
        for name in ("scale_start", "scale_end", "scale_dialogues", "test_scale"):
            if not 0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name} must be finite and >= 0, not {getattr(self, name)}")
        if self.sampling not in ("joint", "marginal"):
            raise ValueError(f"sampling must be 'joint' or 'marginal', not {self.sampling!r}")


def exploration_scale(config: GPConfig, n_dialogues: int) -> float:
    """Moves linearly from scale_start to scale_end over the first scale_dialogues dialogues, then stays."""
    left = max(0.0, 1 - n_dialogues / config.scale_dialogues) if config.scale_dialogues else 0.0
    return config.scale_end + left * (config.scale_start - config.scale_end)


class GPAgent:
    """Exact GP-SARSA on any action layout; it knows sizes, not dialogues.

    `test_scale` may be changed at any time: tests draw from a Generator of their own and never touch training.
    """

    def __init__(self, n_belief: int, layout: ActionLayout, config: GPConfig = GPConfig(),
                 seed: int | list[int] = 0, fingerprint: str = ""):
        self.n_belief, self.layout, self.config, self.fingerprint = n_belief, layout, config, fingerprint
        self.test_scale = config.test_scale
        self.rng, self.test_rng = np.random.default_rng(seed).spawn(2)
        self.posterior = self._prior()
        self._history: list[Dialogue] = []
        self._turns: list[tuple[np.ndarray, int]] = []          # belief and action, of the dialogue under way
        self._rewards: list[float] = []
        self._done = False

    @property
    def n_dialogues(self) -> int:
        """How many dialogues the posterior has seen."""
        return len(self._history)

    def _prior(self) -> WeightSpacePosterior:
        return WeightSpacePosterior(self.n_belief, self.layout, self.config.noise_std)

    def act(self, belief: np.ndarray, mask: np.ndarray, greedy: bool = False) -> int:
        """The best allowed action of a draw from the posterior, or when testing of its mean; ties go to the first."""
        belief = np.array(belief, float)
        if belief.shape != (self.n_belief,) or not np.isfinite(belief).all():
            raise ValueError(f"belief must be ({self.n_belief},) finite numbers, not {belief.shape} {belief}")
        if np.shape(mask) != (self.layout.n_actions,) or np.asarray(mask).dtype != bool or not np.any(mask):
            raise ValueError(f"mask must be ({self.layout.n_actions},) bool and allow something; "
                             f"it is {np.shape(mask)} {np.asarray(mask).dtype} with {np.sum(mask)} allowed")
        if not greedy and (self._done or len(self._turns) != len(self._rewards)):
            raise ValueError("observe() of the last action or learn() of the last dialogue comes before the next act()")
        scale = self.test_scale if greedy else exploration_scale(self.config, self.n_dialogues)
        if scale > 0:
            rng = self.test_rng if greedy else self.rng
            q = self.posterior.sample(belief, scale, rng, joint=self.config.sampling == "joint")
        else:
            q = self.posterior.mean(belief)
        action = int(np.argmax(np.where(mask, q, -np.inf)))
        if not greedy:
            self._turns.append((belief, action))
        return action

    def observe(self, reward: float, done: bool) -> None:
        """The reward that followed the last action, and whether the dialogue is over."""
        if len(self._rewards) + 1 != len(self._turns):
            raise ValueError("observe() needs exactly one act() before it")
        if not np.isfinite(reward):
            raise ValueError(f"reward must be finite, not {reward}")
        self._rewards.append(reward)
        self._done = bool(done)

    def learn(self) -> None:
        """Conditions the posterior on the dialogue that has just ended."""
        if not self._done:
            raise ValueError("learn() needs a finished dialogue: observe(..., done=True) comes first")
        beliefs = np.array([belief for belief, _ in self._turns])
        actions = np.array([action for _, action in self._turns])
        returns = returns_to_go(self._rewards, self.config.gamma)
        self.posterior.update(beliefs, actions, returns)
        self._history.append(Dialogue(csr_array(beliefs), actions, returns))
        self._turns, self._rewards, self._done = [], [], False

    def save(self, path: str | Path) -> None:
        """Writes a snapshot; to be called between dialogues."""
        if self._turns:
            raise ValueError("a dialogue is under way: save after learn()")
        write_snapshot(path, {**self._identity(), "n_clipped": self.posterior.n_clipped,
                              "rng": self.rng.bit_generator.state,
                              "test_rng": self.test_rng.bit_generator.state}, pack(self._history))

    def load(self, path: str | Path) -> None:
        """Continues from a snapshot as if training had never stopped; refuses one that is not of such an agent."""
        header, arrays = read_snapshot(path)
        for name, ours in self._identity().items():
            if header.get(name) != ours:
                raise ValueError(f"{path} was saved with {name} {header.get(name)!r}; this agent has {ours!r}")
        posterior, rngs = self._prior(), np.random.default_rng().spawn(2)
        try:
            history = unpack(arrays, posterior.n_belief)
            for dialogue in history:
                posterior.update(dialogue.beliefs.toarray(), dialogue.actions, dialogue.returns)
            for rng, name in zip(rngs, ("rng", "test_rng")):
                rng.bit_generator.state = header[name]
            posterior.n_clipped = int(header["n_clipped"])
        except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
            raise ValueError(f"{path} does not hold what an agent saves: {error}") from error
        self.posterior, self._history, (self.rng, self.test_rng) = posterior, history, rngs
        self._turns, self._rewards, self._done = [], [], False

    def _identity(self) -> dict:
        """What a snapshot and the agent that loads it must agree on."""
        return {"format": FORMAT, "fingerprint": self.fingerprint, "n_belief": self.n_belief,
                "layout": asdict(self.layout), "config": asdict(self.config)}
