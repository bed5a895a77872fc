"""Gaussian mixture (N = 60,000, D = 30, K = 50, full covariances), one thread: seconds of a step beside scikit-learn's
BayesianGaussianMixture and beside OpenBLAS, taken in turns in one run, in CPU time of the process. Medians over the turns.

The arithmetic that a step needs: for every row and component the triangle of the squared distance and that of the scatter,
N K D (D + 1) fused multiplications and additions in all. OpenBLAS is timed on the same two products in their form with
matrices: features [N x D (D + 1)/2] by [D (D + 1)/2 x K], and [K x N] by the features.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/bench/gaussian_mixture_speed.py [--turns 7] [--wide]

--wide: N = 10,000, D = 784, K = 10, beside OpenBLAS's product of 1000 x 1000 matrices in the same turns and nothing else
(features would take 25 GB), with a given prior. The first step from a random start needs the arithmetic of all scores, of
scatters of rows that belong to one component each, and of factor, its inverse and the inverse of K matrices: N K D^2 + N
D^2 + K D^3. Later steps leave out scores of components to which a row cannot belong.
"""
import argparse
import os
import statistics
import time
import warnings

for variable in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS":
    os.environ[variable] = "1"

import numpy as np
from sklearn.mixture import BayesianGaussianMixture

import library

ROWS, COLUMNS, COMPONENTS = 60000, 30, 50


def seconds(action):
    began = time.process_time()
    action()
    return time.process_time() - began


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def wide(turns):
    rows, columns, components = 10000, 784, 10
    random = np.random.RandomState(0)
    centres = 1.5 * random.normal(size=(components, columns))
    values = centres[random.randint(components, size=rows)] + random.normal(size=(rows, columns))
    data = library.dense(values)
    square = random.normal(size=(1000, 1000))
    first, later, products = [], [], []
    for _ in range(turns):
        model = library.model("gaussian_mixture", components=components, start="random", learn_priors="false",
                              covariance_prior=1, mean_precision_prior=1)
        optimizer = library.optimizer(model, data, method="vi", threads=1)
        first.append(seconds(lambda: library.step(optimizer, 1)))
        library.step(optimizer, 3)
        later.append(seconds(lambda: library.step(optimizer, 1)))
        products.append(min(seconds(lambda: square @ square) for _ in range(5)))
    flops = 1.0 * rows * components * columns**2 + rows * columns**2 + components * columns**3
    rate, peak = flops / statistics.median(first) / 1e9, 2 / statistics.median(products)
    print(library.build_info())
    print("first step %.3f s (from %.3f to %.3f), fifth step %.3f s (from %.3f to %.3f)" % (
        statistics.median(first), min(first), max(first), statistics.median(later), min(later), max(later)))
    print("first step: %.1f GFLOP/s of %.1f GFLOP, OpenBLAS on a product of 1000 x 1000 matrices %.1f: %.0f %%"
          % (rate, flops / 1e9, peak, 100 * rate / peak))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--wide", action="store_true")
    turns = parser.parse_args().turns
    if parser.parse_args().wide:
        return wide(turns)
    random = np.random.RandomState(0)
    centres = 1.5 * random.normal(size=(COMPONENTS, COLUMNS))
    rows = centres[random.randint(COMPONENTS, size=ROWS)] + random.normal(size=(ROWS, COLUMNS))

    data = library.dense(rows)
    model = library.model("gaussian_mixture", components=COMPONENTS)
    before = resident()
    optimizer = library.optimizer(model, data, method="vi", threads=1)
    library.step(optimizer, 3)
    memory = resident() - before

    warnings.simplefilter("ignore")
    theirs = BayesianGaussianMixture(n_components=COMPONENTS, max_iter=1, init_params="random", random_state=0)
    theirs.fit(rows)
    triangle = COLUMNS * (COLUMNS + 1) // 2
    features = random.normal(size=(ROWS, triangle))
    weights = random.normal(size=(triangle, COMPONENTS))
    shares = random.uniform(size=(ROWS, COMPONENTS))
    state = {"responsibilities": theirs._e_step(rows)[1]}

    def their_step():
        theirs._m_step(rows, state["responsibilities"])
        probability, state["responsibilities"] = theirs._e_step(rows)
        theirs._compute_lower_bound(state["responsibilities"], probability)

    times = {"vtemper": [], "scikit-learn": [], "OpenBLAS": []}
    for _ in range(turns):
        times["vtemper"].append(seconds(lambda: library.step(optimizer, 1)))
        times["scikit-learn"].append(seconds(their_step))
        times["OpenBLAS"].append(seconds(lambda: (features @ weights, shares.T @ features)))
    flops = 2.0 * ROWS * COMPONENTS * 2 * triangle
    middle = {name: statistics.median(values) for name, values in times.items()}
    print(library.build_info())
    for name, value in middle.items():
        print("%-13s %.3f s a step (from %.3f to %.3f)" % (name, value, min(times[name]), max(times[name])))
    print("scikit-learn / vtemper: %.1f" % (middle["scikit-learn"] / middle["vtemper"]))
    print("arithmetic: vtemper %.1f GFLOP/s with all else in a step, OpenBLAS %.1f GFLOP/s on the products alone: %.0f %%"
          % (flops / middle["vtemper"] / 1e9, flops / middle["OpenBLAS"] / 1e9,
             100 * middle["OpenBLAS"] / middle["vtemper"]))
    square = random.normal(size=(1000, 1000))
    peak = max(2e9 / seconds(lambda: square @ square) / 1e9 for _ in range(5))
    print("OpenBLAS on a product of 1000 x 1000 matrices: %.1f GFLOP/s; vtemper's step %.0f %% of that" % (
        peak, 100 * flops / middle["vtemper"] / 1e9 / peak))
    print("memory of the fit beside data and model's start: %.1f MB" % (memory / 1e6))


main()
