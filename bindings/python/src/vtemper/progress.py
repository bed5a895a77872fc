"""The progress of a run: a bar of tqdm if that is installed, otherwise a line."""
import math
import sys
import time
from typing import Any, Optional

from .watch import Monitor, Report


def _bar_of_tqdm() -> Any:
    try:
        from tqdm import auto
    except ImportError:
        return None
    return auto.tqdm


_bar = _bar_of_tqdm()


def _numbers(report: Report) -> str:
    text = "temperature %.3g" % report.temperature
    return text if math.isnan(report.objective) else text + ", objective %.6g" % report.objective


class Progress:
    """A monitor that shows how far the run is; ends its line when it is closed."""

    def __init__(self, steps: Optional[float], monitor: Optional[Monitor] = None) -> None:
        self._steps = int(steps) if steps and steps > 0 else None
        self._monitor = monitor
        self._bar: Any = _bar(total=self._steps, unit="step", leave=True) if _bar else None
        self._last = 0.0
        self._shown = False

    def __call__(self, report: Report) -> Any:
        self._show(report)
        return self._monitor(report) if self._monitor else None

    def _show(self, report: Report) -> None:
        if self._bar is not None:
            self._bar.update(report.iteration - self._bar.n)
            self._bar.set_postfix_str(_numbers(report))
        elif time.monotonic() - self._last > 0.2:
            self._last, self._shown = time.monotonic(), True
            of = "/%d" % self._steps if self._steps else ""
            sys.stderr.write("\rstep %d%s, %.2f passes, %s   " % (report.iteration, of, report.passes, _numbers(report)))
            sys.stderr.flush()

    def close(self, report: Report) -> None:
        """The last word."""
        self._last = 0.0
        self._show(report)
        if self._bar is not None:
            self._bar.close()
        elif self._shown:
            sys.stderr.write("\n")
