"""Models of sequences, by the conventions of hmmlearn."""
from typing import Any, Dict, Optional, Tuple, TypeVar

import numpy as np
import scipy.sparse

from .arguments import within
from .arrays import as_array
from .data import Data
from .errors import ArgumentError
from .estimator import Estimator, _of_words
from .watch import Monitor
from .words import listed

_Fitted = TypeVar("_Fitted", bound="Sequences")


class Sequences(Estimator):
    """Hidden states of sequences.

    Sequences are a list of sequences (whole numbers from 0, or words; Series, too), also as a Series or an array of objects, or
    one column of numbers with `lengths`; one column of numbers without lengths is one sequence, and the rows of an array or a
    frame with more columns are sequences of the same length.
    """

    def fit(self: _Fitted, X: Any, lengths: Any = None, sample_weight: Any = None, *, y: Any = None,  # type: ignore[override]
            monitor: Optional[Monitor] = None) -> _Fitted:
        """Fits the model anew to sequences; see `Estimator.fit`."""
        return super().fit(X, None, sample_weight, monitor=monitor, lengths=lengths)

    def partial_fit(self: _Fitted, X: Any, lengths: Any = None, sample_weight: Any = None, *, y: Any = None) -> _Fitted:  # type: ignore[override]
        """One step on the sequences of a minibatch; see `Estimator.partial_fit`."""
        return super().partial_fit(X, None, sample_weight, lengths=lengths)

    def _data(self, X: Any, lengths: Any, reset: bool) -> Data:
        if isinstance(X, (Data, str, bytes)) or hasattr(X, "__fspath__") or lengths is None and _of_words(X):
            if lengths is not None:
                raise ArgumentError("argument lengths is for one column of symbols; X is %s" % (
                    "Data, which holds sequences" if isinstance(X, Data) else "a file"))
            return super()._data(X, None, reset)
        if lengths is None and _of_words(_rows_of(X)):  # a table of words
            return super()._data(_rows_of(X), None, reset)
        if scipy.sparse.issparse(X):
            raise TypeError("A sparse matrix was passed, but sequences are needed: a list of them, or one column of symbols")
        known: Dict[str, Any] = {} if reset else {"alphabet": self.model_.columns, "names": self.model_.names or None}
        if lengths is not None:
            return Data(X, "sequences", lengths=lengths, **known)
        column = as_array(X) if hasattr(X, "shape") or _flat(X) else None
        if column is None:
            return Data(list(X), "sequences", **known)
        if column.ndim == 1 or column.ndim == 2 and column.shape[1] == 1:
            lengths = [column.size]
        elif column.ndim == 2:
            lengths, column = [column.shape[1]] * column.shape[0], column.reshape(-1)
        else:
            raise ArgumentError("Expected 2D array, got %dD array instead. Reshape your data" % column.ndim)
        return Data(column, "sequences", lengths=lengths, **known)

    # ---- Results ----

    def predict(self, X: Any, lengths: Any = None) -> Any:
        """The most probable states (Viterbi) of all symbols, one sequence after the other, from 0."""
        return self.infer(X, "path", lengths=lengths)

    def predict_proba(self, X: Any, lengths: Any = None) -> Any:
        """The posterior probabilities of the states at each symbol, [symbols x states]."""
        return self.infer(X, "marginals", lengths=lengths)

    def score_samples(self, X: Any, lengths: Any = None) -> Tuple[float, Any]:
        """The log probability of all sequences, and the posterior probabilities of the states."""
        return self.score(X, lengths), self.predict_proba(X, lengths)

    def score(self, X: Any, lengths: Any = None) -> float:
        """The log probability of all sequences under the mean parameters, in nats."""
        return float(np.sum(self.log_likelihoods(X, lengths)))

    def log_likelihoods(self, X: Any, lengths: Any = None) -> Any:
        """The log probability of each sequence, in nats."""
        return self.infer(X, "log_likelihood", lengths=lengths)

    def decode(self, X: Any, lengths: Any = None, algorithm: str = "viterbi") -> Tuple[float, Any]:
        """The states of all symbols, and their score.

        Parameters
        ----------
        X, lengths
            As for `fit`.
        algorithm : {"viterbi", "map"}
            "viterbi" gives the most probable path and its log probability together with the symbols; "map" the most probable
            state of each symbol and the sum of these probabilities.

        Returns
        -------
        (float, ndarray of int)
        """
        if algorithm == "map":
            marginals = self.predict_proba(X, lengths)
            return float(marginals.max(axis=1).sum()), marginals.argmax(axis=1)
        if algorithm != "viterbi":
            raise ArgumentError("algorithm is %r; valid values are 'viterbi' and 'map'" % (algorithm,))
        path = self.predict(X, lengths)
        symbols, starts = self._symbols(X, lengths)
        with np.errstate(divide="ignore"):
            emitted = np.log(self.emissionprob_)[path, symbols]
            moved = np.log(self.transmat_)[path[:-1], path[1:]] if len(path) else np.zeros(0)
            first = np.log(self.startprob_)[path[starts]]
        inner = np.setdiff1d(np.arange(len(path)), starts) - 1
        return float(emitted.sum() + moved[inner].sum() + first.sum()), path

    def _symbols(self, X: Any, lengths: Any) -> Tuple[Any, Any]:
        """All symbols as numbers, and where sequences that are not empty start."""
        if isinstance(X, (Data, str, bytes)) or hasattr(X, "__fspath__"):
            raise TypeError("decode needs the symbols themselves: a list of sequences, or one column with lengths")
        if lengths is None:
            X = _rows_of(listed(X))
        if lengths is None and not hasattr(X, "shape") and not _flat(X):
            rows = [list(row) for row in X]
            place = {name: number for number, name in enumerate(self.model_.names)}
            symbols = np.array([place[s] if isinstance(s, str) else int(s) for row in rows for s in row], dtype=np.int64)
            sizes = [len(row) for row in rows]
        else:
            column = np.asarray(X)
            sizes = list(lengths) if lengths is not None else [column.shape[1]] * len(column) if column.ndim == 2 and column.shape[1] > 1 \
                else [column.size]
            symbols = column.reshape(-1).astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        return symbols, starts[np.asarray(sizes) > 0]

    def sample(self, n_samples: int = 1, random_state: Any = None, currstate: Optional[int] = None) -> Tuple[Any, Any]:
        """A sequence drawn from the mean parameters: one column of symbols, and its states.

        Parameters
        ----------
        n_samples : int
            Length of the sequence.
        random_state : int, Generator or RandomState, optional
        currstate : int, optional
            The first state; drawn where it is not given.
        """
        self._fitted()
        if currstate is not None:
            currstate = within(0, self._size() - 1)(currstate, "currstate")
        random: Any = random_state if isinstance(random_state, np.random.RandomState) else np.random.default_rng(random_state)
        chances = random.uniform(size=2 * n_samples)
        start, move, emit = (np.cumsum(table, axis=-1) / np.sum(table, axis=-1, keepdims=True)
                             for table in (self.startprob_, self.transmat_, self.emissionprob_))

        def drawn(cumulated: Any, chance: float) -> int:
            return int(np.count_nonzero(cumulated <= chance))
        states = np.empty(n_samples, dtype=np.int64)
        symbols = np.empty((n_samples, 1), dtype=np.int64)
        for step in range(n_samples):
            if step == 0 and currstate is not None:
                states[0] = currstate
            else:
                states[step] = drawn(move[states[step - 1]] if step else start, chances[2 * step])
            symbols[step] = drawn(emit[states[step]], chances[2 * step + 1])
        return symbols, states

    @property
    def startprob_(self) -> Any:
        """Mean probabilities of the first state."""
        return self._fitted_attribute().parameters["initial.mean"]

    @property
    def transmat_(self) -> Any:
        """Mean probabilities of the transitions from each state, [states x states]."""
        return self._fitted_attribute().parameters["transition.mean"]

    @property
    def emissionprob_(self) -> Any:
        """Mean probabilities of each state's symbols, [states x symbols]."""
        return self._fitted_attribute().parameters["emission.mean"]

    components_ = emissionprob_

    def top_words(self, n: int = 10, rank: str = "probability") -> "list[list[str]]":
        """The highest-ranked symbols of each state."""
        from .topics import ranked
        return ranked(self._fitted(), self._size(), n, rank)[0]

    def _properties(self) -> Dict[str, Any]:
        return {"X_types": ["sequences"]}


def _rows_of(X: Any) -> Any:
    """The rows of a table of words, an array or a frame, as lists; anything else unchanged."""
    values = np.asarray(X) if hasattr(X, "shape") and len(X.shape) == 2 and not scipy.sparse.issparse(X) else None
    return values.tolist() if values is not None and values.dtype.kind in "UO" and any(isinstance(one, str) for one in values.flat) else X


def _flat(X: Any) -> bool:
    """Whether X is one sequence of numbers, or a column of them."""
    return len(X) > 0 and all(np.isscalar(symbol) and not isinstance(symbol, str) for symbol in X)
