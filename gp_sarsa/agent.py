"""GP-SARSA as a dialogue agent: act on a draw from the posterior of Q, learn from each finished dialogue."""
from copy import deepcopy
from dataclasses import asdict, dataclass

import numpy as np

from gp_sarsa.growth import growth_between
from gp_sarsa.layout import ActionLayout
from gp_sarsa.points import check_mask, check_noise, returns_to_go
from gp_sarsa.posterior import KernelPosterior
from gp_sarsa.weight_space import WeightSpacePosterior


@dataclass(frozen=True)
class GPConfig:
    """Hyperparameters. Noise and returns are in units of unscaled reward: -1 per turn, +20 for success.

    Exploration must end, because Q is the return of the policy that was followed. A turn that does not change the
    belief, such as the same offer again, seems to cost only 1, because an exploring policy soon does something else.
    A policy that acts on the mean repeats that turn until the users hang up. Only its own dialogues teach it the cost.
    """
    gamma: float = 0.99                 # γ
    noise_std: float = 5.0              # σ, spread of a return around Q; a posterior that is passed in has its own
    scale_start: float = 3.0            # exploration: factor on a draw's deviation from the mean, at first ...
    scale_end: float = 0.0              # ... and in the end; 0 = act on the mean
    scale_dialogues: int = 1000         # ... moving linearly over so many dialogues

    def __post_init__(self):
        if not 0 <= self.gamma <= 1:
            raise ValueError(f"gamma is {self.gamma}, expected a number from 0 to 1")
        check_noise(self.noise_std)
        for name in ("scale_start", "scale_end", "scale_dialogues"):
            if not 0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name} is {getattr(self, name)}, expected a finite number of at least 0")


def exploration_scale(config: GPConfig, n_dialogues: int) -> float:
    """Moves linearly from scale_start to scale_end over the first scale_dialogues dialogues, then stays."""
    left = max(0.0, 1 - n_dialogues / config.scale_dialogues) if config.scale_dialogues else 0.0
    return config.scale_end + left * (config.scale_start - config.scale_end)


