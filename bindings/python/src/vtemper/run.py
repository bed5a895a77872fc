"""Runs: the optimizer of a model, stepped, watched, fed and saved."""
from typing import Any, Dict, List, Optional

from . import _header
from .arguments import content_bytes
from .data import Data
from .handles import Handle
from .library import library
from .model import Model, QuantityInfo, buffered, filled, found, quantities
from .options import option_set, used_options, values_in_use
from .watch import Monitor, Report, Watch, new_report, relay, watched

import ctypes


class Run(Handle):
    """A run of a model on data, or on rows that are fed.

    Parameters
    ----------
    model : Model
    data : Data, optional
        None where rows are fed.
    **options
        Options of the subject "optimizer", see `describe`; None stands for the default.

    Examples
    --------
    >>> import numpy as np, vtemper
    >>> model = vtemper.Model("lda", topics=2)
    >>> run = vtemper.Run(model, vtemper.Data(np.eye(4, dtype=int)), method="vi", seed=1)
    >>> run.step(3).iteration
    3
    """

    _type = "optimizer"
    was_fed = False   # whether rows were fed
    told_hot = False  # whether a warning said that its model is hot

    def __init__(self, model: Model, data: Optional[Data] = None, **options: Any) -> None:
        super().__init__()
        library.call("optimizer_create", model, data, option_set(options), ctypes.byref(self._pointer))

    def run(self, monitor: Optional[Monitor] = None) -> Report:
        """Steps until the run ends, `monitor` returns True, or Ctrl-C is pressed."""
        return self._long("optimizer_run", monitor)

    def step(self, steps: int = 1, monitor: Optional[Monitor] = None) -> Report:
        """Takes a number of steps, also beyond the end of the run."""
        return self._long("optimizer_step", monitor, steps)

    def feed(self, batch: Data, monitor: Optional[Monitor] = None) -> Report:
        """One step on the given rows."""
        self.was_fed = True
        return self._long("optimizer_feed", monitor, batch)

    def _long(self, function: str, monitor: Optional[Monitor], *arguments: Any) -> Report:
        if monitor is not None and not callable(monitor):
            raise TypeError("argument monitor is a %s; it must be a function of a report" % type(monitor).__name__)
        watch, report = Watch(monitor), new_report()
        try:
            with self._kept() as kept:  # the monitor may close this one
                watched(watch, lambda: self._steps(kept, watch, function, *arguments, ctypes.byref(report)))
        finally:
            relay(watch.messages)
        return report

    @staticmethod
    def _steps(run: Handle, watch: Watch, function: str, *arguments: Any) -> None:
        library.call("optimizer_set_monitor", run, watch.on_report, None)
        library.call("optimizer_set_messages", run, watch.on_message, None)
        try:
            status = library.result(function, run, *arguments)
            if status != _header.OK and not (status == _header.CANCELLED and watch.stopped and watch.failure is None):
                raise library.failure(status)
        finally:
            library.result("optimizer_set_monitor", run, None, None)
            library.result("optimizer_set_messages", run, None, None)

    def report(self) -> Report:
        """The report of the last complete step."""
        report = new_report()
        library.call("optimizer_report", self, ctypes.byref(report))
        return report

    @property
    def model(self) -> Model:
        """The model that is fitted, the same one."""
        return Model._made("optimizer_model", self)

    @property
    def options(self) -> Dict[str, str]:
        """The options as set, as text; "auto" where they follow from something else."""
        return used_options(self, "optimizer_option", "optimizer")

    @property
    def used_options(self) -> Dict[str, str]:
        """The values in use: for options that are "auto" what the run chose. A run with all of them repeats this one."""
        return values_in_use(self, "optimizer_used_options", "optimizer")

    @property
    def quantities(self) -> List[QuantityInfo]:
        """The arrays of the run: traces and the state of its parts."""
        return quantities(self, "optimizer_quantity")

    def get(self, name: str) -> Any:
        """One of `quantities`."""
        return self._filled(found(self.quantities, name, "quantity"))

    def _filled(self, info: QuantityInfo) -> Any:
        return filled(info.shape, info.name,
                      lambda place, length: library.call("optimizer_get", self, info.name, place, length))

    def trace(self) -> Dict[str, Any]:
        """The course of the run, arrays by name: iteration, passes, temperature, objective and others."""
        prefix = "trace."
        return {info.name[len(prefix):]: self._filled(info) for info in self.quantities if info.name.startswith(prefix)}

    def save(self, path: Any) -> None:
        """A checkpoint of run and model; the data is not included."""
        library.call("optimizer_save", self, path)

    @classmethod
    def load(cls, path: Any, data: Optional[Data] = None) -> "Run":
        """The run of a checkpoint, on the same data, or without data where rows are fed. It continues bit for bit."""
        return cls._made("optimizer_load", path, data)

    def to_bytes(self) -> bytes:
        """The bytes of the checkpoint."""
        return buffered("optimizer_save_buffer", self)

    @classmethod
    def from_bytes(cls, content: Any, data: Optional[Data] = None) -> "Run":
        """The run of these bytes, or of another bytes-like object."""
        content = content_bytes(content)
        return cls._made("optimizer_load_buffer", content, len(content), data)

    def __reduce__(self) -> Any:
        raise TypeError("a run cannot be pickled without its data; use to_bytes and from_bytes")

    def __repr__(self) -> str:
        if not self._pointer.value:
            return "Run(closed)"
        last = self.report()
        return "Run(%d steps, %.2f passes, temperature %.4g%s)" % (
            last.iteration, last.passes, last.temperature,
            ", converged" if last.converged else ", finished" if last.finished else "")

    def close(self) -> None:
        """Frees the run now, or when a call that uses it has returned; one in progress goes on to its end."""
        self._close()
