"""How long, and with which sizes and initial weights, networks should be fitted to few rows, judged by held-out rows: the
defaults compared with fixed numbers of passes, and with the earlier defaults ("before"): 100 passes (belief networks 40),
100 latent variables or 200 units, and the decoder's initial weights of Altosaar's code.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/reproduce/network_passes.py --data DATA
        [--rows 300 1000] [--seeds 1 2 3] [--passes 100 200 400 800] [--sets NAME ...]
        [--kinds autoencoder belief_network exponential_family] [--early-stopping]

The rows are drawn (seed 0) from training rows alone, and so are 500 others that score the fits: frames of
japanese_vowels and spoken_digits, standardised (Gaussian likelihood); chords of jsb_chorales as keys that sound, images
of binarized_mnist and MNIST (Bernoulli); documents of seven sets; and, for confirmation, the sets that come with
scikit-learn, 70 % of their rows, standardised, scored by the others. `--sets r` takes tables that come with R in the same way.
Log predictive density of a row, or of a word of a document given its other half. Mean over seeds (range). "One Gaussian": its
score, with a full covariance. --early-stopping: only autoencoders with a Gaussian likelihood, with and without this option: steps of the
seeds, score, CPU seconds of one thread. The set "factors" is 1,000 rows of 20 columns from two factors and noise of 0.1, scored on 300 others.
Needs numpy and scikit-learn; for `--sets r` R and its package MASS.
"""
import argparse
import gzip
import os
import statistics
import subprocess
import sys
import time

for variable in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS":
    os.environ.setdefault(variable, "1")

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402
from mixture_defaults import frames, images, seven_tenths, table_of  # noqa: E402

SCORED = 500
PASSES = (100, 200, 400, 800)
BEFORE = {"autoencoder": {"latent": 100, "decoder_initialization": "truncated_normal", "max_passes": 100},
          "belief_network": {"layers": "200", "max_passes": 40},
          "exponential_family": {"max_passes": 100}}
FRAMES = "japanese_vowels", "spoken_digits"
TABLES = "iris", "wine", "diabetes", "breast_cancer", "digits"
R_TABLES = {"faithful": "faithful", "swiss": "swiss", "quakes": "quakes", "airquality": "na.omit(airquality[, 1:4])",
            "boston": "MASS::Boston", "pima": "rbind(MASS::Pima.tr, MASS::Pima.te)[, 1:7]", "birthwt": "MASS::birthwt[, 2:10]",
            "cats": "MASS::cats[, 2:3]", "crabs": "MASS::crabs[, 4:8]", "fgl": "MASS::fgl[, 1:9]", "geyser": "MASS::geyser",
            "hills": "MASS::hills", "attenu": "na.omit(attenu[, c(2, 4, 5)])", "rock": "rock", "stackloss": "stackloss",
            "trees": "trees", "usarrests": "USArrests", "infert": "infert[, 2:8]", "mtcars": "mtcars", "longley": "longley",
            "cpus": "MASS::cpus[, 2:9]"}
SETS = {"autoencoder": (*FRAMES, "jsb_chorales", "binarized_mnist", "mnist", *TABLES),
        "belief_network": ("jsb_chorales", "binarized_mnist"),
        "exponential_family": ("ap", "poliblog5k", "newsgroups20", "nips", "arxiv_3800", "debian_desc", "wiki1000")}
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


def split_table(train, scored):
    table = standardised(np.vstack((train, scored)))
    return library.dense(table[:len(train)]), library.dense(table[len(train):]), None


def table_of_r(name):
    table = subprocess.run(["Rscript", "-e", "write.csv(%s, row.names = FALSE)" % R_TABLES[name]], check=True, text=True,
                           stdout=subprocess.PIPE).stdout
    return seven_tenths(np.array([line.split(",") for line in table.splitlines()[1:]], dtype=float))


def factors():
    random = np.random.RandomState(1)
    loadings = random.randn(2, 20)
    table = random.randn(1300, 2) @ loadings + 0.1 * random.randn(1300, 20)
    return table[:1000], table[1000:]


