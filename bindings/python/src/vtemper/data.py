"""Data of NumPy, SciPy and pandas for the library, without a copy where it can read the arrays as they are."""
import ctypes
import itertools
import os
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np
import scipy.sparse

from . import _header
from .arrays import as_array, frame_values, missing_as_nan, numbers_of_objects, reals, signed, unmasked
from .errors import ArgumentError, DataError
from .handles import Handle, address, texts
from .library import library
from .watch import logger
from .words import check_rows, counted, counted_tokens, listed, numbered_symbols, whole_symbols

_FORMS = {"counts": _header.COUNTS, "dense": _header.DENSE, "sequences": _header.SEQUENCES}
_CONTENT = {"counts": "counts", "dense": "dense rows", "sequences": "sequences"}
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


class Data(Handle):
    """Rows that models are fitted to.

    Parameters
    ----------
    X : sparse matrix, array, DataFrame, Series, list or path
        Counts: a SciPy sparse matrix, an array of whole numbers, documents as lists of words. Dense reals: an array of
        floats, NaN or masked = missing. Sequences: lists of symbols (whole numbers from 0, or words). Documents and sequences
        may be in a list, a Series or an array of objects. A path: a file that the library reads.
    form : {"counts", "dense", "sequences"}, optional
        The form of the data; by default recognised from `X`.
    observations : {"rows", "columns"}
        Which dimension of a matrix holds the documents (points). Counts compressed by documents (CSR of documents x words, CSC of words
        x documents) and arrays of any strides are read in place: they must stay unchanged as long as they are used.
    names : sequence of str, optional
        Names of the columns (the vocabulary, the alphabet).
    weights : array, optional
        Weights of the rows: one of weight 2 counts as two.
    format : str, optional
        Format of the file, such as "ldac"; "auto" by default.
    alphabet : int, optional
        Number of symbols, where the largest is not in `X`.
    lengths : array, optional
        Lengths of the sequences, if they are concatenated in `X`.
    fractions : bool
        Whether fractional counts are intended; otherwise they are accepted, too, as by scikit-learn's estimators, but a warning is
        logged.

    Examples
    --------
    >>> import numpy as np, vtemper
    >>> vtemper.Data(np.array([[1, 0, 2], [0, 3, 0]]))
    Data(counts, 2 rows, 3 columns, 3 entries)
    """

    _type = "data"

    def __init__(self, X: Any, form: Optional[str] = None, *, observations: str = "rows", names: Any = None,
                 weights: Any = None, format: Optional[str] = None, alphabet: Optional[int] = None,
                 lengths: Any = None, fractions: bool = False) -> None:
        self._fractions = fractions
        super().__init__()
        if isinstance(X, Data):
            raise ArgumentError("X is Data already")
        if observations not in ("rows", "columns"):
            raise ValueError("observations is %r; valid values are 'rows' and 'columns'" % (observations,))
        if form is not None and form not in _FORMS:
            raise ValueError("form is %r; valid values are %s" % (form, ", ".join(map(repr, _FORMS))))
        if format and not isinstance(X, (str, bytes, os.PathLike)):
            raise ArgumentError("argument format is for files; X is a %s" % type(X).__name__)
        named = self._fill(X, form, observations == "columns", format, alphabet, names, lengths)
        if alphabet is not None and self.form != "sequences":
            raise ArgumentError("argument alphabet is for sequences; X holds %s" % _CONTENT[self.form])
        names = named if names is None else names
        if names is not None:
            self.set_names(names)
        if weights is not None:
            self.set_weights(weights)

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
            raise DataError("the file %s holds %s, not %s" % (os.fsdecode(path), _CONTENT[self.form], _CONTENT[str(form)]))

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

    # ---- Contents ----

    @property
    def rows(self) -> int:
        """Number of rows: documents, points, sequences."""
        return int(library.number("data_rows", self))

    @property
    def columns(self) -> int:
        """Number of columns: words, dimensions, symbols of the alphabet."""
        return int(library.number("data_columns", self))

    @property
    def entries(self) -> int:
        """Stored entries, values, or symbols of all sequences."""
        return int(library.number("data_entries", self))

    @property
    def total(self) -> float:
        """Sum of all counts or values, or the number of symbols."""
        return float(library.number("data_total", self, of=ctypes.c_double))

    @property
    def form(self) -> str:
        """One of "counts", "dense" and "sequences"."""
        value = library.number("data_form_of", self, of=ctypes.c_int)
        return next(name for name, number in _FORMS.items() if number == value)

    @property
    def shape(self) -> Tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.columns

    def __len__(self) -> int:
        return self.rows

    def __repr__(self) -> str:
        if not self._pointer.value:
            return "Data(closed)"
        return "Data(%s, %s, %s, %s)" % (self.form, counted(self.rows, "row"), counted(self.columns, "column"),
                                         counted(self.entries, "entry", "entries"))

    @property
    def names(self) -> List[str]:
        """The names of the columns; empty if there are none."""
        return list(self._read_names())

    def _read_names(self) -> List[str]:
        """The names, read once, also for data from these; not to be changed."""
        columns, read = self.columns, self._names_cell()
        if not read:
            read.append(column_names("data_name", self, columns))
        return read[0]

    def _names_cell(self) -> List[List[str]]:
        """Holds the names once they were read; data with the same columns share it."""
        cell: List[List[str]] = self.__dict__.setdefault("_names", [])
        return cell

    def _with_our_names(self, made: "Data") -> "Data":
        made.__dict__["_names"] = self._names_cell()
        return made

    def set_names(self, names: Any) -> None:
        """Names the columns."""
        names = list(names)
        library.call("data_set_names", self, texts(names, "names"), len(names))
        self.__dict__["_names"] = []

    def set_weights(self, weights: Any) -> None:
        """Weights of the rows."""
        values = reals(weights, "weights").reshape(-1)
        library.call("data_set_weights", self, address(values), values.size)

    def row_texts(self, field: str) -> List[str]:
        """Texts of the rows, such as "name" or "date" of documents, which files keep; `row_fields` lists the fields.

        Examples
        --------
        >>> import vtemper
        >>> data = vtemper.Data([["a"], ["b"]])
        >>> data.set_row_texts("date", ["2020-01-01", "2020-01-02"])
        >>> data.row_fields, data.row_texts("date")
        (['date'], ['2020-01-01', '2020-01-02'])
        """
        if field not in self.row_fields:
            raise KeyError("the rows have no texts %r; they have %s" % (field, ", ".join(self.row_fields) or "none"))
        return [library.text("data_row_text", self, field, row) for row in range(self.rows)]

    @property
    def row_fields(self) -> List[str]:
        """The text fields of the rows."""
        count = library.number("data_row_field_count", self, of=ctypes.c_int32)
        return [library.text("data_row_field_name", self, index) for index in range(count)]

    def set_row_texts(self, field: str, values: Any) -> None:
        """Attaches texts to the rows; an empty list removes the field."""
        values = [str(value) for value in values]
        library.call("data_set_row_texts", self, field, texts(values, "values") if values else None, len(values))

    @property
    def notes(self) -> Dict[str, str]:
        """The notes of the data, such as how raw text became words."""
        count = library.number("data_note_count", self, of=ctypes.c_int32)
        names = [library.text("data_note_name", self, index) for index in range(count)]
        return {name: library.text("data_note", self, name) for name in names}

    # ---- Data from data ----

    def select(self, rows: Any) -> "Data":
        """New data of the given rows (numbers from 0, where repeats are allowed, a mask or a slice), copied."""
        if not isinstance(rows, slice):
            rows = unmasked(as_array(rows), "rows")
            if rows.dtype == object:  # such as the columns of pandas that may miss values
                rows = np.asarray(rows.tolist())
            if rows.size and rows.dtype.kind not in "iub":
                raise ArgumentError("rows must be whole numbers, a mask or a slice, not of dtype %s" % rows.dtype)
        places = np.arange(self.rows)[rows] if isinstance(rows, slice) or rows.dtype == bool else signed(rows, "rows")
        places = np.ascontiguousarray(places).reshape(-1)
        return self._with_our_names(Data._made("data_select", self, address(places), places.size))

    __getitem__ = select

    def __iter__(self) -> Iterator["Data"]:
        """The rows, each as data."""
        return (self.slice(row, 1) for row in range(self.rows))

    def slice(self, first: int, count: int) -> "Data":
        """The rows `first` ... `first + count - 1` (from 0) as new data, without a copy. They keep their numbers:
        splits and samples treat them as in the whole."""
        return self._with_our_names(Data._made("data_slice", self, first, count))

    def align(self, names: Any) -> "Data":
        """The data with the columns `names`, in their order; counts of other words are dropped, which is logged."""
        names = list(names)
        unknown = ctypes.c_double()
        aligned = Data._made("data_align", self, texts(names, "names"), len(names), ctypes.byref(unknown))
        if unknown.value > 0:
            logger.warning("%s of words that the model does not know left out", counted(unknown.value, "token"))
        return aligned

    def split(self, share: float = 0.1, seed: int = 0) -> Tuple["Data", "Data"]:
        """Divides the rows in two: a `share` of them, drawn by the seed, is the second part."""
        return self._pair("data_split", share, seed)

    def split_counts(self, share: float = 0.5, seed: int = 0) -> Tuple["Data", "Data"]:
        """Divides the tokens of each row in two, observed and held out: a `share` of them is the second part."""
        return self._pair("data_split_counts", share, seed)

    def _pair(self, function: str, share: float, seed: int) -> Tuple["Data", "Data"]:
        first, second = Data.__new__(Data), Data.__new__(Data)
        Handle.__init__(first)
        Handle.__init__(second)
        library.call(function, self, share, seed, ctypes.byref(first._pointer), ctypes.byref(second._pointer))
        return self._with_our_names(first), self._with_our_names(second)

    def write(self, path: Any) -> None:
        """Rows, names and weights as a mapped file, which `Data(path)` opens without reading it into memory."""
        library.call("data_write", self, path)

    @staticmethod
    def convert(path: Any, out_path: Any, format: Optional[str] = None, names: Any = None) -> None:
        """Converts a file of any format to a mapped file, row by row: it may be larger than memory.

        `names` are names of the columns, which replace those in the file.
        """
        given = [] if names is None else list(names)
        library.call("data_convert", path, format or None, texts(given, "names") if given else None, len(given),
                     out_path)

    def verify(self) -> None:
        """Compares a mapped file with its checksum."""
        library.call("data_verify", self)

    def close(self) -> None:
        """Frees the data now, or when a call that uses it has returned. Objects that still use it keep it alive."""
        self._close()

    def __reduce__(self) -> Any:
        raise TypeError("data cannot be pickled; write it to a file, which Data(path) opens")


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


def column_names(function: str, owner: Handle, count: int) -> List[str]:
    """The names of all columns; empty if there are none."""
    if count == 0 or not library.text(function, owner, 0):
        return []
    names: List[str] = []
    out = ctypes.c_char_p()
    read, place = getattr(library, function), ctypes.byref(out)
    with owner._kept() as kept:
        for column in range(count):  # without the checks of `library.text`, which take ten times as long
            status = read(kept._pointer, column, place)
            if status != _header.OK:
                raise library.failure(status)
            names.append((out.value or b"").decode())
    return names
