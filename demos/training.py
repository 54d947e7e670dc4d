"""The one training loop, the one test, and the one meaning of success, reward and turns."""
import signal
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import demos
from demos.agents import grow, make_agent, make_env
from demos.console import Progress
from demos.demonstrations import teach
from demos.files import read_arrays, write_arrays
from demos.records import arithmetic
from demos.settings import TRAINABLE, Setting, on_schedule
from simulator import DialogueEnv, Domain, cambridge_restaurants
from simulator.domain import without

TRAIN, TEST = 0, 1             # second number of a dialogue's seed: [seed, TRAIN, i] or [TEST_KEY, TEST, i]
TEST_KEY = 1802                # all agents, seeds and milestones are tested on the same users
OLD_GOALS, BEFORE = "old goals", "before growth"     # tests on users who know nothing of the slots that are new
MILESTONE = 200                # dialogues between two tests, in runs long enough for ten of them


class Outcome(NamedTuple):
    """Of one dialogue, or the mean of several."""

    success: float
    reward: float              # sum over the turns
    turns: float


def play(env: DialogueEnv, agent, seed: list[int], mode: str = "greedy") -> Outcome:
    """One dialogue with the user of that seed; the agent learns from it ("train"), or is tested on it."""
    belief, info = env.reset(seed=seed)
    total, done = 0.0, False
    while not done:
        action = agent.act(belief, info["action_mask"], mode)
        belief, reward, terminated, truncated, info = env.step(action)
        total, done = total + reward, terminated or truncated
        if mode == "train":
            agent.observe(reward, done)
    if mode == "train":
        agent.learn()
    return Outcome(float(info["success"]), total, float(info["turns"]))


def evaluate(env: DialogueEnv, agent, n_dialogues: int, mode: str = "greedy") -> Outcome:
    """The mean over test users, whom no training meets."""
    outcomes = [play(env, agent, [TEST_KEY, TEST, i], mode) for i in range(n_dialogues)]
    return Outcome(*map(fmean, zip(*outcomes)))


