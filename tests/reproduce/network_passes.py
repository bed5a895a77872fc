"""How long networks are fitted to few rows, and with which sizes and starts, by held-out rows: the defaults beside fixed
numbers of passes, beside 100 latent variables, and beside the decoder's start of Altosaar's code.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/reproduce/network_passes.py --data DATA
        [--rows 300 1000] [--seeds 1 2 3] [--sets NAME ...] [--kinds autoencoder belief_network exponential_family]

The rows are drawn (seed 0) from training rows alone, and so are 500 others that score the fits: frames of
japanese_vowels and spoken_digits, standardised (Gaussian likelihood); chords of jsb_chorales as keys that sound, images
of binarized_mnist and MNIST (Bernoulli); documents of ap and poliblog5k. Log predictive density of a row, or of a word
of a document given its other half. Mean over seeds. Needs numpy.
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
from mixture_defaults import frames, images  # noqa: E402

SCORED = 500
PASSES = (100, 200, 400, 800)
BEFORE = {"latent": 100, "decoder_initialization": "truncated_normal"}
SETS = {"autoencoder": ("japanese_vowels", "spoken_digits", "jsb_chorales", "binarized_mnist", "mnist"),
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


def dense_rows(folder, name):
    path = os.path.join(folder, name)
    if name == "jsb_chorales":
        return chords(os.path.join(path, "train.pitches.txt.gz"))
    if name == "binarized_mnist":
        return (images(os.path.join(path, "train-images.idx.gz")) > 0).astype(float)
    if name == "mnist":
        return images(os.path.join(path, "train-images-idx3-ubyte.gz")) / 255
    table = frames(folder, name, 10 ** 9)[0]
    return (table - table.mean(0)) / table.std(0)


def parts_of(folder, name, rows):
    """Data to fit, and what scores the fit: observed and held-out."""
    if name in SETS["exponential_family"]:
        train, (observed, heldout) = library.text_set(folder, name, documents=rows * 5 // 4, validation=0.2)
        return train, observed, heldout
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

    print("| kind | set | rows | default | %s | as before |" % " | ".join("%d passes" % passes for passes in PASSES))
    print("|---" * (5 + len(PASSES)) + "|")
    for kind in arguments.kinds:
        for name in SETS[kind]:
            if arguments.sets and name not in arguments.sets:
                continue
            for rows in arguments.rows:
                data, observed, heldout = parts_of(arguments.data, name, rows)
                gaussian = {"likelihood": "gaussian"} if name in ("japanese_vowels", "spoken_digits") else {}

                def score(settings=gaussian, **length):
                    of_seeds = []
                    for seed in arguments.seeds:
                        model = library.model(KINDS[kind], **settings)
                        library.run(library.optimizer(model, data, seed=seed, threads=1, **length))
                        of_seeds.append(library.evaluate(model, observed, heldout, threads=1))
                    return "%.3f (%.3f)" % (statistics.mean(of_seeds), max(of_seeds) - min(of_seeds))

                usual = 40 if kind == "belief_network" else 100
                cells = [score()] + [score(max_passes=passes) for passes in PASSES]
                cells.append(score({**gaussian, **BEFORE}, max_passes=usual) if kind == "autoencoder"
                             else score(max_passes=usual))
                print("| %s | %s | %d | %s |" % (kind, name, rows, " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
