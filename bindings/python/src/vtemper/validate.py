"""What estimators ask of their input before the library sees it, in the words that scikit-learn uses."""
import warnings
from typing import Any, List, Optional

import numpy as np
import scipy.sparse

from .arrays import as_array, reals
from .errors import ArgumentError
from .words import check_rows


def frame_names(X: Any) -> Optional[List[str]]:
    """The names of a frame's columns, where they are strings."""
    if not (hasattr(X, "iloc") and hasattr(X, "columns")):
        return None
    texts = [isinstance(name, str) for name in X.columns]
    if any(texts) and not all(texts):
        kinds = sorted({type(name).__name__ for name in X.columns})
        raise TypeError("Feature names are only supported if all input features have string names, but your input has %s as "
                        "feature name / column name types. If you want feature names to be stored and validated, you must "
                        "convert them all to strings, by using X.columns = X.columns.astype(str) for example. Otherwise you "
                        "can remove feature / column names from your input data, or convert them all to a non-string data "
                        "type." % kinds)
    return list(X.columns) if texts and all(texts) else None


def as_matrix(X: Any) -> Any:
    """A matrix with at least one row and one column; sparse matrices and frames are returned unchanged."""
    if isinstance(X, (list, tuple)):
        check_rows(X)
    if not (scipy.sparse.issparse(X) or hasattr(X, "iloc") and hasattr(X, "columns")):
        X = as_array(X)
        if X.ndim != 2:
            raise ArgumentError("Expected 2D array, got %s instead. Reshape your data either using array.reshape(-1, 1) if your "
                                "data has a single feature or array.reshape(1, -1) if it contains a single sample."
                                % ("scalar array" if X.ndim == 0 else "%dD array" % X.ndim))
    for axis, what in enumerate(("sample", "feature")):
        if X.shape[axis] == 0:
            raise ArgumentError("Found array with 0 %s(s) (shape=%s) while a minimum of 1 is required." % (what, tuple(X.shape)))
    return X


def check_weights(sample_weight: Any, rows: int) -> Any:
    """Weights of the rows as reals."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, (int, float)):
        return np.full(rows, float(sample_weight))
    weights = reals(sample_weight, "sample_weight")
    if weights.ndim != 1:
        raise ArgumentError("Sample weights must be 1D array or scalar")
    if len(weights) != rows:
        raise ArgumentError("sample_weight.shape == %s, expected %s!" % (weights.shape, (rows,)))
    return weights


def check_same_names(estimator: str, fitted: Optional[List[str]], names: Optional[List[str]], told: bool) -> None:
    """The names of a frame are those of the fit, in their order. `told`: whether data without names is warned of."""
    if fitted is None and names is None or fitted == names:
        return
    if fitted is None:
        warnings.warn("X has feature names, but %s was fitted without feature names" % estimator)
        return
    if names is None:
        if told:
            warnings.warn("X does not have valid feature names, but %s was fitted with feature names" % estimator)
        return
    message = "The feature names should match those that were passed during fit.\n"
    unseen, missing = sorted(set(names) - set(fitted)), sorted(set(fitted) - set(names))
    for title, these in ("Feature names unseen at fit time:\n", unseen), ("Feature names seen at fit time, yet now missing:\n", missing):
        if these:
            message += title + "".join("- %s\n" % name for name in these[:5]) + ("- ...\n" if len(these) > 5 else "")
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    raise ArgumentError(message)


def seed_of(random_state: Any) -> int:
    """A seed of the library from what scikit-learn takes as random_state. None draws from NumPy's global generator."""
    if random_state is None or random_state is np.random:
        return int(np.random.randint(2**31 - 1))
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    raise ArgumentError("%r cannot be used to seed a numpy.random.RandomState instance" % (random_state,))
