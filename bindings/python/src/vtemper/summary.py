"""How classes and fitted models show themselves: docstrings from the library's descriptions, tables in notebooks."""
import html
from typing import Any, Optional

from .options import describe, parameters_text

_EXAMPLES = {
    "counts": '''>>> import numpy as np, vtemper
    >>> X = np.random.default_rng(0).poisson(1.0, (60, 12))
    >>> estimator = vtemper.%s(3, max_passes=2, random_state=0).fit(X)
    >>> estimator.transform(X).shape
    (60, 3)''',
    "dense": '''>>> import numpy as np, vtemper
    >>> X = (np.random.default_rng(0).normal(size=(60, 6)) > 0).astype(float)
    >>> estimator = vtemper.%s(3, max_passes=2, random_state=0).fit(X)
    >>> estimator.transform(X).shape
    (60, 3)''',
    "sequences": '''>>> import vtemper
    >>> walks = [[0, 1, 0, 1, 2], [2, 1, 2, 2], [0, 0, 1]]
    >>> estimator = vtemper.%s(2, max_passes=5, random_state=0).fit(walks)
    >>> estimator.predict(walks).shape
    (12,)'''}


def class_document(description: str, kind: str, name: str) -> str:
    """The docstring of a kind's class, in NumPy's style."""
    from .model import form_of_kind
    size = describe(kind)[0].name
    parameters = parameters_text(kind, {size: "n_components"}) + "\n" + parameters_text(
        "optimizer", skip={option.name for option in describe(kind)}, ours=_OURS)
    return "%s\n\n    Parameters\n    ----------\n    %s\n\n    Attributes\n    ----------\n    %s\n\n    Examples\n    --------\n    %s\n    " % (
        description, parameters.replace("\n", "\n    ") + "\n    verbose : int, default 0\n        Whether a fit shows its progress.",
        "\n    ".join(_ATTRIBUTES), _EXAMPLES[form_of_kind(kind)] % name)


# What estimators take as scikit-learn's do, not as the library does.
_OURS = {
    "seed": ["random_state : integer, RandomState, Generator or None, default None",
             "    Seed of the start and of the minibatches; None: drawn from NumPy's global generator, another one in each fit."],
    "threads": ["n_jobs : integer or None, default None",
                "    Maximum number of threads; None and -1: as many as the machine and OMP_NUM_THREADS allow; -2: one less than the "
                "processors, and so on. Steps that are too small use fewer. Results do not depend on it. [1 to 1024, or negative]"]}

_ATTRIBUTES = [
    "model_ : Model", "    The fitted model.",
    "parameters_ : mapping", "    Its parameters by name, as arrays.",
    "report_ : Report", "    The report of the last step.",
    "trace_ : dict", "    What the run noted on its way, arrays by name.",
    "n_iter_ : int", "    Steps done.",
    "n_features_in_ : int", "    Columns of the data.",
    "feature_names_in_ : array", "    Their names, where there are any."]


def model_html(estimator: Any, model: Optional[Any], report: Optional[Any]) -> str:
    """A table of what is fitted, for notebooks."""
    head = "<b>%s</b>" % html.escape(" ".join(repr(estimator).split()))
    if model is None:
        return head + ", not fitted"
    rows = "".join("<tr><td>%s</td><td>%s</td><td style='text-align:left'>%s</td></tr>" % (
        html.escape(info.name), " &times; ".join(map(str, info.shape)), html.escape(info.description))
        for info in model.parameters.infos)
    run = "" if report is None else "<br>%d steps, %.2f passes, %.3g s, temperature %.4g" % (
        report.iteration, report.passes, report.seconds, report.temperature)
    return "%s%s<table><tr><th>parameter</th><th>shape</th><th></th></tr>%s</table>" % (head, run, rows)
