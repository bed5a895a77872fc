"""Lists of words and symbols as arrays of numbers."""
from typing import Any, List, Optional, Tuple

import numpy as np
import scipy.sparse

from .errors import DataError


def counted_tokens(documents: Any, names: Any = None) -> Tuple[Any, List[str]]:
    """Documents as lists of words: their counts, documents x words, and the vocabulary.

    Words outside `names`, if given, are left out.
    """
    for index, document in enumerate(documents):
        if isinstance(document, str):
            raise DataError("document %d is a string: give it as a list of words, such as text.lower().split()" % index)
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
    rows = [list(row) for row in sequences]
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    flat = [symbol for row in rows for symbol in row]
    if not any(isinstance(symbol, str) for symbol in flat):
        return whole(np.asarray(flat if flat else [], dtype=None if flat else np.int64)), offsets, None
    alphabet = sorted(set(map(str, flat))) if names is None else [str(name) for name in names]
    place = {symbol: number for number, symbol in enumerate(alphabet)}
    unknown = [symbol for symbol in flat if symbol not in place]
    if unknown:
        raise DataError("the symbol %r is not in the alphabet" % (unknown[0],))
    return np.array([place[symbol] for symbol in flat], dtype=np.int32), offsets, alphabet


def whole(symbols: Any) -> Any:
    """Symbols as whole numbers."""
    if symbols.dtype.kind in "iub":
        return symbols
    try:
        with np.errstate(invalid="ignore"):
            numbers = symbols.astype(np.int64)
        if np.array_equal(numbers, symbols):
            return numbers
    except (TypeError, ValueError):
        pass
    raise DataError("symbols must be whole numbers from 0, or words")


def whole_symbols(X: Any, lengths: Any) -> Tuple[Any, Any]:
    """Symbols of concatenated sequences, as hmmlearn takes them, with offsets."""
    symbols = np.asarray(X)
    if symbols.ndim == 2 and symbols.shape[1] == 1:
        symbols = symbols[:, 0]
    if symbols.ndim != 1:
        raise DataError("symbols with lengths must be one column, not of shape %s" % (symbols.shape,))
    lengths = np.asarray(lengths, dtype=np.int64).reshape(-1)
    if lengths.size and lengths.min() < 0 or lengths.sum() != symbols.size:
        raise DataError("the lengths sum to %d, but there are %d symbols" % (lengths.sum(), symbols.size))
    return whole(symbols), np.concatenate([[0], np.cumsum(lengths)])
