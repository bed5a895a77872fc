"""Sigmoid belief networks on binarised MNIST (Altosaar, Ranganath and Blei 2018, Tables 1 and 2; Larochelle and
Murray's binarisation): one or three layers of 200 units, Adam 0.001, 20 images and 5 samples per step, a stated share of
the paper's 4 million steps, the same for all methods.

The start is good (weights of Glorot and Bengio) or bad (all weights of the model the given number, units on with
probability 0.001). What a method leaves open is chosen on the validation images of the first start.

    python3 tests/reproduce/sigmoid_belief_network_digits.py --data DATA [--layers 200] [--steps 100000] [--bad -10]
        [--starts 3] [--methods vi ...] [--output FOLDER]
"""
import argparse
import gzip
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

PAPER_STEPS = 4000000
CANDIDATES = {
    "vi": [{"method": "vi"}],
    "entropy_annealing": [{"method": "entropy_annealing"}],
    "proximity, entropy": [{"method": "proximity", "proximity": "entropy", "proximity_rate": rate}
                           for rate in (1e-10, 1e-20)],
    "proximity, mean and variance": [{"method": "proximity", "proximity": "mean_variance"}],
}


def read_images(folder, part):
    with gzip.open(os.path.join(folder, "binarized_mnist", part + "-images.idx.gz"), "rb") as file:
        content = file.read()
    return np.frombuffer(content, dtype=np.uint8, offset=16).reshape(-1, 784).astype(np.float64)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--layers", default="200")
    parser.add_argument("--steps", type=int, default=100000)
    parser.add_argument("--bad", type=float, help="weight of the bad start; without it the start is good")
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--methods", nargs="*", default=list(CANDIDATES))
    parser.add_argument("--report", type=int, default=5, help="scores along the way")
    parser.add_argument("--output", default=".", help="folder of the picture")
    arguments = parser.parse_args()
    os.makedirs(arguments.output, exist_ok=True)
    train = library.dense(read_images(arguments.data, "train"))
    # The test images are sorted by digit: every tenth is a fair share of all.
    scored = {part: library.dense(read_images(arguments.data, part)[::10]) for part in ("valid", "test")}
    start = {} if arguments.bad is None else {
        "initialization": "constant", "initial_weight": arguments.bad, "initial_probability": 0.001}

    def scores(model, part, samples=5000):
        count = library.rows(scored[part])
        return (library.evaluate(model, scored[part], None, "elbo", samples=10, threads=1) / count,
                library.evaluate(model, scored[part], None, "predictive", samples=samples, threads=1),
                library.evaluate(model, scored[part], None, "active_units", threads=1))

    def fit(name, settings, seed):
        model = library.model("sigmoid_belief_network", layers=arguments.layers, **start)
        optimizer = library.optimizer(model, train, seed=seed, threads=1, batch_size=20, report_every=1000,
                                      max_iterations=arguments.steps, **settings)
        began = time.process_time()
        for part in range(arguments.report):
            library.step(optimizer, arguments.steps // arguments.report)
            spent = time.process_time() - began
            so_far = scores(model, "test", 100)
            began += time.process_time() - began - spent
            print("%s, seed %d, %d steps: test ELBO %.2f, %d active units; %.0f CPU seconds of fitting" % (
                name, seed, (part + 1) * (arguments.steps // arguments.report), so_far[0], so_far[2], spent),
                file=sys.stderr, flush=True)
        return model

    results = {}
    for name in arguments.methods:
        of_starts = []
        best = None
        for settings in CANDIDATES[name]:
            model = fit(name, settings, 0)
            likelihood = scores(model, "valid", 500)[1]
            if best is None or likelihood > best[0]:
                best = likelihood, settings, scores(model, "test")
        of_starts.append(best[2])
        for seed in range(1, arguments.starts):
            of_starts.append(scores(fit(name, best[1], seed), "test"))
        results[name] = of_starts
        print("%s %s: %s" % (name, best[1], ", ".join("%.2f / %.2f / %d" % s for s in of_starts)), flush=True)

    print("\nLayers %s, %s, %d steps (%.1f %% of the paper's), every tenth test image; mean of %d starts (range)" % (
        arguments.layers, "good start" if arguments.bad is None else "all weights %g" % arguments.bad,
        arguments.steps, 100.0 * arguments.steps / PAPER_STEPS, arguments.starts))
    print("| method | ELBO | log likelihood | active units |")
    print("|---|---|---|---|")
    for name, of_starts in results.items():
        columns = list(zip(*of_starts))
        print("| %s | %s | %.0f |" % (name, " | ".join("%.2f (%.2f)" % (statistics.mean(c), max(c) - min(c))
                                                       for c in columns[:2]), statistics.mean(columns[2])))
    print("The paper, 4 million steps, one layer: VI -121.4 / -113.7, deterministic annealing -116.8 / -108.8, "
          "proximity entropy -113.3 / -106.7, mean and variance -114.9 / -107.4; three layers: VI -116.2 / -104.9, "
          "deterministic annealing -102.0 / -94.2, proximity entropy -99.7 / -93.2.")
    path = os.path.join(arguments.output, "sigmoid_belief_network_digits.svg")
    box_plot.write(path, [(title, {"": {name: [r[i] for r in rows] for name, rows in results.items()}})
                          for i, title in enumerate(("ELBO", "log likelihood"))], list(results), "nats")
    print("wrote " + path)


main()
