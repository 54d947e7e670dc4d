"""GP-SARSA with the linear kernels as Bayesian linear regression: the exact posterior at a constant cost per turn.

⟨b, b'⟩ ⟨p̄, p̄'⟩ = ⟨b ⊗ p̄, b' ⊗ p̄'⟩, so within one summary action Q(b, p) = Σ_ip w_ip b_i p̄_p with w ~ N(0, I), and
returns-to-go R = Q + e, e ~ N(0, σ²), turn the prior into N(m, S); `exact.py` proves that this is GP-SARSA. Nothing
grows with the number of dialogues: 15 regressions of dimension 268, in the master space 4 of 268·9 and 11 of 268.
"""
import numpy as np
from scipy.linalg import solve_triangular

from gp_sarsa.kernels import check_points
from gp_sarsa.layout import ActionLayout

FLUSH_ROWS = 144        # rows of S updated at a time: enough for fast products, few enough for the cache


def check_noise(noise_std: float) -> None:
    if not 0 < noise_std < np.inf:
        raise ValueError(f"noise_std must be positive and finite, not {noise_std}")


def gain(cross: np.ndarray, covariance: np.ndarray, residual: np.ndarray,
         noise_std: float) -> tuple[np.ndarray, np.ndarray]:
    """What k noisy targets teach: the new posterior is m + Z z and S - Z Zᵀ.

        L Lᵀ = Fᵀ S F + σ² I,   Z = S F L⁻ᵀ,   z = L⁻¹ (R - Fᵀ m)

    Args:
        cross: (D, k) S F, covariance of the weights with Q at the k points.
        covariance: (k, k) Fᵀ S F, covariance of Q at the points.
        residual: (k,) R - Fᵀ m, target minus prediction.
    """
    L = np.linalg.cholesky(covariance + noise_std ** 2 * np.eye(len(residual)))
    solved = solve_triangular(L, np.column_stack([cross.T, residual]), lower=True, check_finite=False)
    return solved[:, :-1].T, solved[:, -1]


class LinearBlocks:
    """Independent regressions on features b ⊗ p̄ that are conditioned a few points at a time.

    The covariance of block a is S0 - A Aᵀ, where A collects the last few Z: subtracting each from S0 at once would
    stream the whole of S0 through memory every time, all together cost little more than one. S0 is stored in tiles,

        S0[a, i, j, q, p] = Cov(w_ip, w_jq),

    so that the few entries that a sparse belief touches lie together.
    """

    def __init__(self, n_blocks: int, n_belief: int, n_features: int, noise_std: float, max_pending: int):
        self.noise_std, self.max_pending = noise_std, max_pending
        self.m = np.zeros((n_blocks, n_belief, n_features))
        self.S0 = np.zeros((n_blocks, n_belief, n_belief, n_features, n_features))
        diagonal = np.arange(n_belief)
        self.S0[:, diagonal, diagonal] = np.eye(n_features)
        self.A = np.zeros((n_blocks, n_belief, n_features, max_pending))
        self.n_pending = np.zeros(n_blocks, int)

    def mean(self, belief: np.ndarray) -> np.ndarray:
        """(blocks, P) u_p = Σ_i b_i m_ip: the mean of Q is ⟨p̄, u⟩ for every payload."""
        nz = np.flatnonzero(belief)
        return belief[nz] @ self.m[:, nz]

    def covariance(self, belief: np.ndarray) -> np.ndarray:
        """(blocks, P, P) C_pq = Σ_ij b_i b_j Cov(w_ip, w_jq): the variance of Q is p̄ᵀ C p̄ for every payload."""
        nz = np.flatnonzero(belief)
        b, (n_blocks, n_belief, P) = belief[nz], self.m.shape
        pairs = (nz[:, None] * n_belief + nz).ravel()
        C = np.outer(b, b).ravel() @ self.S0.reshape(n_blocks, n_belief ** 2, P * P).take(pairs, axis=1)
        pending = self.n_pending.max(initial=0)
        A_b = (b @ self.A[:, nz, :, :pending].reshape(n_blocks, len(nz), P * pending)).reshape(n_blocks, P, pending)
        return C.reshape(n_blocks, P, P) - A_b @ A_b.transpose(0, 2, 1)

    def condition(self, block: int, beliefs: np.ndarray, features: np.ndarray, targets: np.ndarray) -> None:
        """Adds k observed points to one block: (k, D) beliefs, (k, P) payload features, (k,) returns-to-go."""
        nz = np.flatnonzero(beliefs.any(axis=0))
        (n_belief, P), k, pending = self.m.shape[1:], len(targets), self.n_pending[block]
        tiles = (beliefs[:, nz, None] * features[:, None, :]).transpose(1, 2, 0)      # (nnz, P, k)
        F = tiles.reshape(len(nz) * P, k)
        A = self.A[block, :, :, :pending]
        # S F = S0 F - A (Aᵀ F); of S0 this needs one row of tiles for each non-zero entry of the beliefs
        cross = (self.S0[block].take(nz, axis=0).reshape(len(nz), n_belief * P, P) @ tiles).sum(axis=0)
        cross -= A.reshape(n_belief * P, pending) @ (A[nz].reshape(len(F), pending).T @ F)
        covariance = F.T @ cross.reshape(n_belief, P, k)[nz].reshape(len(F), k)
        residual = targets - self.m[block, nz].ravel() @ F
        Z, z = gain(cross, covariance, residual, self.noise_std)
        self.m[block] += (Z @ z).reshape(n_belief, P)
        self._remember(block, Z.reshape(n_belief, P, k))

    def _remember(self, block: int, Z: np.ndarray) -> None:
        """Makes S smaller by Z Zᵀ, now or later."""
        pending, k = self.n_pending[block], Z.shape[-1]
        if pending + k <= self.max_pending:
            self.A[block, :, :, pending:pending + k] = Z
            self.n_pending[block] += k
        else:
            self._subtract(block, np.concatenate([self.A[block, :, :, :pending], Z], axis=-1))
            self.A[block] = 0.0
            self.n_pending[block] = 0

    def _subtract(self, block: int, Z: np.ndarray) -> None:
        """S0 -= Z Zᵀ for (D, P, k) Z, some rows at a time."""
        n_belief, P, k = Z.shape
        rows = FLUSH_ROWS // P
        flat = Z.reshape(n_belief * P, k)
        for i in range(0, n_belief, rows):
            strip = flat[i * P:(i + rows) * P] @ flat.T
            self.S0[block, i:i + rows] -= strip.reshape(-1, P, n_belief, P).transpose(0, 2, 3, 1)


