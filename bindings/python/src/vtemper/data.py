"""Data: its contents, and data made from other data."""
import ctypes
import os
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from . import _header
from .arrays import as_array, reals, signed, unmasked
from .errors import ArgumentError
from .handles import Handle, address, texts
from .library import library
from .making import CONTENT, FORMS, Made
from .watch import logger
from .words import counted


class Data(Made):
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

    def __init__(self, X: Any, form: Optional[str] = None, *, observations: str = "rows", names: Any = None,
                 weights: Any = None, format: Optional[str] = None, alphabet: Optional[int] = None,
                 lengths: Any = None, fractions: bool = False) -> None:
        self._fractions = fractions
        super().__init__()
        if isinstance(X, Data):
            raise ArgumentError("X is Data already")
        if observations not in ("rows", "columns"):
            raise ValueError("observations is %r; valid values are 'rows' and 'columns'" % (observations,))
        if form is not None and form not in FORMS:
            raise ValueError("form is %r; valid values are %s" % (form, ", ".join(map(repr, FORMS))))
        if format and not isinstance(X, (str, bytes, os.PathLike)):
            raise ArgumentError("argument format is for files; X is a %s" % type(X).__name__)
        named = self._fill(X, form, observations == "columns", format, alphabet, names, lengths)
        if alphabet is not None and self.form != "sequences":
            raise ArgumentError("argument alphabet is for sequences; X holds %s" % CONTENT[self.form])
        names = named if names is None else names
        if names is not None:
            self.set_names(names)
        if weights is not None:
            self.set_weights(weights)

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
        """New data of the given rows (numbers from 0, or from -1 at the end, where repeats are allowed, a mask or a
        slice), copied."""
        if not isinstance(rows, slice):
            rows = unmasked(as_array(rows), "rows")
            if rows.dtype == object:  # such as the columns of pandas that may miss values
                rows = np.asarray(rows.tolist())
            if rows.dtype == bool and rows.ndim == 0:
                raise ArgumentError("rows is %s; a mask has a value for each row" % rows)
            if rows.size and rows.dtype.kind not in "iub":
                raise ArgumentError("rows must be whole numbers, a mask or a slice, not of dtype %s" % rows.dtype)
        places = np.arange(self.rows)[rows] if isinstance(rows, slice) or rows.dtype == bool else signed(rows, "rows")
        places = np.where((places < 0) & (places >= -self.rows), places + self.rows, places)
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
