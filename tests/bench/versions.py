"""Steps of every kind of model by two builds of the library, taken in turns in one process: processor seconds of one
thread, medians over the turns, and the median of the ratios of a turn's pair.

    python3 tests/bench/versions.py BEFORE/libvtemper.so build/release/libvtemper.so [--cases gaussian_784 lda] [--turns 9]

BEFORE may be any version from commit 387344a on: only functions that all of them have are called.
"""
import argparse
import ctypes
import os
import statistics
import time

for variable in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS":
    os.environ[variable] = "1"

import numpy as np

COPY, INT32, INT64, DOUBLE = 1, 1, 2, 4
BY_ROWS = 1


class Library:
    def __init__(self, path):
        self.library = ctypes.CDLL(os.path.abspath(path))
        self.library.vtemper_last_error.restype = ctypes.c_char_p

    def call(self, function, *arguments):
        if getattr(self.library, "vtemper_" + function)(*arguments) != 0:
            raise SystemExit(self.library.vtemper_last_error().decode())

    def make(self, function, *arguments):
        """Calls a function whose last argument receives a handle."""
        handle = ctypes.c_void_p()
        self.call(function, *arguments, ctypes.byref(handle))
        return handle

    def options(self, values):
        handle = self.make("options_create")
        for name, value in values.items():
            self.call("options_set", handle, name.encode(), str(value).encode())
        return handle

    def data(self, form, *arrays):
        count, size = ctypes.c_int64, lambda array: array.ctypes.data_as(ctypes.c_void_p)
        if form == "dense":
            rows, columns = arrays[0].shape
            return self.make("data_from_dense", count(rows), count(columns), size(arrays[0]), DOUBLE, count(columns),
                             count(1), COPY, None, None)
        offsets, indices, columns = arrays
        rows = count(len(offsets) - 1)
        if form == "sequences":
            return self.make("data_from_sequences", rows, count(columns), size(offsets), INT64, size(indices),
                             INT32, count(0), COPY, None, None)
        return self.make("data_from_counts", BY_ROWS, rows, count(columns), size(offsets), INT64, size(indices),
                         INT32, size(np.ones(len(indices))), DOUBLE, count(0), COPY, None, None)

    def fit(self, kind, model_options, data, options):
        model = self.make("model_create", kind.encode(), self.options(model_options))
        return self.make("optimizer_create", model, self.data(*data), self.options(dict(options, threads=1, seed=1)))

    def step(self, fit, steps):
        began = time.process_time()
        self.call("optimizer_step", fit, ctypes.c_int64(steps), None)
        return time.process_time() - began


def clusters(rows, columns, components):
    random = np.random.RandomState(0)
    centres = 1.5 * random.normal(size=(components, columns))
    return "dense", centres[random.randint(components, size=rows)] + random.normal(size=(rows, columns))


def noise(rows, columns):
    return "dense", np.random.RandomState(0).normal(size=(rows, columns))


def pictures():
    return "dense", (np.random.RandomState(1).uniform(size=(5000, 784)) < 0.13).astype(np.float64)


def documents(count, words, columns):
    random = np.random.RandomState(2)
    rows = [np.sort(random.choice(columns, words, replace=False)) for _ in range(count)]
    return ("counts", np.arange(count + 1, dtype=np.int64) * words, np.concatenate(rows).astype(np.int32), columns)


def sequences(count, length, symbols):
    random = np.random.RandomState(3)
    return ("sequences", np.arange(count + 1, dtype=np.int64) * length,
            random.randint(symbols, size=count * length).astype(np.int32), symbols)


