"""Wrong versions of natural_gradient."""
import numpy as np


def the_plain_gradient(features, returns):
    """Φᵀ (R - J) without the inverse of the Fisher matrix.

    Symptom: step lengths depend on the parametrisation.
    """
    return features.T @ (returns - returns.mean())


def no_baseline_in_the_regression(features, returns):
    """The regression has no constant.

    Symptom: the mean return is explained by the features.
    """
    return np.linalg.lstsq(features, returns, rcond=None)[0]


def the_mean_return_for_the_baseline(features, returns):
    """The mean is subtracted from the returns, but not from the features.

    Symptom: right where the features have mean 0.
    """
    return np.linalg.lstsq(features, returns - returns.mean(), rcond=None)[0]


def a_ridge_that_is_felt(features, returns):
    """(ΦᵀΦ + 1) instead of ΦᵀΦ.

    Symptom: small features are ignored.
    """
    x, R = features - features.mean(axis=0), returns - returns.mean()
    return np.linalg.solve(x.T @ x + np.eye(x.shape[1]), x.T @ R)
