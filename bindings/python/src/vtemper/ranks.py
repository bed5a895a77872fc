"""Fits that many processes share: groups of ranks under mpirun, by the library libvtemper-mpi."""
import ctypes
import operator
import os
from typing import Any, Dict, Optional

from . import _header
from .arguments import for_c
from .data import Data
from .errors import exception_of
from .handles import Handle
from .library import library, message_text

SONAME = "libvtemper-mpi.so.0"
_FUNCTIONS: Dict[str, Dict[str, Any]] = {
    "world": {"comm": ctypes.c_void_p}, "group_f": {"comm": ctypes.c_int32, "group": ctypes.c_void_p},
    "read_f": {"path": ctypes.c_char_p, "format": ctypes.c_char_p, "comm": ctypes.c_int32, "data": ctypes.c_void_p}}


class _Library:
    """libvtemper-mpi, opened when it is first needed: the file that the environment variable VTEMPER_MPI_LIBRARY names,
    the one beside libvtemper, or what the loader finds."""

    def __init__(self) -> None:
        self._opened: Any = None

    def _open(self) -> Any:
        named = os.environ.get("VTEMPER_MPI_LIBRARY")
        beside = os.path.join(os.path.dirname(library.path), SONAME)
        path = named or (beside if os.path.isfile(beside) else SONAME)
        try:
            opened = ctypes.CDLL(path)
        except OSError as failure:
            raise ImportError(
                "the library %s cannot be loaded (%s): install it (Debian: libvtemper-mpi0), or let the environment "
                "variable VTEMPER_MPI_LIBRARY name its file" % (path, failure)) from None
        opened.vtemper_mpi_last_error.restype = ctypes.c_char_p
        for name, arguments in _FUNCTIONS.items():
            getattr(opened, "vtemper_mpi_" + name).argtypes = list(arguments.values())
        return opened

    def call(self, function: str, *arguments: Any) -> None:
        """Calls a function that gives a status; one that is not OK is raised."""
        if self._opened is None:
            self._opened = self._open()
        status = getattr(self._opened, "vtemper_mpi_" + function)(*for_c(_FUNCTIONS[function], arguments, []))
        if status != _header.OK:
            raise exception_of(status, library.status_name(status).decode(), message_text(self._opened.vtemper_mpi_last_error()))


_mpi = _Library()


class Group(Handle):
    """The processes (ranks) started by mpirun, which fit one model together.

    All of them run the same script; calls on data that are spread over the group wait for each other.

    Parameters
    ----------
    comm : communicator of mpi4py or int, optional
        Which ranks: a communicator, or its Fortran handle (`comm.py2f()`). By default all, and mpi4py is not needed:
        the library initialises MPI if nothing has, and finalises it at the end of the process. A process that ends with an exception
        ends all ranks.

    Attributes
    ----------
    rank, ranks : int
        The number of this process, from 0, and the number of processes.

    Examples
    --------
    A script for `mpirun -n 4 python3 script.py`::

        import vtemper
        group = vtemper.Group()
        corpus = group.read("corpus.vtemper")        # each rank reads its share
        model = vtemper.LDA(100, random_state=1).fit(corpus)
        if group.rank == 0:
            model.save("model.vtemper")
    """

    _type = "group"

    def __init__(self, comm: Any = None) -> None:
        super().__init__()
        world = ctypes.c_int32()
        if comm is None:
            _mpi.call("world", ctypes.byref(world))
            comm = world.value
        self._comm = comm.py2f() if hasattr(comm, "py2f") else operator.index(comm)
        _mpi.call("group_f", self._comm, ctypes.byref(self._pointer))
        rank, ranks = ctypes.c_int32(), ctypes.c_int32()
        library.call("group_rank", self, ctypes.byref(rank), ctypes.byref(ranks))
        self.rank, self.ranks = rank.value, ranks.value

    def __repr__(self) -> str:
        return "Group(rank %d of %d)" % (self.rank, self.ranks)

    def spread(self, X: Any, form: Optional[str] = None, **keywords: Any) -> Data:
        """Data to which each rank contributes its own rows: those of rank 0 come first, then those of rank 1, and so on. All ranks call it. `X`,
        `form` and further arguments as for `Data`; all ranks need the same columns."""
        own = X if isinstance(X, Data) else Data(X, form, **keywords)
        return Data._made("data_spread", own, self)

    def read(self, path: Any, format: Optional[str] = None) -> Data:
        """A corpus in a file that all ranks can read, of which each keeps its share of the rows. Of a file written by `Data.write`
        only that share is read. With "%r" in the path, which stands for the rank, each rank has a file of its own. All ranks call it."""
        data = Data.__new__(Data)
        Handle.__init__(data)
        data._fractions = False
        _mpi.call("read_f", path, format or None, self._comm, ctypes.byref(data._pointer))
        return data
