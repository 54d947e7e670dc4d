"""GP-SARSA with the linear kernels as Bayesian linear regression: the exact posterior at a constant cost per turn.

⟨b, b'⟩ ⟨p̄, p̄'⟩ = ⟨b ⊗ p̄, b' ⊗ p̄'⟩, so within one summary action Q(b, p) = Σ_ip w_ip b_i p̄_p with w ~ N(0, I), and
returns-to-go R = Q + e, e ~ N(0, σ²), turn the prior into N(m, S); `exact.py` proves that this is GP-SARSA. Nothing
grows with the number of dialogues: 15 regressions of dimension 268, in the master space 4 of 268·9 and 11 of 268.
"""
import numpy as np

from gp_sarsa.cholesky import draw, gain
from gp_sarsa.growth import Growth
from gp_sarsa.layout import ActionLayout
from gp_sarsa.points import check_belief, check_noise, check_points

FLUSH_ROWS = 144        # rows of S updated at a time: enough for fast products, few enough for the cache


def bytes_needed(n_belief: int, layout: ActionLayout, max_pending: int = 64) -> int:
    """Memory of the posterior's arrays; saving takes as much again, for a state is a copy.

        8 [ (D²P² + D P (K + 1)) for each method + (D² + D (K + 1)) for each other action ],   P = slots + 1, K pending
    """
    sizes = [n_belief * layout.n_payload_features] * layout.n_methods + [n_belief] * layout.n_others
    return sum(8 * size * (size + max_pending + 1) for size in sizes)


class LinearBlocks:
    """Independent regressions on features b ⊗ p̄ that are conditioned a few points at a time.

    The covariance of block a is S0 - A Aᵀ, where A collects the last few Z. Subtracting each Z at once would stream the
    whole of S0 through memory every time; subtracting all of them together costs little more. S0 is stored in tiles,

        S0[a, i, j, q, p] = Cov(w_ip, w_jq),

    which keeps the few entries that a sparse belief touches together.
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

    def learned(self, block: int, beliefs: np.ndarray, features: np.ndarray,
                returns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What k points will teach one block: (D, P) to add to m, and (D, P, k) Z with Z Zᵀ to subtract from S.

        Args:
            beliefs, features, returns: (k, D), (k, P) payload features and (k,) returns-to-go.
        """
        nz = np.flatnonzero(beliefs.any(axis=0))
        (n_belief, P), k, pending = self.m.shape[1:], len(returns), self.n_pending[block]
        tiles = (beliefs[:, nz, None] * features[:, None, :]).transpose(1, 2, 0)      # (nnz, P, k)
        F = tiles.reshape(len(nz) * P, k)
        A = self.A[block, :, :, :pending]
        # S F = S0 F - A (Aᵀ F); of S0 this needs one row of tiles for each non-zero entry of the beliefs
        cross = (self.S0[block].take(nz, axis=0).reshape(len(nz), n_belief * P, P) @ tiles).sum(axis=0)
        cross -= A.reshape(n_belief * P, pending) @ (A[nz].reshape(len(F), pending).T @ F)
        covariance = F.T @ cross.reshape(n_belief, P, k)[nz].reshape(len(F), k)
        residual = returns - self.m[block, nz].ravel() @ F
        Z, z = gain(cross, covariance, residual, self.noise_std)
        return (Z @ z).reshape(n_belief, P), Z.reshape(n_belief, P, k)

    def accept(self, block: int, change: np.ndarray, Z: np.ndarray) -> None:
        """Moves m by what `learned` returned and makes S smaller, now or later."""
        self.m[block] += change
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

    def place(self, old: "LinearBlocks", blocks: np.ndarray, beliefs: np.ndarray, coordinates: np.ndarray) -> None:
        """Puts smaller blocks at their places among these, which are still the prior."""
        self.m[np.ix_(blocks, beliefs, coordinates)] = old.m
        self.S0[np.ix_(blocks, beliefs, beliefs, coordinates, coordinates)] = old.S0
        self.A[np.ix_(blocks, beliefs, coordinates)] = old.A
        self.n_pending[blocks] = old.n_pending