class GPAgent:
    """GP-SARSA on any action layout; the agent sees only arrays.

    The posterior is the exact one of the paper's kernels, in weight space, unless another is passed in, for example
    KernelPosterior(ProductKernel(gaussian(0.5), layout), n_belief, 5.0). Another one has n_belief, layout and settings,
    and answers to mean, variance, sample, update, state, restore and grown.
    """

    def __init__(self, n_belief: int, layout: ActionLayout, config: GPConfig = GPConfig(),
                 seed: int | list[int] = 0, posterior: WeightSpacePosterior | KernelPosterior | None = None):
        self.n_belief, self.layout, self.config = n_belief, layout, config
        self.posterior = posterior or WeightSpacePosterior(n_belief, layout, config.noise_std)
        if (self.posterior.n_belief, self.posterior.layout) != (n_belief, layout):
            raise ValueError(f"posterior is for {self.posterior.n_belief} belief entries and {self.posterior.layout}, "
                             f"expected {n_belief} and {layout}")
        self.rng, self.test_rng = np.random.default_rng(seed).spawn(2)
        self.n_dialogues = 0
        self.diagnostics: list = []                             # an update in closed form has nothing to report
        self._forget_turns()

    def _forget_turns(self) -> None:
        self._turns: list[tuple[np.ndarray, int]] = []          # belief and action, of the dialogue under way
        self._rewards: list[float] = []
        self._done = False

    def act(self, belief: np.ndarray, mask: np.ndarray, mode: str = "train") -> int:
        """The best allowed action, ties going to the first.

        mode: "train" explores by a draw from the posterior, and remembers the turn; "greedy" takes the posterior mean;
        "draw" takes a draw at scale 1 from a Generator of its own. Neither test leaves a trace on training.
        """
        mask, belief = check_mask(mask, self.layout.n_actions), np.array(belief, float)
        scales = {"train": exploration_scale(self.config, self.n_dialogues), "greedy": 0.0, "draw": 1.0}
        if mode not in scales:
            raise ValueError(f"mode is {mode!r}, expected one of {', '.join(scales)}")
        if mode == "train" and (self._done or len(self._turns) != len(self._rewards)):
            raise ValueError("act() is out of turn, expected observe(), or after done=True learn(), before it")
        scale, rng = scales[mode], self.rng if mode == "train" else self.test_rng
        q = self.posterior.sample(belief, scale, rng) if scale > 0 else self.posterior.mean(belief)
        action = int(np.argmax(np.where(mask, q, -np.inf)))
        if mode == "train":
            self._turns.append((belief, action))
        return action

    def observe(self, reward: float, done: bool) -> None:
        """The reward that followed the last action, and whether the dialogue is over."""
        if len(self._rewards) + 1 != len(self._turns):
            raise ValueError("observe() is out of turn, expected exactly one act() before it")
        if not np.isfinite(reward):
            raise ValueError(f"reward is {reward}, expected a finite number")
        self._rewards.append(reward)
        self._done = bool(done)

    def learn(self) -> None:
        """Conditions the posterior on the dialogue that has just ended."""
        if not self._done:
            raise ValueError("learn() is out of turn, expected observe(..., done=True) before it")
        beliefs, actions = (np.array(column) for column in zip(*self._turns))
        self.posterior.update(beliefs, actions, returns_to_go(self._rewards, self.config.gamma))
        self.n_dialogues += 1
        self._forget_turns()

    def action_table(self, belief: np.ndarray, mask: np.ndarray) -> dict[str, np.ndarray]:
        """(A,) mean and (A,) standard deviation of Q at a belief, of allowed and forbidden actions alike."""
        return {"mean": self.posterior.mean(belief), "std": np.sqrt(self.posterior.variance(belief))}

    def state(self) -> tuple[dict, dict[str, np.ndarray]]:
        """A header for JSON and arrays, from which another such agent goes on as if it were this one."""
        if self._turns:
            raise ValueError(f"the dialogue under way is {len(self._turns)} turns long, expected none")
        return self._identity() | {"n_dialogues": self.n_dialogues, "rng": self.rng.bit_generator.state,
                                   "test_rng": self.test_rng.bit_generator.state}, self.posterior.state()

    def restore(self, header: dict, arrays: dict[str, np.ndarray]) -> None:
        """Goes on from a state as if training had never stopped; the state of another kind of agent is refused."""
        for name, ours in self._identity().items():
            if header.get(name) != ours:
                raise ValueError(f"{name} is {header.get(name)!r}, expected {ours!r}")
        self.posterior.restore(arrays)
        self.n_dialogues = header["n_dialogues"]
        self.rng.bit_generator.state, self.test_rng.bit_generator.state = header["rng"], header["test_rng"]
        self._forget_turns()

    def _identity(self) -> dict:
        """What a state and the agent that takes it must agree on."""
        posterior = {"form": type(self.posterior).__name__} | self.posterior.settings
        return {"algorithm": type(self).__name__, "n_belief": self.n_belief, "layout": asdict(self.layout),
                "config": asdict(self.config), "posterior": posterior}


def grown(agent: GPAgent, n_belief: int, layout: ActionLayout, belief_places: np.ndarray, summary_places: np.ndarray,
          slot_places: np.ndarray = (), config: GPConfig | None = None) -> GPAgent:
    """An agent for a larger space that knows what this one does; the posterior of all that is new is the prior.

    Growing and then learning equals having had the larger space from the beginning, in all forms of the posterior;
    growth.py says why. The old agent does not change, and a dialogue under way stays with it.

    Args:
        belief_places: (D,) where each old belief entry is among the new ones.
        summary_places: (S,) where each old summary action is among the new ones: methods first, then the others.
        slot_places: (slots,) where each old payload slot is among the new ones.
        config: hyperparameters from now on; after exploration has ended, only a longer scale_dialogues resumes it.
    """
    growth = growth_between(agent.n_belief, agent.layout, n_belief, layout, belief_places, summary_places, slot_places)
    new = GPAgent(n_belief, layout, config or agent.config, posterior=agent.posterior.grown(growth))
    new.n_dialogues, new.rng, new.test_rng = agent.n_dialogues, *deepcopy((agent.rng, agent.test_rng))
    return new
