"""Wrong versions of gp_posterior_sparse."""
import numpy as np

from tests.gallery.parts import gram, novel_points, posterior, td_matrix


def what_is_not_novel_is_forgotten(*case):
    """A point that does not join the dictionary is dropped, and its return with it.

    Symptom: beliefs that come back often are believed after their first dialogue.
    """
    beliefs, actions, rewards, lengths, *query, gamma, noise_std, threshold = case
    kept = novel_points(beliefs, actions, threshold)
    returns = np.linalg.solve(td_matrix(lengths, gamma), rewards)
    known = beliefs[kept], actions[kept], returns[kept], None, *query, None, noise_std
    return posterior(known, np.eye(len(kept)))


def only_the_dictionary_has_a_prior(*case):
    """The variance lacks what the dictionary does not explain of a point, as in the subset of regressors.

    Symptom: no exploration where nothing was seen.
    """
    kept, (mean, variance) = novel_points(case[0], case[1], case[8]), posterior(case[:8])
    cross = gram(case[0][kept], case[1][kept], case[4], case[5])
    K = gram(case[0][kept], case[1][kept], case[0][kept], case[1][kept])
    unexplained = (case[4] ** 2).sum(axis=1) - np.diag(cross.T @ np.linalg.pinv(K) @ cross)
    return mean, variance - unexplained
