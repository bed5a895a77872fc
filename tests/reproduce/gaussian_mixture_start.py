"""The default start temperature of randomly initialised Gaussian mixtures, which grows with the number of columns, compared with
the start temperatures for 30 columns (5, and 3 for entropy annealing), on sets that were not used to choose it.

    python3 tests/reproduce/gaussian_mixture_start.py --data DATA [--starts 10]

4,000 frames of chartraj (3 columns); the first 5 and 10 principal components of 500 faces (yaleb10_42x48) and of 2,000
MNIST digits; K = 10, the covariance of the data as covariance_prior, starts shared by the methods. Differences
default - other of the ELBO (nats) and of the mean log density of a held-out row, with standard errors over starts. Needs
numpy.
"""
import argparse
import gzip
import os
import sys

for variable in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS":
    os.environ.setdefault(variable, "1")

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402

METHODS = (("annealing", 5), ("entropy_annealing", 3))


def images(path):
    with gzip.open(path) as file:
        content = file.read()
    count = int.from_bytes(content[4:8], "big")
    return np.frombuffer(content, np.uint8, offset=16).reshape(count, -1).astype(float)


def sets(folder):
    """(name, training rows, held-out rows)"""
    random = np.random.RandomState(5)
    with gzip.open(os.path.join(folder, "chartraj", "frames.csv.gz"), "rt") as lines:
        frames = [line.strip().split(",") for line in lines][1:]
    parts = [np.array([row[3:] for row in frames if (row[1] == "train") == wanted], float) for wanted in (True, False)]
    yield ("chartraj frames", parts[0][random.permutation(len(parts[0]))[:4000]],
           parts[1][random.permutation(len(parts[1]))[:2000]])
    faces = [images(os.path.join(folder, "yaleb10_42x48", part + "-images.idx.gz")) for part in ("train", "test")]
    digits = images(os.path.join(folder, "mnist", "train-images-idx3-ubyte.gz"))
    order = random.permutation(len(digits))
    for name, (train, test) in (("faces", faces), ("digits", (digits[order[:2000]], digits[order[2000:4000]]))):
        mean = train.mean(0)
        axes = np.linalg.svd(train - mean, full_matrices=False)[2]
        for columns in 5, 10:
            yield name, (train - mean) @ axes[:columns].T, (test - mean) @ axes[:columns].T


def fit(covariance, train, test, seed, settings):
    model = library.model("gaussian_mixture", components=10, start="random", covariance_prior=covariance)
    report = library.run(library.optimizer(model, train, seed=seed, threads=1, moves="off", **settings))
    return report.elbo, library.evaluate(model, test, None, threads=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--starts", type=int, default=10)
    arguments = parser.parse_args()
    if arguments.starts < 2:
        parser.error("--starts must be at least 2: one start has no spread")
    print("| set | columns | method, other start | ELBO (nats) | starts that gain | held out |\n|---|---|---|---|---|---|")
    for name, train, test in sets(arguments.data):
        data = library.covariance_of(train), library.dense(train), library.dense(test)
        for method, other in METHODS:
            pairs = [np.subtract(fit(*data, seed, {"method": method}),
                                 fit(*data, seed, {"method": method, "temperature_start": other}))
                     for seed in range(1, arguments.starts + 1)]
            means, errors = np.mean(pairs, 0), np.std(pairs, 0, ddof=1) / arguments.starts ** 0.5
            print("| %s | %d | %s, %d | %+.1f (%.1f) | %d / %d | %+.4f (%.4f) |" % (
                name, train.shape[1], method, other, means[0], errors[0], sum(pair[0] > 0 for pair in pairs),
                arguments.starts, means[1], errors[1]), flush=True)


if __name__ == "__main__":
    main()
