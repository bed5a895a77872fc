"""Long calls: Ctrl-C, monitors, messages.

The library polls about every 0.05 seconds whether it should stop, and calls the monitor between two steps. Both let Python
run, which then executes pending signal handlers. An exception that is raised there is kept, the library is stopped, and the
exception is raised again after the library has returned: no exception passes through C.

The callbacks are generators that wait inside `try`: where a signal raises at the first instruction of a plain function,
no `except` of that function would see it.
"""
import ctypes
import logging
import threading
import warnings
from typing import Any, Callable, Generator, List, Optional, Tuple

from . import _header
from .library import library, message_text

logger = logging.getLogger("vtemper")

_INTERRUPT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_MONITOR = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_header.Report))  # `send` takes one argument: `user` is not read
_MESSAGE = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_char_p, ctypes.c_void_p)

_thread = threading.local()

Monitor = Callable[["Report"], Any]


class VTemperWarning(UserWarning):
    """A warning of the library, such as components that repeat others."""


class Report(_header.Report):
    """What a step reports: iteration, passes, temperature, objective and more. Numbers that do not exist are NaN.

    Reports with the same numbers are equal, also where these are NaN.
    """

    def __repr__(self) -> str:
        return "Report(%s)" % ", ".join("%s=%r" % (name, getattr(self, name)) for name, _ in self._fields_[1:])

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Report):
            return NotImplemented
        ours, theirs = self.as_dict(), other.as_dict()
        return all(theirs[name] == value or theirs[name] != theirs[name] and value != value for name, value in ours.items())  # NaN

    def __hash__(self) -> int:
        return hash((self.iteration, self.rows_seen))

    def __reduce__(self) -> Any:
        return Report.from_buffer_copy, (bytes(self),)

    def as_dict(self) -> "dict[str, Any]":
        """The report by names."""
        return {name: getattr(self, name) for name, _ in self._fields_[1:]}


def new_report() -> Report:
    """A report for the library to write."""
    return Report(struct_size=ctypes.sizeof(Report))


class Watch:
    """One long call under watch."""

    def __init__(self, monitor: Optional[Monitor] = None) -> None:
        self.monitor = monitor
        self.failure: Optional[BaseException] = None
        self.stopped = False
        self.messages: List[Tuple[int, str]] = []
        # Kept alive here, because the library has only their addresses.
        self.interrupt = _INTERRUPT(_waiting(self._asked).send)
        self.on_report = _MONITOR(_waiting(self._called).send)
        self.on_message = _MESSAGE(self._told)

    def _asked(self, _: Any) -> None:
        pass  # pending signal handlers have run on the way here

    def _called(self, report: Any) -> None:
        if self.monitor is not None and self.monitor(Report.from_buffer_copy(report.contents)) is True:
            self.stopped = True

    def _told(self, level: int, text: bytes, _: Any) -> None:
        try:
            self.messages.append((level, message_text(text)))
        except BaseException as failure:  # pylint: disable=broad-except
            self.failure = failure


def _keeping(watch: Watch, work: Callable[[Any], None]) -> Generator[int, Any, None]:
    answer = 0
    while True:
        try:
            while True:
                argument = yield answer
                work(argument)
                answer = 1 if watch.stopped or watch.failure is not None else 0
        except GeneratorExit:
            return
        except BaseException as failure:  # pylint: disable=broad-except
            watch.failure = failure
            answer = 1


def _waiting(work: Callable[[Any], None]) -> Generator[int, Any, None]:
    """The generator at its first `yield`: ready to be sent what the library says."""
    generator = _keeping(work.__self__, work)  # type: ignore[attr-defined]
    next(generator)
    return generator


def _ask(watch: Optional[Watch]) -> None:
    library.set_interrupt(watch.interrupt if watch else None, None)


def watched(watch: Watch, work: Callable[[], Any]) -> Any:
    """Does `work`, whose calls of the library take long; Ctrl-C ends them. A monitor may do such work, too."""
    outer = getattr(_thread, "watch", None)
    _thread.watch = watch
    try:
        _ask(watch)
        result = work()
    except _header_failures():
        if watch.failure is not None:
            raise watch.failure from None
        raise
    finally:
        _thread.watch = outer
        _ask(outer)
    if watch.failure is not None:
        raise watch.failure
    return result


def _header_failures() -> Any:
    from .errors import VTemperError
    return VTemperError


def interruptible(work: Callable[[], Any]) -> Any:
    """Does `work` without a monitor."""
    return watched(Watch(), work)


def relay(messages: List[Tuple[int, str]]) -> None:
    """Notes go to the log, warnings to Python's warnings."""
    for level, text in messages:
        if level > 1:
            warnings.warn(text, VTemperWarning, stacklevel=4)
        else:
            logger.info(text)
