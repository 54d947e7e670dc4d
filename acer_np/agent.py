"""What ACER, A2C and eNAC share: act and explore, remember whole dialogues, learn from minibatches of them.

They differ in one function, update(network, learner, batch, config) -> (learner, diagnostics).
"""
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from acer_np.adam import AdamState
from acer_np.batch import checked
from acer_np.behaviour import epsilon_greedy, first_actions, sample_action, summary_mask
from acer_np.checks import check_choices, check_ranges
from acer_np.gradients import Softmax
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads, MasterPolicy
from acer_np.network import Network
from acer_np.replay import Replay, join, pack, split, unpack
from acer_np.snapshot import read_snapshot, write_snapshot
from acer_np.update import Learner

SNAPSHOT_FORMAT = 2


@dataclass(frozen=True)
class ReplayConfig:
    """Hyperparameters that do not concern a single update."""

    hidden: tuple[int, ...] = (130, 50)
    body_init: float | str = "he"        # "he" or a standard deviation
    head_init: float | str = 0.01        # small heads start with a policy near uniform, and Q near 0
    payload_outputs: str = "slots"       # of the master heads; the paper has "payloads", which learns far more slowly
    dtype: str = "float32"               # half the time of float64, and no difference in what is learned
    reward_scale: float = 1 / 20         # returns then lie within about -1.25 and 1
    minibatch: int = 64                  # dialogues
    capacity: int = 4000                 # dialogues
    updates_per_dialogue: int = 1        # n
    epsilon_start: float = 0.95
    epsilon_end: float = 0.0
    epsilon_dialogues: int = 4000        # over which ε falls linearly
    explore_over: str = "actions"        # or "summary", and payloads are then drawn from the payload policy
    preferred: str = "mode"              # what is done when not exploring: the "mode" of π, or a "draw" from it

    def __post_init__(self) -> None:
        check_ranges(self, reward_scale=(0, np.inf), epsilon_start=(0, 1), epsilon_end=(0, 1))
        check_choices(self, dtype=("float32", "float64"), explore_over=("actions", "summary"),
                      payload_outputs=("payloads", "slots"), preferred=("mode", "draw"))
        for name in ("minibatch", "capacity", "updates_per_dialogue", "epsilon_dialogues", "hidden"):
            value = getattr(self, name)
            sizes = value if isinstance(value, tuple) else (value,)
            if not (sizes and all(isinstance(size, int) and size >= 1 for size in sizes)):
                raise ValueError(f"{name} is {value!r}, expected whole numbers of at least 1")
        for name in ("body_init", "head_init"):
            if getattr(self, name) != "he":
                check_ranges(self, **{name: (0, np.inf)})


def epsilon_at(config: ReplayConfig, n_dialogues: int) -> float:
    """ε after so many dialogues: a straight line, then constant."""
    progress = min(1.0, n_dialogues / config.epsilon_dialogues)
    return config.epsilon_start + progress * (config.epsilon_end - config.epsilon_start)


def draw(policy: Softmax | MasterPolicy, heads: SummaryHeads | MasterHeads, rng: np.random.Generator) -> np.ndarray:
    """(1,) an action drawn from the π of a single turn: a summary action, then its payload if it has any."""
    factors = [pi[0].astype(float) for pi, _ in (policy if isinstance(policy, MasterPolicy) else [policy])]
    chosen = [rng.choice(len(pi), p=pi / pi.sum()) for pi in factors]
    payload = sum(chosen[1:]) if heads.sizes[chosen[0]] > 1 else 0
    return first_actions(heads.sizes)[chosen[:1]] + payload


