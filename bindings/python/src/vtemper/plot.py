"""Pictures of fits, by matplotlib. Every function draws into `ax` (a new one by default) and returns it.

Examples
--------
>>> import numpy as np, vtemper, vtemper.plot
>>> X = np.random.default_rng(0).poisson(1.0, (60, 12))
>>> estimator = vtemper.LDA(3, max_passes=2, random_state=0).fit(X)
>>> vtemper.plot.temperature(estimator).get_ylabel()
'temperature'
"""
from typing import Any, Optional, Sequence, Tuple

import numpy as np

from .arguments import whole_number, within
from .arrays import as_array, missing_as_nan
from .estimator import Estimator
from .scores import HeldOut


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot
    return matplotlib.pyplot.subplots(constrained_layout=True)[1]


def _labelled(ax: Any, x: str, y: str, title: str = "") -> Any:
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    if title:
        ax.set_title(title)
    return ax


def _checked(estimator: Any, picture: str) -> Any:
    """The estimator, if it is one."""
    if not isinstance(estimator, Estimator):
        raise TypeError("argument estimator is a %s; plot.%s draws a fitted estimator" % (type(estimator).__name__, picture))
    return estimator


def _fitted(estimator: Any, picture: str) -> Any:
    """The estimator, if it is one that is fitted."""
    _checked(estimator, picture)._require_fitted()
    return estimator


def _shown(estimator: Any, name: str, picture: str) -> Any:
    """The attribute that a picture shows, of the kinds that have it."""
    if not hasattr(type(_checked(estimator, picture)), name):
        raise ValueError("plot.%s shows %s, which a %s does not have" % (picture, name, type(estimator).__name__))
    return getattr(_fitted(estimator, picture), name)


def _curve(estimator: Any, name: str, label: str, ax: Any, noisy: bool, **style: Any) -> Any:
    """A column of the trace over passes; rows without a value are left out, so that the line does not break."""
    if not hasattr(estimator, "trace_"):
        raise ValueError("this %s has no trace: it was loaded, not fitted" % type(estimator).__name__)
    if name not in estimator.trace_:
        raise ValueError("the trace has no %r; it has %s" % (name, ", ".join(estimator.trace_)))
    passes, values = estimator.trace_["passes"], estimator.trace_[name]
    kept = np.isfinite(values)
    if not kept.any():
        raise ValueError("the trace has no %s: it is recorded every elbo_every steps, a parameter of the estimator" % name)
    ax = _axes(ax)
    if noisy and estimator.report_.passes < 0.999 * estimator.report_.iteration:
        style = {"marker": ".", "linestyle": "none", **style}  # estimates from minibatches: dots, no line
        label += ", of minibatches"
    ax.plot(passes[kept], values[kept], **style)
    return _labelled(ax, "passes over the rows", label)


def objective(estimator: Any, name: str = "objective", ax: Any = None, **style: Any) -> Any:
    """The objective (or `name` "elbo", "expected_log_likelihood") over the run, in nats."""
    return _curve(_fitted(estimator, "objective"), name, str(name).replace("_", " ") + " (nats)", ax, True, **style)


def temperature(estimator: Any, ax: Any = None, **style: Any) -> Any:
    """The temperature over the run; a thin line marks 1, the untempered model."""
    ax = _curve(_fitted(estimator, "temperature"), "temperature", "temperature", ax, False, **style)
    ax.axhline(1, color="0.7", linewidth=0.8, zorder=0)
    return ax


def heldout(curve: Any, ax: Any = None, **style: Any) -> Any:
    """The scores recorded by a `HeldOut` monitor."""
    if not isinstance(curve, HeldOut):
        raise TypeError("argument curve is a %s; plot.heldout draws a HeldOut monitor" % type(curve).__name__)
    ax = _axes(ax)
    ax.plot(curve.passes, curve.scores, **{"marker": ".", **style})
    unit = " (nats)" if curve.measure in ("predictive", "elbo", "log_marginal") else ""
    return _labelled(ax, "passes over the rows", "held-out " + curve.measure.replace("_", " ") + unit)


_SIZES = {"tokens": "tokens", "rows": "rows", "factor.rate": "words a time", "activation_probability": "share of the rows",
          "initial.mean": "share of the first symbols"}


def sizes(estimator: Any, ax: Any = None, **style: Any) -> Any:
    """The sizes of the topics (components, factors), largest first."""
    parameters = _fitted(estimator, "sizes").parameters_
    name = next((name for name in _SIZES if name in parameters), None)
    if name is None:
        raise ValueError("a %s has no sizes of components" % type(estimator).__name__)
    values = parameters[name]
    order = np.argsort(-values, kind="stable")
    ax = _axes(ax)
    ax.bar(np.arange(len(values)), values[order], **style)
    if len(values) <= 40:
        ax.set_xticks(np.arange(len(values)), [str(place) for place in order])
    return _labelled(ax, "component" if len(values) <= 40 else "components by size", _SIZES[name])


def words(estimator: Any, topic: int, n: int = 10, rank: str = "probability", ax: Any = None, **style: Any) -> Any:
    """The highest-ranked words of a topic as bars; as dots where scores are logarithms, which have no natural zero."""
    ranked = _shown(estimator, "top_words", "words")(n, rank)
    topic = within(0, len(ranked) - 1)(topic, "topic")
    frame_words = ranked[topic]
    scores = estimator.model_.rank_words(len(estimator.components_), n, rank)[1][topic]
    ax = _axes(ax)
    places = np.arange(len(frame_words))
    if (scores < 0).any():
        ax.plot(scores, places, **{"marker": "o", "linestyle": "none", **style})
        ax.grid(axis="y", color="0.9")
    else:
        ax.barh(places, scores, **style)
    ax.set_yticks(places, frame_words)
    ax.invert_yaxis()
    return _labelled(ax, rank, "word", "topic %d" % topic)


