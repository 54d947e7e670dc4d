"""What ACER, A2C and eNAC share: act and explore, remember whole dialogues, learn from minibatches of them.

They differ in one function, update(network, learner, batch, config) -> (learner, diagnostics).
"""
import json
from collections.abc import Callable
from dataclasses import asdict

import numpy as np

from acer_np.learner import AdamState, Learner
from acer_np.checks import as_mask
from acer_np.exploration import linear, mixture, most_probable
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads
from acer_np.network import Network
from acer_np.replay import Batch, Replay, checked, dialogues_of, join


class ReplayAgent:
    """An agent for any heads; its kind says how it learns, and how wide its critic is, if not as wide as the heads."""

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
        self.diagnostics: list = []                # of every update since the list was last emptied
        self._turns: list[tuple] = []              # of the dialogue under way: belief, mask, action, μ, payload logits
        self._rewards: list[float] = []

    def act(self, belief: np.ndarray, mask: np.ndarray, mode: str = "train") -> int:
        """An action for a belief (D,) under a mask (A,).

        "train" draws from μ and remembers; "greedy", the mode of π, and "draw", a draw from π, are for tests and leave
        training as it was.
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
            raise ValueError("act was called twice, expected observe to tell what the first action earned")
        payload_logits, mu = logits[:, self.heads.n_summary:], self.behaviour(policy, masks)
        action = int(self.heads.draw(self.heads.behaviour(mu, payload_logits), self.rng)[0])
        self._turns.append((np.array(belief, self.network.dtype), masks[0], action, mu[0], payload_logits[0]))
        return action

    def behaviour(self, policy, masks: np.ndarray) -> np.ndarray:
        """(n, S) μ over the summary actions; payloads are always drawn from the payload policy."""
        pi, progress = self.heads.summary(policy), self.n_dialogues / self.config.horizon
        preferred = most_probable(pi) if self.config.behaviour == "greedy" else pi
        return mixture(preferred, masks, linear(self.config.epsilon, 0.0, progress))

    def observe(self, reward: float, done: bool) -> None:
        """What the last action earned (unscaled); the end of a dialogue moves it into the memory."""
        if len(self._turns) == len(self._rewards):
            raise ValueError("observe was called without an action, expected act to come first")
        dtype = self.network.dtype
        with np.errstate(over="ignore"):
            scaled = dtype(reward * self.config.reward_scale)
            if not np.isfinite(scaled * scaled):        # which Adam would never forget
                raise ValueError(f"reward is {reward}, expected a number whose square is finite in {self.config.dtype}")
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
        """What it thinks of each action, (A,) each: π, and Q in units of reward where the critic is one of Q."""
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
        """Everything that training needs to go on as if it had not stopped, between two dialogues: a header that
        JSON can hold, and arrays."""
        if self._turns:
            raise ValueError(f"{len(self._turns)} turns of a dialogue are under way, expected none")
        header = self._identity() | {"n_dialogues": self.n_dialogues, "adam_step": self.learner.adam.step,
                                     "rng": self.rng.bit_generator.state, "test_rng": self.test_rng.bit_generator.state}
        dialogues = join(list(self.replay.dialogues))._asdict() if self.replay.dialogues else {}
        return header, self._parameters() | dialogues

    def restore(self, header: dict, arrays: dict[str, np.ndarray]) -> None:
        """Continue from a state of the same kind of agent; whatever is wrong with it, this agent stays as it was."""
        for name, ours in self._identity().items():
            if header.get(name) != ours:
                raise ValueError(f"{name} is {header.get(name)!r}, expected {ours!r}")
        try:
            for name, ours in self._parameters().items():
                theirs = arrays[name]
                if (theirs.shape, theirs.dtype) != (ours.shape, ours.dtype):
                    raise ValueError(f"{name} is {theirs.dtype} {theirs.shape}, expected {ours.dtype} {ours.shape}")
            adam = AdamState(int(header["adam_step"]), arrays["adam_mean"], arrays["adam_square"])
            rngs = [np.random.default_rng(0), np.random.default_rng(0)]
            for rng, name in zip(rngs, ("rng", "test_rng")):
                rng.bit_generator.state = header[name]
            n_dialogues, replay = int(header["n_dialogues"]), Replay(self.config.capacity)
            if "lengths" in arrays:
                batch = self.checked(Batch(*(arrays[name] for name in Batch._fields)))
                replay.dialogues.extend(dialogues_of(batch))
        except (LookupError, TypeError, AttributeError, OverflowError) as error:
            raise ValueError(f"the state is incomplete or damaged: {error}") from error
        self.learner, self.replay = Learner(arrays["params"], arrays["average"], adam), replay
        (self.rng, self.test_rng), self.n_dialogues = rngs, n_dialogues
        self._turns, self._rewards = [], []

    def checked(self, batch: Batch) -> Batch:
        """The batch in this agent's precision, or a ValueError that says why it is none of its dialogues."""
        return checked(batch, self.network.n_belief, self.heads, self.network.dtype)

    def _parameters(self) -> dict[str, np.ndarray]:
        """The learner's arrays by the names they have in a state."""
        return {"params": self.learner.params, "average": self.learner.average,
                "adam_mean": self.learner.adam.mean, "adam_square": self.learner.adam.square}

    def _identity(self) -> dict:
        """What a state must agree on with the agent that it is restored into."""
        config = json.loads(json.dumps(asdict(self.config)))         # as a file gives it back, tuples as lists
        return {"algorithm": type(self).__name__, "heads": repr(self.heads), "n_belief": self.network.n_belief,
                "config": config}
