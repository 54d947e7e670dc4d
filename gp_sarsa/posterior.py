"""The posterior of Q for any kernel, one independent block per group of points."""
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gp_sarsa.cholesky import draw
from gp_sarsa.exact import ExactBlock
from gp_sarsa.growth import Growth
from gp_sarsa.points import Points, check_belief, check_noise, check_points
from gp_sarsa.sparse import SparseBlock


class KernelPosterior:
    """Exact, or sparse if a novelty threshold ν is given; its methods are those of WeightSpacePosterior."""

    def __init__(self, kernel, n_belief: int, noise_std: float, novelty_threshold: float | None = None):
        check_noise(noise_std)
        if novelty_threshold is not None and not 0 < novelty_threshold < np.inf:
            raise ValueError(f"novelty_threshold is {novelty_threshold}, expected a positive finite number or None")
        self.kernel, self.n_belief, self.layout = kernel, n_belief, kernel.layout
        self.settings = {"noise_std": noise_std}
        nothing = np.zeros((0, n_belief)), np.zeros(0, int), np.zeros((0, 0)), np.zeros(0)
        self.prior = ExactBlock(*nothing)
        if novelty_threshold is not None:
            self.settings["novelty_threshold"] = novelty_threshold
            self.prior = SparseBlock(*nothing, np.zeros((0, 0)))
        self.blocks: dict[int, ExactBlock | SparseBlock] = {}           # of the groups that have seen something

    def mean(self, belief: np.ndarray) -> np.ndarray:
        """(A,) E[Q(b, a)]."""
        return self.predict(*self._all_actions(belief))[0]

    def variance(self, belief: np.ndarray) -> np.ndarray:
        """(A,) Var[Q(b, a)]."""
        return self.predict(*self._all_actions(belief))[1]

    def sample(self, belief: np.ndarray, scale: float, rng: np.random.Generator) -> np.ndarray:
        """(A,) a draw of the function Q(b, ·), its deviation from the mean multiplied by `scale`."""
        q = np.zeros(self.layout.n_actions)
        for group, rows, points in self._by_group(self._all_actions(belief)):
            q[rows] = draw(*self.blocks.get(group, self.prior).predict(points, self.kernel), scale, rng)
        return q

    def predict(self, beliefs: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(m,) mean and (m,) variance of Q at m pairs of belief and action."""
        mean, variance = np.zeros(len(actions)), np.zeros(len(actions))
        beliefs, actions, _ = check_points(beliefs, actions, mean, self.n_belief)
        for group, rows, points in self._by_group(Points(beliefs, actions)):
            mean[rows], covariance = self.blocks.get(group, self.prior).predict(points, self.kernel)
            variance[rows] = np.maximum(np.diag(covariance), 0.0)           # below 0 only by rounding
        return mean, variance

    def update(self, beliefs: np.ndarray, actions: np.ndarray, returns: np.ndarray) -> None:
        """Conditions on (n, D) beliefs, (n,) actions and their (n,) returns-to-go: all or (after an error) none."""
        beliefs, actions, returns = check_points(beliefs, actions, returns, self.n_belief)
        self.blocks |= {
            group: self.blocks.get(group, self.prior).learned(points, returns[rows], self.kernel, **self.settings)
            for group, rows, points in self._by_group(Points(beliefs, actions))}

    def _all_actions(self, belief: np.ndarray) -> Points:
        belief = check_belief(belief, self.n_belief)
        return Points(np.tile(belief, (self.layout.n_actions, 1)), np.arange(self.layout.n_actions))

    def _by_group(self, points: Points) -> Iterator[tuple[int, np.ndarray, Points]]:
        groups = self.kernel.groups(points)
        for group in np.unique(groups):
            rows = groups == group
            yield int(group), rows, Points(points.beliefs[rows], points.actions[rows])

    def state(self) -> dict[str, np.ndarray]:
        """What `restore` needs to go on bit for bit; the kernel is not in it."""
        return {f"{group}.{name}": array for group, block in self.blocks.items()
                for name, array in block._asdict().items()}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Goes on from a state of such a posterior."""
        groups = {int(name.partition(".")[0]) for name in arrays}
        self.blocks = {group: type(self.prior)(*(arrays[f"{group}.{name}"] for name in self.prior._fields))
                       for group in groups}

    def grown(self, growth: Growth) -> "KernelPosterior":
        """The same knowledge in the larger space: the factors stay, for no covariance between old points changes."""
        new = KernelPosterior(replace(self.kernel, layout=growth.layout), growth.n_belief, **self.settings)
        for block in self.blocks.values():
            points = Points(np.zeros((len(block.actions), growth.n_belief)), growth.actions[block.actions])
            points.beliefs[:, growth.beliefs] = block.beliefs
            for group in new.kernel.groups(points)[:1].tolist():                # none if the dictionary is empty
                new.blocks[group] = block._replace(beliefs=points.beliefs, actions=points.actions)
        return new