class WeightSpacePosterior:
    """Mean, variance and posterior draws of Q for all actions at a belief; the action kernel is the paper's product.

    Payloads of one method share a P × P covariance (P = slots + 1), so the 1035 actions of the master space cost
    4 small matrices and 11 numbers.
    """

    def __init__(self, n_belief: int, layout: ActionLayout, noise_std: float, max_pending: int = 64):
        check_noise(noise_std)
        self.n_belief, self.layout = n_belief, layout
        self.settings = {"noise_std": noise_std, "max_pending": max_pending}
        self.informs = LinearBlocks(layout.n_methods, n_belief, layout.n_payload_features, noise_std, max_pending)
        self.others = LinearBlocks(layout.n_others, n_belief, 1, noise_std, max_pending)

    def mean(self, belief: np.ndarray) -> np.ndarray:
        """(A,) E[Q(b, a)]."""
        belief = check_belief(belief, self.n_belief)
        return self._all_actions(self.informs.mean(belief), self.others.mean(belief))

    def variance(self, belief: np.ndarray) -> np.ndarray:
        """(A,) Var[Q(b, a)]."""
        belief, p = check_belief(belief, self.n_belief), self.layout.payload_features
        informs = np.sum(p @ self.informs.covariance(belief) * p, axis=-1)                              # p̄ᵀ C p̄
        both = np.concatenate([informs.ravel(), self.others.covariance(belief).ravel()])
        return np.maximum(both, 0.0)                                                        # below 0 only by rounding

    def sample(self, belief: np.ndarray, scale: float, rng: np.random.Generator) -> np.ndarray:
        """(A,) a draw of the function Q(b, ·), its deviation from the mean multiplied by `scale`.

        Payloads of a method err together: ũ = u + scale C^½ ξ. (PyDial draws every action independently. The best of
        256 such draws favours informs.)
        """
        belief = check_belief(belief, self.n_belief)
        return self._all_actions(*(draw(blocks.mean(belief), blocks.covariance(belief), scale, rng)
                                   for blocks in (self.informs, self.others)))

    def update(self, beliefs: np.ndarray, actions: np.ndarray, returns: np.ndarray) -> None:
        """Conditions on (n, D) beliefs, (n,) actions and their (n,) returns-to-go: all or (after an error) none."""
        beliefs, actions, returns = check_points(beliefs, actions, returns, self.n_belief)
        check_noise(self.informs.noise_std, np.einsum("id,id->i", beliefs, beliefs).max(initial=0.0))
        summary, payload = self.layout.split(actions)
        prepared = []
        for s in np.unique(summary):
            rows, n_methods = summary == s, self.layout.n_methods
            blocks, block = (self.informs, s) if s < n_methods else (self.others, s - n_methods)
            features = self.layout.payload_features[payload[rows], -blocks.m.shape[-1]:]        # [1] for the others
            prepared.append((blocks, block, *blocks.learned(block, beliefs[rows], features, returns[rows])))
        for blocks, *what in prepared:
            blocks.accept(*what)

    def _all_actions(self, informs: np.ndarray, others: np.ndarray) -> np.ndarray:
        """(methods, P) and (others, 1) weights at a belief to (A,) values."""
        return np.concatenate([(informs @ self.layout.payload_features.T).ravel(), others.ravel()])

    def state(self) -> dict[str, np.ndarray]:
        """What `restore` needs to go on bit for bit."""
        return {name: array.copy() for name, array in self._arrays().items()}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Goes on from a state of such a posterior."""
        for name, array in self._arrays().items():
            array[...] = arrays[name]

    def grown(self, growth: Growth) -> "WeightSpacePosterior":
        """The same knowledge in the larger space; what is new there has the prior."""
        new = WeightSpacePosterior(growth.n_belief, growth.layout, **self.settings)
        methods, others = np.split(growth.summary, [self.layout.n_methods])
        new.informs.place(self.informs, methods, growth.beliefs, growth.coordinates)
        new.others.place(self.others, others - growth.layout.n_methods, growth.beliefs, np.zeros(1, int))
        return new

    def _arrays(self) -> dict[str, np.ndarray]:
        return {f"{part}.{name}": getattr(getattr(self, part), name) for part in ("informs", "others")
                for name in ("m", "S0", "A", "n_pending")}
