"""What estimators take from scikit-learn, and the little that stands in for it where it is not installed.

For those who read types it is always the latter: scikit-learn has none.
"""
import inspect
from typing import TYPE_CHECKING, Any, Dict, List, TypeVar

_Self = TypeVar("_Self", bound="PlainEstimator")


class PlainNotFittedError(ValueError, AttributeError):
    """The estimator has not been fitted."""


class PlainEstimator:
    """Parameters as scikit-learn's estimators have them."""

    @classmethod
    def _names(cls) -> List[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self: _Self, **params: Any) -> _Self:
        """Sets parameters by name."""
        for name, value in params.items():
            if name not in self._names():
                raise ValueError("Invalid parameter %r for estimator %r. Valid parameters are: %r."
                                 % (name, self, self._names()))
            setattr(self, name, value)
        return self

    def __getstate__(self) -> Dict[str, Any]:
        return dict(self.__dict__)

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __repr__(self) -> str:
        given = ["%s=%r" % pair for pair in self.get_params().items() if pair[1] is not None]
        return "%s(%s)" % (type(self).__name__, ", ".join(given))


class PlainTransformer:
    """Nothing: `fit_transform` is our own."""


HAS_SKLEARN = False
if TYPE_CHECKING:
    BaseEstimator = PlainEstimator
    TransformerMixin = PlainTransformer
    NotFittedError = PlainNotFittedError
else:
    try:
        from sklearn.base import BaseEstimator, TransformerMixin
        from sklearn.exceptions import NotFittedError
        HAS_SKLEARN = True
    except ImportError:
        BaseEstimator, TransformerMixin, NotFittedError = PlainEstimator, PlainTransformer, PlainNotFittedError

__all__ = ["BaseEstimator", "TransformerMixin", "NotFittedError", "HAS_SKLEARN"]
