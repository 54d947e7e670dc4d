"""The one training loop, the one test, and the one meaning of success, reward and turns."""
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import demos
from demos.agents import grow, make_agent, make_env
from demos.console import Progress
from demos.demonstrations import teach
from demos.files import read_arrays, write_arrays
from demos.settings import TRAINABLE, Setting, on_schedule
from simulator import DialogueEnv, Domain, cambridge_restaurants
from simulator.domain import without

TRAIN, TEST = 0, 1             # second number of a dialogue's seed: [seed, TRAIN, i] or [TEST_KEY, TEST, i]
TEST_KEY = 1802                # all agents, seeds and milestones are tested on the same users
OLD_GOALS, BEFORE = "old goals", "before growth"     # tests on users who know nothing of the slots that are new
MILESTONE = 200                # dialogues between two tests, in runs long enough for ten of them
SNAPSHOT = "snapshot.npz"      # in the folder of a run
PAUSE = 10.0                   # seconds between two snapshots of a run that goes on


class Outcome(NamedTuple):
    """Of one dialogue, or the mean of several."""

    success: float
    reward: float              # sum over the turns
    turns: float


def play(env: DialogueEnv, agent, seed: list[int], mode: str = "greedy") -> Outcome:
    """One dialogue with the user of that seed; the agent learns from it ("train"), or is tested on it."""
    belief, info = env.reset(seed=seed)
    total = 0.0
    while not env.over:
        belief, reward, *_, info = env.step(agent.act(belief, info["action_mask"], mode))
        total += reward
        if mode == "train":
            agent.observe(reward, env.over)
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
    """A training run: it may stop after any dialogue, be saved in a folder, and go on as if it had never stopped.

    The environment has no memory between dialogues, for each has its own seed: the agent, the curve and the records
    since the last test are the whole state.
    """

    def __init__(self, setting: Setting, seed: int = 0, domain: Domain | None = None):
        if bool(setting.without) != (0 < setting.grow_after < setting.dialogues):
            raise ValueError(f"grow_after is {setting.grow_after}, expected 1 to {setting.dialogues - 1} with some "
                             "slots to be --without, and 0 with none")
        self.setting, self.seed, self.domain = setting, seed, domain or cambridge_restaurants()
        self.env = self.old_goals = make_env(setting, without(self.domain, setting.without))
        self.agent = make_agent(setting, self.env, seed)
        self.total = setting.dialogues if setting.agent in TRAINABLE else 0
        self.due = milestones(self.total)                # after how many dialogues it is tested
        self.n_dialogues = 0                             # so far
        self.curve: list[dict[str, float | str]] = []    # one row per test
        self.recent: list[dict[str, float]] = []         # one record per training dialogue since the last test
        self.seconds = {"training": 0.0, "testing": 0.0}     # of CPU time

    @property
    def finished(self) -> bool:
        return bool(self.curve) and self.curve[-1]["dialogues"] == self.total

    def train(self) -> Iterator[Outcome | None]:
        """To the end: in each step a training dialogue, if the agent learns, and the tests that are due after it."""
        self._since = time.thread_time()                 # when the time that is not in self.seconds began
        try:
            self._learn_from_demonstrations()
            while not self.finished:
                outcome = self._train_on_one() if self.n_dialogues < self.total else None
                if self.n_dialogues in self.due:
                    self._test()
                yield outcome
        finally:
            self._spent("training")

    def stay(self) -> None:
        """The remaining tests, without any more training."""
        self._since = time.thread_time()
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
        outcome = play(self.env, self.agent, [self.seed, TRAIN, self.n_dialogues], "train")
        updates = getattr(self.agent, "diagnostics", [])
        self.recent.append(mean_of([update._asdict() for update in updates]))
        updates.clear()
        self.n_dialogues += 1
        if self.setting.without and self.n_dialogues == self.setting.grow_after:
            self._test_mode(BEFORE)
            self._grow()
        return outcome

    def _test(self) -> None:
        self._spent("training")
        channel, usual = self.env.channel, self.setting.error_rate
        final = self.setting.final_error_rates if self.n_dialogues == self.total else ()
        for channel.error_rate in (usual, *final):
            for mode in modes_of(self.setting):
                self._test_mode(mode)
        channel.error_rate, self.recent = usual, []
        self._spent("testing")

    def _spent(self, kind: str) -> None:
        """The CPU time since the last call; per interval, for its clock is slow on virtual machines."""
        now = time.thread_time()
        self.seconds[kind], self._since = self.seconds[kind] + now - self._since, now

    def _test_mode(self, mode: str) -> None:
        env, how = (self.old_goals, "greedy") if mode in (OLD_GOALS, BEFORE) else (self.env, mode)
        scores = evaluate(env, self.agent, self.setting.test_dialogues, how)._asdict()
        self.curve.append({"dialogues": self.n_dialogues, "error_rate": env.channel.error_rate, "test": mode}
                          | scores | mean_of(self.recent))

    def save(self, folder: str | Path) -> None:
        """The agent's state, with the run's in its header, as the snapshot in a folder."""
        header, arrays = self.agent.state()
        state = {name: getattr(self, name) for name in ("n_dialogues", "curve", "recent", "seconds")}
        write_arrays(Path(folder, SNAPSHOT), {
            "version": demos.__version__, "domain": (self.domain.name, self.domain.fingerprint),
            "setting": self.setting.differences(), "seed": self.seed, "state": state, "agent": header}, arrays)

    @classmethod
    def load(cls, folder: str | Path, domain: Domain | None = None, dialogues: int = 0) -> "Run":
        """The run in a folder, with that many dialogues to train on if it were fewer; a ValueError if impossible."""
        path, ours = Path(folder, SNAPSHOT), domain or cambridge_restaurants()
        if not path.exists():
            raise ValueError(f"{folder} holds no run, expected a folder with a {SNAPSHOT}")
        header, arrays = read_arrays(path)
        try:
            if header["version"] != demos.__version__:
                raise ValueError(f"its version is {header['version']}, expected {demos.__version__}")
            if header["domain"] != [ours.name, ours.fingerprint]:
                raise ValueError(f"its domain is {header['domain'][0]}, expected {'the built-in ' * (domain is None)}"
                                 f"{ours.name}{' with the same contents' * (header['domain'][0] == ours.name)}; "
                                 "give the files it was trained with by --domain")
            setting = Setting.from_differences(header["setting"])
            longer = on_schedule(setting, dialogues) if dialogues > setting.dialogues else setting
            run = cls(longer, header["seed"], domain)
            if setting.without and header["state"]["n_dialogues"] >= setting.grow_after:
                run._grow()
            run.agent.restore(header["agent"], arrays)
        except (LookupError, TypeError, ValueError) as error:            # of other code, perhaps
            raise ValueError(f"{path} cannot be used: {error}") from error
        vars(run).update(header["state"])
        return run


