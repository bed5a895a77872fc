"""The estimator that every kind of model is: parameters, fit, scores and files, by scikit-learn's conventions."""
import os
import warnings
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Type, TypeVar

import numpy as np
import scipy.sparse

from .data import Data
from .errors import ArgumentError, DataError
from .library import kinds
from .model import Model, Parameters, form_of_kind
from .options import describe
from .plain import NotFittedError
from .progress import Progress
from .run import Run
from .signature import initializer, names_of, parsed, thread_count
from .summary import class_document, model_html
from .tags import Tagged
from .validate import as_matrix, check_same_names, check_weights, frame_names, seed_of
from .watch import Monitor, Report, VTemperWarning, logger
from .words import listed

_Fitted = TypeVar("_Fitted", bound="Estimator")

CLASSES: Dict[str, Type["Estimator"]] = {}


class Estimator(Tagged):
    """A model of some kind that is fitted to data."""

    _kind = ""
    _model_names: Dict[str, str] = {}
    _run_names: Dict[str, str] = {}

    model_: Model
    report_: Report
    trace_: Dict[str, Any]
    n_iter_: int
    n_features_in_: int
    feature_names_in_: Any

    if TYPE_CHECKING:  # made at run time, from the options that the library has
        def __init__(self, n_components: Any = None, *, method: Optional[str] = None, batch_size: Optional[int] = None,
                     max_passes: Optional[float] = None, random_state: Any = None, n_jobs: Optional[int] = None,
                     verbose: int = 0, **options: Any) -> None:
            ...
        verbose: int
        random_state: Any
        n_jobs: Optional[int]
        rows_total: Optional[int]

    def __init_subclass__(cls, kind: Optional[str] = None, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if kind:
            cls._kind = kind
            cls._model_names, cls._run_names = names_of(kind)
            setattr(cls, "__init__", initializer(cls))
            cls.__doc__ = class_document(cls.__doc__ or "", kind, cls.__name__)
            CLASSES[kind] = cls

    # ---- Fitting ----

    def fit(self: _Fitted, X: Any, y: Any = None, sample_weight: Any = None, *, monitor: Optional[Monitor] = None,
            lengths: Any = None) -> _Fitted:
        """Fits the model anew.

        Parameters
        ----------
        X : array, sparse matrix, DataFrame, Series, list, path or Data
            Rows to fit, see `Data`.
        y : None
            Ignored.
        sample_weight : array, optional
            Weights of the rows: one of weight 2 counts as two.
        monitor : callable, optional
            Called with a `Report` between steps; the run ends when it returns True. An exception in it ends the run as well.
        lengths : array, optional
            Lengths of the sequences, if they are concatenated in `X`.

        Returns
        -------
        self
            After Ctrl-C, too, the model is consistent; `resume` continues the fit.
        """
        self._refuse_within()
        data = self._taken(X, sample_weight, lengths, reset=True)
        model = Model(self._kind, **self._model_options())
        run = Run(model, data, **self._run_options())
        self.model_, self.run_ = model, run
        return self._went_on(lambda run, watch: run.run(watch), monitor)

    def resume(self: _Fitted, steps: Optional[int] = None, *, monitor: Optional[Monitor] = None) -> _Fitted:
        """Continues a fit that Ctrl-C, a monitor or an exception ended, for `steps` steps or to the end.

        Steps on rows that are fed go on by `partial_fit`: their run has no data of its own and cannot be resumed.
        """
        self._refuse_within()
        self._require_fitted()
        if not hasattr(self, "run_"):
            raise NotFittedError("this %s has no run to continue: the last one reached its end, or the model was loaded"
                                 % type(self).__name__)
        return self._went_on(lambda run, watch: run.run(watch) if steps is None else run.step(steps, watch), monitor)

    def partial_fit(self: _Fitted, X: Any, y: Any = None, sample_weight: Any = None, *, lengths: Any = None) -> _Fitted:
        """One step on the rows of a minibatch.

        `rows_total`, the number of rows that all batches represent, is a parameter of the estimator; without it, it is the
        number of rows of the first batch, which is logged.

        Where the model is there already, by `fit` or from a file, and `method` is not given, the steps are those of method
        "svi", at temperature 1, or the kind's own at temperature 1: an annealed run would heat the model again. Parameters of
        the temperature then count only where `temperature` itself is given. A fit that was ended before its end goes on at
        its temperature. Where the steps have not brought the temperature to 1, the first result that is read is warned of.

        Parameters
        ----------
        X, y, sample_weight, lengths
            As for `fit`.

        Returns
        -------
        self
        """
        self._refuse_within()
        first = not hasattr(self, "model_")
        data = self._taken(X, sample_weight, lengths, reset=first)
        data = data if first else self.model_.data(data)
        if getattr(self, "run_", None) is None:
            options = self._run_options()
            for whole_runs in "batch_size", "restarts":  # parameters of `fit`: a step takes what it is fed
                options.pop(whole_runs, None)
            if options.get("rows_total") is None:
                logger.warning("rows_total is not given: the batches are assumed to represent %d rows", data.rows)
                options["rows_total"] = data.rows
            model = Model(self._kind, **self._model_options()) if first else self.model_
            if not model.columns:
                model.initialize(data, options["seed"])
            self.model_, self.run_ = model, Run(model, None, **options) if first else _cold_run(model, options)
        return self._went_on(lambda run, watch: run.feed(data, watch), None, fed=True)

    def feed(self: _Fitted, batches: Iterable[Any], monitor: Optional[Monitor] = None) -> _Fitted:
        """`partial_fit` on each batch of an iterator, until `monitor`, called after each, returns True.

        Warns where the stream ends at a temperature above 1.
        """
        if isinstance(batches, (str, bytes, os.PathLike, Data)) or hasattr(batches, "iloc") or hasattr(batches, "nnz") \
                or isinstance(batches, np.ndarray) and batches.dtype != object and batches.ndim < 3:
            raise TypeError("feed takes an iterator of batches, not a %s: give one batch to partial_fit" % type(batches).__name__)
        if monitor is not None and not callable(monitor):
            raise TypeError("argument monitor is a %s; it must be a function of a report" % type(monitor).__name__)
        self._in_stream = True  # so that a monitor may score the model while it is hot
        try:
            for batch in batches:
                self.partial_fit(batch)
                if monitor is not None and monitor(self.report_) is True:
                    break
        finally:
            del self._in_stream
        self._tell_hot_stream()
        return self

    def _went_on(self: _Fitted, work: Any, monitor: Optional[Monitor], fed: bool = False) -> _Fitted:
        run: Run = self.run_
        progress = None
        if self.verbose and not fed:
            progress = Progress(run.get("steps_total") if "steps_total" in [q.name for q in run.quantities] else None, monitor)
        ended = False
        self._running = True
        try:
            report = work(run, progress or monitor)
            ended = bool(report.finished) and not fed
        finally:
            del self._running
            self.report_, self.trace_ = run.report(), run.trace()
            self.n_iter_ = self.report_.iteration
            if progress:
                progress.close(self.report_)
            if ended:
                del self.run_
        if ended:
            self._tell_unsettled()
        return self

    def _refuse_within(self) -> None:
        """Two runs of one estimator would take each other's model."""
        if hasattr(self, "_running"):
            raise RuntimeError("this %s is being fitted: a monitor can fit a copy of it, clone(estimator), but not itself"
                               % type(self).__name__)

    def _tell_unsettled(self) -> None:
        """Warns of a fit that should have converged and has not; of hot fits the library warns itself."""
        note = self.model_.notes.get("ending", "")
        if note and self.report_.temperature <= 1:
            warnings.warn(note, VTemperWarning, stacklevel=4)

    def _tell_hot_stream(self) -> None:
        """Warns, once in a run on rows that are fed, that the results are those of a hot model: no step says that it is the last."""
        run = self.__dict__.get("run_")
        if run is None or not run.was_fed or run.told_hot or hasattr(self, "_in_stream") or not self.report_.temperature > 1:
            return
        run.told_hot = True
        warnings.warn(self.model_.notes.get("ending", ""), VTemperWarning, stacklevel=4)

    @property
    def converged_(self) -> bool:
        """Whether the tolerance was met at temperature 1."""
        self._fitted_attribute()
        return bool(self.report_.converged)

    @property
    def lower_bound_(self) -> float:
        """The bound on the log evidence at the last step, in nats; NaN where the fit does not compute it."""
        self._fitted_attribute()
        return float(self.report_.elbo)

    def _model_options(self) -> Dict[str, Any]:
        """Our parameters as options of the kind."""
        return {option: getattr(self, name) for name, option in self._model_names.items()}

    def _run_options(self) -> Dict[str, Any]:
        """Our parameters as options of a run."""
        values = {option: getattr(self, name) for name, option in self._run_names.items()}
        return dict(values, seed=seed_of(values["seed"]), threads=thread_count(values["threads"]))

    # ---- Data ----

    def _taken(self, X: Any, sample_weight: Any = None, lengths: Any = None, reset: bool = False) -> Data:
        """Data of X, which must have the columns of the fit; `reset` notes them instead."""
        if lengths is None and form_of_kind(self._kind) != "dense":
            X = listed(X)
        names = frame_names(X) if form_of_kind(self._kind) != "sequences" else None  # the columns of a table of symbols are times
        data = self._data(X, lengths, reset)
        if reset:
            self._note_columns(data, names)
        else:
            self._check_columns(X, data, names)
        weights = check_weights(sample_weight, data.rows)
        if weights is not None:
            if data is X:
                raise ValueError("sample_weight cannot be given with Data, which has weights of its own: Data(X, weights=...)")
            data.set_weights(weights)
        return data

    def _data(self, X: Any, lengths: Any, reset: bool) -> Data:
        form = form_of_kind(self._kind)
        if lengths is not None:
            raise ArgumentError("argument lengths is for models of sequences; %s takes %s"
                                % (type(self).__name__, "documents" if form == "counts" else "points"))
        if isinstance(X, (Data, str, bytes, os.PathLike)) or _of_words(X):
            if not reset and _of_words(X) and not self.model_.names:
                raise DataError("X holds words, but this %s was fitted to numbers, whose words it does not know" % type(self).__name__)
            data = X if isinstance(X, Data) else Data(X, form if _of_words(X) else None)
            return data if reset else self.model_.data(data)
        if not reset and form == "counts" and isinstance(X, (list, tuple)) and X and all(isinstance(row, (list, tuple)) and not row for row in X):
            X = scipy.sparse.csr_matrix((len(X), self.model_.columns), dtype=np.int32)  # documents without words
        return Data(as_matrix(X), form, fractions=not reset)  # `fit` warns about fractions, later calls do not

    def _note_columns(self, data: Data, names: Optional[List[str]]) -> None:
        for fitted in "model_", "run_", "feature_names_in_":
            self.__dict__.pop(fitted, None)
        self.n_features_in_ = data.columns
        names = names or data.names
        if names:
            self.feature_names_in_ = np.array(names, dtype=object)

    def _check_columns(self, X: Any, data: Data, names: Optional[List[str]]) -> None:
        fitted = getattr(self, "feature_names_in_", None)
        given = names or data.names or None
        check_same_names(type(self).__name__, None if fitted is None else list(fitted), given, hasattr(X, "shape"))
        if data.columns != self.n_features_in_:
            raise ValueError("X has %d features, but %s is expecting %d features as input"
                             % (data.columns, type(self).__name__, self.n_features_in_))

    def _fitted(self) -> Model:
        """The model, for its results."""
        self._require_fitted()
        self._tell_hot_stream()
        return self.model_

    def _require_fitted(self) -> None:
        if not hasattr(self, "model_"):
            raise NotFittedError("This %s instance is not fitted yet. Call 'fit' with appropriate arguments before using this "
                                 "estimator." % type(self).__name__)

    # ---- What scikit-learn requires ----

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    # ---- Results ----

    def infer(self, X: Any, quantity: Optional[str] = None, *, lengths: Any = None, **options: Any) -> Any:
        """What the model infers about rows; by default the first of the kind's quantities. Options: `describe("evaluate")`."""
        model = self._fitted()
        return model.infer(self._taken(X, lengths=lengths), quantity, **self._evaluation(options))

    def evaluate(self, X: Any, measure: str = "predictive", *, heldout: Any = None, lengths: Any = None, **options: Any) -> float:
        """The score of rows at temperature 1: "predictive" (nats), "perplexity", "elbo" and others of the library."""
        model = self._fitted()
        return model.evaluate(self._taken(X, lengths=lengths), measure, None if heldout is None else self._taken(heldout),
                              **self._evaluation(options))

    def _evaluation(self, options: Dict[str, Any]) -> Dict[str, Any]:
        return dict({"threads": thread_count(self.n_jobs)}, **options)

    def score(self, X: Any, y: Any = None) -> float:
        """Mean held-out log probability of a token, a row or a symbol, in nats; higher is better."""
        return self.evaluate(X)

    def perplexity(self, X: Any) -> float:
        """exp of minus the mean held-out log probability of a token, a row or a symbol (measure "predictive")."""
        return self.evaluate(X, "perplexity")

    @property
    def parameters_(self) -> Parameters:
        """The parameters of the model by name, as arrays."""
        return self._fitted_attribute().parameters

    def _fitted_attribute(self) -> Model:
        """The model, for attributes that exist after a fit only."""
        if "model_" not in self.__dict__:
            raise AttributeError("this %s is not fitted yet" % type(self).__name__)
        self._tell_hot_stream()
        return self.model_

    def _size(self) -> int:
        """Number of components of the fitted model, over all layers where it has several."""
        return self._fitted().components

    # ---- Files ----

    def save(self, path: Any) -> None:
        """The model in a portable file, which C, R, Julia and the command read as well; `vtemper.load` gives it back."""
        self._fitted().save(path)

    @classmethod
    def _of_model(cls: Type[_Fitted], model: Model) -> _Fitted:
        options = model.options
        names = {name: options[option] for name, option in cls._model_names.items() if options.get(option) not in (None, "auto")}
        types = {option.name: option.type for option in describe(cls._kind)}
        estimator = cls(**{name: parsed(value, types[cls._model_names[name]]) for name, value in names.items()})
        estimator.model_ = model
        estimator.n_features_in_ = model.columns
        if model.names:
            estimator.feature_names_in_ = np.array(model.names, dtype=object)
        return estimator

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("run_", None)  # belongs to data
        state.pop("_running", None)
        return state

    def _repr_html_(self) -> str:
        return model_html(self, getattr(self, "model_", None), getattr(self, "report_", None))

    def _repr_mimebundle_(self, **keywords: Any) -> Dict[str, str]:
        """For notebooks, which ask this before `_repr_html_`."""
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _cold_run(model: Model, options: Dict[str, Any]) -> Run:
    """A run on rows that are fed which does not heat the model, unless the options say so."""
    run = Run(model, None, **options)
    if options.get("method") is not None or run.used_options["method"] == "vi":  # vi: models fitted by gradients
        return run
    if options.get("temperature") is None:
        options = {name: value for name, value in options.items() if not name.startswith("temperature_")}
    return Run(model, None, **dict(options, method="svi"))


def _of_words(X: Any) -> bool:
    """Whether X is a list of documents or sequences of words (or of strings, which `Data` refuses)."""
    return isinstance(X, (list, tuple)) and any(
        isinstance(row, str) or isinstance(row, (list, tuple, np.ndarray)) and any(isinstance(word, str) for word in row[:1])
        for row in X)


def load(path: Any) -> Estimator:
    """The estimator of a model that was saved from Python, C, R, Julia or by the command.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    Estimator
        Of the class of the model's kind, fitted.
    """
    return of_model(Model.load(path))


def of_model(model: Model) -> Estimator:
    """A model of the library as the estimator of its kind."""
    assert set(CLASSES) <= set(kinds())
    return CLASSES[model.kind]._of_model(model)
