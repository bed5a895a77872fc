"""Steps of every kind of model, and importance sampling, by two builds of the library, taken in turns in one process:
processor seconds of one thread, medians over the turns, and the median of the ratios of a turn's pair. Both
libraries fit twice, each as the first once.

    python3 tests/bench/versions.py BEFORE/libvtemper.so build/release/libvtemper.so [--cases lda] [--turns 15]

BEFORE may be any version from commit 387344a on: only functions that all of them have are called, and the cases fix the
options whose defaults have changed (a version without an option goes without it). The last column is the change of the
parameters in the last step, now over before: 1 where both did the same work.
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


class Option(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("type", ctypes.c_int32)] + [
        (name, kind) for names, kind in (("name default", ctypes.c_char_p), ("minimum maximum", ctypes.c_double),
                                         ("choices description", ctypes.c_char_p)) for name in names.split()]


class Report(ctypes.Structure):
    """The part of a report that all versions share."""
    _fields_ = [(name, ctypes.c_int64) for name in ("struct_size", "iteration", "rows_seen")] + [
        (name, ctypes.c_double) for name in ("passes", "elbo", "objective", "expected_log_likelihood", "temperature",
                                             "inverse_temperature", "step_size", "perturbation", "proximity",
                                             "change")]


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

    def known(self, subject, values):
        """The options that this version has. A version without one behaves as CASES asks the others to."""
        count = ctypes.c_int32()
        self.call("option_count", subject.encode(), ctypes.byref(count))
        option, names = Option(ctypes.sizeof(Option)), set()
        for index in range(count.value):
            self.call("option_info", subject.encode(), ctypes.c_int32(index), ctypes.byref(option))
            names.add(option.name.decode())
        return {name: value for name, value in values.items() if name in names}

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
        model_options, options = self.known(kind, model_options), self.known("optimizer", options)
        self.model = self.make("model_create", kind.encode(), self.options(model_options))
        self.rows = self.data(*data)
        options = self.options(dict(options, threads=1, seed=1))
        self.optimizer = self.make("optimizer_create", self.model, self.rows, options)
        self.report = Report(ctypes.sizeof(Report))

    def step(self, steps):
        began = time.process_time()
        self.call("optimizer_step", self.optimizer, ctypes.c_int64(steps), ctypes.byref(self.report))
        return time.process_time() - began

    def score(self, times):
        """Importance sampling of the rows."""
        options, score = self.options({"samples": 5000, "threads": 1}), ctypes.c_double()
        began = time.process_time()
        for _ in range(times):
            self.call("model_evaluate", self.model, self.rows, None, b"log_marginal", options, ctypes.byref(score))
        return time.process_time() - began

    def end(self):
        for name in "optimizer", "data", "model":
            getattr(self.library, "vtemper_%s_destroy" % name)(self.rows if name == "data" else getattr(self, name))


def clusters(rows, columns, components):
    random = np.random.RandomState(0)
    centres = 1.5 * random.normal(size=(components, columns))
    return "dense", centres[random.randint(components, size=rows)] + random.normal(size=(rows, columns))


def noise(rows, columns):
    return "dense", np.random.RandomState(0).normal(size=(rows, columns))


def pictures(count=5000):
    return "dense", (np.random.RandomState(1).uniform(size=(count, 784)) < 0.13).astype(np.float64)


def documents(count, words, columns):
    random = np.random.RandomState(2)
    rows = [np.sort(random.choice(columns, words, replace=False)) for _ in range(count)]
    return ("counts", np.arange(count + 1, dtype=np.int64) * words, np.concatenate(rows).astype(np.int32), columns)


def sequences(count, length, symbols):
    random = np.random.RandomState(3)
    return ("sequences", np.arange(count + 1, dtype=np.int64) * length,
            random.randint(symbols, size=count * length).astype(np.int32), symbols)


def short():
    return documents(20000, 25, 8000)


def long():
    return documents(2000, 400, 8000)


def narrow():
    return clusters(60000, 30, 50)


def wide():
    return clusters(10000, 784, 10)


def family():
    return documents(512, 260, 2000)


def method(name, batch_size=None, **options):
    """Full steps, or minibatch steps, without an end."""
    return {"method": name, **({"batch_size": batch_size} if batch_size else {"tolerance": 0}), **options}


def hot(name, batch_size=None, **options):
    """A temperature schedule, the beginning of which is timed."""
    return method(name, batch_size, temperature_start=4, temperature_steps=1000, **options)


def lda(topics, **options):
    return "lda", {"topics": topics, "first_topics": topics, "initial_topics": topics, "learn_alpha": "false", **options}


def gaussian(components, **options):
    return "gaussian_mixture", {"components": components, "start": "random", "covariance_prior": 1,
                                "mean_precision_prior": 1, "learn_priors": "false", **options}


def factorial(**options):
    return "factorial_mixture", {"components": 16, **options}


def markov():
    return "hidden_markov", {"states": 10, "emission_prior": 0.5}


def belief(layers):
    return "sigmoid_belief_network", {"layers": layers}


def autoencoder(hidden):
    return "variational_autoencoder", {"latent": 100, "hidden": hidden}


def exponential(control_variate):
    return "deep_exponential_family", {"latent": 50, "samples": 32, "control_variate": control_variate}


VI, SVI, DELAY = method("vi"), method("svi", 1000), {"step_size_delay": 200}
# name: (kind, options of the model), data, options of the fit, steps of a turn, steps before the first turn
CASES = {
    "lda_20": (lda(20), short, SVI, 20, 60),
    "lda": (lda(100), short, SVI, 10, 20),
    "lda_500": (lda(500, alpha=0.024), short, SVI, 4, 8),
    "lda_2000": (lda(2000, alpha=0.01), short, SVI, 1, 4),
    "lda_vi": (lda(100), short, VI, 1, 2),
    "lda_dense": (lda(100, topic_posterior="dirichlet", local_sparsity=0), short, SVI, 8, 20),
    "lda_double": (lda(100, precision="double"), short, SVI, 6, 20),
    "lda_long": (lda(100), long, method("svi", 200), 2, 10),
    "lda_adaptive": (lda(100), short, method("svi", 1000, step_size="adaptive"), 5, 20),
    "lda_annealing": (lda(100), short, hot("annealing", 1000, **DELAY), 16, 20),
    "lda_entropy_annealing": (lda(100), short, hot("entropy_annealing", 1000, **DELAY), 10, 20),
    "lda_stochastic_annealing": (lda(100), short,
                                 method("stochastic_annealing", 1000, perturbation_steps=1000, **DELAY), 3, 20),
    "lda_tempering": (lda(100), short, method("tempering", 1000, temperature_max=4), 8, 20),
    "lda_local_tempering": (lda(100), short,
                            method("local_tempering", 1000, temperature_max=4), 4, 8),
    "gaussian_784": (gaussian(10), wide, VI, 1, 3),
    "gaussian_784_independent": (gaussian(10, covariance="independent"), wide, VI, 1, 3),
    "gaussian_784_noise": (gaussian(10), lambda: noise(10000, 784), VI, 1, 0),
    "gaussian_30": (gaussian(50), narrow, VI, 1, 3),
    "gaussian_30_svi": (gaussian(50), narrow, SVI, 20, 20),
    "gaussian_30_annealing": (gaussian(50), narrow, hot("annealing"), 1, 3),
    "factorial_mixture": (factorial(), lambda: noise(20000, 196), VI, 4, 2),
    "factorial_mixture_gradients": (factorial(updates="gradient"), lambda: noise(2000, 196),
                                    method("vi", 100), 150, 5),
    "hidden_markov": (markov(), lambda: sequences(5000, 100, 20), method("vi", moves="off"), 6, 4),
    "hidden_markov_256": (markov(), lambda: sequences(3000, 26, 256), hot("entropy_annealing", moves="off"), 30, 10),
    "belief_network": (belief("200"), pictures, method("vi", 20), 80, 20),
    "belief_network_1000": (belief("1000,1000"), pictures, method("vi", 100), 1, 3),
    "belief_network_proximity": (belief("200"), pictures, method("proximity", 20, proximity_magnitude=100), 80, 20),
    "autoencoder": (autoencoder("200,200"), pictures, method("vi", 128), 20, 10),
    "autoencoder_1000": (autoencoder("1000,1000"), pictures, method("vi", 128), 2, 4),
    "autoencoder_proximity": (autoencoder("200,200"), pictures,
                              method("proximity", 128, proximity_magnitude=100), 20, 10),
    "exponential_family": (exponential("round_robin"), family, method("vi", 64), 15, 10),
    "exponential_family_proximity": (exponential("leave_one_out"), family,
                                     method("proximity", 64, proximity_magnitude=100), 12, 10),
}
# Importance sampling, repeated as often per turn as a case above has steps.
SCORES = {
    "belief_network_score": (belief("200"), lambda: pictures(4), method("vi", 4), 1, 5),
    "autoencoder_score": (autoencoder("200,200"), lambda: pictures(4), method("vi", 4), 1, 5),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("now")
    parser.add_argument("--cases", nargs="+", choices=[*CASES, *SCORES], default=[*CASES, *SCORES])
    parser.add_argument("--turns", type=int, default=15)
    arguments = parser.parse_args()
    libraries = [Library(arguments.before), Library(arguments.now)]
    print("| case | ms a step before | now | now / before | quarter to three quarters | change |\n"
          "|---|---|---|---|---|---|")
    for name in arguments.cases:
        (kind, model_options), make_data, options, steps, warm = {**CASES, **SCORES}[name]
        data = make_data()
        times = [[], []]
        # Where the arrays lie in memory is worth some per cent: each library allocates its own first in half of the turns.
        for order in (0, 1), (1, 0):
            for i in order:
                libraries[i].fit(kind, model_options, data, options)
                libraries[i].step(warm + 1)
            for turn in range((arguments.turns + 1) // 2):
                for i in order if turn % 2 == 0 else order[::-1]:
                    action = libraries[i].score if name in SCORES else libraries[i].step
                    times[i].append(action(steps) / steps)
            for build in libraries:
                build.end()
        ratios = sorted(now / before for before, now in zip(*times))
        before, now = (build.report for build in libraries)
        assert before.iteration == now.iteration
        print("| %s | %.3f | %.3f | %.3f | %.3f to %.3f | %.5g |" % (
            name, 1e3 * statistics.median(times[0]), 1e3 * statistics.median(times[1]), statistics.median(ratios),
            ratios[len(ratios) // 4], ratios[3 * len(ratios) // 4], now.change / before.change if before.change else 1),
            flush=True)


if __name__ == "__main__":
    main()