class WeightSpacePosterior:
    """Mean, variance and posterior draws of Q for all actions at a belief; the action kernel is the paper's product.

    Payloads of one method share a P × P covariance (P = slots + 1), so the 1035 actions of the master space cost
    4 small matrices and 11 numbers. `n_clipped` counts variances that rounding made negative and that were set to 0.
    """

    def __init__(self, n_belief: int, layout: ActionLayout, noise_std: float, max_pending: int = 64):
        check_noise(noise_std)
        if n_belief < 1:
            raise ValueError(f"n_belief must be at least 1, not {n_belief}")
        self.n_belief, self.layout, self.n_clipped = n_belief, layout, 0
        self.features = layout.payload_features
        self.informs = LinearBlocks(layout.n_methods, n_belief, layout.n_payload_features, noise_std, max_pending)
        self.others = LinearBlocks(layout.n_others, n_belief, 1, noise_std, max_pending)

    def mean(self, belief: np.ndarray) -> np.ndarray:
        """(A,) E[Q(b, a)]."""
        return self._all_actions(self.informs.mean(belief), self.others.mean(belief))

    def variance(self, belief: np.ndarray) -> np.ndarray:
        """(A,) Var[Q(b, a)]."""
        informs = np.sum(self.features @ self.informs.covariance(belief) * self.features, axis=-1)      # p̄ᵀ C p̄
        return self._clip(np.concatenate([informs.ravel(), self.others.covariance(belief).ravel()]))

    def sample(self, belief: np.ndarray, scale: float, rng: np.random.Generator, joint: bool = True) -> np.ndarray:
        """(A,) a draw of Q(b, ·), its deviation from the mean multiplied by `scale`.

        joint: one function is drawn, so that payloads of a method err together: ũ = u + scale C^½ ξ.
        Otherwise every action is drawn on its own, as PyDial does; the best of 256 draws then favours informs.
        """
        if not joint:
            deviation = np.sqrt(self.variance(belief)) * rng.standard_normal(self.layout.n_actions)
            return self.mean(belief) + scale * deviation
        parts = []
        for blocks in (self.informs, self.others):
            eigenvalues, vectors = np.linalg.eigh(blocks.covariance(belief))
            xi = np.sqrt(self._clip(eigenvalues)) * rng.standard_normal(eigenvalues.shape)
            parts.append(blocks.mean(belief) + scale * (vectors @ xi[..., None])[..., 0])
        return self._all_actions(*parts)

    def update(self, beliefs: np.ndarray, actions: np.ndarray, targets: np.ndarray) -> None:
        """Conditions on (n, D) beliefs, (n,) actions and their (n,) returns-to-go."""
        check_points(beliefs, actions, targets, self.n_belief)
        summary, payload = self.layout.split(actions)
        features = self.features[payload]
        for s in np.unique(summary):
            rows, other = summary == s, s - self.layout.n_methods
            if other < 0:
                self.informs.condition(s, beliefs[rows], features[rows], targets[rows])
            else:
                self.others.condition(other, beliefs[rows], np.ones((rows.sum(), 1)), targets[rows])

    def _all_actions(self, informs: np.ndarray, others: np.ndarray) -> np.ndarray:
        """(methods, P) and (others, 1) weights at a belief to (A,) values."""
        return np.concatenate([(informs @ self.features.T).ravel(), others.ravel()])

    def _clip(self, variance: np.ndarray) -> np.ndarray:
        self.n_clipped += int(np.count_nonzero(variance < 0))
        return np.maximum(variance, 0.0)
