"""Lists of words and symbols as arrays of numbers."""
from typing import Any, List, Optional, Tuple

import numpy as np
import scipy.sparse

from .arrays import as_array, signed, whole
from .errors import DataError


def counted(number: float, what: str, several: str = "") -> str:
    """1 token, 2 tokens."""
    return "%s %s" % ("%d" % number if number == int(number) else "%g" % number, what if number == 1 else several or what + "s")


def listed(X: Any) -> Any:
    """The list of documents or sequences that a Series of pandas or an array of objects holds; anything else unchanged.

    Those that are Series themselves, such as the groups of a frame, are lists, too.
    """
    if isinstance(X, (list, tuple)):
        return [row.tolist() if _is_series(row) else row for row in X] if any(map(_is_series, X)) else X
    series = _is_series(X)
    if not series and not isinstance(X, np.ndarray) or getattr(X.dtype, "kind", "O") != "O" or X.ndim not in (1, 2):
        return X
    rows = [row.tolist() if _is_series(row) else row for row in X]
    if X.ndim == 2:  # what NumPy makes of lists that are equally long
        return X.tolist() if any(isinstance(word, str) for row in rows for word in row[:1]) else X
    return rows if any(isinstance(row, (str, list, tuple, np.ndarray)) for row in rows) else X


def _is_series(X: Any) -> bool:
    return hasattr(X, "iloc") and not hasattr(X, "columns")


def check_rows(rows: Any) -> None:
    """Refuses a list of rows in which one is missing or no row, by its position from 0."""
    of_rows = [hasattr(row, "__len__") for row in rows]
    missing = [row is None for row in rows]
    if rows and (all(missing) or any(of_rows) and not all(of_rows)):
        place = missing.index(True) if any(missing) else of_rows.index(False)
        raise DataError("row %d is %r, not a list; rows that are missing must be left out" % (place, rows[place]))


def counted_tokens(documents: Any, names: Any = None) -> Tuple[Any, List[str]]:
    """Documents as lists of words: their counts, documents x words, and the vocabulary.

    Words outside `names`, if given, are left out.
    """
    for index, document in enumerate(documents):
        if isinstance(document, str):
            raise DataError("document %d is a string: give it as a list of words, such as text.lower().split()" % index)
        if hasattr(document, "keys"):
            raise DataError("document %d is a %s, whose numbers would be lost: give it as a list of words" % (index, type(document).__name__))
        others = [word for word in document if not isinstance(word, str)]
        if others:
            raise DataError("document %d holds %r, which is no word: tokens must be texts" % (index, others[0]))
    vocabulary = sorted({str(word) for document in documents for word in document}) if names is None else list(names)
    place = {word: column for column, word in enumerate(vocabulary)}
    indices: List[int] = []
    offsets = [0]
    for document in documents:
        indices.extend(place[str(word)] for word in document if str(word) in place)
        offsets.append(len(indices))
    ones = np.ones(len(indices), dtype=np.int32)
    X = scipy.sparse.csr_matrix((ones, np.array(indices, dtype=np.int32), offsets), shape=(len(documents), len(vocabulary)))
    X.sum_duplicates()
    return X, vocabulary


def numbered_symbols(sequences: Any, names: Any = None) -> Tuple[Any, Any, Optional[List[str]]]:
    """Concatenated sequences of symbols, with offsets; symbols that are words are numbered by `names`."""
    for index, row in enumerate(sequences):
        if isinstance(row, (str, bytes)) or hasattr(row, "keys"):
            raise DataError("sequence %d is a %s: give it as a list of symbols, such as text.split()" % (index, type(row).__name__))
    rows = [list(row) for row in sequences]
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    flat = [symbol for row in rows for symbol in row]
    if not any(isinstance(symbol, str) for symbol in flat):
        missing = [place for place, symbol in enumerate(flat) if symbol is None or type(symbol).__name__ == "NAType"]
        if missing:
            raise DataError("%s is %r; symbols cannot be missing" % (_place(missing[0], offsets), flat[missing[0]]))
        return _numbers(as_array(flat) if flat else np.zeros(0, dtype=np.int64)), offsets, None
    others = [place for place, symbol in enumerate(flat) if not isinstance(symbol, str)]
    if others:
        raise DataError("the symbols are words, but one is %r: all must be texts, or all numbers (%s)"
                        % (flat[others[0]], _place(others[0], offsets)))
    alphabet = sorted(set(map(str, flat))) if names is None else [str(name) for name in names]
    place = {symbol: number for number, symbol in enumerate(alphabet)}
    unknown = [symbol for symbol in flat if symbol not in place]
    if unknown:
        raise DataError("the symbol %r is not in the alphabet" % (unknown[0],))
    return np.array([place[symbol] for symbol in flat], dtype=np.int32), offsets, alphabet


def _place(place: int, offsets: Any) -> str:
    """A place among all symbols in words."""
    row = int(np.searchsorted(offsets, place, "right")) - 1
    return "row %d, position %d" % (row, place - offsets[row])


def _numbers(symbols: Any) -> Any:
    return whole(symbols, "symbols", "symbols must be whole numbers from 0, or words")


def whole_symbols(X: Any, lengths: Any) -> Tuple[Any, Any]:
    """Symbols of concatenated sequences, as hmmlearn takes them, with offsets."""
    refusal = "symbols with lengths must be one column of whole numbers from 0; sequences in a list need no lengths"
    try:
        symbols = as_array(X)
    except ValueError:  # rows of different lengths
        raise DataError(refusal) from None
    if symbols.dtype.kind in "USO" and any(isinstance(symbol, str) for symbol in symbols.flat):
        raise DataError(refusal)
    if symbols.ndim == 2 and symbols.shape[1] == 1:
        symbols = symbols[:, 0]
    if symbols.ndim != 1:
        raise DataError("symbols with lengths must be one column, not of shape %s" % (symbols.shape,))
    lengths = signed(whole(as_array(lengths), "lengths", "lengths must be whole numbers"), "lengths").reshape(-1)
    if lengths.size and lengths.min() < 0 or lengths.sum() != symbols.size:
        raise DataError("the lengths sum to %d, but there are %d symbols" % (lengths.sum(), symbols.size))
    return _numbers(symbols), np.concatenate([[0], np.cumsum(lengths)])
