"""Arrays of NumPy and SciPy as data of the library, without a copy where it can read them as they are."""
import ctypes
import itertools
import os
from typing import Any, Dict, Iterator, List, Optional, Sequence

import numpy as np
import scipy.sparse

from . import _header
from .arrays import as_array, frame_values, missing_as_nan, numbers_of_objects, signed, unmasked
from .errors import ArgumentError, DataError
from .handles import Handle, address
from .library import library
from .watch import logger
from .words import check_rows, counted_tokens, listed, numbered_symbols, whole_symbols

FORMS = {"counts": _header.COUNTS, "dense": _header.DENSE, "sequences": _header.SEQUENCES}
CONTENT = {"counts": "counts", "dense": "dense rows", "sequences": "sequences"}
_ELEMENTS = {np.dtype(np.int32): _header.INT32, np.dtype(np.int64): _header.INT64, np.dtype(np.float32): _header.FLOAT,
             np.dtype(np.float64): _header.DOUBLE}

# Arrays that the library reads, until it releases them.
_borrowed: Dict[int, Any] = {}
_numbers = itertools.count(1)
_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


# Called by the library on the thread that releases the data. Not a Python function, in which a signal's exception would be
# lost.
_release = _RELEASE(_borrowed.pop)


def _lend(arrays: Any) -> int:
    number = next(_numbers)
    _borrowed[number] = arrays
    return number


def _known(values: Any, elements: Sequence[Any]) -> Any:
    """The array itself where the library knows its elements, else a copy with elements that hold them."""
    values = np.asarray(values)
    if values.dtype.kind == "c":
        raise DataError("Complex data not supported")
    if values.dtype in elements and values.dtype.isnative:
        return values
    if values.dtype.kind in "iub" and np.int32 in elements:
        return values.astype(np.int32) if values.dtype.itemsize < 4 else signed(values, "X")
    return values.astype(np.float32 if values.dtype.kind == "f" and values.dtype.itemsize <= 4 else np.float64)


def _flat(values: Any, elements: Sequence[Any]) -> Any:
    return np.ascontiguousarray(_known(values, elements))


_INDEX = (np.int32, np.int64)
_VALUE = (np.int32, np.int64, np.float32, np.float64)
_REAL = (np.float32, np.float64)


