"""Learned noise of factorial mixtures (options learn_noise_variance and learn_activation_probability, both off by default):
mean held-out log density of a value, given half of its row (standard deviation over seeds, where there are several), on rows drawn from the model and on
real ones.

    python3 tests/reproduce/factorial_mixture_noise.py --data DATA [--seeds 3]

Frames are standardised, images are means of 4 x 4 pixels. Needs NumPy and the library (VTEMPER_LIBRARY).
"""
import argparse
import csv
import gzip
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mixture_defaults import library

DRAWN = (4, 10, 0.3, 600), (3, 2, 0.5, 600), (6, 12, 0.2, 200), (10, 30, 0.5, 1000), (5, 8, 1.0, 300)
SETTINGS = {}, {"learn_noise_variance": "true"}, {"learn_noise_variance": "true", "learn_activation_probability": "true"}


def drawn(components, columns, deviation, rows, seed):
    random = np.random.default_rng(seed)
    means = random.normal(size=(components, columns))
    return [(random.random((count, components)) < 0.3) @ means + deviation * random.normal(size=(count, columns))
            for count in (rows, 1000)]


def frames(folder, name):
    parts = {"train": [], "test": []}
    with gzip.open(os.path.join(folder, name, "frames.csv.gz"), "rt") as file:
        rows = csv.reader(file)
        next(rows)
        for row in rows:
            parts[row[1]].append([float(value) for value in row[3:]])
    train, test = np.array(parts["train"]), np.array(parts["test"])
    random = np.random.default_rng(1)
    scaled = [(part - train.mean(0)) / train.std(0) for part in (train, test)]
    return [part[random.permutation(len(part))[:count]] for part, count in zip(scaled, (1500, 1000))]


def digits(folder):
    with gzip.open(os.path.join(folder, "mnist", "train-images-idx3-ubyte.gz")) as file:
        pixels = np.frombuffer(file.read()[16:], dtype=np.uint8).reshape(-1, 7, 4, 7, 4)
    order = np.random.default_rng(0).permutation(len(pixels))
    return [pixels[order[first:first + 1000]].mean((2, 4)).reshape(1000, -1) / 255 for first in (0, 1000)]


def sets(folder):
    for i, (components, columns, deviation, rows) in enumerate(DRAWN):
        name = "drawn, noise %g" % deviation
        yield name, components, drawn(components, columns, deviation, rows, 10 + i)
    for name in ("spoken_digits", "japanese_vowels", "chartraj"):
        for components in (3, 6, 12):
            yield name, components, frames(folder, name)
    for components in (5, 10, 20):
        yield "mnist, 7 x 7", components, digits(folder)


def score_text(scores):
    """The mean, and behind it the standard deviation where there are several."""
    return "%.3f" % np.mean(scores) + (" (%.3f)" % np.std(scores, ddof=1) if len(scores) > 1 else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    print("| set | rows x columns | K | default | noise learned | noise and probabilities learned |\n|---|---|---|---|---|---|")
    for name, components, (rows, held_out) in sets(arguments.data):
        train, test = library.dense(rows), library.dense(held_out)
        cells = []
        for settings in SETTINGS:
            found = []
            for seed in range(1, arguments.seeds + 1):
                model = library.model("factorial_mixture", components=components, **settings)
                library.run(library.optimizer(model, train, seed=seed, threads=1))
                found.append(library.evaluate(model, test, None, threads=1))
            cells.append(score_text(found))
        print("| %s | %d x %d | %d | %s |" % (name, *rows.shape, components, " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
