"""Statuses of the library as exceptions."""
import re
from typing import Dict, Type

from . import _header


class VTemperError(Exception):
    """An error that the library reports. `status` is its name, such as "VTEMPER_ERROR_DATA"."""

    status = ""


class ArgumentError(VTemperError, ValueError):
    """An invalid argument."""


class OptionError(VTemperError, ValueError):
    """An option that is unknown, out of range or without effect."""


class DataError(VTemperError, ValueError):
    """Invalid data."""


class StateError(VTemperError, RuntimeError):
    """The call is not possible now."""


class OutOfMemoryError(VTemperError, MemoryError):
    """The library found no memory."""


class FileError(VTemperError, OSError):
    """A file could not be read or written."""


class FormatError(VTemperError, ValueError):
    """A file is truncated, damaged or not of this library."""


class NumericError(VTemperError, ArithmeticError):
    """A computation gave numbers that are not finite."""


class UnsupportedError(VTemperError, ValueError):
    """A combination that is not supported."""


class InternalError(VTemperError, RuntimeError):
    """A bug in the library."""


class PeerError(VTemperError, RuntimeError):
    """Another rank of the group failed."""


class Cancelled(VTemperError):
    """A long call was ended; the state is that after the last complete step."""


_CLASSES: Dict[int, Type[VTemperError]] = {
    _header.ERROR_ARGUMENT: ArgumentError, _header.ERROR_OPTION: OptionError, _header.ERROR_DATA: DataError,
    _header.ERROR_STATE: StateError, _header.ERROR_MEMORY: OutOfMemoryError, _header.ERROR_IO: FileError,
    _header.ERROR_FORMAT: FormatError, _header.ERROR_NUMERIC: NumericError,
    _header.ERROR_UNSUPPORTED: UnsupportedError, _header.ERROR_INTERNAL: InternalError,
    _header.ERROR_PEER: PeerError, _header.CANCELLED: Cancelled}


def _in_python(message: str) -> str:
    """The library's message without names of C functions, and with Python's names of what is not finite."""
    message = re.sub(r" \(see vtemper_data_\w+\)", "", message)
    message = message.replace("vtemper_data_align", "Data.align")
    message = re.sub(r"\bNULL\b", "None", message)
    return re.sub(r"\bnan\b", "NaN", message)


def exception_of(status: int, name: str, message: str) -> VTemperError:
    """The exception that a status stands for, with the library's message."""
    failure = _CLASSES.get(status, VTemperError)(_in_python(message))
    failure.status = name
    return failure