class Made(Handle):
    """A handle of data that is made of what users have."""

    _type = "data"
    _fractions = False

    @property
    def form(self) -> str:
        """One of "counts", "dense" and "sequences"."""
        value = library.number("data_form_of", self, of=ctypes.c_int)
        return next(name for name, number in FORMS.items() if number == value)

    def _fill(self, X: Any, form: Optional[str], turned: bool, format: Optional[str], alphabet: Optional[int], names: Any,
              lengths: Any) -> Optional[List[str]]:
        """Makes the handle; gives the names that `X` brings."""
        if isinstance(X, (str, bytes, os.PathLike)):
            self._read(X, form, format, {"alphabet": alphabet, "lengths": lengths, "observations": "columns" if turned else None})
            return None
        named = None
        if lengths is not None:
            _check_lengths(form, turned)
        elif form != "dense":
            X = listed(X)
        if lengths is None and isinstance(X, (list, tuple)):
            check_rows(X)
        if hasattr(X, "iloc") and hasattr(X, "columns"):  # a frame of pandas
            index = X.index if turned else X.columns
            if lengths is None and form != "sequences" and all(isinstance(name, str) for name in index):
                named = [str(name) for name in index]
            X = X.sparse.to_coo() if len(X.columns) and hasattr(X, "sparse") else frame_values(X)
        if lengths is not None:
            self._sequences(*whole_symbols(X, lengths), alphabet=alphabet)
        elif scipy.sparse.issparse(X):
            if form not in (None, "counts"):
                raise TypeError("A sparse matrix was passed, but dense data is required. Use X.toarray() to convert to a "
                                "dense numpy array.")
            self._counts(X, turned)
        elif isinstance(X, (list, tuple)) and X and form != "dense" and _ragged(X, form):
            if turned:
                raise ArgumentError("observations is 'columns', but X is a list of documents or sequences")
            if form == "sequences" or form is None and not _worded(X):
                symbols, offsets, found = numbered_symbols(X, names)
                if found is not None and alphabet not in (None, len(found)):
                    raise ArgumentError("argument alphabet is %s, but the symbols are %d different words; give all of them as names"
                                        % (alphabet, len(found)))
                self._sequences(symbols, offsets, alphabet=alphabet if found is None else len(found))
                return found
            X, named = counted_tokens(X, names)
            self._counts(X, False)
        else:
            self._matrix(X, form, turned, alphabet, named)
        return named

    def _read(self, path: Any, form: Optional[str], format: Optional[str], others: Dict[str, Any]) -> None:
        """The rows of a file, which says itself how they are laid out."""
        for name, value in others.items():
            if value is not None:
                raise ArgumentError("argument %s is not for files" % name)
        self._make("data_read", path, format or None)
        if form not in (None, self.form):
            raise DataError("the file %s holds %s, not %s" % (os.fsdecode(path), CONTENT[self.form], CONTENT[str(form)]))

    def _matrix(self, X: Any, form: Optional[str], turned: bool, alphabet: Optional[int], named: Optional[List[str]]) -> None:
        X = as_array(X)
        if X.ndim != 2:
            raise DataError("Expected 2D array, got %dD array instead. Reshape your data either using array.reshape(-1, 1) if "
                            "your data has a single feature or array.reshape(1, -1) if it contains a single sample." % X.ndim)
        if X.dtype.kind == "c":
            raise DataError("Complex data not supported")
        if X.dtype.kind not in "iubfO":
            raise DataError("an array of dtype %s cannot be taken as data; give numbers" % X.dtype)
        if form == "sequences":
            rows = X.T if turned else X
            self._sequences(*whole_symbols(rows.reshape(-1), np.full(rows.shape[0], rows.shape[1])), alphabet=alphabet)
        elif form == "counts" or form is None and X.dtype.kind in "iub":
            X = _numeric(unmasked(X, "counts"), turned, named)
            self._counts(scipy.sparse.csr_matrix(_known(X.T if turned else X, _VALUE)), False)
        else:
            X = _numeric(missing_as_nan(X), turned, named)
            self._dense(X.T if turned else X)

    def _make(self, function: str, *arguments: Any) -> None:
        library.call(function, *arguments, ctypes.byref(self._pointer))

    def _counts(self, X: Any, turned: bool) -> None:
        if X.format not in ("csr", "csc"):
            X = X.tocsr()
        lines = X.shape[0] if X.format == "csr" else X.shape[1]
        if len(X.indptr) != lines + 1 or min(len(X.indices), len(X.data)) < X.indptr[-1]:
            raise DataError("the arrays of the sparse matrix do not fit its shape: see its check_format()")
        try:
            self._compressed(X, turned)
        except DataError:
            if (X.indptr[1:] < X.indptr[:-1]).any() or X.has_canonical_format:
                raise
            X = X.copy()
            X.sum_duplicates()  # SciPy allows duplicate entries
            self._compressed(X, turned)

    def _compressed(self, X: Any, turned: bool) -> None:
        offsets, indices, values = _flat(X.indptr, _INDEX), _flat(X.indices, _INDEX), _flat(X.data, _VALUE)
        if not self._fractions and values.dtype.kind == "f" and _fractional(values):
            logger.warning("the counts include fractions, as tf-idf does, but the model is for word counts (Data(X, fractions=True) hides this warning)")
        rows_first = (X.format == "csr") != turned  # not by X.T: SciPy would copy indices of 64 bits
        rows, columns = X.shape[::-1] if turned else X.shape
        lent = _lend((offsets, indices, values)) if rows_first else None
        try:
            self._make("data_from_counts", _header.BY_ROWS if rows_first else _header.BY_COLUMNS, rows, columns, address(offsets),
                       _ELEMENTS[offsets.dtype], address(indices), _ELEMENTS[indices.dtype],
                       address(values), _ELEMENTS[values.dtype], 0, _header.BORROW if rows_first else _header.COPY,
                       _release if rows_first else None, lent)
        except BaseException:
            _borrowed.pop(lent or 0, None)
            raise

    def _dense(self, X: Any) -> None:
        values = _known(X, _REAL)
        strides = [stride // values.itemsize for stride in values.strides]
        if min(strides) < 0 or any(stride % values.itemsize for stride in values.strides) or not values.flags.aligned:
            values = np.array(values, order="C")
            strides = [stride // values.itemsize for stride in values.strides]
        lent = _lend(values)
        try:
            self._make("data_from_dense", values.shape[0], values.shape[1], address(values), _ELEMENTS[values.dtype], strides[0],
                       strides[1], _header.BORROW, _release, lent)
        except BaseException:
            _borrowed.pop(lent, None)
            raise

    def _sequences(self, symbols: Any, offsets: Any, alphabet: Optional[int]) -> None:
        symbols, offsets = _flat(symbols, _INDEX), _flat(offsets, _INDEX)
        if alphabet is None and symbols.size and symbols.min() < 0:
            place = int(np.argmax(symbols < 0))
            row = int(np.searchsorted(offsets, place, "right")) - 1
            raise DataError("row %d, position %d is the symbol %d; symbols must be whole numbers from 0"
                            % (row, place - offsets[row], symbols[place]))
        size = alphabet if alphabet is not None else int(symbols.max()) + 1 if symbols.size else 0
        lent = _lend((symbols, offsets))
        try:
            self._make("data_from_sequences", len(offsets) - 1, size, address(offsets), _ELEMENTS[offsets.dtype],
                       address(symbols), _ELEMENTS[symbols.dtype], 0, _header.BORROW, _release, lent)
        except BaseException:
            _borrowed.pop(lent, None)
            raise


def _check_lengths(form: Optional[str], turned: bool) -> None:
    if form not in (None, "sequences"):
        raise ArgumentError("argument lengths is for sequences, but form is %r" % form)
    if turned:
        raise ArgumentError("observations is 'columns', but symbols with lengths are one column")


def _numeric(X: Any, turned: bool, named: Optional[List[str]]) -> Any:
    """The table with numbers for objects."""
    return numbers_of_objects(X, None if turned else named) if X.dtype.kind == "O" else X


def _fractional(values: Any) -> bool:
    """Whether some values are not whole; looked at in parts, for a copy of all of them would double their memory."""
    part = 1 << 16
    return any(bool((values[start:start + part] % 1 > 0).any()) for start in range(0, len(values), part))


def _ragged(X: Any, form: Optional[str]) -> bool:
    """Whether a list is one of documents or sequences, not the rows of a matrix of numbers."""
    if not hasattr(X[0], "__len__"):
        return False
    return form == "sequences" or _worded(X) or form is None and len({len(row) for row in _rows(X)}) > 1


def _rows(X: Any) -> Iterator[Any]:
    return (row if hasattr(row, "__len__") else [row] for row in X)


def _worded(X: Any) -> bool:
    return any(isinstance(token, str) for row in _rows(X) for token in list(row)[:1])
