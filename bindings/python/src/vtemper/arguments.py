"""Python's values as arguments of C functions: texts, paths, whole numbers and handles, checked before C sees them.

ctypes would cut a text at its first NUL character and a number to its lowest bits, and would hand over a closed handle.
"""
import ctypes
import operator
import os
from typing import Any, Callable, Dict, List

from .errors import ArgumentError


def text_bytes(value: Any, name: str) -> bytes:
    """The bytes of a text."""
    if not isinstance(value, (str, bytes)):
        raise TypeError("argument %s is a %s; it must be a text" % (name, type(value).__name__))
    try:
        return _whole(value if isinstance(value, bytes) else value.encode(), name)
    except UnicodeEncodeError:
        raise ArgumentError("argument %s contains %r, which is no text in UTF-8" % (name, value)) from None


def path_bytes(value: Any, name: str) -> bytes:
    """The bytes of a path, which need not be UTF-8."""
    return _whole(os.fsencode(value), name)


def content_bytes(value: Any) -> bytes:
    """The bytes of a bytes-like object."""
    return value if isinstance(value, bytes) else memoryview(value).tobytes()


def _whole(content: bytes, name: str) -> bytes:
    if b"\0" in content:
        raise ArgumentError("argument %s contains a NUL character, where C would take it to end" % name)
    return content


def real(value: Any, name: str) -> float:
    """A real number."""
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise TypeError("argument %s is a %s; it must be a number" % (name, type(value).__name__))


def whole_number(value: Any, name: str) -> int:
    """A whole number of any size."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError("argument %s is a %s; it must be a whole number" % (name, type(value).__name__)) from None


def within(low: int, high: int) -> Callable[[Any, str], int]:
    """A function of a value and its name that gives a whole number of this range."""
    def checked(value: Any, name: str) -> int:
        number = whole_number(value, name)
        if not low <= number <= high:
            raise ArgumentError("argument %s is %d; it must lie between %d and %d" % (name, number, low, high))
        return number
    return checked


_PATHS = ("path", "out_path")
_NUMBERS: Dict[Any, Callable[[Any, str], int]] = {
    ctypes.c_int: within(-2**31, 2**31 - 1), ctypes.c_int32: within(-2**31, 2**31 - 1),
    ctypes.c_int64: within(-2**63, 2**63 - 1), ctypes.c_uint64: within(0, 2**64 - 1)}


def _address(value: Any, owners: List[Any]) -> Any:
    """The address that a handle holds, noting its owner; anything else unchanged."""
    owner = getattr(value, "_owner", None)
    if owner is None:
        return value
    owners.append(owner)
    if not owner.pointer.value:
        raise ValueError("this %s holds nothing: it was closed" % type(value).__name__)
    return owner.pointer.value


def for_c(parameters: Dict[str, Any], values: Any, owners: List[Any]) -> List[Any]:
    """The values for the parameters of a function, given by name and type. `owners` receives what keeps the handles alive."""
    assert len(parameters) == len(values)
    converted = []
    for (name, kind), value in zip(parameters.items(), values):
        if kind is ctypes.c_void_p:
            value = _address(value, owners)
        elif kind is ctypes.c_char_p:
            value = path_bytes(value, name) if name in _PATHS else None if value is None else text_bytes(value, name)
        elif kind in _NUMBERS:
            value = _NUMBERS[kind](value, name)
        elif kind is ctypes.c_double:
            value = real(value, name)
        converted.append(value)
    return converted
