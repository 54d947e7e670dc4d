"""ACER by the book: the paper's Algorithms 1 and 2, line by line, one dialogue and one turn at a time.

    python -m acer_np.by_the_book

Read this first, beside the paper, and run it: it learns that one must ask before one offers. The numbers on the left
are the paper's lines, with what they say. ✱ marks what had to be mended, added or shortened; paper.md has the reasons.
The paper's ω_a is ω̄ here. Nothing is fast or general: summary actions only. acer.py does the same for all turns at
once, and tests hold the two together. Borrowed are the layout of the parameters (network.views), Adam, and records.
"""
from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from acer_np.acer import ACERConfig
from acer_np.heads import SummaryHeads
from acer_np.learner import Learner, adam_ascent, linear, progress
from acer_np.network import Network
from acer_np.replay import Batch, dialogues_of, join


def softmax(logits: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """(A,) π: the exponentials of the allowed logits, divided by their sum."""
    exponentials = np.exp(np.where(mask, logits - logits[mask].max(), -np.inf))
    return exponentials / exponentials.sum()


def forward(p: dict[str, np.ndarray], head: str, body: str, belief: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """(A,) outputs of a head, and the inputs of the layers under it: the belief, then max(0, h W + b)."""
    layers = [belief]
    while f"W{body}{len(layers)}" in p:
        i = len(layers)
        layers.append(np.maximum(layers[-1] @ p[f"W{body}{i}"] + p[f"b{body}{i}"], 0.0))
    return layers[-1] @ p[f"W{head}"] + p[f"b{head}"], layers


def backward(p: dict, d: dict, head: str, body: str, layers: list[np.ndarray], d_output: np.ndarray) -> None:
    """Adds to d an objective's gradient in a head and its body, from its gradient d_output (A,) at the outputs."""
    names = [head, *(f"{body}{i}" for i in reversed(range(1, len(layers))))]
    for name, h in zip(names, reversed(layers)):
        d[f"W{name}"] += np.outer(h, d_output)
        d[f"b{name}"] += d_output
        d_output = (p[f"W{name}"] @ d_output) * (h > 0)


def algorithm_2(network: Network, learner: Learner, memory: Batch, config: ACERConfig) -> Learner:
    """The training algorithm: one step of ω, θ and ω̄, on some dialogues M of the memory."""
    # 1   Input: {M, θ, ω, ω̄, π, Q, α, β, γ, δ}                            ✱ and c, λ, η, and limits of all values
    p, p_average = network.views(learner.params), network.views(learner.average)
    actions, c, limit = range(network.heads.n_actions), config.rho_max, config.value_limit
    critic_body = "_critic" if network.critic_body == "own" else ""
    # ✱   printed: sums over the turns for g and dθ, neither for k; the text has means. The choice gives δ its unit
    share = 1 / len(memory.actions) if config.scale == "mean" else 1.0
    # ✱   η falls linearly to its value at the horizon
    eta = linear(config.entropy_weight, config.final_entropy_weight, progress(config, learner.adam.step))

    # 2   Initialise g = 0, dθ = 0
    g, k, d_theta = np.zeros((3, network.size))
    at_g, at_k, at_theta = (network.views(x) for x in (g, k, d_theta))
    # 3   for each dialogue {b_1:N, a_1:N, r_1:N, μ} in M do
    for beliefs, masks, taken, rewards, mus, *_ in dialogues_of(memory):
        # ✱   Q^ret ← 0                                                    nothing follows the end
        q_ret = 0.0
        # 4   for t = N to 1 do                                            ✱ printed: for 1 = N to 1
        for belief, mask, a_t, r_t, mu in reversed(list(zip(beliefs, masks, taken, rewards, mus))):
            logits, layers = forward(p, "_policy", "", belief)
            q, critic_layers = forward(p, "_critic", critic_body, belief)
            pi = softmax(logits, mask)
            scores = np.eye(len(pi)) - pi                # row a: ∇log π(a|b_t) at the logits, onehot(a) - π
            # 5   ρ_t ← π(a_t|b_t) / μ(a_t|b_t)
            rho = pi[a_t] / mu[a_t]
            # 6   V(b_t) ← Σ_a Q(b_t, a) π(a|b_t)                          ✱ held within the limits, as 8, 9, 14, 15
            v = np.clip(sum(q[a] * pi[a] for a in actions), -limit, limit)
            # 7   Q^ret ← r_t + γ Q^ret
            q_ret = r_t + config.gamma * q_ret
            # 8   A(b_t, a_t) ← Q^ret - V(b_t)
            target = np.clip(q_ret, -limit, limit)
            advantage = target - v
            # 9   A'(b_t, a) ← Q(b_t, a) - V(b_t)                          ✱ printed: of a_t; the sum in 12 needs all a
            critic_advantage = np.clip(q, -limit, limit) - v
            # 10  ρ̄_t ← min(c, ρ_t)                                        ✱ printed: min(r, ρ_t)
            rho_bar = min(c, rho)
            # 11  C(a) ← [(ρ(a|b_t) - c) / ρ(a|b_t)]_+                     ✱ printed: C; of all a; 1 where μ never goes
            cut = [1.0 if mu[a] == 0 else 1 - c * mu[a] / pi[a] if pi[a] > c * mu[a] else 0.0 for a in actions]
            # 12  B ← Σ_a π(a|b_t) C(a) ∇log π(a|b_t) A'(b_t, a)
            correction = sum(pi[a] * cut[a] * scores[a] * critic_advantage[a] for a in actions)
            # 13  g ← g + ρ̄_t ∇log π(a_t|b_t) A(b_t, a_t) + B
            backward(p, at_g, "_policy", "", layers, share * (rho_bar * scores[a_t] * advantage + correction))
            # 14  dθ ← dθ - ½ ∇(Q^ret - Q(b_t, a_t))²                      ✱ printed: without the ½
            error = (target - q[a_t]) * np.eye(len(q))[a_t]
            backward(p, at_theta, "_critic", critic_body, critic_layers, share * error)
            # ✱   dθ ← dθ + η ∇H,   H = -Σ_a π(a) log π(a)                 the entropy, of which the text speaks
            log_pi = np.log(np.where(pi > 0, pi, 1.0))
            d_entropy = -pi * (log_pi - sum(pi[a] * log_pi[a] for a in actions))
            backward(p, at_theta, "_policy", "", layers, share * eta * d_entropy)
            # 15  Q^ret ← λ min(1, ρ_t) (Q^ret - Q(b_t, a_t)) + V(b_t)     ✱ printed: ρ̄_t for λ min(1, ρ_t), a for a_t
            q_ret = config.trace_decay * min(1.0, rho) * (q_ret - np.clip(q[a_t], -limit, limit)) + v
            # 16  k ← k + ∇KL(π(·|b_t, ω̄) ‖ π(·|b_t, ω))                   ✱ printed below the loop, of no turn; π - π̄
            pi_average = softmax(forward(p_average, "_policy", "", belief)[0], mask)
            backward(p, at_k, "_policy", "", layers, share * (pi - pi_average))

    # 17  z ← g - max{0, (kᵀg - δ) / ‖k‖²} k                               ✱ printed: max{0, ... k}; and z = g if k = 0
    z = g - max(0.0, (k @ g - config.kl_limit) / (k @ k)) * k if k.any() else g
    # 18  ω ← ω + α z
    # 19  θ ← θ + α dθ                                                     ✱ in one step of Adam; they may share a body
    params, adam = adam_ascent(learner.params, z + d_theta, learner.adam,
                               config.learning_rate / config.updates_per_dialogue)
    # 20  ω̄ ← β ω̄ + (1 - β) ω
    average = config.average_decay * learner.average + (1 - config.average_decay) * params[:network.n_policy]
    return Learner(params, average, adam)


def algorithm_1(network: Network, config: ACERConfig, users: Iterable[Callable], seed: int = 0) -> Learner:
    """The outer loop; a user is a function that is given act(belief, mask) and returns a dialogue's rewards."""
    # 1   Input: policy π(a|b, ω), Q(b, a), hyperparameters α, β, γ, δ     ✱ and those of line 1 below, ε, n, batch_size
    start, rng, _ = np.random.default_rng(seed).spawn(3)
    # 2   Initialise θ, ω, ω̄, and Q(terminal) = 0                          ✱ ω̄ as ω
    learner = Learner.start(network.initial(start, config.body_init), network.n_policy)
    episodes: list[Batch] = []
    # 3   repeat
    for user in users:
        epsilon, turns = linear(config.epsilon, 0.0, len(episodes) / config.horizon), []

        def act(belief: np.ndarray, mask: np.ndarray) -> int:
            pi = softmax(forward(network.views(learner.params), "_policy", "", belief)[0], mask)
            preferred = np.eye(len(pi))[pi.argmax()] if config.behaviour == "greedy" else pi
            mu = (1 - epsilon) * preferred + epsilon * mask / mask.sum()
            turns.append((belief, mask, int((mu.cumsum() <= rng.random() * mu.sum()).sum()), mu))
            return turns[-1][2]

        # 4   Generate episode {b, a, r} according to ε-greedy using π     ✱ or by draws from π, which explore as well
        rewards = np.array(user(act)) * config.reward_scale
        # 5   Save generated episode, along with values of μ               ✱ printed: values of π
        beliefs, masks, taken, mus = map(np.array, zip(*turns))
        episodes.append(Batch(beliefs, masks, taken, rewards, mus, np.zeros((len(taken), 0)), np.array([len(taken)])))
        # 6   for i = 1 to n do
        for _ in range(config.updates_per_dialogue):
            # 7   Sample a subset of replay memory, M, of size batch_size
            memory = episodes[-config.capacity:]
            chosen = rng.choice(len(memory), min(config.minibatch, len(memory)), replace=False)
            # 8   Call training algorithm (Algorithm 2) with {M, ...}      ✱ shortened: its line 1 has the list
            learner = algorithm_2(network, learner, join([memory[i] for i in chosen]), config)
    # 9   until convergence
    return learner


# ---- A task: the user wants offer 1 or offer 2, and tells which if action 0 asks

def talk(wish: int, dialogues: list, act: Callable) -> list[float]:
    """The rewards of a dialogue: a turn costs 1, the right offer earns 20, and an offer or the fifth turn ends it.

    The belief is a unit vector: nothing heard, 1 heard, or 2 heard.
    """
    heard, action, rewards = 0, 0, []
    while action == 0 and len(rewards) < 5:
        action = act(np.eye(3)[heard], np.ones(3, bool))
        rewards.append(19.0 if action == wish else -1.0)
        heard = wish
    dialogues.append(rewards)
    return rewards


def main(n_dialogues: int = 400, every: int = 40) -> None:
    """Trains by Algorithm 1, prints means over the latest dialogues as it goes, and the policy at the end."""
    config, dialogues = ACERConfig(hidden=(8,), learning_rate=0.02, minibatch=8, horizon=n_dialogues), []
    network, rng = Network(3, SummaryHeads(3), config.hidden), np.random.default_rng(0)

    def users() -> Iterable[Callable]:
        while len(dialogues) < n_dialogues:
            yield partial(talk, rng.integers(1, 3), dialogues)
            if len(dialogues) % every == 0:
                right, turns, reward = np.mean([(r[-1] > 0, len(r), sum(r)) for r in dialogues[-every:]], axis=0)
                print(f"{len(dialogues):9} {100 * right:12.0f} % {turns:7.2f} {reward:8.2f}")

    print("dialogues   right offers   turns   reward")
    p = network.views(algorithm_1(network, config, users()).params)
    print("\npolicy            ask   offer 1   offer 2")
    for heard, belief in zip(("nothing heard", "1 heard", "2 heard"), np.eye(3)):
        pi = softmax(forward(p, "_policy", "", belief)[0], np.ones(3, bool))
        print(f"{heard:13} {pi[0]:7.2f} {pi[1]:9.2f} {pi[2]:9.2f}")
    print("\nWhat to see: an offer without a question is right half of the time, which is worth 20 / 2 - 1 = 9.\n"
          "A question first is worth 20 - 2 = 18. The curve climbs from about 9 towards 18: it learns to ask.")


if __name__ == "__main__":
    main()
