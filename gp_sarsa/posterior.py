"""The posterior of Q for any kernel, one independent block per group of points."""
import numpy as np

from gp_sarsa.exact import ExactBlock
from gp_sarsa.kernels import Points, check_points
from gp_sarsa.returns import check_discount, returns_to_go
from gp_sarsa.sparse import SparseBlock
from gp_sarsa.weight_space import check_noise


class KernelPosterior:
    """Learns from whole dialogues; exact, or sparse if a novelty threshold ν is given.

    `n_clipped` counts variances that rounding made negative and that were set to 0.
    """

    def __init__(self, kernel, n_belief: int, gamma: float, noise_std: float, novelty_threshold: float | None = None):
        check_discount(gamma)
        check_noise(noise_std)
        if novelty_threshold is not None and not 0 < novelty_threshold < np.inf:
            raise ValueError(f"novelty_threshold must be positive, or None for the exact form, not {novelty_threshold}")
        self.kernel, self.n_belief, self.gamma, self.noise_std = kernel, n_belief, gamma, noise_std
        self.novelty_threshold, self.n_clipped = novelty_threshold, 0
        self.blocks: dict[int, ExactBlock | SparseBlock] = {}

    def _block(self, group: int) -> ExactBlock | SparseBlock:
        """The block of a group, or the prior for one that has seen nothing."""
        if group in self.blocks:
            return self.blocks[group]
        if self.novelty_threshold is None:
            return ExactBlock(self.kernel, self.noise_std, self.n_belief)
        return SparseBlock(self.kernel, self.noise_std, self.n_belief, self.novelty_threshold)

    def add_dialogue(self, beliefs: np.ndarray, actions: np.ndarray, rewards: np.ndarray) -> None:
        """Conditions on a finished dialogue, all of it or (after an error) nothing.

        Args:
            beliefs, actions, rewards: (T, D), (T,) and (T,).
        """
        check_points(beliefs, actions, rewards, self.n_belief)
        returns = returns_to_go(rewards, self.gamma)
        prepared = []
        for group, rows, points in self._by_group(Points(beliefs, actions)):
            block = self._block(group)
            prepared.append((group, block, block.prepare(points, returns[rows])))
        for group, block, what in prepared:
            block.accept(*what)
            self.blocks[group] = block

    def predict(self, beliefs: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(m,) mean and (m,) variance of Q at m pairs of belief and action."""
        mean, variance = np.zeros(len(actions)), np.zeros(len(actions))
        check_points(beliefs, actions, mean, self.n_belief)
        for group, rows, points in self._by_group(Points(beliefs, actions)):
            mean[rows], variance[rows] = self._block(group).predict(points)
        self.n_clipped += int(np.count_nonzero(variance < 0))
        return mean, np.maximum(variance, 0.0)

    def _by_group(self, points: Points):
        groups = self.kernel.groups(points)
        for group in np.unique(groups):
            rows = groups == group
            yield int(group), rows, Points(points.beliefs[rows], points.actions[rows])
