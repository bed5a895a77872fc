"""Scores of held-out rows while a fit runs."""
from typing import Any, List, Optional

from .estimator import Estimator
from .watch import Monitor, Report


class HeldOut:
    """A monitor that scores held-out rows during a fit.

    Parameters
    ----------
    estimator : Estimator
        The estimator that is fitted with this monitor.
    X : what its `fit` accepts
    measure : str
        See `Estimator.evaluate`.
    every : float
        Passes between scores.
    monitor : callable, optional
        Another monitor to call.

    Attributes
    ----------
    passes, scores : list of float

    Examples
    --------
    >>> import numpy as np, vtemper
    >>> X = np.random.default_rng(0).poisson(1.0, (60, 12))
    >>> estimator = vtemper.LDA(3, max_passes=4, random_state=0, report_every=1)
    >>> curve = vtemper.HeldOut(estimator, X[:20])
    >>> estimator = estimator.fit(X[20:], monitor=curve)
    >>> len(curve.scores) >= 4
    True
    """

    def __init__(self, estimator: Estimator, X: Any, measure: str = "predictive", every: float = 1.0,
                 monitor: Optional[Monitor] = None) -> None:
        self.estimator, self.X, self.measure, self.every, self.monitor = estimator, X, measure, every, monitor
        self.passes: List[float] = []
        self.scores: List[float] = []

    def __call__(self, report: Report) -> Any:
        if not self.passes or report.passes >= self.passes[-1] + self.every or report.finished:
            self.passes.append(report.passes)
            self.scores.append(self.estimator.evaluate(self.X, self.measure))
        return self.monitor(report) if self.monitor else None
