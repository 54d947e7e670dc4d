"""Cholesky factors: of a Gram matrix to which new points append rows, and of what a few targets teach."""
import numpy as np
from scipy.linalg import solve_triangular

from gp_sarsa.points import Points, check_noise


def noisy_factor(covariance: np.ndarray, noise_std: float) -> np.ndarray:
    """(k, k) L with L Lᵀ = covariance + σ² I."""
    try:
        return np.linalg.cholesky(covariance + noise_std ** 2 * np.eye(len(covariance)))
    except np.linalg.LinAlgError as error:
        raise ValueError("kernel gives no covariance, expected one that is positive semi-definite") from error


def gain(cross: np.ndarray, covariance: np.ndarray, residual: np.ndarray,
         noise_std: float) -> tuple[np.ndarray, np.ndarray]:
    """What k noisy targets teach: the new posterior is m + Z z and S - Z Zᵀ.

        L Lᵀ = Fᵀ S F + σ² I,   Z = S F L⁻ᵀ,   z = L⁻¹ (R - Fᵀ m)

    Args:
        cross: (D, k) S F, covariance of the weights with Q at the k points.
        covariance: (k, k) Fᵀ S F, covariance of Q at the points.
        residual: (k,) R - Fᵀ m, target minus prediction.
    """
    L = noisy_factor(covariance, noise_std)
    solved = solve_triangular(L, np.column_stack([cross.T, residual]), lower=True, check_finite=False)
    return solved[:, :-1].T, solved[:, -1]


def draw(mean: np.ndarray, covariance: np.ndarray, scale: float, rng: np.random.Generator) -> np.ndarray:
    """(..., n) one draw from N(mean, scale² covariance), by eigenvalues, for the covariance may be singular."""
    if not 0 <= scale < np.inf:
        raise ValueError(f"scale is {scale}, expected a finite number of at least 0")
    eigenvalues, vectors = np.linalg.eigh(covariance)
    xi = np.sqrt(np.maximum(eigenvalues, 0.0)) * rng.standard_normal(eigenvalues.shape)
    return mean + scale * (vectors @ xi[..., None])[..., 0]


def solve(kernel, known: Points, L: np.ndarray, query: Points) -> np.ndarray:
    """(n, m) L⁻¹ k(known, query)."""
    if not len(L):
        return np.zeros((0, len(query.actions)))
    return solve_triangular(L, kernel.gram(known, query), lower=True, check_finite=False)


def given(kernel, known: Points, L: np.ndarray, new: Points, noise_std: float) -> tuple[np.ndarray, np.ndarray, float]:
    """(n, k) B, (k, k) K₂₂ - BᵀB, the covariance of k new points given the n known ones, and its scale max k(x, x).

        ⎡G    G₁₂⎤   ⎡L    0 ⎤ ⎡L    0 ⎤ᵀ
        ⎣G₂₁  G₂₂⎦ = ⎣Bᵀ  L₂₂⎦ ⎣Bᵀ  L₂₂⎦ ,   B = L⁻¹ G₁₂,   L₂₂ L₂₂ᵀ = G₂₂ - BᵀB

    Args:
        L: (n, n) lower triangular with L Lᵀ = G, the known points' Gram matrix or that plus noise.
    """
    K22, B = kernel.gram(new, new), solve(kernel, known, L, new)
    covariance, largest = K22 - B.T @ B, np.abs(np.diag(K22)).max()
    check_noise(noise_std, largest)
    return B, covariance, largest


def bordered(L: np.ndarray, B: np.ndarray, L22: np.ndarray) -> np.ndarray:
    """(n + k, n + k) L with the rows (Bᵀ, L₂₂) below; the copy costs less than the solve that led to B."""
    return np.block([[L, np.zeros_like(B)], [B.T, L22]])
