"""How long, and with which sizes and initial weights, networks should be fitted to few rows, judged by held-out rows: the
defaults compared with fixed numbers of passes, and with the earlier defaults ("before"): 100 passes (belief networks 40),
100 latent variables or 200 units, and the decoder's initial weights of Altosaar's code.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/reproduce/network_passes.py --data DATA
        [--rows 300 1000] [--seeds 1 2 3] [--sets NAME ...] [--kinds autoencoder belief_network exponential_family]

The rows are drawn (seed 0) from training rows alone, and so are 500 others that score the fits: frames of
japanese_vowels and spoken_digits, standardised (Gaussian likelihood); chords of jsb_chorales as keys that sound, images
of binarized_mnist and MNIST (Bernoulli); documents of ap and poliblog5k; and, for confirmation, the sets that come with
scikit-learn, 70 % of their rows, standardised, scored by the others. Log predictive density of a row, or of a word of a
document given its other half. Mean over seeds (range). Needs numpy and scikit-learn.
"""
import argparse
import gzip
import os
import statistics
import sys

for variable in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS":
    os.environ.setdefault(variable, "1")

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402
from mixture_defaults import frames, images, table_of  # noqa: E402

SCORED = 500
PASSES = (100, 200, 400, 800)
BEFORE = {"autoencoder": {"latent": 100, "decoder_initialization": "truncated_normal", "max_passes": 100},
          "belief_network": {"layers": "200", "max_passes": 40},
          "exponential_family": {"max_passes": 100}}
FRAMES = "japanese_vowels", "spoken_digits"
TABLES = "iris", "wine", "diabetes", "breast_cancer", "digits"
SETS = {"autoencoder": (*FRAMES, "jsb_chorales", "binarized_mnist", "mnist", *TABLES),
        "belief_network": ("jsb_chorales", "binarized_mnist"),
        "exponential_family": ("ap", "poliblog5k")}
KINDS = {"autoencoder": "variational_autoencoder", "belief_network": "sigmoid_belief_network",
         "exponential_family": "deep_exponential_family"}


def chords(path):
    lowest, keys = 43, 54
    with gzip.open(path, "rt") as lines:
        notes = [[int(pitch) - lowest for pitch in chord.split("+") if pitch.isdigit()]
                 for line in lines for chord in line.split()]
    table = np.zeros((len(notes), keys))
    for row, chord in zip(table, notes):
        row[chord] = 1
    return table


def standardised(table):
    deviation = table.std(0)
    return (table - table.mean(0)) / np.where(deviation > 0, deviation, 1)


def dense_rows(folder, name):
    path = os.path.join(folder, name)
    if name == "jsb_chorales":
        return chords(os.path.join(path, "train.pitches.txt.gz"))
    if name == "binarized_mnist":
        return (images(os.path.join(path, "train-images.idx.gz")) > 0).astype(float)
    if name == "mnist":
        return images(os.path.join(path, "train-images-idx3-ubyte.gz")) / 255
    return standardised(frames(folder, name, 10 ** 9)[0])


def parts_of(folder, name, rows):
    """Data to fit, and the observed and held-out parts of the data that score the fit."""
    if name in SETS["exponential_family"]:
        train, (observed, heldout) = library.text_set(folder, name, documents=rows * 5 // 4, validation=0.2)
        return train, observed, heldout
    if name in TABLES:
        parts = table_of(name)
        table = standardised(np.vstack(parts))
        return library.dense(table[:len(parts[0])]), library.dense(table[len(parts[0]):]), None
    table = dense_rows(folder, name)
    table = table[np.random.RandomState(0).permutation(len(table))]
    return library.dense(table[:rows]), library.dense(table[-SCORED:]), None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--rows", type=int, nargs="+", default=[300, 1000])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--kinds", nargs="+", default=list(SETS), choices=list(SETS))
    parser.add_argument("--sets", nargs="+")
    arguments = parser.parse_args()

    print("| kind | set | rows | default | %s | before |" % " | ".join("%d passes" % passes for passes in PASSES))
    print("|---" * (5 + len(PASSES)) + "|")
    for kind in arguments.kinds:
        for name in SETS[kind]:
            if arguments.sets and name not in arguments.sets:
                continue
            for rows in arguments.rows[:1] if name in TABLES else arguments.rows:
                data, observed, heldout = parts_of(arguments.data, name, rows)
                likelihood = {"likelihood": "gaussian"} if name in FRAMES + TABLES else {}

                def score(max_passes="auto", **settings):
                    of_seeds = []
                    for seed in arguments.seeds:
                        model = library.model(KINDS[kind], **likelihood, **settings)
                        library.run(library.optimizer(model, data, seed=seed, threads=1, max_passes=max_passes))
                        of_seeds.append(library.evaluate(model, observed, heldout, threads=1))
                    return "%.3f (%.3f)" % (statistics.mean(of_seeds), max(of_seeds) - min(of_seeds))

                cells = [score()] + [score(passes) for passes in PASSES] + [score(**BEFORE[kind])]
                print("| %s | %s | %d | %s |" % (kind, name, library.rows(data), " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
