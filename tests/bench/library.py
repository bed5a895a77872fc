"""The C library from Python, by ctypes: just enough for benchmarks and reproductions.

The library is found by VTEMPER_LIBRARY, else by the loader.
"""
import ctypes
import os

_library = ctypes.CDLL(os.environ.get("VTEMPER_LIBRARY", "libvtemper.so.0"))
_library.vtemper_last_error.restype = ctypes.c_char_p
_library.vtemper_build_info.restype = ctypes.c_char_p


class Report(ctypes.Structure):
    _fields_ = (
        [("struct_size", ctypes.c_size_t), ("iteration", ctypes.c_int64), ("rows_seen", ctypes.c_int64)]
        + [(name, ctypes.c_double) for name in (
            "passes", "elbo", "objective", "expected_log_likelihood", "temperature", "inverse_temperature",
            "step_size", "perturbation", "proximity", "change", "seconds")]
        + [("converged", ctypes.c_int32), ("finished", ctypes.c_int32)]
        + [(name, ctypes.c_int64) for name in (
            "objective_falls", "empty_rows", "unused_components", "duplicate_components")])


def call(function, *arguments):
    """Calls vtemper_<function>; a failure is a RuntimeError with the library's sentence."""
    status = getattr(_library, "vtemper_" + function)(*arguments)
    if status != 0:
        raise RuntimeError(_library.vtemper_last_error().decode())


def build_info():
    return _library.vtemper_build_info().decode()


class Handle:
    def __init__(self, kind, pointer):
        self.kind, self.pointer = kind, pointer

    def __del__(self):
        getattr(_library, "vtemper_%s_destroy" % self.kind)(self.pointer)


def make(kind, function, *arguments):
    """Calls a function whose last argument receives a handle."""
    pointer = ctypes.c_void_p()
    call(function, *arguments, ctypes.byref(pointer))
    return Handle(kind, pointer)


def options(**values):
    handle = make("options", "options_create")
    for name, value in values.items():
        text = value if isinstance(value, str) else repr(value)
        call("options_set", handle.pointer, name.encode(), text.encode())
    return handle


def read_data(path):
    return make("data", "data_read", path.encode(), None)


def dense(rows):
    """Data of a numpy array of two dimensions; NaN = missing."""
    import numpy
    values = numpy.ascontiguousarray(rows, dtype=numpy.float64)
    double, copy = 4, 1
    return make("data", "data_from_dense", ctypes.c_int64(values.shape[0]), ctypes.c_int64(values.shape[1]),
                values.ctypes.data_as(ctypes.c_void_p), double, ctypes.c_int64(values.shape[1]), ctypes.c_int64(1),
                copy, None, None)


def parameter(model, name, *shape):
    """A parameter as a numpy array of the given shape."""
    import numpy
    values = numpy.empty(shape)
    call("model_get", model.pointer, name.encode(), values.ctypes.data_as(ctypes.c_void_p),
         ctypes.c_int64(values.size))
    return values


def set_parameter(model, name, values):
    import numpy
    values = numpy.ascontiguousarray(values, dtype=numpy.float64)
    call("model_set", model.pointer, name.encode(), values.ctypes.data_as(ctypes.c_void_p),
         ctypes.c_int64(values.size))


def initialize(model, data, seed):
    call("model_initialize", model.pointer, data.pointer, ctypes.c_uint64(seed))


def split_counts(data, share, seed, function="data_split_counts"):
    """Two handles: tokens of the same rows."""
    halves = ctypes.c_void_p(), ctypes.c_void_p()
    call(function, data.pointer, ctypes.c_double(share), ctypes.c_uint64(seed),
         ctypes.byref(halves[0]), ctypes.byref(halves[1]))
    return Handle("data", halves[0]), Handle("data", halves[1])


def split(data, share, seed):
    """Two handles: rows."""
    return split_counts(data, share, seed, "data_split")


def text_set(folder, name, documents=0, test_documents=0, validation=0.0):
    """Training documents and the two halves of the test documents' tokens of folder/name, in the same columns.

    documents, test_documents: take that many random ones (0: all). validation: the test documents are this share of the
    training documents, left out of the fit. All draws have seed 1.
    """
    train = read_data(os.path.join(folder, name, "train.ldac.gz"))
    test = read_data(os.path.join(folder, name, "test.ldac.gz"))
    words = max(columns(train), columns(test))
    train, test = with_columns(train, words), with_columns(test, words)
    if 0 < documents < rows(train):
        train = split(train, documents / rows(train), 1)[1]
    if validation:
        train, test = split(train, validation, 1)
    if 0 < test_documents < rows(test):
        test = split(test, test_documents / rows(test), 1)[1]
    return train, split_counts(test, 0.5, 1)


def rows(data):
    count = ctypes.c_int64()
    call("data_rows", data.pointer, ctypes.byref(count))
    return count.value


def columns(data):
    count = ctypes.c_int64()
    call("data_columns", data.pointer, ctypes.byref(count))
    return count.value


def total(data):
    """Sum of all counts."""
    sum_of_counts = ctypes.c_double()
    call("data_total", data.pointer, ctypes.byref(sum_of_counts))
    return sum_of_counts.value


def with_columns(data, count):
    """The same rows with columns 0 .. count - 1 (files of halves may lack the last words)."""
    names = [b"w%d" % i for i in range(max(count, columns(data)))]
    texts = (ctypes.c_char_p * len(names))(*names)
    call("data_set_names", data.pointer, texts, ctypes.c_int64(columns(data)))
    return make("data", "data_align", data.pointer, texts, ctypes.c_int64(count), None)


def model(kind="lda", **values):
    chosen = options(**values)
    return make("model", "model_create", kind.encode(), chosen.pointer)


def optimizer(model, data, **values):
    chosen = options(**values)
    return make("optimizer", "optimizer_create", model.pointer, data.pointer if data else None, chosen.pointer)


def step(optimizer, steps):
    report = Report(struct_size=ctypes.sizeof(Report))
    call("optimizer_step", optimizer.pointer, ctypes.c_int64(steps), ctypes.byref(report))
    return report


def run(optimizer):
    """Until the run ends by itself."""
    report = Report(struct_size=ctypes.sizeof(Report))
    call("optimizer_run", optimizer.pointer, ctypes.byref(report))
    return report


def evaluate(model, observed, heldout, measure="predictive", **values):
    chosen = options(**values)
    score = ctypes.c_double()
    call("model_evaluate", model.pointer, observed.pointer, heldout.pointer if heldout else None, measure.encode(),
         chosen.pointer, ctypes.byref(score))
    return score.value


def dense(values):
    """Rows of a NumPy matrix, copied; NaN is missing."""
    import numpy
    matrix = numpy.ascontiguousarray(values, dtype=numpy.float64)
    double, copied = 4, 1
    return make("data", "data_from_dense", ctypes.c_int64(matrix.shape[0]), ctypes.c_int64(matrix.shape[1]),
                matrix.ctypes.data_as(ctypes.c_void_p), double, ctypes.c_int64(matrix.shape[1]), ctypes.c_int64(1),
                copied, None, None)


def get(model, name, shape):
    """A parameter as a NumPy array."""
    import numpy
    values = numpy.empty(shape)
    call("model_get", model.pointer, name.encode(), values.ctypes.data_as(ctypes.c_void_p), ctypes.c_int64(values.size))
    return values
