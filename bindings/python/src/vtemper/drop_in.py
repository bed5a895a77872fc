"""scikit-learn's classes by name, with its parameters, fitted by this library: code that imports them runs with the import
changed.

    from vtemper.drop_in import BayesianGaussianMixture, LatentDirichletAllocation

The differences from scikit-learn, by its own tests, and their reasons are in `tests/bindings/python/peers.py`.
"""
import warnings
from typing import Any, Dict, Optional

import numpy as np
from scipy.special import psi

from .arrays import reals
from .data import Data
from .errors import DataError, UnsupportedError
from .roles import Mixture, Topics
from .signature import thread_count
from .validate import seed_of

try:
    from sklearn.exceptions import ConvergenceWarning
except ImportError:
    class ConvergenceWarning(UserWarning):  # type: ignore[no-redef]
        """A fit ended before it converged."""

__all__ = ["BayesianGaussianMixture", "LatentDirichletAllocation"]

# Defaults of scikit-learn's LatentDirichletAllocation; total_samples in rows.
_LEARNING_DECAY, _LEARNING_OFFSET, _TOTAL_SAMPLES = 0.7, 10.0, 1e6


class LatentDirichletAllocation(Topics):
    """`LDA` with the parameters of scikit-learn's LatentDirichletAllocation.

    Topics are Dirichlet posteriors, fitted by the library's default method: `learning_method` "batch" uses all rows in every
    step, "online" minibatches. With "online", `learning_decay` and `learning_offset` that are not scikit-learn's defaults set the
    step sizes, (learning_offset + step)^-learning_decay with steps counted from 1; with the defaults the library chooses them,
    and "batch" does not use them. `score` is the bound on the log evidence, and `perplexity` exp of minus the bound per token,
    as there.
    `evaluate_every` and `perp_tol` are accepted but not used: the library has its own test of convergence.

    Examples
    --------
    >>> import numpy as np
    >>> from vtemper.drop_in import LatentDirichletAllocation
    >>> X = np.random.default_rng(0).poisson(1.0, (30, 8))
    >>> LatentDirichletAllocation(n_components=2, random_state=0).fit_transform(X).shape
    (30, 2)
    """

    _kind = "lda"
    _model_names = {"n_components": "topics"}

    def __init__(self, n_components: int = 10, *, doc_topic_prior: Optional[float] = None, topic_word_prior: Optional[float] = None,
                 learning_method: str = "batch", learning_decay: float = _LEARNING_DECAY,
                 learning_offset: float = _LEARNING_OFFSET, max_iter: int = 10, batch_size: int = 128, evaluate_every: int = -1,
                 total_samples: float = _TOTAL_SAMPLES, perp_tol: float = 1e-1, mean_change_tol: float = 1e-3,
                 max_doc_update_iter: int = 100, n_jobs: Optional[int] = None, verbose: int = 0,
                 random_state: Any = None) -> None:
        self.n_components = n_components
        self.doc_topic_prior = doc_topic_prior
        self.topic_word_prior = topic_word_prior
        self.learning_method = learning_method
        self.learning_decay = learning_decay
        self.learning_offset = learning_offset
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.evaluate_every = evaluate_every
        self.total_samples = total_samples
        self.perp_tol = perp_tol
        self.mean_change_tol = mean_change_tol
        self.max_doc_update_iter = max_doc_update_iter
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def _model_options(self) -> Dict[str, Any]:
        return {"topics": self.n_components, "alpha": self.doc_topic_prior, "eta": self.topic_word_prior,
                "topic_posterior": "dirichlet", "local_iterations": self.max_doc_update_iter,
                "local_tolerance": self.mean_change_tol}

    def _run_options(self) -> Dict[str, Any]:
        if self.learning_method not in ("batch", "online"):
            raise ValueError("learning_method is %r; valid values are 'batch' and 'online'" % (self.learning_method,))
        options: Dict[str, Any] = {"seed": seed_of(self.random_state), "threads": thread_count(self.n_jobs)}
        if self.__dict__.get("_fed"):
            return dict(options, method="svi" if self.total_samples == _TOTAL_SAMPLES else None, rows_total=int(self.total_samples),
                        step_size_delay=self.learning_offset + 1, step_size_power=self.learning_decay)
        options["max_passes"] = self.max_iter
        if self.learning_method == "batch":
            return dict(options, batch_size=0)
        return dict(options, batch_size=self.batch_size, **self._step_sizes())

    def _step_sizes(self) -> Dict[str, Any]:
        """`learning_decay` and `learning_offset` as options of a run, where they are not scikit-learn's defaults."""
        chosen: Dict[str, Any] = {}
        if self.learning_decay != _LEARNING_DECAY:
            chosen["step_size_power"] = self.learning_decay
        if self.learning_offset != _LEARNING_OFFSET:
            chosen["step_size_delay"] = self.learning_offset + 1  # our steps count from 0
        return dict(chosen, step_size="robbins_monro") if chosen else chosen  # also where a minibatch holds all rows

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, lengths: Any = None) -> Any:
        """One step on a minibatch of `total_samples` rows; see `Estimator.partial_fit`.

        With scikit-learn's default of `total_samples`, which says nothing of the number of rows to come, the steps are those of
        method "svi", at temperature 1. By any other number the library's default method plans the temperatures of a new model.
        Step sizes are (learning_offset + step)^-learning_decay, with steps counted from 1.
        """
        self._fed = True
        try:
            return super().partial_fit(X, y, sample_weight, lengths=lengths)
        finally:
            del self._fed

    def _tell_unsettled(self) -> None:
        pass  # scikit-learn's does not warn

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, **keywords: Any) -> Any:
        """Fits the model anew; see `Estimator.fit`."""
        super().fit(X, y, sample_weight, **keywords)
        self.bound_ = self.perplexity(X)
        return self

    def transform(self, X: Any, *, normalize: bool = True) -> Any:
        """The proportions of the topics in documents, or, without `normalize`, the Dirichlet parameters of their posteriors."""
        return self.infer(X, "proportions" if normalize else "gamma")

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None, *, normalize: bool = True, **keywords: Any) -> Any:
        """`fit`, then `transform` of the same documents."""
        return self.fit(X, y, sample_weight, **keywords).transform(X, normalize=normalize)

    def _data(self, X: Any, lengths: Any, reset: bool) -> Data:
        try:
            return super()._data(X, lengths, reset)
        except DataError as failure:
            if " holds -" in str(failure):
                raise DataError("Negative values in data passed to LatentDirichletAllocation: %s" % failure) from None
            raise

    def score(self, X: Any, y: Any = None) -> float:
        """The bound on the log evidence of the documents, in nats."""
        return self.evaluate(X, "elbo")

    def perplexity(self, X: Any, sub_sampling: bool = False) -> float:
        """exp of minus the bound per token. `sub_sampling` has no effect: the rows represent only themselves."""
        return float(np.exp(-self.score(X) / self._taken(X).total))

    @property
    def exp_dirichlet_component_(self) -> Any:
        """exp of the expected log probabilities of the words."""
        topics = self.components_
        return np.exp(psi(topics) - psi(topics.sum(axis=1))[:, np.newaxis])

    @property
    def n_batch_iter_(self) -> int:
        """Steps done."""
        return self.n_iter_

    @property
    def doc_topic_prior_(self) -> float:
        """The prior of a document's proportions."""
        return float(self._fitted_attribute().parameters["alpha"][0])

    @property
    def topic_word_prior_(self) -> float:
        """The prior of a topic's words."""
        return float(self._fitted_attribute().parameters["eta"])


