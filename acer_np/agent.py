"""What ACER, A2C and eNAC share: act and explore, remember whole dialogues, learn from minibatches of them.

They differ in one function, update(network, learner, batch, config) -> (learner, diagnostics).
"""
import json
from collections.abc import Callable
from dataclasses import asdict

import numpy as np

from acer_np.learner import AdamState, Learner, linear
from acer_np.checks import as_mask
from acer_np.exploration import mixture, most_probable
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.network import Network
from acer_np.replay import Batch, Replay, checked, dialogues_of, join


class ReplayAgent:
    """An agent for any heads; subclasses set `update` and, if their critic is not a Q, `critic_width`."""

    update: Callable
    critic_width: int | None = None

    def __init__(self, n_belief: int, heads: SummaryHeads | MasterHeads, config, seed: int | list[int] = 0):
        self.heads, self.config = heads, config
        self.network = Network(n_belief, heads, config.hidden, config.critic_body, self.critic_width,
                               np.dtype(config.dtype).type)
        start, self.rng, self.test_rng = np.random.default_rng(seed).spawn(3)
        params = self.network.initial(start, config.body_init)
        self.learner = Learner.start(params, self.network.n_policy)
        self.replay = Replay(config.capacity)
        self.n_dialogues = 0
        self.diagnostics: list = []                # one record per update; whoever reads them may clear the list
        self._turns: list[tuple] = []              # of the dialogue under way: belief, mask, action, μ, payload logits
        self._rewards: list[float] = []

    def act(self, belief: np.ndarray, mask: np.ndarray, mode: str = "train") -> int:
        """An action for a belief (D,) under a mask (A,).

        "train" draws from μ and remembers the turn. "greedy" takes the mode of π, and "draw" draws from π: both are
        for tests and leave training as it was.
        """
        if mode not in ("train", "greedy", "draw"):
            raise ValueError(f"mode is {mode!r}, expected one of train, greedy, draw")
        masks = self._summary_masks(mask)
        logits = self.network.forward(self.learner.params[:self.network.n_policy], np.asarray(belief)[None]).logits
        policy = self.heads.policy(logits, masks)
        if mode == "greedy":
            return int(self.heads.greedy(policy)[0])
        if mode == "draw":
            return int(self.heads.draw(policy, self.test_rng)[0])
        if len(self._turns) != len(self._rewards):
            raise ValueError("act was called twice, expected observe with the reward of the first action")
        payload_logits, mu = logits[:, self.heads.n_summary:], self.behaviour(policy, masks)
        action = int(self.heads.draw(self.heads.behaviour(mu, payload_logits), self.rng)[0])
        self._turns.append((np.array(belief, self.network.dtype), masks[0], action, mu[0], payload_logits[0]))
        return action

    def behaviour(self, policy, masks: np.ndarray) -> np.ndarray:
        """(n, S) μ over the summary actions; payloads are always drawn from π."""
        pi, progress = self.heads.summary(policy), self.n_dialogues / self.config.horizon
        preferred = most_probable(pi) if self.config.behaviour == "greedy" else pi
        return mixture(preferred, masks, linear(self.config.epsilon, 0.0, progress))

    def observe(self, reward: float, done: bool) -> None:
        """The reward (unscaled) of the last action; the end of a dialogue moves it into the memory."""
        if len(self._turns) == len(self._rewards):
            raise ValueError("observe was called without an action, expected act to come first")
        dtype, scale = self.network.dtype, self.config.reward_scale
        with np.errstate(over="ignore"):
            scaled = dtype(reward * scale)
            if not np.isfinite(scaled * scaled):        # it would stay in Adam's moments for ever
                raise ValueError(f"reward is {reward} and reward_scale {scale}, expected a product whose square is "
                                 f"finite in {self.config.dtype}")
        self._rewards.append(scaled)
        if done:
            beliefs, masks, actions, mu, payload_logits = (np.array(column) for column in zip(*self._turns))
            self.replay.dialogues.append(Batch(beliefs, masks, actions, np.array(self._rewards), mu.astype(dtype),
                                               payload_logits, np.array([len(actions)])))
            self._turns, self._rewards = [], []
            self.n_dialogues += 1

    def learn(self) -> None:
        """The updates that follow a finished dialogue."""
        for _ in range(self.config.updates_per_dialogue):
            batch = self.replay.sample(self.config.minibatch, self.rng)
            self.learner, diagnostics = self.update(self.network, self.learner, batch, self.config)
            self.diagnostics.append(diagnostics)

    def action_table(self, belief: np.ndarray, mask: np.ndarray) -> dict[str, np.ndarray]:
        """(A,) π and, if the critic is a Q, (A,) Q in units of reward."""
        now = self.network.forward(self.learner.params, np.asarray(belief)[None])
        every = np.arange(self.heads.n_actions)
        logits, critic = (x.repeat(len(every), axis=0) for x in (now.logits, now.critic))
        found = {"pi": self.heads.pi_of(self.heads.policy(logits, self._summary_masks(mask)), every)}
        if self.critic_width is None:
            found["Q"] = self.heads.q_of(critic, every) / self.config.reward_scale
        return found

    def _summary_masks(self, mask: np.ndarray) -> np.ndarray:
        """(A,) -> (1, S) bool."""
        mask = as_mask(mask)
        if mask.shape != (self.heads.n_actions,) or not mask.any():
            raise ValueError(f"mask has shape {mask.shape} and allows {mask.sum()} actions, "
                             f"expected ({self.heads.n_actions},) and at least one")
        return self.heads.summary_masks(mask[None])

    def state(self) -> tuple[dict, dict[str, np.ndarray]]:
        """All that training between two dialogues goes on from: a header that JSON can hold, and arrays."""
        if self._turns:
            raise ValueError(f"{len(self._turns)} turns of a dialogue are under way, expected none")
        header = self._identity() | {"n_dialogues": self.n_dialogues, "adam_step": self.learner.adam.step,
                                     "rng": self.rng.bit_generator.state, "test_rng": self.test_rng.bit_generator.state}
        dialogues = join(list(self.replay.dialogues))._asdict() if self.replay.dialogues else {}
        arrays = {"params": self.learner.params, "average": self.learner.average,
                  "adam_mean": self.learner.adam.mean, "adam_square": self.learner.adam.square}
        return header, arrays | dialogues

    def restore(self, header: dict, arrays: dict[str, np.ndarray]) -> None:
        """Continues from a whole state of the same kind of agent; another kind is refused and changes nothing."""
        for name, ours in self._identity().items():
            if header.get(name) != ours:
                raise ValueError(f"{name} is {header.get(name)!r}, expected {ours!r}")
        adam = AdamState(header["adam_step"], arrays["adam_mean"], arrays["adam_square"])
        self.learner, self.n_dialogues = Learner(arrays["params"], arrays["average"], adam), header["n_dialogues"]
        self.rng.bit_generator.state, self.test_rng.bit_generator.state = header["rng"], header["test_rng"]
        self.replay, self._turns, self._rewards = Replay(self.config.capacity), [], []
        if "lengths" in arrays:
            self.replay.dialogues.extend(dialogues_of(Batch(*(arrays[name] for name in Batch._fields))))

    def checked(self, batch: Batch) -> Batch:
        """The batch in this agent's precision, or a ValueError that says why this agent cannot learn from it."""
        return checked(batch, self.network.n_belief, self.heads, self.network.dtype)

    def _identity(self) -> dict:
        """What a state and the agent that restores it must have in common."""
        config = json.loads(json.dumps(asdict(self.config)))         # as a file gives it back, tuples as lists
        return {"algorithm": type(self).__name__, "heads": repr(self.heads), "n_belief": self.network.n_belief,
                "n_parameters": self.network.size, "config": config}
