"""GP-SARSA by its definition, and why it is Gaussian-process regression on returns.

Q ~ GP(0, k). A finished dialogue of T turns says  r = H q + ε  with q = (Q(x_1), ..., Q(x_T)) and

    H = ⎡1  -γ         ⎤        r_t = Q(x_t) - γ Q(x_{t+1}) + ε_t,   and Q = 0 after the end
        ⎢    1  -γ     ⎥
        ⎣         ⋱  1 ⎦        Cov ε = σ² H Hᵀ:  neighbouring temporal differences share half of their noise

(several dialogues: H block diagonal).

Theorem. On finished dialogues the posterior of Q is that of regression on the discounted returns-to-go R with
independent noise of variance σ²:  mean k*ᵀ (K + σ²I)⁻¹ R,  variance k** - k*ᵀ (K + σ²I)⁻¹ k*.

Proof. H is square and unit upper triangular, so it has an inverse, with (H⁻¹)_ij = γ^(j-i) for j ≥ i; hence H⁻¹ r = R.
Write ε = H e with e ~ N(0, σ²I): this has the covariance σ² H Hᵀ. Multiplying r = H q + H e by H⁻¹ gives R = q + e.
One is an invertible function of the other, so both data sets leave the same posterior for every q. ∎

It needs both the noise σ² H Hᵀ and the end of the dialogue: with noise σ² I, or for a dialogue cut off before its end
(H then has one more column than rows), it is false. Consequences: nothing is bootstrapped; the order of dialogues does
not matter; a factor δ(a^s, a'^s) in the kernel makes K block diagonal, so each summary action is its own regression.
"""
import numpy as np

from gp_sarsa.cholesky import GramFactor
from gp_sarsa.kernels import Points

JITTERS = (0.0, 1e-14, 1e-12, 1e-10)        # tried in turn, in units of the largest prior variance
INDEFINITE = 1e-8                           # a more negative eigenvalue, in the same units, is no rounding error


def temporal_difference_matrix(lengths: list[int], gamma: float) -> np.ndarray:
    """H of dialogues with these numbers of turns, one block each."""
    H = np.eye(sum(lengths)) - gamma * np.eye(sum(lengths), k=1)
    for end in np.cumsum(lengths)[:-1]:
        H[end - 1, end] = 0.0               # nothing follows the last turn of a dialogue
    return H


def posterior_by_definition(kernel, points: Points, lengths: list[int], rewards: np.ndarray, query: Points,
                            gamma: float, noise_std: float) -> tuple[np.ndarray, np.ndarray]:
    """(m,) mean and (m,) variance of Q at the query points, straight from the definition, in O(n³).

        G = H K Hᵀ + σ² H Hᵀ,   mean = k*ᵀ Hᵀ G⁻¹ r,   variance = k** - k*ᵀ Hᵀ G⁻¹ H k*
    """
    H = temporal_difference_matrix(lengths, gamma)
    cross = H @ kernel.gram(points, query)
    G = H @ kernel.gram(points, points) @ H.T + noise_std ** 2 * H @ H.T
    variance = kernel.diagonal(query) - np.sum(cross * np.linalg.solve(G, cross), axis=0)
    return cross.T @ np.linalg.solve(G, rewards), variance


def check_semidefinite(covariance: np.ndarray, scale: float) -> None:
    """Refuses a (k, k) covariance of new points, given the old ones, that no valid kernel could give.

    Args:
        scale: the largest prior variance; rounding errors are small against it.
    """
    lowest = np.linalg.eigvalsh(covariance)[0] if np.isfinite(covariance).all() else np.nan
    if not lowest >= -INDEFINITE * scale:
        raise ValueError(f"the kernel is not positive semi-definite: the covariance of the new points, given the old, "
                         f"has the eigenvalue {lowest:.3g}; sums and products of the kernels in kernels.py are valid")


def factor_covariance(covariance: np.ndarray, noise_std: float, scale: float) -> np.ndarray:
    """Lower L with L Lᵀ = covariance + σ² I, plus the least jitter that makes it possible.

    Args:
        covariance: (k, k) of Q at new points, given all the old ones.
        scale: the largest prior variance, the unit of the jitter.
    """
    check_semidefinite(covariance, scale)
    for jitter in JITTERS:
        try:
            return np.linalg.cholesky(covariance + (noise_std ** 2 + jitter * scale) * np.eye(len(covariance)))
        except np.linalg.LinAlgError:
            pass
    raise ValueError(f"the Gram matrix is not positive definite, even with {JITTERS[-1] * scale:.1g} on its diagonal: "
                     f"raise noise_std, now {noise_std:.1g}, to {np.sqrt(INDEFINITE * scale):.1g} or more")


class ExactBlock:
    """The posterior of one group of points, on a Cholesky factor of K + σ²I that grows by a dialogue's rows.

        L Lᵀ = K + σ²I,   v = L⁻¹ R,   z = L⁻¹ k*:   mean = zᵀ v,   variance = k** - zᵀ z
    """

    def __init__(self, kernel, noise_std: float, n_belief: int):
        self.kernel, self.noise_std = kernel, noise_std
        self.factor = GramFactor(kernel, n_belief)
        self.v = np.zeros(0)

    def prepare(self, points: Points, returns: np.ndarray) -> tuple:
        """What k new points and their (k,) returns will add; nothing is changed yet, so it may fail."""
        K22 = self.kernel.gram(points, points)
        B = self.factor.solve(points)
        L22 = factor_covariance(K22 - B.T @ B, self.noise_std, np.diag(K22).max())
        return points, B, L22, np.linalg.solve(L22, returns - B.T @ self.v)

    def accept(self, points: Points, B: np.ndarray, L22: np.ndarray, v2: np.ndarray) -> None:
        """Appends what `prepare` returned."""
        self.factor.append(points, B, L22)
        self.v = np.append(self.v, v2)

    def predict(self, query: Points) -> tuple[np.ndarray, np.ndarray]:
        """(m,) means and (m,) variances."""
        z = self.factor.solve(query)
        return self.v @ z, self.kernel.diagonal(query) - np.sum(z * z, axis=0)
