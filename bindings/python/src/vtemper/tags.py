"""What scikit-learn's checks and pipelines ask about an estimator."""
from typing import Any, Dict

from .plain import BaseEstimator


class Tagged(BaseEstimator):
    """An estimator that says what rows it takes."""

    def _properties(self) -> Dict[str, Any]:
        """What rows are taken, by the names that scikit-learn had for it before 1.6."""
        return {}

    def _more_tags(self) -> Dict[str, Any]:
        """For scikit-learn before 1.6."""
        return self._properties()

    def __sklearn_tags__(self) -> Any:
        """For scikit-learn 1.6 and newer, which refuses classes that have one of the two methods without the other."""
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        properties = self._properties()
        forms = properties.get("X_types", ["2darray"])
        tags.input_tags.two_d_array = "2darray" in forms
        tags.input_tags.one_d_array = "1darray" in forms
        tags.input_tags.sparse = "sparse" in forms
        tags.input_tags.positive_only = properties.get("requires_positive_X", False)
        tags.input_tags.allow_nan = properties.get("allow_nan", False)
        return tags
