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

The theorem needs the noise σ² H Hᵀ: with σ² I it is false. It also needs dialogues that have ended: of one that is cut
off, H has one more column than rows, and no inverse.

Consequences: nothing is bootstrapped; the order of dialogues does not matter; a factor δ(a^s, a'^s) in the kernel makes
K block diagonal, so each summary action is its own regression.
"""
from typing import NamedTuple

import numpy as np

from gp_sarsa.cholesky import bordered, given, noisy_factor, solve
from gp_sarsa.points import Points


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
    variance = np.diag(kernel.gram(query, query)) - np.sum(cross * np.linalg.solve(G, cross), axis=0)
    return cross.T @ np.linalg.solve(G, rewards), variance


class ExactBlock(NamedTuple):
    """What n points of one group have taught, on a Cholesky factor of K + σ²I that grows by a dialogue's rows.

        L Lᵀ = K + σ²I,   v = L⁻¹ R,   z = L⁻¹ k*:   mean = zᵀ v,   covariance = k** - zᵀ z
    """
    beliefs: np.ndarray         # (n, D)
    actions: np.ndarray         # (n,)
    L: np.ndarray               # (n, n)
    v: np.ndarray               # (n,)

    def learned(self, new: Points, returns: np.ndarray, kernel, noise_std: float) -> "ExactBlock":
        """The block after k new points and their (k,) returns."""
        B, covariance, _ = given(kernel, Points(*self[:2]), self.L, new, noise_std)
        L22 = noisy_factor(covariance, noise_std)
        v2 = np.linalg.solve(L22, returns - B.T @ self.v)
        return ExactBlock(np.vstack([self.beliefs, new.beliefs]), np.append(self.actions, new.actions),
                          bordered(self.L, B, L22), np.append(self.v, v2))

    def predict(self, query: Points, kernel) -> tuple[np.ndarray, np.ndarray]:
        """(m,) means and (m, m) covariance."""
        z = solve(kernel, Points(*self[:2]), self.L, query)
        return self.v @ z, kernel.gram(query, query) - z.T @ z
