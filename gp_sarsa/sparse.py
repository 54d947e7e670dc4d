"""GP-SARSA on a dictionary of representative points: approximate linear dependence.

A new point joins the dictionary if the points there explain Q at the new one badly: if the variance that they leave,
k(x, x) - k̃ᵀ K̃⁻¹ k̃, exceeds the threshold ν. Other points are projected onto the dictionary.

With L Lᵀ = K̃ the projection has coordinates φ(x) = L⁻¹ k̃(x), in which the prior is N(0, I): what is left is Bayesian
linear regression on φ. The textbook's vector α and matrix C are L⁻ᵀ m and L⁻ᵀ (I - S) L⁻¹; here K̃ is never inverted.
"""
from typing import NamedTuple

import numpy as np
from scipy.linalg import block_diag, solve_triangular

from gp_sarsa.cholesky import bordered, gain, given, solve
from gp_sarsa.points import LEAST, Points


def choose_novel(covariance: np.ndarray, novelty_threshold: float) -> tuple[list[int], np.ndarray]:
    """Walks through new points in order and picks those that the dictionary, picks included, explains badly.

    A point is described by the dictionary of its own time: its features on later picks are 0.

    Args:
        covariance: (k, k) of the new points given the old dictionary, K₂₂ - BᵀB.
    Returns:
        the c picks, and (k, c) features of all k points on them; the picks' rows are lower triangular.
    """
    picks, features = [], np.zeros_like(covariance)
    for t, row in enumerate(covariance):
        c = len(picks)
        features[t, :c] = solve_triangular(features[picks, :c], row[picks], lower=True) if c else 0.0
        novelty = row[t] - features[t] @ features[t]
        if novelty > novelty_threshold:
            features[t, c] = np.sqrt(novelty)
            picks.append(t)
    return picks, features[:, :len(picks)]


class SparseBlock(NamedTuple):
    """What the points of one group have taught, on its dictionary of M of them.

        mean = φᵀ m,   covariance = k** - φᵀ φ + φᵀ S φ
    """
    beliefs: np.ndarray         # (M, D)
    actions: np.ndarray         # (M,)
    L: np.ndarray               # (M, M)
    m: np.ndarray               # (M,)
    S: np.ndarray               # (M, M)

    def learned(self, new: Points, returns: np.ndarray, kernel, noise_std: float,
                novelty_threshold: float) -> "SparseBlock":
        """The block after k new points and their (k,) returns: a larger dictionary, conditioned on all of them."""
        B, covariance, largest = given(kernel, Points(*self[:2]), self.L, new, noise_std)
        picks, features = choose_novel(covariance, max(novelty_threshold, LEAST * largest))
        phi = np.vstack([B, features.T])                                                # (M, k)
        m, S = np.append(self.m, np.zeros(len(picks))), block_diag(self.S, np.eye(len(picks)))
        cross = S @ phi
        Z, z = gain(cross, phi.T @ cross, returns - m @ phi, noise_std)
        return SparseBlock(np.vstack([self.beliefs, new.beliefs[picks]]), np.append(self.actions, new.actions[picks]),
                           bordered(self.L, B[:, picks], features[picks]), m + Z @ z, S - Z @ Z.T)

    def predict(self, query: Points, kernel) -> tuple[np.ndarray, np.ndarray]:
        """(m,) means and (m, m) covariance."""
        phi = solve(kernel, Points(*self[:2]), self.L, query)
        return self.m @ phi, kernel.gram(query, query) - phi.T @ (phi - self.S @ phi)