def mean_of(records: list[dict[str, float]]) -> dict[str, float]:
    """The mean of every quantity over the records that have it."""
    names = dict.fromkeys(name for record in records for name in record)
    return {name: fmean(record[name] for record in records if name in record) for name in names}


@contextmanager
def stop_between_dialogues() -> Iterator[list]:
    """Ctrl-C fills the list, so that the dialogue under way is finished first; a second Ctrl-C stops at once.

    A thread of a program gets no Ctrl-C.
    """
    asked: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    def ask(signal_number, _) -> None:
        asked.append(signal_number)
        signal.signal(signal.SIGINT, before)
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def train(run: Run, folder: str | Path | None = None) -> None:
    """To the end with a progress line; with a folder snapshots, at once, which tells whether it can be written, every
    few seconds and when it ends or is stopped."""
    recent, saved = deque(maxlen=100), time.monotonic()
    with (Progress("dialogues", run.total, run.n_dialogues) as progress, stop_between_dialogues() as asked,
          closing(run.train()) as steps):
        if folder:
            run.save(folder)
        for outcome in steps:
            recent.extend([outcome.success] if outcome else [])
            share = 100 * sum(recent) / max(1, len(recent))
            progress.show(run.n_dialogues, f", {share:.0f} % of the last {len(recent)} successful")
            if asked:
                break
            if folder and not run.recent and time.monotonic() - saved > PAUSE:      # after a test
                run.save(folder)
                saved = time.monotonic()
    if folder:
        run.save(folder)
    if not run.finished:
        raise KeyboardInterrupt
