"""What the seed of the environment decides, whatever the process."""
import os
import subprocess
import sys
from multiprocessing.reduction import ForkingPickler

import numpy as np

from simulator.env import DialogueEnv
from simulator.policies import handcrafted


def by_hand(env):
    return handcrafted(env.system)


def goals(env, choose, n=25):
    seen = []
    for _ in range(n):
        env.reset()
        seen.append((dict(env.user.goal.constraints), list(env.user.goal.requests), env.user.p))
        done = False
        while not done:
            done = env.step(choose(env))[2]
    return seen


def test_users_depend_on_the_seed_alone_not_on_policy_mask_or_noise():
    rng = np.random.default_rng(0)
    reference = goals(DialogueEnv(seed=5), by_hand)
    assert len({str(goal) for goal, *_ in reference}) > 10
    for settings in ({"error_rate": 0.5, "nbest": 5}, {"error_rate": 0.5, "channel": "dstc2"}, {"max_turns": 2}):
        assert goals(DialogueEnv(seed=5, **settings), by_hand) == reference
    free = DialogueEnv(seed=5, mask="none", action_space="master")
    assert goals(free, lambda env: int(rng.integers(env.n_actions))) == reference
    assert goals(DialogueEnv(seed=6), by_hand) != reference


def test_reset_with_a_seed_starts_all_streams_again():
    env = DialogueEnv(seed=1, error_rate=0.4, nbest=3, mask="none")
    first = DialogueEnv(seed=7, error_rate=0.4, nbest=3, mask="none")
    transcripts = []
    for e, seed in ((first, None), (env, 7), (env, 7)):
        e.reset(seed=seed)
        done = e.step(e.system.actions.index("inform_requested"))[2]            # any detail of any venue
        while not done:
            done = e.step(handcrafted(e.system))[2]
        transcripts.append(e.transcript())
    assert transcripts[0] == transcripts[1] == transcripts[2]
    env.reset()
    assert env.transcript() != transcripts[0]


def test_an_environment_sent_to_a_process_goes_on_as_the_original_with_an_empty_memory():
    env = DialogueEnv(seed=1, error_rate=0.4, nbest=3, action_space="master")
    env.reset()
    twin = ForkingPickler.loads(ForkingPickler.dumps(env))
    assert twin.domain is not env.domain and twin.domain.fingerprint == env.domain.fingerprint
    assert not twin.domain._remembered.cache_info().currsize and len(ForkingPickler.dumps(env)) < 100_000
    transcripts = []
    for e in (env, twin):
        while not e.over:
            e.step(handcrafted(e.system))
        transcripts.append(e.transcript())
        e.reset()
        transcripts.append(e.transcript())
    assert transcripts[:2] == transcripts[2:]


PROGRAM = """
import numpy as np
from simulator.env import DialogueEnv
from simulator.policies import handcrafted, uniform_random
noise = {"error_rate": 0.4, "nbest": 4}
for settings in ({}, noise | {"action_space": "master"}, noise | {"channel": "dstc2"}):
    env, rng = DialogueEnv(seed=11, **settings), np.random.default_rng(0)
    for k in range(6):
        vector, info = env.reset()
        done = False
        while not done:
            action = handcrafted(env.system) if k % 2 else uniform_random(info["action_mask"], rng)
            vector, _, done, _, info = env.step(action)
            print(vector.sum(), info["action_mask"].sum())
        print(env.transcript())
"""


def test_the_same_seed_gives_the_same_dialogues_whatever_the_hash_seed():
    outputs = {subprocess.run([sys.executable, "-c", PROGRAM], env={**os.environ, "PYTHONHASHSEED": seed}, check=True,
                              capture_output=True, text=True).stdout for seed in ("0", "12345")}
    assert len(outputs) == 1 and len(outputs.pop()) > 5000
