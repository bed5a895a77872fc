"""The prior of the symbols of hidden Markov models with small alphabets: mean held-out log probability of a symbol with
10/V (the former default below 20 symbols), 1 and 1/2 for each symbol. The sets are one column of recordings, cut at its
quantiles into V symbols; the sequences to train come in random order, the first 300 of the test part are scored.

    python3 tests/reproduce/hidden_markov_prior.py --data DATA [--rows 15 60] [--symbols 2 4 8 15] [--states 3 8] [--seeds 3]

One thread. Needs NumPy and the library (VTEMPER_LIBRARY).
"""
import argparse
import csv
import gzip
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mixture_defaults import library
from spread import mean_and_deviation

SETS = ("spoken_digits", 1), ("japanese_vowels", 0), ("chartraj", 0)


def column(folder, name, place):
    """The values of the sequences to train and to test."""
    parts = {"train": {}, "test": {}}
    with gzip.open(os.path.join(folder, name, "frames.csv.gz"), "rt") as file:
        rows = csv.reader(file)
        next(rows)
        for row in rows:
            parts[row[1]].setdefault(row[0], []).append(float(row[3 + place]))
    train = list(parts["train"].values())
    order = np.random.RandomState(1).permutation(len(train))
    return [train[i] for i in order], list(parts["test"].values())[:300]


def score(train, test, states, seeds, prior):
    found = []
    for seed in range(1, seeds + 1):
        model = library.model("hidden_markov", states=states, emission_prior=prior)
        library.run(library.optimizer(model, train, seed=seed, threads=1))
        found.append(library.evaluate(model, test, None, threads=1))
    return np.array(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--rows", type=int, nargs="+", default=[15, 60])
    parser.add_argument("--symbols", type=int, nargs="+", default=[2, 4, 8, 15])
    parser.add_argument("--states", type=int, nargs="+", default=[3, 8])
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    print("| set | rows | V | S | 10/V | 1 | 1/2 | gain of 1/2 |\n|---|---|---|---|---|---|---|---|")
    for name, place in SETS:
        train, test = column(arguments.data, name, place)
        values = np.concatenate(train)
        for rows in arguments.rows:
            for symbols in arguments.symbols:
                limits = np.quantile(values, np.arange(1, symbols) / symbols)
                cut = [library.sequences([np.searchsorted(limits, row) for row in part], symbols)
                       for part in (train[:rows], test)]
                for states in arguments.states:
                    found = [score(*cut, states, arguments.seeds, prior) for prior in (10 / symbols, 1, 0.5)]
                    print("| %s | %d | %d | %d | %s | %+.4f |" % (
                        name, rows, symbols, states,
                        " | ".join(mean_and_deviation(each, 4) for each in found),
                        found[2].mean() - found[0].mean()), flush=True)


if __name__ == "__main__":
    main()
