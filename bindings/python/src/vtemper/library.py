"""Finding and opening the C library.

In this order: the file that the environment variable VTEMPER_LIBRARY names, what the loader finds, the folder given by
pkg-config.
"""
import ctypes
import os
import shutil
import subprocess
from typing import Any, List, Optional, Tuple

from . import _header
from .arguments import for_c
from .errors import exception_of

SONAME = "libvtemper.so.0"


def _version_text(number: int) -> str:
    return "%d.%d.%d" % (number // 1000000, number // 1000 % 1000, number % 1000)


def _versions_fit(ours: int, theirs: int) -> bool:
    """The same major number (below 1.0 the same minor number), and the library is not older."""
    def series(version: int) -> Tuple[int, int]:
        return version // 1000000, version // 1000 % 1000 if version < 1000000 else 0
    return series(ours) == series(theirs) and theirs >= ours


def _told_by_pkg_config() -> Optional[str]:
    program = os.environ.get("PKG_CONFIG") or shutil.which("pkg-config")
    if not program:
        return None
    told = subprocess.run([program, "--variable=libdir", "vtemper"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          universal_newlines=True, errors="surrogateescape", check=False)
    folder = told.stdout.strip()
    path = os.path.join(folder, SONAME)
    return path if folder and os.path.exists(path) else None


def _opened() -> Tuple[Any, str]:
    named = os.environ.get("VTEMPER_LIBRARY")
    try:
        return ctypes.CDLL(named or SONAME), named or SONAME
    except OSError as failure:
        found = None if named else _told_by_pkg_config()
        if found:
            return ctypes.CDLL(found), found
        raise ImportError(
            "the library %s cannot be loaded (%s): install vtemper and run ldconfig, or let the environment variable "
            "VTEMPER_LIBRARY name the file of the library" % (named or SONAME, failure)) from None


def _checked(library: Any, path: str) -> None:
    try:
        theirs = library.vtemper_version_number()
    except AttributeError:
        raise ImportError("%s is not the library vtemper" % path) from None
    if not _versions_fit(_header.VERSION_NUMBER, theirs):
        raise ImportError("this package was made for version %s of the library vtemper, but %s is version %s: install the "
                          "matching one" % (_version_text(_header.VERSION_NUMBER), path, _version_text(theirs)))


class Library:
    """The functions of the C interface under their names without `vtemper_`.

    They are called without the GIL. `call` turns a status that is not OK into an exception.
    """

    def __init__(self) -> None:
        self._opened, self.path = _opened()
        _checked(self._opened, self.path)
        for name, (result, arguments) in _header.FUNCTIONS.items():
            function = getattr(self._opened, "vtemper_" + name)
            function.restype, function.argtypes = result, list(arguments.values())
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:  # for type checkers: the functions are set above
        raise AttributeError(name)

    def result(self, function: str, *arguments: Any) -> Any:
        """What a function returns. The handles among its arguments last until then, whatever closes them meanwhile."""
        owners: List[Any] = []
        try:
            # Not by ctypes: within the call, it would replace the exception of a refused argument by one of its own.
            return getattr(self, function)(*for_c(_header.FUNCTIONS[function][1], arguments, owners))
        finally:
            owners.clear()  # the traceback of an exception keeps the list

    def call(self, function: str, *arguments: Any) -> None:
        """Calls a function that returns a status; one other than OK is raised."""
        status = self.result(function, *arguments)
        if status != _header.OK:
            raise self.failure(status)

    def failure(self, status: int) -> BaseException:
        """The exception for a status. To be called at once: the message is that of the thread's last failure."""
        return exception_of(status, self.status_name(status).decode(), message_text(self.last_error()))

    def number(self, function: str, *arguments: Any, of: Any = ctypes.c_int64) -> Any:
        """The number that a function writes through its last argument."""
        out = of()
        self.call(function, *arguments, ctypes.byref(out))
        return out.value

    def text(self, function: str, owner: Any, *arguments: Any) -> str:
        """The text of a handle that a function gives out through its last argument, copied."""
        with owner._kept() as kept:  # the text belongs to the handle
            out: bytes = self.number(function, kept, *arguments, of=ctypes.c_char_p)
        return out.decode()


def message_text(message: bytes) -> str:
    """A message of the library, which may name a path that is not UTF-8."""
    return message.decode(errors="backslashreplace")


library = Library()


def build_info() -> str:
    """The library's description of itself: version, instruction sets, threads, compiler; and its file.

    Examples
    --------
    >>> import vtemper
    >>> vtemper.build_info().startswith("vtemper ")
    True
    """
    return "%s; %s" % (library.build_info().decode(), library.path)


def kinds() -> List[str]:
    """The names of the library's kinds of models.

    Examples
    --------
    >>> import vtemper
    >>> "lda" in vtemper.kinds()
    True
    """
    return [library.model_kind_name(index).decode() for index in range(library.model_kind_count())]
