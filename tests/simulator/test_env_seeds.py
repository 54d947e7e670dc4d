"""What the seed of the environment decides, whatever the process."""
import os
import subprocess
import sys
from multiprocessing.reduction import ForkingPickler

import numpy as np

from simulator.env import DialogueEnv
from simulator.policies import handcrafted


def told(env):
    """What happens until the dialogue ends, with the handcrafted policy."""
    while not env.over:
        env.step(handcrafted(env.system))
    return env.transcript()


def users(env, choose=lambda env: handcrafted(env.system)):
    """The goals and personas of 25 users, who were talked to."""
    seen = []
    for _ in range(25):
        env.reset()
        seen.append((dict(env.user.goal.constraints), list(env.user.goal.requests), env.user.p))
        while not env.over:
            env.step(choose(env))
    return seen


def test_users_depend_on_the_seed_alone_not_on_policy_mask_or_noise():
    rng, reference = np.random.default_rng(0), users(DialogueEnv(seed=5))
    assert len({str(goal) for goal, *_ in reference}) > 10
    for settings in ({"error_rate": 0.5, "nbest": 5}, {"error_rate": 0.5, "channel": "dstc2"}, {"max_turns": 2}):
        assert users(DialogueEnv(seed=5, **settings)) == reference
    free = DialogueEnv(seed=5, mask="none", action_space="master")
    assert users(free, lambda env: int(rng.integers(env.n_actions))) == reference != users(DialogueEnv(seed=6))


def test_reset_with_a_seed_starts_all_streams_again():
    transcripts = []
    env, new = (DialogueEnv(seed=seed, error_rate=0.4, nbest=3, mask="none") for seed in (1, 7))
    for e, seed in ((new, None), (env, 7), (env, 7), (env, None)):
        e.reset(seed=seed)
        e.step(e.system.actions.index("inform_requested"))                      # any detail of any venue
        transcripts.append(told(e))
    assert transcripts[0] == transcripts[1] == transcripts[2] != transcripts[3]


def test_an_environment_sent_to_a_process_goes_on_as_the_original_with_an_empty_memory():
    env = DialogueEnv(seed=1, error_rate=0.4, nbest=3, action_space="master")
    env.reset()
    sent = ForkingPickler.dumps(env)
    twin = ForkingPickler.loads(sent)
    assert not twin.domain._remembered.cache_info().currsize and len(sent) < 100_000
    for _ in range(2):
        assert told(env) == told(twin)
        env.reset(), twin.reset()


PROGRAM = """
from simulator import DialogueEnv, handcrafted
for space, channel in (("summary", "sampled"), ("master", "dstc2")):
    env = DialogueEnv(seed=11, action_space=space, error_rate=0.4, nbest=4, channel=channel)
    for _ in range(6):
        env.reset()
        while not env.over:
            vector, *_, info = env.step(handcrafted(env.system))
            print(vector.sum(), info["action_mask"].sum())
        print(env.transcript())
"""


def test_the_same_seed_gives_the_same_dialogues_whatever_the_hash_seed():
    outputs = {subprocess.run([sys.executable, "-c", PROGRAM], env={**os.environ, "PYTHONHASHSEED": seed}, check=True,
                              capture_output=True, text=True).stdout for seed in ("0", "12345")}
    assert len(outputs) == 1 and len(outputs.pop()) > 5000
