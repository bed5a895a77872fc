"""What kinds of models can do besides fitting: estimators of rows, of words, of clusters."""
from typing import Any, Dict, Optional, Tuple, TypeVar

import numpy as np

from .errors import ArgumentError
from .estimator import Estimator
from .plain import TransformerMixin
from .sequences import Sequences
from .topics import WordVerbs

__all__ = ["Classes", "Components", "Latent", "Mixture", "Sequences", "Topics", "Words"]

_Fitted = TypeVar("_Fitted", bound="Latent")

# Checks of scikit-learn that have no meaning for a kind, with the reason.
_PLACES = "the start, minibatches and samples are drawn by the places of the rows: other rows draw others"
_WHOLE = "score is of held-out tokens, so counts must be whole"
_OWN_SAMPLES = "the posterior of a row is fitted with samples that are drawn by its place"


class Latent(TransformerMixin, Estimator):
    """Rows as values of latent variables."""

    _quantity: Optional[str] = None
    _component_names: Tuple[str, ...] = ("model.weights.0",)

    def transform(self, X: Any) -> Any:
        """The latent variables of rows.

        Parameters
        ----------
        X : array, sparse matrix, DataFrame, Series, list, path or Data

        Returns
        -------
        ndarray of shape (rows, components)
        """
        return self.infer(X, self._quantity)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None, **keywords: Any) -> Any:
        """`fit`, then `transform` of the same rows."""
        return self.fit(X, y, sample_weight, **keywords).transform(X)

    @property
    def components_(self) -> Any:
        """The components in terms of the columns, [components x columns]; for a belief network the bottom layer's weights (logits)."""
        parameters = self._fitted_attribute().parameters
        for name in self._component_names:
            if name in parameters:
                return parameters[name]
        raise AttributeError("%s has no components_; its parameters are %s" % (type(self).__name__, ", ".join(parameters)))

    @property
    def _n_features_out(self) -> int:
        return self._size()

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the columns that `transform` gives: the class in lower case with a number from 0."""
        self._fitted()
        prefix = type(self).__name__.lower()
        return np.array(["%s%d" % (prefix, column) for column in range(self._n_features_out)], dtype=object)

    def _properties(self) -> Dict[str, Any]:
        return {"preserves_dtype": [np.float64], "_xfail_checks": {"check_sample_weights_invariance": _PLACES}}


class Shares(Latent):
    """Rows as shares of components that add up to one: topics of documents, classes of points."""

    def predict(self, X: Any) -> Any:
        """The most probable component (topic, class) of each row, from 0."""
        return self.infer(X, self._quantity).argmax(axis=1)  # scikit-learn may make a frame of what transform gives

    def predict_proba(self, X: Any) -> Any:
        """The shares of the components in each row: proportions of topics, posterior probabilities of classes."""
        return self.infer(X, self._quantity)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """`fit`, then `predict` of the same rows."""
        return self.fit(X, y, sample_weight).predict(X)


class Words(WordVerbs, Latent):
    """Factors of counts, each with its own words."""

    _quantity = "latent_mean"
    _component_names = ("factors",)

    def _properties(self) -> Dict[str, Any]:
        tags = super()._properties()
        tags["requires_positive_X"] = True
        tags["X_types"] = ["2darray", "sparse"]
        tags["_xfail_checks"].update(check_pipeline_consistency=_WHOLE, check_fit_score_takes_y=_WHOLE,
                                     check_methods_sample_order_invariance=_OWN_SAMPLES,
                                     check_methods_subset_invariance=_OWN_SAMPLES)
        return tags


class Topics(Shares, Words):
    """Topics of documents."""

    _quantity = "proportions"
    _component_names = ("lambda",)

    def _properties(self) -> Dict[str, Any]:
        tags = super()._properties()
        for check in "check_methods_sample_order_invariance", "check_methods_subset_invariance":
            del tags["_xfail_checks"][check]
        tags["_xfail_checks"]["check_estimator_sparse_data"] = "it takes predict_proba for that of four classes"
        return tags


class Components(Latent):
    """Components that add up."""

    _quantity = "activations"
    _component_names = ("mean",)

    def _properties(self) -> Dict[str, Any]:
        tags = super()._properties()
        tags["_xfail_checks"]["check_estimators_nan_inf"] = "rows with missing values can be transformed, but not fitted"
        return tags


class Classes(Shares):
    """Classes of dense rows, which may have missing values."""

    _quantity = "responsibilities"
    _component_names = ("probabilities",)

    def score_samples(self, X: Any) -> Any:
        """The log density of each row, in nats."""
        return self.infer(X, "log_density")

    def complete(self, X: Any) -> Any:
        """The rows, with each missing value (NaN) replaced by its expectation given the others of its row."""
        return self.infer(X, "completed")

    def _properties(self) -> Dict[str, Any]:
        return dict(super()._properties(), allow_nan=True)


class Mixture(Classes):
    """Clusters of points."""

    _component_names = ("mean",)

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Tuple[Any, Any]:
        """Rows drawn from the mixture of the posterior means, and their components."""
        self._fitted()
        if n_samples < 1:
            raise ArgumentError("Invalid value for 'n_samples': %d. The sampling requires at least one sample." % n_samples)
        random = np.random.default_rng(random_state if not isinstance(random_state, np.random.RandomState)
                                       else random_state.randint(2**31 - 1))
        counts = random.multinomial(n_samples, self.weights_ / self.weights_.sum())
        rows = [random.multivariate_normal(mean, covariance, count)
                for mean, covariance, count in zip(self.means_, self.covariances_, counts)]
        return np.vstack(rows), np.repeat(np.arange(len(counts)), counts)

    @property
    def weights_(self) -> Any:
        """Mean weights of the components."""
        return self._fitted_attribute().parameters["weights"]

    @property
    def means_(self) -> Any:
        """Means of the components, [components x columns]."""
        return self._fitted_attribute().parameters["mean"]

    @property
    def covariances_(self) -> Any:
        """Inverses of the components' mean precisions, [components x columns x columns]."""
        return self._fitted_attribute().parameters["covariance"]

    @property
    def precisions_(self) -> Any:
        """Mean precisions of the components, [components x columns x columns]."""
        parameters = self._fitted_attribute().parameters
        return parameters["precision.dof"][:, np.newaxis, np.newaxis] * parameters["precision.scale"]

    def _properties(self) -> Dict[str, Any]:
        tags = super()._properties()
        tags["_xfail_checks"]["check_sample_weights_invariance"] = "k-means draws its first centres by the rows' places"
        return tags