class ReplayAgent:
    """An agent for any heads and any update.

    The memory keeps the action that was preferred in each turn, so its μ is that of the behaviour given this action.
    If it was drawn from π, such a μ is right but narrow; an on-policy update makes no use of it.
    """

    def __init__(self, update: Callable, n_belief: int, heads: SummaryHeads | MasterHeads, config: ReplayConfig,
                 seed: int | list[int] = 0, fingerprint: str = "", critic_width: int | None = None):
        self.update, self.heads, self.config, self.fingerprint = update, heads, config, fingerprint
        self.network = Network(n_belief, heads, config.hidden, critic_width, np.dtype(config.dtype).type)
        start, self.rng = np.random.default_rng(seed).spawn(2)
        params = self.network.initial(start, config.body_init, config.head_init)
        self.learner = Learner.start(self.network, params)
        self.replay = Replay(config.capacity, self.network.dtype)
        self.n_dialogues = 0
        self.diagnostics: list = []                      # of every update since the list was last emptied

    def act(self, belief: np.ndarray, mask: np.ndarray, greedy: bool = False) -> int:
        """An action for a belief (D,) under a mask (A,); greedy: the test policy, which leaves no trace."""
        mask = summary_mask(mask, self.heads.sizes)
        logits = self.network.forward(self.learner.params, belief[None]).logits
        policy, payload = self.heads.policy(logits, mask[None]), logits[:, len(mask):]
        if greedy:
            return int(self.heads.greedy(policy)[0])
        self.replay.expect_turn()
        preferred = draw(policy, self.heads, self.rng) if self.config.preferred == "draw" else self.heads.greedy(policy)
        epsilon = epsilon_at(self.config, self.n_dialogues)
        mu = epsilon_greedy(mask[None], np.array([epsilon]), preferred, self.heads.sizes, self.config.explore_over,
                            self.heads.payload_policy(payload))
        action = sample_action(mu, self.heads.sizes, self.rng)
        self.replay.add_turn(belief, mask, action, epsilon, int(preferred[0]), payload[0])
        return action

    def observe(self, reward: float, done: bool) -> None:
        """What the last action earned (unscaled), and whether the dialogue is over."""
        self.replay.add_reward(reward * self.config.reward_scale, done)
        self.n_dialogues += bool(done)

    def learn(self) -> None:
        """The updates that follow a finished dialogue."""
        for _ in range(self.config.updates_per_dialogue):
            batch = self.replay.sample(self.config.minibatch, self.rng)
            self.learner, diagnostics = self.update(self.network, self.learner, batch, self.config)
            self.diagnostics.append(diagnostics)

    def save(self, path: str | Path) -> None:
        """Everything that training needs to go on as if it had not stopped; between two dialogues."""
        if self.replay.turns:
            raise ValueError("a dialogue is under way; save between dialogues")
        header = self._identity() | {"n_dialogues": self.n_dialogues, "rng": self.rng.bit_generator.state,
                                     "adam_step": self.learner.adam.step}
        dialogues = pack(join(list(self.replay.dialogues))) if self.replay.dialogues else {}
        write_snapshot(path, header, self._parameters() | dialogues)

    def load(self, path: str | Path) -> None:
        """Continue from a snapshot of the same kind of agent; whatever is wrong with it, this agent stays as it was."""
        header, arrays = read_snapshot(path, self._identity())
        replay, rng = Replay(self.config.capacity, self.network.dtype), np.random.default_rng(0)
        try:
            for name, ours in self._parameters().items():
                theirs = arrays[name]
                if (theirs.shape, theirs.dtype) != (ours.shape, ours.dtype):
                    raise ValueError(f"{name} is {theirs.dtype} {theirs.shape}, expected {ours.dtype} {ours.shape}")
            adam = AdamState(int(header["adam_step"]), arrays["adam_mean"], arrays["adam_square"])
            learner = Learner(arrays["params"], arrays["average"], adam)
            rng.bit_generator.state = header["rng"]
            n_dialogues = int(header["n_dialogues"])
            if "lengths" in arrays:
                replay.dialogues.extend(split(checked(unpack(arrays, self.network.n_belief), self.network)))
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise ValueError(f"snapshot {path} does not hold a whole agent: {error}") from error
        self.learner, self.replay, self.rng, self.n_dialogues = learner, replay, rng, n_dialogues

    def _parameters(self) -> dict[str, np.ndarray]:
        """The learner's arrays by the names they have in a snapshot."""
        return {"params": self.learner.params, "average": self.learner.average,
                "adam_mean": self.learner.adam.mean, "adam_square": self.learner.adam.square}

    def _identity(self) -> dict:
        """What a snapshot must agree on with the agent that loads it."""
        config = json.loads(json.dumps(asdict(self.config)))         # as a header gives it back, tuples as lists
        return {"format": SNAPSHOT_FORMAT, "algorithm": self.update.__name__, "fingerprint": self.fingerprint,
                "heads": repr(self.heads), "n_belief": self.network.n_belief, "config": config}
