"""What the tests of acer_np draw, slow spelled-out versions that share no formula with the code, and small agents."""
import numpy as np
import pytest
from hypothesis import strategies as st
from scipy.special import log_expit, log_softmax

from acer_np import A2CAgent, A2CConfig, ACERAgent, ACERConfig, ENACAgent, ENACConfig, MasterHeads, SummaryHeads
from acer_np.learner import AdamState, Learner
from acer_np.network import Network
from acer_np.replay import Batch

seeds = st.integers(0, 2 ** 32 - 1)
bodies = st.sampled_from(["own", "shared"])
either_heads = st.sampled_from([SummaryHeads(5), MasterHeads(2, 2, 3, "payloads"), MasterHeads(3, 3, 1, "payloads"),
                                MasterHeads(2, 3, 2, "slots"), MasterHeads(2, 1, 2, "payloads"), MasterHeads(2, 0, 3)])


def frozen(*arrays):
    """The arrays, read-only: code that would change its input raises."""
    for array in arrays:
        array.setflags(write=False)
    return arrays if len(arrays) > 1 else arrays[0]


# ---- turns

def random_masks(rng, n, width):
    """(n, width) bool with one to all entries allowed in each row."""
    masks = rng.random((n, width)) < rng.random((n, 1))
    masks[np.arange(n), rng.integers(width, size=n)] = True
    return masks


def random_mu(rng, masks, missing=0.3):
    """(n, S) a behaviour under the masks, which in a share of the turns never takes some of the allowed actions."""
    support = masks & (rng.random(masks.shape) < np.where(rng.random((len(masks), 1)) < missing, 0.5, 1.0))
    support[np.arange(len(masks)), [rng.choice(np.flatnonzero(row)) for row in masks]] = True
    weights = support * rng.exponential(size=masks.shape)
    return weights / weights.sum(axis=1, keepdims=True)


def random_actions(rng, heads, possible):
    """(n,) actions whose summary action is possible, (n, S)."""
    allowed = np.array([[row[summary] > 0 for summary, _ in spelled_out(heads)] for row in possible])
    return np.array([rng.choice(np.flatnonzero(row)) for row in allowed])


def random_batch(rng, network, n_dialogues=4, longest=5):
    """Dialogues in which every action was possible."""
    lengths, heads = rng.integers(1, longest + 1, n_dialogues), network.heads
    n = lengths.sum()
    masks = random_masks(rng, n, n_summary(heads))
    mu = random_mu(rng, masks)
    floats = (rng.normal(size=(n, network.n_belief)), rng.normal(size=n), mu,
              rng.normal(size=(n, heads.width - n_summary(heads))))
    beliefs, rewards, mu, payload_logits = (x.astype(network.dtype) for x in floats)
    return Batch(*frozen(beliefs, masks, random_actions(rng, heads, mu), rewards, mu, payload_logits, lengths))


def random_learner(seed, heads, critic_body="own", critic_width=None, dtype=np.float64, n_dialogues=4, steps=0):
    """A network with dense parameters, an average policy that differs from the current one, and a batch."""
    rng = np.random.default_rng(seed)
    network = Network(3, heads, (4, 3), critic_body, critic_width, dtype)
    params = (0.7 * rng.normal(size=network.size)).astype(dtype)
    average = (params[:network.n_policy] + 0.3 * rng.normal(size=network.n_policy)).astype(dtype)
    moments = frozen(np.zeros_like(params), np.zeros_like(params))
    learner = Learner(*frozen(params, average), AdamState(steps, *moments))
    return network, learner, random_batch(rng, network, n_dialogues)


def direction_of(learner, updated):
    """The ascent direction that Adam was given: its mean is 0.9 of the old one and 0.1 of it."""
    return (updated.adam.mean - 0.9 * learner.adam.mean) / 0.1


def far_from_kinks(network, params, beliefs, margin=1e-4):
    """Whether no hidden unit of either body is near the kink of its ReLU."""
    p = network.views(params)
    for body in ("", "_critic"):
        below = beliefs
        for i in range(1, len(network.hidden) + 1):
            if f"W{body}{i}" in p:
                activation = below @ p[f"W{body}{i}"] + p[f"b{body}{i}"]
                if np.abs(activation).min() < margin:
                    return False
                below = np.maximum(activation, 0)
    return True


# ---- the heads, spelled out

def spelled_out(heads):
    """[(summary action, payload or None)] of every action, in the order of their indices."""
    if isinstance(heads, SummaryHeads):
        return [(summary, None) for summary in range(heads.n_actions)]
    informs = [(method, payload) for method in range(heads.n_methods) for payload in range(2 ** heads.n_payload_slots)]
    return informs + [(heads.n_methods + other, None) for other in range(heads.n_others)]


def n_summary(heads):
    return max(summary for summary, _ in spelled_out(heads)) + 1


