"""GP-SARSA on a dictionary of representative points: approximate linear dependence.

A point joins the dictionary if the rest of it explains the point's Q badly: if its variance given Q at the dictionary's
points, k(x, x) - k̃ᵀ K̃⁻¹ k̃, exceeds the threshold ν. Everything else is projected onto the dictionary.

With L Lᵀ = K̃ the projection has coordinates φ(x) = L⁻¹ k̃(x), in which the prior is N(0, I): what is left is Bayesian
linear regression on φ. The textbook's vector α and matrix C are L⁻ᵀ m and L⁻ᵀ (I - S) L⁻¹; here K̃ is never inverted.
"""
import numpy as np
from scipy.linalg import solve_triangular

from gp_sarsa.cholesky import GramFactor, reserve, reserve_square
from gp_sarsa.exact import check_semidefinite
from gp_sarsa.kernels import Points
from gp_sarsa.weight_space import gain


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


class SparseBlock:
    """The posterior of one group of points on its dictionary of M of them.

        mean = φᵀ m,   variance = k** - φᵀ φ + φᵀ S φ
    """

    def __init__(self, kernel, noise_std: float, n_belief: int, novelty_threshold: float):
        self.kernel, self.noise_std, self.novelty_threshold = kernel, noise_std, novelty_threshold
        self.factor = GramFactor(kernel, n_belief)
        self._m, self._S = np.zeros(1), np.eye(1)               # with room to grow: beyond M the prior, 0 and I

    def prepare(self, points: Points, returns: np.ndarray) -> tuple:
        """What k new points and their (k,) returns will add; nothing is changed yet, so it may fail."""
        B = self.factor.solve(points)
        K22 = self.kernel.gram(points, points)
        covariance = K22 - B.T @ B
        check_semidefinite(covariance, np.diag(K22).max())
        picks, features = choose_novel(covariance, self.novelty_threshold)
        return Points(points.beliefs[picks], points.actions[picks]), B[:, picks], features[picks], \
            np.vstack([B, features.T]), returns

    def accept(self, novel: Points, B: np.ndarray, L22: np.ndarray, phi: np.ndarray, returns: np.ndarray) -> None:
        """Enlarges the dictionary by the novel points, then conditions on all of the (M, k) features."""
        old, new = self.factor.n, len(phi)
        self.factor.append(novel, B, L22)
        self._m, self._S = reserve(self._m, old, new), reserve_square(self._S, old, new)
        m, S = self._m[:new], self._S[:new, :new]
        cross = S @ phi
        Z, z = gain(cross, phi.T @ cross, returns - m @ phi, self.noise_std)
        m += Z @ z
        S -= Z @ Z.T

    def predict(self, query: Points) -> tuple[np.ndarray, np.ndarray]:
        """(m,) means and (m,) variances."""
        phi, M = self.factor.solve(query), self.factor.n
        explained = np.sum(phi * (phi - self._S[:M, :M] @ phi), axis=0)
        return self._m[:M] @ phi, self.kernel.diagonal(query) - explained
