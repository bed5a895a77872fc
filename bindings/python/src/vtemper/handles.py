"""Handles of the library as objects that give them back."""
import ctypes
import weakref
from typing import Any, Callable, List, TypeVar

from ._header import FUNCTIONS
from .library import library

_Handled = TypeVar("_Handled", bound="Handle")


def _destroyed(destroy: Callable[[Any], None], pointer: ctypes.c_void_p) -> None:
    address, pointer.value = pointer.value, None
    if address:
        destroy(address)


class Handle:
    """An object of the library, destroyed with the last reference to it.

    The place that receives the handle is watched before the library writes it, so that nothing is lost where Ctrl-C
    comes in between. What a handle uses it keeps alive by itself.
    """

    _type = ""

    def __init__(self) -> None:
        self._pointer = ctypes.c_void_p()
        finalizer = weakref.finalize(self, _destroyed, getattr(library, self._type + "_destroy"), self._pointer)
        finalizer.atexit = False

    @property
    def _as_parameter_(self) -> int:
        if not self._pointer.value:
            raise ValueError("this %s holds nothing: it was closed" % type(self).__name__)
        return self._pointer.value

    @classmethod
    def _made(cls: "type[_Handled]", function: str, *arguments: Any) -> _Handled:
        """What a function makes whose last argument receives the handle."""
        made = cls.__new__(cls)
        Handle.__init__(made)
        library.call(function, *arguments, ctypes.byref(made._pointer))
        return made

    def _close(self) -> None:
        _destroyed(getattr(library, self._type + "_destroy"), self._pointer)


def address(values: Any) -> int:
    """Where the elements of a NumPy array begin."""
    place: int = values.ctypes.data
    return place


def texts(names: Any) -> Any:
    """A C array of texts."""
    encoded: List[bytes] = [str(name).encode() for name in names]
    return (ctypes.c_char_p * max(len(encoded), 1))(*encoded)


assert all(name + "_destroy" in FUNCTIONS for name in ("data", "options", "model", "optimizer"))
