"""Gaussian mixtures of the MNIST digits (Gultekin, Zhang and Paisley 2015, section 4.3): a mixture for each digit, by
every method from the same starts. ELBO by digit and number of components (their Figure 4) and Bayes classification with
the mean of q (their Table 2).

1,000 images of each digit for training, drawn from the training set, 100 for testing, drawn from the test set; their
first 30 principal components (those of the 60,000 training images). Factors are independent Normal and Wishart
distributions as in the paper, starts are random, and the covariance of the data is covariance_prior; all else is the
library's default, which was not chosen on these data.

    python3 tests/reproduce/gaussian_mixture_digits.py --data DATA [--starts 10] [--output FOLDER] [--keep FILE]

With --keep each method's results are kept in FILE as they come, and a run that was stopped goes on from there.
"""
import argparse
import gzip
import json
import os
import statistics
import sys
import time

for variable in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS":
    os.environ.setdefault(variable, "1")

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import box_plot
import library

COMPONENTS = 3, 6, 9, 12, 15, 18
DIMENSIONS = 30
METHODS = {
    "vi": {"method": "vi"},
    "annealing": {"method": "annealing"},
    "entropy_annealing": {"method": "entropy_annealing"},
    "stochastic, statistics": {"method": "stochastic_annealing"},
    "stochastic, natural": {"method": "stochastic_annealing", "perturbation_blend": "natural"},
    "tempering": {"method": "tempering"},
    "local_tempering": {"method": "local_tempering"},
}


def read_idx(path):
    with gzip.open(path, "rb") as file:
        content = file.read()
    dimensions = content[3]
    shape = [int.from_bytes(content[4 + 4 * i:8 + 4 * i], "big") for i in range(dimensions)]
    return np.frombuffer(content, dtype=np.uint8, offset=4 + 4 * dimensions).reshape(shape)


def read_digits(folder):
    """Training and test rows of each digit, projected on 30 principal components."""
    parts = []
    for part in "train", "t10k":
        images = read_idx(os.path.join(folder, "mnist", part + "-images-idx3-ubyte.gz"))
        parts.append((images.reshape(len(images), -1),
                      read_idx(os.path.join(folder, "mnist", part + "-labels-idx1-ubyte.gz"))))
    images = parts[0][0].astype(np.float32)
    mean = images.mean(axis=0)
    values, vectors = np.linalg.eigh((images - mean).T @ (images - mean) / len(images))
    axes = vectors[:, np.argsort(-values)[:DIMENSIONS]]
    random = np.random.RandomState(1)
    result = []
    for (images, labels), count in zip(parts, (1000, 100)):
        chosen = [random.permutation(np.flatnonzero(labels == digit))[:count] for digit in range(10)]
        result.append([(images[rows].astype(np.float64) - mean) @ axes for rows in chosen])
    return result


def log_density(model, components, rows):
    """log p(x) at the mean of q: E pi, E mu, E Lambda."""
    weights = library.get(model, "weights", components)
    means = library.get(model, "mean", (components, DIMENSIONS))
    covariances = library.get(model, "covariance", (components, DIMENSIONS, DIMENSIONS))
    terms = []
    for weight, mean, covariance in zip(weights, means, covariances):
        factor = np.linalg.cholesky(covariance)
        whitened = np.linalg.inv(factor) @ (rows - mean).T
        terms.append(np.log(weight) - np.log(np.diag(factor)).sum() - 0.5 * (whitened ** 2).sum(axis=0))
    terms = np.array(terms)
    largest = terms.max(axis=0)
    return largest + np.log(np.exp(terms - largest).sum(axis=0))


