"""Wrong versions of payload_kernel."""
import numpy as np


def divided_by_the_root_of_the_norm(payloads, others):
    """‖p‖^½ with the Euclidean norm, so k(P, P) = √(slots told).

    Symptom: long payloads start with a larger variance and are explored first.
    Found in: the paper as printed; the 1-norm to the power ½ would be right.
    """
    def bar(p):
        size = np.linalg.norm(p, axis=1, keepdims=True) ** 0.5
        return np.append(p / np.where(size > 0, size, 1.0), size == 0, axis=1)
    return bar(payloads) @ bar(others).T


def an_empty_payload_of_zeros(payloads, others):
    """The empty payload is the zero vector.

    Symptom: its variance is 0, so its Q stays 0 for ever and it is never explored.
    Found in: the paper leaves open what 0/0 is.
    """
    sizes = np.sqrt(np.outer(payloads.sum(axis=1), others.sum(axis=1)))
    return payloads @ others.T / np.where(sizes > 0, sizes, 1.0)


def slots_counted_and_not_divided(payloads, others):
    """The plain inner product.

    Symptom: a payload of eight slots has eight times the variance of one.
    """
    empty = np.outer(payloads.sum(axis=1) == 0, others.sum(axis=1) == 0)
    return payloads @ others.T + empty


def slots_that_agree(payloads, others):
    """The share of slots in which both agree, told or not.

    Symptom: two payloads with nothing in common are nearly alike if there are many slots.
    """
    return (payloads[:, None, :] == others[None, :, :]).mean(axis=2)


def the_share_of_the_first_that_is_in_the_second(payloads, others):
    """|P ∩ P'| / |P|, which is not symmetric.

    Symptom: a Cholesky factor that reads one triangle gives another posterior than one that reads the other.
    """
    empty = np.outer(payloads.sum(axis=1) == 0, others.sum(axis=1) == 0)
    return payloads @ others.T / np.maximum(payloads.sum(axis=1, keepdims=True), 1.0) + empty
