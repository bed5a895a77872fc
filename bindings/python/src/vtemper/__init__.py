"""Variational inference that escapes bad local optima: the library vtemper from Python.

Estimators, by scikit-learn's conventions: `LDA`, `GaussianMixture`, `BernoulliMixture`, `HiddenMarkov`, `FactorialMixture`,
`SigmoidBeliefNetwork`, `VariationalAutoencoder`, `DeepExponentialFamily`. They are built on `Data`, `Model` and `Run`, the
library's own objects. `describe` lists all options, `plot` draws, `drop_in` has the names of scikit-learn's classes.
"""
import importlib as _importlib
from typing import Any as _Any

from . import errors
from .data import Data
from .errors import VTemperError
from .estimator import Estimator, load
from .kinds import *  # noqa: F401,F403
from .kinds import __all__ as _kinds
from .library import build_info, kinds
from .model import Model
from .options import OptionInfo, describe
from .ranks import Group
from .run import Run
from .scores import HeldOut
from .watch import Report, VTemperWarning

__version__ = "0.1.0"

__all__ = ["Data", "Estimator", "Group", "HeldOut", "Model", "OptionInfo", "Report", "Run", "VTemperError", "VTemperWarning", "build_info",
           "describe", "errors", "kinds", "load"] + list(_kinds)


def __getattr__(name: str) -> _Any:
    """`plot` and `drop_in`, which take long to import, when they are first used."""
    if name in ("plot", "drop_in"):
        return _importlib.import_module("." + name, __name__)
    raise AttributeError("module %r has no attribute %r" % (__name__, name))
