"""What the tests of acer_np draw, and slow spelled-out versions of the heads that share no formula with them."""
import numpy as np
from hypothesis import strategies as st
from scipy.special import log_expit, log_softmax

from acer_np.batch import Batch
from acer_np.heads import SummaryHeads
from acer_np.master_heads import MasterHeads

seeds = st.integers(0, 2 ** 32 - 1)
truncations = st.sampled_from([0.1, 0.5, 1.0, 5.0, 40.0, np.inf])
decays = st.floats(0, 1, allow_subnormal=False)
either_heads = st.sampled_from([SummaryHeads(5), MasterHeads(2, 2, 3), MasterHeads(3, 3, 1), MasterHeads(2, 3, 2, "slots"),
                                MasterHeads(2, 1, 2)])


def frozen(*arrays):
    """The arrays, read-only: code that would change its input raises."""
    for array in arrays:
        array.setflags(write=False)
    return arrays if len(arrays) > 1 else arrays[0]


def random_masks(rng, n, width):
    """(n, width) bool with one to all entries allowed in each row."""
    masks = rng.random((n, width)) < rng.random((n, 1))
    masks[np.arange(n), rng.integers(width, size=n)] = True
    return masks


def random_actions(rng, heads, masks):
    """(n,) allowed actions."""
    where = spelled_out(heads)
    allowed = np.array([[row[summary] for summary, _ in where] for row in masks])
    return np.array([rng.choice(np.flatnonzero(row)) for row in allowed])


def random_batch(rng, network, n_dialogues=4, longest=5, no_exploration=0.2):
    """A Batch in which every action was possible; some turns have ε = 0."""
    lengths = rng.integers(1, longest + 1, n_dialogues)
    n = lengths.sum()
    masks = random_masks(rng, n, len(network.heads.sizes))
    actions, greedy = (random_actions(rng, network.heads, masks) for _ in range(2))
    epsilons = rng.uniform(0.05, 1, n) * (rng.random(n) >= no_exploration)
    actions = np.where(epsilons > 0, actions, greedy)
    payloads = rng.normal(size=(n, network.heads.width - n_summary(network.heads)))
    return Batch(*frozen(rng.normal(size=(n, network.n_belief)).astype(network.dtype), masks, actions,
                         rng.normal(size=n).astype(network.dtype), epsilons.astype(network.dtype), greedy,
                         payloads.astype(network.dtype), lengths))


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
    yes_and_no = [slots_of(heads, payload) for payload in range(2 ** heads.n_payload_slots)]
    return np.stack([log_expit(w[:, yes]).sum(axis=1) + log_expit(-w[:, no]).sum(axis=1) for yes, no in yes_and_no], axis=1)


def wide_q(heads, q):
    """(n, A) Q."""
    q_s, q_p = q[:, :n_summary(heads)], q[:, n_summary(heads):]
    if isinstance(heads, MasterHeads) and heads.payload_outputs == "slots":
        q_p = np.stack([q_p[:, slots_of(heads, payload)[0]].sum(axis=1) for payload in range(2 ** heads.n_payload_slots)], axis=1)
    return widened(heads, q_s, q_p)


def wide_entropy(log_pi):
    return -np.where(log_pi > -np.inf, np.exp(log_pi) * np.maximum(log_pi, -1e300), 0.0).sum(axis=1)


def wide_kl(log_average, log_pi):
    allowed = log_average > -np.inf
    return np.where(allowed, np.exp(log_average) * (np.where(allowed, log_average, 0) - np.where(allowed, log_pi, 0)),
                    0.0).sum(axis=1)


def wide_mu(heads, masks, epsilons, greedy, over, payloads):
    """(n, A) ε-greedy probabilities, action by action."""
    where, mu, log_nu = spelled_out(heads), [], log_payload(heads, payloads)
    for t, (mask, epsilon, best) in enumerate(zip(masks, epsilons, greedy)):
        if over == "actions":
            n_allowed = sum(mask[s] for s, _ in where)
            mu.append([epsilon * mask[s] / n_allowed + (1 - epsilon) * (a == best) for a, (s, _) in enumerate(where)])
        else:
            chosen = where[best][0]
            mu.append([(epsilon * mask[s] / mask.sum() + (1 - epsilon) * (s == chosen))
                       * (1.0 if p is None else np.exp(log_nu[t, p])) for s, p in where])
    return np.array(mu)


def marginals(heads, weights):
    """(n, A) G -> (n, width) G_s beside G_p."""
    out = np.zeros((len(weights), heads.width))
    for a, (s, p) in enumerate(spelled_out(heads)):
        out[:, s] += weights[:, a]
        if p is not None:
            shared = [p] if heads.payload_outputs == "payloads" else slots_of(heads, p)[0]
            out[:, [n_summary(heads) + output for output in shared]] += weights[:, [a]]
    return out


def central_differences(function, x, step=1e-6):
    """∂ function / ∂ x for every entry of x, function returning a number."""
    gradient = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += step
        down[index] -= step
        gradient[index] = (function(up) - function(down)) / (2 * step)
    return gradient