VI = {"method": "vi"}
# name: (kind, options of the model, data, options of the fit, steps of a turn, steps before the first turn)
CASES = {
    "gaussian_784": ("gaussian_mixture", {"components": 10}, lambda: clusters(10000, 784, 10), VI, 1, 3),
    "gaussian_784_independent": ("gaussian_mixture", {"components": 10, "covariance": "independent"},
                                 lambda: clusters(10000, 784, 10), VI, 1, 3),
    "gaussian_784_noise": ("gaussian_mixture", {"components": 10}, lambda: noise(10000, 784), VI, 1, 0),
    "gaussian_30": ("gaussian_mixture", {"components": 50}, lambda: clusters(60000, 30, 50), VI, 1, 3),
    "factorial_mixture": ("factorial_mixture", {"components": 16}, lambda: noise(20000, 196), VI, 2, 2),
    "hidden_markov": ("hidden_markov", {"states": 10}, lambda: sequences(5000, 100, 20), VI, 4, 2),
    "lda": ("lda", {"topics": 100}, lambda: documents(20000, 25, 8000),
            {"method": "svi", "batch_size": 1000}, 10, 10),
    "lda_annealing": ("lda", {"topics": 100}, lambda: documents(20000, 25, 8000),
                      {"method": "annealing", "batch_size": 1000, "temperature_steps": 1000}, 10, 10),
    "lda_tempering": ("lda", {"topics": 100}, lambda: documents(20000, 25, 8000),
                      {"method": "tempering", "batch_size": 1000}, 10, 10),
    "lda_local_tempering": ("lda", {"topics": 100}, lambda: documents(20000, 25, 8000),
                            {"method": "local_tempering", "batch_size": 1000}, 4, 4),
    "lda_500": ("lda", {"topics": 500, "alpha": 0.024}, lambda: documents(20000, 25, 8000),
                {"method": "svi", "batch_size": 1000}, 4, 4),
    "belief_network": ("sigmoid_belief_network", {"layers": "200"}, pictures, {"method": "vi", "batch_size": 20}, 200, 20),
    "autoencoder": ("variational_autoencoder", {"latent": 100, "hidden": "200,200"}, pictures,
                    {"method": "vi", "batch_size": 128}, 50, 10),
    "exponential_family": ("deep_exponential_family", {"latent": 50, "samples": 32},
                           lambda: documents(512, 260, 2000), {"method": "vi", "batch_size": 64}, 40, 10),
}
# A random start: the start from clusters is younger than the oldest version.
RANDOM_START = {"gaussian_mixture": {"start": "random"}}


def fit_of(build, kind, model_options, data, options, is_new):
    added = RANDOM_START.get(kind, {}) if is_new else {}
    return build.fit(kind, dict(model_options, **added), data, options)


def knows_start(build):
    """Whether gaussian_mixture has the option start."""
    options = build.options({"start": "random"})
    model = ctypes.c_void_p()
    return build.library.vtemper_model_create(b"gaussian_mixture", options, ctypes.byref(model)) == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("now")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--turns", type=int, default=9)
    arguments = parser.parse_args()
    libraries = [Library(arguments.before), Library(arguments.now)]
    print("| case | ms a step before | now | now / before | quarter to three quarters |\n|---|---|---|---|---|")
    for name in arguments.cases:
        kind, model_options, make_data, options, steps, warm = CASES[name]
        data = make_data()
        fits = [fit_of(build, kind, model_options, data, options, knows_start(build)) for build in libraries]
        for build, fit in zip(libraries, fits):
            build.step(fit, warm + 1)
        times = [[], []]
        for turn in range(arguments.turns):
            for i in (0, 1) if turn % 2 == 0 else (1, 0):
                times[i].append(libraries[i].step(fits[i], steps) / steps)
        ratios = sorted(now / before for before, now in zip(*times))
        print("| %s | %.3f | %.3f | %.3f | %.3f to %.3f |" % (
            name, 1e3 * statistics.median(times[0]), 1e3 * statistics.median(times[1]), statistics.median(ratios),
            ratios[len(ratios) // 4], ratios[3 * len(ratios) // 4]), flush=True)
        for build, fit in zip(libraries, fits):
            build.library.vtemper_optimizer_destroy(fit)


if __name__ == "__main__":
    main()