class BayesianGaussianMixture(Mixture):
    """`GaussianMixture` with the parameters of scikit-learn's BayesianGaussianMixture.

    The weights have a Dirichlet distribution, whatever `weight_concentration_prior_type` says, covariances are full. `tol`, `reg_covar`, `init_params` and `verbose_interval` are
    accepted but not used: the library has its own start and its own test of convergence.

    Examples
    --------
    >>> import numpy as np
    >>> from vtemper.drop_in import BayesianGaussianMixture
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> BayesianGaussianMixture(n_components=2, random_state=0).fit(X).means_.shape
    (2, 2)
    """

    _kind = "gaussian_mixture"
    _model_names = {"n_components": "components"}
    n_jobs = None

    def __init__(self, *, n_components: int = 1, covariance_type: str = "full", tol: float = 1e-3, reg_covar: float = 1e-6,
                 max_iter: int = 100, n_init: int = 1, init_params: str = "kmeans",
                 weight_concentration_prior_type: str = "dirichlet_process", weight_concentration_prior: Optional[float] = None,
                 mean_precision_prior: Optional[float] = None, mean_prior: Any = None,
                 degrees_of_freedom_prior: Optional[float] = None, covariance_prior: Any = None, random_state: Any = None,
                 warm_start: bool = False, verbose: int = 0, verbose_interval: int = 10) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weight_concentration_prior_type = weight_concentration_prior_type
        self.weight_concentration_prior = weight_concentration_prior
        self.mean_precision_prior = mean_precision_prior
        self.mean_prior = mean_prior
        self.degrees_of_freedom_prior = degrees_of_freedom_prior
        self.covariance_prior = covariance_prior
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval

    def _model_options(self) -> Dict[str, Any]:
        if self.covariance_type != "full":
            raise UnsupportedError("covariance_type is %r; gaussian_mixture has full covariances only" % (self.covariance_type,))
        if self.warm_start:
            raise UnsupportedError("warm_start is True; every fit starts anew")
        covariance = self.covariance_prior
        if covariance is not None:  # theirs is the inverse scale matrix, ours is over the degrees of freedom
            dof = self.degrees_of_freedom_prior or np.shape(covariance)[0]
            covariance = reals(covariance, "covariance_prior") / dof
        return {"components": self.n_components, "weights_prior": self.weight_concentration_prior,
                "mean_precision_prior": self.mean_precision_prior, "mean_prior": self.mean_prior,
                "dof_prior": self.degrees_of_freedom_prior, "covariance_prior": covariance}

    def _run_options(self) -> Dict[str, Any]:
        return {"max_passes": self.max_iter, "restarts": self.n_init, "seed": seed_of(self.random_state)}

    def _tell_unsettled(self) -> None:
        pass  # `fit` does, as scikit-learn's

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, **keywords: Any) -> Any:
        """Fits the model anew; see `Estimator.fit`."""
        super().fit(X, y, sample_weight, **keywords)
        if not self.converged_:
            warnings.warn("the fit ended after max_iter = %d passes and has not converged" % self.max_iter, ConvergenceWarning)
        return self

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log density of the rows, in nats."""
        return float(np.mean(self.score_samples(X)))

    @property
    def weight_concentration_(self) -> Any:
        """Dirichlet parameters of the weights."""
        return self._fitted_attribute().parameters["weights.concentration"]

    @property
    def mean_precision_(self) -> Any:
        """Number of rows that determine each component's mean."""
        return self._fitted_attribute().parameters["mean.precision_scale"]

    @property
    def degrees_of_freedom_(self) -> Any:
        """Degrees of freedom of the components' precisions."""
        return self._fitted_attribute().parameters["precision.dof"]

    @property
    def precisions_cholesky_(self) -> Any:
        """Upper factors U of the precisions U U'."""
        return np.linalg.inv(np.linalg.cholesky(self.covariances_)).transpose(0, 2, 1)