def milestones(n_dialogues: int) -> list[int]:
    """After how many dialogues to test: 20 times in 4000, ten times in short runs, and always at the end."""
    spacing = min(MILESTONE, -(-n_dialogues // 10)) or 1
    return [*range(spacing, n_dialogues, spacing), n_dialogues]


def modes_of(setting: Setting) -> tuple[str, ...]:
    """How the policy is tested: where the domain grows, on the goals of before as well."""
    return setting.tests + (OLD_GOALS,) * bool(setting.without)


class Run:
    """A training run: it may stop after any dialogue, be saved, and go on as if it had never stopped.

    The environment has no memory between dialogues, for each has its own seed: the agent, the curve and the records
    since the last test are the whole state.
    """

    def __init__(self, setting: Setting, seed: int, domain: Domain | None = None):
        self.setting, self.seed, self.domain = setting, seed, domain or cambridge_restaurants()
        self.env = self.old_goals = make_env(setting, without(self.domain, setting.without))
        self.agent = make_agent(setting, self.env, seed)
        self.total = setting.dialogues if setting.agent in TRAINABLE else 0
        self.due = milestones(self.total)                # after how many dialogues it is tested
        self.n_dialogues = self.n_saved = 0              # so far, and in the last snapshot
        self.curve: list[dict[str, float | str]] = []    # one row per test
        self.recent: list[dict[str, float]] = []         # one record per training dialogue since the last test
        self.seconds = {"training": 0.0, "testing": 0.0}     # CPU time of this process; not part of the state

    @property
    def finished(self) -> bool:
        return bool(self.curve) and self.curve[-1]["dialogues"] == self.total

    def train(self) -> Iterator[Outcome | None]:
        """To the end: in each step a training dialogue, if the agent learns, and the tests that are due after it."""
        self._learn_from_demonstrations()
        while not self.finished:
            outcome = self._train_on_one() if self.n_dialogues < self.total else None
            if self.n_dialogues in self.due:
                self._test()
            yield outcome

    def stay(self) -> None:
        """The remaining tests, without any more training."""
        for self.n_dialogues in [n for n in self.due if not self.curve or n > self.curve[-1]["dialogues"]]:
            self._test()

    def _learn_from_demonstrations(self) -> None:
        """Before all else, and tests what they taught."""
        if self.setting.demonstrations and not self.curve:
            teach(self.agent, self.setting, self.env, self.seed, Run.load)
            self._test()

    def _grow(self) -> None:
        """From now on users know all slots of the domain; those who do not are kept, to test on their goals."""
        small, self.env = self.env, make_env(self.setting, self.domain)
        self.agent = grow(self.agent, self.setting, small, self.env)
        self.old_goals = make_env(self.setting, self.domain)
        self.old_goals.user, self.old_goals.channel = small.user, self.env.channel

    def _train_on_one(self) -> Outcome:
        start = time.thread_time()
        outcome = play(self.env, self.agent, [self.seed, TRAIN, self.n_dialogues], "train")
        updates = getattr(self.agent, "diagnostics", [])
        self.recent.append({"training_success": outcome.success} | mean_of([update._asdict() for update in updates]))
        updates.clear()
        self.n_dialogues += 1
        self.seconds["training"] += time.thread_time() - start
        if self.setting.without and self.n_dialogues == self.setting.grow_after:
            self._test_mode(BEFORE)
            self._grow()
        return outcome

    def _test(self) -> None:
        start, channel, usual = time.thread_time(), self.env.channel, self.setting.error_rate
        final = self.setting.final_error_rates if self.n_dialogues == self.total else ()
        for channel.error_rate in (usual, *final):
            for mode in modes_of(self.setting):
                self._test_mode(mode)
        channel.error_rate, self.recent = usual, []
        self.seconds["testing"] += time.thread_time() - start

    def _test_mode(self, mode: str) -> None:
        env, how = (self.old_goals, "greedy") if mode in (OLD_GOALS, BEFORE) else (self.env, mode)
        scores = evaluate(env, self.agent, self.setting.test_dialogues, how)._asdict()
        self.curve.append({"dialogues": self.n_dialogues, "error_rate": env.channel.error_rate, "test": mode}
                          | scores | mean_of(self.recent))

    def save(self, path: str | Path) -> None:
        """The agent's state with the run's in its header."""
        header, arrays = self.agent.state()
        run = {"version": demos.__version__, "setting": self.setting.differences(), "seed": self.seed,
               "n_dialogues": self.n_dialogues, "curve": self.curve, "recent": self.recent}
        write_arrays(path, {"run": run, "domain": identity(self.domain), "agent": header, "arithmetic": arithmetic()},
                     arrays)
        self.n_saved = self.n_dialogues

    @classmethod
    def load(cls, path: str | Path, domain: Domain | None = None, dialogues: int = 0) -> "Run":
        """The run that was saved, with that many dialogues to train on if it were fewer; a ValueError if impossible."""
        header, arrays = read_arrays(path)
        try:
            state, theirs, ours = header["run"], header["domain"], identity(domain or cambridge_restaurants())
            if state["version"] != demos.__version__:
                raise ValueError(f"its version is {state['version']}, expected {demos.__version__}")
            if theirs != ours:
                raise ValueError(f"its domain is {theirs['name']}, expected {'the built-in ' * (domain is None)}"
                                 f"{ours['name']}{' with the same contents' * (theirs['name'] == ours['name'])}; "
                                 "give the files it was trained with by --domain")
            setting = Setting.from_differences(state["setting"])
            run = cls(on_schedule(setting, max(dialogues, setting.dialogues)), state["seed"], domain)
            if setting.without and state["n_dialogues"] >= setting.grow_after:
                run._grow()
            run.agent.restore(header["agent"], arrays)
            run.n_dialogues, run.curve, run.recent = state["n_dialogues"], state["curve"], state["recent"]
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise ValueError(f"snapshot {path} cannot be used: {error}") from error
        run.n_saved = run.n_dialogues
        return run


def identity(domain: Domain) -> dict[str, str]:
    """What a snapshot knows its domain by."""
    return {"name": domain.name, "fingerprint": domain.fingerprint}


def mean_of(records: list[dict[str, float]]) -> dict[str, float]:
    """The mean of every quantity over the records that have it."""
    names = dict.fromkeys(name for record in records for name in record)
    return {name: fmean(record[name] for record in records if name in record) for name in names}


@contextmanager
def stop_between_dialogues() -> Iterator[list]:
    """Ctrl-C fills the list, so that the dialogue under way is finished first; a second Ctrl-C stops at once."""
    asked: list[int] = []

    def ask(signal_number, _) -> None:
        asked.append(signal_number)
        signal.signal(signal.SIGINT, before)
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def train(run: Run, save: Path | None) -> None:
    """To the end with a progress line; snapshots at once, which tells whether it can be saved, after every test and
    when stopped."""
    if save:
        run.save(save)
    recent = deque(maxlen=100)
    with Progress("dialogues", run.total, run.n_dialogues) as progress, stop_between_dialogues() as asked:
        for outcome in run.train():
            recent.extend([outcome.success] if outcome else [])
            share = 100 * sum(recent) / max(1, len(recent))
            progress.show(run.n_dialogues, f", {share:.0f} % of the last {len(recent)} successful")
            if save and (asked or not run.recent):
                run.save(save)
            if asked and not run.finished:
                raise KeyboardInterrupt
