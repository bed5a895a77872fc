"""Handles of the library as objects that give them back."""
import contextlib
import ctypes
import weakref
from typing import Any, Callable, Iterator, List, Optional, TypeVar

from ._header import FUNCTIONS
from .arguments import text_bytes
from .library import library

_Handled = TypeVar("_Handled", bound="Handle")


def _destroyed(destroy: Callable[[Any], None], pointer: ctypes.c_void_p) -> None:
    address, pointer.value = pointer.value, None
    if address:
        destroy(address)


class _Owner:
    """Owns what the library made: destroys it with the last reference to this.

    A handle refers to its owner until it is closed, and a call until it has returned: so a signal handler, a monitor or
    another thread may close a handle in use. There is no lock, which a signal handler or a forked process could find taken.

    The place that receives the handle is watched before the library writes it, so that nothing is lost where Ctrl-C
    comes in between. What a handle uses it keeps alive by itself.
    """

    def __init__(self, destroy: Optional[Callable[[Any], None]] = None) -> None:
        self.pointer = ctypes.c_void_p()
        if destroy is not None:
            weakref.finalize(self, _destroyed, destroy, self.pointer).atexit = False


_nothing = _Owner()


class Handle:
    """An object of the library, destroyed with the last reference to it, or when it is closed and no call uses it."""

    _type = ""

    def __init__(self) -> None:
        self._owner = _Owner(getattr(library, self._type + "_destroy"))

    @property
    def _pointer(self) -> ctypes.c_void_p:
        return self._owner.pointer

    @contextlib.contextmanager
    def _kept(self) -> "Iterator[Handle]":
        """The same under another handle, for several calls: closing this one meanwhile does not matter to them."""
        kept = Handle.__new__(type(self))
        kept._owner = self._owner
        try:
            yield kept
        finally:
            kept._close()

    @classmethod
    def _made(cls: "type[_Handled]", function: str, *arguments: Any) -> _Handled:
        """What a function makes whose last argument receives the handle."""
        made = cls.__new__(cls)
        Handle.__init__(made)
        library.call(function, *arguments, ctypes.byref(made._pointer))
        return made

    def _close(self) -> None:
        self._owner = _nothing


def address(values: Any) -> int:
    """Where the elements of a NumPy array begin."""
    place: int = values.ctypes.data
    return place


def texts(values: Any, name: str) -> Any:
    """A C array of texts, the argument of that name."""
    encoded: List[bytes] = [text_bytes(str(value), name) for value in values]
    return (ctypes.c_char_p * max(len(encoded), 1))(*encoded)


assert all(name + "_destroy" in FUNCTIONS for name in ("data", "options", "model", "optimizer"))
