"""Mixtures of Bernoulli columns on the binarised MNIST digits: held-out log probability of a digit by the number of
components and by method, beside EM from random starts that is given as much time.

EM is plain NumPy, the maximisation of the likelihood with half a one and half a zero more in each column of each
component (without these, pixels that a component never saw make held-out digits impossible); of its starts the one with the
best training likelihood is kept. For each seed it has as much CPU time as the slowest method, and so have the restarts
of each faster one, of which the bound chooses. All else is the library's default. One thread each. In brackets
the standard deviation over the seeds.

    python3 tests/reproduce/bernoulli_mixture_digits.py --data DATA [--components 5 10 20] [--rows 10000] [--seeds 5]
        [--picture FILE]

--picture draws the components of the largest number as an SVG, sorted by what they hold.
"""
import argparse
import gzip
import os
import sys
import time

for variable in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS":
    os.environ.setdefault(variable, "1")

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library

METHODS = "vi", "annealing", "entropy_annealing", "stochastic_annealing", "tempering", "local_tempering"
EM_ROUNDS, EM_TOLERANCE = 200, 1e-6


def read_digits(folder, part):
    with gzip.open(os.path.join(folder, "binarized_mnist", part + "-images.idx.gz"), "rb") as file:
        content = file.read()
    shape = [int.from_bytes(content[4 + 4 * i:8 + 4 * i], "big") for i in range(content[3])]
    return np.frombuffer(content, dtype=np.uint8, offset=4 + 4 * content[3]).reshape(shape[0], -1).astype(np.float64)


def log_joint(x, weights, p):
    return np.log(weights) + np.log1p(-p).sum(1) + x @ (np.log(p) - np.log1p(-p)).T


def log_likelihoods(x, weights, p):
    scores = log_joint(x, weights, p)
    largest = scores.max(1, keepdims=True)
    return (largest + np.log(np.exp(scores - largest).sum(1, keepdims=True)))[:, 0]


def em(x, components, random, deadline):
    """Weights, probabilities, mean log likelihood of the training rows."""
    weights = np.full(components, 1 / components)
    p = random.uniform(0.25, 0.75, (components, x.shape[1]))
    last = -np.inf
    for _ in range(EM_ROUNDS):
        scores = log_joint(x, weights, p)
        scores -= scores.max(1, keepdims=True)
        shares = np.exp(scores)
        shares /= shares.sum(1, keepdims=True)
        rows = shares.sum(0)
        weights = (rows + 1e-3) / (rows + 1e-3).sum()
        p = (shares.T @ x + 0.5) / (rows[:, None] + 1)
        current = log_likelihoods(x, weights, p).mean()
        if current - last < EM_TOLERANCE * abs(current) or time.process_time() > deadline:
            break
        last = current
    return weights, p, current


def em_restarts(x, components, random, seconds):
    """The best of as many starts, by training likelihood, as there is time for, and their number. The first one
    is never cut short."""
    end = time.process_time() + seconds
    best, starts = em(x, components, random, np.inf), 1
    while time.process_time() < end:
        fitted = em(x, components, random, end)
        starts += 1
        if fitted[2] > best[2]:
            best = fitted
    return best, starts


def tell(components, name, scores, seconds):
    print("| %d | %s | %.2f (%.2f) | %.1f |" % (components, name, np.mean(scores), np.std(scores), np.mean(seconds)), flush=True)


def fit(x, components, method, **options):
    data = library.dense(x)
    begin = time.process_time()
    model = library.model("bernoulli_mixture", components=components, **options.pop("model", {}))
    library.run(library.optimizer(model, data, method=method, threads=1, moves="off", **options))
    return model, time.process_time() - begin


def draw(model, components, file):
    """The components' mean digits, largest component first."""
    p = library.parameter(model, "probabilities", components, -1)
    order = np.argsort(-library.parameter(model, "rows", components))
    side, across = int(np.sqrt(p.shape[1])), 10
    with open(file, "w") as svg:
        down = (components + across - 1) // across
        svg.write('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" shape-rendering="crispEdges">\n'
                  % (3 * (side + 1) * across, 3 * (side + 1) * down))
        for place, k in enumerate(order):
            for i in np.flatnonzero(p[k] > 0.02):
                svg.write('<rect x="%d" y="%d" width="3" height="3" fill-opacity="%.2f"/>\n'
                          % (3 * (place % across * (side + 1) + i % side),
                             3 * (place // across * (side + 1) + i // side), p[k, i]))
        svg.write("</svg>\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--components", type=int, nargs="+", default=[5, 10, 20, 50, 100])
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    train = read_digits(arguments.data, "train")[:arguments.rows]
    test = read_digits(arguments.data, "test")
    heldout = library.dense(test)
    print("| K | method | nats a digit | seconds |\n|---|---|---|---|")
    for components in arguments.components:
        mean_seconds = {}

        def score(method, name, **options):
            scores, seconds = [], []
            for seed in range(arguments.seeds):
                model, spent = fit(train, components, method, seed=seed, **options)
                seconds.append(spent)
                scores.append(library.evaluate(model, heldout, None))
            tell(components, name, scores, seconds)
            return model, np.mean(seconds)

        for method in arguments.methods:
            model, mean_seconds[method] = score(method, method)
        slowest = max(mean_seconds.values())
        for method in arguments.methods:
            starts = round(slowest / mean_seconds[method])
            if starts > 1:
                model, _ = score(method, "%s, best of %d starts" % (method, starts), restarts=starts)
        if arguments.picture:
            draw(model, components, arguments.picture)
        scores, seconds, starts = [], [], []
        for seed in range(arguments.seeds):
            begin = time.process_time()
            best, count = em_restarts(train, components, np.random.default_rng(seed), slowest)
            seconds.append(time.process_time() - begin)
            starts.append(count)
            scores.append(log_likelihoods(test, *best[:2]).mean())
        tell(components, "EM, best of %.1f starts" % np.mean(starts), scores, seconds)


if __name__ == "__main__":
    main()
