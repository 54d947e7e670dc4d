"""How a flat action index splits into a summary action and a payload, and the payload's features."""
from dataclasses import dataclass
from functools import cached_property

import numpy as np

MAX_PAYLOAD_SLOTS = 12          # 2^12 payloads per method; beyond it a flat list of actions makes no sense


@dataclass(frozen=True)
class ActionLayout:
    """Inform methods first, each with every payload, then the actions that carry none.

        index = method · n_payloads + payload   (payload: bit i set = slot i is told),
        index = n_methods · n_payloads + j      (the j-th other action)

    The summary space is the special case without payload slots: then the only payload is the empty one.
    DialogueEnv in its built-in domain has ActionLayout(4, 0, 11), or ActionLayout(4, 8, 11) in the master space.
    """
    n_methods: int
    n_payload_slots: int
    n_others: int

    def __post_init__(self):
        for name in ("n_methods", "n_payload_slots", "n_others"):
            if type(getattr(self, name)) is not int or getattr(self, name) < 0:
                raise ValueError(f"{name} is {getattr(self, name)!r}, expected an int of at least 0")
        if self.n_payload_slots > MAX_PAYLOAD_SLOTS:
            raise ValueError(f"n_payload_slots is {self.n_payload_slots}, expected at most {MAX_PAYLOAD_SLOTS}")
        if self.n_summary == 0:
            raise ValueError("n_methods + n_others is 0, expected at least 1 action")

    @property
    def n_payloads(self) -> int:
        return 2 ** self.n_payload_slots

    @property
    def n_payload_features(self) -> int:
        return self.n_payload_slots + 1

    @property
    def n_summary(self) -> int:
        return self.n_methods + self.n_others

    @property
    def n_actions(self) -> int:
        return self.n_methods * self.n_payloads + self.n_others

    def split(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n,) action indices to their (n,) summary actions and (n,) payloads; others have the empty payload."""
        actions = np.asarray(actions)
        if actions.size and not (actions.dtype.kind in "iu" and 0 <= actions.min() and actions.max() < self.n_actions):
            raise ValueError(f"actions is {actions}, expected whole numbers from 0 to {self.n_actions - 1}")
        n_informs = self.n_methods * self.n_payloads
        summary = np.where(actions < n_informs, actions // self.n_payloads, actions - n_informs + self.n_methods)
        return summary, np.where(actions < n_informs, actions % self.n_payloads, 0)

    @cached_property
    def payload_features(self) -> np.ndarray:
        """(n_payloads, n_payload_slots + 1) unit vectors whose inner products are cosine similarities.

            p̄ = a^p / ‖a^p‖₂ = a^p / √(slots told),   and for the empty payload the last unit vector

        The paper prints ‖a^p‖^½, which gives a cosine only if ‖·‖ counts the slots. A zero vector for the empty payload
        would fix Q of that payload at 0 for ever. With its own coordinate, Q starts as uncertain there as elsewhere.
        """
        bits = (np.arange(self.n_payloads)[:, None] >> np.arange(self.n_payload_features)) & 1     # last column is 0
        features = bits / np.sqrt(np.maximum(bits.sum(axis=1, keepdims=True), 1))
        features[0, -1] = 1.0
        features.setflags(write=False)
        return features