def compare_early_stopping(folder, sets, rows, seeds):
    print("| set | rows | early_stopping=off: steps | score | CPU seconds | default: steps | score | CPU seconds |\n|---" + "|---" * 7 + "|")
    for name in sets:
        for count in rows if name in FRAMES else rows[:1]:
            data, observed, _ = parts_of(folder, name, count)
            cells = []
            for choice in "off", "auto":
                steps, scores, seconds = [], [], []
                for seed in seeds:
                    model = library.model("variational_autoencoder", likelihood="gaussian")
                    start = time.process_time()
                    run = library.vtemper.Run(model, data, seed=seed, threads=1, early_stopping=choice)
                    run.run()
                    seconds.append(time.process_time() - start)
                    steps.append(int(run.get("iteration")))
                    scores.append(library.evaluate(model, observed, None, threads=1))
                cells += [", ".join("%d" % step for step in steps), "%.3f" % statistics.mean(scores), "%.1f" % statistics.mean(seconds)]
            print("| %s | %d | %s |" % (name, library.rows(data), " | ".join(cells)), flush=True)


def parts_of(folder, name, rows):
    """Data to fit, and the observed and held-out parts of the data that score the fit."""
    if name in SETS["exponential_family"]:
        train, (observed, heldout) = library.text_set(folder, name, documents=rows * 5 // 4, validation=0.2)
        return train, observed, heldout
    if name == "factors":
        return split_table(*factors())
    if name in TABLES or name in R_TABLES:
        return split_table(*(table_of(name) if name in TABLES else table_of_r(name)))
    table = dense_rows(folder, name)
    table = table[np.random.RandomState(0).permutation(len(table))]
    return library.dense(table[:rows]), library.dense(table[-SCORED:]), None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--rows", type=int, nargs="+", default=[300, 1000])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--kinds", nargs="+", default=list(SETS), choices=list(SETS))
    parser.add_argument("--sets", nargs="+", help="some of the sets, or r for the tables of R")
    parser.add_argument("--passes", type=int, nargs="+", default=PASSES)
    parser.add_argument("--early-stopping", action="store_true")
    arguments = parser.parse_args()
    if arguments.early_stopping:
        sets = arguments.sets or (*R_TABLES, *TABLES, *FRAMES, "factors")
        return compare_early_stopping(arguments.data, sets, arguments.rows, arguments.seeds)

    print("| kind | set | rows | default | %s | before | one Gaussian |" % " | ".join("%d passes" % passes for passes in arguments.passes))
    print("|---" * (6 + len(arguments.passes)) + "|")
    for kind in arguments.kinds:
        tables_of_r = kind == "autoencoder" and arguments.sets is not None and "r" in arguments.sets
        for name in SETS[kind] + (tuple(R_TABLES) if tables_of_r else ()):
            if arguments.sets and name not in arguments.sets and name not in R_TABLES:
                continue
            for rows in arguments.rows[:1] if name in TABLES + tuple(R_TABLES) else arguments.rows:
                data, observed, heldout = parts_of(arguments.data, name, rows)
                likelihood = {"likelihood": "gaussian"} if name in FRAMES + TABLES + tuple(R_TABLES) else {}

                def score(max_passes="auto", **settings):
                    of_seeds = []
                    for seed in arguments.seeds:
                        model = library.model(KINDS[kind], **likelihood, **settings)
                        library.run(library.optimizer(model, data, seed=seed, threads=1, max_passes=max_passes,
                                                      early_stopping="off"))  # has a table of its own
                        of_seeds.append(library.evaluate(model, observed, heldout, threads=1))
                    return "%.3f (%.3f)" % (statistics.mean(of_seeds), max(of_seeds) - min(of_seeds))

                def one_gaussian():
                    model = library.model("gaussian_mixture", components=1)
                    library.run(library.optimizer(model, data, threads=1))
                    return "%.3f" % library.evaluate(model, observed, heldout, threads=1)

                cells = [score()] + [score(passes) for passes in arguments.passes] + [score(**BEFORE[kind])]
                cells.append(one_gaussian() if likelihood else "")
                print("| %s | %s | %d | %s |" % (kind, name, library.rows(data), " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
