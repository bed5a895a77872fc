"""Variational autoencoder on binarised MNIST (Altosaar, Ranganath and Blei 2018, Table 3; Larochelle and Murray's
binarisation): 100 latent variables, hidden layers of 200 and 200 units, orthogonal start of the encoder and the
authors' of the decoder, Adam 0.001, 128 images a step, a stated share of the paper's 50,000 steps, the same for both methods.

The magnitude of the orthogonal constraint, which does not decay, is chosen on the validation images of the first
start; every start is then reported on the test images.

    python3 tests/reproduce/variational_autoencoder_digits.py --data DATA [--steps 10000] [--starts 3]
        [--orthogonality columns] [--output FOLDER]
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

PAPER_STEPS = 50000
MAGNITUDES = (1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5)  # the paper's
MEASURES = ("ELBO", "log likelihood", "active units", "hidden units off, share")


def read_images(folder, part):
    with gzip.open(os.path.join(folder, "binarized_mnist", part + "-images.idx.gz"), "rb") as file:
        content = file.read()
    return np.frombuffer(content, dtype=np.uint8, offset=16).reshape(-1, 784).astype(np.float64)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--orthogonality", default="rows", choices=("rows", "columns"))
    parser.add_argument("--likelihood-images", type=int, default=500, help="test images of the log likelihood")
    parser.add_argument("--output", default=".", help="folder of the picture")
    arguments = parser.parse_args()
    os.makedirs(arguments.output, exist_ok=True)
    train = library.dense(read_images(arguments.data, "train"))
    parts = {part: read_images(arguments.data, part) for part in ("valid", "test")}
    whole = {part: library.dense(images) for part, images in parts.items()}
    # The test images are sorted by digit: every n-th is a fair share of all.
    few = library.dense(parts["test"][::len(parts["test"]) // arguments.likelihood_images])

    def fit(seed, **settings):
        model = library.model("variational_autoencoder", latent=100, decoder_initialization="truncated_normal",
                              orthogonality=arguments.orthogonality)
        optimizer = library.optimizer(model, train, seed=seed, threads=1, batch_size=128, report_every=1000,
                                      max_iterations=arguments.steps, **settings)
        began = time.process_time()
        library.run(optimizer)
        print("seed %d, %s: %.0f CPU seconds" % (seed, settings, time.process_time() - began), file=sys.stderr,
              flush=True)
        return model

    def elbo(model, part):
        return library.evaluate(model, whole[part], None, "elbo", samples=1, threads=1) / library.rows(whole[part])

    def scores(model):
        return (elbo(model, "test"), library.evaluate(model, few, None, "predictive", samples=5000, threads=1),
                library.evaluate(model, whole["test"], None, "active_units", threads=1),
                library.evaluate(model, whole["test"], None, "dead_units", threads=1))

    def constraint(magnitude):
        return {"method": "proximity", "proximity": "orthogonal", "proximity_decay": "constant",
                "proximity_magnitude": magnitude}

    candidates = {magnitude: fit(0, **constraint(magnitude)) for magnitude in MAGNITUDES}
    on_validation = {magnitude: elbo(model, "valid") for magnitude, model in candidates.items()}
    chosen = max(on_validation, key=on_validation.get)
    results = {"vi": [], "proximity, orthogonal": []}
    for seed in range(arguments.starts):
        results["vi"].append(scores(fit(seed, method="vi")))
        model = candidates[chosen] if seed == 0 else fit(seed, **constraint(chosen))
        results["proximity, orthogonal"].append(scores(model))
        for name, of_starts in results.items():
            print("seed %d, %s: ELBO %.2f, log likelihood %.2f, %d active, %.3f off" % ((seed, name) + of_starts[-1]),
                  file=sys.stderr, flush=True)

    print("Validation ELBO by magnitude: %s" % ", ".join("%g: %.2f" % item for item in on_validation.items()))
    print("%d steps (%.0f %% of the paper's), magnitude %g, statistic of %s; test images, log likelihood of every "
          "%dth; mean of %d starts (range)" % (arguments.steps, 100 * arguments.steps / PAPER_STEPS, chosen,
                                               arguments.orthogonality,
                                               len(parts["test"]) // arguments.likelihood_images, arguments.starts))
    print("| method | %s |" % " | ".join(MEASURES))
    print("|---|---|---|---|---|")
    for name, of_starts in results.items():
        print("| %s | %s |" % (name, " | ".join("%.*f (%.*f)" % (digits, statistics.mean(column), digits,
                                                                 max(column) - min(column))
                                                for digits, column in zip((2, 2, 0, 3), zip(*of_starts)))))
    print("\nThe constraint over vi from the same start (the paper, 50,000 steps, best of six magnitudes: -100.4 over -101.0 ELBO, -93.9 over "
          "-94.2 log likelihood)")
    for i, title in enumerate(MEASURES[:2]):
        gains = [with_constraint[i] - plain[i] for plain, with_constraint in
                 zip(results["vi"], results["proximity, orthogonal"])]
        verdict = ("the constraint wins in every start" if min(gains) > 0 else
                   "plain vi wins in every start" if max(gains) < 0 else "no winner")
        print("- %s: %s nats: %s" % (title, ", ".join("%+.2f" % gain for gain in gains), verdict))
    path = os.path.join(arguments.output, "variational_autoencoder_digits.svg")
    box_plot.write(path, [(title, {"": {name: [r[i] for r in rows] for name, rows in results.items()}})
                          for i, title in enumerate(MEASURES[:2])], list(results), "nats")
    print("wrote " + path)


main()
