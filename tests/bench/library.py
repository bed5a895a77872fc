"""Helpers for benchmarks and reproductions, built on the Python package: data, models and runs.

The package is that of this source tree; the library is found as the package finds it, by VTEMPER_LIBRARY first.
"""
import os
import pickle
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bindings", "python", "src"))
import vtemper  # noqa: E402

read_data = vtemper.Data
columns = vtemper.Data.columns.fget
rows = vtemper.Data.rows.fget
total = vtemper.Data.total.fget
split = vtemper.Data.split
split_counts = vtemper.Data.split_counts
initialize = vtemper.Model.initialize
run = vtemper.Run.run
step = vtemper.Run.step


def build_info():
    """The library's build information, without its path."""
    return vtemper.build_info().rsplit("; ", 1)[0]


def dense(values):
    """Data from a two-dimensional NumPy array; NaN = missing."""
    return vtemper.Data(values, "dense")


def sequences(lists, alphabet):
    """Data from lists of symbols, numbered from 0."""
    return vtemper.Data(lists, "sequences", alphabet=alphabet)


def with_columns(data, count):
    """The same rows with columns 0 .. count - 1 (files of halves may lack the last words)."""
    names = ["w%d" % i for i in range(max(count, data.columns))]
    data.set_names(names[:data.columns])
    return data.align(names[:count])


def text_set(folder, name, documents=0, test_documents=0, validation=0.0):
    """Training documents and the two halves of the test documents' tokens of folder/name, in the same columns.

    documents, test_documents: take that many random ones (0: all). validation: the test documents are this share of the
    training documents, left out of the fit. All draws have seed 1.
    """
    train = read_data(os.path.join(folder, name, "train.ldac.gz"))
    test = read_data(os.path.join(folder, name, "test.ldac.gz"))
    words = max(train.columns, test.columns)
    train, test = with_columns(train, words), with_columns(test, words)
    if 0 < documents < train.rows:
        train = train.split(documents / train.rows, 1)[1]
    if validation:
        train, test = train.split(validation, 1)
    if 0 < test_documents < test.rows:
        test = test.split(test_documents / test.rows, 1)[1]
    return train, test.split_counts(0.5, 1)


def model(kind="lda", **values):
    return vtemper.Model(kind, **values)


def optimizer(model, data, **values):
    return vtemper.Run(model, data, **values)


def require_round_trip(model):
    """Every fit whose score is reported can be saved, loaded and saved again to the same bytes."""
    saved = pickle.dumps(model)
    if pickle.dumps(pickle.loads(saved)) != saved:
        raise RuntimeError("a fitted model that was saved and loaded is another one")


def evaluate(model, observed, heldout, measure="predictive", **values):
    require_round_trip(model)
    return model.evaluate(observed, measure, heldout, **values)


def parameter(model, name, *shape):
    """A parameter as an array of the given shape."""
    return model.parameters[name].reshape(shape)


def covariance_of(rows):
    """The covariance of rows, as option covariance_prior takes it."""
    import numpy
    covariance = numpy.atleast_2d(numpy.cov(rows.T, bias=True))
    return ",".join(repr(float(value)) for value in ((covariance + covariance.T) / 2).ravel())


def get(model, name, shape):
    """The same, its shape as one argument."""
    return model.parameters[name].reshape(shape)


def set_parameter(model, name, values):
    model.parameters[name] = values