def widened(heads, summary_part, payload_part):
    """(n, A) sum of the summary's entry and, where there is a payload, of the payload's."""
    columns = [summary_part[:, s] + (0.0 if p is None else payload_part[:, p]) for s, p in spelled_out(heads)]
    return np.stack(columns, axis=1)


def wide_mask(heads, mask):
    """(A,) the mask of all actions that goes with one of the summary actions, (S,)."""
    return np.array([mask[summary] for summary, _ in spelled_out(heads)])


def wide_log_policy(heads, logits, masks):
    """(n, A) log π, -∞ where masked."""
    s = n_summary(heads)
    with np.errstate(divide="ignore"):
        log_s = log_softmax(np.where(masks, logits[:, :s], -np.inf), axis=1)
    return widened(heads, log_s, log_payload(heads, logits[:, s:]))


def slots_of(heads, payload):
    """The slots that a payload tells, and those that it does not."""
    told = [slot for slot in range(heads.n_payload_slots) if payload // 2 ** slot % 2 == 1]
    return told, [slot for slot in range(heads.n_payload_slots) if slot not in told]


def log_payload(heads, w):
    """(n, payloads) log π_p: a softmax, or an independent yes or no for each slot; None in the summary space."""
    if isinstance(heads, SummaryHeads):
        return None
    if heads.payload_outputs == "payloads":
        return log_softmax(w, axis=1)
    answers = [slots_of(heads, payload) for payload in range(2 ** heads.n_payload_slots)]
    columns = [log_expit(w[:, yes]).sum(axis=1) + log_expit(-w[:, no]).sum(axis=1) for yes, no in answers]
    return np.stack(columns, axis=1)


def wide_mu(heads, mu, payload_logits):
    """(n, A) the behaviour's probabilities, action by action."""
    log_nu = log_payload(heads, payload_logits)
    return np.array([[row[s] * (1.0 if p is None else np.exp(log_nu[t, p])) for s, p in spelled_out(heads)]
                     for t, row in enumerate(mu)])


def wide_q(heads, q):
    """(n, A) Q."""
    q_s, q_p = q[:, :n_summary(heads)], q[:, n_summary(heads):]
    if isinstance(heads, MasterHeads) and heads.payload_outputs == "slots":
        payloads = range(2 ** heads.n_payload_slots)
        q_p = np.stack([q_p[:, slots_of(heads, payload)[0]].sum(axis=1) for payload in payloads], axis=1)
    return widened(heads, q_s, q_p)


def wide_entropy(log_pi):
    return -np.where(log_pi > -np.inf, np.exp(log_pi) * np.maximum(log_pi, -1e300), 0.0).sum(axis=1)


def wide_kl(log_average, log_pi):
    allowed = log_average > -np.inf
    return np.where(allowed, np.exp(log_average) * (np.where(allowed, log_average, 0) - np.where(allowed, log_pi, 0)),
                    0.0).sum(axis=1)


def central_differences(function, x, step=1e-6):
    """∂ function / ∂ x for every entry of x, function returning a number."""
    gradient = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += step
        down[index] -= step
        gradient[index] = (function(up) - function(down)) / (2 * step)
    return gradient


# ---- agents

AGENTS = {"acer": (ACERAgent, ACERConfig), "a2c": (A2CAgent, A2CConfig), "enac": (ENACAgent, ENACConfig)}
HEADS = {"summary": SummaryHeads(4), "master": MasterHeads(2, 2, 2)}
N_BELIEF = 5
every_agent = pytest.mark.parametrize("name", AGENTS)
every_space = pytest.mark.parametrize("space", HEADS)


def make_small(name="acer", space="summary", seed=0, n_belief=N_BELIEF, **settings):
    """A small agent; whatever matters to a test is among its settings, for defaults may be tuned."""
    (agent, config), small = AGENTS[name], dict(hidden=(6, 4), minibatch=3, capacity=8, horizon=10)
    return agent(n_belief, HEADS[space], config(**small | settings), seed)


def play(agent, rng, n_dialogues):
    """Dialogues of one to four turns with random beliefs, masks and rewards; returns the actions."""
    actions = []
    for _ in range(n_dialogues):
        for left in reversed(range(rng.integers(1, 5))):
            mask = random_masks(rng, 1, n_summary(agent.heads))[0]
            actions.append(agent.act(rng.random(agent.network.n_belief), wide_mask(agent.heads, mask)))
            agent.observe(float(rng.normal()), done=left == 0)
        agent.learn()
    return actions


def everything(agent):
    """All that its future depends on, as plain values that compare exactly."""
    learner, dialogues = agent.learner, agent.replay.dialogues
    arrays = [learner.params, learner.average, *learner.adam[1:], *(column for d in dialogues for column in d),
              *(np.asarray(x) for turn in agent._turns for x in turn)]
    return ([(a.dtype.str, a.shape, a.tobytes()) for a in arrays], learner.adam.step, len(dialogues), dialogues.maxlen,
            len(agent._turns), [float(r) for r in agent._rewards], agent.n_dialogues, agent.rng.bit_generator.state)
