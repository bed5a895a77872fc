"""Arrays of NumPy as arguments: what a conversion would silently change is refused with the argument's name."""
from typing import Any

import numpy as np

from .errors import ArgumentError, DataError

_LARGEST = 2**63 - 1
_masked: Any = np.ma  # which has no type hints


def as_array(values: Any) -> Any:
    """An array of the values, with its mask if it has one."""
    if _masked.isMaskedArray(values):
        return values
    if isinstance(values, (list, tuple)) and any(map(_masked.isMaskedArray, values)):
        return _masked.array(values)
    try:
        return np.asarray(values)
    except ValueError:
        raise _ragged(values) from None


def _ragged(values: Any) -> Exception:
    """What to say of a list that is no array."""
    sizes = [len(row) if hasattr(row, "__len__") else 1 for row in values]
    other = next((row for row, size in enumerate(sizes) if size != sizes[0]), None)
    if other is None:
        return DataError("the rows cannot be taken as an array: their elements differ in shape")
    return DataError("the rows differ in length: row 0 has %d, row %d has %d" % (sizes[0], other, sizes[other]))


def unmasked(values: Any, name: str) -> Any:
    """The array without a mask; masked values are refused."""
    if _masked.is_masked(values):
        place = ", ".join(map(str, np.argwhere(_masked.getmaskarray(values))[0]))
        raise DataError("%s%s is masked; only dense data can have missing values" % (name, place and "[%s]" % place))
    return np.asarray(values)


def missing_as_nan(values: Any) -> Any:
    """The array with NaN for masked values."""
    if not _masked.is_masked(values):
        return np.asarray(values)
    return (values if values.dtype.kind in "fO" else values.astype(np.float64)).filled(np.nan)


def numbers_of_objects(values: Any, names: Any = None) -> Any:
    """A table of objects as reals; pandas' NA is NaN. What is no number is refused with its place and the column's name."""
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(values.shape)
    for (row, column), value in np.ndenumerate(values):
        try:
            numbers[row, column] = np.nan if type(value).__name__ == "NAType" else value
        except (TypeError, ValueError) as failure:
            named = " (%s)" % names[column] if names else ""
            refusal = TypeError if isinstance(failure, TypeError) else DataError
            raise refusal("row %d, column %d%s: %s" % (row, column, named, failure)) from None
    return numbers


def frame_values(frame: Any) -> Any:
    """The numbers of a frame of pandas, those of its nullable columns, too: whole numbers stay whole, missing ones are NaN."""
    values = frame.to_numpy()
    if values.dtype.kind != "O":
        return values
    missing = frame.isna().to_numpy()
    if missing.any():
        return np.where(missing, np.nan, values)
    elements = {getattr(dtype, "numpy_dtype", dtype) for dtype in frame.dtypes}
    whole_columns = all(getattr(dtype, "kind", "O") in "iub" for dtype in elements)
    return values.astype(np.result_type(*elements)) if elements and whole_columns else values


def reals(values: Any, name: str) -> Any:
    """Real numbers of 64 bits, one after the other."""
    given = unmasked(as_array(values), name)
    if given.dtype.kind not in "iubfO":
        raise ArgumentError("%s must be real numbers, not of dtype %s" % (name, given.dtype))
    try:
        return np.asarray(given, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise TypeError("%s must be real numbers, not a %s" % (name, type(values).__name__)) from None


def signed(values: Any, name: str) -> Any:
    """Whole numbers in 64 bits with a sign."""
    if values.dtype.kind == "u" and values.size and int(values.max()) > _LARGEST:
        raise DataError("%s holds %d; whole numbers must be at most %d" % (name, values.max(), _LARGEST))
    return values.astype(np.int64)


def whole(values: Any, name: str, refusal: str) -> Any:
    """Numbers that are whole, of any type, as whole numbers; others are refused with the sentence `refusal`."""
    given = unmasked(values, name)
    if given.dtype.kind in "iub":
        return given
    if given.dtype.kind in "fO":
        try:
            with np.errstate(invalid="ignore"):
                numbers = given.astype(np.int64)
            if np.array_equal(numbers, given):
                return numbers
        except (TypeError, ValueError, OverflowError):
            pass
    raise DataError(refusal)
