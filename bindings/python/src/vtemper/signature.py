"""Options of the library as parameters of estimators: their names, the constructor, values from files."""
import difflib
import inspect
import os
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple, Type

from .arguments import whole_number
from .options import describe

if TYPE_CHECKING:
    from .estimator import Estimator

# Our names for options of the library: those that scikit-learn uses.
_RUN_NAMES = {"seed": "random_state", "threads": "n_jobs"}

# What others call the number of components.
_SIZES = {"k", "K", "n_topics", "num_topics", "n_clusters", "n_states", "num_components", "n_factors", "n_units"}


def names_of(kind: str) -> Tuple[Dict[str, str], Dict[str, str]]:
    """The options of a kind and of a run by the names of our parameters."""
    model = {"n_components" if place == 0 else option.name: option.name for place, option in enumerate(describe(kind))}
    run = {_RUN_NAMES.get(option.name, option.name): option.name for option in describe("optimizer")}
    return model, {name: option for name, option in run.items() if name not in model}


def thread_count(n_jobs: Optional[int]) -> Optional[int]:
    if n_jobs is None:
        return None
    n_jobs = whole_number(n_jobs, "n_jobs")
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 is not valid; -1 uses all processors")
    return n_jobs if n_jobs > 0 else max(0 if n_jobs == -1 else 1, (os.cpu_count() or 1) + 1 + n_jobs if n_jobs < -1 else 0)


def parsed(text: str, kind: str) -> Any:
    if kind == "boolean":
        return text == "true"
    if kind in ("choice", "text"):
        return text
    numbers = [float(part) if kind == "real" or not part.lstrip("-").isdigit() else int(part) for part in text.split(",")]
    return numbers[0] if len(numbers) == 1 else numbers


def initializer(cls: Type["Estimator"]) -> Any:
    """`__init__` with a parameter for each option of the kind and of a run; None stands for the library's default."""
    positional, named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    names = [*cls._model_names, *cls._run_names]
    signature = inspect.Signature(
        [inspect.Parameter("self", positional), inspect.Parameter(names[0], positional, default=None)]
        + [inspect.Parameter(name, named, default=None) for name in names[1:]]
        + [inspect.Parameter("verbose", named, default=0)])
    renamed = {option: name for name, option in {**cls._model_names, **cls._run_names}.items() if name != option}

    def initialize(self: Any, *arguments: Any, **values: Any) -> None:
        for name in values:
            if name not in signature.parameters:
                near = [names[0]] if name in _SIZES else [renamed[name]] if name in renamed else difflib.get_close_matches(name, names, 1)
                raise TypeError("%s has no parameter %r%s" % (type(self).__name__, name, "; did you mean %r?" % near[0] if near else ""))
        bound = signature.bind(self, *arguments, **values)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if name != "self":
                setattr(self, name, value)

    initialize.__name__ = "__init__"
    initialize.__qualname__ = cls.__qualname__ + ".__init__"
    setattr(initialize, "__signature__", signature)
    return initialize
