"""The Cholesky factor of a Gram matrix that grows: new points append rows, and nothing is ever recomputed."""
import numpy as np
from scipy.linalg import solve_triangular

from gp_sarsa.kernels import Points

GROWTH = 1.25           # capacity beyond what is needed, so that copying costs O(1) per appended entry


def reserve(array: np.ndarray, n_used: int, n_needed: int) -> np.ndarray:
    """The array itself if its first axis holds n_needed entries, else a longer copy, zero beyond the first n_used."""
    if n_needed <= len(array):
        return array
    grown = np.zeros((int(GROWTH * n_needed), *array.shape[1:]), array.dtype)
    grown[:n_used] = array[:n_used]
    return grown


def reserve_square(array: np.ndarray, n_used: int, n_needed: int) -> np.ndarray:
    """The same for a square matrix; beyond the first n_used rows and columns it is an identity matrix."""
    if n_needed <= len(array):
        return array
    grown = np.eye(int(GROWTH * n_needed))
    grown[:n_used, :n_used] = array[:n_used, :n_used]
    return grown


class GramFactor:
    """n points and the lower triangular L with L Lᵀ = G, where G is their Gram matrix or that plus noise.

        ⎡G    G₁₂⎤   ⎡L    0 ⎤ ⎡L    0 ⎤ᵀ
        ⎣G₂₁  G₂₂⎦ = ⎣Bᵀ  L₂₂⎦ ⎣Bᵀ  L₂₂⎦ ,   B = L⁻¹ G₁₂,   L₂₂ L₂₂ᵀ = G₂₂ - BᵀB

    The unused part of L's array is an identity matrix: a solve then runs on the contiguous array, without a copy.
    """

    def __init__(self, kernel, n_belief: int):
        self.kernel, self.n = kernel, 0
        self._beliefs, self._actions, self._L = np.zeros((1, n_belief)), np.zeros(1, int), np.eye(1)

    def solve(self, query: Points) -> np.ndarray:
        """(n, m) L⁻¹ k(points, query)."""
        rhs = np.zeros((len(self._L), len(query.actions)))
        rhs[:self.n] = self.kernel.gram(Points(self._beliefs[:self.n], self._actions[:self.n]), query)
        return solve_triangular(self._L, rhs, lower=True, check_finite=False)[:self.n]

    def append(self, points: Points, B: np.ndarray, L22: np.ndarray) -> None:
        """Adds k points and their rows (Bᵀ, L₂₂) from (n, k) B and (k, k) L₂₂."""
        old, new = self.n, self.n + len(L22)
        self._beliefs, self._actions = reserve(self._beliefs, old, new), reserve(self._actions, old, new)
        self._L = reserve_square(self._L, old, new)
        self._beliefs[old:new], self._actions[old:new] = points
        self._L[old:new, :old], self._L[old:new, old:new] = B.T, L22
        self.n = new