def mean_and_range(values):
    """Mean and its standard error over starts."""
    return statistics.mean(values), statistics.stdev(values) / len(values) ** 0.5


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--components", type=int, nargs="*", default=COMPONENTS)
    parser.add_argument("--keep", help="file of results so far")
    parser.add_argument("--output", default=".", help="folder of the pictures")
    arguments = parser.parse_args()
    if arguments.starts < 2:
        parser.error("--starts must be at least 2: one start has no spread")
    os.makedirs(arguments.output, exist_ok=True)
    began = time.process_time()
    training, test = read_digits(arguments.data)
    held_out = np.concatenate(test)
    truth = np.repeat(np.arange(10), len(test[0]))
    data = [library.dense(rows) for rows in training]
    covariances = [library.covariance_of(rows) for rows in training]
    starts = range(arguments.starts)

    def fit_digits(components, method):
        """ELBO by digit and start, test accuracy by start, and how often the objective fell."""
        densities = [[] for _ in starts]
        elbos, falls = [], 0
        for digit in range(10):
            elbos.append([])
            for start in starts:
                model = library.model("gaussian_mixture", components=components, covariance="independent",
                                      start="random", covariance_prior=covariances[digit])
                report = library.run(library.optimizer(model, data[digit], seed=start, threads=1, moves="off", **method))
                elbos[digit].append(report.elbo)
                falls += report.objective_falls
                densities[start].append(log_density(model, components, held_out))
        return elbos, [float((np.argmax(d, axis=0) == truth).mean()) for d in densities], falls

    kept = {}
    if arguments.keep and os.path.exists(arguments.keep):
        with open(arguments.keep) as file:
            kept = json.load(file)
    elbo, accuracy = {}, {}
    falls = 0
    for components in arguments.components:
        for name, method in METHODS.items():
            key = "%d, %s, %d starts" % (components, name, len(starts))
            if key not in kept:
                kept[key] = fit_digits(components, method)
                if arguments.keep:
                    with open(arguments.keep, "w") as file:
                        json.dump(kept, file)
            elbos, accuracy[components, name], fallen = kept[key]
            falls += fallen
            for digit in range(10):
                for start in starts:
                    elbo[components, name, digit, start] = elbos[digit][start]
        print("K = %d done after %.0f CPU seconds" % (components, time.process_time() - began), file=sys.stderr)

    print("ELBO: gain over vi from the same start, mean over ten digits and %d starts (standard error over digits); share"
          " of the %d pairs that gain" % (len(starts), 10 * len(starts)))
    print("| method | " + " | ".join("K = %d" % k for k in arguments.components) + " |")
    print("|---|" + "---|" * len(arguments.components))
    gains = {}
    for name in METHODS:
        cells = []
        for components in arguments.components:
            by_digit = [[elbo[components, name, digit, start] - elbo[components, "vi", digit, start]
                         for start in starts] for digit in range(10)]
            gains[components, name] = mean_and_range([statistics.mean(row) for row in by_digit])
            wins = sum(gain > 0 for row in by_digit for gain in row) / (10.0 * len(starts))
            cells.append("%+.0f (%.0f) %.0f %%" % (gains[components, name] + (100 * wins,)))
        print("| %s | " % name + " | ".join(cells) + " |")
    print("vi itself, mean ELBO of a digit: " + ", ".join(
        "%d: %.0f" % (k, statistics.mean(elbo[k, "vi", d, s] for d in range(10) for s in starts))
        for k in arguments.components))
    print("objectives that fell at a fixed temperature: %d" % falls)

    print("\nBayes classification, percent of 1,000 test digits (standard error over starts)")
    print("| method | " + " | ".join("K = %d" % k for k in arguments.components) + " |")
    print("|---|" + "---|" * len(arguments.components))
    for name in METHODS:
        print("| %s | " % name + " | ".join(
            "%.2f (%.2f)" % tuple(100 * x for x in mean_and_range(accuracy[k, name]))
            for k in arguments.components) + " |")

    def holds(claim, better, worse):
        """For each K, from the differences of the digits' means: better or worse beyond twice their standard error, or undecided."""
        verdicts = []
        for k in arguments.components:
            mean, error = mean_and_range([statistics.mean(
                elbo[k, better, digit, start] - elbo[k, worse, digit, start] for start in starts)
                for digit in range(10)])
            verdicts.append("K = %d %+.0f (%.0f) %s" % (
                k, mean, error, "holds" if mean > 2 * error else "fails" if mean < -2 * error else "undecided"))
        print("- %s: %s" % (claim, ", ".join(verdicts)))

    def difference(better, worse):
        pairs = [100 * (a - b) for k in arguments.components
                 for a, b in zip(accuracy[k, better], accuracy[k, worse])]
        return mean_and_range(pairs)

    print("\nClaims (mean ELBO over digits and starts)")
    holds("stochastic annealing ends in better optima than vi (Figure 4)", "stochastic, statistics", "vi")
    holds("stochastic annealing ends in better optima than deterministic (Figure 4)", "stochastic, statistics",
          "entropy_annealing")
    holds("deterministic annealing ends in better optima than vi (Figure 4)", "entropy_annealing", "vi")
    first, last = arguments.components[0], arguments.components[-1]
    print("- the gain of stochastic annealing grows with K: %+.0f at K = %d, %+.0f at K = %d" % (
        gains[first, "stochastic, statistics"][0], first, gains[last, "stochastic, statistics"][0], last))
    for better, worse, paper in (("stochastic, statistics", "vi", "+0.2 to +1.4"),
                                 ("entropy_annealing", "vi", "+0.0 to +1.0"),
                                 ("stochastic, statistics", "entropy_annealing", "+0.1 to +0.5")):
        print("- classification, %s over %s: %+.2f points (standard error %.2f over starts and K; paper %s, K = 3 to 15)"
              % ((better, worse) + difference(better, worse) + (paper,)))

    shown = [k for k in (6, 12, 18) if k in arguments.components] or list(arguments.components)
    panels = []
    for components in shown:
        groups = {}
        for digit in range(10):
            centre = statistics.mean(elbo[components, "vi", digit, start] for start in starts)
            groups[str(digit)] = {name: [elbo[components, name, digit, start] - centre for start in starts]
                                  for name in METHODS}
        panels.append(("K = %d" % components, groups))
    path = os.path.join(arguments.output, "gaussian_mixture_digits.svg")
    box_plot.write(path, panels, list(METHODS), "ELBO relative to the mean of vi (nats)")
    print("wrote %s; %.0f CPU seconds" % (path, time.process_time() - began))


main()