def components(estimator: Any, X: Any = None, columns: Sequence[int] = (0, 1), ax: Any = None, **style: Any) -> Any:
    """Clusters in two of their dimensions: means, ellipses of two standard deviations, and rows coloured by cluster.

    Components with less than half a row are left out.
    """
    from matplotlib.patches import Ellipse
    first, second = columns
    means, covariances = _shown(estimator, "means_", "components"), _shown(estimator, "covariances_", "components")
    ax = _axes(ax)
    colours = ["C%d" % (place % 10) for place in range(len(means))]
    if X is not None:
        rows = missing_as_nan(as_array(X)).astype(float)
        ax.scatter(rows[:, first], rows[:, second], s=8, c=[colours[k] for k in estimator.predict(X)], alpha=0.5, linewidths=0)
    held = estimator.parameters_["rows"]
    for mean, covariance, colour, rows_held in zip(means, covariances, colours, held):
        if rows_held < 0.5:
            continue
        values, vectors = np.linalg.eigh(covariance[np.ix_(columns, columns)])
        angle = np.degrees(np.arctan2(vectors[1, 1], vectors[0, 1]))
        ax.add_patch(Ellipse(mean[list(columns)], 4 * np.sqrt(values[1]), 4 * np.sqrt(values[0]), angle=angle,
                             **{"fill": False, "edgecolor": colour, "linewidth": 1.5, **style}))
        ax.plot(mean[first], mean[second], "+", color=colour, markersize=9)
    ax.autoscale_view()
    names = list(getattr(estimator, "feature_names_in_", []))
    labels = [names[place] if names else "column %d" % place for place in columns]
    return _labelled(ax, labels[0], labels[1])


def states(estimator: Any, ax: Any = None, **style: Any) -> Any:
    """The mean probabilities of the transitions from each state."""
    moves = _shown(estimator, "transmat_", "states")
    ax = _axes(ax)
    image = ax.imshow(moves, **{"vmin": 0, "vmax": 1, "cmap": "Blues", **style})
    ax.figure.colorbar(image, ax=ax, label="probability")
    if len(moves) <= 12:
        for (row, column), value in np.ndenumerate(moves):
            ax.text(column, row, "%.2f" % value, ha="center", va="center", color="white" if value > 0.5 else "black")
    ax.set_xticks(np.arange(len(moves)))
    ax.set_yticks(np.arange(len(moves)))
    return _labelled(ax, "next state", "state")


def emissions(estimator: Any, ax: Any = None, **style: Any) -> Any:
    """The mean probabilities of each state's symbols."""
    table = _shown(estimator, "emissionprob_", "emissions")
    ax = _axes(ax)
    image = ax.imshow(table, **{"vmin": 0, "cmap": "Blues", "aspect": "auto", "interpolation": "nearest", **style})
    ax.figure.colorbar(image, ax=ax, label="probability")
    names = list(getattr(estimator, "feature_names_in_", []))
    if names and len(names) <= 40:
        ax.set_xticks(np.arange(len(names)), names)
    ax.set_yticks(np.arange(len(table)))
    return _labelled(ax, "symbol", "state")


def _image_shape(shape: Any, pixels: int) -> Tuple[int, ...]:
    """Height and width of images, in colour also the number of their colours."""
    try:
        lengths = tuple(whole_number(length, "shape") for length in shape)
    except TypeError:
        lengths = ()
    colours = len(lengths) == 2 or len(lengths) == 3 and lengths[2] in (3, 4)
    if not colours or min(lengths) < 1 or int(np.prod(lengths)) != pixels:
        raise ValueError("argument shape is %r; it must be a height and a width, in colour also 3 or 4, of %d numbers in all"
                         % (shape, pixels))
    return lengths


def images(estimator: Any, shape: Sequence[int], rows: Optional[Any] = None, columns: int = 8, **style: Any) -> Any:
    """Components as images of `shape`, a height and a width (in colour also 3 or 4), or other rows of pixels given as `rows`.

    Returns the figure.
    """
    import matplotlib.pyplot
    _fitted(estimator, "images")
    if rows is None and not hasattr(estimator, "components_"):
        raise ValueError("plot.images shows components_, which a %s does not have: give rows of pixels" % type(estimator).__name__)
    pictures = np.asarray(estimator.components_ if rows is None else rows)
    if pictures.ndim < 2 or not pictures.size or pictures.dtype.kind not in "biuf":
        raise ValueError("argument rows must hold rows of pixels, as an array of numbers")
    pictures = pictures.reshape(len(pictures), -1)
    shape = _image_shape(shape, pictures.shape[1])
    across = min(within(1, 2**31 - 1)(columns, "columns"), len(pictures))
    down = -(-len(pictures) // across)
    figure, axes = matplotlib.pyplot.subplots(down, across, squeeze=False, figsize=(1.2 * across, 1.35 * down),
                                              constrained_layout=True)
    for place, ax in enumerate(axes.flat):
        ax.set_axis_off()
        if place < len(pictures):
            ax.imshow(pictures[place].reshape(shape), **{"cmap": "gray", **style})
            ax.set_title(str(place), fontsize=8, pad=2)
    return figure
